"""Rules for the sources of this book's chapters, beyond those for any book (``companion lint``)."""

import ast

import papermill
from support import PROJECT, ROOT, called

from ndcg_book import BOOK

CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


def python(chapter):
    """The code cells but for the one that fetches the package, which has a magic of Jupyter's."""
    cells = chapter.notebook.cells
    return [cell for cell in cells if cell.cell_type == "code" and cell.id != "install"]


def test_the_chapters_follow_the_rules_for_any_book():
    done = called("lint", str(ROOT))
    assert done.returncode == 0, done.stdout


def test_each_chapter_declares_its_seed():
    seedless = [
        name
        for name, chapter in CHAPTERS.items()
        if "seed" not in {parameter.name for parameter in chapter.parameters}
    ]
    assert seedless == []


def test_papermill_sees_each_parameter_with_type_default_and_help():
    for name, chapter in CHAPTERS.items():
        seen = papermill.inspect_notebook(str(ROOT / "chapters" / f"{name}.ipynb"))
        assert [*seen] == [parameter.name for parameter in chapter.parameters], name
        for parameter in chapter.parameters:
            papermill_parameter = seen[parameter.name]
            assert papermill_parameter["inferred_type_name"] == parameter.type.__name__
            assert ast.literal_eval(papermill_parameter["default"]) == parameter.default
            allowed = f" [{parameter.allowed}]" if parameter.allowed else ""
            assert papermill_parameter["help"] == parameter.help + allowed, f"{name}: {parameter.name}"


def test_every_page_that_needs_a_finding_is_a_notebook():
    pages = {statement.page for statement in BOOK.registry.values()}
    standing = {chapter.name for chapter in PROJECT.chapters}
    assert pages & standing <= set(CHAPTERS)


def test_colab_gets_the_light_core_and_its_extra_in_one_line():
    assert BOOK.install == '%pip install -q "..[chapter]" ../packages/*'


# What a normal law, or a variance that is not exact, goes into.
APPROXIMATE = {
    "ahead_probability",
    "dcg_gap_standard_deviation",
    "gap_standard_deviation",
    "ndcg_standard_deviation",
}


def names_in(tree, context):
    """The names in some code that are read (`ast.Load`) or bound (`ast.Store`)."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, context)}


def own_names(statement):
    """The names that a statement has for itself: of a function all that it binds, of others loops inside."""
    scopes = (ast.comprehension, ast.FunctionDef, ast.Lambda)
    inside = [node for node in ast.walk(statement) if isinstance(node, scopes)]
    arguments = {
        argument.arg for node in inside for argument in ast.walk(node) if isinstance(argument, ast.arg)
    }
    return arguments.union(
        *(names_in(node.target, ast.Store) for node in inside if isinstance(node, ast.comprehension)),
        *(names_in(node, ast.Store) for node in inside if isinstance(node, ast.FunctionDef)),
    )


def what_proofs_rest_on(cells):
    """For each finding with the basis 'proof': the names that it uses, with all that those were made of."""
    names_behind = {}
    for cell in cells:
        for statement in ast.parse(cell.source).body:
            local_names = own_names(statement)
            used, bound = (
                names_in(statement, ast.Load) - local_names,
                names_in(statement, ast.Store) - local_names,
            )
            used = used.union(*(names_behind.get(name, ()) for name in used))
            bound |= {statement.name} if isinstance(statement, ast.FunctionDef) else set()
            for name in bound:
                names_behind[name] = used
            if isinstance(statement, ast.Expr) and "basis='proof'" in ast.unparse(statement):
                yield cell.id, used


def test_what_a_normal_law_goes_into_is_not_called_proved():
    """A finding with the basis 'proof' compares exact or bounded values with what was proved."""
    approximate = [
        f"{name}, {cell}: {', '.join(used & APPROXIMATE)}"
        for name, chapter in CHAPTERS.items()
        for cell, used in what_proofs_rest_on(python(chapter))
        if used & APPROXIMATE
    ]
    assert approximate == []
