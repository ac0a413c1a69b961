"""Compute fingerprints of the code that a chapter can load from the book's packages.

The modules are parsed into syntax trees without being imported. A module is reached if the chapter, or a
module that is reached, imports it anywhere in its code. The packages that contain a reached module are
reached as well. Comments and docstrings do not count. The contents of data files are not part of a
fingerprint, because a kernel records the files that it reads (`inputs`).
"""

# Written by hand, because `modulefinder` follows imports into every installed package, and comparing complete
# files would execute chapters again after a change of a docstring.

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
_NODES_WITH_DOCSTRING = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PIP_LINE = re.compile(r"^( *)%pip .*$", re.M)  # the only magic command that never runs our code


class Packages:
    """The modules of the packages in given folders, which are read on demand."""

    def __init__(self, folders):
        self.folders = {name: Path(folder) for name, folder in folders.items()}
        self._module = cache(self._read)

    def reach(self, source):
        """Return the digests of the modules that code can load, by dotted name.

        Parameters
        ----------
        source : str
            The code.

        Raises
        ------
        SyntaxError
            If ``source`` is not Python.
        ImportError
            If a relative import in ``source`` has no package.
        ValueError
            If a reached module is not valid Python. The message names the module and the line.
        """
        tree = ast.parse(_PIP_LINE.sub(r"\1pass", source))
        names, digests = _imported_names(tree, package=""), {}
        while new_names := {name for name in names - digests.keys() if self._module(name)}:
            names = set()
            for name in new_names:
                digests[name], names_of_imports = self._module(name)
                names |= names_of_imports
        return digests

    def _read(self, name):
        """Return the digest of a module and the names of its imports, or None.

        The value is None if no package contains the module.
        """
        top_package, *parts = name.split(".")
        if top_package not in self.folders:
            return None
        path = self.folders[top_package].joinpath(*parts)
        # The package in which relative imports of each possible file start.
        packages = {path / "__init__.py": name, path.with_suffix(".py"): name.rpartition(".")[0]}
        file = next(filter(Path.is_file, packages), None)
        if file is None:
            return None
        try:
            tree = ast.parse(file.read_text(encoding="utf-8"))
        except (SyntaxError, ValueError) as error:
            position = f"line {error.lineno}" if isinstance(error, SyntaxError) else "the file"
            raise ValueError(f"{file}: {position} is not Python: {error}") from None
        names_of_imports = _imported_names(tree, packages[file])
        for node in ast.walk(tree):
            if isinstance(node, _NODES_WITH_DOCSTRING) and ast.get_docstring(node) is not None:
                del node.body[0]  # a change of the docstring must not change the digest
        return digest(ast.dump(tree)), names_of_imports

    def fingerprint(self, source, extras=""):
        """Return a digest of the code that a source reaches, and whether extras matter.

        The two are in a list, because they are stored as JSON.

        Parameters
        ----------
        source : str
            The code of a chapter.
        extras : str
            The module ``Book.extras``.
        """
        try:
            digests = self.reach(source)
        except (SyntaxError, ImportError):  # a Jupyter magic, or a mistake that the kernel will report
            return [digest_of(self.folders), True]
        return [digest(digests), extras in digests]


def _imported_names(tree, package):
    """Return the dotted names that a module may import, and those of their packages.

    Relative imports start in ``package``.
    """
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = resolve_name("." * node.level + (node.module or ""), package)
            names += [f"{source}.{alias.name}" for alias in node.names]
    # The name "a.b.c" contributes "a", "a.b" and "a.b.c".
    return {prefix for name in names for prefix in accumulate(name.split("."), "{}.{}".format)}


def fingerprints(book, sources, memory):
    """Return the `Packages.fingerprint` of each source in the packages of a book.

    Parameters
    ----------
    book : Book
        The book.
    sources : list of str
        The code of the chapters.
    memory : Path
        The file with a cache of earlier fingerprints. The cache may be lost at any time and is used only if
        the files of the packages are the same.
    """
    folders, fingerprint_of_digest = folders_of(book), {}
    packages, code_digest = Packages(folders), digest_of(folders)
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        if memory.is_file():  # reading a pipe would block
            fingerprint_of_digest = dict(json.loads(memory.read_text(encoding="utf-8"))[code_digest])
    source_of_digest = {digest(source): source for source in sources}
    if new_digests := source_of_digest.keys() - fingerprint_of_digest.keys():
        fingerprint_of_digest |= {
            key: packages.fingerprint(source_of_digest[key], book.extras) for key in new_digests
        }
        with suppress(OSError):
            write_whole(memory, json.dumps({code_digest: fingerprint_of_digest}))
    return [fingerprint_of_digest[digest(source)] for source in sources]


def folders_of(book):
    """Return the folders of the book's packages and of the engine, by name."""
    return {**book.folders, ENGINE: engine_folder()}


def engine_folder():
    """Return the folder of the running engine."""
    return Path(__file__).resolve().parents[1]


def digest_of(folders):
    """Return a digest of every file of these packages, independent of the machine."""
    return digest(
        [
            (name, path.relative_to(folder).as_posix(), checksum(path))
            for name, folder in sorted(folders.items())
            for path in files_in(folder)
        ]
    )


def files_in(folder):
    """Return all files below a folder except compiled Python."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
