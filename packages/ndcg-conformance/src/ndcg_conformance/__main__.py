"""The command line: ``python -m ndcg_conformance MODULE:FUNCTION``."""

import argparse
import importlib
import inspect
import json
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from math import isfinite
from numbers import Real
from pathlib import Path

import numpy as np

from ndcg_companion.checks import fail_if
from ndcg_companion.exits import Output, complain, open_streams, own_error
from ndcg_companion.text import escaped

from . import libraries, runners
from .conventions import CORE, cases, classify, mean_of, standard

ABOUT = """What does your function compute? It is called as FUNCTION(labels, scores, k=k) with arrays of one
list and a cut-off (None: none) and gives a number; None leaves the query out of the mean, NaN is undefined,
an exception is a refusal, and one on every call is shown. If it has a parameter 'documents' it gets their
names, and with 'judged' the labels of all that was judged."""


def main(arguments=None):
    """The exit code: 0 if every answer follows a known convention, 1 if some do not.

    1, too, if results differ, or no library could be asked; 2 for bad input, 3 for an error of the program's
    own.
    """
    open_streams()
    words = sys.argv[1:] if arguments is None else [*arguments]
    parser = argparse.ArgumentParser(prog="ndcg-conformance", description=ABOUT)
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION")
    parser.add_argument("--libraries", metavar="DIR", help="ask all libraries, with environments in DIR")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=list(runners.LIBRARIES), help="of these")
    parser.add_argument("--output", metavar="FILE", help="new, or of an earlier call")
    parser.add_argument("--diff", nargs=2, metavar=("OLD", "NEW"), help="compare two files of results")
    options = parser.parse_args(words)
    try:
        with redirect_stdout(Output(sys.stdout)) as output:
            code = _done(options)
            output.flush()
            return code
    except KeyboardInterrupt:
        complain("ndcg-conformance", "interrupted, nothing was decided")
        return 130
    except (ValueError, OSError) as error:
        complain("ndcg-conformance", str(error))
        return 2
    except Exception as error:  # whatever it is, it is no answer of the function's
        return own_error("python -m ndcg_conformance", error, words)


def _done(options):
    """The exit code of a call with these options."""
    fail_if(
        sum(map(bool, (options.function, options.libraries, options.diff))) != 1,
        "expected MODULE:FUNCTION, --libraries DIR or --diff OLD NEW (and one of them)",
    )
    fail_if(
        options.only and not options.output,
        "--only: expected --output FILE, too, so that the results of all libraries stay",
    )
    if options.libraries:
        return _ask(options.libraries, options.only, Path(options.output or libraries.RESULTS))
    return _differ(*options.diff) if options.diff else _show(options.function)


def _ask(folder, names, output):
    """Write what the libraries answer; 1, and nothing is written, if not one of them could be asked."""
    libraries.check_results(output)
    results = libraries.ask_all(folder, names)
    answers = results["libraries"].values()
    for name, library in results["libraries"].items():
        if "not run" in library:
            complain("ndcg-conformance", f"{name}: {library['not run']}")
    if all("not run" in library for library in answers):
        complain("ndcg-conformance", f"no library could be asked; {output} was not written")
        return 1
    libraries.write_results(output, results)
    return 0


def _differ(old, new):
    """What the new results say otherwise, printed."""
    lines = libraries.differences(_results(old), _results(new))
    print("\n".join(escaped(line, most=500) for line in lines) or "no answer differs")
    return bool(lines)


def _results(path):
    """What ``--libraries`` wrote into a file; ValueError if the file holds anything else."""
    try:
        # A pipe would be waited for.
        results = json.loads(Path(path).read_text(encoding="utf-8") if Path(path).is_file() else "")
        if all(map(_is_result, results["libraries"].values())):
            return results
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        pass
    raise ValueError(f"{path}: expected a file of results, as --libraries writes it")


def _is_result(library):
    """Whether it says why a library was not run, or its version and what its calls answered."""
    if "not run" in library:
        return isinstance(library["not run"], str)
    calls, kinds = library["calls"], (str, int, float)
    answers = [answer for call in calls for answer in call["answers"].values()]
    named = [library["version"], *(call["call"] for call in calls)]
    return all(isinstance(name, str) for name in named) and all(isinstance(a, kinds) for a in answers)


def _show(name):
    """Print the conventions that a function follows; 0 if all that it answers is known, else 1.

    A refusal is no answer that follows a convention. Where no gain, discount and ideal explain the answers,
    nothing is said of other conventions: what they would give depends on these three.
    """
    answers = _answers_apart(name)
    reading, refusals = classify(answers), sum(answer == "refused" for answer in answers.values())
    core = None not in [reading.choices[axis] for axis in CORE]
    numbers = {answer for answer in answers.values() if not isinstance(answer, str)}
    sentence = "no gain, discount and ideal that are known explain its answers"
    if core:
        agree = answers.keys() - reading.unexplained
        agree = sum(answers[case] != "refused" for case in agree)
        sentence = f"{agree} of {len(answers) - refusals} answers follow the conventions below"
    elif len(numbers) == 1:
        sentence += f": each number that it gives is {numbers.pop():g}"
    print(f"{escaped(name)}: {sentence}" + (f"; it refused {refusals} cases" if refusals else ""))
    for axis, choice in reading.choices.items():
        if not core and axis not in CORE:
            continue
        usual = standard()[axis]
        instead = "" if choice == usual else f" instead of {usual}"
        print(f"  {axis:<11}{choice or 'none that is known'}{instead}")
    return int(not reading.known)


def _answers_apart(name):
    """What a function answers in a process of its own: one that ends its process decides nothing."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "answers.json")
        program = f"from {__spec__.name} import write_answers; import sys; write_answers(*sys.argv[1:])"
        code = subprocess.run([sys.executable, "-c", program, name, output]).returncode
        fail_if(not output.exists(), f"{name!r}: its process ended before all was answered, with code {code}")
        answers = json.loads(output.read_text(encoding="utf-8"))
    fail_if(isinstance(answers, str), answers)
    return answers


def write_answers(name, file):
    """Write into a file what a function answers by name of the case, or why it cannot be asked."""
    try:
        answers = answers_of(function_named(name))
    except ValueError as error:
        answers = str(error)
    except KeyboardInterrupt:
        sys.exit(130)  # whoever waits for the answers says so
    Path(file).write_text(json.dumps(answers), encoding="utf-8")


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
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the module does when it is imported
        raise ValueError(f"{name!r} could not be imported: {_written(error)}") from None
    fail_if(not callable(found), f"{name!r}: expected a function, got {_written(found)}")
    return found


def answers_of(function):
    """What a function answers, by name of the case; ValueError if it raises on every call."""
    try:
        takes = set(inspect.signature(function).parameters)
    except Exception:  # there is none, or it cannot be made
        takes = {"k"}
    answers, refusals, calls = {}, [], 0
    for case in cases()["cases"]:
        if case["axis"] not in runners.NOT_ASKED["arrays"] and ("k" in takes or case["k"] is None):
            answers[case["name"]] = mean_of(
                [_of_query(function, query, case["k"], takes, refusals) for query in case["queries"]]
            )
            calls += len(case["queries"])
    if len(refusals) == calls:
        raise ValueError(f"the function raised on each of {calls} calls, on the first {refusals[0]}")
    return answers


def _of_query(function, query, k, takes, refusals):
    """What a function answers for one query: a number, "undefined", "refused" or "left-out".

    What it raises is added to the refusals.
    """
    documents, labels, scores = map(list, runners.returned(query))
    facts = {"k": k, "documents": documents, "judged": np.array([*runners.judgements(query).values()])}
    try:
        value = function(
            np.array(labels), np.array(scores), **{name: facts[name] for name in facts if name in takes}
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a refusal, in whatever words
        refusals.append(_raised(error))
        return "refused"
    if value is None:
        return "left-out"
    try:
        is_one = isinstance(value, (Real, np.ndarray)) and not np.ndim(value)
        number = float(value) if is_one and np.asarray(value).dtype.kind in "biufO" else None
    except (ArithmeticError, TypeError, ValueError):  # such as 10**400
        number = None
    fail_if(number is None, f"the function gave {_written(value)}: expected a number")
    return number if isfinite(number) else "undefined"


def _raised(error):
    """An exception in words: its type and its text, if it has one that can be read."""
    try:
        text = escaped(error, 300)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _written(thing):
    """A value as Python writes it, or its type where that fails."""
    try:
        return repr(thing)
    except Exception:
        return f"an object of type {type(thing).__name__}"


if __name__ == "__main__":
    sys.exit(main())
