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
    """The folder of a package with two packages, and a function that writes into it."""
    folder = tmp_path / "shelf"

    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for name, text in FILES.items():
        write(name, text)
    return folder, write


def names(source, folder):
    """What is reached, as the modules' names and the names that are bound there."""
    return {
        f"{statement.module.name.partition('.')[2]}:{name}"
        for statement in Packages({"shelf": folder}).reach(source)
        for name in statement.binds
    }


@pytest.mark.parametrize(
    ("source", "reached"),
    [
        ("import numpy as np\nnp.sum(1)", set()),
        ("from shelf.lower import a", set()),
        ("from shelf.lower import a\na", {"lower.one:a"}),
        ("from shelf.lower import f\nf()", {"lower.one:f", "lower.one:g"}),
        ("from shelf import lower\nlower.f()", {"lower.one:f", "lower.one:g"}),
        ("import shelf.lower as part\npart.b", {"lower.two:b"}),
        ("from shelf.lower import one\none.g()", {"lower.one:g"}),
        (
            "from shelf.lower import one\nprint(one)",
            {f"lower.one:{n}" for n in ("a", "f", "g", "unused")},
        ),
        ("from shelf.lower.two import *\nb", {"lower.two:b"}),
        ("from shelf.lower import f as h\nh()", {"lower.one:f", "lower.one:g"}),
        ("import shelf.lower.two\nshelf.lower.two.b", {"lower.two:b"}),
        ("import shelf.lower.two as two\nvars(two)", {"lower.two:b"}),
        ("from shelf.upper.late import now\nnow()", {"upper.late:now"}),
        ("from shelf.upper.late import late\nlate()", {"upper.late:late", "lower.two:b"}),
    ],
)
def test_what_is_mentioned_is_reached_and_nothing_else(source, reached, package):
    assert names(source, package[0]) == reached


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        (
            "lower/one.py",
            FILES["lower/one.py"].replace("return 2", '"""Two."""\n\n    return 2  # two'),
            False,
        ),
        ("lower/one.py", FILES["lower/one.py"].replace("return 3", "return 4"), False),
        ("lower/two.py", "b = 3\n", False),
        ("upper/other.csv", "y\n", False),
        ("lower/one.py", FILES["lower/one.py"].replace("return 2", "return 3"), True),
        ("lower/__init__.py", "from .two import b as f\n", True),
        ("lower/two.py", "b = 2\nprint(b)\n", True),  # does something when it is loaded
        ("lower/two.py", "b = 2\nimport numpy\nnumpy.seterr(all='raise')\n", True),
        ("upper/table.csv", "y\n", True),
    ],
)
def test_the_meaning_changes_with_what_could_be_used(name, text, counts, package):
    folder, write = package
    source = "from shelf.lower import f\nfrom shelf.upper.table import rows\nf(), rows()"
    before = Packages({"shelf": folder}).fingerprint(source)
    write(name, text)
    assert (Packages({"shelf": folder}).fingerprint(source) != before) == counts


def test_a_name_that_cannot_be_followed_reaches_its_whole_module(package):
    folder, write = package
    write(
        "lower/__init__.py",
        "from .two import b\ndef __getattr__(name):\n    from . import one\n    return getattr(one, name)\n",
    )
    assert {"lower.one:f", "lower.one:unused"} <= names("from shelf.lower import f\nf()", folder)
    write("lower/one.py", FILES["lower/one.py"] + "\ndef h():\n    return globals()['a']\n")
    assert "lower.one:unused" in names("from shelf.lower.one import h\nh()", folder)


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


def test_a_name_reaches_what_has_it_in_modules_that_are_loaded(package):
    folder, write = package
    write("upper/late.py", FILES["upper/late.py"] + "g = 1\n")
    source = "from shelf.lower import f\nimport numpy\nnumpy.b\nf()"
    assert names(source, folder) == {"lower.one:f", "lower.one:g", "lower.two:b"}


def test_what_is_remembered_holds_for_these_very_bytes(package, monkeypatch):
    folder, write = package
    monkeypatch.setattr("claimbook.execute.fingerprints.folders_of", lambda _: {"shelf": folder})
    memory, source = folder.parent / "memory.json", "from shelf.lower import a\na"
    (found,) = fingerprints(BOOK, [source], memory)
    monkeypatch.setattr(Packages, "fingerprint", lambda *_: ["analysed", False])
    assert fingerprints(BOOK, [source], memory) == [found]
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
