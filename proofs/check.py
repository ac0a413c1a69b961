"""Ask Coq whether every proof holds, and keep what a reader has read.

``python proofs/check.py`` compiles all proofs from nothing, asks Coq for each statement and for what
it assumes, and writes ``results.json``. ``--read`` shows the printed boxes beside the formal
statements where one of the two changed since they were read together; ``--pin ID ...`` says that
they were read again. Nothing but Python and Coq is needed.
"""

import argparse
import csv
import datetime
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGES = HERE.parent / "chapters"
COVERS = ("whole", "core", "part")
OF = ("statement", "refutation", "condition")  # what is proved: it, that it is false, what it asks for
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec": (
        "what holds of all natural numbers, or fails at one of them, can be decided"
    ),
    "ClassicalDedekindReals.sig_not_dec": "of a statement that is not false it can be decided that it holds",
    "FunctionalExtensionality.functional_extensionality_dep": (
        "two functions with the same values are the same"
    ),
    "Classical_Prop.classic": "a statement is true or false",
}
# What the summary of coqchk may hold; each of these axioms is in one of two places of the library.
EXPECTED = {
    "Theory": {"Set is predicative"},
    "Axioms": {f"Coq.{place}.{name}" for place in ("Reals", "Logic") for name in ALLOWED},
}
# Words with which Coq takes something on trust, or is told not to check it; and modules, in which a
# name of a library could be taken again.
TRUST = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Primitive|Declare\s+ML|Load"
    r"|Bypass|bypass_check|Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking"
    r"|Modules?|type_in_type|Rewrite\s+Rule|Undo|Restart|Abort)\b",
    re.IGNORECASE,
)
LOCAL = re.compile(r"\b(Hypothesis|Hypotheses|Variables?|Context)\b")
# What gives no word a meaning: how files are put together, and tactics.
STRUCTURE = re.compile(r"^(From|Import|Section|End|Ltac|Open Scope R_scope|Proof|Qed)\b")
# The one form in which a file may rest on others, so that nothing it rests on is overlooked.
REQUIRED = re.compile(r"From (Coq|Coquelicot|Companion) Require (?:Import|Export) ([\w.]+(?: [\w.]+)*)\.")
KEYWORDS = re.compile(r"\b(Theorem|Lemma|Corollary|Example|Proposition)\s+(\w+)")


# A string, in which a doubled quote is a quote; it may be left open by the end of the file.
STRING = re.compile(r'"(?:[^"]|"")*("|\Z)')


def sentences(text, quoted=True):
    """The sentences of a Coq file without comments, read as Coq reads them.

    Coq knows strings outside of comments and within them: a mark of a comment in a string opens and closes
    nothing. With ``quoted=False`` strings are emptied.
    """
    plain, depth, at = [], 0, 0
    while at < len(text):
        if string := STRING.match(text, at):
            # Without blanks, so that a full stop in a string ends no sentence.
            plain.append("" if depth else re.sub(r"\s", "_", string[0]) if quoted else '""')
            at = string.end()
        elif text.startswith("(*", at):
            depth, at = depth + 1, at + 2
        elif depth and text.startswith("*)", at):
            depth, at = depth - 1, at + 2
            plain.append(" ")
        else:
            plain.append("" if depth else text[at])
            at += 1
    parts = [" ".join(part.split()) for part in re.split(r"(?<=\.)\s+", "".join(plain))]
    return [command for part in parts if (command := re.sub(r"^(?:[-+*{}\s]|\d+:)+", "", part))]


def taken_on_trust(text):
    """What the file assumes instead of proving it: a list of complaints, empty if there is none."""
    found, sections = [], []
    for sentence in sentences(text, quoted=False):
        if opened := re.match(r"Section (\w+)", sentence):
            sections.append(opened[1])
        if (closed := re.match(r"End (\w+)", sentence)) and sections[-1:] == [closed[1]]:
            sections.pop()
        if TRUST.search(sentence):
            found.append(f"'{TRUST.search(sentence)[0]}' in: {sentence[:70]}")
        if re.search(r"\bRequire\b", sentence) and not REQUIRED.fullmatch(sentence):
            found.append(f"a file that is not imported as 'From X Require Import Y': {sentence[:70]}")
        if LOCAL.search(sentence) and not sections:
            found.append(f"an assumption outside a section: {sentence[:70]}")
    return found


def imports(name, folder=HERE):
    """The files that a file rests on, itself among them, by name."""
    seen = set()

    def follow(file):
        if file not in seen:
            seen.add(file)
            for sentence in sentences((folder / f"{file}.v").read_text(encoding="utf-8")):
                if (match := REQUIRED.fullmatch(sentence)) and match[1] == "Companion":
                    for other in match[2].split():
                        follow(other)

    follow(name)
    return sorted(seen)


def digest(files, folder=HERE):
    """One sha256 of the files, each with its name."""
    parts = [f"{name}\n{(folder / f'{name}.v').read_text(encoding='utf-8')}" for name in files]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def meanings(files, folder=HERE):
    """What the words of a statement mean: all that the files say but statements and their proofs.

    A command within a proof counts, and so does a proof that ends in ``Defined``, which is a definition.
    """
    kept = []
    for name in files:
        proof = None
        for sentence in sentences((folder / f"{name}.v").read_text(encoding="utf-8")):
            if proof is None and KEYWORDS.match(sentence):
                proof = [sentence]
            elif proof is None:
                kept += [] if STRUCTURE.match(sentence) else [sentence]
            elif sentence in ("Qed.", "Defined."):
                kept += proof if sentence == "Defined." else []
                proof = None
            else:
                proof.append(sentence)
                kept += [sentence] if sentence[0].isupper() and not STRUCTURE.match(sentence) else []
    return "\n".join(kept)


def statements(folder=HERE):
    """The rows of ``statements.csv``, its theorems as pairs of a file and a name."""
    with open(folder / "statements.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["theorems"] = [tuple(name.split(".")) for name in row["theorems"].split()]
    return rows


def boxes(pages=PAGES):
    """The text of each box of the book by its label, and the page that it stands on."""
    found = {}
    box = re.compile(r"^(`{3,}|:{3,})\{prf:\w+\}([^\n]*)\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
    for path in sorted(pages.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for _, title, body in box.findall("".join(cell["source"])):
                if label := re.search(r"^:label: (\S+)$", body, re.MULTILINE):
                    text = re.sub(r"^:\w+:[^\n]*\n", "", body, flags=re.MULTILINE)
                    found[label[1]] = (path.stem, " ".join(f"{title} {text}".split()))
    return found


def read_hashes(entry, box, folder=HERE):
    """What a reader compares: the printed box, and the formal statement with what its words mean."""
    files = sorted({name for file, _ in entry["theorems"] for name in imports(file, folder)})
    formal = "\n".join(entry["formal"]) + "\n" + meanings(files, folder)
    return {
        "printed": hashlib.sha256(box.encode()).hexdigest(),
        "formal": hashlib.sha256(formal.encode()).hexdigest(),
    }


def results(folder=HERE):
    """What ``results.json`` says, its theorems as pairs again."""
    entries = json.loads((folder / "results.json").read_text(encoding="utf-8"))["statements"]
    return [
        {
            **entry,
            "theorems": [(one["file"], one["theorem"]) for one in entry["theorems"]],
            "formal": [one["statement"] for one in entry["theorems"]],
        }
        for entry in entries
    ]


def pins(folder=HERE):
    """When each pair was last read, and the hashes of what was read."""
    if not (folder / "read.csv").exists():
        return {}
    with open(folder / "read.csv", encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def unread(folder=HERE, pages=PAGES):
    """The ids whose printed box or formal statement changed since both were read, with the hashes."""
    printed, read = boxes(pages), pins(folder)
    changed = {}
    for entry in results(folder):
        label = entry["id"].replace("/", "-")
        if label not in printed:
            raise ValueError(f"statements.csv: id {entry['id']!r} has no box labelled {label!r} on a page")
        hashes = read_hashes(entry, printed[label][1], folder)
        if any(read.get(entry["id"], {}).get(key) != value for key, value in hashes.items()):
            changed[entry["id"]] = (entry, printed[label], hashes)
    return changed


# ---- with Coq ----


def coq(*words, folder):
    """What one of Coq's programs prints; ``coqchk`` writes its summary to standard error."""
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


ASK = """From Coq Require Import Reals List Permutation.
From Coquelicot Require Import Coquelicot.
From Companion Require Import {files} Ranking.
Import ListNotations.
Open Scope R_scope.
Set Printing Width 90.
Set Printing Depth 1000.
"""


def ask(groups, folder):
    """The statement of each theorem as Coq prints it, and for each group what it assumes.

    A group is asked about at once, for Coq walks through whole libraries to answer.
    """
    files = {file for pairs in groups.values() for file, _ in pairs} - {"Ranking"}
    text = ASK.format(files=" ".join(sorted(files)))
    say = 'Goal True. idtac "@@{}". Abort.\n'.format
    for number, pairs in enumerate(groups.values()):
        for file, name in pairs:
            text += say(f"S {file}.{name}") + f"Check {file}.{name}.\n" + say("E")
        together = "I"
        for file, name in pairs:
            together = f"(conj {file}.{name} {together})"
        text += f"Definition group_{number} := {together}.\n"
        text += say(f"A {number}") + f"Print Assumptions group_{number}.\n" + say("E")
    (folder / "Ask.v").write_text(text, encoding="utf-8")
    printed = coq("coqc", "-w", "none", "-Q", ".", "Companion", "Ask.v", folder=folder)
    answers = dict(re.findall(r"^@@([SA] \S+)\n(.*?)^@@E$", printed, re.DOTALL | re.MULTILINE))
    stated, assumed = {}, {}
    for number, (group, pairs) in enumerate(groups.items()):
        assumed[group] = assumptions(answers[f"A {number}"])
        for file, name in pairs:
            statement = re.sub(r"^\S+\s*:\s", "", answers[f"S {file}.{name}"].strip())
            stated[file, name] = re.sub(r"^ {5}", "", statement, flags=re.MULTILINE).strip()
    return stated, assumed


def assumptions(printed):
    """The names of what Coq says that a proof assumes, from what ``Print Assumptions`` prints.

    Every line counts that is not the continuation of another: where it is no name with its type, such as
    ``evil is assumed to be guarded.``, the line itself is returned, which no list of axioms allows.
    """
    lines = [line for line in printed.splitlines() if line.strip() and not line[0].isspace()]
    named = [re.fullmatch(r"([^\s:]+)(?: :.*)?", line) for line in lines]
    found = {match[1] if match else line for match, line in zip(named, lines, strict=True)}
    return sorted(found - {"Axioms:", "Closed under the global context"})


def unchecked(summary):
    """What ``coqchk`` took on trust, from the summary that it prints: a list of complaints.

    They are the entries of all sections but ``EXPECTED``: other axioms, and whatever was not checked.
    """
    found, section = [] if "CONTEXT SUMMARY" in summary else ["there is no summary"], None
    for line in summary.splitlines():
        entry = line.strip()
        if heading := re.match(r"\* (.+?):(.*)", line):
            section, entry = heading[1], heading[2].strip()
        if section and entry and entry != "<none>" and entry not in EXPECTED.get(section, ()):
            found.append(f"{section}: {entry}")
    return found


def compile_all(folder):
    """Compile each file after those that it rests on."""
    done = set()

    def visit(name):
        if name not in done:
            done.add(name)
            for other in imports(name, folder):
                visit(other)
            coq("coqc", "-w", "none", "-Q", ".", "Companion", f"{name}.v", folder=folder)

    for path in sorted(folder.glob("*.v")):
        visit(path.stem)


def check(source=HERE):
    """Everything anew, in a folder of its own; a message and exit code 1 at the first objection."""
    rows = statements(source)
    for path in sorted(source.glob("*.v")):
        for complaint in taken_on_trust(path.read_text(encoding="utf-8")):
            raise SystemExit(f"{path.name}: takes something on trust: {complaint}")
    for row in rows:
        if row["covers"] not in COVERS or (row["covers"] == "whole") == bool(row["leaves out"]):
            raise SystemExit(
                f"statements.csv: {row['id']}: covers is {row['covers']!r} and leaves out"
                f" {row['leaves out']!r}; expected one of {', '.join(COVERS)}, and nothing left out"
                " exactly if whole"
            )
        if row["of"] not in OF:
            raise SystemExit(f"statements.csv: {row['id']}: expected of={', '.join(OF)}, not {row['of']!r}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in source.glob("*.v"):
            shutil.copy(path, folder)
        compile_all(folder)
        kept = {
            kind: [
                (file, match[2])
                for match in KEYWORDS.finditer((folder / f"{file}.v").read_text(encoding="utf-8"))
                if match[1] == kind
            ]
            for file, kind in (("Controls", "Theorem"), ("Examples", "Example"))
        }
        groups = {row["id"]: row["theorems"] for row in rows} | kept
        stated, assumed = ask(groups, folder)
        version = re.search(r"version (\S+)", coq("coqc", "--version", folder=folder))[1]
    for group, names in assumed.items():
        if strangers := sorted(set(names) - set(ALLOWED)):
            raise SystemExit(f"{group} assumes {', '.join(strangers)}, which is not allowed")
    entries = [
        {
            "id": row["id"],
            "covers": row["covers"],
            "of": row["of"],
            "in words": row["in words"],
            "leaves out": row["leaves out"],
            "theorems": [
                {"file": file, "theorem": name, "statement": stated[file, name]}
                for file, name in row["theorems"]
            ],
            "assumptions": assumed[row["id"]],
            "sha256": digest(
                sorted({one for file, _ in row["theorems"] for one in imports(file, source)}), source
            ),
        }
        for row in rows
    ]
    return {
        "by": "Coq",
        "version": version,
        "assumptions": ALLOWED,
        "statements": entries,
        "controls": {name: stated[file, name] for file, name in kept["Theorem"]},
        "examples": {name: stated[file, name] for file, name in kept["Example"]},
        "sha256": digest(sorted(path.stem for path in source.glob("*.v")), source),
    }


def check_compiled(source=HERE):
    """Have ``coqchk`` read every compiled proof again, down to the libraries; it may trust axioms only."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in source.glob("*.v"):
            shutil.copy(path, folder)
        compile_all(folder)
        files = [f"Companion.{path.stem}" for path in sorted(folder.glob("*.v"))]
        summary = coq("coqchk", "-silent", "-o", "-Q", ".", "Companion", *files, folder=folder)
    print(summary)
    for complaint in unchecked(summary):
        raise SystemExit(f"coqchk takes something on trust: {complaint}")


def show(entry, box):
    page, printed = box
    print(
        f"\n{entry['id']} ({entry['covers']}, {entry['of']}), chapters/{page}.ipynb\n\nprinted: {printed}\n"
    )
    for (file, name), formal in zip(entry["theorems"], entry["formal"], strict=True):
        print(f"formal, {file}.v, {name}:\n{formal}\n")
    print(f"in words: {entry['in words']}\nleaves out: {entry['leaves out'] or 'nothing'}")


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--read", action="store_true", help="show the pairs to be read again")
    parser.add_argument(
        "--pin", nargs="+", metavar="ID", help="these were read again ('all': all that changed)"
    )
    parser.add_argument("--coqchk", action="store_true", help="have coqchk read the compiled proofs")
    parser.add_argument("--output", type=Path, default=HERE / "results.json", help="where results go")
    options = parser.parse_args(words)
    if options.read or options.pin:
        changed = unread()
        wanted = list(changed) if options.pin == ["all"] else options.pin or []
        if unknown := sorted(set(wanted) - {entry["id"] for entry in results()}):
            parser.error(f"argument --pin: {unknown[0]!r} is no id of statements.csv")
        if options.read:
            for entry, box, _ in changed.values():
                show(entry, box)
            print(f"\n{len(changed)} pairs to read; then: python proofs/check.py --pin ID ...")
        if wanted:
            read = pins()
            for name in wanted:
                if name in changed:
                    date = datetime.date.today().isoformat()
                    read[name] = {"id": name, **changed[name][2], "read": date}
            known = [entry["id"] for entry in results()]
            with open(HERE / "read.csv", "w", encoding="utf-8", newline="") as file:
                table = csv.DictWriter(file, ["id", "printed", "formal", "read"], lineterminator="\n")
                table.writeheader()
                table.writerows(read[name] for name in known if name in read)
        return 0
    if options.coqchk:
        check_compiled()
        return 0
    found = check()
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    options.output.write_text(text, encoding="utf-8")
    changed = unread()
    counts = {one: sum(entry["covers"] == one for entry in found["statements"]) for one in COVERS}
    listed = ", ".join(f"{number} {one}" for one, number in counts.items())
    print(f"Coq {found['version']} accepts all: {len(found['statements'])} statements ({listed})")
    if changed:
        print(f"changed since somebody compared it with what is printed: {', '.join(changed)}")
        print("read these pairs (make proofs-read), then: python proofs/check.py --pin ID ...")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
