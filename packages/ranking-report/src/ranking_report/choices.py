"""The allowed values of some arguments, in a module that is quick to import."""

from typing import Literal, get_args

Ties = Literal["average", "trec_eval", "best", "worst"]
Missing = Literal["raise", "zero", "drop"]
TIES, MISSING = get_args(Ties), get_args(Missing)
FORMATS = ("auto", "trec", "letor", "table")
FEWEST_PLANNED = 6  # the fewest queries with which a difference can be significant
