"""Put numbers, names and pairs into words for readers."""

from ndcg_companion.significance.planning import MOST

EQUAL = 1e-12  # smaller differences between scores or means count as rounding errors
# The columns of a pair that are exchanged with its systems, and those whose sign changes.
_OPPOSITES = {"first": "second", "low": "high", "effect_low": "effect_high", "wins": "losses"}
_SIGNED = ("difference", "low", "high", "effect", "effect_low", "effect_high")


def listed(names, most=4):
    """Return names as a phrase, with only a number for the last of many names.

    >>> listed(["a", "b"]), listed("abcde"), listed("abcdef")
    ('a and b', 'a, b, c, d and e', 'a, b, c, d and 2 more')
    """
    names = [*names]
    shown = names if len(names) <= most + 1 else [*names[:most], f"{len(names) - most} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def counted(number, singular, plural):
    """Return a number with its noun.

    >>> counted(1, "query", "queries"), counted(1200, "query", "queries")
    ('1 query', '1,200 queries')
    """
    return f"{number:,} {singular if number == 1 else plural}"


def queries_text(number):
    """Return a number of queries with its noun."""
    return counted(number, "query", "queries")


def count_text(number):
    """Return an estimated number of queries, rounded to two digits from 100 on.

    >>> count_text(57.0), count_text(115_443.0), count_text(float("inf"))
    ('57', '120,000', 'more than a billion')
    """
    if not number <= MOST:
        return "more than a billion"
    return f"{number:.0f}" if number < 100 else f"{float(f'{number:.1e}'):,.0f}"


def signed(value, form=".4f"):
    """Return a difference with its sign.

    >>> signed(-0.0123)
    '−0.0123'
    """
    return f"{value:+{form}}".replace("-", "−")


def p_text(value):
    """Return a formatted p-value.

    >>> p_text(0.0312), p_text(1e-9)
    ('p = 0.031', 'p < 0.0001')
    """
    return f"p = {value:.2g}" if value >= 0.0001 else "p < 0.0001"


def swapped_pair(row):
    """Return the row of a pair of systems in the opposite order.

    >>> row = {"first": "a", "second": "b", "wins": 7, "losses": 2, "difference": 0.25, "ties": 1}
    >>> swapped_pair(row)["wins"]
    2
    """
    opposites = _OPPOSITES | {second: first for first, second in _OPPOSITES.items()}
    swapped_row = {name: row[opposites.get(name, name)] for name in row}
    return swapped_row | {name: -swapped_row[name] for name in _SIGNED if name in swapped_row}


def ahead_first(row):
    """Return the row of a pair, exchanging the systems if the difference is negative."""
    return row if row["difference"] >= 0 else swapped_pair(row)
