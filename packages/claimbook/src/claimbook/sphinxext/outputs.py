"""Output transforms of an executed chapter: figures, findings, links to code, how to run and cite it."""

import re

import nbformat

from claimbook.evidence import slug
from claimbook.output_metadata import GLUED, METADATA_KEY
from claimbook.sphinxext.dark import in_both
from claimbook.templates import filled, shaped
from claimbook.text import escaped, shell


def transform(notebook, about="", figures=""):
    """The notebook as the renderer needs it; returns the names of the figures that were drawn.

    Its numbers lead to the cells that report them, what the directives show of a figure goes to its output,
    and `about` ends the page.

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
    for cell in notebook.cells:
        cell.metadata["anchor"] = anchor(cell)  # the renderer does not get the names of cells otherwise
    drawn = {name for cell in notebook.cells for name in _dress_outputs(cell, figures)}
    if about:
        notebook.cells.append(nbformat.v4.new_markdown_cell(about, id="about-this-page"))
    return drawn


def drawn_by(function, figures=""):
    """What drew a figure, in words; a link to the source if the package ``figures`` is on the site.

    >>> drawn_by("my_book.figures.index.first_page")
    'drawn by `first_page` of `my_book.figures.index`'
    >>> drawn_by("__main__.line")
    'drawn by this code'
    """
    module, _, name = function.rpartition(".")
    if module in ("", "__main__"):
        return "drawn by this code"
    if not figures or not module.startswith(figures):
        return f"drawn by `{name}` of `{module}`"
    return f'drawn by <a href="../_modules/{module.replace(".", "/")}.html#{name}"><code>{name}</code></a>'


def anchor(cell):
    """The address, on its page, of the source of a cell."""
    return f"cell-{cell.id}"


def _dress_outputs(cell, sources):
    """Prepare the outputs of a cell for the directives that show them; returns the names of its figures."""
    drawn, seen = set(), "remove-input" not in cell.metadata.get("tags", [])
    for output in cell.get("outputs", []):
        record = output.get("metadata", {}).pop(METADATA_KEY, {})
        if "figure" in record:
            _dress_figure(output, record["figure"], anchor(cell), sources)
            drawn.add(record["figure"]["name"])
        elif "finding" in record:
            found, (_, _, rest) = record["finding"], output.data["text/markdown"].partition("\n")
            verdict, needs = found["verdict"], f" {found['needs']}." * (found["verdict"] == "undecided")
            fold = f"{{dropdown}} {shaped(verdict)}: {found['claim']['says']}{needs}"
            classes = f"evidence of-{slug(found['statement'])}"
            output.data["text/markdown"] = f"~~~~{fold}\n:class-container: {classes}\n{rest}\n~~~~"
        elif record.get("number", {}).get("text") and seen:
            output.metadata["scrapbook"]["code"] = anchor(cell)
    return drawn


def _dress_figure(output, figure, place, sources):
    """Glue a figure, in the colours of light and of dark pages, with what its directive shows beside it."""
    turned = in_both(output.data.get("image/svg+xml", "<image"))
    output.data |= {"image/svg+xml": turned} if turned else {}
    output.data.pop("text/html", None)  # the directive puts the widget around the figure
    output.data = {f"{GLUED}{kind}": data for kind, data in output.data.items()}
    output.metadata["scrapbook"] = {
        "name": figure["name"],
        "mime_prefix": GLUED,
        "alt": escaped(figure["alt"], most=10_000),
        "in_both": bool(turned),
        "code": place,
        "drawn": drawn_by(figure["drawn_by"], sources),
        "widget": figure.get("widget"),
    }


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
    code = "\n".join(source for source, _ in chapter.code)
    data = {says for name, says in chapter.book.data.items() if re.search(rf"\b{name}\b", code)}
    return filled(
        "fragments/about.md",
        chapter=chapter,
        data=sorted(data),
        book=book,
        whole=whole,
        line=shell(chapter.book.command, "run", chapter.name, *words),
        version=f"version {chapter.book.version}" + (f", commit {commit}" if commit else ""),
    )
