"""The allowed values of some arguments, quick to import for the command line."""

from typing import Literal, get_args

Ties = Literal["average", "trec_eval", "best", "worst"]
Missing = Literal["raise", "zero", "drop"]
TIES, MISSING = get_args(Ties), get_args(Missing)
FORMATS = ("auto", "trec", "letor", "table")
FEWEST_PLANNED = 6  # queries; with fewer no difference can be significant
