"""Give the places in the renderer's warnings as a cell and a line of this cell.

MyST-NB reads a notebook as one text, in which the cells begin at lines 10,001, 20,001 and so on.
"""

import os
import re

import nbformat

from claimbook.cells import cell_name

_PLACE = re.compile(r"^(?P<file>[^\n:]+)\.ipynb:(?P<line>\d{5,}): ", re.M)
_LINES_PER_CELL = 10_000  # MyST-NB's number of a line is 10,000 * cell + line in the cell


def with_cells(text, sources):
    """Return the renderer's text with warnings that give the cell and the line in it.

    Parameters
    ----------
    text : str
        The text, with paths relative to the book's folder.
    sources : PageSources
        The sources of the rendered pages.
    """

    def name_place(match):
        page = sources.pages.get(match["file"].replace(os.sep, "/"))
        if page is None or not page.is_notebook:
            return match[0]
        cell_number, line_in_cell = divmod(int(match["line"]), _LINES_PER_CELL)
        cells = nbformat.reads(sources.text(page.file), as_version=4).cells
        if not 1 <= cell_number <= len(cells):
            return match[0]
        cell_id = cells[cell_number - 1].id
        name = "a cell that claimbook adds to the page"
        if cell_id in {cell.id for cell in page.notebook.cells}:
            name = cell_name(page.notebook, cell_id)
        # MyST-NB counts the lines of a cell from 2.
        return f"{match['file']}.ipynb, {name}, line {max(line_in_cell - 1, 1)}: "

    return _PLACE.sub(name_place, text)
