"""Provenance of figures and numbers, by slicing the cells that ran: parameters, data, the computing cell.

A slice of the program, by syntax: each statement's names depend on all that its expression reads, and a
function on what it reads when it is called. Cells are taken in the order in which they ran, so the answer
is about this run, in Jupyter too.
"""

import ast
import re
from functools import cache
from symtable import symtable

_BRANCHES = (ast.If, ast.While, ast.Try, ast.For)
_IMPORTS = (ast.Import, ast.ImportFrom)
_DISPLAYS = ("numbers", "figure")  # what of a page shows what was computed before


def used(inputs, text, sources):
    """Which of the sources a statement depends on.

    Parameters
    ----------
    inputs : iterable of str
        Sources of the cells that ran, in their order.
    text : str
        What stands in the statement, as the name of a figure does; the last such statement counts.
    sources : iterable of str
        Names of parameters, and of what brings data.

    Returns
    -------
    set of str

    Examples
    --------
    >>> cells = ["n: int = 5", "seed: int = 1", "x = range(n)", "page.figure(line(x), 'figure-x')"]
    >>> used(cells, "figure-x", ["n", "seed"])
    {'n'}
    """
    reach = {name: {name} for name in sources}  # what the present value of a name depends on
    deferred, imported, found = {}, set(), set()

    def of(names, seen=frozenset()):
        now = set().union(*(reach.get(name, set()) for name in names))
        later = names & deferred.keys() - seen
        return now.union(*(of(deferred[name], seen | {name}) for name in later))

    for statement in (statement for source in inputs for statement in _statements(source)):
        if isinstance(statement, _IMPORTS):
            imported |= {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
            continue
        reads, writes = _names(statement)
        if any(isinstance(node, ast.Constant) and node.value == text for node in ast.walk(statement)):
            found = of(reads)
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            deferred[statement.name] = reads
        elif not (_sets_a_literal(statement) and writes <= set(sources)):
            reach |= dict.fromkeys(writes - imported - {"page"}, of(reads))
            deferred = {name: names for name, names in deferred.items() if name not in writes - reads}
    return found


def _statements(source):
    """The statements of a cell; none if it is no Python, since then it did not run."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


def _sets_a_literal(statement):
    """A parameter that is set to a literal is given, not computed."""
    return isinstance(getattr(statement, "value", None), (ast.Constant, ast.UnaryOp)) and isinstance(
        statement, (ast.Assign, ast.AnnAssign)
    )


def _names(statement):
    """The names that a statement reads, in functions too, and those whose values it may change."""
    reads, writes = _read(statement), _bound(statement)
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return reads, writes
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign):
            reads |= _base_names([node.target])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            writes |= _base_names([node.value.func] * isinstance(node.value.func, ast.Attribute))
            writes |= _base_names(node.value.args)
    if isinstance(statement, _BRANCHES):  # what it would change may stay as it was
        reads |= writes - _base_names([statement.target] if isinstance(statement, ast.For) else [])
    return reads, writes


def _base_names(nodes):
    """The names that ``x``, ``x[0].y`` or ``(x, y)`` begin with: of each the variable itself."""
    found = set()
    for node in nodes:
        while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
            node = node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            found |= _base_names(node.elts)
        elif isinstance(node, ast.Name):
            found.add(node.id)
    return found


class Cells:
    """The code cells of a notebook in the order in which they ran: which of them computed what.

    Parameters
    ----------
    sources : iterable of str
    figures : str
        The package of the functions that draw: what they are given was computed, drawing it is not.

    Examples
    --------
    >>> cells = Cells(["x = 3", "y = sum(range(x))", "page.numbers({'x': x, 'y': (y, '.1f')})"])
    >>> cells.origin(2, "x"), cells.origin(2, "y"), cells.only_shows(1), cells.only_shows(2)
    (0, 1, False, True)
    """

    def __init__(self, sources, figures=""):
        self.cells = [_statements(source) for source in sources]
        self.figures = figures
        self.modules = {
            alias.asname or alias.name: node.module or ""
            for cell in self.cells
            for node in ast.walk(ast.Module(cell, []))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        # Asked for each number that a cell shows, and worked out once for each cell.
        self._bound = cache(_bound)
        self._entries = cache(lambda at: [entry for call in self._calls(at) for entry in _entries(call)])
        self._computed = cache(self._computed_in)
        self.bound = [set().union(*map(self._bound, cell)) for cell in self.cells]

    def only_shows(self, at):
        """Whether a cell imports, begins the page or shows what others computed, and does nothing else."""
        return bool(self.cells[at]) and all(map(self._shows, self.cells[at]))

    def origin(self, at, name):
        """The cell that last assigned what a cell shows under a name: itself, if it computes that."""
        fitting = [(key.pattern, value) for key, value in self._entries(at) if key.fullmatch(name)]
        found = [(len(pattern.replace(".*", "")), value) for pattern, value in fitting]
        closest = max((length for length, _ in found), default=0)
        expressions = [value for length, value in found if length == closest]
        if not expressions or any(map(self._computes, expressions)):
            return at
        reads = self._reads(at, expressions)
        if any(name in self._computed(at) for name in reads):
            return at
        earlier = [i for i in range(at) if self.bound[i] & reads]
        return max(earlier, default=at)

    def nameless(self, at):
        """What a cell computes for a number where it shows it, without giving it a name; as source text."""
        calls = (call for call in self._calls(at) if call.func.attr == "numbers")
        values = [value for call in calls for _, value in _entries(call)]
        return [ast.unparse(value) for value in values if self._computes(value)]

    def _calls(self, at):
        """The calls in a cell that show something."""
        return [node for one in self.cells[at] for node in ast.walk(one) if _is_display(node)]

    def _shows(self, statement):
        """Whether a statement imports, begins the page, or shows or draws what was computed before."""
        if isinstance(statement, ast.For):
            return all(map(self._shows, statement.body))
        value = getattr(statement, "value", None)
        called = isinstance(value, ast.Call) and ast.unparse(value.func)
        page = isinstance(statement, ast.Assign) and called == "Page"
        return isinstance(statement, _IMPORTS) or page or _is_display(value) or self._draws(statement)

    def _draws(self, statement):
        """Whether it gives a name to a figure, and nothing else."""
        value = getattr(statement, "value", None)
        drawn = isinstance(statement, ast.Assign) and isinstance(value, ast.Call)
        return drawn and self._of_figures(value)

    def _of_figures(self, call):
        """Whether a function of the package of figures is called."""
        return bool(self.figures) and any(
            self.modules.get(name, "").startswith(self.figures) for name in _base_names([call.func])
        )

    def _computes(self, expression):
        """Whether it calls what was imported, for more than arithmetic, layout or a drawing."""
        layout = {"math", self.modules.get("Page")}
        called = [node for node in ast.walk(expression) if isinstance(node, ast.Call)]
        return any(
            self.modules.get(name, "math") not in layout
            for call in called
            if not self._of_figures(call)
            for name in _base_names([call.func])
        )

    def _computed_in(self, at):
        """The names that a cell computes, and does not only loop over or draw."""
        computing = (statement for statement in self.cells[at] if not self._shows(statement))
        return set().union(*map(self._bound, computing))

    def _reads(self, at, expressions):
        """The names that expressions of a cell read, those of its loops and drawings traced back."""
        sources = {}
        for statement in self.cells[at]:
            for node in ast.walk(statement):
                if isinstance(node, ast.For):
                    sources |= dict.fromkeys(_base_names([node.target]), node.iter)
            if self._draws(statement):
                sources |= dict.fromkeys(self._bound(statement), statement.value)
        reads, new = set(), set().union(*map(_read, expressions))
        while new:
            reads |= new
            new = set().union(*(_read(sources[name]) for name in new if name in sources)) - reads
        return reads - sources.keys() - self.modules.keys() - {"page"}


def _is_display(node):
    """Whether it is a call of a page's ``numbers`` or ``figure``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _DISPLAYS
        and _base_names([node.func]) == {"page"}
    )


def _entries(call):
    """Pattern of the names, and expression, of what a call shows."""
    if call.func.attr == "figure":
        return [(re.compile(re.escape(_text(call.args[1]))), call.args[0])]
    return list(_of_mapping(call.args[0], ""))


def _of_mapping(node, start):
    """The `_entries` of a mapping given to ``page.numbers``, whose names begin with ``start``."""
    if isinstance(node, ast.Tuple):  # and its format
        yield from _of_mapping(node.elts[0], start)
    elif isinstance(node, ast.Dict) and all(node.keys):
        for key, value in zip(node.keys, node.values):
            yield from _of_mapping(value, f"{start}-{_pattern(key)}" if start else _pattern(key))
    elif isinstance(node, ast.DictComp):
        yield re.compile(f"{start}-{_pattern(node.key)}" if start else _pattern(node.key)), node
    else:
        yield re.compile(f"{start}(-.*)?" if start else ".*"), node


def _pattern(key):
    """The names that an expression may become, as a regular expression."""
    if isinstance(key, ast.Constant):
        return re.escape(str(key.value).replace(" ", "-"))
    if isinstance(key, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else None for part in key.values)
        return "".join(".*" if part is None else re.escape(part.replace(" ", "-")) for part in parts)
    return ".*"


def _text(node):
    return node.value if isinstance(node, ast.Constant) else ""


def _symbols(node):
    """The symbols of a statement or an expression, in functions too, without those of its own scopes."""
    tables = [symtable(ast.unparse(node), "cell", "eval" if isinstance(node, ast.expr) else "exec")]
    for table in tables:
        tables += table.get_children()
        yield from (one for one in table.get_symbols() if table is tables[0] or one.is_global())


def _read(node):
    """The names that a statement or an expression reads, without those of its own loops."""
    return {symbol.get_name() for symbol in _symbols(node) if symbol.is_referenced()}


def _bound(statement):
    """The names that a statement assigns, also into: ``x``, ``x[0]``, ``x.y``; none for an import."""
    if isinstance(statement, _IMPORTS):
        return set()
    parts = [node for node in ast.walk(statement) if isinstance(node, (ast.Subscript, ast.Attribute))]
    stored = _base_names(part for part in parts if isinstance(part.ctx, ast.Store))
    return stored | {symbol.get_name() for symbol in _symbols(statement) if symbol.is_assigned()}
