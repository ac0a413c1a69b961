"""Make the tables for the page on what libraries compute, from the results."""

import json

import numpy as np

from ndcg_companion.text import markdown
from ndcg_conformance.conventions import cases, standard, value
from ndcg_conformance.libraries import RESULTS


def results():
    """Return the latest answers of the libraries."""
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def axes(*names):
    """Return the axes with these names, or all axes, with their choices."""
    entries = cases()["axes"]
    return {name: entries[name] for name in names or entries}


def named(name, library):
    """Return a library's name and version, and its package if different, as Markdown."""
    package, version = library["package"], library["version"]
    has_same_name = package.lower().replace("-", "_") == name.lower().replace("-", "_")
    return f"**{name}** {version}" if has_same_name else f"**{name}**, {package} {version}"


def library_table(results, axes):
    """Return a Markdown table of each library's choices in its usual call.

    ✓ stands for the standard choice.
    """
    lines = [f"| library | {' | '.join(axes)} |", "|:--|" + ":--|" * len(axes)]
    for name, library in results["libraries"].items():
        if "not run" in library:
            reason = f"*not run, because {markdown(library['not run'], code=False)}*"
            lines.append(f"| **{name}** | {reason} |{' |' * (len(axes) - 1)}")
            continue
        usual_call, *_ = library["calls"]
        cells = [_choice_cell(usual_call, axis) for axis in axes]
        lines.append(f"| {named(name, library)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _choice_cell(call, axis):
    """Return the cell of the table that shows a call's choice on an axis.

    The cell contains ✓, the name of another choice, "none known", or a note that the caller determines the
    choice.
    """
    if axis not in call["conventions"]:
        return "*the caller's*"
    choice = call["conventions"][axis]
    if choice is None:
        answers = [call["answers"][case["name"]] for case in cases()["cases"] if case["axis"] == axis]
        return f"none known: {', '.join(map(_answer_text, answers))}" if len(answers) < 4 else "none known"
    return "✓" if choice == standard()[axis] else choice


def convention_table(results, axes):
    """Return a Markdown table of the conventions, with the calls that compute each."""
    lines = ["| convention | computed by |", "|:--|:--|"]
    for axis, entry in axes.items():
        for choice, formula in entry["choices"].items():
            libraries = [
                f"{name}: {markdown(call)}"
                for name, library in results["libraries"].items()
                for call in _calls_with_choice(library, axis, choice)[:1]
            ]
            choice_text = f"**{axis}: {choice}** <br> {markdown(formula, code=False)}"
            lines.append(f"| {choice_text} | {' <br> '.join(libraries) or 'none of them'} |")
    return "\n".join(lines)


def _calls_with_choice(library, axis, choice):
    """Return the calls of a library that follow a choice, the usual call first."""
    return [call["call"] for call in library.get("calls", []) if call["conventions"].get(axis) == choice]


def option_table(results):
    """Return a Markdown table of each library's other calls and their effects."""
    lines = ["| library | another call | what it changes |", "|:--|:--|:--|"]
    for name, library in results["libraries"].items():
        usual_call, *more_calls = library.get("calls", [{"conventions": {}}])
        usual_choices = usual_call["conventions"]
        for call in more_calls:
            choices = call["conventions"]
            differences = [
                f"{axis}: {choice or 'none known'}"
                for axis, choice in choices.items()
                if choice != usual_choices.get(axis, choice)
            ]
            differences += [f"{axis}: not asked" for axis in usual_choices if axis not in choices]
            lines.append(f"| {name} | {markdown(call['call'])} | {', '.join(differences)} |")
    return "\n".join(lines)


def way_back(results):
    """Return, as Markdown, code of this package for each call of each library.

    Each call is followed by the choices that differ from the standard, and by the code.
    """
    blocks = []
    for name, library in results["libraries"].items():
        blocks.append(f"**{name}**\n")
        for call in library.get("calls", []):
            other_choices = [
                f"{axis} {choice or 'none that is known'}"
                for axis, choice in call["conventions"].items()
                if choice != standard()[axis]
            ]
            blocks += [
                f"{markdown(call['call'])}: {', '.join(other_choices) or 'the standard convention'}.\n",
                f"```python\n{call['here'] or '# no single call gives these numbers'}\n```\n",
            ]
    return "\n".join(blocks)


def surprise(results, name, case, axis, choice=None, call=0):
    """Return, as Markdown, a library's surprising answer and a draft report on it.

    Parameters
    ----------
    results : dict
        The results.
    name, case, axis : str
        The names of the library, of the case and of the axis.
    choice : str, optional
        The choice with which the answer is compared. The default is the standard choice.
    call : int
        The index of the call among the library's calls.

    Notes
    -----
    The draft is for the library's issue tracker. The draft states the same facts and adds a question.
    """
    library, choice = results["libraries"][name], choice or standard()[axis]
    call_entry = library["calls"][call]
    case_entry = next(entry for entry in cases()["cases"] if entry["name"] == case)
    answer, refusal = f"**{_answer_text(call_entry['answers'][case])}**", ""
    if case in call_entry["refusals"]:
        refusal = f", in its words {markdown(call_entry['refusals'][case])}"
    known_choices = {
        key: known_choice for key, known_choice in call_entry["conventions"].items() if known_choice
    }
    value_of_choice = value(case_entry, standard() | known_choices | {axis: choice})
    fact_lines = [
        f"- The list: {'; '.join(map(_query_text, case_entry['queries']))}; "
        + ("no cut-off." if case_entry["k"] is None else f"cut at {case_entry['k']}."),
        f"- {name} {library['version']}, {markdown(call_entry['call'])}: {answer}{refusal}.",
        f"- With everything else unchanged, but *{axis}: {choice}*: **{_answer_text(value_of_choice)}**.",
    ]
    question = (
        "Is this intended? If it is, a sentence in the documentation would help people who compare libraries."
    )
    return "\n".join([*fact_lines, "", ":::{dropdown} Draft of a report", *fact_lines, "", question, ":::"])


def _query_text(query):
    """Return the documents, labels and scores of a query as text."""
    labels = ["unjudged" if label is None else str(label) for label in query["labels"]]
    scores = ["not returned" if score is None else str(score) for score in query["scores"]]
    documents = ", ".join(query["documents"])
    return f"{documents}, labels {', '.join(labels)}, scores {', '.join(scores)}"


def _answer_text(answer):
    return answer if isinstance(answer, str) else f"{answer:.4g}"


def mean_distances(results, labels, scores, k):
    """Return how far each library is from the standard convention on average.

    Parameters
    ----------
    results : dict
        The results.
    labels, scores : ndarray of shape (q, n)
        The labels and scores of q lists.
    k : int
        The cut-off.

    Returns
    -------
    dict of str to float
        The mean absolute difference of NDCG for each library's usual call, by name.
    """
    queries = _queries(labels, scores)
    values = lambda setting: np.array([value({"k": k, "queries": [query]}, setting) for query in queries])
    standard_values = values(standard() | {"empty": "0"})
    # These lists are not empty and contain nothing that a library could refuse.
    settings = {name: setting | {"empty": "0"} for name, setting in _usual_settings(results).items()}
    return {
        name: float(np.abs(values(setting) - standard_values).mean()) for name, setting in settings.items()
    }


def means(results, labels, scores, k):
    """Return the mean NDCG of lists under each library's conventions, as computed here.

    Parameters
    ----------
    results : dict
        The results.
    labels, scores : ndarray of shape (q, n)
        The labels and scores of q lists. Some lists may have no relevant document.
    k : int
        The cut-off.

    Returns
    -------
    dict of str to float
        The mean for each library's usual call, by name.

    Notes
    -----
    The standard convention replaces conventions that are unknown or that the caller determines.
    """
    case = {"k": k, "queries": _queries(labels, scores)}
    return {name: float(value(case, setting)) for name, setting in _usual_settings(results).items()}


def _queries(labels, scores):
    """Return lists in the form of a case, with document names in the arrays' order."""
    documents = [f"d{number}" for number in range(labels.shape[1])]
    return [
        {"documents": documents, "labels": list_labels, "scores": list_scores}
        for list_labels, list_scores in zip(labels.tolist(), scores.tolist())
    ]


def _usual_settings(results):
    """Return the setting of each library's usual call, by name.

    The standard choice replaces an unknown choice.
    """
    return {
        name: standard() | {axis: choice for axis, choice in call["conventions"].items() if choice}
        for name, library in results["libraries"].items()
        for call in library.get("calls", [])[:1]
    }
