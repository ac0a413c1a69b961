"""What the chapter on own rankings hands to the command that runs it."""

from IPython.display import display

from ndcg_companion.chapter.records import METADATA_KEY, records_of
from ndcg_companion.evaluation.account import as_record


def keep(evaluation, form):
    """Put the numbers of an evaluation into the running notebook, unseen, where `kept` finds them."""
    display({"text/plain": ""}, raw=True, metadata={METADATA_KEY: {"report": as_record(evaluation, form)}})


def kept(notebook):
    """The numbers that a notebook keeps."""
    return next(record["report"] for record in records_of(notebook) if "report" in record)
