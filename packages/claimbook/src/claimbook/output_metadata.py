"""Metadata of cell outputs: the records of a running chapter, and their readers."""

METADATA_KEY = "claimbook"
# MyST-NB takes outputs of this type for glued ones, and shows them where a directive or a role says.
GLUED = "application/papermill.record/"
# The place of a figure in the HTML of its widget.
FIGURE = "<!-- figure -->"


def records_of(notebook):
    """Our records in the outputs of an executed notebook, in order: dictionaries by kind of record."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if record := output.get("metadata", {}).get(METADATA_KEY):
                yield record


def findings_of(notebook):
    """The findings that an executed notebook recorded, in order, as plain dictionaries."""
    return [record["finding"] for record in records_of(notebook) if "finding" in record]


def numbers_of(notebook):
    """The numbers that an executed notebook shows: name to (text, value), the value None for words."""
    numbers = [record["number"] for record in records_of(notebook) if "number" in record]
    return {number["name"]: (number["text"], number["value"]) for number in numbers}
