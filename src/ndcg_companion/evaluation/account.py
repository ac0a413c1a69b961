"""A reader's own rankings, read from files, and what the data say about them in words and tables."""

import csv
import io
import shlex
import zlib
from math import inf, isfinite

import numpy as np

from ndcg_companion import __version__
from ndcg_companion.data import Rankings, read_letor, read_table, read_trec
from ndcg_companion.data.rankings import TEXT, check_text, read_bytes
from ndcg_companion.evaluation.paired import FEWEST_SURE, LEVEL, Evaluation, traits
from ndcg_companion.simulation import sample_pair
from ndcg_companion.theory import Pair

FORMATS = {"trec": "TREC judgments and runs", "letor": "LETOR lines and score files", "table": "a table"}

_EXPECTED = (
    "TREC judgments (query iteration document grade), LETOR lines (label qid:QUERY 1:VALUE …), "
    "CSV with a header (query,item,label,…,score_NAME,…) or Parquet"
)


def read_systems(texts):
    """Files by name of system, from texts ``NAME=FILE``.

    >>> read_systems(["bm25=runs/bm25.txt"])
    {'bm25': 'runs/bm25.txt'}
    """
    systems = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (name.strip() and equals and path):
            raise ValueError(f"system={text!r}: expected NAME=FILE")
        if name in systems:
            raise ValueError(f"system={text!r}: {name} is given twice")
        systems[name] = path
    return systems


def recognise(path):
    """The format of a file of labels, from what it begins with: a key of ``FORMATS``."""
    with open(path, "rb") as file:
        start = file.read(2**16)
    if start[:4] == b"PAR1":
        return "table"
    if start[:2] == b"\x1f\x8b":
        try:
            start = zlib.decompressobj(wbits=31).decompress(start)
        except zlib.error as error:
            raise ValueError(f"{path}: expected whole gzip data, got it damaged ({error})") from None
    check_text(path, start if len(start) < 2**16 else start.rpartition(b"\n")[0], _EXPECTED)
    lines = start.decode("utf-8-sig", "ignore").splitlines()
    number, line = next((at, line) for at, line in enumerate(lines, 1) if line.strip() and line[0] != "#")
    fields = line.split()
    if len(fields) > 1 and fields[1].startswith("qid:"):
        return "letor"
    if {"query", "item"} & {field.strip('"') for field in line.strip().split(",")}:
        return "table"
    if len(fields) == 4 and "," not in line:
        return "trec"
    raise ValueError(
        f"{path}, line {number}: expected {_EXPECTED}, got {line[:80]!r}; --format says which it is"
    )


def load(labels, systems, *, form="auto", time="auto", unmatched="raise"):
    """Rankings from a file of labels and one file for each system, and the format they were in.

    Parameters
    ----------
    labels : path
    systems : dict of str to path
        Runs (TREC) or files with one score a line (LETOR); none for a table, which has a column for each.
    form : {"auto", "trec", "letor", "table"}
    time : str
        Column of a table with the times of arrival; ``auto`` is the column ``time``, if there is one.
    unmatched : {"raise", "drop"}
        For TREC: see `read_trec`.

    Returns
    -------
    Rankings, str
    """
    form = recognise(labels) if form == "auto" else form
    if form == "table":
        if systems:
            raise ValueError(
                f"{labels}: expected no --system beside a table, whose columns score_NAME are the systems"
            )
        return read_table(labels, **({} if time == "auto" else {"time": time})), form
    if time != "auto":
        raise ValueError(f"time={time!r}: expected a table with that column, got {FORMATS[form]}")
    if not systems:
        raise ValueError(
            f"{labels}: expected --system NAME=FILE for each system, as this is for {FORMATS[form]}"
        )
    if form == "trec":
        try:
            return read_trec(labels, systems, missing=unmatched), form
        except ValueError as error:
            raise ValueError(str(error).replace("missing='zero'", "--missing zero")) from None
    _, rankings = read_letor(labels)
    # Scores stand in the order of the lines; the rankings keep the items of a query together.
    place = np.argsort(np.argsort(rankings.items.astype(np.int64)))
    scores = {name: read_scores(path, len(place), labels)[place] for name, path in systems.items()}
    source = ", ".join(map(str, [labels, *systems.values()]))
    return Rankings(**vars(rankings) | {"scores": scores, "source": source}), form


def read_scores(path, expected, labels):
    """One number a line, as many as there are items; -inf stands for an item that was not retrieved."""
    lines = read_bytes(path, "one score a line").decode().split("\n")
    lines = lines[:-1] if not lines[-1].strip() else lines
    scores = np.empty(len(lines))
    for number, line in enumerate(lines, 1):
        try:
            scores[number - 1] = float(
                line.replace("_", " _ ")
            )  # Python's digit separator is no part of a number
        except ValueError:
            scores[number - 1] = np.nan
        if np.isnan(scores[number - 1]):
            raise ValueError(f"{path}, line {number}: expected a score, got {line.strip()[:80]!r}")
    if len(scores) != expected:
        raise ValueError(
            f"{path}: expected {expected} scores, one for each item of {labels}, got {len(scores)}"
        )
    return scores


def made_example(queries, items, seed, curves=("poly:0.18:-0.16", "poly:0.14:-0.08")):
    """Rankings by two made systems, of which it is known which is better, and the `Pair` of which they are samples."""
    pair, rng = Pair(*curves, "label-first"), np.random.default_rng(seed)
    lists = [sample_pair(pair, items, seed=rng) for _ in range(queries)]
    drawn = ("labels", "scores0", "scores1")
    labels, first, second = (np.concatenate([getattr(one, name) for one in lists]) for name in drawn)
    names = [
        np.array([f"{kind}{number}" for number in range(size)], dtype=TEXT)
        for kind, size in (("query ", queries), ("item ", queries * items))
    ]
    judged, offsets = np.ones(len(labels), dtype=bool), np.arange(queries + 1) * items
    scores, times = {"sharp": first, "blunt": second}, np.tile(np.arange(items), queries)
    return Rankings(*names, labels, judged, offsets, scores, times, "a made example"), pair


def read_pair(text):
    """Two names from ``A,B``; none from ``auto``.

    >>> read_pair("bm25,dense")
    ('bm25', 'dense')
    """
    return None if text == "auto" else tuple(text.split(","))


def prepare(
    labels, systems="none", *, form="auto", time="auto", unmatched="raise", gain="linear", pair="auto", seed=0
):
    """What the chapter works on: the `Evaluation` of the files, all of them checked, and their format."""
    files = read_systems([] if systems == "none" else shlex.split(systems))
    rankings, form = load(labels, files, form=form, time=time, unmatched=unmatched)
    return Evaluation(rankings, gain, read_pair(pair), seed), form


def as_record(evaluation, form):
    """All numbers of an evaluation, as what JSON can hold; infinite ones are null."""
    names, (gaps, p) = list(evaluation.rankings.scores), evaluation.matrix
    means = {
        measure: dict(zip(names, values.mean(axis=1).tolist()))
        for measure, values in zip(evaluation.measures, evaluation.values)
    }
    drift = evaluation.drift and {name: values.tolist() for name, values in evaluation.drift.items()}
    grown = {}
    for order, one in evaluation.growths.items():
        grown[order] = {"sizes": one.sizes.tolist(), "queries": one.values.shape[-1], "measures": {}}
        for measure in one.measures:
            mean, half = one.difference(measure)
            flip = one.last_flip(measure)
            entry = {"difference": mean.tolist(), "half_width": half.tolist(), "last_flip": flip}
            grown[order]["measures"][measure] = entry
    return _plain(
        {
            "version": __version__,
            "answer": sentences(evaluation),
            "source": evaluation.rankings.source,
            "format": form,
            "gain": evaluation.gain,
            "seed": evaluation.seed,
            "pair": evaluation.names,
            "confirmation": evaluation.confirmation,
            "measures": evaluation.table,
            "means": means,
            "items": evaluation.items,
            "false_alarms": evaluation.alarms,
            "coin_toss": evaluation.control,
            "growth": grown,
            "drift": drift,
            "all_pairs_confirmed": {"systems": names, "difference": gaps.tolist(), "p_holm": p.tolist()},
            "data": traits(evaluation.rankings),
            "queries_counting": len(evaluation.counting),
            "all_pairs": evaluation.everything,
        }
    )


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def as_csv(rows):
    """The rows of ``Evaluation.everything`` as comma-separated values with a heading."""
    text = io.StringIO()
    names = ["first", "second", "measure", "difference", "low", "high", "p", "p_holm"]
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def answer(evaluation):
    """What the data say, as a Markdown list."""
    return "\n".join(f"- {line}" for line in sentences(evaluation))


def sentences(evaluation):
    """What the data say, in a few sentences of Markdown."""
    found, table, (first, second) = evaluation.confirmation, evaluation.table, map(code, evaluation.names)
    lines, systems = [], len(evaluation.rankings.scores)
    if systems > 2:
        _, p = evaluation.matrix
        pairs = systems * (systems - 1) // 2
        lines.append(
            f"Of {pairs} pairs of {systems} systems, the half of the queries kept for confirming tells "
            f"{int((p <= LEVEL).sum()) // 2} apart under `{evaluation.chosen}`, corrected for all pairs."
        )
        if evaluation.pair is None:
            lines[0] += (
                f" What follows is about {first} and {second}, the best two on the half for choosing under the log "
                "discount; `--pair A,B` asks about two others."
            )
    if evaluation.alike:
        lines.append(
            f"**No difference**: {first} and {second} score the same on each of {len(evaluation.counting)} queries "
            f"under all {len(table)} measures. They may be one run twice, tie all items, or differ only in the order "
            "of items with equal labels."
        )
        return lines
    lines.append(_decision(evaluation))
    sure = [f"`{name}`" for name, row in table.items() if row["p_holm"] <= LEVEL]
    verb = "tells" if len(sure) == 1 else "tell"
    lines.append(
        f"Of {len(table)} measures on all {len(evaluation.counting)} queries, corrected for trying them all, "
        + (f"{len(sure)} {verb} the two apart: {', '.join(sure)}." if sure else "none tells the two apart.")
    )
    if sure and not found["confirmed"]:
        lines[-1] += (
            " That is evidence too; but to believe whichever of the two ways says yes is to choose again. Fix one "
            "measure now, and look at new queries."
        )
    if found["confirmed"] and not sure:
        lines[-1] += (
            " That asks more than is needed, and does not take back what the half kept for confirming says."
        )
    lines.append(_queries_told(found))
    if found["confirmed"]:
        lines.append(_items_told(evaluation))
    return lines


def _decision(evaluation):
    """Which of the two is ahead on the queries kept for confirming, and whether that is sure."""
    found, (first, second) = evaluation.confirmation, map(code, evaluation.names)
    ahead, behind = (first, second) if found["difference"] > 0 else (second, first)
    # Of the one ahead minus the other.
    ends = sorted(np.sign(found["difference"]) * found[end] for end in ("low", "high"))
    interval = "[{}, {}]".format(*map(_signed, ends))
    size = f"{abs(found['difference']):.4f} (95 % interval {interval}, p = {_p(found['p'])})".replace(
        "= <", "<"
    )
    said = (
        f"NDCG with `{found['measure']}`, the measure chosen on one half of the queries, is higher by {size} on the "
        f"{found['queries_confirming']} others, which had no say in the choice"
    )
    if found["confirmed"]:
        return f"**{ahead} is ahead of {behind}**: its {said}."
    if found["difference"] == 0:
        return (
            f"**Not confirmed** that one is ahead: NDCG with `{found['measure']}`, the measure chosen on one half of the "
            f"queries, is the same on the {found['queries_confirming']} others."
        )
    why = (
        f"fewer than {FEWEST_SURE} queries cannot be sure of anything"
        if found["queries_confirming"] < FEWEST_SURE
        else "the two halves do not even agree on who is ahead"
        if not found["same_sign"]
        else "a difference as large as this comes about by chance too often"
    )
    return f"**Not confirmed** that {ahead} is ahead of {behind}: its {said}, but {why}."


def _queries_told(found):
    """How many queries it takes to find the difference."""
    had, fixed = (
        f"these were {found['queries_confirming']}",
        "How many queries? With this measure fixed, about",
    )
    if found["queries_80_high"] < 1e9:
        return (
            f"{fixed} {_spread(found)} new ones would show such a difference with 80 % certainty, "
            f"{count(found['queries_95'])} with 95 %; {had}."
        )
    least = f"{count(found['queries_80_low'])} new ones would show the difference with 80 % certainty if it is as large as"
    seen = (
        f", about {count(found['queries_80'])} if it is as large as seen" if found["queries_80"] < 1e9 else ""
    )
    return f"{fixed} {least} these allow{seen}; {had}. It may also be nothing, and then no number is enough."


def _items_told(evaluation):
    """From how many items on a single list names the better, if the model of independent items fits these lists."""
    ahead = evaluation.confirmation["difference"] > 0
    fitting = {
        name: row["items_95"]
        for name, row in evaluation.items.items()
        if row["fits"] and row["items_95"] < inf and (row["chance"] > 0.5) == ahead
    }
    if not fitting:
        return (
            "How many items on one list? The model of independent items does not describe these lists, or sees no one "
            "ahead, so that it gives no number."
        )
    fewest = min(fitting, key=fitting.get)
    return (
        f"How many items on one list? From about {count(fitting[fewest])} on, a single list would name the better with "
        f"95 % certainty (`{fewest}`), if its items were independent draws like these."
    )


def measure_table(evaluation):
    """All measures with the two systems' difference, in hundredths of NDCG, in Markdown; the chosen one in bold."""
    head = [
        "| measure | difference (95 %) | bootstrap | p, corrected | halves disagree | queries for 80 % |",
        "|:--|:--|:--|--:|--:|--:|",
    ]
    points = lambda value: f"{100 * value:+.2f}".replace("-", "−")
    for name, row in evaluation.table.items():
        mark = "**" if name == evaluation.chosen else ""
        cells = (
            f"{mark}`{name}`{mark}",
            f"{points(row['difference'])} [{points(row['low'])}, {points(row['high'])}]",
            f"[{points(row['bootstrap_low'])}, {points(row['bootstrap_high'])}]",
            _p(row["p_holm"]),
            f"{100 * row['swap_rate']:.0f} %",
            _spread(row),
        )
        head.append("| " + " | ".join(cells) + " |")
    return "\n".join(head)


def item_table(evaluation):
    """What the theory says of single lists, in Markdown."""
    head = [
        f"| measure | {code(evaluation.names[0])} ahead, computed | seen (95 %) | items for 95 % |",
        "|:--|--:|--:|--:|",
    ]
    for name, row in evaluation.items.items():
        chance, seen = (f"{100 * row[kind]:.0f} %" for kind in ("chance", "seen"))
        ends = f"{100 * row['low']:.0f} to {100 * row['high']:.0f} %"
        items = count(row["items_95"]) if row["fits"] else "does not fit"
        head.append(f"| `{name}` | {chance} | {seen} ({ends}) | {items} |")
    return "\n".join(head)


def data_table(evaluation):
    """What the data are like, in Markdown."""
    told = traits(evaluation.rankings)
    left = told["queries"] - len(evaluation.counting)
    labels = ", ".join(f"{grade} on {100 * share:.3g} %" for grade, share in told["labels"].items())
    more = "" if sum(told["labels"].values()) > 1 - 1e-9 else ", and more"
    lines = [
        f"- {told['queries']:,} queries with {told['items']:,} items: from {told['smallest']:,} to "
        f"{told['largest']:,} for a query, the median {told['median']:,.0f}.",
        f"- Labels: {labels} of the items{more}. {100 * told['unjudged']:.3g} % are unjudged and count as 0.",
    ]
    if left:
        lines.append(
            f"- Queries without a relevant item, hence without NDCG, which are left out everywhere: {left:,}."
        )
    if told["dropped"]:
        lines.append(f"- Queries left out because some file does not have them: {len(told['dropped']):,}.")
    if told["negative"]:
        lines.append(f"- Grades below zero, which count as 0: {told['negative']:,}.")
    lines += ["", "| system | retrieved | tied | unjudged in the top 10 |", "|:--|--:|--:|--:|"]
    for name, one in told["systems"].items():
        shares = " | ".join(f"{100 * one[kind]:.3g} %" for kind in ("retrieved", "tied", "unjudged_top"))
        lines.append(f"| {code(name)} | {shares} |")
    return "\n".join(lines)


def code(text):
    """A name from a file, as Markdown that cannot be anything else."""
    return "`" + text.replace("`", "'").replace("|", "¦") + "`"


def last_flips(growth, measures):
    """Up to which size the one ahead at the end is not ahead yet, measure by measure, as the end of a sentence."""
    flips = {name: growth.last_flip(name) for name in measures}
    told = [f"{flip:,} (`{name}`)" for name, flip in flips.items() if flip]
    if not told:
        return "the one ahead at the end, if any, is ahead at all of these sizes"
    if set(flips.values()) == {flips[measures[0]]}:
        told = [f"{flips[measures[0]]:,} under each of them"]
    never = "" if all(flips.values()) else "; under the others at none"
    return "the last of these sizes at which the one ahead at the end is not: " + ", ".join(told) + never


def count(number):
    """An estimated number of queries or items, to two digits from a hundred on.

    >>> count(57.0), count(115_443.0), count(inf)
    ('57', '120,000', 'no number')
    """
    if number < 100:
        return f"{number:.0f}"
    return f"{float(f'{number:.1e}'):,.0f}" if number < 1e9 else "no number"


def _spread(row):
    """The queries needed for 80 %, and in brackets what they may be, as the size of the effect is uncertain."""
    seen, low, high = (row[f"queries_80{end}"] for end in ("", "_low", "_high"))
    if seen >= 1e9 or low == high:
        return count(seen)
    return f"{count(seen)} ({count(low)} {f'to {count(high)}' if high < 1e9 else 'or more'})"


def _signed(value):
    return f"{value:+.4f}".replace("-", "−")


def _p(value):
    return f"{value:.2g}" if value >= 0.0001 else "< 0.0001"
