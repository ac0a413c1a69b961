"""What a figure was made of: the parameters and the data that reach it, found in the cells that ran.

A slice of the program, by syntax: each statement's names depend on all that its expression reads, and a
function on what it reads when it is called. Cells are taken in the order in which they ran, so the answer
is about this run, in Jupyter too.
"""

import ast
from symtable import symtable

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

    for statement in (statement for source in inputs for statement in _statements(source)):
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
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
    """Of a cell; none of one that is no Python, since it did not run."""
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
    reads, writes = set(), set()
    tables = [symtable(ast.unparse(statement), "cell", "exec")]
    for table in tables:
        tables += table.get_children()
        outermost = table.get_type() == "module"
        symbols = [symbol for symbol in table.get_symbols() if outermost or symbol.is_global()]
        reads |= {symbol.get_name() for symbol in symbols if symbol.is_referenced()}
        writes |= {symbol.get_name() for symbol in symbols if symbol.is_assigned()}
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return reads, writes
    for node in ast.walk(statement):
        if isinstance(node, ast.AugAssign):
            reads |= _roots([node.target])
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            writes |= _roots([node])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            writes |= _roots([node.value.func] * isinstance(node.value.func, ast.Attribute))
            writes |= _roots(node.value.args)
    if isinstance(statement, _BRANCHES):  # what it would change may stay as it was
        reads |= writes - _roots([statement.target] if isinstance(statement, ast.For) else [])
    return reads, writes


def _roots(nodes):
    """The names at the roots of ``x``, ``x[0].y``, ``(x, y)``."""
    found = set()
    for node in nodes:
        while isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
            node = node.value
        if isinstance(node, (ast.Tuple, ast.List)):
            found |= _roots(node.elts)
        elif isinstance(node, ast.Name):
            found.add(node.id)
    return found
