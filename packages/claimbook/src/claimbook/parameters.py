"""Typed parameters, read from the cell of a chapter that declares them.

A parameters cell holds nothing but lines of the form

    # all of it is no sample
    share: float = 0.5  # proportion that is drawn [0 < share < 1]

that is: name, type, default, help, and in brackets the values allowed; on lines above, if there is one, the
reason. papermill reads the same line, which therefore has one equals sign. What is allowed is a range such as
``10 .. 200``, ``0 ..`` or ``above 1 .. 9``, a strict comparison with numbers, ``one of a, b, c``, a kind that
the book knows (``Book.values``), or ``any text``, which the chapter checks itself.
"""

# By hand, because papermill reads names, types and help, and checks neither types nor ranges.

import ast
import io
import operator
import re
import tokenize
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import inf

from claimbook.text import check_plain, escaped, nearest

PROFILES = ("quick", "book", "deep")  # sets of values for all chapters: of tests, of the site, of long runs
TYPES = {"int": int, "float": float, "str": str, "bool": bool}
_ONE_OF_TYPES = f"expected one of the types {', '.join(TYPES)}"
_INSTEAD = {  # what to write in place of another type, by the words of that type
    "none optional": "; take a value that stands for none, such as 0 or ''",
    "date datetime time timedelta": "; write a date as text, '2024-01-31', and read it in the chapter",
    "dict mapping": "; write pairs as text, 'a=1 b=2', and read it in the chapter",
    "list tuple set sequence iterable": "; write several values as text, '1 2', and split it in the chapter",
    "path": "; write a path as text",
}
_KINDS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
_COMPARE = {"<": operator.lt, ">": operator.gt}
_NUMBER = r"[-+]?(?:[\d_]+\.?[\d_]*|\.\d+)(?:e[-+]?\d+)?"
_COMMENT = re.compile(r"(.*?)\s*(?:\[([^\]]*)\])?")  # help [allowed values]
_INTERVAL = re.compile(rf"(above )?({_NUMBER}) \.\.(?: (below )?({_NUMBER}))?")
_COMPARISON = re.compile(rf"(?:{_NUMBER}\s*<\s*)?\w+(?:\s*<\s*{_NUMBER})?|\w+\s*>\s*{_NUMBER}")


@dataclass(frozen=True)
class Parameter:
    """One parameter of a chapter: what it is called, what it may be, what it is when nobody says."""

    name: str
    type: type
    default: object
    help: str
    allowed: str
    reason: str
    accepts: object = None  # the function of a kind that the book knows

    def read(self, text):
        """The value that ``text`` stands for; ValueError when it stands for none that is allowed."""
        if self.type is str:
            return self.check(text)
        if self.type is bool:
            return self.check({"true": True, "false": False}.get(text.lower(), text))
        return self.check(_number(text, self.type))

    def check(self, value):
        """``value``, if it has the type and lies in the range; ValueError that names all three."""
        if self.type is float and type(value) is int:
            value = float(value)
        if type(value) is not self.type:
            raise ValueError(self._wrong(value))
        if self.type is str:
            check_plain(value, self.name)
        elif not abs(value) < (2**63 if self.type is int else inf):
            raise ValueError(f"{self._wrong(value)}: not finite, or too large")
        try:
            accepted = _accepts(self, value)
        except ValueError as error:
            raise ValueError(f"{self._wrong(value)}: {error}") from None
        if not accepted:
            raise ValueError(self._wrong(value))
        return value

    def _wrong(self, value):
        expected = _KINDS[self.type] + (f", {self.allowed}" if self.allowed else "")
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.name}={escaped(value)}: expected {expected}{reason}{_remedy(value)}"


def _remedy(value):
    """What to write in place of a value that is of no type that a parameter may have."""
    if value is None:
        return "; leave it out for the default, or take a value that stands for none, such as 0 or ''"
    if isinstance(value, date):
        return "; put a date in quotes and read it in the chapter"
    if isinstance(value, list | tuple | set | dict):
        return "; write several values as one text in quotes and split it in the chapter"
    return ""


def _number(text, kind):
    """The number of that kind that a text stands for; the text if it stands for none."""
    with suppress(ValueError):
        return kind(text)
    with suppress(ValueError):
        if float(text).is_integer():  # 1e6 is how people write a million
            return int(float(text))
    return text


def _accepts(parameter, value):
    """Whether a value lies in what the brackets of its parameter allow: words, a kind of text, or a range."""
    allowed = parameter.allowed
    if allowed in ("", "any text"):
        return True
    if allowed.startswith("one of "):
        return str(value) in re.split(r",\s*", allowed.removeprefix("one of "))
    if parameter.accepts:
        return parameter.accepts(value)
    if interval := _INTERVAL.fullmatch(allowed):
        above, low, below, high = interval.groups()
        low, high = float(low), float(high or inf)
        return (low < value if above else low <= value) and (value < high if below else value <= high)
    operands, signs = re.split(r"\s*[<>]\s*", allowed), re.findall("[<>]", allowed)
    numbers = [float(operand) if re.fullmatch(_NUMBER, operand) else value for operand in operands]
    return all(_COMPARE[sign](one, other) for sign, (one, other) in zip(signs, pairwise(numbers)))


def parse_parameters(source, kinds=()):
    """The parameters that the source of a parameters cell declares, in its order.

    Parameters
    ----------
    source : str
    kinds : mapping of str
        Of the book: a kind of value to the function that tells whether a text is one (``Book.values``).

    Raises
    ------
    ValueError
        If the cell holds anything but annotated assignments of literals with a comment beside them, each on
        a line with one equals sign.

    Examples
    --------
    >>> parse_parameters("seed: int = 7  # where randomness starts [0 ..]")[0].check(8)
    8
    """
    beside, above, kinds, lines = {}, {}, dict(kinds), source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments = above if token.line.lstrip().startswith("#") else beside
            comments[token.start[0]] = token.string.lstrip("# ")
    parameters = []
    for statement in ast.parse(source).body:
        comment, reason = beside.get(statement.end_lineno, ""), _lines_above(above, statement.lineno)
        name, kind, default = _read_declaration(statement)
        line = lines[statement.lineno - 1]
        if statement.end_lineno > statement.lineno or line.count("=") > 1:
            raise ValueError(
                f"{name}: expected one line with one equals sign, as papermill reads no other, got {line!r}; "
                "a range is written as '10 .. 200', '0 ..' or '0 < beta < 1'"
            )
        explained, allowed = ((part or "").strip() for part in _COMMENT.fullmatch(comment).groups())
        in_words = allowed in ("", "any text", *kinds) or allowed.startswith("one of ")
        if not (in_words or _INTERVAL.fullmatch(allowed) or _COMPARISON.fullmatch(allowed)):
            raise ValueError(
                f"{name}: expected a range such as '10 .. 200' or 'one of a, b' in brackets, got {allowed!r}"
            )
        parameters.append(Parameter(name, kind, default, explained, allowed, reason, kinds.get(allowed)))
        if allowed not in kinds:  # what the book knows may take long to import: a page checks when it runs
            parameters[-1].check(default)
    return parameters


def _read_declaration(statement):
    """Name, type and default of a line of a parameters cell; ValueError that says what to write instead."""
    where = f"line {statement.lineno} of a parameters cell"
    if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
        raise ValueError(f"{where}: expected 'name: type = value  # help [values]', {_ONE_OF_TYPES}")
    name, kind = statement.target.id, ast.unparse(statement.annotation)
    if kind not in TYPES:
        words = set(re.findall(r"\w+", kind.lower()))
        instead = next((what for known, what in _INSTEAD.items() if words & {*known.split()}), "")
        raise ValueError(f"{where}: {name}: {escaped(kind)}: {_ONE_OF_TYPES}{instead}")
    try:
        return name, TYPES[kind], ast.literal_eval(statement.value)
    except (TypeError, ValueError):  # no value, or one that is computed
        raise ValueError(f"{where}: {name}: expected a value written out, such as 5 or 'a'") from None


def _lines_above(comments, line):
    """The comment on the lines directly above that one, as one line."""
    first = line
    while first - 1 in comments:
        first -= 1
    return " ".join(comments[place] for place in range(first, line))


def check_word(name, value, known):
    """Raise ValueError, with the nearest known word, for a value that is none of them."""
    if value not in known:
        raise ValueError(f"{name}={value!r}: expected one of {', '.join(known)}{nearest(str(value), known)}")


def read_assignments(assignments):
    """Name to text, from words such as ``beta=0.3``; ValueError for one without ``=``, or given twice.

    >>> read_assignments(["beta=0.3", "seed=7"])
    {'beta': '0.3', 'seed': '7'}
    """
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"{escaped(assignment)}: expected name=value")
        if name in values:
            raise ValueError(f"{escaped(name)}: given twice")
        values[name] = text
    return values


def check_values(parameters, values):
    """``values`` by name, all known and allowed; text is read as its parameter's type.

    Raises
    ------
    ValueError
        For the first name that is unknown (with the nearest known one) or value that is not allowed.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in known:
            listed = ", ".join(known) or "none"
            hint = f"{nearest(name, known)} (it has: {listed})"
            raise ValueError(f"{escaped(name)}: no parameter of this chapter has that name{hint}")
    return {
        name: known[name].read(value) if isinstance(value, str) else known[name].check(value)
        for name, value in values.items()
    }
