"""How a chapter must be stored and built, whatever it says."""

import ast
import re

import nbformat
import papermill
import pytest
from support import PROJECT, ROOT

from claimbook.project import PROFILES
from ndcg_book import BOOK

WIDTH = 88
CHAPTERS = {chapter.name: chapter for chapter in PROJECT.notebooks}


@pytest.fixture(params=CHAPTERS)
def chapter(request):
    return CHAPTERS[request.param]


def code(chapter):
    return [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]


def python(chapter):
    """The code cells but for the one that fetches the package, which has a magic of Jupyter's."""
    return [cell for cell in code(chapter) if cell.id != "install"]


def test_no_outputs_are_stored(chapter):
    for cell in code(chapter):
        assert not cell.outputs and cell.execution_count is None, cell.id


def test_it_is_a_valid_notebook_for_any_python_kernel(chapter):
    nbformat.validate(chapter.notebook)
    assert chapter.notebook.metadata["kernelspec"]["name"] == "python3"
    assert set(chapter.notebook.metadata) == {"kernelspec", "language_info"}


def test_cell_ids_are_words(chapter):
    ids = [cell.id for cell in chapter.notebook.cells]
    assert len(set(ids)) == len(ids)
    for name in ids:
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) and not re.fullmatch(
            r"[0-9a-f]{8}", name
        ), name


def test_the_first_code_cell_declares_the_parameters(chapter):
    first, *others = code(chapter)
    assert "parameters" in first.metadata["tags"]
    assert not any("parameters" in cell.metadata.get("tags", []) for cell in others)
    names = [parameter.name for parameter in chapter.parameters]
    assert "seed" in names
    for parameter in chapter.parameters:
        assert parameter.help and (parameter.allowed or parameter.type is bool), parameter.name


def test_papermill_sees_each_parameter_with_type_default_and_help(chapter):
    seen = papermill.inspect_notebook(str(ROOT / "chapters" / f"{chapter.name}.ipynb"))
    assert [*seen] == [parameter.name for parameter in chapter.parameters]
    for parameter in chapter.parameters:
        found = seen[parameter.name]
        assert found["inferred_type_name"] == parameter.type.__name__
        assert ast.literal_eval(found["default"]) == parameter.default
        assert found["help"] == parameter.help + (f" [{parameter.allowed}]" if parameter.allowed else "")


def test_code_cells_are_short(chapter):
    for cell in code(chapter)[1:]:  # the first declares parameters, some on two or three lines
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= 15, f"{cell.id} has {len(lines)} lines"


def test_lines_of_code_fit_the_page(chapter):
    for cell in code(chapter):
        for line in cell.source.splitlines():
            assert len(line) <= WIDTH, f"{cell.id}: {len(line)} columns: {line}"


def test_it_opens_with_a_claim(chapter):
    assert chapter.notebook.cells[0].source.startswith("# ") and len(chapter.title.split()) >= 4


def test_no_figure_of_prose_is_typed(chapter):
    """Decimal numbers in prose come from the page's own computations (definitions and code are exempt)."""
    for cell in chapter.notebook.cells:
        if cell.cell_type == "markdown":
            prose = re.sub(
                r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", " ", cell.source, flags=re.S
            )
            assert not re.search(r"(?<![\w./])\d+\.\d{2,}(?![\w/])", prose), f"{cell.id}: a typed number"


@pytest.mark.parametrize("profile", PROFILES)
def test_profiles_only_override_what_exists(profile):
    PROJECT.overrides(profile)


def test_every_page_that_needs_a_finding_is_a_notebook():
    pages = {statement.page for statement in BOOK.registry.values()}
    standing = {chapter.name for chapter in PROJECT.chapters}
    assert pages & standing <= set(CHAPTERS)


def test_colab_has_one_line_that_fetches_the_package_and_no_build_runs_it(chapter):
    """It asks pip for the light core and its extra; papermill and nbconvert pass over cells with its tag."""
    cells = code(chapter)
    assert "parameters" in cells[0].metadata["tags"] and cells[1].id == "install"
    assert cells[1].source == BOOK.install == '%pip install -q "..[chapter]" ../packages/*'
    assert {"remove-input", "skip-execution"} == {*cells[1].metadata["tags"]}


def test_a_solution_solves_the_exercise_before_it(chapter):
    """Its title is the number of the exercise that it names, which may stand on any page."""
    asked = None
    for cell in chapter.notebook.cells:
        for what, named, label in re.findall(
            r"^`{3,}\{(exercise|solution)\} ?(.*)\n(?:^:(?!label)\w.*\n)*(?:^:label: (.*)\n)?",
            cell.source,
            re.M,
        ):
            if what == "exercise":
                asked = label
            else:
                assert named == asked, f"{cell.id}: the solution of {named} stands below {asked}"


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
    made = {}
    for cell in cells:
        for statement in ast.parse(cell.source).body:
            own = own_names(statement)
            used, bound = names_in(statement, ast.Load) - own, names_in(statement, ast.Store) - own
            used = used.union(*(made.get(name, ()) for name in used))
            bound |= {statement.name} if isinstance(statement, ast.FunctionDef) else set()
            for name in bound:
                made[name] = used
            if isinstance(statement, ast.Expr) and "basis='proof'" in ast.unparse(statement):
                yield cell.id, used


def test_what_a_normal_law_goes_into_is_not_called_proved(chapter):
    """A finding with the basis 'proof' compares what is exact, or has a bound, with what was proved."""
    for cell, used in what_proofs_rest_on(python(chapter)):
        assert not used & APPROXIMATE, cell
