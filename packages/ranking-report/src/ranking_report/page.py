"""The page and the tables of a comparison, as texts by file name: Jinja templates.

With all untrusted text escaped.
"""

import json
from math import isfinite
from unicodedata import normalize

import numpy as np
import pandas

from ndcg_companion.text import escaped
from ranking_report.cells import cell
from ranking_report.colours import schemes
from ranking_report.folders import output_folder
from ranking_report.moved import main_pair, moved_most
from ranking_report.scale import Scale
from ranking_report.sentences import count, differences, lines_of, sentences, signed, templates
from ranking_report.version import __version__

FILES = (
    "index.html",
    "leaderboard.csv",
    "means.csv",
    "pairs.csv",
    "measures.csv",
    "scores.csv",
    "report.json",
    "leaderboard.tex",
)
_MOST_ROWS = 300  # of the pairs on the page; all are in pairs.csv
_FORMULAS = {
    "αβγδεζηθικλμ": "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu",
    "νξπρςστυφχψω": "nu xi pi rho varsigma sigma tau upsilon phi chi psi omega",
    "ΓΔΘΛΞΠΣΥΦΨΩ": "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega",
    "≤≥≠≈→←∞√": "leq geq neq approx to gets infty surd",
}
# ASCII is what it says, and never a command; < > | are other glyphs in pdfLaTeX's first font encoding. Latin
# letters stay, since pdfLaTeX reads them. Greek letters and signs, which it refuses, are formulas; the Greek
# letters that look like Latin ones have no command. Other scripts stay, for engines that read them.
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "\"'`-[]*"},
    **{one: f"$\\{name}$" for ones, names in _FORMULAS.items() for one, name in zip(ones, names.split())},
    "−": "$-$",
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo")),
}


def save(comparison, folder):
    """Write all files of a comparison into a folder that is new, empty, or that of an earlier report."""
    with output_folder(folder, "report") as scratch:
        for name, text in files(comparison).items():
            (scratch / name).write_text(text, encoding="utf-8", newline="\n")


def in_turn(comparison):
    """What the pairs that are followed query by query hold after each of them, as a table."""
    rows = []
    for (first, second), test in comparison.in_turn.items():
        part = {
            "first": first,
            "second": second,
            "number": np.arange(1, len(comparison.queries) + 1),
            "query": np.array(comparison.queries, dtype=object),
            "difference": test.differences,
            "wealth_first": test.wealth[0],
            "wealth_second": test.wealth[1],
            "low": test.low,
            "high": test.high,
        }
        rows.append(pandas.DataFrame(part))
    return pandas.concat(rows, ignore_index=True)


def files(comparison):
    """The texts of all files by name."""
    return {
        "index.html": as_html(comparison),
        "leaderboard.csv": as_csv(comparison.leaderboard),
        "means.csv": as_csv(comparison.means),
        "pairs.csv": as_csv(comparison.pairs),
        "measures.csv": as_csv(comparison.measures),
        "scores.csv": as_csv(comparison.scores),
        "report.json": json.dumps(as_record(comparison), indent=1, ensure_ascii=False, allow_nan=False)
        + "\n",
        "leaderboard.tex": _template(
            "leaderboard.tex",
            comparison=comparison,
            measure=comparison.measure_names[0],
            board=comparison.leaderboard.to_dict("records"),
            means=means_shown(comparison),
            rows=differences(comparison) if len(comparison.systems) == 2 else [],
        ),
    } | {name: as_csv(table) for name, table in more_tables(comparison).items()}


def more_tables(comparison):
    """The tables that a report has only if they were asked for, by the names of their files."""
    tables = {"moved.csv": moved_most(comparison)} if len(comparison.systems) > 1 else {}
    if comparison.in_turn:
        tables["sequential.csv"] = in_turn(comparison)
    if comparison.groups is not None:
        tables["groups.csv"] = comparison.groups
    return tables


def means_shown(comparison):
    """Each system with its means as printed, and whether each is the highest of its measure."""
    table = comparison.means.set_index("system")
    shown_means = table.map("{:.4f}".format)
    highest = table.max().map("{:.4f}".format)
    best = (shown_means == highest) & (shown_means.nunique() > 1)
    return [(name, [*zip(shown_means.loc[name], best.loc[name])]) for name in table.index]


def as_record(comparison):
    """All but the scores by query, as what JSON can hold: what is not finite is null."""
    return _plain(
        {
            "version": __version__,
            "answer": sentences(comparison),
            "methods": comparison.methods,
            "references": references(),
            "notes": comparison.notes,
            "source": comparison.source,
            "settings": comparison.settings,
            "queries": len(comparison.queries),
            "systems": comparison.systems,
            "sign_patterns": comparison.flips.patterns,
            "leaderboard": comparison.leaderboard.to_dict("records"),
            "means": comparison.means.to_dict("records"),
            "pairs": comparison.pairs.to_dict("records"),
            "measures": comparison.measures.to_dict("records"),
            "gates": comparison.gates,
            "groups": [] if comparison.groups is None else comparison.groups.to_dict("records"),
            "sequential": [
                {
                    "first": first,
                    "second": second,
                    "winner": test.winner,
                    "stopped_at": test.stopped_at,
                    "low": test.low[-1],
                    "high": test.high[-1],
                }
                for (first, second), test in comparison.in_turn.items()
            ],
        }
    )


def references():
    """What a paper that uses a comparison would cite."""
    return lines_of("references.txt", version=__version__)


def _plain(value):
    """A value as JSON can hold it: plain numbers, and null for what is not finite."""
    if isinstance(value, dict):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not isfinite(value) else value


def as_csv(table):
    """A DataFrame as comma-separated values; no cell is a formula to a spreadsheet.

    What is not known is empty.
    """
    words = table.select_dtypes(exclude="number")
    safe = {name: words[name].map({word: cell(word) for word in words[name].unique()}) for name in words}
    return table.assign(**safe).to_csv(index=False, lineterminator="\n")


def latex(text):
    """Untrusted text in LaTeX: what pdfLaTeX reads, but for scripts other than Latin and Greek.

    >>> print(latex("50%_off α"))
    50\\%\\_off $\\alpha$
    """
    text = normalize("NFC", escaped(text, 200))  # pdfLaTeX knows é, and not e with an accent of its own
    return "".join(_LATEX.get(character, character) for character in text)


def as_html(comparison):
    """The page, whole in itself."""
    board = comparison.leaderboard.to_dict("records")
    pairs = differences(comparison)
    if len(board) > 2:  # of two systems all measures, in their order; of more the first, the surest first
        pairs = [row for row in pairs if row["measure"] == comparison.measure_names[0]]
        pairs.sort(key=lambda row: row["p_family"])
    return _template(
        "page.html",
        colours=schemes(),
        comparison=comparison,
        version=__version__,
        references=references(),
        bibtex=templates(False).get_template("references.bib").render(version=__version__),
        answer=sentences(comparison),
        board=board,
        means=means_shown(comparison),
        pairs=pairs[:_MOST_ROWS],
        pairs_left=max(len(pairs) - _MOST_ROWS, 0),
        measures=comparison.measures.to_dict("records"),
        leaders=_leaders(comparison, board),
        matrix=_matrix(comparison, board) if len(board) > 1 else None,
        ladder=_ladder(comparison, board) if len(board) > 1 else None,
        turns=_turns(comparison, board) if comparison.in_turn else None,
        moved=_moved(comparison) if len(board) > 1 else None,
        groups=[] if comparison.groups is None else comparison.groups.to_dict("records"),
    )


def _needed(row):
    """The queries needed, with their range, which may have no upper end."""
    if row["queries"] != row["queries"]:
        return ""
    low, high = row["queries_low"], row["queries_high"]
    if not isfinite(low):
        return "no number is enough"
    return (
        f"{count(row['queries'])} ({count(low)} to {count(high)})"
        if isfinite(high)
        else f"{count(row['queries'])} (at least {count(low)})"
    )


def _template(name, **values):
    environment = templates(escape=not name.endswith(".tex"))
    return environment.get_template(name).render(needed=_needed, latex=latex, **values)


def _leaders(comparison, board):
    """The first figure: means with their intervals."""
    ends = [row[name] for row in board for name in ("low", "high", "mean") if isfinite(row[name])]
    # No wider than the names and letters need, so that a narrow screen shows all of it.
    left = 20 + 7 * max(len(escaped(row["system"], 24)) for row in board)
    return {
        "scale": Scale(min(ends), max(ends), 340, left),
        "left": left,
        "width": left + 365 + 8 * max(len(row["group"]) for row in board),
        "height": 22 * len(board) + 46,
        "alt": f"A dot with an interval for each of {len(board)} systems, from a mean of "
        f"{board[0]['mean']:.3f} at the top to {board[-1]['mean']:.3f} at the bottom.",
    }


def _matrix(comparison, board):
    """The second figure: differences of all pairs, row minus column, best first."""
    at = [comparison.systems.index(row["system"]) for row in board]
    means, apart = comparison.values[0].mean(axis=1)[at], comparison.apart()[np.ix_(at, at)]
    gaps = means[:, None] - means[None, :]
    size = len(board)
    side = 26 if size <= 20 else max(6, 520 // size)
    largest = np.abs(gaps).max() or 1.0
    return {
        "side": side,
        "apart": apart,
        "tested": np.array(
            [
                [comparison.baseline in (None, one["system"], other["system"]) for other in board]
                for one in board
            ]
        ),
        "gaps": gaps,
        "strength": np.round(np.abs(gaps) / largest * 0.85, 2),
        "alt": f"A square table of {size} by {size} systems, best first; {int(apart.sum()) // 2} of "
        f"{size * (size - 1) // 2} pairs are marked as told apart.",
    }


def _ladder(comparison, board):
    """The third figure: the differences of two systems by query, sorted."""
    first, second = main_pair([row["system"] for row in board], comparison.baseline)
    one, other = (comparison.values[0][comparison.systems.index(name)] for name in (first, second))
    gaps = np.sort(one - other)[::-1]
    drawn = gaps if len(gaps) <= 400 else np.quantile(gaps, np.linspace(1, 0, 400))
    largest = np.abs(gaps).max() or 1.0
    ahead, behind = int((gaps > 0).sum()), int((gaps < 0).sum())
    return {
        "first": first,
        "second": second,
        "scale": Scale(-largest, largest, -180, 190),
        "width": round(540 / len(drawn), 2),
        "gaps": drawn.tolist(),
        "ahead": ahead,
        "behind": behind,
        "same": len(gaps) - ahead - behind,
        "alt": f"Bars for {len(gaps)} queries, sorted from {signed(gaps[0], '.3f')} to "
        f"{signed(gaps[-1], '.3f')}: {ahead} above zero and {behind} below.",
    }


def _moved(comparison):
    """The queries that moved most, with the rows of their lists."""
    table = moved_most(comparison).astype(object)
    table = table.where(table.notna(), None)
    return [
        {"query": query, "difference": rows["difference"].iloc[0], "rows": rows.to_dict("records")}
        for query, rows in table.groupby("query", sort=False)
    ]


def _turns(comparison, board):
    """The fourth figure: wealth and interval of the pair of the ladder, query after query."""
    ladder = _ladder(comparison, board)
    first, second = ladder["first"], ladder["second"]
    test = comparison.in_turn.get((first, second))
    if test is None:
        first, second, test = second, first, comparison.in_turn[second, first]
    q = len(comparison.queries)
    drawn = np.unique(np.linspace(0, q - 1, min(q, 400)).round().astype(int))
    highest = 3 * test.needed
    log_wealth = np.log10(test.wealth.clip(1 / highest, highest))
    across = Scale(1, max(q, 2), 520, 70)
    money = Scale(-np.log10(highest), np.log10(highest), -170, 190)
    ends = Scale(min(test.low.min(), -0.1), max(test.high.max(), 0.1), -170, 190)
    path = lambda up, values: " ".join(f"{across(at + 1)},{up(values[at])}" for at in drawn)
    band = f"{path(ends, test.low)} " + " ".join(reversed(path(ends, test.high).split()))
    means = np.cumsum(test.differences) / np.arange(1, q + 1)
    outcome = f"{escaped(first)} is named" if test.winner > 0 else f"{escaped(second)} is named"
    outcome = f"{outcome} after {test.stopped_at} queries" if test.winner else "neither system is named"
    return {
        "first": first,
        "second": second,
        "test": test,
        "across": across,
        "money": money,
        "amounts": [amount for amount in (0.01, 0.1, 1, 10, 100, 1000) if 1 / highest < amount < highest],
        "needed": money(np.log10(test.needed)),
        "wealth": [path(money, row) for row in log_wealth],
        "ends": ends,
        "band": band,
        "means": path(ends, means),
        "rows": [(*pair, one) for pair, one in comparison.in_turn.items()],
        "alt": f"Two panels over {q} queries: what is held on each system, and the interval of the mean "
        f"difference, which ends at {signed(test.low[-1], '.3f')} to {signed(test.high[-1], '.3f')}; "
        f"{outcome}.",
    }
