"""Check the rules that keep the sources of chapters easy to read and to run."""

import re
from functools import partial

from claimbook.cells import cell_name
from claimbook.parameters import PROFILES
from claimbook.sphinxext.reading import BOX, options_of
from claimbook.sphinxext.symbols import bare, notation, symbols_of, tokens_of
from claimbook.text import escaped

MOST_LINES, MOST_COLUMNS = 15, 88  # of a cell
FEWEST_TITLE_WORDS = 4
MOST_NAME_CHARACTERS = 28  # of a page's name, which must fit on one line of the side bar
KERNEL, METADATA_KEYS = "python3", {"kernelspec", "language_info"}
INSTALL_TAGS = {"remove-input", "skip-execution"}  # of the cell that installs the book's package
_ID_OF_WORDS = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GENERATED_ID = re.compile(r"[0-9a-f]{8}")  # by nbformat
_CODE_FORMULA_OR_LINK = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", re.S)
_DECIMAL_NUMBER = re.compile(r"(?<![\w./])\d+\.\d{2,}(?![\w/])")
_FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$", re.S)
# The groups are the kind of box, the text on its first line (for a solution, the label of its exercise), and
# the label of the box.
_EXERCISE = re.compile(
    r"^`{3,}\{(exercise|solution)\} ?(.*)\n(?:^:(?!label)\w.*\n)*(?:^:label: (.*)\n)?", re.M
)


def offences(project):
    """Yield a line for each broken rule, in the order of the pages.

    A line has the form ``file, cell: expected …``.
    """
    meanings = notation("\n".join(page.prose for page in project.chapters))
    rules = (*RULES, partial(symbols_mean_something, meanings=meanings))
    for chapter in project.notebooks:
        for rule in rules:
            for cell_id, expected in rule(chapter):
                location = f"{chapter.file}.ipynb"
                if cell_id:
                    location += f", {cell_name(chapter.notebook, cell_id)}"
                yield escaped(f"{location}: {expected}", most=500)
    for file, name in project.given_names.items():
        if len(name) > MOST_NAME_CHARACTERS:
            expected = f"expected a title of at most {MOST_NAME_CHARACTERS} characters, got {name!r}"
            yield escaped(f"_toc.yml: {file}: {expected}", most=500)
    for profile in PROFILES:
        try:
            if (project.root / "parameters" / f"{profile}.yml").exists():
                project.overrides(profile)
        except ValueError as error:
            yield str(error)


# Each rule takes a chapter and yields the id of a cell (empty for the file itself) and the expectation.


def nothing_is_stored(chapter):
    """Reject stored outputs, which come from a build and change with every run."""
    for cell in _cells(chapter, "code"):
        if cell.outputs or cell.execution_count is not None:
            yield cell.id, "expected no stored output and no execution count"


def any_python_kernel_runs_it(chapter):
    """Reject metadata that tie a notebook to one kernel, editor or machine."""
    metadata = chapter.notebook.metadata
    if metadata.get("kernelspec", {}).get("name") != KERNEL:
        yield "", f"expected the kernel {KERNEL!r}"
    if other_keys := {*metadata} - METADATA_KEYS:
        allowed = " and ".join(sorted(METADATA_KEYS))
        yield "", f"expected no metadata but {allowed}, got {', '.join(sorted(other_keys))}"


def cell_ids_are_words(chapter):
    """Require readable cell ids, because they are the addresses of code on the page."""
    for cell in chapter.notebook.cells:
        if not _ID_OF_WORDS.fullmatch(cell.id) or _GENERATED_ID.fullmatch(cell.id):
            yield cell.id, "expected an id of words in small letters, with hyphens between"


def it_opens_with_a_claim(chapter):
    """Require a title in the first cell that is long enough for a claim."""
    first_cell = chapter.notebook.cells[0]
    if not first_cell.source.startswith("# "):
        yield first_cell.id, "expected the title ('# …') first"
    elif len(chapter.title.split()) < FEWEST_TITLE_WORDS:
        yield (
            first_cell.id,
            f"expected a title of at least {FEWEST_TITLE_WORDS} words, which claims something",
        )


def parameters_come_first_and_are_explained(chapter):
    """Require one parameters cell, the first, with help and allowed values."""
    cells = _cells(chapter, "code")
    ids_with_parameters = [cell.id for cell in cells if "parameters" in cell.metadata.get("tags", [])]
    if not cells or ids_with_parameters != [cells[0].id]:
        yield "", "expected the tag 'parameters' on the first code cell and on no other"
        return
    for parameter in chapter.parameters:
        if not parameter.help or not (parameter.allowed or parameter.type is bool):
            yield cells[0].id, f"{parameter.name}: expected help and, in brackets, the values allowed"


def code_is_short(chapter):
    """Reject long cells, except the first, which declares the parameters."""
    for cell in _cells(chapter, "code")[1:]:
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > MOST_LINES:
            yield cell.id, f"expected at most {MOST_LINES} lines, got {len(lines)}"


def lines_of_code_fit_the_page(chapter):
    """Reject lines of code that are wider than a page."""
    for cell in _cells(chapter, "code"):
        for number, line in enumerate(cell.source.splitlines(), 1):
            if len(line) > MOST_COLUMNS:
                yield cell.id, f"line {number}: expected at most {MOST_COLUMNS} columns, got {len(line)}"


def the_package_can_be_fetched(chapter):
    """Require that the second code cell is the one that installs the book's package.

    No build executes this cell, because papermill skips cells with its tag.
    """
    install_code, second_code_cell = chapter.book.install, _cells(chapter, "code")[1:2]
    for cell in second_code_cell if install_code else ():
        if cell.source != install_code:
            yield cell.id, f"expected the second code cell to be {install_code!r}"
        elif not INSTALL_TAGS <= {*cell.metadata.get("tags", [])}:
            yield cell.id, f"expected the tags {' and '.join(sorted(INSTALL_TAGS))}"


def numbers_of_the_prose_are_computed(chapter):
    """Reject typed decimal numbers in prose, outside formulas and code."""
    for cell in _cells(chapter, "markdown"):
        if number := _DECIMAL_NUMBER.search(_CODE_FORMULA_OR_LINK.sub(" ", cell.source)):
            yield cell.id, f"expected a computed number ('{{glue:text}}'), got {number[0]} in the prose"


def a_solution_follows_its_exercise(chapter):
    """Require that a solution has the label of the last exercise above it."""
    last_exercise = None
    for cell in chapter.notebook.cells:
        for kind, solved_exercise, label in _EXERCISE.findall(cell.source):
            if kind == "exercise":
                last_exercise = label
            elif solved_exercise != last_exercise:
                expected = last_exercise or "an exercise above"
                yield cell.id, f"expected the solution of {expected}, got that of {solved_exercise}"


def symbols_mean_something(chapter, meanings):
    """Require that each box lists symbols that occur in it and are explained.

    The list is required only in books with a table of notation, whose symbols ``meanings`` explains.
    """
    for cell in _cells(chapter, "markdown"):
        for box in BOX.finditer(cell.source):
            title = box["title"]
            box_symbols = symbols_of(options_of(box).get("symbols", ""))  # each with its meaning or None
            if meanings and not box_symbols and "$" in box["text"]:
                yield cell.id, f"{title}: expected ':symbols:' of its formulas"
            for symbol, meaning in box_symbols.items():
                if not occurs(symbol, f"{title} {box['text']}"):
                    yield cell.id, f"{title}: expected symbols that occur in the box, got {symbol}"
                if not meaning and bare(symbol) not in meanings:
                    expected = f"expected a meaning of {symbol}, here or in the table of notation"
                    yield cell.id, f"{title}: {expected}"


def occurs(symbol, text):
    """Return whether a symbol occurs in a formula of a text."""
    symbol_tokens = list(bare(symbol))
    formulas = [tokens_of(formula) for formula in _FORMULA.findall(text)]
    return any(
        formula[start : start + len(symbol_tokens)] == symbol_tokens
        for formula in formulas
        for start in range(len(formula))
    )


def _cells(chapter, cell_type):
    return [cell for cell in chapter.notebook.cells if cell.cell_type == cell_type]


RULES = (
    nothing_is_stored,
    any_python_kernel_runs_it,
    cell_ids_are_words,
    it_opens_with_a_claim,
    parameters_come_first_and_are_explained,
    code_is_short,
    lines_of_code_fit_the_page,
    the_package_can_be_fetched,
    numbers_of_the_prose_are_computed,
    a_solution_follows_its_exercise,
)
