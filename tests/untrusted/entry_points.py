"""Entry points for untrusted input: every place where text from outside comes in, and its treatment there.

A test finds all entry points; one without a row here fails it. Each row is tried:

- ``closed``: a list of words, numbers, or texts of a given form; any hostile string is refused;
- ``file``: a file or a folder to read; refused if it is not there, a name of one that is there is text;
- ``target``: the name of what is written; where it may be is a rule of its own (``tests/test_writing.py``);
- ``text``: any text, which is shown as text (``test_pages.py``).

Everywhere control characters, line ends and invalid UTF-8 are refused.
"""

ARGUMENTS = {
    ("list", "--names"): "closed",
    ("run", "chapter"): "closed",
    ("run", "parameters"): "closed",
    ("run", "--profile"): "closed",
    ("run", "--output"): "target",
    ("sweep", "chapter"): "closed",
    ("sweep", "parameters"): "closed",
    ("sweep", "--profile"): "closed",
    ("sweep", "--output"): "target",
    ("sweep", "--jobs"): "closed",
    ("sweep", "--dask"): "closed",
    ("diff", "first"): "file",
    ("diff", "second"): "file",
    ("diff", "--output"): "target",
    ("build", "--profile"): "closed",
    ("build", "--jobs"): "closed",
    ("new", "folder"): "target",
    ("new-chapter", "name"): "closed",
    ("new-chapter", "--after"): "closed",
    ("pdf", "--profile"): "closed",
    ("pdf", "--jobs"): "closed",
    ("ledger", "--profile"): "closed",
    ("ledger", "--json"): "closed",
    ("power", "--curve0"): "closed",
    ("power", "--curve1"): "closed",
    ("power", "--coupling"): "closed",
    ("power", "--discount"): "closed",
    ("power", "--k"): "closed",
    ("power", "--n"): "closed",
    ("power", "--share"): "closed",
    ("power", "--certainty"): "closed",
    ("power", "--queries"): "closed",
    ("power", "--sd"): "closed",
    ("power", "--pilot"): "file",
    ("power", "--measure"): "closed",
    ("power", "--missing"): "closed",
    ("power", "--output"): "target",
    ("report", "--labels"): "file",
    ("report", "--system"): "file",
    ("report", "--runs"): "file",
    ("report", "--measure"): "closed",
    ("report", "--missing"): "closed",
    ("report", "--ties"): "closed",
    ("report", "--format"): "closed",
    ("report", "--gain"): "closed",
    ("report", "--primary"): "closed",
    ("report", "--strict"): "closed",
    ("report", "--baseline"): "closed",
    ("report", "--fail-if"): "closed",
    ("report", "--json"): "closed",
    ("report", "--dask"): "closed",
    ("report", "--sequential"): "closed",
    ("report", "--seed"): "closed",
    ("report", "--by"): "file",
    ("report", "--history"): "target",
    ("report", "--night"): "closed",
    ("report", "--markdown"): "closed",
    ("report", "--output"): "target",
}

# Parameters of chapters that take text which is neither a curve, a discount nor one of a list.
PARAMETERS = {}

# What reads files that somebody else wrote.
READERS = {
    "read_table": "text",
    "read_trec": "text",
    "read_letor": "text",
    "compare": "text",  # reads with those above
    "load_films": "closed",  # from a package, not from a file of the user's
}
