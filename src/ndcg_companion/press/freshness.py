"""What a chapter could have used: the statements of the package that its code can reach, and what they mean.

Read from the syntax trees, without importing anything. A statement at the top of a module (a function, a class, a
constant) is reached by code that mentions a name that it binds, directly, through the names that a room offers, or by an
import inside a function; and with it all that it mentions itself. So a formula that was changed makes exactly the
chapters stale that could have evaluated it. Comments and docstrings mean nothing here. Where a name cannot be followed,
the whole module counts: too much may be reached, never too little, which the tests let the interpreter itself attest.
"""

import ast
import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from ndcg_companion.press.keeping import write_whole

PACKAGE = "ndcg_companion"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DYNAMIC = {"globals", "vars", "eval", "exec"}


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement at the top of a module.

    Attributes
    ----------
    module : Module
    node : ast.stmt
    """

    module: object
    node: ast.stmt

    @cached_property
    def parts(self):
        return list(ast.walk(self.node))

    @cached_property
    def binds(self):
        """The names that it binds in its module; none for one that does something instead of defining something."""
        if isinstance(self.node, _DEFINITIONS):
            calls = [
                decorator for decorator in self.node.decorator_list if isinstance(decorator, ast.Attribute)
            ]
            return set() if any(call.attr == "register" for call in calls) else {self.node.name}
        return {
            part.id for part in self.parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }

    @cached_property
    def imports(self):
        """What it imports, at any depth: local name to the module and the name in it, empty for the module itself."""
        found = {}
        for part in self.parts:
            if isinstance(part, ast.Import):
                for alias in part.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    found[alias.asname or whole] = (tuple(whole.split(".")), "")
                    found[alias.name] = (tuple(alias.name.split(".")), "")  # is loaded, whatever it is called
            elif isinstance(part, ast.ImportFrom):
                here = self.module.package
                above = here[: len(here) - part.level + 1] if part.level else ()
                source = (*above, *(part.module.split(".") if part.module else ()))
                found |= {alias.asname or alias.name: (source, alias.name) for alias in part.names}
        return found

    @cached_property
    def mentions(self):
        """The names in it, with the attributes that are asked of each; an empty one where the name stands alone."""
        found, asked = {}, set()
        for part in self.parts:  # what is asked comes before whom it is asked of
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                found.setdefault(part.value.id, set()).add(part.attr)
                asked.add(part.value)
            elif isinstance(part, ast.Name) and part not in asked:
                found.setdefault(part.id, set()).add("")
        return found

    @cached_property
    def words(self):
        """The texts in it, among which are the names of the files that it reads."""
        values = (part.value for part in self.parts if isinstance(part, ast.Constant))
        return {value for value in values if isinstance(value, str)}

    @cached_property
    def meaning(self):
        """Changes with what the statement does, and not with the line it stands in."""
        return hashlib.sha256(ast.dump(self.node).encode()).hexdigest()

    @property
    def lines(self):
        """The lines in which it stands, with its decorators."""
        above = [decorator.lineno for decorator in getattr(self.node, "decorator_list", ())]
        return range(min([self.node.lineno, *above]), self.node.end_lineno + 1)


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class Module:
    """A module as its statements; ``package`` is the dotted name to which its relative imports refer."""

    def __init__(self, name, package, path, source):
        self.name, self.package, self.path = name, package, path
        tree = ast.parse(source)
        for part in ast.walk(tree):
            if isinstance(part, (ast.Module, *_DEFINITIONS)) and part.body and _is_text(part.body[0]):
                del part.body[0]
        self.statements, self.imports, self.binding = [], {}, {}
        for statement in (Statement(self, node) for node in tree.body):
            if not isinstance(statement.node, _DEFINITIONS):
                self.imports |= statement.imports
            if not isinstance(statement.node, ast.Import | ast.ImportFrom):
                self.statements.append(statement)
                for name in statement.binds:
                    self.binding.setdefault(name, []).append(statement)
        self.acting = [statement for statement in self.statements if not statement.binds]


class Package:
    """The modules in a folder, read when they are asked for."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.module = cache(self._module)

    def _module(self, name):
        if name[:1] != (PACKAGE,):
            return None
        path = self.folder.joinpath(*name[1:])
        for file, package in ((path / "__init__.py", name), (path.with_suffix(".py"), name[:-1])):
            if file.is_file():
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
        start = Module((), (), None, source)
        waiting = [*start.statements, *self._loaded(start.imports.values(), set())]
        waiting += [
            found for name in start.imports for found in self._named(start, name, {""}) if name == "*"
        ]
        reached, loaded = set(), set()
        while waiting:
            statement = waiting.pop()
            if statement not in reached:
                reached.add(statement)
                waiting += self._loaded(statement.imports.values(), loaded)
                waiting += self._mentioned(statement)
                waiting += self._loaded([(statement.module.name, "")], loaded)
        return reached - set(start.statements)

    def _loaded(self, targets, loaded):
        """Statements that run when modules are loaded, and do something rather than define something."""
        waiting = list(targets)
        while waiting:
            source, name = waiting.pop()
            names = [source[:depth] for depth in range(1, len(source) + 1)] + [(*source, name)] * bool(name)
            for module in filter(None, map(self.module, names)):
                if module not in loaded:
                    loaded.add(module)
                    waiting += module.imports.values()
                    yield from module.acting

    def _mentioned(self, statement):
        module = statement.module
        for name, attributes in statement.mentions.items():
            if name in statement.imports:
                yield from self._through(*statement.imports[name], attributes)
            elif name in _DYNAMIC:
                yield from self._everything(module)
            else:
                yield from self._named(module, name, attributes)

    def _named(self, module, name, attributes):
        """What binds a name in a module, or in the one that it was imported from."""
        yield from module.binding.get(name, ())
        if name in module.imports:
            yield from self._through(*module.imports[name], attributes)

    def _through(self, source, name, attributes):
        """What is meant by the ``name`` that was imported from a module; of a module itself, what is asked of it."""
        module = self.module(source)
        if module is None:
            return
        if name == "*" or (not name and "" in attributes):
            yield from self._everything(module)
        elif name:
            found = list(self._named(module, name, attributes))
            found = found or list(self._through((*source, name), "", attributes))
            yield from found or self._everything(module)
        else:
            for attribute in attributes:
                yield from self._through(source, attribute, {""})

    def _everything(self, module):
        yield from module.statements
        for name in module.imports:
            yield from self._named(module, name, {""})

    def files(self, statements):
        """The data files that statements name: in full, or beside them and by what their names end with."""
        words = {}
        for statement in statements:
            words.setdefault(statement.module.path.parent, set()).update(statement.words)
        named = set().union(*words.values())
        return [
            file
            for file in _files(self.folder)
            if file.suffix != ".py" and (file.name in named or file.suffix in words.get(file.parent, ()))
        ]

    def meaning(self, source):
        """Changes with the meaning of what code can reach; and whether that is an extra that may be missing."""
        try:
            statements = self.reach(source)
        except SyntaxError:  # a magic of Jupyter's, or a slip, which the kernel will tell
            return [digest_of(self.folder), True]
        digest = hashlib.sha256()
        for name, meaning in sorted((statement.module.name, statement.meaning) for statement in statements):
            digest.update(f"{'.'.join(name)} {meaning}".encode())
        for file in self.files(statements):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
        extras = (PACKAGE, "data", "extras")
        return [digest.hexdigest(), any(statement.module.name == extras for statement in statements)]


def meanings(sources, memory):
    """What `Package.meaning` says of each source, for the package that is running.

    ``memory`` is a file that may be lost at any time: it remembers what was found for these very bytes.
    """
    folder = package_folder()
    now, known = digest_of(folder), {}
    try:
        remembered = json.loads(memory.read_text(encoding="utf-8"))
        known = remembered["meanings"] if remembered["package"] == now else {}
    except (OSError, ValueError, LookupError, TypeError):
        pass
    package, marks = Package(folder), [hashlib.sha256(source.encode()).hexdigest() for source in sources]
    if new := {mark: source for mark, source in zip(marks, sources, strict=True) if mark not in known}:
        known |= {mark: package.meaning(source) for mark, source in new.items()}
        with suppress(OSError):
            write_whole(memory, json.dumps({"package": now, "meanings": known}))
    return [known[mark] for mark in marks]


def package_folder():
    """The folder of the package that is running."""
    return Path(__file__).resolve().parents[1]


def digest_of(folder):
    """Changes with every file of a package: equal on machines that have the same package."""
    digest = hashlib.sha256()
    for path in _files(folder):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
