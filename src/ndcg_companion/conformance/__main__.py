"""The command line: ``python -m ndcg_companion.conformance MODULE:FUNCTION``."""

import argparse
import importlib
import inspect
import json
import sys
from numbers import Real
from pathlib import Path

import numpy as np

from ndcg_companion.measures.checks import fail_if
from ndcg_companion.text import shown

from . import libraries, runners
from .conventions import cases, classify, mean_of, standard

ABOUT = """What does your function compute? It is called as FUNCTION(labels, scores, k=k) with arrays of one
list and a cut-off (None: none) and gives a number; None leaves the query out of the mean, NaN is undefined,
an exception is a refusal. If it has a parameter 'documents' it gets their names, and with 'judged' the labels
of all that was judged."""


def main(arguments=None):
    """0 if every answer follows a known convention, 1 if some do not (or results differ), 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m ndcg_companion.conformance", description=ABOUT)
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION")
    parser.add_argument("--libraries", metavar="DIR", help="ask all libraries, with environments in DIR")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=list(runners.LIBRARIES), help="of these")
    parser.add_argument("--output", metavar="FILE", help="where results go")
    parser.add_argument("--diff", nargs=2, metavar=("OLD", "NEW"), help="compare two files of results")
    asked = parser.parse_args(arguments)
    try:
        fail_if(
            sum(map(bool, (asked.function, asked.libraries, asked.diff))) != 1,
            "expected MODULE:FUNCTION, --libraries DIR or --diff OLD NEW (and one of them)",
        )
        fail_if(
            asked.only and not asked.output,
            "--only: expected --output FILE, too, so that the results of all libraries stay",
        )
        if asked.libraries:
            results = libraries.ask_all(asked.libraries, asked.only)
            text = json.dumps(results, indent=1, ensure_ascii=False)
            Path(asked.output or libraries.RESULTS).write_text(f"{text}\n", "utf-8")
            return 0
        return _differ(*asked.diff) if asked.diff else _show(asked.function)
    except ValueError as error:
        print(f"conformance: {shown(error, most=500)}", file=sys.stderr)
        return 2


def _differ(old, new):
    """What the new results say otherwise, printed."""
    lines = libraries.differences(_results(old), _results(new))
    print("\n".join(shown(line, most=500) for line in lines) or "no answer differs")
    return bool(lines)


def _results(path):
    try:
        return {"libraries": dict(json.loads(Path(path).read_text(encoding="utf-8"))["libraries"])}
    except (OSError, ValueError, TypeError, KeyError):
        raise ValueError(f"{path}: expected a file of results, as --libraries writes it") from None


def _show(name):
    """The row of a function, printed."""
    reading = classify(answers_of(function_named(name)))
    print(f"{shown(name)}: {reading.agree} of {reading.asked} answers follow the conventions below")
    for axis, choice in reading.choices.items():
        usual = standard()[axis]
        instead = "" if choice == usual else f" instead of {usual}"
        print(f"  {axis:<11}{choice or 'none that is known'}{instead}")
    return int(not reading.known)


def function_named(name):
    """The function that MODULE:FUNCTION names."""
    module, _, function = name.partition(":")
    fail_if(
        not (module and function),
        f"{name!r}: expected MODULE:FUNCTION, such as ndcg_companion.measures:ndcg",
    )
    sys.path.insert(0, "")
    try:
        found = getattr(importlib.import_module(module), function)
    except Exception as error:  # whatever the module does when it is imported
        raise ValueError(f"{name!r} could not be imported: {error!r}") from None
    fail_if(not callable(found), f"{name!r}: expected a function, got {found!r}")
    return found


def answers_of(function):
    """What a function answers, by name of the case."""
    try:
        takes = set(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        takes = {"k"}
    return {
        case["name"]: mean_of(_of_query(function, query, case["k"], takes) for query in case["queries"])
        for case in cases()["cases"]
        if case["axis"] not in runners.NOT_ASKED["arrays"] and ("k" in takes or case["k"] is None)
    }


def _of_query(function, query, k, takes):
    documents, labels, scores = map(list, runners.returned(query))
    known = {"k": k, "documents": documents, "judged": np.array([*runners.judgements(query).values()])}
    try:
        value = function(
            np.array(labels), np.array(scores), **{name: known[name] for name in known if name in takes}
        )
    except Exception:  # a refusal, in whatever words
        return "refused"
    if value is None:
        return "left-out"
    is_number = isinstance(value, (Real, np.ndarray)) and not np.ndim(value)
    fail_if(not is_number, f"the function gave {value!r}: expected a number")
    return float(value) if np.isfinite(value) else "undefined"


if __name__ == "__main__":
    sys.exit(main())
