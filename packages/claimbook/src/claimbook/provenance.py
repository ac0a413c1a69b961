"""Provenance of figures, by slicing the cells that ran: the parameters and the data that they depend on.

A slice of the program, by syntax: each statement's names depend on all that its expression reads, and a
function on what it reads when it is called. Cells are taken in the order in which they ran, so the answer
is about this run, in Jupyter too.
"""

import ast
from symtable import symtable

IMPORTS = (ast.Import, ast.ImportFrom)
_BRANCHES = (ast.If, ast.While, ast.Try, ast.For)


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

    for statement in (statement for source in inputs for statement in statements(source)):
        if isinstance(statement, IMPORTS):
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


def statements(source):
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
    reads, writes = read(statement), bound(statement)
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return reads, writes
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign):
            reads |= base_names([node.target])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            writes |= base_names([node.value.func] * isinstance(node.value.func, ast.Attribute))
            writes |= base_names(node.value.args)
    if isinstance(statement, _BRANCHES):  # what it would change may stay as it was
        reads |= writes - base_names([statement.target] if isinstance(statement, ast.For) else [])
    return reads, writes


def base_names(nodes):
    """The names that ``x``, ``x[0].y`` or ``(x, y)`` begin with: of each the variable itself."""
    found = set()
    for node in nodes:
        while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
            node = node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            found |= base_names(node.elts)
        elif isinstance(node, ast.Name):
            found.add(node.id)
    return found


def _symbols(node):
    """The symbols of a statement or an expression, in functions too, without those of its own scopes."""
    tables = [symtable(ast.unparse(node), "cell", "eval" if isinstance(node, ast.expr) else "exec")]
    for table in tables:
        tables += table.get_children()
        yield from (one for one in table.get_symbols() if table is tables[0] or one.is_global())


def read(node):
    """The names that a statement or an expression reads, without those of its own loops."""
    return {symbol.get_name() for symbol in _symbols(node) if symbol.is_referenced()}


def bound(statement):
    """The names that a statement assigns, also into: ``x``, ``x[0]``, ``x.y``; none for an import."""
    if isinstance(statement, IMPORTS):
        return set()
    parts = [node for node in ast.walk(statement) if isinstance(node, (ast.Subscript, ast.Attribute))]
    stored = base_names(part for part in parts if isinstance(part.ctx, ast.Store))
    return stored | {symbol.get_name() for symbol in _symbols(statement) if symbol.is_assigned()}
