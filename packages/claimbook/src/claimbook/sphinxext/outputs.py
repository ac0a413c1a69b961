"""Output transforms of an executed chapter: figures, badges, links to code, how to run and cite it."""

import re
from itertools import pairwise

import nbformat

from claimbook.cells import Cells
from claimbook.output_metadata import GLUED, METADATA_KEY, findings_of
from claimbook.reports.ledger import verdicts
from claimbook.sphinxext.dark import in_both
from claimbook.stamps import Stamp
from claimbook.templates import filled, shaped
from claimbook.text import escaped, shell

_HIDDEN, _INJECTED = "remove-input", "injected-parameters"
_NUMBER = re.compile(r"\{glue:text\}`(?P<name>[\w-]+)`")


def transform(notebook, about="", figures=""):
    """The notebook as the renderer needs it; returns the names of the figures that were drawn.

    What the directives show of a figure goes to its output, and `about` ends the page.

    Parameters
    ----------
    notebook : NotebookNode
        Executed; changed in place.
    about : str
        Markdown.
    figures : str
        The package of the functions that draw, if its sources are there to be linked to.
    """
    notebook.metadata.pop(METADATA_KEY, None)
    whole = verdicts(findings_of(notebook))
    drawn = {name for cell in notebook.cells for name in _dress_outputs(cell, figures, whole)}
    if about:
        notebook.cells.append(nbformat.v4.new_markdown_cell(about, id="about-this-page"))
    return drawn


def badge(statement, verdict, ledger=""):
    """A verdict in a theorem box: a word and a shape that lead to the page ``ledger``, if there is one."""
    return filled("fragments/badge.md", statement=statement, verdict=verdict, ledger=ledger).strip()


def drawn_by(function, figures=""):
    """The function that drew a figure, as a link to its source if the package ``figures`` is on the site.

    Empty for a function of the chapter itself, whose code is on the page.

    >>> drawn_by("my_book.figures.index.first_page")
    'drawn by `first_page` of `my_book.figures.index`'
    """
    module, _, name = function.rpartition(".")
    if not figures or not module.startswith(figures):
        return f"drawn by `{name}` of `{module}`" if module not in ("", "__main__") else ""
    return f'drawn by <a href="../_modules/{module.replace(".", "/")}.html#{name}"><code>{name}</code></a>'


def anchor(cell):
    """The address, on its page, of the source of a cell."""
    return f"cell-{cell.id}"


def trace(notebook, figures=""):
    """Lead from each number in the prose, and from each figure, to the code that computed it.

    That is the cell which last assigned the value. Cells that only import, or show values of other cells, and
    to which nothing leads, are left out of the page.

    Parameters
    ----------
    notebook : NotebookNode
        Executed; changed in place.
    figures : str
        The package of the functions that draw.
    """
    for cell in notebook.cells:
        cell.metadata["anchor"] = anchor(cell)  # the renderer does not get the names of cells otherwise
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and not _has_tag(cell, _INJECTED)]
    cells = Cells([cell.source for cell in code], figures)
    texts = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    quoted = {number["name"] for cell in texts for number in _NUMBER.finditer(cell.source)}
    computed = {}
    for at, cell in enumerate(code):
        for output in cell.outputs:
            if not (name := _name_in(output)):
                continue
            for place in (at, cells.origin(at, name)):
                if not _has_tag(code[place], _HIDDEN):
                    computed[name] = anchor(code[place])
            if "figure" in (record := output.metadata.get(METADATA_KEY, {})) and name in computed:
                record["figure"]["code"] = computed[name]
                quoted.add(name)

    for output in (output for cell in code for output in cell.outputs):
        if "scrapbook" in output.get("metadata", {}) and (name := _name_in(output)) in computed:
            output.metadata["scrapbook"]["code"] = computed[name]
    led_to = {computed[name] for name in quoted & computed.keys()}
    for at, cell in enumerate(code):
        if cells.only_shows(at) and anchor(cell) not in led_to and "in-sight" not in cell.metadata:
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), _HIDDEN]
    _pass_on_folds(notebook.cells)


def _name_in(output):
    """The name of a number, if it has words that can be a link, or of a figure."""
    if "scrapbook" in output.get("metadata", {}) and repr("") not in output.data.values():
        return output.metadata["scrapbook"]["name"]
    return output.get("metadata", {}).get(METADATA_KEY, {}).get("figure", {}).get("name")


def _has_tag(cell, tag):
    return tag in cell.metadata.get("tags", [])


def _pass_on_folds(cells):
    """Give the name of a fold to its next cell, if its first one is left out of the page."""
    for cell, following in pairwise(cells):
        if _has_tag(cell, _HIDDEN) and "fold" in cell.metadata and following.cell_type == "code":
            fold = cell.metadata.pop("fold")
            if "in-sight" not in following.metadata:
                following.metadata.setdefault("fold", fold)


def _dress_outputs(cell, sources, whole):
    """Glue the figures of a cell, with what their directives show beside them; returns these, by name.

    A finding whose verdict is not the one on its statement, which ``whole`` has, says that it is one check.
    """
    drawn, kept = {}, []
    for output in cell.get("outputs", []):
        record = output.get("metadata", {}).pop(METADATA_KEY, {})
        if "figure" in record:
            figure = record["figure"]
            turned = in_both(output.data.get("image/svg+xml", "<image"))
            output.data |= {"image/svg+xml": turned} if turned else {}
            output.data = {f"{GLUED}{kind}": data for kind, data in output.data.items()}
            output.metadata["scrapbook"] = {
                "name": figure["name"],
                "mime_prefix": GLUED,
                "alt": escaped(figure["alt"], most=10_000),
                "in_both": bool(turned),
                "drawn_by": drawn_by(figure["drawn_by"], sources),
                "code": figure.get("code", anchor(cell)),
            }
            drawn[figure["name"]] = output.metadata["scrapbook"]
        elif "stamp" in record:
            figure = drawn[record["stamp"]]
            code = f'<a href="#{figure["code"]}">its code</a>'
            figure["stamp"] = Stamp(**record["used"]).strip(figure.pop("drawn_by"), code)
            continue
        elif "finding" in record:
            found, (_, _, rest) = record["finding"], output.data["text/markdown"].partition("\n")
            verdict, statement = found["verdict"], found["statement"]
            needs = f" {found['needs']}." if verdict == "undecided" else ""
            about = statement
            if whole[statement] != verdict:
                about = f"one check of {statement}, in all {shaped(whole[statement])}"
            fold = f"{{dropdown}} {shaped(verdict)} · {about}{needs}"
            output.data["text/markdown"] = f"~~~~{fold}\n:class-container: evidence\n{rest}\n~~~~"
        kept.append(output)
    if kept or drawn:
        cell.outputs = kept
    return drawn


def about(chapter, values, book, commit="", whole=True):
    """The end of a page: the command that runs it again, its parameters, its citation, as Markdown.

    Parameters
    ----------
    chapter : Chapter
    values : dict
        The parameters of this run that differ from the chapter's defaults.
    book : dict
        The ``title``, ``author`` and ``copyright`` of ``_config.yml``.
    commit : str
    whole : bool
        Whether the page is part of the whole site, which offers the executed notebook.
    """
    words = [f"{name}={value}" for name, value in values.items()]
    return filled(
        "fragments/about.md",
        chapter=chapter,
        book=book,
        whole=whole,
        line=shell(chapter.book.command, "run", chapter.name, *words),
        version=f"version {chapter.book.version}" + (f", commit {commit}" if commit else ""),
    )
