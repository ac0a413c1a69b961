import os

import pytest
from plain_book import BOOK

from claimbook.execute.fingerprints import Packages, fingerprints

FILES = {
    "__init__.py": "",
    "lower/__init__.py": "from .one import a, f\nfrom .two import b\n",
    "lower/one.py": "a = 1\ndef f():\n    return g()\ndef g():\n    return 2\ndef unused():\n    return 3\n",
    "lower/two.py": "b = 2\n",
    "upper/__init__.py": "",
    "upper/late.py": "def now():\n    return 0\ndef late():\n  from shelf.lower import b\n  return b\n",
    "upper/table.py": "from pathlib import Path\n\ndef rows():\n    return Path('table.csv')\n",
    "upper/table.csv": "x\n",
    "upper/other.csv": "x\n",
}


@pytest.fixture
def package(tmp_path):
    """Return the folder of a package with subpackages, and a function that writes there."""
    folder = tmp_path / "shelf"

    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for name, text in FILES.items():
        write(name, text)
    return folder, write


def names(source, folder):
    """Return the names of the reached modules below the package."""
    return {name.partition(".")[2] for name in Packages({"shelf": folder}).reach(source)} - {""}


LOWER = {"lower", "lower.one", "lower.two"}


@pytest.mark.parametrize(
    ("source", "reached"),
    [
        ("import numpy as np\nnp.sum(1)", set()),
        ("from shelf.lower import a", LOWER),
        ("from shelf import lower\nlower.f()", LOWER),
        ("import shelf.lower as part\npart.b", LOWER),
        ("from shelf.lower.two import *\nb", LOWER),
        ("import shelf.lower.two\nshelf.lower.two.b", LOWER),
        ("def f():\n    from shelf.upper import table", {"upper", "upper.table"}),
        ("from shelf.upper import late", {"upper", "upper.late", *LOWER}),
        ("import shelf", set()),
    ],
)
def test_what_is_imported_is_reached_with_all_that_it_imports(source, reached, package):
    assert names(source, package[0]) == reached


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        (
            "lower/one.py",
            FILES["lower/one.py"].replace("return 2", '"""Two."""\n\n    return 2  # two'),
            False,
        ),
        ("upper/late.py", "def late():\n    return 1\n", False),
        ("lower/one.py", FILES["lower/one.py"].replace("return 3", "return 4"), True),
        ("lower/two.py", "b = 3\n", True),
        ("lower/__init__.py", "from .two import b as f\n", True),
        ("__init__.py", "import numpy\nnumpy.seterr(all='raise')\n", True),
    ],
)
def test_the_meaning_changes_with_the_modules_that_are_reached_and_no_others(name, text, counts, package):
    folder, write = package
    source = "from shelf.lower import f\nfrom shelf.upper.table import rows\nf(), rows()"
    before = Packages({"shelf": folder}).fingerprint(source)
    write(name, text)
    assert (Packages({"shelf": folder}).fingerprint(source) != before) == counts


def test_a_chapter_is_said_to_reach_the_module_of_the_extras_if_it_does(package):
    packages = Packages({"shelf": package[0]})
    assert packages.fingerprint("import shelf.upper.late", "shelf.lower.two")[1]
    assert not packages.fingerprint("import shelf.upper.table", "shelf.lower.two")[1]


def test_a_module_that_is_not_python_is_named_with_the_line(package):
    folder, write = package
    write("lower/two.py", "b = 2\nc = = 3\n")
    with pytest.raises(ValueError, match=r"two.py: line 2 is not Python"):
        names("import shelf.lower.two", folder)
    (folder / "lower" / "two.py").write_bytes(b"b = '\xe9'\n")
    with pytest.raises(ValueError, match=r"two.py: the file is not Python: 'utf-8'"):
        names("import shelf.lower.two", folder)


def test_a_chapter_that_is_not_python_depends_on_every_file(package):
    folder, write = package
    before = Packages({"shelf": folder}).fingerprint("%matplotlib inline")
    write("upper/other.csv", "y\n")
    assert Packages({"shelf": folder}).fingerprint("%matplotlib inline") != before


def test_a_package_that_a_chapter_would_fetch_hides_nothing_of_what_it_reaches(package):
    folder, write = package
    source = "from shelf.lower import f\nf()"
    fetched = f"{source}\nif not f:\n    %pip install -q 'a[b]'"
    packages = Packages({"shelf": folder})
    assert packages.fingerprint(fetched) == packages.fingerprint(source)
    write("upper/other.csv", "y\n")
    assert Packages({"shelf": folder}).fingerprint(fetched) == packages.fingerprint(source)


def test_cached_fingerprints_are_used_only_for_the_same_bytes(package, monkeypatch):
    folder, write = package
    monkeypatch.setattr("claimbook.execute.fingerprints.folders_of", lambda _: {"shelf": folder})
    memory, source = folder.parent / "memory.json", "from shelf.lower import a\na"
    (result,) = fingerprints(BOOK, [source], memory)
    monkeypatch.setattr(Packages, "fingerprint", lambda *_: ["analysed", False])
    assert fingerprints(BOOK, [source], memory) == [result]
    write("lower/two.py", "b = 3\n")
    assert fingerprints(BOOK, [source], memory) == [["analysed", False]]
    for damaged in ("", "[]", "null", '{"packages": 1}'):
        memory.write_text(damaged)
        assert fingerprints(BOOK, [source], memory) == [["analysed", False]]


@pytest.mark.skipif(os.name == "nt", reason="makes a pipe")
@pytest.mark.parametrize("text", ["[" * 100_000, "[]", None])
def test_a_damaged_memory_does_not_count(tmp_path, text):
    memory = tmp_path / "fingerprints.json"
    os.mkfifo(memory) if text is None else memory.write_text(text)
    assert fingerprints(BOOK, ["1"], memory) == fingerprints(BOOK, ["1"], tmp_path / "new.json")
