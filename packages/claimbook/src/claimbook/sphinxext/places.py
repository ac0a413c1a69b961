"""Give the places in the renderer's warnings as a cell and a line of this cell.

MyST-NB reads a notebook as one text, in which the cells begin at lines 10,001, 20,001 and so on.
"""

import os
import re

import nbformat

from claimbook.cells import cell_name

_PLACE = re.compile(r"^(?P<file>[^\n:]+)\.ipynb:(?P<line>\d{5,}): ", re.M)
_A_CELL = 10_000  # lines for each cell


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
        cell_number, line = divmod(int(match["line"]), _A_CELL)
        cells = nbformat.reads(sources.text(page.file), as_version=4).cells
        if not 1 <= cell_number <= len(cells):
            return match[0]
        source_ids = {cell.id for cell in page.notebook.cells}
        cell_id = cells[cell_number - 1].id
        name = (
            cell_name(page.notebook, cell_id)
            if cell_id in source_ids
            else "a cell that claimbook adds to the page"
        )
        # MyST-NB counts the lines of a cell from 2.
        return f"{match['file']}.ipynb, {name}, line {max(line - 1, 1)}: "

    return _PLACE.sub(name_place, text)
