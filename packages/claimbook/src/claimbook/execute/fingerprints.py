"""Fingerprints of dependencies: the statements of the packages that a chapter's code can reach.

Read from the syntax trees, without importing anything, and by name. A statement at the top of a module (a
function, a class, a constant) is reached if its module is loaded and a name that it binds is mentioned by
what is reached already: first by the chapter's code, then by what that reaches, and so on. So a formula that
was changed makes the chapters stale that could have evaluated it, and those that use its name for something
else. Comments and docstrings do not count. Of a module that is handed on as a whole everything counts:
too much may be reached, never too little, which the tests let the interpreter itself attest.
"""

import ast
import json
import re
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path

from claimbook.writing import checksum, digest, write_whole

ENGINE = __name__.partition(".")[0]
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_DYNAMIC = {"globals", "vars", "eval", "exec"}
_FETCHED = re.compile(r"^( *)%pip .*$", re.M)  # by the one magic that runs no code of ours


class Statement:
    """A statement at the top of a module.

    Attributes
    ----------
    module : Module
    node : ast.stmt
    imports : list of tuple
        What it imports, at any depth: local name, and the dotted name of what that is.
    mentions, alone : set of str
        The names in it; those that stand for themselves, and are not asked for an attribute.
    words : set of str
        The texts in it, among which are the names of the files that it reads.
    binds : set of str
        The names that it binds there; none for one that does something when its module is loaded.
    """

    def __init__(self, module, node):
        self.module, self.node, parts = module, node, list(ast.walk(node))
        names = [part for part in parts if isinstance(part, ast.Name)]
        asked = [part for part in parts if isinstance(part, ast.Attribute)]
        self.imports = [found for part in parts for found in _imported(part, module.package)]
        self.mentions = {name.id for name in names} | {part.attr for part in asked}
        originals = {(local, target.rpartition(".")[2]) for local, target in self.imports}
        self.mentions |= {name for local, name in originals if local != name}
        self.alone = {name.id for name in set(names) - {part.value for part in asked}}
        self.words = {part.value for part in parts if isinstance(part, ast.Constant)}
        registers = any(getattr(one, "attr", "") == "register" for one in getattr(node, "decorator_list", ()))
        self.binds = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        if isinstance(node, _DEFINITIONS):
            self.binds = {node.name} - {"__getattr__"} if not registers else set()

    @cached_property
    def syntax(self):
        """Its syntax tree as text, which changes with what it does, and not with the line it stands in."""
        return f"{self.module.name} {ast.dump(self.node)}"


def _imported(node, package):
    """Local name and target of each name that an import in a module of ``package`` binds."""
    if isinstance(node, ast.ImportFrom):
        source = resolve_name("." * node.level + (node.module or ""), package)
        return [(alias.asname or alias.name, f"{source}.{alias.name}") for alias in node.names]
    if isinstance(node, ast.Import):
        found = [(alias.asname or alias.name, alias.name) for alias in node.names]
        return found + [(target.partition(".")[0],) * 2 for _, target in found]
    return []


class Module:
    """A module as its statements; ``package`` is the dotted name to which its relative imports refer."""

    def __init__(self, name, package, path, source):
        self.name, self.package, self.path = name, package, path
        tree = ast.parse(source)
        for part in ast.walk(tree):
            if isinstance(part, (ast.Module, *_DEFINITIONS)) and ast.get_docstring(part) is not None:
                del part.body[0]
        self.statements = [Statement(self, node) for node in tree.body]
        self.imports = [
            found
            for one in self.statements
            if not isinstance(one.node, _DEFINITIONS)
            for found in one.imports
        ]
        self.names = {local for local, _ in self.imports}.union(*(one.binds for one in self.statements))


class Packages:
    """The modules of some packages, by the folder of each, read when they are asked for."""

    def __init__(self, folders):
        self.folders = {name: Path(folder) for name, folder in folders.items()}
        self.module = cache(self._module)

    def _module(self, name):
        """The module of that dotted name; None if it is in none of the packages."""
        first, *parts = name.split(".")
        if first not in self.folders:
            return None
        path = self.folders[first].joinpath(*parts)
        for file, base in (
            (path / "__init__.py", name),
            (path.with_suffix(".py"), name.rpartition(".")[0]),
        ):
            if file.is_file():
                try:
                    return Module(name, base, file, file.read_text(encoding="utf-8"))
                except (SyntaxError, ValueError) as error:
                    where = f"line {error.lineno}" if isinstance(error, SyntaxError) else "the file"
                    raise ValueError(f"{file}: {where} is not Python: {error}") from None
        return None

    def reach(self, source):
        """The statements that code with this ``source`` can reach.

        Raises
        ------
        SyntaxError, ImportError
            If ``source`` is not Python, or imports from where it cannot.
        ValueError
            If a module that it reaches is not, naming it and the line.
        """
        reached, modules, names = set(), set(), set()
        new = set(Module("", "", None, _FETCHED.sub(r"\1pass", source)).statements)
        while new:
            reached |= new
            for statement in new:
                names |= self._mentioned(statement)
                targets = [target.split(".") for _, target in statement.imports]
                loaded = [
                    self.module(name) for parts in targets for name in accumulate(parts, "{}.{}".format)
                ]
                modules |= {*filter(None, loaded)}
            own = [statement for module in modules for statement in module.statements]
            new = {one for one in own if not one.binds or one.binds & names} - reached
        return {one for one in reached if one.module.path and not isinstance(one.node, _IMPORTS)}

    def _mentioned(self, statement):
        """The names in a statement, and all those of modules that it does not only ask for some."""
        whole = {statement.module} if statement.mentions & _DYNAMIC else set()
        for local, target in [*statement.imports, *statement.module.imports]:
            if local in statement.alone:
                whole |= {self.module(target)} - {None}
        return statement.mentions.union(*(module.names for module in whole))

    def files(self, statements):
        """The data files whose names stand in the statements, or beside these and whose suffixes do."""
        words = {}
        for statement in statements:
            words.setdefault(statement.module.path.parent, set()).update(statement.words)
        named = set().union(*words.values())
        return [
            file
            for folder in self.folders.values()
            for file in files_in(folder)
            if file.suffix != ".py" and (file.name in named or file.suffix in words.get(file.parent, ()))
        ]

    def fingerprint(self, source, extras=""):
        """A digest of the code that this source can reach, and whether the module ``extras`` is in it."""
        try:
            statements = self.reach(source)
        except (SyntaxError, ImportError):  # a magic of Jupyter's, or a slip, which the kernel will tell
            return [digest_of(self.folders), True]
        fingerprints = sorted(statement.syntax for statement in statements)
        data = [(file.name, checksum(file)) for file in self.files(statements)]
        return [
            digest([fingerprints, data]),
            any(statement.module.name == extras for statement in statements),
        ]


def fingerprints(book, sources, memory):
    """The `Packages.fingerprint` of each source, for the packages of a book.

    ``memory`` is a file that may be lost at any time: it remembers what was found for these very bytes.
    """
    folders = folders_of(book)
    packages, now, known = Packages(folders), digest_of(folders), {}
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        # A pipe would be waited for.
        remembered = json.loads(memory.read_text(encoding="utf-8") if memory.is_file() else "")
        known = remembered["fingerprints"] if remembered["packages"] == now else {}
    marked = {digest(source): source for source in sources}
    missing = {mark: source for mark, source in marked.items() if mark not in known}
    if new := {mark: packages.fingerprint(source, book.extras) for mark, source in missing.items()}:
        known |= new
        with suppress(OSError):
            write_whole(memory, json.dumps({"packages": now, "fingerprints": known}))
    return [known[digest(source)] for source in sources]


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
