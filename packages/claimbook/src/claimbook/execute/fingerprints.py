"""Fingerprints of dependencies: the modules of the book's packages that a chapter's code can load.

Read from the syntax trees, without importing anything. A module is reached if the chapter imports it, at any
depth of its code, or if a module does that is reached already; with it the packages around it. Comments and
docstrings do not count. What data files hold is no part of it: a kernel records what it reads (`inputs`).
"""

# By hand, because `modulefinder` follows imports into all that is installed and compares whole files: a
# changed docstring would execute chapters.

import ast
import json
import re
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path

from claimbook.writing import checksum, digest, write_whole

ENGINE = __name__.partition(".")[0]
_WITH_DOCSTRING = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_FETCHED = re.compile(r"^( *)%pip .*$", re.M)  # by the one magic that runs no code of ours


class Packages:
    """The modules of some packages, by the folder of each, read when they are asked for."""

    def __init__(self, folders):
        self.folders = {name: Path(folder) for name, folder in folders.items()}
        self._module = cache(self._read)

    def reach(self, source):
        """The modules that code with this ``source`` can load: their dotted names and digests.

        Raises
        ------
        SyntaxError, ImportError
            If ``source`` is not Python, or imports from where it cannot.
        ValueError
            If a module that it reaches is not, naming it and the line.
        """
        names, digests = _imported(ast.parse(_FETCHED.sub(r"\1pass", source)), ""), {}
        while new := {name for name in names - digests.keys() if self._module(name)}:
            digests |= {name: self._module(name)[0] for name in new}
            names = set().union(*(self._module(name)[1] for name in new))
        return digests

    def _read(self, name):
        """The digest of a module and the names of what it imports; None if it is in none of the packages."""
        first, *parts = name.split(".")
        if first not in self.folders:
            return None
        path = self.folders[first].joinpath(*parts)
        files = {path / "__init__.py": name, path.with_suffix(".py"): name.rpartition(".")[0]}
        file = next(filter(Path.is_file, files), None)
        if file is None:
            return None
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as error:
            where = f"line {error.lineno}" if isinstance(error, SyntaxError) else "the file"
            raise ValueError(f"{file}: {where} is not Python: {error}") from None
        imported = _imported(tree, files[file])
        for node in ast.walk(tree):
            if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
                del node.body[0]
        return digest(ast.dump(tree)), imported

    def fingerprint(self, source, extras=""):
        """A digest of the code that this source can reach, and whether the module ``extras`` is in it."""
        try:
            digests = self.reach(source)
        except (SyntaxError, ImportError):  # a magic of Jupyter's, or a slip, which the kernel will tell
            return [digest_of(self.folders), True]
        return [digest(digests), extras in digests]


def _imported(tree, package):
    """The dotted names of all that a module of ``package`` may import, and of the packages around these."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            names += [f"{source}.{alias.name}" for alias in node.names]
    return {above for name in names for above in accumulate(name.split("."), "{}.{}".format)}


def fingerprints(book, sources, memory):
    """The `Packages.fingerprint` of each source, for the packages of a book.

    ``memory`` is a file that may be lost at any time: it remembers what was found for these very bytes.
    """
    folders, known = folders_of(book), {}
    packages, code = Packages(folders), digest_of(folders)
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        # A pipe would be waited for.
        known = dict(json.loads(memory.read_text(encoding="utf-8") if memory.is_file() else "")[code])
    marked = {digest(source): source for source in sources}
    if new := {mark: marked[mark] for mark in marked.keys() - known.keys()}:
        known |= {mark: packages.fingerprint(source, book.extras) for mark, source in new.items()}
        with suppress(OSError):
            write_whole(memory, json.dumps({code: known}))
    return [known[mark] for mark in map(digest, sources)]


def folders_of(book):
    """The folders of the book's packages and of the engine, by name: what runs when a chapter does."""
    return {**book.folders, ENGINE: engine_folder()}


def engine_folder():
    """The folder of the engine that is running."""
    return Path(__file__).resolve().parents[1]


def digest_of(folders):
    """A digest of every file of these packages, equal on machines that have the same."""
    return digest(
        [
            (name, path.relative_to(folder).as_posix(), checksum(path))
            for name, folder in sorted(folders.items())
            for path in files_in(folder)
        ]
    )


def files_in(folder):
    """All files below a folder, but for what Python keeps there."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
