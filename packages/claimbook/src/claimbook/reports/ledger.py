"""The ledger: every statement, with its expected verdict and what the last build found."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from claimbook.evidence import NEAR, RISK_BUDGET, SHAPES, Margin, combined
from claimbook.parameters import PROFILES
from claimbook.registry import READINGS, Statement
from claimbook.templates import shaped
from claimbook.text import aligned, escaped
from claimbook.writing import write_whole

_ALIKE = ("both pass", "both fail")


@dataclass(frozen=True)
class Row(Statement):
    """One statement of the ledger with its findings; ``verdict`` is None while no page treats it."""

    findings: list
    verdict: str | None
    basis: list
    checks: int
    controls_rejected: int
    controls_differ: int

    @property
    def differs(self):
        return self.verdict is not None and self.verdict != self.expected


def ledger(book, findings):
    """All rows of the book's registry, with what ``findings`` say about them."""
    rows = []
    for statement in book.registry.values():
        own = [finding for finding in findings if finding["statement"] == statement.id]
        found = {
            "findings": own,
            "verdict": combined([finding["verdict"] for finding in own]),
            "basis": sorted({finding["basis"] for finding in own}),
            "checks": len(own),
            "controls_rejected": sum(finding["control_rejected"] for finding in own),
            "controls_differ": sum(finding["control_differs"] for finding in own),
        }
        rows.append(Row(**vars(statement), **found))
    return rows


def verdicts(findings):
    """Statement id to verdict, for the statements that have findings."""
    found = {}
    for finding in findings:
        found.setdefault(finding["statement"], []).append(finding["verdict"])
    return {statement: combined(own) for statement, own in sorted(found.items())}


def opposed(findings):
    """The statements on which a run came out against the verdict that is expected.

    Where one is *undecided*, because the run is too small for it, only another check that contradicts the
    statement counts. A build asks for more (`problems`).
    """
    found = {}
    for finding in findings:
        found.setdefault((finding["statement"], finding["expected"]), []).append(finding["verdict"])
    return [statement for (statement, expected), own in found.items() if _is_opposed(expected, own)]


def _is_opposed(expected, own):
    if (verdict := combined(own)) == "undecided":
        return "contradicted" in own and expected != "contradicted"
    return verdict != expected


def write_findings(path, profile, findings):
    """Keep the findings of a build where the command ``ledger`` looks."""
    write_whole(path, json.dumps({"profile": profile, "findings": findings}, indent=1, ensure_ascii=False))


def last_profile(home):
    """The profile of the last build in a folder ``_build``; ``book`` if there is none."""
    written = {profile: home / profile / "findings.json" for profile in PROFILES}
    written = {profile: path.stat().st_mtime_ns for profile, path in written.items() if path.is_file()}
    return max(written, key=written.get, default="book")


def read_findings(book, path):
    """The profile and the findings of a build; ValueError when there is none, or none that can be read."""
    if not Path(path).exists():
        raise ValueError(f"no build at {path}: '{book.command} build' makes one")
    try:
        # A pipe would be waited for.
        document = json.loads(Path(path).read_text(encoding="utf-8") if Path(path).is_file() else "")
        (
            ledger(book, document["findings"]),
            margins(document["findings"]),
        )  # both raise if they cannot
        return document["profile"], document["findings"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: expected the findings of a build ({escaped(error)})") from None


def problems(book, findings, pages, profile="book"):
    """Reasons not to publish, one a line.

    They are statements with another verdict than expected, pages without a finding on one of their
    statements, too large a risk altogether, and controls that fail too clearly without a reason.

    Parameters
    ----------
    book : Book
    findings : list of dict
    pages : iterable of str
        Names of the pages that stand.
    profile : str
        At ``"deep"`` no control is too far: a longer run narrows tolerances, and so moves them away.
    """
    lines = []
    for row in ledger(book, findings):
        if row.differs:
            reason = _reason(row)
            lines.append(f"{row.page}: {row.id}: expected {row.expected}, got {row.verdict}{reason}")
        elif row.page in pages and row.page not in {finding["page"] for finding in row.findings}:
            lines.append(f"{row.page}: no finding on {row.id}")
    if (risk := sum(finding["risk"] for finding in findings)) > RISK_BUDGET:
        lines.append(
            f"the findings together risk a false verdict with probability {risk:.2g} > {RISK_BUDGET:g}"
        )
    return lines + (far_controls(findings) if profile != "deep" else [])


def _reason(row):
    """Why a verdict settles nothing, in brackets: how claim and control came out, or what a run needs."""
    for number, found in enumerate(row.findings, 1):
        which = f"check {number}: " if row.checks > 1 else ""
        if found["verdict"] == row.verdict == "inconclusive":
            return f" ({which}claim and control {_ALIKE[found['claim']['margin']['outside'] > 0]})"
        if found["verdict"] == row.verdict == "undecided":
            return f" ({which}to decide: {found['needs']})"
    return ""


def numbered(findings):
    """Each finding after its number among those of its statement, which tells several apart."""
    seen = Counter()
    for found in findings:
        seen[found["statement"]] += 1
        yield seen[found["statement"]], found


def margins(findings):
    """The margin of each check: a row of plain types for each finding, in order of the findings."""
    keys = ("page", "rule", "basis", "verdict", "control_differs", "far")
    return [
        {"statement": found["statement"], "check": number}
        | {key: found[key] for key in keys}
        | {side: found[side]["margin"] for side in ("claim", "control")}
        for number, found in numbered(findings)
    ]


def far_controls(findings):
    """The controls that fail by more than ``NEAR`` tolerances and have no reason for it, as lines."""
    return [
        f"{row['page']}: {row['statement']}, check {row['check']}: the control fails by "
        f"{Margin(**row['control'])} tolerances: expected at most {NEAR}; take a nearer control, or give "
        "page.finding(far=...) a reason"
        for row in margins(findings)
        if row["verdict"] != "contradicted" and (row["control"]["worst"] or 0) > NEAR and not row["far"]
    ]


def tally(rows):
    """The numbers of statements with each verdict, and with none yet, for each reading, as words."""
    lines = []
    for reading in READINGS:
        counts = Counter(row.verdict for row in rows if row.reading == reading)
        words = [f"{counts[verdict]} {verdict}" for verdict in SHAPES if counts[verdict]]
        words += [f"{counts[None]} not treated yet"] * bool(counts[None])
        lines += [f"{reading}: {', '.join(words)}"] * bool(words)
    return "; ".join(lines)


def as_json(book, profile, findings):
    """The document that the command ``ledger --json`` prints."""
    counts = ("checks", "controls_rejected", "controls_differ")
    keys = ("page", "expected", "verdict", *counts, "reading", "basis")
    statements = [
        {"id": row.id, "source": row.source.name} | {key: getattr(row, key) for key in keys}
        for row in ledger(book, findings)
    ]
    document = {"profile": profile, "statements": statements, "margins": margins(findings)}
    return json.dumps(document, indent=1, ensure_ascii=False)


def table(rows):
    """The rows as aligned text for a terminal."""
    cells = [("statement", "page", "expected", "verdict", "checks", "controls that differ")]
    for row in rows:
        verdict = shaped(row.verdict) if row.verdict else "–"
        controls = f"{row.controls_differ}{'  <- differs' if row.differs else ''}"
        cells.append((row.id, row.page, row.expected, verdict, str(row.checks), controls))
    return "\n".join(aligned(cells, str.ljust))
