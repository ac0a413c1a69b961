"""Read names of measures in the form of ir_measures, such as ``AP(rel=2)``."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ndcg_companion.checks import check_length, duplicates, fail_if
from ndcg_companion.measures import Log, parse_discount
from ndcg_companion.text import check_plain, escaped
from ranking_report.kinds import KINDS, OF_GAINS

# These are names of the kinds that people and other programs use, in lower case. In trec_eval's names the
# cut-off follows an underscore, as in ndcg_cut_10 and P_10.
_ALIASES = {kind.lower(): kind for kind in KINDS} | {
    "map": "AP",
    "mrr": "RR",
    "recip_rank": "RR",
    "recall": "R",
    "precision": "P",
    "r_precision": "Rprec",
    "hr": "Success",
    "hit_rate": "Success",
    "hitrate": "Success",
}
_WITH_CUTOFF = re.compile(r"(\w+?)(?:_cut)?_([0-9]+)")
# The gain that each of ir_measures' names for DCG implies.
_GAIN_OF_DCG = {"log2": "linear", "exp-log2": "exponential"}
_POSITIVE_INTEGER, _BELOW_ONE = re.compile("[1-9][0-9]{0,8}"), re.compile(r"0?\.[0-9]{1,15}")
_NAME_FORM = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\((?P<parameters>[^()]*)\))?(?:@(?P<cutoff>[^@\s]+))?")


@dataclass(frozen=True)
class Measure:
    """A measure with the parameters that its name specifies.

    Attributes
    ----------
    name : str
        The name in tables, which `parse_measure` can read.
    kind : str
        The name without parameters, or ``"ir_measures"``.
    k : None, int or float
        The cut-off, as a number of positions or as a fraction of the list. None without a cut-off.
    discount : callable
        The discount as a function of ranks, for DCG and nDCG.
    gain : None or str
        The gain. None stands for the gain of the comparison.
    rel : int
        The smallest label that counts as relevant, for measures of binary relevance.
    p : float
        The probability that the reader in RBP continues to the next item.
    max_rel : int
        The highest grade of ERR's scale, whether or not a document has it.
    """

    name: str
    kind: str
    k: int | float | None = None
    discount: Callable = Log()
    gain: str | None = None
    rel: int = 1
    p: float = 0.8
    max_rel: int = 4

    @property
    def needs_n(self) -> bool:
        """Return whether the measure depends on the length of the whole list."""
        return self.kind == "RankDCG" or isinstance(self.k, float) or getattr(self.discount, "needs_n", False)

    @property
    def first_weight(self) -> float:
        """Return the discount at rank 1, by which DCG is divided.

        After this division, a logarithmic discount has base 2. If the discount depends on the length of the
        list, it is not rescaled and the value is 1.
        """
        return 1.0 if getattr(self.discount, "needs_n", False) else float(self.discount(1.0))

    def weight(self, ranks):
        """Return the discount at these ranks, divided by the discount at rank 1."""
        return self.discount(ranks) / self.first_weight


def parse_measure(text: str | Measure) -> Measure:
    """Return the measure that a name specifies.

    Parameters
    ----------
    text : str
        ``nDCG``, ``DCG``, ``AP``, ``RR``, ``P``, ``R``, ``Rprec``, ``Bpref``, ``Success``, ``RBP``, ``ERR``,
        ``Judged`` or ``RankDCG``, with the parameters and cut-offs of ir_measures, such as ``AP(rel=2)``,
        ``AP@100``, ``P@5``, ``R@100``, ``Success@10``, ``RBP(p=0.95)``. This package adds
        ``nDCG(discount=power:0.5)``, ``nDCG(gain=exponential)``, ``nDCG@0.2n`` for a fifth of the list, and
        ``ERR(max_rel=1)@10``. The scale of ERR ends at 4 by default. Case does not matter. The names of
        trec_eval are also accepted (``ndcg_cut_10``, ``map``, ``P_10``, ``recall_100``, ``recip_rank``,
        ``success_10``), as are ``MRR@10``, ``HR@10`` and ``hit_rate@10``. If ir_measures is installed, all of
        its measures are also accepted, such as ``infAP``. Such a measure orders ties in its own way.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        If no measure has this name. The message suggests the nearest name.

    Examples
    --------
    >>> parse_measure("nDCG@10").k, parse_measure("nDCG(discount=zipf)@0.2n").k, parse_measure("MAP").name
    (10, 0.2, 'AP')
    >>> parse_measure("nDGC@10")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: measure='nDGC@10': expected one of nDCG, DCG, ...; did you mean 'nDCG'?...
    """
    if isinstance(text, Measure):
        return text
    if isinstance(text, str):
        check_length("measure", text)
    try:
        return parse_package_measure(text)
    except ValueError as error:
        has_several = re.search(r",(?![^(]*\))", str(text))
        hint = "; give each measure its own option (--measure A --measure B)" if has_several else ""
        return _from_ir_measures(text, f"measure='{escaped(text)}': {error}{hint}")


def parse_package_measure(text):
    """Return the measure of this package that a name specifies.

    Raises
    ------
    ValueError
        If this package has no measure of that name.

    Examples
    --------
    >>> parse_package_measure("RBP(p=0.5)").p
    0.5
    """
    form = _NAME_FORM.fullmatch(text.strip()) if isinstance(text, str) else None
    name, parameters, cutoff = form.groups() if form else ("", None, None)
    if cutoff is None and (with_cutoff := _WITH_CUTOFF.fullmatch(name)):
        name, cutoff = with_cutoff.groups()
    kind = _ALIASES.get(name.lower())
    fail_if(kind is None, _message_for_unknown(name))
    return _of_kind(kind, parameters or "", cutoff)


def parse_measures(texts):
    """Return the measures that a list of different names specifies.

    >>> [measure.name for measure in parse_measures(["nDCG@10", "AP"])]
    ['nDCG@10', 'AP']
    """
    fail_if(
        isinstance(texts, (str, Measure)) or not (isinstance(texts, Iterable) and [*texts]),
        f"measures={texts!r}: expected a list of names, such as ('nDCG@10', 'AP')",
    )
    measures = [parse_measure(text) for text in texts]
    repeated_names = duplicates(measure.name for measure in measures)
    if repeated_names:
        raise ValueError(f"measures: expected each once, got {repeated_names[0]} twice")
    return measures


def _of_kind(name, parameters, cutoff):
    """Return a measure of this package from the parts of its name.

    ``name`` is a kind, ``parameters`` is the text in brackets, and ``cutoff`` is a text or None.
    """
    allowed_parameters, cutoff_rule = KINDS[name].parameters, KINDS[name].cutoff
    expected = ", ".join(f"{parameter}=…" for parameter in allowed_parameters) or "no parameters"
    values = {}
    for part in filter(None, parameters.split(",")):
        key, equals_sign, text = part.partition("=")
        key = key.strip().strip("'\"")
        fail_if(
            not equals_sign or key not in allowed_parameters or key in values,
            f"expected {expected} in brackets, each once, got '{escaped(part)}'",
        )
        values[key] = text.strip().strip("'\"")
    fail_if(cutoff is None and cutoff_rule == "must", f"expected a cut-off, such as {name}@10")
    fail_if(cutoff is not None and cutoff_rule == "cannot", f"expected {name} without a cut-off")
    k = None if cutoff is None else _cutoff(cutoff, fraction=name in OF_GAINS)
    discount, p = parse_discount(values.get("discount", "log")), values.get("p", "0.8")
    rel, max_rel = (
        _positive_integer(key, values.get(key, default)) for key, default in (("rel", "1"), ("max_rel", "4"))
    )
    fail_if(
        "dcg" in values and ("gain" in values or values["dcg"] not in _GAIN_OF_DCG),
        "expected dcg='log2' or dcg='exp-log2', and then no gain",
    )
    gain = _GAIN_OF_DCG.get(values.get("dcg"), values.get("gain"))
    is_gain = gain in (None, *_GAIN_OF_DCG.values())
    fail_if(not is_gain, f"gain='{escaped(gain)}': expected linear or exponential")
    fail_if(max_rel >= 1000, f"max_rel={max_rel}: expected below 1000")
    fail_if(
        not _BELOW_ONE.fullmatch(p) or float(p) == 0, f"p='{escaped(p)}': expected a number between 0 and 1"
    )
    parameter_text = ",".join(f"{key}={value}" for key, value in values.items())
    title = name + (f"({parameter_text})" if parameter_text else "") + (f"@{cutoff}" if cutoff else "")
    return Measure(title, name, k, discount, gain, rel, float(p), max_rel)


def _positive_integer(name, text):
    fail_if(not _POSITIVE_INTEGER.fullmatch(text), f"{name}='{escaped(text)}': expected a whole number >= 1")
    return int(text)


def _cutoff(text, fraction):
    """Return the cut-off in a text, which may be a fraction if ``fraction`` is true."""
    if _POSITIVE_INTEGER.fullmatch(text):
        return int(text)
    if fraction and re.fullmatch(r"(0?\.[0-9]+|1(\.0*)?)n", text) and float(text[:-1]) > 0:
        return float(text[:-1])
    alternative = " or a fraction of the list, such as 0.2n" if fraction else ""
    raise ValueError(f"cut-off '{escaped(text)}': expected a whole number >= 1{alternative}")


def _from_ir_measures(text, refusal):
    """Return a measure of ir_measures.

    Raises
    ------
    ValueError
        If ir_measures lacks this measure or is not installed. The message begins with ``refusal``.
    """
    # If a parameter were given twice, ir_measures would silently use the second value.
    fail_if(duplicates(re.findall(r"[(,]\s*(\w+)\s*=", str(text))), refusal)
    try:
        import ir_measures

        measure = ir_measures.parse_measure(text)
    except ImportError:
        raise ValueError(
            f"{refusal}; the package ir-measures, which has more measures, is not installed"
        ) from None
    except Exception:  # any error of the parser means that ir_measures has no such measure
        raise ValueError(refusal) from None
    fail_if(getattr(measure, "params", {}).get("cutoff") == 0, refusal)  # ir_measures would accept even this
    try:
        ir_measures.evaluator([measure], [])
    except Exception as error:  # for example an assertion, or a missing optional dependency
        reason = escaped(" ".join(str(error).split()), 300)
        raise ValueError(f"{refusal}; ir_measures: {reason}") from None
    return Measure(check_plain(str(measure), "measure"), "ir_measures")


def _message_for_unknown(name):
    """Return the message for an unknown name, with a suggestion for a mistyped one."""
    similar_alias = next((alias for alias in _ALIASES if _is_slip(name.lower(), alias)), None)
    hint = f"; did you mean '{_ALIASES[similar_alias]}'?" if similar_alias else ""
    return f"expected one of {', '.join(KINDS)}{hint}"


def _is_slip(word, name):
    """Return whether a single typing mistake turns one word into the other.

    A typing mistake is the exchange of two neighbouring letters, or the omission or addition of a letter
    other than the first. A single different letter does not count as a mistake, because both words may be
    measures, as IPrec and Rprec are.

    >>> _is_slip("ndgc", "ndcg"), _is_slip("recal", "recall"), _is_slip("iprec", "rprec")
    (True, True, False)
    """
    shorter, longer = sorted((word, name), key=len)
    if len(shorter) == len(longer):  # two neighbouring letters may be exchanged
        return word in {name[:i] + name[i : i + 2][::-1] + name[i + 2 :] for i in range(len(name) - 1)}
    return len(shorter) > 3 and shorter in {longer[:i] + longer[i + 1 :] for i in range(1, len(longer))}
