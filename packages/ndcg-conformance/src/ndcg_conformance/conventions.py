"""Compute NDCG under given conventions, and infer the conventions from answers.

A setting maps each axis of ``cases.json`` to one of its choices. The values under a setting are computed with
the measures of ``ndcg_companion``. A setting that is inferred from a library's answers therefore also
determines a call of ``ndcg_companion`` that gives the library's numbers.
"""

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain, groupby, permutations, product
from statistics import mean

import numpy as np
from jinja2 import Template

from ndcg_companion.measures import Zipf, dcg, ideal_dcg

TOLERANCE = 1e-6  # allows for libraries that sum in single precision
CORE = ("gain", "discount", "ideal")
_SETTLED_BY_ORDERS = ("average", "best", "worst")


@cache
def cases():
    """Return the axes, with their choices, and the cases of ``cases.json``."""
    return json.loads(files(__package__).joinpath("cases.json").read_text(encoding="utf-8"))


def standard():
    """Return the standard setting, which is the first choice of every axis.

    >>> standard()["ties"]
    'average'
    """
    return {axis: next(iter(entry["choices"])) for axis, entry in cases()["axes"].items()}


_LOG2_DISCOUNT = lambda r: 1 / np.log2(1 + r)
_no_discount_before_base = lambda base: (lambda r: 1 / np.maximum(1, np.log(r) / np.log(base)),) * 2
# The discounts of the DCG and of the ideal DCG.
_DISCOUNTS = {
    "log": (_LOG2_DISCOUNT, _LOG2_DISCOUNT),
    "base-e": _no_discount_before_base(np.exp(1.0)),
    **{f"base-{base}": _no_discount_before_base(base) for base in range(2, 11)},
    "reciprocal": (Zipf(), Zipf()),
    "shifted": (lambda r: 1 / np.log2(2 + r),) * 2,
    "unequal-bases": (lambda r: 1 / np.log1p(r), _LOG2_DISCOUNT),
}
_GAINS = {"linear": "linear", "exponential": "exponential", "binary": lambda g: (g > 0).astype(float)}


def value(case, setting):
    """Return the NDCG of a case under a setting: a number or a word.

    Parameters
    ----------
    case : mapping
        A case as in ``cases.json``, with the cut-off ``k`` and with ``queries``, each of which has documents,
        labels and scores.
    setting : mapping of str to str
        A choice for each axis.

    Returns
    -------
    float or str
        A number, or one of the words "undefined", "refused" and "left-out".

    Examples
    --------
    >>> tied = {"k": None, "queries": [{"documents": ["a", "b"], "labels": [0, 1], "scores": [1, 1]}]}
    >>> value(tied, standard() | {"ties": "name-descending"})
    1.0
    """
    return mean_of(_value_of_query(query, case["k"], setting) for query in case["queries"])


def mean_of(values):
    """Return the mean of values over queries, or a word if there is no mean.

    Queries with the word "left-out" do not count.
    """
    values = [answer for answer in values if answer != "left-out"]
    for word in ("refused", "undefined"):
        if word in values:
            return word
    return mean(values) if values else "left-out"


def _value_of_query(query, k, setting):
    """Return the NDCG of a query under a setting, or the word that the setting gives."""
    if k == 0 and setting["zero"] != "whole":
        return _value_of_choice(setting["zero"])
    # Documents without a label were not judged, and documents without a score were not returned.
    labels, scores = (np.array(query[name], dtype=float) for name in ("labels", "scores"))
    grades, is_judged, is_listed = np.nan_to_num(labels), ~np.isnan(labels), ~np.isnan(scores)
    if setting["negative"] == "removed":
        is_listed, is_judged = is_listed & (grades >= 0), is_judged & (grades >= 0)
    if setting["unjudged"] == "removed":
        is_listed &= is_judged
    if _is_refused(grades, ~np.isnan(labels), int(is_listed.sum()), k, setting):
        return "refused"
    if not is_listed.any():
        return _value_of_choice(setting["unreturned"])
    grades = {"truncated": np.trunc, "rounded": np.round}.get(setting["grades"], np.asarray)(grades)
    grades = grades if setting["negative"] == "used" else np.maximum(grades, 0)
    scores = scores.astype(np.float32 if setting["precision"] == "single" else float)
    order = np.flatnonzero(is_listed)  # the order that documents with equal scores keep
    if setting["ties"].startswith("name"):
        order = sorted(order, key=lambda position: query["documents"][position])
    if setting["ties"] in ("reverse", "name-descending"):
        order = order[::-1]
    return _ratio(grades[order], scores[order], grades[is_judged], k or None, len(grades), setting)


def _is_refused(grades, is_judged, size, k, setting):
    """Return whether a setting refuses a query because of its contents.

    ``size`` is the number of documents in the list.
    """
    highest = {"counted": np.inf, "to-30": 30, "to-31": 31}[setting["high"]]
    return (
        (setting["negative"] == "refused" and (grades < 0).any())
        or (setting["unjudged"] == "refused" and not is_judged.all())
        or (setting["grades"] == "refused" and (grades % 1 != 0).any())
        or (setting["beyond"] == "refused" and (k or 0) > size > 0)
        or (setting["short"] == "refused" and size == 1)
        or (grades > highest).any()
    )


def _value_of_choice(choice):
    """Return the word that a choice names, or the number that it contains."""
    return choice if choice in ("undefined", "refused", "left-out") else float(choice)


def _ratio(labels, scores, judged, k, document_count, setting):
    """Return DCG divided by ideal DCG, or the setting's choice for an empty query.

    Parameters
    ----------
    labels, scores : ndarray
        The labels and scores of the documents in the list, in the order that tied documents keep.
    judged : ndarray
        The labels of all judged documents.
    k : int or None
        The cut-off.
    document_count : int
        The number of documents of the query, whether or not they are in the list.
    setting : mapping of str to str
        The choice on each axis.
    """
    ties, ideal = setting["ties"], setting["ideal"]
    if ideal == "first-k" and ties in _SETTLED_BY_ORDERS:
        # The order of ties determines the first documents, and these determine the ideal, so all orders are
        # tried.
        by_position = setting | {"ties": "position"}
        falling_scores = -np.arange(len(labels))
        values = [
            _ratio(labels[order], falling_scores, judged, k, document_count, by_position)
            for order in _orders(scores)
        ]
        word = next((ratio for ratio in values if isinstance(ratio, str)), None)
        return word or {"average": mean, "best": max, "worst": min}[ties](values)
    discount, ideal_discount = _DISCOUNTS[setting["discount"]]
    gain_option = {"gain": _GAINS[setting["gain"]]}
    tie_rule = ties if ties in _SETTLED_BY_ORDERS else "stable"
    dcg_sum = dcg(labels, scores, discount=discount, k=k, ties=tie_rule, **gain_option)
    top_items = np.argsort(-scores.astype(float), kind="stable")[:k]
    # For each choice, the labels of the ideal list and its cut-off.
    ideal_labels = {"list": labels, "list-uncut": labels, "first-k": labels[top_items]}.get(ideal, judged)
    ideal_cutoff = {
        "judged-uncut": None,
        "list-uncut": None,
        "judged-length": min(k or document_count, len(labels)),
    }.get(ideal, k)
    ideal_sum = ideal_dcg(ideal_labels, discount=ideal_discount, k=ideal_cutoff, **gain_option)
    if ideal == "k-hits" and ideal_sum > 0:  # the ideal list has k documents with gain 1
        ideal_sum = ideal_discount(np.arange(1, (k or document_count) + 1)).sum()
    if ideal == "undivided":
        ideal_sum = 1.0
    return float(dcg_sum / ideal_sum) if ideal_sum > 0 else _value_of_choice(setting["empty"])


def _orders(scores):
    """Return all orders of the items that agree with the scores, as lists of positions."""
    by_score = sorted(range(len(scores)), key=lambda item: -scores[item])
    groups = [[*tied_items] for _, tied_items in groupby(by_score, key=lambda item: scores[item])]
    # Each group of ties can be in any order, independently of the others.
    return [[*chain(*orders)] for orders in product(*map(permutations, groups))]


@dataclass(frozen=True)
class Reading:
    """The conventions that fit a set of answers.

    Attributes
    ----------
    choices : dict of str to str or None
        The choice on each axis about which questions were asked, or None if no known choice explains the
        answers.
    agree, asked : int
        The number of answers that the choices explain, and the number of all answers.
    unexplained : frozenset of str
        The names of the cases whose answers the choices do not explain.
    """

    choices: dict
    agree: int
    asked: int
    unexplained: frozenset[str] = frozenset()

    @property
    def setting(self):
        """Return the choices, with the standard choice on all other axes."""
        return standard() | {axis: choice for axis, choice in self.choices.items() if choice}

    @property
    def known(self):
        """Return whether known choices explain the answers on every axis asked about."""
        return None not in self.choices.values()


def agrees(answer, expected):
    """Return whether an answer is the expected number or word.

    >>> agrees(0.5, 0.5000001), agrees("refused", 0.5)
    (True, False)
    """
    if isinstance(answer, str) or isinstance(expected, str):
        # A library that leaves queries out may return NaN as the mean over no queries.
        return answer == expected or (answer, expected) == ("undefined", "left-out")
    return abs(answer - expected) <= TOLERANCE


def classify(answers):
    """Return the choice on each axis that explains the answers.

    Parameters
    ----------
    answers : mapping of str to float or str
        The answers by the name of the case. An answer is a number, "undefined", "refused", "left-out", or
        another event such as "crashed".

    Returns
    -------
    Reading

    Notes
    -----
    Gain, discount and ideal are determined together, from cases on which no other axis matters. The other
    axes follow in the order of the file, which begins with ties. Each axis is determined given the choices on
    the axes before it.
    """
    answered_cases = [case for case in cases()["cases"] if case["name"] in answers]
    setting, choices = _best_core(answers, answered_cases)
    only_refused = all(answer == "refused" for answer in answers.values())
    for axis in cases()["axes"]:
        cases_of_axis = [case for case in answered_cases if case["axis"] == axis]
        if cases_of_axis and axis not in CORE:
            choices[axis] = None if only_refused else _choice(answers, cases_of_axis, axis, setting)
            setting[axis] = choices[axis] or setting[axis]
    unexplained = frozenset(
        case["name"] for case in answered_cases if not agrees(answers[case["name"]], value(case, setting))
    )
    return Reading(choices, len(answered_cases) - len(unexplained), len(answered_cases), unexplained)


@cache
def _core_table():
    """Return each setting of gain, discount and ideal, with its values on the core cases."""
    gains, discounts, ideals = (cases()["axes"][axis]["choices"] for axis in CORE)
    # "base-b" does not discount before rank b. Those that cases.json lacks between 2 and 10 are added.
    discounts = [*discounts, *(f"base-{base}" for base in range(6, 10))]
    settings = [
        standard() | {"gain": gain, "discount": discount, "ideal": ideal}
        for gain, ideal, discount in product(gains, ideals, discounts)
    ]
    core_cases = [case for case in cases()["cases"] if case["axis"] in CORE]
    return [(setting, {case["name"]: value(case, setting) for case in core_cases}) for setting in settings]


def _best_core(answers, answered_cases):
    """Return the setting of gain, discount and ideal that explains the most answers.

    The setting has the standard choice on all other axes. The second return value maps the three axes to the
    setting's choices if they explain all answers, and to None otherwise.
    """
    # A refusal of cut-offs beyond the list says nothing about gain, discount and ideal.
    case_names = [
        case["name"]
        for case in answered_cases
        if case["axis"] in CORE and not (answers[case["name"]] == "refused" and _cutoff_exceeds_list(case))
    ]
    # If the convention gives no number either, the axis of empty queries determines the answer.
    count_explained = lambda values: sum(
        isinstance(values[name], str) or agrees(answers[name], values[name]) for name in case_names
    )
    table = _core_table()
    counts = [count_explained(values) for _, values in table]
    setting, _ = table[counts.index(max(counts))]  # of several such settings, the first
    explains_all = max(counts) == len(case_names)
    return dict(setting), {axis: setting[axis] if explains_all else None for axis in CORE}


def _cutoff_exceeds_list(case):
    """Return whether the cut-off of a case is beyond the end of one of its lists."""
    sizes = [sum(score is not None for score in query["scores"]) for query in case["queries"]]
    return (case["k"] or 0) > min(sizes)


def _choice(answers, cases_of_axis, axis, setting):
    """Return the first choice that explains all answers about an axis.

    A choice that is named like the most frequent answer is tried first.
    """
    fitting_choices = [
        choice
        for choice in cases()["axes"][axis]["choices"]
        if all(agrees(answers[case["name"]], value(case, setting | {axis: choice})) for case in cases_of_axis)
    ]
    answers_of_axis = [answers[case["name"]] for case in cases_of_axis]
    counts = Counter(answer if isinstance(answer, str) else f"{answer:g}" for answer in answers_of_axis)
    [(most_frequent, _)] = counts.most_common(1)
    named_choices = [choice for choice in fitting_choices if choice == most_frequent]
    return next(iter(named_choices or fitting_choices), None)


def recipe(setting):
    """Return code that computes the numbers of a setting, or None.

    The code is a call of ``ndcg_companion``, possibly after lines that prepare the call. The code uses the
    arrays ``labels`` and ``scores`` of the returned documents, the ``names`` of these documents, the labels
    ``judged`` of all judged documents, and a cut-off ``k``, which may be None.

    >>> print(recipe(standard() | {"gain": "exponential", "ideal": "list", "ties": "position", "empty": "1"}))
    ndcg(labels, scores, k=k, gain='exponential', ties='stable', empty=1)

    The result is None for discounts other than the standard one, and for an ideal list that depends on the
    ranking.
    """
    if setting["discount"] != "log" or setting["ideal"] in ("first-k", "undivided"):
        return None
    template = files(__package__).joinpath("templates/recipe.txt").read_text(encoding="utf-8")
    return Template(template, trim_blocks=True, lstrip_blocks=True).render(setting).strip()
