"""Every value of cases.json by enumeration, in exact arithmetic, without the package.

``python tests/enumeration.py`` writes the values anew; the tests compare them. Nothing is sorted
cleverly: the mean over tied orders is the mean over all of them, and an ideal list is the best of all orders
of its documents.
"""

import json
import struct
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, permutations, product
from pathlib import Path

getcontext().prec = 50
CASES = Path(__file__).parents[1] / "src" / "ndcg_conformance" / "cases.json"
UNDEFINED, REFUSED, LEFT_OUT = "undefined", "refused", "left-out"
POWERS = {}  # how irrational gains are written


class Without(Exception):
    """A query or a case without a number, and the reason."""


def term(gain, rank, discount, ideal=False):
    """Return gain times discount exactly: a fraction over a logarithm, or over 1."""
    if discount == "unequal-bases":
        return (gain, None, 1 + rank) if not ideal else (gain, 2, 1 + rank)
    if discount == "reciprocal":
        return gain / rank, 2, 2
    if discount.startswith("base-"):
        base = None if discount == "base-e" else int(discount[5:])
        return (gain, base, rank) if rank > (base or Decimal(1).exp()) else (gain, 2, 2)
    return gain, 2, rank + {"log": 1, "shifted": 2}[discount]


@lru_cache(None)
def log(base, number):
    if base == number:
        return Decimal(1)
    return Decimal(number).ln() / (Decimal(base).ln() if base else 1)


def number_of(fraction):
    return Decimal(fraction.numerator) / fraction.denominator


def total(terms):
    return sum((number_of(gain) / log(base, of) for gain, base, of in terms), Decimal(0))


def written(terms):
    """Return the sum as a formula, or as a fraction if it has no logarithm."""
    terms = [(gain, base, of) for gain, base, of in terms if gain]
    if all(base == of and gain not in POWERS for gain, base, of in terms):
        return str(sum((gain for gain, _, _ in terms), Fraction(0)))
    name = lambda base, of: f"ln({of})" if base is None else f"log{base}({of})"
    brackets = lambda gain: POWERS.get(gain) or (f"({gain})" if gain.denominator > 1 else str(gain))
    shown = [brackets(g) if base == of else f"{brackets(g)}/{name(base, of)}" for g, base, of in terms]
    return " + ".join(shown)


def ratio_written(upper, lower):
    upper, lower = written(upper), written(lower)
    if lower == "1" or upper == lower:
        return "1" if upper == lower else upper
    try:
        return str(Fraction(upper) / Fraction(lower))
    except ValueError:
        return f"({upper})/({lower})"


def distinct_orders(items):
    """Return all different orders of some numbers."""
    if not items:
        yield ()
    for first in set(items):
        rest = list(items)
        rest.remove(first)
        yield from ((first, *others) for others in distinct_orders(rest))


@lru_cache(None)
def best_terms(gains, places, discount):
    """Return the terms of the best of all orders, for a number of places."""
    candidates = [
        tuple(term(g, r, discount, ideal=True) for r, g in enumerate(order[:places], start=1))
        for order in distinct_orders(gains)
    ]
    return max(candidates, key=total, default=())


def graded(label, convention):
    """Return the gain of a label as an exact number."""
    grade = Fraction(str(label))
    if grade.denominator > 1:
        if convention["grades"] == REFUSED:
            raise Without(REFUSED)
        grade = {"kept": grade, "truncated": Fraction(int(grade)), "rounded": Fraction(round(grade))}[
            convention["grades"]
        ]
    if grade < 0:
        if convention["negative"] == REFUSED:
            raise Without(REFUSED)
        grade = {"clipped": Fraction(0), "used": grade}[convention["negative"]]
    limit = {"counted": None, "to-30": 30, "to-31": 31}[convention["high"]]
    if limit is not None and grade > limit:
        raise Without(REFUSED)
    if convention["gain"] == "exponential":
        if grade.denominator == 1:
            return Fraction(2) ** int(grade) - 1
        gain = Fraction(Decimal(2) ** number_of(grade) - 1)  # 50 digits of an irrational number
        POWERS[gain] = f"(2^({grade}) - 1)"
        return gain
    return grade if convention["gain"] == "linear" else Fraction(grade > 0)


def orders(rows, ties):
    """Return all orders of (document, gain, score) that scores and tie rule allow."""
    if ties == "reverse":
        rows = rows[::-1]
    if ties.startswith("name-"):
        rows = sorted(rows, reverse=ties == "name-descending")
    rows = sorted(rows, key=lambda row: -row[2])
    if ties not in ("average", "best", "worst"):
        return [[gain for _, gain, _ in rows]]
    groups = [[gain for _, gain, _ in tied] for _, tied in groupby(rows, key=lambda row: row[2])]
    return [sum(map(list, parts), []) for parts in product(*map(permutations, groups))]


def rows_of(query, convention):
    """Return the returned rows and the gains of all judged documents."""
    judged, rows = [], []
    for document, label, score in zip(query["documents"], query["labels"], query["scores"]):
        if label is None and convention["unjudged"] == REFUSED:
            raise Without(REFUSED)
        if label is not None and label < 0 and convention["negative"] == "removed":
            continue
        gain = Fraction(0) if label is None else graded(label, convention)
        if label is not None:
            judged.append(gain)
        if score is not None and not (label is None and convention["unjudged"] == "removed"):
            single = struct.unpack("f", struct.pack("f", score))[0]
            rows.append((document, gain, (score if convention["precision"] == "double" else single) + 0.0))
    return rows, judged


def of_query(query, k, convention):
    """Return value and formula of one query."""
    if k == 0 and convention["zero"] != "whole":
        return settled(convention["zero"])
    rows, judged = rows_of(query, convention)
    if not rows:
        return settled(convention["unreturned"])
    if (convention["short"] == REFUSED and len(rows) == 1) or (
        convention["beyond"] == REFUSED and (k or 0) > len(rows)
    ):
        raise Without(REFUSED)
    discount, ideal = convention["discount"], convention["ideal"]
    documents = len(query["documents"])
    places = k or documents
    answers = []
    for order in orders(rows, convention["ties"]):
        upper = [term(gain, rank, discount) for rank, gain in enumerate(order[:places], start=1)]
        if ideal == "undivided":
            lower = [term(Fraction(1), 1, "reciprocal")]
        elif ideal == "k-hits":
            lower = [term(Fraction(1), r, discount, ideal=True) for r in range(1, (k or documents) + 1)]
        else:
            pool = {"list": order, "list-uncut": order, "first-k": order[:places]}.get(ideal, judged)
            counted = {"judged-length": min(places, len(rows))}.get(ideal, places)
            lower = best_terms(
                tuple(sorted(pool)), len(pool) if ideal.endswith("uncut") else counted, discount
            )
        if total(lower) <= 0 or (ideal == "k-hits" and max(judged, default=0) <= 0):
            return settled(convention["empty"])
        answers.append((total(upper) / total(lower), upper, list(lower)))
    if convention["ties"] in ("best", "worst"):
        choose = max if convention["ties"] == "best" else min
        answers = [choose(answers, key=lambda answer: answer[0])]
    value = sum(value for value, _, _ in answers) / len(answers)
    if len({tuple(lower) for _, _, lower in answers}) == 1:
        means = [
            (sum(gain for gain, _, _ in terms) / len(terms), *terms[0][1:])
            for terms in zip(*(upper for _, upper, _ in answers))
        ]
        return value, ratio_written(means, answers[0][2])
    shares = {}
    for _, upper, lower in answers:
        formula = ratio_written(upper, lower)
        shares[formula] = shares.get(formula, 0) + 1
    parts = [f"({Fraction(count, len(answers))})*({formula})" for formula, count in shares.items()]
    return value, " + ".join(parts)


def settled(choice):
    """Return the value that a convention sets, or raise if it sets none."""
    if choice in (UNDEFINED, REFUSED, LEFT_OUT):
        raise Without(choice)
    return Decimal(choice), choice


def of_case(case, convention):
    """Return the case's entry under a convention: the mean over its queries.

    A convention is a mapping from axes to choices.
    """
    answers = []
    for query in case["queries"]:
        try:
            answers.append(of_query(query, case["k"], convention))
        except Without as without:
            if str(without) != LEFT_OUT:
                return {"value": None, "why": str(without)}
    if not answers:
        return {"value": None, "why": LEFT_OUT}
    mean = sum(value for value, _ in answers) / len(answers)
    formula = answers[0][1]
    if len(answers) > 1:
        formula = f"({' + '.join(f'({formula})' for _, formula in answers)})/{len(answers)}"
    return {"value": float(f"{mean:.15g}"), "formula": formula}


def conventions_of(data):
    """Return each named convention: the standard one, and those that differ in one axis."""
    standard = {axis: next(iter(entry["choices"])) for axis, entry in data["axes"].items()}
    named = {"standard": standard}
    for axis, entry in data["axes"].items():
        for choice in list(entry["choices"])[1:]:
            named[f"{axis}={choice}"] = standard | {axis: choice}
    return named


def values_of(data):
    """Return the entries of each case under all named conventions."""
    named = conventions_of(data)
    return [{name: of_case(case, choices) for name, choices in named.items()} for case in data["cases"]]


def text_of(data):
    """Return the file, with a line for each value, so that a change is one line of a diff."""
    dump = lambda value: json.dumps(value, ensure_ascii=False)
    head = {key: value for key, value in data.items() if key != "cases"}
    blocks = []
    for case in data["cases"]:
        lines = [f'  "{key}": {dump(case[key])},' for key in ("name", "axis", "tests", "k")]
        lines += ['  "queries": [', ",\n".join(f"    {dump(query)}" for query in case["queries"]), "  ],"]
        entries = ",\n".join(f"    {dump(name)}: {dump(entry)}" for name, entry in case["values"].items())
        blocks.append("\n".join(["{", *lines, '  "values": {', entries, "  }", "}"]))
    opening = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    return opening + ',\n  "cases": [\n' + ",\n".join(blocks) + "\n]\n}\n"


if __name__ == "__main__":
    data = json.loads(CASES.read_text(encoding="utf-8"))
    for case, values in zip(data["cases"], values_of(data)):
        case["values"] = values
    CASES.write_text(text_of(data), encoding="utf-8")
