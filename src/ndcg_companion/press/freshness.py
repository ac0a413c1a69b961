"""What a chapter could have used: the statements of the package that its code can reach, and what they mean.

Read from the syntax trees, without importing anything. A statement at the top of a module (a function, a
class, a constant) is reached by code that mentions a name that it binds, directly, through the names that
a room offers, or by an import inside a function; and with it all that it mentions itself. So a formula
that was changed makes exactly the chapters stale that could have evaluated it. Comments and docstrings
mean nothing here. Where a name cannot be followed, the whole module counts: too much may be reached,
never too little, which the tests let the interpreter itself attest.
"""

import ast
import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path

from ndcg_companion.press.keeping import digest, write_whole
from ndcg_companion.writing import checksum

PACKAGE = "ndcg_companion"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DYNAMIC = {"globals", "vars", "eval", "exec"}


class Statement:
    """A statement at the top of a module.

    Attributes
    ----------
    module : Module
    node : ast.stmt
    binds : set of str
        The names that it binds there; none for a statement that does something instead of defining something.
    imports : list of tuple
        What it imports, at any depth: local name, module, and the name in that; empty for the module itself.
    mentions : dict
        The names in it, to the attributes that are asked of each; an empty one where the name stands alone.
    words : set of str
        The texts in it, among which are the names of the files that it reads.
    """

    def __init__(self, module, node):
        self.module, self.node = module, node
        self.binds, self.imports, self.mentions, self.words, asked = set(), [], {}, set(), set()
        for part in ast.walk(node):  # what is asked comes before whom it is asked of
            if isinstance(part, ast.Import | ast.ImportFrom):
                self.imports += _imported(part, module.package)
            elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                self.mentions.setdefault(part.value.id, set()).add(part.attr)
                asked.add(part.value)
            elif isinstance(part, ast.Name) and part not in asked:
                self.mentions.setdefault(part.id, set()).add("")
                self.binds |= {part.id} if isinstance(part.ctx, ast.Store) else set()
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                self.words.add(part.value)
        if isinstance(node, _DEFINITIONS):
            registers = any(getattr(decorator, "attr", "") == "register" for decorator in node.decorator_list)
            self.binds = set() if registers else {node.name}


def _imported(node, package):
    """Local name, module and the name in it, of each name that an import in a module of ``package`` binds."""
    if isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        source = (*above, *(node.module.split(".") if node.module else ()))
        return [(alias.asname or alias.name, source, alias.name) for alias in node.names]
    found = [(alias.asname or alias.name, tuple(alias.name.split(".")), "") for alias in node.names]
    return found + [(source[0], source[:1], "") for _, source, _ in found]


class Module:
    """A module as its statements; ``package`` is the dotted name to which its relative imports refer."""

    def __init__(self, name, package, path, source):
        self.name, self.package, self.path = name, package, path
        tree = ast.parse(source)
        for part in ast.walk(tree):
            if isinstance(part, (ast.Module, *_DEFINITIONS)) and ast.get_docstring(part) is not None:
                del part.body[0]
        statements = [Statement(self, node) for node in tree.body]
        self.imports = [
            one for each in statements if not isinstance(each.node, _DEFINITIONS) for one in each.imports
        ]
        self.statements = [
            each for each in statements if not isinstance(each.node, ast.Import | ast.ImportFrom)
        ]
        self.acting = [statement for statement in self.statements if not statement.binds]


class Package:
    """The modules in a folder, read when they are asked for."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.module = cache(self._module)

    def _module(self, name):
        path = self.folder.joinpath(*name[1:])
        for file, package in ((path / "__init__.py", name), (path.with_suffix(".py"), name[:-1])):
            if name[:1] == (PACKAGE,) and file.is_file():
                try:
                    return Module(name, package, file, file.read_text(encoding="utf-8"))
                except (SyntaxError, ValueError) as error:
                    line = getattr(error, "lineno", None)
                    raise ValueError(f"{file}: line {line} is not Python: {error}") from None
        return None

    def reach(self, source):
        """The statements that code with this ``source`` can reach.

        Raises
        ------
        SyntaxError
            If ``source`` is not Python.
        ValueError
            If a module that it reaches is not, naming it and the line.
        """
        start, reached, loaded = Module((), (), None, source), set(), set()
        waiting = [*start.statements, *self._loaded(start.imports, loaded)]
        for _, *target in start.imports:
            waiting += self._through(*target, {""}) if target[-1] == "*" else []
        while waiting:
            statement = waiting.pop()
            if statement not in reached:
                reached.add(statement)
                waiting += self._loaded([*statement.imports, ("", statement.module.name, "")], loaded)
                waiting += self._mentioned(statement)
        return reached - set(start.statements)

    def _loaded(self, imports, loaded):
        """Statements that run when modules are loaded, and do something rather than define something."""
        waiting = list(imports)
        while waiting:
            _, source, name = waiting.pop()
            names = [source[:depth] for depth in range(1, len(source) + 1)] + [(*source, name)] * bool(name)
            for module in {self.module(one) for one in names} - loaded - {None}:
                loaded.add(module)
                waiting += module.imports
                yield from module.acting

    def _mentioned(self, statement):
        for name, attributes in statement.mentions.items():
            lazily = [target for local, *target in statement.imports if local == name]
            for target in lazily:
                yield from self._through(*target, attributes)
            if name in _DYNAMIC:
                yield from self._everything(statement.module)
            elif not lazily:
                yield from self._named(statement.module, name, attributes)

    def _named(self, module, name, attributes):
        """What binds a name in a module, or in the one that it was imported from."""
        yield from (statement for statement in module.statements if name in statement.binds)
        for local, *target in module.imports:
            if local == name:
                yield from self._through(*target, attributes)

    def _through(self, source, name, attributes):
        """What is meant by a name imported from a module; of a module itself, what is asked of it."""
        module = self.module(source)
        if module and (name == "*" or (not name and "" in attributes)):
            yield from self._everything(module)
        elif module and name:
            found = list(self._named(module, name, attributes))
            found = found or list(self._through((*source, name), "", attributes))
            yield from found or self._everything(module)
        elif module:
            for attribute in attributes:
                yield from self._through(source, attribute, {""})

    def _everything(self, module):
        yield from module.statements
        for _, *target in module.imports:
            yield from self._through(*target, {""})

    def files(self, statements):
        """The data files that statements name: in full, or beside them and by what their names end with."""
        words = {}
        for statement in statements:
            words.setdefault(statement.module.path.parent, set()).update(statement.words)
        named = set().union(*words.values())
        return [
            file
            for file in files_in(self.folder)
            if file.suffix != ".py" and (file.name in named or file.suffix in words.get(file.parent, ()))
        ]

    def meaning(self, source):
        """Changes with the meaning of what code can reach; and whether an extra is part of that."""
        try:
            statements = self.reach(source)
        except SyntaxError:  # a magic of Jupyter's, or a slip, which the kernel will tell
            return [digest_of(self.folder), True]
        # A dump changes with what a statement does, and not with the line it stands in.
        meanings = sorted(f"{statement.module.name} {ast.dump(statement.node)}" for statement in statements)
        parts = [meaning.encode() for meaning in meanings]
        for file in self.files(statements):
            parts += [file.name.encode(), b"\0", file.read_bytes(), b"\0"]
        extras = (PACKAGE, "data", "extras")
        return [
            hashlib.sha256(b"".join(parts)).hexdigest(),
            any(statement.module.name == extras for statement in statements),
        ]


def meanings(sources, memory):
    """What `Package.meaning` says of each source, for the package that is running.

    ``memory`` is a file that may be lost at any time: it remembers what was found for these very bytes.
    """
    folder = package_folder()
    package, now, known = Package(folder), digest_of(folder), {}
    with suppress(OSError, ValueError, LookupError, TypeError):
        remembered = json.loads(memory.read_text(encoding="utf-8"))
        known = remembered["meanings"] if remembered["package"] == now else {}
    marked = {digest(source): source for source in sources}
    if new := {mark: package.meaning(source) for mark, source in marked.items() if mark not in known}:
        known |= new
        with suppress(OSError):
            write_whole(memory, json.dumps({"package": now, "meanings": known}))
    return [known[digest(source)] for source in sources]


def package_folder():
    """The folder of the package that is running."""
    return Path(__file__).resolve().parents[1]


def digest_of(folder):
    """Changes with every file of a package: equal on machines that have the same package."""
    return digest([(path.relative_to(folder).as_posix(), checksum(path)) for path in files_in(folder)])


def files_in(folder):
    """All files below a folder, but for what Python keeps there."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
