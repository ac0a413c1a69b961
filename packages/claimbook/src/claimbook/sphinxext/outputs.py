"""Transform the figures, findings, links and page end of an executed chapter."""

import re

import nbformat

from claimbook.evidence import slug
from claimbook.output_metadata import GLUED, METADATA_KEY
from claimbook.sphinxext.dark import in_both_schemes
from claimbook.templates import filled, shaped
from claimbook.text import escaped, shell


def transform(notebook, about="", figures=""):
    """Prepare a notebook for the renderer, and return the names of its figures.

    Parameters
    ----------
    notebook : NotebookNode
        The executed notebook, which is changed in place.
    about : str
        The Markdown for the end of the page.
    figures : str
        The package with the functions that draw figures, if its sources are on the site.

    Notes
    -----
    Numbers get links to the cells that report them, figures get the data that their directives need, and
    ``about`` becomes the last cell.
    """
    notebook.metadata.pop(METADATA_KEY, None)
    for cell in notebook.cells:
        cell.metadata["anchor"] = anchor(cell)  # otherwise the renderer would not get the ids of cells
    figure_names = {name for cell in notebook.cells for name in _dress_outputs(cell, figures)}
    if about:
        notebook.cells.append(nbformat.v4.new_markdown_cell(about, id="about-this-page"))
    return figure_names


def drawn_by(function, figures=""):
    """Return words that name the function that drew a figure.

    The words contain a link if the source of the function is on the site.

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
    """Return the anchor of a cell's source on its page."""
    return f"cell-{cell.id}"


def _dress_outputs(cell, figures):
    """Prepare a cell's outputs for directives, and return the names of its figures.

    ``figures`` is the package with the functions that draw figures, or empty.
    """
    figure_names, source_is_visible = set(), "remove-input" not in cell.metadata.get("tags", [])
    for output in cell.get("outputs", []):
        record = output.get("metadata", {}).pop(METADATA_KEY, {})
        if "figure" in record:
            _dress_figure(output, record["figure"], anchor(cell), figures)
            figure_names.add(record["figure"]["name"])
        elif "finding" in record:
            finding = record["finding"]
            title = f"{shaped(finding['verdict'])}: {finding['claim']['says']}"
            if finding["verdict"] == "undecided":
                title += f" {finding['needs']}."
            classes = f"evidence of-{slug(finding['statement'])}"
            _verdict, _, text = output.data["text/markdown"].partition("\n")  # the title has the verdict
            output.data["text/markdown"] = (
                f"~~~~{{dropdown}} {title}\n:class-container: {classes}\n{text}\n~~~~"
            )
        elif record.get("number", {}).get("text") and source_is_visible:
            output.metadata["scrapbook"]["code"] = anchor(cell)
    return figure_names


def _dress_figure(output, figure, code_anchor, figures):
    """Glue a figure, in light and dark colours, with the data for its directive."""
    # A figure without an SVG is treated like a raster image.
    svg_in_both_schemes = in_both_schemes(output.data.get("image/svg+xml", "<image"))
    if svg_in_both_schemes:
        output.data["image/svg+xml"] = svg_in_both_schemes
    output.data.pop("text/html", None)  # the directive puts the widget around the figure
    output.data = {f"{GLUED}{mime_type}": data for mime_type, data in output.data.items()}
    output.metadata["scrapbook"] = {
        "name": figure["name"],
        "mime_prefix": GLUED,
        "alt": escaped(figure["alt"], most=10_000),
        "in_both": bool(svg_in_both_schemes),
        "code": code_anchor,
        "drawn": drawn_by(figure["drawn_by"], figures),
        "widget": figure.get("widget"),
    }


def about(chapter, values, book, commit="", whole=True):
    """Return the end of a page as Markdown, with command, parameters and citation.

    Parameters
    ----------
    chapter : Chapter
        The chapter.
    values : dict
        The parameters of this run that differ from the chapter's defaults.
    book : dict
        The ``title``, ``author`` and ``copyright`` of ``_config.yml``.
    commit : str
        The commit of the sources.
    whole : bool
        Whether the page belongs to the complete site, which offers the executed notebook for download.
    """
    assignments = [f"{name}={value}" for name, value in values.items()]
    code = "\n".join(source for source, _ in chapter.code)
    # The sentences about the data that the code names.
    sentences = {text for name, text in chapter.book.data.items() if re.search(rf"\b{name}\b", code)}
    return filled(
        "fragments/about.md",
        chapter=chapter,
        data=sorted(sentences),
        book=book,
        whole=whole,
        line=shell(chapter.book.command, "run", chapter.name, *assignments),
        version=f"version {chapter.book.version}" + (f", commit {commit}" if commit else ""),
    )
