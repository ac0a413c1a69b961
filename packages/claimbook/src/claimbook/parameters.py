"""Read typed parameters from the cell in which a chapter declares them.

A parameters cell contains only lines of the form

    # the complete data are not a sample
    share: float = 0.5  # proportion that is drawn [0 < share < 1]

Each line has a name, a type, a default, a help text and, in brackets, the allowed values. A comment above the
line may give the reason. papermill reads the same line, which must therefore have exactly one equals sign.
The brackets contain a range such as ``10 .. 200``, ``0 ..`` or ``above 1 .. 9``, a strict comparison with
numbers, ``one of a, b, c``, a kind that the book defines (``Book.values``), or ``any text``, which the
chapter checks itself.
"""

# Written by hand, because papermill reads names, types and help texts but checks neither types nor ranges.

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

# The sets of values for all chapters: for tests, for the site and for long runs.
PROFILES = ("quick", "book", "deep")
TYPES = {"int": int, "float": float, "str": str, "bool": bool}
_ONE_OF_TYPES = f"expected one of the types {', '.join(TYPES)}"
_REMEDIES = {  # a remedy for each unsupported type, found by words in the type's name
    "none optional": "; take a value that stands for none, such as 0 or ''",
    "date datetime time timedelta": "; write a date as text, '2024-01-31', and read it in the chapter",
    "dict mapping": "; write pairs as text, 'a=1 b=2', and read it in the chapter",
    "list tuple set sequence iterable": "; write several values as text, '1 2', and split it in the chapter",
    "path": "; write a path as text",
}
_TYPE_NAMES = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}
_COMPARISONS = {"<": operator.lt, ">": operator.gt}
_NUMBER = r"[-+]?(?:[\d_]+\.?[\d_]*|\.\d+)(?:e[-+]?\d+)?"
_COMMENT = re.compile(r"(.*?)\s*(?:\[([^\]]*)\])?")  # help [allowed values]
_INTERVAL = re.compile(rf"(above )?({_NUMBER}) \.\.(?: (below )?({_NUMBER}))?")
_COMPARISON = re.compile(rf"(?:{_NUMBER}\s*<\s*)?\w+(?:\s*<\s*{_NUMBER})?|\w+\s*>\s*{_NUMBER}")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a chapter, with its type, default, help and allowed values.

    Attributes
    ----------
    name : str
        The name of the variable.
    type : type
        One of the values of `TYPES`.
    default : int, float, str or bool
        The value that is used if none is given.
    help, allowed, reason : str
        The comment beside the line, the text in its brackets, and the comment above the line.
    accepts : callable, optional
        The function that checks a kind of value that the book defines.
    """

    name: str
    type: type
    default: object
    help: str
    allowed: str
    reason: str
    accepts: object = None

    def read(self, text):
        """Return the value that a text represents.

        Raises
        ------
        ValueError
            If the text represents no allowed value.
        """
        if self.type is str:
            return self.check(text)
        if self.type is bool:
            return self.check({"true": True, "false": False}.get(text.lower(), text))
        return self.check(_number(text, self.type))

    def check(self, value):
        """Return ``value``, converted to float if the parameter is a float.

        Raises
        ------
        ValueError
            If the value has another type or is not allowed. The message names the parameter, the value and
            the allowed values.
        """
        if self.type is float and type(value) is int:
            value = float(value)
        if type(value) is not self.type:
            raise ValueError(self._rejection(value))
        if self.type is str:
            check_plain(value, self.name)
        elif not abs(value) < (2**63 if self.type is int else inf):  # NumPy's whole numbers have 64 bits
            raise ValueError(f"{self._rejection(value)}: not finite, or too large")
        try:
            accepted = _is_allowed(self, value)
        except ValueError as error:
            raise ValueError(f"{self._rejection(value)}: {error}") from None
        if not accepted:
            raise ValueError(self._rejection(value))
        return value

    def _rejection(self, value):
        """Return the message for a value that is not allowed."""
        expected = _TYPE_NAMES[self.type] + (f", {self.allowed}" if self.allowed else "")
        reason = f" ({self.reason})" if self.reason else ""
        return f"{self.name}={escaped(value)}: expected {expected}{reason}{_remedy(value)}"


def _remedy(value):
    """Return a hint for a value whose type no parameter may have."""
    if value is None:
        return "; leave it out for the default, or take a value that stands for none, such as 0 or ''"
    if isinstance(value, date):
        return "; put a date in quotes and read it in the chapter"
    if isinstance(value, list | tuple | set | dict):
        return "; write several values as one text in quotes and split it in the chapter"
    return ""


def _number(text, number_type):
    """Return a text as a number of the given type, or unchanged if it is not a number."""
    with suppress(ValueError):
        return number_type(text)
    with suppress(ValueError):
        if float(text).is_integer():  # accepts 1e6, as people write a million
            return int(float(text))
    return text


def _is_allowed(parameter, value):
    """Return whether a parameter allows a value (a word, a kind of text or a number)."""
    allowed = parameter.allowed
    if allowed in ("", "any text"):
        return True
    if allowed.startswith("one of "):
        return str(value) in re.split(r",\s*", allowed.removeprefix("one of "))
    if parameter.accepts:
        return parameter.accepts(value)
    if interval := _INTERVAL.fullmatch(allowed):
        strictly_above, low, strictly_below, high = interval.groups()
        low, high = float(low), float(high or inf)
        is_above = low < value if strictly_above else low <= value
        return is_above and (value < high if strictly_below else value <= high)
    # A comparison such as "0 < share < 1": the value takes the place of the name.
    operands, signs = re.split(r"\s*[<>]\s*", allowed), re.findall("[<>]", allowed)
    numbers = [float(operand) if re.fullmatch(_NUMBER, operand) else value for operand in operands]
    return all(_COMPARISONS[sign](left, right) for sign, (left, right) in zip(signs, pairwise(numbers)))


def parse_parameters(source, kinds=()):
    """Return the parameters that a parameters cell declares, in the cell's order.

    Parameters
    ----------
    source : str
        The source of the cell.
    kinds : mapping of str
        Kinds of values that the book defines, and for each the function that checks a text (``Book.values``).

    Returns
    -------
    list of Parameter

    Raises
    ------
    ValueError
        If the cell contains anything other than annotated assignments of literals, each on one line with one
        equals sign and a comment beside it.

    Examples
    --------
    >>> parse_parameters("seed: int = 7  # where randomness starts [0 ..]")[0].check(8)
    8
    """
    lines, kinds, parameters = source.splitlines(), dict(kinds), []
    comments_beside, comment_lines = _comments(source)
    for statement in ast.parse(source).body:
        name, type_of_value, default = _read_declaration(statement)
        comment = comments_beside.get(statement.end_lineno, "")
        reason = _comment_above(comment_lines, statement.lineno)
        line = lines[statement.lineno - 1]
        if statement.end_lineno > statement.lineno or line.count("=") > 1:
            raise ValueError(
                f"{name}: expected one line with one equals sign, which papermill can read, got {line!r}; "
                "a range is written as '10 .. 200', '0 ..' or '0 < beta < 1'"
            )
        help_text, allowed = ((part or "").strip() for part in _COMMENT.fullmatch(comment).groups())
        is_in_words = allowed in ("", "any text", *kinds) or allowed.startswith("one of ")
        if not (is_in_words or _INTERVAL.fullmatch(allowed) or _COMPARISON.fullmatch(allowed)):
            raise ValueError(
                f"{name}: expected a range such as '10 .. 200' or 'one of a, b' in brackets, got {allowed!r}"
            )
        accepts = kinds.get(allowed)
        parameters.append(Parameter(name, type_of_value, default, help_text, allowed, reason, accepts))
        if not accepts:  # a book's own check may be slow to import, so a page checks the value when it runs
            parameters[-1].check(default)
    return parameters


def _comments(source):
    """Return the comments beside code and those on lines of their own, by line number."""
    comments_beside, comment_lines = {}, {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            comments = comment_lines if token.line.lstrip().startswith("#") else comments_beside
            line_number, _ = token.start
            comments[line_number] = token.string.lstrip("# ")
    return comments_beside, comment_lines


def _read_declaration(statement):
    """Return the name, type and default that a line of a parameters cell declares.

    Raises
    ------
    ValueError
        If the line declares no parameter of a known type with a literal value. The message gives the remedy.
    """
    location = f"line {statement.lineno} of a parameters cell"
    if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
        raise ValueError(f"{location}: expected 'name: type = value  # help [values]', {_ONE_OF_TYPES}")
    name, type_name = statement.target.id, ast.unparse(statement.annotation)
    if type_name not in TYPES:
        words = {*re.findall(r"\w+", type_name.lower())}
        remedy = next((remedy for names, remedy in _REMEDIES.items() if words & {*names.split()}), "")
        raise ValueError(f"{location}: {name}: {escaped(type_name)}: {_ONE_OF_TYPES}{remedy}")
    try:
        return name, TYPES[type_name], ast.literal_eval(statement.value)
    except (TypeError, ValueError):  # no value, or a computed one
        raise ValueError(f"{location}: {name}: expected a value written out, such as 5 or 'a'") from None


def _comment_above(comment_lines, line):
    """Return the comment directly above a line of the cell, joined into one line."""
    first_line = line
    while first_line - 1 in comment_lines:
        first_line -= 1
    return " ".join(comment_lines[number] for number in range(first_line, line))


def check_word(name, value, words):
    """Raise ValueError if a value is not one of the words.

    The message suggests the nearest word.
    """
    if value not in words:
        raise ValueError(f"{name}={value!r}: expected one of {', '.join(words)}{nearest(str(value), words)}")


def read_assignments(assignments):
    """Return names and texts from words such as ``beta=0.3``.

    Raises
    ------
    ValueError
        If a word has no ``=``, or if a name is repeated.

    Examples
    --------
    >>> read_assignments(["beta=0.3", "seed=7"])
    {'beta': '0.3', 'seed': '7'}
    """
    values = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise ValueError(f"{escaped(assignment)}: expected name=value")
        if name in values:
            raise ValueError(f"{escaped(name)}: expected one value, got two")
        values[name] = text
    return values


def check_values(parameters, values):
    """Return checked values of parameters by name.

    Parameters
    ----------
    parameters : sequence of Parameter
        The parameters of a chapter.
    values : mapping of str
        Values by name. A text is read as the type of its parameter.

    Raises
    ------
    ValueError
        If a name is unknown (the message suggests the nearest one) or a value is not allowed.
    """
    by_name = {parameter.name: parameter for parameter in parameters}
    for name in values:
        if name not in by_name:
            names = ", ".join(by_name) or "none"
            hint = f"{nearest(name, by_name)} (it has: {names})"
            raise ValueError(f"{escaped(name)}: expected a parameter of this chapter{hint}")
    return {
        name: by_name[name].read(value) if isinstance(value, str) else by_name[name].check(value)
        for name, value in values.items()
    }
