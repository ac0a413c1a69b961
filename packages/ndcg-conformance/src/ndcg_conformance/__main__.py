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

ABOUT = """Which NDCG does your function compute? The command calls FUNCTION(labels, scores, k=k) with the
arrays of one list and a cut-off (None for no cut-off) and expects a number. The answer None leaves the query
out of the mean, NaN means undefined, and an exception counts as a refusal. If every call raises an exception,
the first one is shown. If FUNCTION has a parameter 'documents', it receives the names of the documents. If it
has a parameter 'judged', it receives the labels of all judged documents."""


def main(arguments=None):
    """Run the command line and return the exit code.

    Returns
    -------
    int
        The code is 0 if every answer follows a known convention, and 1 if some answers follow none, if
        results differ, or if no library could be asked. The code is 2 for bad input, 3 for an error in the
        program, and 130 after Ctrl-C.
    """
    open_streams()
    arguments_given = sys.argv[1:] if arguments is None else [*arguments]
    parser = argparse.ArgumentParser(prog="ndcg-conformance", description=ABOUT)
    parser.add_argument("function", nargs="?", metavar="MODULE:FUNCTION")
    parser.add_argument("--libraries", metavar="DIR", help="ask all libraries, in environments below DIR")
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=list(runners.LIBRARIES), help="ask only these libraries"
    )
    parser.add_argument(
        "--output", metavar="FILE", help="the file for the results: new, or from an earlier call"
    )
    parser.add_argument("--diff", nargs=2, metavar=("OLD", "NEW"), help="compare the results in two files")
    options = parser.parse_args(arguments_given)
    try:
        with redirect_stdout(Output(sys.stdout)) as output:
            code = _run(options)
            output.flush()
            return code
    except KeyboardInterrupt:
        complain("ndcg-conformance", "interrupted without a result")
        return 130
    except (ValueError, OSError) as error:
        complain("ndcg-conformance", str(error))
        return 2
    except Exception as error:  # an error here is not an answer of the function
        return own_error("python -m ndcg_conformance", error, arguments_given)


def _run(options):
    """Run the command with these options, and return the exit code."""
    fail_if(
        sum(map(bool, (options.function, options.libraries, options.diff))) != 1,
        "expected exactly one of MODULE:FUNCTION, --libraries DIR and --diff OLD NEW",
    )
    fail_if(
        options.only and not options.output,
        "--only: expected --output FILE beside it, because the default file has all libraries",
    )
    if options.libraries:
        return _ask_libraries(options.libraries, options.only, Path(options.output or libraries.RESULTS))
    return _print_differences(*options.diff) if options.diff else _print_conventions(options.function)


def _ask_libraries(folder, names, output):
    """Write the answers of the libraries to a file, and return the exit code.

    If no library could be asked, nothing is written.
    """
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


def _print_differences(old_path, new_path):
    """Print the changes in the new results, and return whether there are any."""
    lines = libraries.differences(_results(old_path), _results(new_path))
    print("\n".join(escaped(line, most=500) for line in lines) or "no answer differs")
    return bool(lines)


def _results(path):
    """Return the results in a file that ``--libraries`` wrote.

    Raises
    ------
    ValueError
        If the file does not contain such results.
    """
    try:
        # Reading a pipe would block.
        results = json.loads(Path(path).read_text(encoding="utf-8") if Path(path).is_file() else "")
        if all(map(_is_result, results["libraries"].values())):
            return results
    except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        pass
    raise ValueError(f"{path}: expected a file of results from --libraries")


def _is_result(library):
    """Return whether a library's entry has a version and answers, or a reason for none."""
    if "not run" in library:
        return isinstance(library["not run"], str)
    calls = library["calls"]
    answers = [answer for call in calls for answer in call["answers"].values()]
    texts = [library["version"], *(call["call"] for call in calls)]
    has_texts = all(isinstance(text, str) for text in texts)
    return has_texts and all(isinstance(answer, (str, int, float)) for answer in answers)


def _print_conventions(name):
    """Print the conventions of a function, and return the exit code.

    Notes
    -----
    Refusals follow no convention. If no combination of gain, discount and ideal explains the answers, no
    other conventions are printed, because their values depend on these three.
    """
    answers = _answers_of_process(name)
    reading, refusals = classify(answers), sum(answer == "refused" for answer in answers.values())
    core_is_known = None not in [reading.choices[axis] for axis in CORE]
    distinct_numbers = {answer for answer in answers.values() if not isinstance(answer, str)}
    summary = "no known gain, discount and ideal explain its answers"
    if core_is_known:
        explained_cases = answers.keys() - reading.unexplained
        count = sum(answers[case] != "refused" for case in explained_cases)
        summary = f"{count} of {len(answers) - refusals} answers follow the conventions below"
    elif len(distinct_numbers) == 1:
        summary += f": every number that it returns is {distinct_numbers.pop():g}"
    print(f"{escaped(name)}: {summary}" + (f"; it refused {refusals} cases" if refusals else ""))
    for axis, choice in reading.choices.items():
        if not core_is_known and axis not in CORE:
            continue
        standard_choice = standard()[axis]
        comparison = "" if choice == standard_choice else f" instead of {standard_choice}"
        print(f"  {axis:<11}{choice or 'none that is known'}{comparison}")
    return int(not reading.known)  # the exit code is 1 if some choice is unknown


def _answers_of_process(name):
    """Return the answers of a function that is run in a separate process.

    Raises
    ------
    ValueError
        If the process ends early, or if the function cannot be asked.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "answers.json")
        program = f"from {__spec__.name} import write_answers; import sys; write_answers(*sys.argv[1:])"
        code = subprocess.run([sys.executable, "-c", program, name, output]).returncode
        expectation = f"expected answers to all cases, got the end of its process with code {code}"
        fail_if(not output.exists(), f"{name!r}: {expectation}")
        answers = json.loads(output.read_text(encoding="utf-8"))
    fail_if(isinstance(answers, str), answers)
    return answers


def write_answers(name, file):
    """Write a function's answers by case, or the reason for having none, to a file."""
    try:
        answers = answers_of(function_named(name))
    except ValueError as error:
        answers = str(error)
    except KeyboardInterrupt:
        sys.exit(130)  # the process that waits for the answers prints the message
    Path(file).write_text(json.dumps(answers), encoding="utf-8")


def function_named(name):
    """Return the function at ``MODULE:FUNCTION``.

    Raises
    ------
    ValueError
        If the name cannot be imported or is not that of a function.
    """
    module, _, function = name.partition(":")
    fail_if(
        not (module and function),
        f"{name!r}: expected MODULE:FUNCTION, such as ndcg_companion.measures:ndcg",
    )
    sys.path.insert(0, "")
    try:
        imported = getattr(importlib.import_module(module), function)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # importing a module can raise any exception
        raise ValueError(f"{name!r}: expected an importable function, got {_repr(error)}") from None
    fail_if(not callable(imported), f"{name!r}: expected a function, got {_repr(imported)}")
    return imported


def answers_of(function):
    """Return the answers of a function, by the name of the case.

    Raises
    ------
    ValueError
        If the function raises an exception on every call.
    """
    try:
        parameters = set(inspect.signature(function).parameters)
    except Exception:  # the signature of some callables cannot be read
        parameters = {"k"}
    answers, refusals, calls = {}, [], 0
    for case in cases()["cases"]:
        if case["axis"] not in runners.NOT_ASKED["arrays"] and ("k" in parameters or case["k"] is None):
            answers[case["name"]] = mean_of(
                [_answer_of(function, query, case["k"], parameters, refusals) for query in case["queries"]]
            )
            calls += len(case["queries"])
    if len(refusals) == calls:
        problem = f"exceptions from all {calls} calls, the first {refusals[0]}"
        raise ValueError(f"expected a number from some call, got {problem}")
    return answers


def _answer_of(function, query, k, parameters, refusals):
    """Return the answer of a function for one query, as a number or a word.

    ``parameters`` are the names of the function's parameters. The words are "undefined", "refused" and
    "left-out". A text on an exception is added to the list ``refusals``.
    """
    documents, labels, scores = map(list, runners.returned_list(query))
    inputs = {"k": k, "documents": documents, "judged": np.array([*runners.judgements(query).values()])}
    options = {name: inputs[name] for name in inputs if name in parameters}
    try:
        value = function(np.array(labels), np.array(scores), **options)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # any exception counts as a refusal
        refusals.append(_raised(error))
        return "refused"
    if value is None:
        return "left-out"
    try:
        is_scalar = isinstance(value, (Real, np.ndarray)) and not np.ndim(value)
        # NumPy's kinds of booleans, integers, floats and objects, such as fractions.
        number = float(value) if is_scalar and np.asarray(value).dtype.kind in "biufO" else None
    except (ArithmeticError, TypeError, ValueError):  # the value is too large, such as 10**400
        number = None
    fail_if(number is None, f"expected a number from the function, got {_repr(value)}")
    return number if isfinite(number) else "undefined"


def _raised(error):
    """Return the type of an exception and, if it can be read, its text."""
    try:
        text = escaped(error, 300)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _repr(thing):
    """Return the repr of a value, or its type if the repr fails."""
    try:
        return repr(thing)
    except Exception:
        return f"an object of type {type(thing).__name__}"


if __name__ == "__main__":
    sys.exit(main())
