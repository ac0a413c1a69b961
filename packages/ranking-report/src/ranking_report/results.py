"""The common base of the answers to questions about a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas


@dataclass(frozen=True, eq=False)
class Result:
    """The answer to one question about a comparison.

    Attributes
    ----------
    answer : str
        The answer in sentences; ``str`` returns them too.
    remarks : list of str
        The assumptions behind the answer.
    tables : dict of str to DataFrame
        The tables that a report writes, by the names of their files.
    """

    answer: str = field(repr=False)
    remarks: Sequence[str] = field(repr=False)
    tables: Mapping[str, pandas.DataFrame] = field(repr=False)

    def __str__(self) -> str:
        return self.answer
