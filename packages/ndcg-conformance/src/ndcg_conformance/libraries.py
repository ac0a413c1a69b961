"""Ask all libraries: an environment for each lock, a process for each library, one file of results."""

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
# What ``venv`` puts into an environment, on any system, and what marks one that is made and whole.
_OF_VENV = {"bin", "include", "lib", "lib64", "share", "etc", "pyvenv.cfg", ".gitignore", "Scripts", "Lib"}
_OF_VENV |= {"Include", "installed", MARKER}
SECONDS = 900  # for one library: Python starts, ranx compiles, and a busy machine takes its time


def ask_all(folder, names=None):
    """Results of the libraries of these names, or of all, with environments below the folder.

    Returns
    -------
    dict
        ``{"date", "python", "platform", "libraries": {name: ...}}``; a library that cannot be installed says
        why it was not run.

    Raises
    ------
    ValueError
        Before anything is made, if an environment would take the place of what is not ours.
    """
    for lock in {runners.LIBRARIES[name].lock for name in names or runners.LIBRARIES}:
        _names_in(Path(folder) / lock)
    libraries = {name: _library(name, Path(folder)) for name in names or runners.LIBRARIES}
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": libraries,
    }


def _library(name, folder):
    """Results of one library: its version, what its calls answered, and which conventions they follow."""
    library = runners.LIBRARIES[name]
    about = {"package": library.package, "lock": library.lock}
    python, problem = environment(folder / library.lock, HERE / "locks" / f"{library.lock}.lock")
    if problem:
        return about | {"not run": f"its environment could not be installed: {problem}"}
    questions = runners.questions(library, cases()["cases"])
    try:
        version, answers = ask([python, "-I", runners.__file__, name], len(questions))
    except RuntimeError as error:
        return about | {"not run": f"its process could not be asked: {str(error).strip().splitlines()[-1]}"}
    rows = [(call, case["name"], answer) for (call, case), answer in zip(questions, answers, strict=True)]
    calls = [_reading(call, {case: a for asked, case, a in rows if asked is call}) for call in library.calls]
    return about | {"version": version, "calls": calls}


def _reading(call, answer_of):
    """What a call answered, and the conventions that it follows."""
    answers = {case: "refused" if isinstance(a, dict) else a for case, a in answer_of.items()}
    reading = classify(answers)
    core_explained = None not in [reading.choices[axis] for axis in CORE]
    return {
        "call": call.text,
        "takes": call.takes,
        "conventions": reading.choices,
        "here": recipe(reading.setting) if core_explained else None,
        "answers": answers,
        "refusals": {case: a["refused"] for case, a in answer_of.items() if isinstance(a, dict)},
    }


def environment(folder, lock):
    """The Python of an environment that holds exactly the lock, and why there is none.

    Raises
    ------
    ValueError
        If the folder is none of new, empty and ours, or holds more than we put there.
    """
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = folder / "installed"
    before = _names_in(folder)
    if not (stamp.is_file() and stamp.read_bytes() == lock.read_bytes()):
        folder.mkdir(parents=True, exist_ok=True)
        _mark(folder, before)  # first, so that a kill leaves a folder that is known to be ours
        for name in before - {MARKER}:
            path = folder / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        venv.create(folder, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        installed = subprocess.run([*pip, "--require-hashes", "-r", lock], capture_output=True, text=True)
        _mark(folder, {path.name for path in folder.iterdir()})
        if installed.returncode:
            errors = [line for line in installed.stderr.splitlines() if line.startswith("ERROR: ")]
            return python, (errors or ["pip failed"])[-1].removeprefix("ERROR: ")
        stamp.write_bytes(lock.read_bytes())
    return python, None


def _names_in(folder):
    """The names in a folder for an environment, all of them ours; ValueError if one is not."""
    expected = "expected a new or an empty folder, or an environment that an earlier call made"
    check_plain(str(folder), "--libraries")
    above = next(path for path in (folder, *folder.absolute().parents) if os.path.lexists(path))
    fail_if(folder.is_symlink() or not above.is_dir(), f"{folder}: {expected}, got a link or a file")
    names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    marker = folder / MARKER
    try:
        record = json.loads(marker.read_text(encoding="utf-8")) if is_regular(marker) else {}
        ours = {*map(str, record["names"])} | _OF_VENV if record["kind"] == "environment" else set()
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        ours = set()
    strangers = sorted(names - ours)
    fail_if(strangers, f"{folder}: {expected}, got one that holds {escaped(', '.join(strangers))}")
    return names


def _mark(folder, names):
    """Say in a folder that it is ours, and what of it."""
    write_whole(folder / MARKER, json.dumps({"kind": "environment", "names": sorted(names - {MARKER})}))


def write_results(path, results):
    """Write results with a checksum where there is no file, or one that this wrote and nobody changed.

    Raises
    ------
    ValueError
        If something else is there.
    OSError
        If it cannot be written.
    """
    check_results(path)
    write_whole(path, _text_of(results | {"sha256": _seal(results)}))


def check_results(path):
    """Raise as `write_results` does, without writing."""
    check_plain(str(path), "--output")
    if not os.path.lexists(path):
        fail_if(not path.parent.is_dir(), f"{path}: expected a file in a folder that is there")
        return
    try:
        text = path.read_text(encoding="utf-8") if is_regular(path) else ""
        results = json.loads(text)
        ours = results.pop("sha256") == _seal(results) and text == _text_of(
            results | {"sha256": _seal(results)}
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        ours = False
    fail_if(not ours, f"{path}: expected a new file, or one that --libraries wrote and nobody changed")


def _text_of(results):
    return json.dumps(results, indent=1, ensure_ascii=False) + "\n"


def _seal(results):
    return hashlib.sha256(_text_of(results).encode("utf-8", "surrogatepass")).hexdigest()


def ask(command, questions, seconds=SECONDS):
    """The version, and the answers to so many questions in their order; a crash or a hang is an answer.

    After one of those the command is started again behind the question that ended it.
    """
    version, answers = None, []
    while len(answers) < questions:
        output, ending = _run([*command, str(len(answers))], seconds)
        rows = re.findall(r'^{"(version|answer)": (.*)}$', output, re.MULTILINE)  # libraries print, too
        version = next((json.loads(text) for kind, text in rows if kind == "version"), version)
        if version is None:
            raise RuntimeError(f"{command[-1]}: the process {ending} before it was asked anything")
        answers += [json.loads(text) for kind, text in rows if kind == "answer"]
        if len(answers) < questions:
            answers.append(ending)
    return version, answers[:questions]


def _run(command, seconds):
    """The output of a process, and the answer to a question that ended it: "crashed" or "hung"."""
    question = json.dumps(cases()).encode()
    try:
        process = subprocess.run(command, input=question, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace"), "hung"
    if process.returncode == 1:  # Python's own: not the library's answer
        raise RuntimeError(process.stderr.decode(errors="replace"))
    return process.stdout.decode(errors="replace"), "crashed"


def differences(old, new):
    """What differs in the new results: a line for each changed answer, or library that was not run.

    Only libraries of the new results are compared; versions may differ as long as the answers do not.
    """
    lines = []
    for name, now in new["libraries"].items():
        before = old["libraries"].get(name, {"not run": "it is new"})
        if "not run" in now and "not run" not in before:
            lines.append(f"{name}: not run, because {now['not run']}")
        elif "not run" in before and "not run" not in now:
            lines.append(f"{name}: runs now")
        past = _answers(before)
        for (call, case), answer in _answers(now).items():
            was = past.get((call, case), "not asked")
            if past and not agrees(answer, was):
                call_and_case = f"{name} {before['version']} -> {now['version']}, {call}, {case}"
                lines.append(f"{call_and_case}: {was} -> {answer}")
    return lines


def _answers(library):
    """Its answers by call and case; none of a library that was not run."""
    calls = library.get("calls", [])
    return {(call["call"], case): answer for call in calls for case, answer in call["answers"].items()}
