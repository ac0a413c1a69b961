"""The numbers of a page that no cell gave a name to: what a test of its chapters asks."""

import ast

from claimbook.cells import _entries

# What an expression may consist of that gives a form to a value, and does not compute it.
_PARTS = (
    *(ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.UnaryOp, ast.BoolOp),
    *(ast.JoinedStr, ast.FormattedValue, ast.IfExp, ast.DictComp, ast.GeneratorExp, ast.comprehension),
    *(ast.Starred, ast.expr_context, ast.unaryop, ast.boolop),
)
_FORMS = set(
    "abs bool dict enumerate float format int items join len map replace repr round str values zip".split()
)
_UNITS = (100, 1e3, 1e6)


def nameless(cells, at):
    """What a cell shows as a number without a name that a cell assigned to it; as source text.

    A form may be given where it is shown: words around it, digits, a share as parts of a hundred.
    """
    calls = (call for call in cells._calls(at) if call.func.attr == "numbers")
    values = [value for call in calls for _, value in _entries(call)]
    return [ast.unparse(value) for value in values if not is_named(cells, at, value)]


def is_named(cells, at, expression):
    """Whether it is in words, or only gives a form to what a cell up to this one assigned."""
    value = expression.value if isinstance(expression, ast.DictComp) else expression
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return True
    # A function may show what it is given.
    inside = set().union(*map(_names_in_functions, cells.cells[at]))
    assigned = inside.union(*map(cells._computed, range(at + 1)))
    return is_plain(cells, expression) and bool(cells._reads(at, [expression]) & assigned)


def is_plain(cells, node):
    """Whether an expression takes a value as it is, and at most gives it a form."""
    parts = list(ast.iter_child_nodes(node))
    match node:
        case ast.Call(func=ast.Name(name) | ast.Attribute(attr=name)):
            layout = name in _FORMS or cells.modules.get(name) == cells.modules.get("Page")
            parts = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
            return layout and all(is_plain(cells, part) for part in parts)
        case ast.BinOp(ast.Constant(value), ast.Mult(), part) | ast.BinOp(
            part, ast.Mult() | ast.Div(), ast.Constant(value)
        ):
            return value in _UNITS and is_plain(cells, part)
        case ast.IfExp(test=ast.Compare()):
            parts = [node.test.left, *node.test.comparators, node.body, node.orelse]
            return all(is_plain(cells, part) for part in parts)
    return isinstance(node, _PARTS) and all(is_plain(cells, part) for part in parts)


def _names_in_functions(statement):
    """The names that the functions in a statement are given, or assign."""
    functions = [node for node in ast.walk(statement) if isinstance(node, ast.FunctionDef)]
    inside = [node for function in functions for node in ast.walk(function)]
    stored = (node for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {node.arg for node in inside if isinstance(node, ast.arg)} | {node.id for node in stored}
