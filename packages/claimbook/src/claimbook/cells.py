"""Where a number that a page shows was computed: by the cell that last assigned it, as the syntax tells."""

import ast
import re
from functools import cache

from claimbook.provenance import IMPORTS, base_names, bound, read, statements

_DISPLAYS = ("numbers", "figure")  # what of a page shows what was computed before


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
        self.cells = [statements(source) for source in sources]
        self.figures = figures
        self.modules = {
            alias.asname or alias.name: node.module or ""
            for cell in self.cells
            for node in ast.walk(ast.Module(cell, []))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        # Asked for each number that a cell shows, and worked out once for each cell.
        self._bound = cache(bound)
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
        return isinstance(statement, IMPORTS) or page or _is_display(value) or self._draws(statement)

    def _draws(self, statement):
        """Whether it gives a name to a figure, and nothing else."""
        value = getattr(statement, "value", None)
        drawn = isinstance(statement, ast.Assign) and isinstance(value, ast.Call)
        return drawn and self._of_figures(value)

    def _of_figures(self, call):
        """Whether a function of the package of figures is called."""
        return bool(self.figures) and any(
            self.modules.get(name, "").startswith(self.figures) for name in base_names([call.func])
        )

    def _computes(self, expression):
        """Whether it calls what was imported, for more than arithmetic, layout or a drawing."""
        layout = {"math", self.modules.get("Page")}
        called = [node for node in ast.walk(expression) if isinstance(node, ast.Call)]
        return any(
            self.modules.get(name, "math") not in layout
            for call in called
            if not self._of_figures(call)
            for name in base_names([call.func])
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
                    sources |= dict.fromkeys(base_names([node.target]), node.iter)
            if self._draws(statement):
                sources |= dict.fromkeys(self._bound(statement), statement.value)
        reads, new = set(), set().union(*map(read, expressions))
        while new:
            reads |= new
            new = set().union(*(read(sources[name]) for name in new if name in sources)) - reads
        return reads - sources.keys() - self.modules.keys() - {"page"}


def _is_display(node):
    """Whether it is a call of a page's ``numbers`` or ``figure``."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _DISPLAYS
        and base_names([node.func]) == {"page"}
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
