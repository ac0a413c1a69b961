"""Read the records that a running chapter writes into the metadata of cell outputs."""

METADATA_KEY = "claimbook"
# MyST-NB treats outputs of this type as glued and shows them at the directive or role that names them.
GLUED = "application/papermill.record/"
# The comment that marks the position of a figure in the HTML of its widget.
FIGURE = "<!-- figure -->"


def records_of(notebook):
    """Yield claimbook's records in the outputs of an executed notebook, in order.

    Yields
    ------
    dict
        The record, under the name of its kind.
    """
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if record := output.get("metadata", {}).get(METADATA_KEY):
                yield record


def findings_of(notebook):
    """Return the findings of an executed notebook as dictionaries, in order."""
    return [record["finding"] for record in records_of(notebook) if "finding" in record]


def numbers_of(notebook):
    """Return the numbers of an executed notebook by name, as pairs (text, value).

    The value is None if the text is not a number.
    """
    numbers = [record["number"] for record in records_of(notebook) if "number" in record]
    return {number["name"]: (number["text"], number["value"]) for number in numbers}
