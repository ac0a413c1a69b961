"""The page on what libraries compute: its tables, made of the results."""

import json

import numpy as np

from ndcg_companion.text import markdown
from ndcg_conformance.conventions import cases, standard, value
from ndcg_conformance.libraries import RESULTS


def results():
    """What the libraries answered when they were last asked."""
    return json.loads(RESULTS.read_text(encoding="utf-8"))


def axes(*names):
    """Axes of the cases, all or those of these names, with their choices."""
    entries = cases()["axes"]
    return {name: entries[name] for name in names or entries}


def named(name, library):
    """Markdown: a library with the version that was asked, and of what package if that has another name."""
    package = library["package"]
    equal_names = package.lower().replace("-", "_") == name.lower().replace("-", "_")
    return (
        f"**{name}** {library['version']}" if equal_names else f"**{name}**, {package} {library['version']}"
    )


def library_table(results, axes):
    """Markdown table: what each library's usual call does on each axis; ✓ is the standard."""
    lines = [f"| library | {' | '.join(axes)} |", "|:--|" + ":--|" * len(axes)]
    for name, library in results["libraries"].items():
        if "not run" in library:
            why = f"*not run, because {markdown(library['not run'], code=False)}*"
            lines.append(f"| **{name}** | {why} |{' |' * (len(axes) - 1)}")
            continue
        cells = [_done(library["calls"][0], axis) for axis in axes]
        lines.append(f"| {named(name, library)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _done(call, axis):
    """What a call does on an axis: ✓, another choice, none that is known; or that the caller does it."""
    if axis not in call["conventions"]:
        return "*the caller's*"
    choice = call["conventions"][axis]
    if choice is None:
        answers = [call["answers"][case["name"]] for case in cases()["cases"] if case["axis"] == axis]
        return f"none known: {', '.join(map(_answer_text, answers))}" if len(answers) < 4 else "none known"
    return "✓" if choice == standard()[axis] else choice


def convention_table(results, axes):
    """Markdown table: each convention, what it is, and the call of each library that computes it."""
    lines = ["| convention | computed by |", "|:--|:--|"]
    for axis, entry in axes.items():
        for choice, formula in entry["choices"].items():
            libraries = [
                f"{name}: {markdown(calls[0])}"
                for name, library in results["libraries"].items()
                if (calls := _calls(library, axis, choice))
            ]
            choice_text = f"**{axis}: {choice}** <br> {markdown(formula, code=False)}"
            lines.append(f"| {choice_text} | {' <br> '.join(libraries) or 'none of them'} |")
    return "\n".join(lines)


def _calls(library, axis, choice):
    """The calls of a library that follow a choice, the usual one first."""
    return [call["call"] for call in library.get("calls", []) if call["conventions"].get(axis) == choice]


def option_table(results):
    """Markdown table: each call that is not the usual one, and what it does otherwise than the usual one."""
    lines = ["| library | another call | what it changes |", "|:--|:--|:--|"]
    for name, library in results["libraries"].items():
        first, *more_calls = library.get("calls", [{"conventions": {}}])
        for call in more_calls:
            usual, conventions = first["conventions"], call["conventions"]
            differences = [
                f"{a}: {c or 'none known'}" for a, c in conventions.items() if c != usual.get(a, c)
            ]
            differences += [f"{a}: not asked" for a in usual if a not in conventions]
            lines.append(f"| {name} | {markdown(call['call'])} | {', '.join(differences)} |")
    return "\n".join(lines)


def way_back(results):
    """Markdown: of each call, where it leaves the standard convention, and the call here for its numbers."""
    blocks = []
    for name, library in results["libraries"].items():
        blocks.append(f"**{name}**\n")
        for call in library.get("calls", []):
            choices = call["conventions"].items()
            departures = [f"{a} {c or 'none that is known'}" for a, c in choices if c != standard()[a]]
            blocks += [
                f"{markdown(call['call'])}: {', '.join(departures) or 'the standard convention'}.\n",
                f"```python\n{call['here'] or '# no single call gives these numbers'}\n```\n",
            ]
    return "\n".join(blocks)


def surprise(results, name, case, axis, choice=None, call=0):
    """Markdown: a case, what a library's call answers and would with another choice on one axis; a draft.

    The draft is for the library's tracker: the same facts, and a question. The other choice is the standard
    one unless said otherwise.
    """
    library, choice = results["libraries"][name], choice or standard()[axis]
    answer_set = library["calls"][call]
    listed = next(entry for entry in cases()["cases"] if entry["name"] == case)
    refusal = (
        f", in its words {markdown(answer_set['refusals'][case])}" if case in answer_set["refusals"] else ""
    )
    choices = {axis: choice for axis, choice in answer_set["conventions"].items() if choice}
    by_choice = value(listed, standard() | choices | {axis: choice})
    answer = f"**{_answer_text(answer_set['answers'][case])}**"
    facts = [
        f"- The list: {'; '.join(map(_query_text, listed['queries']))}; "
        + ("no cut-off." if listed["k"] is None else f"cut at {listed['k']}."),
        f"- {name} {library['version']}, {markdown(answer_set['call'])}: {answer}{refusal}.",
        f"- All else as it is there, but *{axis}: {choice}*: **{_answer_text(by_choice)}**.",
    ]
    question = (
        "Is this intended? If it is, a sentence in the documentation would help who compares libraries."
    )
    draft = [fact.replace("All else as it is there", "All else as it is") for fact in facts]
    return "\n".join([*facts, "", ":::{dropdown} Draft of a report", *draft, "", question, ":::"])


def _query_text(query):
    parts = (("documents", ""), ("labels", "unjudged"), ("scores", "not returned"))
    listed = (
        f"{part} {', '.join(absent if x is None else str(x) for x in query[part])}" for part, absent in parts
    )
    return ", ".join(listed).replace("documents ", "")


def _answer_text(answer):
    return answer if isinstance(answer, str) else f"{answer:.4g}"


def mean_distances(results, labels, scores, k):
    """How far each library's usual call is from the standard convention, on average over lists.

    Parameters
    ----------
    results : dict
    labels, scores : ndarray of shape (q, n)
    k : int
        The cut-off.

    Returns
    -------
    dict of str to float
        By name of the library.
    """
    queries = _queries(labels, scores)
    of_all = lambda setting: np.array([value({"k": k, "queries": [query]}, setting) for query in queries])
    usual = of_all(standard() | {"empty": "0"})
    # No list is empty or holds anything that could be refused.
    settings = {name: setting | {"empty": "0"} for name, setting in _usual_settings(results).items()}
    return {name: float(np.abs(of_all(setting) - usual).mean()) for name, setting in settings.items()}


def means(results, labels, scores, k):
    """The mean NDCG of lists under the conventions of each library's usual call, computed here.

    Where a convention of a call is not known, or is the caller's, the standard one is put in. Some lists may
    have nothing to find.

    Parameters
    ----------
    results : dict
    labels, scores : ndarray of shape (q, n)
    k : int
        The cut-off.

    Returns
    -------
    dict of str to float
        By name of the library.
    """
    case = {"k": k, "queries": _queries(labels, scores)}
    return {name: float(value(case, setting)) for name, setting in _usual_settings(results).items()}


def _queries(labels, scores):
    """Lists as a case has them, with names in the order of the arrays."""
    named = [f"d{i}" for i in range(labels.shape[1])]
    return [{"documents": named, "labels": y, "scores": s} for y, s in zip(labels.tolist(), scores.tolist())]


def _usual_settings(results):
    """The conventions of each library's usual call, the standard one where none is known, by library."""
    return {
        name: standard() | {axis: choice for axis, choice in call["conventions"].items() if choice}
        for name, library in results["libraries"].items()
        for call in library.get("calls", [])[:1]
    }
