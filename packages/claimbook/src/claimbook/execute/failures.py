"""Write messages about a failed chapter, with the cell, the error and its location."""

import re
from dataclasses import dataclass

from claimbook.cells import cell_name
from claimbook.text import escaped

_FRAMES = 3  # the number of frames shown, from the end of a traceback
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_CELL_FRAME = re.compile(r"^Cell In\[(\d+)\], line (\d+)")
_TAGS_OF_ADDED_CELLS = {"injected-parameters", "papermill-error-cell-tag"}  # papermill adds these cells
_WIDTH = 200  # characters of a line of a traceback


@dataclass(frozen=True)
class Failure:
    """The reason why a chapter could not be executed.

    Attributes
    ----------
    message : str
        The message, of one or more lines. The first line names the chapter and the cell.
    notebook : str or None
        The text of the unfinished notebook.
    """

    message: str
    notebook: str | None = None


def failure_message(job, error, cell=None, frames=()):
    """Return the message about a failed job, with chapter, cell, error and frames.

    Parameters
    ----------
    job : Job
        The job.
    error : str
        The error in words.
    cell : str, optional
        The id of the cell that failed, if known.
    frames : iterable of str
        Lines of the traceback.
    """
    location = [job.called or f"{job.chapter.file}.ipynb"]
    location += [cell_name(job.chapter.notebook, cell)] if cell else []
    error = " ".join(error.split()) or "failed"
    lines = [f"{escaped(', '.join(location), _WIDTH)}: {escaped(error, 2 * _WIDTH)}"]
    return "\n".join(lines + [f"    {escaped(line, _WIDTH)}" for line in frames])


def frames_of(traceback, notebook):
    """Return the last frames of an IPython traceback, each with its location and code.

    The last frame in a cell is always among them, however deep the error is in code that the cell calls.

    Parameters
    ----------
    traceback : list of str
        The entries of the traceback.
    notebook : NotebookNode
        The executed notebook, whose cells have the execution numbers that the traceback shows.
    """
    cells = [
        cell
        for cell in notebook.cells
        if not _TAGS_OF_ADDED_CELLS.intersection(cell.metadata.get("tags", []))
    ]
    numbers = {cell.get("execution_count"): number for number, cell in enumerate(cells, 1)}

    def place_of_frame(match):
        number = numbers.get(int(match[1]))
        return f"cell {number}, line {match[2]}" if number else f"the parameters, line {match[2]}"

    frames, cell_frame = [], 0
    for entry in traceback:
        lines = _COLOUR.sub("", entry).strip("\n").splitlines()
        marked_line = next((line.strip() for line in lines if re.match(r"-+> *\d+ ", line.strip())), "")
        if lines and lines[0].lstrip().startswith(("Cell In[", "File ")):
            cell_frame = len(frames) if lines[0].lstrip().startswith("Cell In[") else cell_frame
            frames.append([_CELL_FRAME.sub(place_of_frame, lines[0].strip()), *filter(None, [marked_line])])
            if not marked_line:  # a syntax error has no arrow, so its remaining lines are kept
                frames[-1] += lines[1:-1]
    if cell_frame < len(frames) - _FRAMES:
        frames = [frames[cell_frame], *frames[1 - _FRAMES :]]
    return [line for frame in frames[-_FRAMES:] for line in frame]
