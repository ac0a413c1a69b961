"""Ask all libraries, using an environment per lock file and a process per library."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import venv
from datetime import date
from pathlib import Path

from ndcg_companion.checks import fail_if
from ndcg_companion.text import check_plain, escaped
from ndcg_conformance.writing import MARKER, is_regular, write_whole

from . import runners
from .conventions import CORE, agrees, cases, classify, recipe

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
# The names that ``venv`` creates in an environment on any system, and the names that mark a complete
# environment.
_VENV_NAMES = {"bin", "include", "lib", "lib64", "share", "etc", "pyvenv.cfg", ".gitignore", "Scripts", "Lib"}
_VENV_NAMES |= {"Include", "installed", MARKER}
SECONDS = 900  # the time for one library, in which Python starts and ranx compiles, perhaps on a busy machine


def ask_all(folder, names=None):
    """Run libraries in environments below a folder, and return their results.

    Parameters
    ----------
    folder : path
        The folder for the environments.
    names : sequence of str, optional
        The names of the libraries. By default, all libraries are asked.

    Returns
    -------
    dict
        ``{"date", "python", "platform", "libraries": {name: ...}}``. For a library that cannot be installed,
        the result is the reason why it was not run.

    Raises
    ------
    ValueError
        If an environment would replace somebody else's files. In that case nothing is created.
    """
    for lock in {runners.LIBRARIES[name].lock for name in names or runners.LIBRARIES}:
        _checked_names(Path(folder) / lock)
    libraries = {name: _library_entry(name, Path(folder)) for name in names or runners.LIBRARIES}
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": libraries,
    }


def _library_entry(name, folder):
    """Return the results of a library: its version, answers and conventions."""
    library = runners.LIBRARIES[name]
    entry = {"package": library.package, "lock": library.lock}
    python, problem = environment(folder / library.lock, HERE / "locks" / f"{library.lock}.lock")
    if problem:
        return entry | {"not run": f"its environment could not be installed: {problem}"}
    questions = runners.questions(library, cases()["cases"])
    try:
        version, answers = ask([python, "-I", runners.__file__, name], len(questions))
    except RuntimeError as error:
        return entry | {"not run": f"its process could not be asked: {str(error).strip().splitlines()[-1]}"}
    rows = [(call, case["name"], answer) for (call, case), answer in zip(questions, answers, strict=True)]
    calls = [
        _call_entry(call, {case: answer for row_call, case, answer in rows if row_call is call})
        for call in library.calls
    ]
    return entry | {"version": version, "calls": calls}


def _call_entry(call, answers_and_refusals):
    """Return the answers of a call, and the conventions that they follow.

    A refusal is a mapping from "refused" to an error message (see `runners.answer`).
    """
    refusals = {
        case: answer["refused"] for case, answer in answers_and_refusals.items() if isinstance(answer, dict)
    }
    answers = answers_and_refusals | dict.fromkeys(refusals, "refused")
    reading = classify(answers)
    core_explained = None not in [reading.choices[axis] for axis in CORE]
    return {
        "call": call.text,
        "takes": call.takes,
        "conventions": reading.choices,
        "here": recipe(reading.setting) if core_explained else None,
        "answers": answers,
        "refusals": refusals,
    }


def environment(folder, lock):
    """Return the Python interpreter of an environment with exactly a lock's packages.

    Returns
    -------
    python : Path
        The path of the Python interpreter.
    problem : str or None
        The reason why the environment could not be installed.

    Raises
    ------
    ValueError
        If the folder is neither new nor empty nor created by this package, or if it contains files that are
        not ours.
    """
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = folder / "installed"
    names_before = _checked_names(folder)
    if not (stamp.is_file() and stamp.read_bytes() == lock.read_bytes()):
        folder.mkdir(parents=True, exist_ok=True)
        # Written first, so that a killed call leaves a folder that is marked as ours.
        _mark(folder, names_before)
        for name in names_before - {MARKER}:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        venv.create(folder, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        process = subprocess.run([*pip, "--require-hashes", "-r", lock], capture_output=True, text=True)
        _mark(folder, {path.name for path in folder.iterdir()})
        if process.returncode:
            errors = [line for line in process.stderr.splitlines() if line.startswith("ERROR: ")]
            return python, (errors or ["pip failed"])[-1].removeprefix("ERROR: ")
        stamp.write_bytes(lock.read_bytes())
    return python, None


def _checked_names(folder):
    """Return the names of the files in a folder for an environment.

    Raises
    ------
    ValueError
        If one of the files is not ours.
    """
    expected = "expected a new or an empty folder, or an environment from an earlier call"
    check_plain(str(folder), "--libraries")
    nearest = next(path for path in (folder, *folder.absolute().parents) if os.path.lexists(path))
    fail_if(folder.is_symlink() or not nearest.is_dir(), f"{folder}: {expected}, got a link or a file")
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    marker = folder / MARKER
    try:
        record = json.loads(marker.read_text(encoding="utf-8")) if is_regular(marker) else {}
        our_names = {*map(str, record["names"])} | _VENV_NAMES if record["kind"] == "environment" else set()
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        our_names = set()
    foreign_names = sorted(names - our_names)
    fail_if(foreign_names, f"{folder}: {expected}, got one that contains {escaped(', '.join(foreign_names))}")
    return names


def _mark(folder, names):
    """Write a marker that lists the names of our files into a folder."""
    write_whole(folder / MARKER, json.dumps({"kind": "environment", "names": sorted(names - {MARKER})}))


def write_results(path, results):
    """Write results with a checksum, to a new file or over an unchanged file.

    Raises
    ------
    ValueError
        If the file has been changed since it was written, or was not written by this package.
    OSError
        If it cannot be written.
    """
    check_results(path)
    write_whole(path, _as_json(results | {"sha256": _checksum(results)}))


def check_results(path):
    """Raise the errors that `write_results` would raise, without writing."""
    check_plain(str(path), "--output")
    if not os.path.lexists(path):
        fail_if(not path.parent.is_dir(), f"{path}: expected a file in a folder that exists")
        return
    try:
        text = path.read_text(encoding="utf-8") if is_regular(path) else ""
        results = json.loads(text)
        checksum = results.pop("sha256")
        is_ours = checksum == _checksum(results) and text == _as_json(results | {"sha256": checksum})
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        is_ours = False
    fail_if(not is_ours, f"{path}: expected a new file, or an unchanged one that --libraries wrote")


def _as_json(results):
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def _checksum(results):
    return hashlib.sha256(_as_json(results).encode("utf-8", "surrogatepass")).hexdigest()


def ask(command, questions, seconds=SECONDS):
    """Return the version of a library and its answers to a series of questions.

    Parameters
    ----------
    command : list of str
        The command that starts the process. The number of the first question is appended as the last argument
        of the command.
    questions : int
        The number of questions.
    seconds : float
        The time limit in seconds for each start of the process.

    Returns
    -------
    version : str
    answers : list
        A crash or a hang also counts as an answer. After a crash or a hang, the command is started again at
        the next question.

    Raises
    ------
    RuntimeError
        If the process ends before the first question.
    """
    version, answers = None, []
    while len(answers) < questions:
        output, failure = _run([*command, str(len(answers))], seconds)
        # Libraries also print text of their own.
        output_rows = re.findall(r'^{"(version|answer)": (.*)}$', output, re.MULTILINE)
        version = next(
            (json.loads(json_text) for kind, json_text in output_rows if kind == "version"), version
        )
        if version is None:
            raise RuntimeError(f"{command[-1]}: the process {failure} before it was asked anything")
        answers += [json.loads(json_text) for kind, json_text in output_rows if kind == "answer"]
        if len(answers) < questions:  # the process ended at the next question
            answers.append(failure)
    return version, answers[:questions]


def _run(command, seconds):
    """Return the output of a process, and "hung" if it timed out, otherwise "crashed".

    The second value is the answer to the next question, if the process did not answer all of them.
    """
    cases_as_json = json.dumps(cases()).encode()
    try:
        process = subprocess.run(command, input=cases_as_json, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace"), "hung"
    if process.returncode == 1:  # an uncaught Python exception is not an answer of the library
        raise RuntimeError(process.stderr.decode(errors="replace"))
    return process.stdout.decode(errors="replace"), "crashed"


def differences(old, new):
    """Return a line for each difference between two results.

    A difference is a changed answer, or a library that was run for only one of the results. Only libraries in
    the new results are compared. Different versions with the same answers do not count as a difference.
    """
    lines = []
    for name, library in new["libraries"].items():
        old_library = old["libraries"].get(name, {"not run": "it is new"})
        if "not run" in library and "not run" not in old_library:
            lines.append(f"{name}: not run, because {library['not run']}")
        elif "not run" in old_library and "not run" not in library:
            lines.append(f"{name}: runs now")
        old_answers = _answers(old_library)
        for (call, case), answer in _answers(library).items():
            old_answer = old_answers.get((call, case), "not asked")
            if old_answers and not agrees(answer, old_answer):
                versions = f"{old_library['version']} -> {library['version']}"
                lines.append(f"{name} {versions}, {call}, {case}: {old_answer} -> {answer}")
    return lines


def _answers(library):
    """Return a library's answers by call and case, or an empty dict if it was not run."""
    calls = library.get("calls", [])
    return {(call["call"], case): answer for call in calls for case, answer in call["answers"].items()}
