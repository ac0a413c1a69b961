"""Messages about a chapter that could not be executed: which cell, what went wrong, where to look."""

import re
from dataclasses import dataclass

from claimbook.cells import cell_name
from claimbook.text import escaped

_FRAMES = 3  # the last ones of a traceback
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OF_A_CELL = re.compile(r"^Cell In\[(\d+)\], line (\d+)")
_ADDED = {"injected-parameters", "papermill-error-cell-tag"}  # by papermill, to the cells of the source
_WIDTH = 200  # characters of a line of a traceback


@dataclass(frozen=True)
class Failure:
    """Why a chapter could not be executed.

    Attributes
    ----------
    message : str
        One or more lines, the first with the chapter and the cell.
    notebook : str or None
        The text of the notebook as far as it came.
    """

    message: str
    notebook: str | None = None


def failed(job, error, cell=None, frames=()):
    """The message about a job that failed: the chapter, the cell, the error, and below it the last frames.

    Parameters
    ----------
    job : Job
    error : str
    cell : str, optional
        Its id; without one nothing is known of a cell.
    frames : iterable of str
    """
    where = [job.called or f"{job.chapter.file}.ipynb"]
    where += [cell_name(job.chapter.notebook, cell)] if cell else []
    error = " ".join(error.split()) or "failed"
    lines = [f"{escaped(', '.join(where), _WIDTH)}: {escaped(error, 2 * _WIDTH)}"]
    return "\n".join(lines + [f"    {escaped(line, _WIDTH)}" for line in frames])


def frames_of(traceback, notebook):
    """The last frames of a traceback of IPython's, two lines each: the place, and the line of code there.

    The last one of a cell is always among them, however deep the error is in code that the cell calls.

    Parameters
    ----------
    traceback : list of str
    notebook : NotebookNode
        The executed one, whose cells have the numbers by which the traceback names them.
    """
    own = [cell for cell in notebook.cells if not _ADDED.intersection(cell.metadata.get("tags", []))]
    numbers = {cell.get("execution_count"): number for number, cell in enumerate(own, 1)}

    def named(found):
        number = numbers.get(int(found[1]))
        return f"cell {number}, line {found[2]}" if number else f"the parameters, line {found[2]}"

    frames, own_frame = [], 0
    for entry in traceback:
        lines = _COLOUR.sub("", entry).strip("\n").splitlines()
        arrow = next((line.strip() for line in lines if re.match(r"-+> *\d+ ", line.strip())), "")
        if lines and lines[0].lstrip().startswith(("Cell In[", "File ")):
            own_frame = len(frames) if lines[0].lstrip().startswith("Cell In[") else own_frame
            frames.append([_OF_A_CELL.sub(named, lines[0].strip()), *filter(None, [arrow])])
            if not arrow:  # a syntax error, whose lines stand below
                frames[-1] += lines[1:-1]
    if own_frame < len(frames) - _FRAMES:
        frames = [frames[own_frame], *frames[1 - _FRAMES :]]
    return [line for frame in frames[-_FRAMES:] for line in frame]
