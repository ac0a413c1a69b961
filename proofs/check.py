"""Check every proof with Coq, and record which statements a reader has compared.

``python proofs/check.py`` compiles all proofs in an empty folder, asks Coq for each statement and its
assumptions, and writes ``results.json``. ``--read`` shows the printed boxes and the formal statements that
changed since a reader compared them. ``--pin ID ...`` records that a reader has compared the statements with
these ids again. Only Python and Coq are required.
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
OF = ("statement", "refutation", "condition")  # proved: the statement, its negation or a condition for it
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec": (
        "if a property can be decided for each natural number, it can be decided whether all numbers have "
        "it, and if not, a number without it can be given"
    ),
    "ClassicalDedekindReals.sig_not_dec": (
        "for every statement, it can be decided whether it is false or not false"
    ),
    "FunctionalExtensionality.functional_extensionality_dep": "two functions with the same values are equal",
    "Classical_Prop.classic": "every statement is true or false",
}
# The permitted entries in the summary of coqchk. Each axiom is in one of two folders of the library.
EXPECTED_SUMMARY = {
    "Theory": {"Set is predicative"},
    "Axioms": {f"Coq.{folder}.{name}" for folder in ("Reals", "Logic") for name in ALLOWED},
}
# Words that make Coq accept something without a proof or disable a check, and words for modules, which could
# redefine a name of a library.
UNPROVED = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Primitive|Declare\s+ML|Load"
    r"|Bypass|bypass_check|Guard\s+Checking|Positivity\s+Checking|Universe\s+Checking"
    r"|Modules?|type_in_type|Rewrite\s+Rule|Undo|Restart|Abort)\b",
    re.IGNORECASE,
)
LOCAL_ASSUMPTION = re.compile(r"\b(Hypothesis|Hypotheses|Variables?|Context)\b")
# Commands for the structure of files and for tactics, which define no words.
STRUCTURE = re.compile(r"^(From|Import|Section|End|Ltac|Open Scope R_scope|Proof|Qed)\b")
# The only permitted form of an import, so that no import is overlooked.
IMPORT = re.compile(r"From (Coq|Coquelicot|Companion) Require (?:Import|Export) ([\w.]+(?: [\w.]+)*)\.")
THEOREM = re.compile(r"\b(Theorem|Lemma|Corollary|Example|Proposition)\s+(\w+)")


# A string. Inside, a doubled quote stands for a quote. The string may be open at the end of the file.
STRING = re.compile(r'"(?:[^"]|"")*("|\Z)')


def sentences(text, quoted=True):
    """Return the sentences of a Coq file without comments, parsed as Coq does.

    Parameters
    ----------
    text : str
        The contents of the file.
    quoted : bool
        Whether to keep the contents of strings.

    Notes
    -----
    Coq recognises strings both outside and inside comments: ``(*`` or ``*)`` in a string has no effect.
    """
    kept_text, depth, position = [], 0, 0
    while position < len(text):
        if string := STRING.match(text, position):
            # The blanks are removed, so that a full stop in a string does not end the sentence.
            kept_text.append("" if depth else re.sub(r"\s", "_", string[0]) if quoted else '""')
            position = string.end()
        elif text.startswith("(*", position):
            depth, position = depth + 1, position + 2
        elif depth and text.startswith("*)", position):
            depth, position = depth - 1, position + 2
            kept_text.append(" ")
        else:
            kept_text.append("" if depth else text[position])
            position += 1
    raw_texts = [" ".join(raw.split()) for raw in re.split(r"(?<=\.)\s+", "".join(kept_text))]
    return [command for raw in raw_texts if (command := re.sub(r"^(?:[-+*{}\s]|\d+:)+", "", raw))]


def taken_on_trust(text):
    """Return complaints about unproved assumptions in the text of a Coq file."""
    complaints, sections = [], []
    for sentence in sentences(text, quoted=False):
        if opened := re.match(r"Section (\w+)", sentence):
            sections.append(opened[1])
        if (closed := re.match(r"End (\w+)", sentence)) and sections[-1:] == [closed[1]]:
            sections.pop()
        if UNPROVED.search(sentence):
            complaints.append(f"'{UNPROVED.search(sentence)[0]}' in: {sentence[:70]}")
        if re.search(r"\bRequire\b", sentence) and not IMPORT.fullmatch(sentence):
            complaints.append(f"import without the form 'From X Require Import Y': {sentence[:70]}")
        if LOCAL_ASSUMPTION.search(sentence) and not sections:
            complaints.append(f"an assumption outside a section: {sentence[:70]}")
    return complaints


def imports(name, folder=HERE):
    """Return the sorted names of a file and of all files that it imports."""
    visited = set()

    def follow(file):
        if file not in visited:
            visited.add(file)
            for sentence in sentences((folder / f"{file}.v").read_text(encoding="utf-8")):
                if (match := IMPORT.fullmatch(sentence)) and match[1] == "Companion":
                    for imported in match[2].split():
                        follow(imported)

    follow(name)
    return sorted(visited)


def digest(files, folder=HERE):
    """Return one SHA-256 checksum of files and their names."""
    parts = [f"{name}\n{(folder / f'{name}.v').read_text(encoding='utf-8')}" for name in files]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def meanings(files, folder=HERE):
    """Return the text of files without theorems and proofs.

    This text defines the terms that the statements use. The text includes commands within a proof, and also a
    proof that ends in ``Defined``, because such a proof is a definition.
    """
    kept_sentences = []
    for name in files:
        proof = None
        for sentence in sentences((folder / f"{name}.v").read_text(encoding="utf-8")):
            if proof is None and THEOREM.match(sentence):
                proof = [sentence]
            elif proof is None:
                kept_sentences += [] if STRUCTURE.match(sentence) else [sentence]
            elif sentence in ("Qed.", "Defined."):
                kept_sentences += proof if sentence == "Defined." else []
                proof = None
            else:
                proof.append(sentence)
                kept_sentences += (
                    [sentence] if sentence[0].isupper() and not STRUCTURE.match(sentence) else []
                )
    return "\n".join(kept_sentences)


def statements(folder=HERE):
    """Return the rows of ``statements.csv``, with theorems as (file, name)."""
    with open(folder / "statements.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["theorems"] = [tuple(name.split(".")) for name in row["theorems"].split()]
    return rows


def boxes(pages=PAGES):
    """Return the page and the text of each box of the book by its label."""
    printed_boxes = {}
    box_pattern = re.compile(r"^(`{3,}|:{3,})\{prf:\w+\}([^\n]*)\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
    for path in sorted(pages.glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for _, title, body in box_pattern.findall("".join(cell["source"])):
                if label := re.search(r"^:label: (\S+)$", body, re.MULTILINE):
                    text = re.sub(r"^:\w+:[^\n]*\n", "", body, flags=re.MULTILINE)
                    printed_boxes[label[1]] = (path.stem, " ".join(f"{title} {text}".split()))
    return printed_boxes


def read_hashes(entry, box, folder=HERE):
    """Return checksums of a printed box and of its formal statement."""
    files = sorted({name for file, _ in entry["theorems"] for name in imports(file, folder)})
    formal = "\n".join(entry["formal"]) + "\n" + meanings(files, folder)
    return {
        "printed": hashlib.sha256(box.encode()).hexdigest(),
        "formal": hashlib.sha256(formal.encode()).hexdigest(),
    }


def results(folder=HERE):
    """Return the statements in ``results.json``, with theorems as (file, name)."""
    entries = json.loads((folder / "results.json").read_text(encoding="utf-8"))["statements"]
    return [
        {
            **entry,
            "theorems": [(theorem["file"], theorem["theorem"]) for theorem in entry["theorems"]],
            "formal": [theorem["statement"] for theorem in entry["theorems"]],
        }
        for entry in entries
    ]


def pins(folder=HERE):
    """Return the date and the checksums of each statement's last comparison, by id."""
    if not (folder / "read.csv").exists():
        return {}
    with open(folder / "read.csv", encoding="utf-8", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


def unread(folder=HERE, pages=PAGES):
    """Return the statements that changed since a reader compared them, by id.

    Each value contains the entry in ``results.json``, the page and text of the box, and the new checksums.

    Raises
    ------
    ValueError
        If a statement has no box on a page.
    """
    printed_boxes, comparisons = boxes(pages), pins(folder)
    changed = {}
    for entry in results(folder):
        label = entry["id"].replace("/", "-")
        if label not in printed_boxes:
            raise ValueError(
                f"statements.csv: id={entry['id']!r}: expected a box with the label {label!r} on a page"
            )
        hashes = read_hashes(entry, printed_boxes[label][1], folder)
        if any(comparisons.get(entry["id"], {}).get(key) != value for key, value in hashes.items()):
            changed[entry["id"]] = (entry, printed_boxes[label], hashes)
    return changed


# ---- with Coq ----


def coq(*command, folder):
    """Run one of Coq's programs; return its output and its error messages."""
    completed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if completed.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{completed.stdout}{completed.stderr}")
    return completed.stdout + completed.stderr


QUERY_HEADER = """From Coq Require Import Reals List Permutation.
From Coquelicot Require Import Coquelicot.
From Companion Require Import {files} Ranking.
Import ListNotations.
Open Scope R_scope.
Set Printing Width 90.
Set Printing Depth 1000.
"""


def ask(groups, folder):
    """Return the statement of each theorem, and the assumptions of each group.

    Notes
    -----
    There is only one query for each group, because Coq searches complete libraries for each answer.
    """
    files = {file for theorems in groups.values() for file, _ in theorems} - {"Ranking"}
    query = QUERY_HEADER.format(files=" ".join(sorted(files)))
    print_line = 'Goal True. idtac "@@{}". Abort.\n'.format
    for number, theorems in enumerate(groups.values()):
        for file, name in theorems:
            query += print_line(f"S {file}.{name}") + f"Check {file}.{name}.\n" + print_line("E")
        conjunction = "I"
        for file, name in theorems:
            conjunction = f"(conj {file}.{name} {conjunction})"
        query += f"Definition group_{number} := {conjunction}.\n"
        query += print_line(f"A {number}") + f"Print Assumptions group_{number}.\n" + print_line("E")
    (folder / "Ask.v").write_text(query, encoding="utf-8")
    printed = coq("coqc", "-w", "none", "-Q", ".", "Companion", "Ask.v", folder=folder)
    answers = dict(re.findall(r"^@@([SA] \S+)\n(.*?)^@@E$", printed, re.DOTALL | re.MULTILINE))
    statement_of, assumptions_of = {}, {}
    for number, (group, theorems) in enumerate(groups.items()):
        assumptions_of[group] = assumptions(answers[f"A {number}"])
        for file, name in theorems:
            statement = re.sub(r"^\S+\s*:\s", "", answers[f"S {file}.{name}"].strip())
            statement_of[file, name] = re.sub(r"^ {5}", "", statement, flags=re.MULTILINE).strip()
    return statement_of, assumptions_of


def assumptions(printed):
    """Return the sorted names of assumptions in the output of ``Print Assumptions``.

    Notes
    -----
    Continuation lines are ignored. If a line is not a name with a type, as in ``evil is assumed to be
    guarded.``, the line itself is returned, so that no list of axioms permits it.
    """
    lines = [line for line in printed.splitlines() if line.strip() and not line[0].isspace()]
    matches = [re.fullmatch(r"([^\s:]+)(?: :.*)?", line) for line in lines]
    names = {match[1] if match else line for match, line in zip(matches, lines, strict=True)}
    return sorted(names - {"Axioms:", "Closed under the global context"})


def unchecked(summary):
    """Return complaints about a summary of ``coqchk``.

    These are all entries that are not in ``EXPECTED_SUMMARY``: other axioms, and parts that were not checked.
    """
    complaints, section = [] if "CONTEXT SUMMARY" in summary else ["there is no summary"], None
    for line in summary.splitlines():
        entry = line.strip()
        if heading := re.match(r"\* (.+?):(.*)", line):
            section, entry = heading[1], heading[2].strip()
        if section and entry and entry != "<none>" and entry not in EXPECTED_SUMMARY.get(section, ()):
            complaints.append(f"{section}: {entry}")
    return complaints


def compile_all(folder):
    """Compile each file in a folder after the files that it imports."""
    compiled = set()

    def visit(name):
        if name not in compiled:
            compiled.add(name)
            for imported in imports(name, folder):
                visit(imported)
            coq("coqc", "-w", "none", "-Q", ".", "Companion", f"{name}.v", folder=folder)

    for path in sorted(folder.glob("*.v")):
        visit(path.stem)


def check(source=HERE):
    """Return the contents of ``results.json`` after checking all proofs in a new folder.

    Raises
    ------
    SystemExit
        If Coq rejects a file or a proof assumes too much; the exit code is 1.
    """
    rows = statements(source)
    for path in sorted(source.glob("*.v")):
        for complaint in taken_on_trust(path.read_text(encoding="utf-8")):
            raise SystemExit(f"{path.name}: accepts something without proof: {complaint}")
    for row in rows:
        if row["covers"] not in COVERS or (row["covers"] == "whole") == bool(row["leaves out"]):
            raise SystemExit(
                f"statements.csv: {row['id']}: covers={row['covers']!r}, leaves out={row['leaves out']!r}:"
                f" expected one of {', '.join(COVERS)}, and an empty 'leaves out' only for whole"
            )
        if row["of"] not in OF:
            raise SystemExit(
                f"statements.csv: {row['id']}: of={row['of']!r}: expected one of {', '.join(OF)}"
            )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in source.glob("*.v"):
            shutil.copy(path, folder)
        compile_all(folder)
        named_theorems = {
            kind: [
                (file, match[2])
                for match in THEOREM.finditer((folder / f"{file}.v").read_text(encoding="utf-8"))
                if match[1] == kind
            ]
            for file, kind in (("Controls", "Theorem"), ("Examples", "Example"))
        }
        groups = {row["id"]: row["theorems"] for row in rows} | named_theorems
        statement_of, assumptions_of = ask(groups, folder)
        version = re.search(r"version (\S+)", coq("coqc", "--version", folder=folder))[1]
    for group, names in assumptions_of.items():
        if forbidden := sorted(set(names) - set(ALLOWED)):
            raise SystemExit(f"{group} assumes {', '.join(forbidden)}, which is not permitted")
    entries = [
        {
            "id": row["id"],
            "covers": row["covers"],
            "of": row["of"],
            "in words": row["in words"],
            "leaves out": row["leaves out"],
            "theorems": [
                {"file": file, "theorem": name, "statement": statement_of[file, name]}
                for file, name in row["theorems"]
            ],
            "assumptions": assumptions_of[row["id"]],
            "sha256": digest(
                sorted({name for file, _ in row["theorems"] for name in imports(file, source)}), source
            ),
        }
        for row in rows
    ]
    return {
        "by": "Coq",
        "version": version,
        "assumptions": ALLOWED,
        "statements": entries,
        "controls": {name: statement_of[file, name] for file, name in named_theorems["Theorem"]},
        "examples": {name: statement_of[file, name] for file, name in named_theorems["Example"]},
        "sha256": digest(sorted(path.stem for path in source.glob("*.v")), source),
    }


def check_compiled(source=HERE):
    """Check every compiled proof with ``coqchk``, and print the summary.

    Raises
    ------
    SystemExit
        If the summary contains anything other than the permitted axioms; the exit code is 1.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in source.glob("*.v"):
            shutil.copy(path, folder)
        compile_all(folder)
        files = [f"Companion.{path.stem}" for path in sorted(folder.glob("*.v"))]
        summary = coq("coqchk", "-silent", "-o", "-Q", ".", "Companion", *files, folder=folder)
    print(summary)
    for complaint in unchecked(summary):
        raise SystemExit(f"coqchk accepts something without proof: {complaint}")


def show(entry, box):
    """Print a box and its formal statements."""
    page, printed = box
    print(
        f"\n{entry['id']} ({entry['covers']}, {entry['of']}), chapters/{page}.ipynb\n\nprinted: {printed}\n"
    )
    for (file, name), formal in zip(entry["theorems"], entry["formal"], strict=True):
        print(f"formal, {file}.v, {name}:\n{formal}\n")
    print(f"in words: {entry['in words']}\nleaves out: {entry['leaves out'] or 'nothing'}")


def main(arguments=None):
    """Run the command; return 0, or 1 if a reader has to compare statements again."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--read", action="store_true", help="show the pairs that a reader has to compare again"
    )
    parser.add_argument(
        "--pin", nargs="+", metavar="ID", help="record that you compared these ('all': all that changed)"
    )
    parser.add_argument("--coqchk", action="store_true", help="check the compiled proofs with coqchk")
    parser.add_argument("--output", type=Path, default=HERE / "results.json", help="file for the results")
    options = parser.parse_args(arguments)
    if options.read or options.pin:
        changed = unread()
        ids = [entry["id"] for entry in results()]
        pinned_ids = list(changed) if options.pin == ["all"] else options.pin or []
        if unknown_ids := sorted(set(pinned_ids) - set(ids)):
            parser.error(f"argument --pin: {unknown_ids[0]!r}: expected an id in statements.csv")
        if options.read:
            for entry, box, _ in changed.values():
                show(entry, box)
            print(f"\n{len(changed)} pairs to compare; then run: python proofs/check.py --pin ID ...")
        if pinned_ids:
            comparisons = pins()
            for statement_id in pinned_ids:
                if statement_id in changed:
                    date = datetime.date.today().isoformat()
                    comparisons[statement_id] = {"id": statement_id, **changed[statement_id][2], "read": date}
            with open(HERE / "read.csv", "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, ["id", "printed", "formal", "read"], lineterminator="\n")
                writer.writeheader()
                writer.writerows(comparisons[name] for name in ids if name in comparisons)
        return 0
    if options.coqchk:
        check_compiled()
        return 0
    checked = check()
    text = json.dumps(checked, indent=1, ensure_ascii=False) + "\n"
    options.output.write_text(text, encoding="utf-8")
    changed = unread()
    counts = {extent: sum(entry["covers"] == extent for entry in checked["statements"]) for extent in COVERS}
    summary = ", ".join(f"{number} {extent}" for extent, number in counts.items())
    print(f"Coq {checked['version']} accepts all proofs: {len(checked['statements'])} statements ({summary})")
    if changed:
        print(f"changed since a reader compared them with the printed boxes: {', '.join(changed)}")
        print("compare these pairs (make proofs-read), then run: python proofs/check.py --pin ID ...")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
