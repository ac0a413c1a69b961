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
    ("new", "--license"): "closed",
    ("new", "--author"): "text",
    ("new-chapter", "name"): "closed",
    ("new-chapter", "--after"): "closed",
    ("pdf", "--profile"): "closed",
    ("pdf", "--jobs"): "closed",
    ("ledger", "--profile"): "closed",
    ("ledger", "--json"): "closed",
    ("lint", "folder"): "file",
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
    ("compare", "qrels"): "file",
    ("compare", "--run"): "file",
    ("compare", "--scores"): "file",
    ("compare", "--popularity"): "file",
    ("compare", "--judged-only"): "closed",
    ("compare", "--verbose"): "closed",
    ("example", "folder"): "target",
    ("compare", "runs"): "file",
    ("compare", "--measure"): "closed",
    ("compare", "--missing"): "closed",
    ("compare", "--ties"): "closed",
    ("compare", "--format"): "closed",
    ("compare", "--gain"): "closed",
    ("compare", "--primary"): "closed",
    ("compare", "--strict"): "closed",
    ("compare", "--baseline"): "closed",
    ("compare", "--fail-if"): "closed",
    ("compare", "--json"): "closed",
    ("compare", "--dask"): "closed",
    ("compare", "--sequential"): "closed",
    ("compare", "--seed"): "closed",
    ("compare", "--by"): "file",
    ("compare", "--markdown"): "closed",
    ("compare", "--output"): "target",
}

# Parameters of chapters that take text which is neither a curve, a discount nor one of a list.
PARAMETERS = {}

# What reads files that somebody else wrote.
READERS = {
    "read_table": "text",
    "read_trec": "text",
    "compare": "text",  # reads with those above
    "load_films": "closed",  # from a package, not from a file of the user's
}
