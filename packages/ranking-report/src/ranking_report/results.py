"""The common base class of answers to questions about a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas


@dataclass(frozen=True, eq=False)
class Result:
    """The answer to a question about a comparison.

    Attributes
    ----------
    answer : str
        The answer in sentences, which ``str`` also returns.
    remarks : list of str
        The assumptions behind the answer.
    tables : dict of str to DataFrame
        The tables that a report writes, by file name.
    """

    answer: str = field(repr=False)
    remarks: Sequence[str] = field(repr=False)
    tables: Mapping[str, pandas.DataFrame] = field(repr=False)

    def __str__(self) -> str:
        return self.answer
