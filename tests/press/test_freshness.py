import subprocess
import sys
from pathlib import Path

import pytest

from ndcg_companion.press.freshness import package_folder, reachable_files

ROOMS = ["measures", "theory", "simulation", "data", "evaluation", "chapter", "press", "commands"]


def names(source, package):
    return {path.relative_to(package).as_posix() for path in reachable_files(source, package)}


@pytest.fixture
def package(tmp_path):
    """A package with two rooms; 'upper' imports 'lower' inside a function only."""
    files = {
        "__init__.py": "",
        "lower/__init__.py": "from .one import a\n",
        "lower/one.py": "a = 1\n",
        "lower/two.py": "b = 2\n",
        "upper/__init__.py": "",
        "upper/late.py": "def f():\n    from ndcg_companion.lower.two import b\n    return b\n",
        "upper/table.csv": "x\n",
        "upper/apart.py": "import numpy\n",
    }
    for name, text in files.items():
        path = tmp_path / "ndcg_companion" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "ndcg_companion"


def test_only_what_the_imports_reach(package):
    assert names("import numpy as np", package) == set()
    assert names("from ndcg_companion.lower import a", package) == {
        "__init__.py",
        "lower/__init__.py",
        "lower/one.py",
    }


def test_lazy_imports_and_data_beside_a_module_count(package):
    found = names("import ndcg_companion.upper.late", package)
    assert {"upper/late.py", "upper/table.csv", "lower/two.py"} <= found
    assert "upper/apart.py" not in found


def test_a_module_imported_as_a_name_is_followed(package):
    assert "upper/late.py" in names("from ndcg_companion.upper import late", package)


def test_relative_imports_resolve_from_packages_and_modules(package):
    (package / "lower" / "three.py").write_text("from . import two\nfrom .. import upper\n")
    assert {"lower/two.py", "upper/__init__.py"} <= names(
        "from ndcg_companion.lower.three import two", package
    )


def test_the_real_package_runs_downhill(tmp_path):
    """No room reaches one above it."""
    for height, room in enumerate(ROOMS[:-1]):
        reached = names(f"import ndcg_companion.{room}", package_folder())
        above = {name for name in reached if name.split("/")[0] in ROOMS[height + 1 :]}
        assert not above, f"{room} reaches {above}"


def test_a_module_that_is_not_python_is_named_with_the_line(package):
    (package / "lower" / "two.py").write_text("b = 2\nc = = 3\n")
    with pytest.raises(ValueError, match=r"two.py: line 2 is not Python"):
        reachable_files("import ndcg_companion.lower.two", package)


@pytest.mark.parametrize("room", ROOMS)
def test_what_python_loads_is_among_what_is_found(room):
    """The interpreter itself is the witness: no module that an import really loads is overlooked."""
    own = "(m for m in sys.modules if m.startswith('ndcg_companion'))"
    code = f"import ndcg_companion.{room}, sys; print(*{own})"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    reached = names(f"import ndcg_companion.{room}", package_folder())
    for module in loaded:
        path = Path(*module.split(".")[1:])
        assert {f"{path}.py", (path / "__init__.py").as_posix()} & reached, module
