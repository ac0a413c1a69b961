"""``new``: start a book that builds at once, with one chapter on a true and a false statement.

The folder must be new or empty, and its name becomes the book's name. The book comes with a lock file, a
test, a workflow and a licence.

  claimbook new first-digits --license CC-BY-4.0
  cd first-digits
  claimbook build
"""

import keyword
import re
import sys
from datetime import date
from importlib.util import find_spec
from pathlib import Path

from claimbook.locks import engine_line, lock
from claimbook.text import check_plain, escaped, shell

_ENGINE = Path(__file__).parents[1]
SKELETON, LICENCES = _ENGINE / "skeleton", _ENGINE / "licences"
OPTIONS = {
    "folder": {"metavar": "FOLDER", "help": "a new folder, or an empty one"},
    "--license": {
        "choices": sorted(path.stem for path in LICENCES.glob("*.txt")),
        "default": "MIT",
        "help": "the licence under which others may use the book (MIT)",
    },
    "--author": {"metavar": "NAME", "help": "the author of the book (The authors of …)"},
}
# These files have other names in the engine, because pytest would run them as tests of the engine.
_NAMES_IN_BOOK = {"tests/the_book.py": "tests/test_book.py"}
_FOLDERS_OF_A_BOOK = {"chapters", "parameters", "tests", "runs", "sweeps"}


def call(options):
    """Write the files of a new book, and return the exit code."""
    folder = Path(options.folder)
    title, package = title_and_package(folder.resolve().name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"{escaped(str(folder))}: expected a new or an empty folder")
    author = check_plain(options.author or f"The authors of {title}", "author")
    if re.search(r"[\\\"{}$<>]", author):
        raise ValueError(f"author={escaped(author)!r}: expected a name without quotes, brackets, $ and \\")
    replacements = {
        "my_book": package,
        "my-book": package.replace("_", "-"),
        "My book": title,
        "THE AUTHORS": author,
        "THE-LICENSE": options.license,
        "THE-PYTHON": f"{sys.version_info.major}.{sys.version_info.minor}",
        "THE-YEAR": str(date.today().year),
    }
    for name, text in _files_with_placeholders(options.license).items():
        for placeholder, replacement in replacements.items():
            name, text = name.replace(placeholder, replacement), text.replace(placeholder, replacement)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {escaped(str(folder))}; next: {shell('cd', str(folder))}; claimbook build")
    if " @ file:" in engine_line():  # a folder of this machine
        print(
            "requirements.lock names claimbook by its folder on this machine; other machines need another one"
        )
    return 0


def _files_with_placeholders(licence):
    """Return the text of each file of a new book, by name, with placeholders."""
    files = {}
    for path in sorted(SKELETON.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            name = path.relative_to(SKELETON).as_posix()
            files[_NAMES_IN_BOOK.get(name, name)] = path.read_text(encoding="utf-8")
    licence_text = (LICENCES / f"{licence}.txt").read_text(encoding="utf-8")
    return files | {"LICENSE": licence_text, "requirements.lock": lock()}


def title_and_package(folder):
    """Return the title and the package of a book from the name of its folder.

    Raises
    ------
    ValueError
        If Python could not import a package of that name, or would import another one.

    Examples
    --------
    >>> title_and_package("the-primes")
    ('The primes', 'the_primes')
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,60}", folder):
        expectation = "expected a name of letters, digits, - and _ that begins with a letter"
        raise ValueError(f"{escaped(folder)}: {expectation}")
    package = folder.replace("-", "_").lower()
    if keyword.iskeyword(package):
        raise ValueError(f"{folder}: expected a name that is not a Python keyword; the book is a package")
    if package in _FOLDERS_OF_A_BOOK:
        raise ValueError(f"{folder}: expected another name; a book has a folder with this name")
    if _is_taken(package):
        raise ValueError(f"{folder}: expected a name that is new to Python; 'import {package}' finds another")
    return folder.replace("-", " ").replace("_", " ").capitalize(), package


def _is_taken(package):
    """Return whether Python finds a module of that name, other than an empty folder."""
    if package in sys.stdlib_module_names:
        return True
    spec = find_spec(package)
    return spec is not None and spec.origin is not None
