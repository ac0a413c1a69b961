"""Ask scikit-learn and pytrec_eval where conventions matter, and check recipes."""

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
    """A question at the edge of the definition of NDCG, about one or several lists.

    Attributes
    ----------
    name, why : str
        The name of the question, and the reason for the answer of this package.
    labels, scores : sequence
        The labels and scores of the items.
    k : int, optional
        The cut-off.
    gain : {"linear", "exponential"}
        The gain. Because the libraries have no exponential gain, they receive ``2 ** labels - 1`` in the type
        that NumPy gives this expression.
    documents : sequence of str, optional
        The names of the documents for pytrec_eval. The default is d0, d1, ...
    wrapped : bool
        Whether a single list is passed to scikit-learn as the only row of a matrix, as scikit-learn requires.
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
        """Return the gains that the libraries receive as labels."""
        with np.errstate(over="ignore"):
            return np.asarray(self.labels) if self.gain == "linear" else 2 ** np.asarray(self.labels) - 1


def answer(function, *arguments, **options):
    """Return the result of a function, or the first line of its exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # only the answer matters here
        try:
            return function(*arguments, **options)
        except Exception as error:
            return (str(error) or repr(error)).splitlines()[0]


def package_answer(edge):
    """Return the NDCG that ``ndcg_companion`` computes for an edge, or its error."""
    return answer(ndcg, edge.labels, edge.scores, k=edge.k, gain=edge.gain)


def scikit_learn_answer(edge):
    """Return scikit-learn's ``ndcg_score``, a mean over lists, or its error."""
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
    """Return the NDCG of pytrec_eval, or a text that says what it does instead.

    Notes
    -----
    trec_eval is written in C, and some questions end its process. Each question therefore gets its own
    process.
    """
    question = json.dumps(_trec_question(edge))
    child = subprocess.run([sys.executable, "-c", _CHILD], input=question, capture_output=True, text=True)
    if child.returncode == 1:  # after an uncaught Python exception, the question was not asked
        raise RuntimeError(f"pytrec_eval could not be asked: {child.stderr}")
    if child.returncode:
        return ENDS_THE_PROCESS
    values = json.loads(child.stdout)  # the values of the queries that count, or the text of an error
    if values == []:
        return LEFT_OUT
    return values if isinstance(values, str) or len(values) > 1 else values[0]


def _trec_question(edge):
    """Return the judgements, the run and the measure in pytrec_eval's form."""
    document_names = edge.documents or [f"d{i}" for i in range(np.shape(edge.labels)[-1])]
    query_rows = zip(np.atleast_2d(edge.gains).tolist(), np.atleast_2d(edge.scores).tolist())
    judged, run = {}, {}
    for number, (gains, scores) in enumerate(query_rows):
        judged[f"q{number}"] = dict(zip(document_names, gains))
        run[f"q{number}"] = dict(zip(document_names, scores))
    return judged, run, "ndcg" if edge.k is None else f"ndcg_cut.{edge.k}"


def edge_table(edges):
    """Return a Markdown table with the answers to edge questions, and the reasons.

    Notes
    -----
    The table has two columns, so that it can be read on a phone.
    """
    lines = ["| asked | answered |", "|:--|:--|"]
    answer_functions = {
        "here": package_answer,
        "scikit-learn": scikit_learn_answer,
        "pytrec_eval": pytrec_eval_answer,
    }
    for edge in edges:
        question_parts = [
            f"**{edge.name}**",
            f"labels {_list_text(edge.labels)}",
            f"scores {_list_text(edge.scores)}",
            f"documents {_list_text(edge.documents)}" if edge.documents else "",
            "" if edge.k is None else f"`k={edge.k}`",
            "" if edge.gain == "linear" else "exponential gain",
        ]
        question = " <br> ".join(filter(None, question_parts))
        answers = [f"{name} {_answer_text(ask(edge))}" for name, ask in answer_functions.items()]
        lines.append(f"| {question} | {' <br> '.join(answers)} <br> *{edge.why}* |")
    return "\n".join(lines)


def _list_text(values):
    """Return a list as text, with semicolons between rows."""
    if np.ndim(values) == 2:
        return "; ".join(map(_list_text, values))
    kind = f" ({values.dtype})" if isinstance(values, np.ndarray) else ""
    return (", ".join(str(value) for value in values) or "none") + kind


def _answer_text(answer):
    """Return an answer as text: numbers in bold with four decimals, or the refusal."""
    if not isinstance(answer, str):
        return f"**{', '.join(f'{value:.4f}' for value in np.atleast_1d(answer))}**"
    if answer in (LEFT_OUT, ENDS_THE_PROCESS):
        return answer
    refusal = answer.replace("|", r"\|")  # a vertical line would end the cell of the table
    return f"refuses: `{refusal}`"


def agreement(theirs, ours, control, tolerance):
    """Return how well a recipe reproduces a library, and how often a control fails.

    Parameters
    ----------
    theirs, ours, control : array_like of shape (q,)
        The library's numbers, the recipe's numbers, and the numbers of a recipe that differs in one
        convention.
    tolerance : float
        The largest difference at which numbers count as equal, chosen in advance.

    Returns
    -------
    gap : float
        The largest difference between recipe and library.
    missed : int
        The number of lists on which the control differs from the library.

    Raises
    ------
    AssertionError
        If the recipe differs from the library on any list, or if the control differs on none.

    Examples
    --------
    >>> agreement([0.5, 0.75], [0.5, 0.75], [0.5, 0.7], 1e-12)
    (0.0, 1)
    """
    theirs, ours, control = (np.asarray(values, dtype=float) for values in (theirs, ours, control))
    largest_difference = float(np.abs(ours - theirs).max())
    control_failures = int((~(np.abs(control - theirs) <= tolerance)).sum())  # with ~ <=, NaN is a failure
    if not largest_difference <= tolerance:
        raise AssertionError(
            f"expected a recipe within {tolerance:g} of the library, got {largest_difference:.3g}"
        )
    if not control_failures:
        raise AssertionError("expected a control that differs from the library on some list, got none")
    return largest_difference, control_failures
