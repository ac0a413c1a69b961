"""Check the rules that keep the sources of chapters easy to read and to run."""

import re
from functools import partial

from claimbook.cells import cell_name
from claimbook.parameters import PROFILES
from claimbook.sphinxext.reading import BOX, options_of
from claimbook.sphinxext.symbols import bare, notation, symbols_of, tokens_of
from claimbook.text import escaped

# The most lines in a cell, the most columns in a line, the fewest words in a title.
LINES, COLUMNS, WORDS = 15, 88, 4
NAME = 28  # the most characters in a page's name, which must fit on one line of the side bar
KERNEL, METADATA = "python3", {"kernelspec", "language_info"}
FETCHING = {"remove-input", "skip-execution"}  # tags of the cell that fetches the package
_WORDS = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_GENERATED = re.compile(r"[0-9a-f]{8}")
_NO_PROSE = re.compile(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", re.S)
_TYPED = re.compile(r"(?<![\w./])\d+\.\d{2,}(?![\w/])")
_FORMULA = re.compile(r"\$\$.*?\$\$|\$.*?\$", re.S)
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
            for cell, expected in rule(chapter):
                location = [f"{chapter.file}.ipynb", *([cell_name(chapter.notebook, cell)] if cell else [])]
                yield escaped(f"{', '.join(location)}: {expected}", most=500)
    for file, name in project.given_names.items():
        if len(name) > NAME:
            expected = f"expected a title of at most {NAME} characters, got {name!r}"
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
    for cell in _code(chapter):
        if cell.outputs or cell.execution_count is not None:
            yield cell.id, "expected no stored output and no execution count"


def any_python_kernel_runs_it(chapter):
    metadata = chapter.notebook.metadata
    if metadata.get("kernelspec", {}).get("name") != KERNEL:
        yield "", f"expected the kernel {KERNEL!r}"
    if other_keys := {*metadata} - METADATA:
        yield (
            "",
            f"expected no metadata but {' and '.join(sorted(METADATA))}, got {', '.join(sorted(other_keys))}",
        )


def cell_ids_are_words(chapter):
    """Require readable cell ids, because they are the addresses of code on the page."""
    for cell in chapter.notebook.cells:
        if not _WORDS.fullmatch(cell.id) or _GENERATED.fullmatch(cell.id):
            yield cell.id, "expected an id of words in small letters, with hyphens between"


def it_opens_with_a_claim(chapter):
    if not chapter.notebook.cells[0].source.startswith("# "):
        yield chapter.notebook.cells[0].id, "expected the title ('# …') first"
    elif len(chapter.title.split()) < WORDS:
        yield (
            chapter.notebook.cells[0].id,
            f"expected a title of at least {WORDS} words, which claims something",
        )


def parameters_come_first_and_are_explained(chapter):
    code = _code(chapter)
    ids_with_parameters = [cell.id for cell in code if "parameters" in cell.metadata.get("tags", [])]
    if not code or ids_with_parameters != [code[0].id]:
        yield "", "expected the tag 'parameters' on the first code cell and on no other"
        return
    for parameter in chapter.parameters:
        if not parameter.help or not (parameter.allowed or parameter.type is bool):
            yield code[0].id, f"{parameter.name}: expected help and, in brackets, the values allowed"


def code_is_short(chapter):
    """Reject long cells, except the first, which declares the parameters."""
    for cell in _code(chapter)[1:]:
        lines = [line for line in cell.source.splitlines() if line.strip()]
        if len(lines) > LINES:
            yield cell.id, f"expected at most {LINES} lines, got {len(lines)}"


def lines_of_code_fit_the_page(chapter):
    for cell in _code(chapter):
        for number, line in enumerate(cell.source.splitlines(), 1):
            if len(line) > COLUMNS:
                yield cell.id, f"line {number}: expected at most {COLUMNS} columns, got {len(line)}"


def the_package_can_be_fetched(chapter):
    """Require that the second code cell is the one that installs the book's package.

    No build executes this cell, because papermill skips cells with its tag.
    """
    install_code = chapter.book.install
    for cell in _code(chapter)[1:2] if install_code else ():
        tags = {*cell.metadata.get("tags", [])}
        if cell.source != install_code:
            yield cell.id, f"expected the second code cell to be {install_code!r}"
        elif not FETCHING <= tags:
            yield cell.id, f"expected the tags {' and '.join(sorted(FETCHING))}"


def numbers_of_the_prose_are_computed(chapter):
    """Reject typed decimal numbers in prose, outside formulas and code."""
    for cell in _prose(chapter):
        if typed := _TYPED.search(_NO_PROSE.sub(" ", cell.source)):
            yield cell.id, f"expected a computed number ('{{glue:text}}'), got {typed[0]} in the prose"


def a_solution_follows_its_exercise(chapter):
    """Require that a solution has the label of the last exercise above it."""
    exercise = None
    for cell in chapter.notebook.cells:
        for kind, solved_label, label in _EXERCISE.findall(cell.source):
            if kind == "exercise":
                exercise = label
            elif solved_label != exercise:
                yield (
                    cell.id,
                    f"expected the solution of {exercise or 'an exercise above'}, got that of {solved_label}",
                )


def symbols_mean_something(chapter, meanings):
    """Require that each box lists symbols that occur in it and are explained.

    The rule applies only to books with a table of notation.
    """
    for cell in _prose(chapter):
        for box in BOX.finditer(cell.source):
            title, box_symbols = box["title"], symbols_of(options_of(box).get("symbols", ""))
            if meanings and not box_symbols and "$" in box["text"]:
                yield cell.id, f"{title}: expected ':symbols:' of its formulas"
            for symbol, meaning in box_symbols.items():
                if not occurs(symbol, f"{title} {box['text']}"):
                    yield cell.id, f"{title}: expected symbols that occur in the box, got {symbol}"
                if not meaning and bare(symbol) not in meanings:
                    yield (
                        cell.id,
                        f"{title}: expected a meaning of {symbol}, here or in the table of notation",
                    )


def occurs(symbol, text):
    """Return whether a symbol occurs in a formula of a text."""
    tokens = list(bare(symbol))
    formulas = [tokens_of(formula) for formula in _FORMULA.findall(text)]
    starts = ((formula, start) for formula in formulas for start in range(len(formula)))
    return any(formula[start : start + len(tokens)] == tokens for formula, start in starts)


def _code(chapter):
    return [cell for cell in chapter.notebook.cells if cell.cell_type == "code"]


def _prose(chapter):
    return [cell for cell in chapter.notebook.cells if cell.cell_type == "markdown"]


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
