"""What scikit-learn and pytrec_eval answer where conventions matter, and recipes for their numbers."""

import json
import subprocess
import sys
import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import ndcg_score

from ndcg_companion.measures import ndcg

LEFT_OUT = "leaves the query out"
ENDS_THE_PROCESS = "ends the process that asks"


@dataclass(frozen=True)
class Edge:
    """A question at the edge of the definition: labels and scores of one list, or of several as rows.

    Attributes
    ----------
    name, why : str
        What the question is, and why the answer of this package is what it is.
    labels, scores : sequence
    k : int, optional
        The cut-off.
    gain : {"linear", "exponential"}
        The libraries know no exponential gain: they get ``2 ** labels - 1``, in the type that NumPy gives it.
    documents : sequence of str, optional
        Names for pytrec_eval; d0, d1, ... otherwise.
    wrapped : bool
        Whether scikit-learn gets the one list as the only row of a matrix, which is how it wants it.
    """

    name: str
    labels: object
    scores: object
    why: str
    k: int | None = None
    gain: str = "linear"
    documents: tuple = ()
    wrapped: bool = True

    @property
    def gains(self):
        """The labels as the libraries get them."""
        with np.errstate(over="ignore"):
            return np.asarray(self.labels) if self.gain == "linear" else 2 ** np.asarray(self.labels) - 1


def answer(function, *arguments, **options):
    """What the function returns, or the first line of its refusal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the answer is what counts here
        try:
            return function(*arguments, **options)
        except Exception as error:
            return (str(error) or repr(error)).splitlines()[0]


def package_answer(edge):
    """NDCG of this package, of one list or of several, or its refusal."""
    return answer(ndcg, edge.labels, edge.scores, k=edge.k, gain=edge.gain)


def scikit_learn_answer(edge):
    """scikit-learn's ``ndcg_score``, which is the mean over lists, or its refusal."""
    shape = np.atleast_2d if edge.wrapped else np.asarray
    return answer(ndcg_score, shape(edge.gains), shape(edge.scores), k=edge.k)


_CHILD = """
import json, sys
import pytrec_eval

judged, run, measure = json.load(sys.stdin)
try:
    values = pytrec_eval.RelevanceEvaluator(judged, {measure}).evaluate(run)
    answer = [value for query in run for value in values.get(query, {}).values()]
except Exception as error:
    answer = (str(error) or repr(error)).splitlines()[0]
print(json.dumps(answer))
"""


def pytrec_eval_answer(edge):
    """trec_eval's NDCG through pytrec_eval, or its refusal, or what else it does.

    trec_eval is written in C, and some questions end the process that asks them, so each gets one of its own.
    """
    question = json.dumps(_trec_question(edge))
    child = subprocess.run([sys.executable, "-c", _CHILD], input=question, capture_output=True, text=True)
    if child.returncode == 1:  # Python's own: the question was not even asked
        raise RuntimeError(f"pytrec_eval could not be asked: {child.stderr}")
    if child.returncode:
        return ENDS_THE_PROCESS
    answer = json.loads(child.stdout)
    return answer if isinstance(answer, str) or len(answer) > 1 else answer[0] if answer else LEFT_OUT


def _trec_question(edge):
    """Judgements and run as the dictionaries of dictionaries that pytrec_eval takes, and the measure."""
    names = edge.documents or [f"d{i}" for i in range(np.shape(edge.labels)[-1])]
    rows = zip(np.atleast_2d(edge.gains).tolist(), np.atleast_2d(edge.scores).tolist())
    judged, run = {}, {}
    for query, (gains, scores) in enumerate(rows):
        judged[f"q{query}"], run[f"q{query}"] = dict(zip(names, gains)), dict(zip(names, scores))
    return judged, run, "ndcg" if edge.k is None else f"ndcg_cut.{edge.k}"


def edge_table(edges):
    """Markdown table of the edges: the question, then the three answers and the reason below one another.

    Two columns, so that it can be read on a phone.
    """
    lines = ["| asked | answered |", "|:--|:--|"]
    for edge in edges:
        questions = [
            f"**{edge.name}**",
            f"labels {_list_text(edge.labels)}",
            f"scores {_list_text(edge.scores)}",
            f"documents {_list_text(edge.documents)}" if edge.documents else "",
            "" if edge.k is None else f"`k={edge.k}`",
            "" if edge.gain == "linear" else "exponential gain",
        ]
        ask = {"here": package_answer, "scikit-learn": scikit_learn_answer, "pytrec_eval": pytrec_eval_answer}
        answers = [f"{rival} {_answer_text(answer(edge))}" for rival, answer in ask.items()]
        lines.append(
            f"| {' <br> '.join(filter(None, questions))} | {' <br> '.join(answers)} <br> *{edge.why}* |"
        )
    return "\n".join(lines)


def _list_text(values):
    """A list with commas between its values; rows are separated by semicolons."""
    if np.ndim(values) == 2:
        return "; ".join(map(_list_text, values))
    kind = f" ({values.dtype})" if isinstance(values, np.ndarray) else ""
    return (", ".join(str(value) for value in values) or "none") + kind


def _answer_text(answer):
    """Numbers to four digits, in bold; a refusal in its own words, whatever Markdown would make of them."""
    if isinstance(answer, str):
        return (
            answer
            if answer in (LEFT_OUT, ENDS_THE_PROCESS)
            else f"refuses: `{answer.replace('|', chr(92) + '|')}`"
        )
    return f"**{', '.join(f'{value:.4f}' for value in np.atleast_1d(answer))}**"


def agreement(theirs, ours, control, tolerance):
    """Check that a recipe gives a library's numbers on every list, and that the check can fail.

    Parameters
    ----------
    theirs, ours, control : array_like of shape (q,)
        The library's numbers, those of the recipe, and those of a recipe that differs in one convention.
    tolerance : float
        How far two numbers may be apart to be called the same, set before looking.

    Returns
    -------
    gap, missed : float, int
        The widest gap between recipe and library, and on how many lists the control is not the library's
        number.

    Raises
    ------
    AssertionError
        If the recipe misses on any list, or the control on none.

    Examples
    --------
    >>> agreement([0.5, 0.75], [0.5, 0.75], [0.5, 0.7], 1e-12)
    (0.0, 1)
    """
    theirs, ours, control = (np.asarray(values, dtype=float) for values in (theirs, ours, control))
    gap, missed = float(np.abs(ours - theirs).max()), int((~(np.abs(control - theirs) <= tolerance)).sum())
    if not gap <= tolerance:
        raise AssertionError(f"the recipe misses the library by {gap:.3g}, allowed are {tolerance:g}")
    if not missed:
        raise AssertionError("the control agrees with the library on every list: the check cannot fail")
    return gap, missed
