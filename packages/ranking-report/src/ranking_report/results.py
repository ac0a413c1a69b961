"""What the answers to questions about a comparison have in common."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas


@dataclass(frozen=True, eq=False)
class Result:
    """The answer to one question about a comparison, which a page can show beside it.

    Attributes
    ----------
    answer : str
        In words; ``str`` gives them too.
    remarks : list of str
        What the answer takes for granted.
    tables : dict of str to DataFrame
        By the names of the files that a report has for them.
    """

    answer: str = field(repr=False)
    remarks: Sequence[str] = field(repr=False)
    tables: Mapping[str, pandas.DataFrame] = field(repr=False)

    def __str__(self) -> str:
        return self.answer
