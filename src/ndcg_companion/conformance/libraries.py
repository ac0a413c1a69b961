"""Ask all libraries: an environment for each lock, a process for each library, one file of results."""

import json
import platform
import subprocess
import sys
import venv
from datetime import date
from pathlib import Path

from . import runners
from .conventions import CORE, agrees, cases, classify, recipe

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
SECONDS = 900  # for one library: Python starts, ranx compiles, and a busy machine takes its time


def ask_all(folder, names=None):
    """Results of the libraries of these names, or of all, with environments below the folder.

    Returns
    -------
    dict
        ``{"date", "python", "platform", "libraries": {name: ...}}``; a library that cannot be installed says
        why it was not run.
    """
    libraries = {name: _library(name, Path(folder)) for name in names or runners.LIBRARIES}
    return {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": libraries,
    }


def _library(name, folder):
    library = runners.LIBRARIES[name]
    about = {"package": library.package, "lock": library.lock}
    python, problem = environment(folder / library.lock, HERE / "locks" / f"{library.lock}.lock")
    if problem:
        return about | {"not run": f"its environment could not be installed: {problem}"}
    try:
        version, answers = ask([python, "-I", runners.__file__, name])
    except RuntimeError as error:
        return about | {"not run": f"its process could not be asked: {str(error).strip().splitlines()[-1]}"}
    calls = []
    for number, call in enumerate(library.calls):
        given = answers[number]
        plain = {case: "refused" if isinstance(a, dict) else a for case, a in given.items()}
        reading = classify(plain)
        calls.append(
            {
                "call": call.text,
                "takes": call.takes,
                "conventions": reading.choices,
                "here": recipe(reading.setting)
                if None not in [reading.choices[axis] for axis in CORE]
                else None,
                "answers": plain,
                "refusals": {case: a["refused"] for case, a in given.items() if isinstance(a, dict)},
            }
        )
    return about | {"version": version, "calls": calls}


def environment(folder, lock):
    """The Python of an environment that holds exactly the lock, and why there is none."""
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = folder / "installed"
    if not (done.exists() and done.read_bytes() == lock.read_bytes()):
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
        installed = subprocess.run([*pip, "--require-hashes", "-r", lock], capture_output=True, text=True)
        if installed.returncode:
            errors = [line for line in installed.stderr.splitlines() if line.startswith("ERROR: ")]
            return python, (errors or ["pip failed"])[-1].removeprefix("ERROR: ")
        done.write_bytes(lock.read_bytes())
    return python, None


def ask(command, seconds=SECONDS):
    """Version and answers, by number of the call and name of the case; a crash or a hang is an answer.

    After one of those the command is started again behind the question that ended it.
    """
    version, answers, first = None, {}, 0
    while True:
        said, ending = _run([*command, str(first)], seconds)
        asked = None
        for line in said.splitlines():
            row = _row(line)
            version = row.get("version", version)
            if "asked" in row:
                asked = row
            elif "answer" in row:
                answers.setdefault(asked["call"], {})[asked["case"]] = row["answer"]
                asked = None
        if ending is None:
            return version, answers
        if asked is None:
            raise RuntimeError(f"{command[-1]}: the process {ending} before it was asked anything")
        answers.setdefault(asked["call"], {})[asked["case"]] = ending
        first = asked["asked"] + 1


def _run(command, seconds):
    """What a process said, and None, "crashed" or "hung"."""
    given = json.dumps(cases()).encode()
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace"), "hung"
    if done.returncode == 1:  # Python's own: not the library's answer
        raise RuntimeError(done.stderr.decode(errors="replace"))
    return done.stdout.decode(errors="replace"), "crashed" if done.returncode else None


def _row(line):
    """A line of ours; libraries print, too."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}


def differences(old, new):
    """What the new results say otherwise: a line for each changed answer, and for each library that was not
    run.

    Only libraries of the new results are compared; versions may differ as long as the answers do not.
    """
    lines = []
    for name, now in new["libraries"].items():
        before = old["libraries"].get(name, {"not run": "it is new"})
        if "not run" in now or "not run" in before:
            if ("not run" in now) != ("not run" in before):
                lines.append(
                    f"{name}: {'not run, because ' + now['not run'] if 'not run' in now else 'runs now'}"
                )
            continue
        told = f"{name} {before['version']} -> {now['version']}"
        old_calls = {call["call"]: call["answers"] for call in before["calls"]}
        for call in now["calls"]:
            for case, answer in call["answers"].items():
                past = old_calls.get(call["call"], {}).get(case, "not asked")
                if not agrees(answer, past):
                    lines.append(f"{told}, {call['call']}, {case}: {past} -> {answer}")
    return lines
