"""The ledger lists every statement with its expected and its latest verdict."""

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


@dataclass(frozen=True)
class Row(Statement):
    """A statement with its findings. ``verdict`` is None if no page treats the statement."""

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
    """Return a `Row` for each statement of the book's registry."""
    rows = []
    for statement in book.registry.values():
        checks = [finding for finding in findings if finding["statement"] == statement.id]
        results = {
            "findings": checks,
            "verdict": combined([finding["verdict"] for finding in checks]),
            "basis": sorted({finding["basis"] for finding in checks}),
            "checks": len(checks),
            "controls_rejected": sum(finding["control_rejected"] for finding in checks),
            "controls_differ": sum(finding["control_differs"] for finding in checks),
        }
        rows.append(Row(**vars(statement), **results))
    return rows


def verdicts(findings):
    """Return the verdict on each statement that has findings, by id."""
    verdicts_of_checks = {}
    for finding in findings:
        verdicts_of_checks.setdefault(finding["statement"], []).append(finding["verdict"])
    return {key: combined(check_verdicts) for key, check_verdicts in sorted(verdicts_of_checks.items())}


def opposed_statements(findings):
    """Return the statements whose verdict in a run opposes the expected verdict.

    Notes
    -----
    A statement that is *undecided* because the run is too small is included only if another check opposes the
    expected verdict. `problems` applies stricter rules to a build.
    """
    verdicts_of_checks = {}
    for finding in findings:
        key = finding["statement"], finding["expected"]
        verdicts_of_checks.setdefault(key, []).append(finding["verdict"])
    return [
        statement
        for (statement, expected), check_verdicts in verdicts_of_checks.items()
        if _is_opposed(expected, check_verdicts)
    ]


def _is_opposed(expected, check_verdicts):
    """Return whether the combined verdict of the checks opposes the expected verdict."""
    verdict = combined(check_verdicts)
    if verdict == "undecided":
        return "contradicted" in check_verdicts and expected != "contradicted"
    return verdict != expected


def write_findings(path, profile, findings):
    """Write the findings of a build to the file that the command ``ledger`` reads."""
    write_whole(path, json.dumps({"profile": profile, "findings": findings}, indent=1, ensure_ascii=False))


def last_profile(home):
    """Return the profile of the last build in a folder ``_build``, or ``book``."""
    paths = {profile: home / profile / "findings.json" for profile in PROFILES}
    times = {profile: path.stat().st_mtime_ns for profile, path in paths.items() if path.is_file()}
    return max(times, key=times.get, default="book")


def read_findings(book, path):
    """Return the profile and the findings of a build.

    Raises
    ------
    ValueError
        If there is no build, or if its findings cannot be read.
    """
    if not Path(path).exists():
        raise ValueError(f"{path}: expected the findings of a build; '{book.command} build' makes them")
    try:
        # Reading a pipe would block, so its text is taken as empty, which is not JSON.
        document = json.loads(Path(path).read_text(encoding="utf-8") if Path(path).is_file() else "")
        # Both functions raise an error if they cannot read the findings.
        ledger(book, document["findings"])
        margins(document["findings"])
        return document["profile"], document["findings"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path}: expected the findings of a build ({escaped(error)})") from None


def problems(book, findings, pages, profile="book"):
    """Return the reasons not to publish the book, one line each.

    The reasons are statements with an unexpected verdict, pages without a finding on one of their statements,
    a total risk that is too large, and controls that fail too clearly without a stated reason.

    Parameters
    ----------
    book : Book
        The book.
    findings : list of dict
        The findings.
    pages : iterable of str
        The names of the pages in the book.
    profile : str
        The profile of the build. In the profile ``"deep"``, a control may fail by any margin, because a
        longer run has smaller tolerances.
    """
    lines = []
    for row in ledger(book, findings):
        if row.differs:
            reason = _reason_in_brackets(row)
            lines.append(f"{row.page}: {row.id}: expected {row.expected}, got {row.verdict}{reason}")
        elif row.page in pages and row.page not in {finding["page"] for finding in row.findings}:
            lines.append(f"{row.page}: expected a finding on {row.id}, got none")
    if (risk := sum(finding["risk"] for finding in findings)) > RISK_BUDGET:
        lines.append(f"expected findings with a total risk of at most {RISK_BUDGET:g}, got {risk:.2g}")
    return lines + (far_controls(findings) if profile != "deep" else [])


def _reason_in_brackets(row):
    """Return, after a space and in brackets, why a verdict settles nothing.

    The reason consists of the results of the claim and the control, or of the size that a run would need. The
    text is empty if the verdict settles the statement.
    """
    for number, finding in enumerate(row.findings, 1):
        check = f"check {number}: " if row.checks > 1 else ""
        if finding["verdict"] == row.verdict == "inconclusive":
            result = "fail" if finding["claim"]["margin"]["outside"] > 0 else "pass"
            return f" ({check}claim and control both {result})"
        if finding["verdict"] == row.verdict == "undecided":
            return f" ({check}to decide: {finding['needs']})"
    return ""


def numbered(findings):
    """Yield each finding, preceded by its number among the findings on its statement."""
    counts = Counter()
    for finding in findings:
        counts[finding["statement"]] += 1
        yield counts[finding["statement"]], finding


def margins(findings):
    """Return the margins of each check as plain Python values, in order of the findings."""
    keys = ("page", "rule", "basis", "verdict", "control_differs", "far")
    return [
        {"statement": finding["statement"], "check": number}
        | {key: finding[key] for key in keys}
        | {side: finding[side]["margin"] for side in ("claim", "control")}
        for number, finding in numbered(findings)
    ]


def far_controls(findings):
    """Return a line for each control that fails too clearly without a stated reason."""
    return [
        f"{row['page']}: {row['statement']}, check {row['check']}: the control fails by "
        f"{Margin(**row['control'])} tolerances: expected at most {NEAR}; take a nearer control, or give "
        "page.finding(far=...) a reason"
        for row in margins(findings)
        if row["verdict"] != "contradicted" and (row["control"]["worst"] or 0) > NEAR and not row["far"]
    ]


def tally(rows):
    """Return in words how many statements have each verdict, by interpretation."""
    phrases, words_of_verdicts = [], [*SHAPES, "not treated yet"]
    for reading in READINGS:
        counts = Counter(row.verdict or "not treated yet" for row in rows if row.reading == reading)
        if counts:
            numbers = [f"{counts[words]} {words}" for words in words_of_verdicts if counts[words]]
            phrases.append(f"{reading}: {', '.join(numbers)}")
    return "; ".join(phrases)


def as_json(book, profile, findings):
    """Return the document that the command ``ledger --json`` prints."""
    counts = ("checks", "controls_rejected", "controls_differ")
    keys = ("page", "expected", "verdict", *counts, "reading", "basis")
    statements = [
        {"id": row.id, "source": row.source.name} | {key: getattr(row, key) for key in keys}
        for row in ledger(book, findings)
    ]
    document = {"profile": profile, "statements": statements, "margins": margins(findings)}
    return json.dumps(document, indent=1, ensure_ascii=False)


def table(rows):
    """Return the rows as aligned text for a terminal."""
    lines = [("statement", "page", "expected", "verdict", "checks", "controls that differ")]
    for row in rows:
        verdict = shaped(row.verdict) if row.verdict else "–"
        mark = "  <- differs" if row.differs else ""  # the verdict differs from the expected one
        controls = f"{row.controls_differ}{mark}"
        lines.append((row.id, row.page, row.expected, verdict, str(row.checks), controls))
    return "\n".join(aligned(lines, str.ljust))
