"""The methods of a page, in a real IPython shell without a kernel."""

import re
from base64 import b64decode
from fractions import Fraction

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure
from plain_book import BOOK
from threadpoolctl import threadpool_info, threadpool_limits
from traitlets.config import Config

from claimbook.output_metadata import FIGURE
from claimbook.page import METADATA_KEY, Page
from claimbook.style import drawing


@pytest.fixture
def page(monkeypatch):
    # A history would be a database in the home folder that nobody closes.
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    inputs = ["", "n: int = 10  # items [1 ..]\nseed: int = 1  # seed [0 ..]", "n = 20"]
    inputs += ["twice = 2 * n", "page.figure(line(twice), 'figure-x')"]
    monkeypatch.setattr(shell, "user_ns", {"In": inputs, "n": 20, "seed": 1})
    yield Page("a-page", BOOK)
    InteractiveShell.clear_instance()


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def shown(action):
    with capture_output() as captured:
        result = action()
    return result, captured.outputs


def test_it_knows_values_and_defaults(page):
    assert page.parameters == {"n": 20, "seed": 1}


def test_it_computes_on_one_blas_thread_whatever_the_machine(request):
    with threadpool_limits(2, user_api="blas"):
        assert max(threads()) == 2
        request.getfixturevalue("page")
        assert set(threads()) == {1}


def test_a_number_is_glued_as_formatted_text(page):
    _, (output, count) = shown(lambda: page.numbers({"share": (0.12345, ".2%"), "count": 3}))
    assert count.metadata[METADATA_KEY]["number"] == {"name": "count", "text": "3", "value": 3.0}
    assert output.data == {"application/papermill.record/text/plain": "'12.35%'"}
    assert output.metadata["scrapbook"]["name"] == "share"


def test_numbers_in_a_mapping_have_joined_names_and_its_format(page):
    rates = {"by score": 0.51, "random": (0.25, ".1%"), 2: {"a": 1}}
    _, outputs = shown(lambda: page.numbers({"rate": (rates, ".1f"), "n": 3}))
    numbers = [output.metadata[METADATA_KEY]["number"] for output in outputs]
    assert {number["name"]: number["text"] for number in numbers} == {
        "rate-by-score": "0.5",
        "rate-random": "25.0%",
        "rate-2-a": "1.0",
        "n": "3",
    }


@drawing
def line(alt):
    figure = Figure()
    figure.subplots().plot([1, 2])
    return figure, alt


def test_a_figure_has_its_alternative_text_and_what_drew_it(page):
    _, (image,) = shown(lambda: page.figure(line("A line from 1 to 2."), "figure-x"))
    record = image.metadata[METADATA_KEY]["figure"]
    assert record["name"] == "figure-x" and record["alt"] == "A line from 1 to 2."
    assert record["drawn_by"].endswith("line") and image.data["text/plain"] == record["alt"]
    assert "<svg" in image.data["image/svg+xml"]


def test_a_widget_contains_its_figure_where_a_front_end_shows_it(page):
    widget = f'<div id="turn">{FIGURE}</div><script>1 < 2</script>'
    _, (image,) = shown(lambda: page.figure(line('A "line".'), "figure-x", widget))
    assert image.metadata[METADATA_KEY]["figure"]["widget"] == widget
    before, source, after = re.split(
        r'<img alt="A &quot;line&quot;." src="([^"]*)">', image.data["text/html"]
    )
    assert before + FIGURE + after == widget
    kind, _, drawing_in_it = source.partition(",")
    assert kind == "data:image/svg+xml;base64"
    assert b64decode(drawing_in_it).decode() == image.data["image/svg+xml"]


@pytest.mark.parametrize("widget", ["", "<p>no figure</p>", 2 * FIGURE])
def test_a_widget_without_one_place_for_the_figure_is_rejected(page, widget):
    with pytest.raises(ValueError, match="figure-x: expected one <!-- figure --> in the widget, got [02]"):
        page.figure(line("A line."), "figure-x", widget)


@pytest.mark.parametrize("alt", ["figure.png", ""])
def test_an_alternative_text_without_a_sentence_is_rejected(page, alt):
    with pytest.raises(ValueError, match="alt="):
        page.figure(line(alt), "figure-x")


def test_a_figure_that_no_drawing_made_is_rejected(page):
    with pytest.raises(ValueError, match="figure-x: expected a figure from a function under @drawing of"):
        page.figure(Figure(), "figure-x")


def test_a_finding_shows_claim_and_control_and_returns_its_verdict(page):
    claim, control = ("it is one", 1.0, 1.01, 0.1), ("it is two", 2.0, 1.01, 0.1)
    verdict, (output,) = shown(lambda: page.finding("note/claim-1", claim=claim, control=control, risk=1e-6))
    assert verdict == "consistent"
    text, record = output.data["text/markdown"], output.metadata[METADATA_KEY]["finding"]
    assert (
        "● consistent" in text
        and "claim *passes*: it is one" in text
        and "control *fails*: it is two" in text
    )
    assert (
        record["page"] == "a-page" and record["parameters"] == {"n": 20, "seed": 1} and record["risk"] == 1e-6
    )


def test_a_finding_shows_its_margins_the_entry_that_decided_and_why_a_control_is_far(page):
    claim = ("two numbers", [1.0, 2.0], [1.01, 2.05], 0.1)
    control = ("two others", [1.0, 4.0], [1.01, 2.05], 0.1)
    far = "a misprint of a whole number is far"
    _, (output,) = shown(lambda: page.finding("note/claim-1", claim=claim, control=control, far=far, risk=0))
    text, record = output.data["text/markdown"], output.metadata[METADATA_KEY]["finding"]
    start = "At entry 2 of 2, which has the largest margin, the predicted value is"
    assert f"{start} 2 ± 0.1, the observed value is 2.05, and the margin is 0.5." in text
    assert f"{start} 4 ± 0.1, the observed value is 2.05, and the margin is 19.5." in text
    assert f"No nearer control: {far}." in text and record["far"] == far
    assert record["control"]["margin"]["worst"] == pytest.approx(19.5)


def test_a_finding_says_why_its_control_has_another_tolerance(page):
    claim, control = ("it is one", 1.0, 1.01, 0.1), ("it is two", 2.0, 1.01, 0.2)
    reason = "the second sample is smaller"
    _, (output,) = shown(
        lambda: page.finding("note/claim-1", claim=claim, control=control, unequal=reason, risk=0)
    )
    assert f"The control has another tolerance: {reason}." in output.data["text/markdown"]
    assert output.metadata[METADATA_KEY]["finding"]["unequal"] == reason


def test_an_undecided_finding_says_how_large_the_run_must_be(page):
    claim, control = ("it is one", 1.0, 1.5, 1.0), ("it is two", 2.0, 1.5, 1.0)
    needs = "needs n of at least 4,000"
    verdict, (output,) = shown(
        lambda: page.finding("note/claim-1", claim=claim, control=control, needs=needs, risk=0)
    )
    assert verdict == "undecided" and needs in output.data["text/markdown"]


ONE, TWO = ("it is one", 1.0, 1.01, 0.1), ("it is two", 2.0, 1.01, 0.1)


@pytest.mark.parametrize("options", [{}, {"basis": "sample"}, {"needs": "more"}])
def test_a_sample_says_its_risk(page, options):
    with pytest.raises(ValueError) as refusal:
        page.finding("note/claim-1", claim=ONE, control=TWO, **options)
    message = "note/claim-1: basis='sample': expected risk=, the probability that noise alone reverses"
    assert str(refusal.value).startswith(message) and "exhaustive, proof, mechanism" in str(refusal.value)
    assert shown(lambda: page.finding("note/claim-1", claim=ONE, control=TWO, risk=0, **options))[0]


@pytest.mark.parametrize("basis", ["proof", "exhaustive", "mechanism"])
def test_what_is_no_sample_needs_no_risk(page, basis):
    (verdict, (output,)) = shown(lambda: page.finding("note/claim-1", claim=ONE, control=TWO, basis=basis))
    assert verdict in ("proved here", "not testable")
    assert output.metadata[METADATA_KEY]["finding"]["risk"] == 0


def exhaustive(page, predicted, other, observed, *tolerance, rule="within"):
    claim, control = ("it is so", predicted, observed, *tolerance), ("it is not", other, observed, *tolerance)
    options = {"rule": rule, "basis": "exhaustive"}
    return shown(lambda: page.finding("note/claim-1", claim=claim, control=control, **options))[0]


@pytest.mark.parametrize("rule", ["within", "equals", "at most"])
@pytest.mark.parametrize("observed", [1.5, np.array([1.5, 1.25]), [Fraction(3, 2), 1.5], np.float32(1.5), 1j])
def test_floating_point_numbers_prove_nothing_without_a_tolerance(page, rule, observed):
    with pytest.raises(ValueError, match="note/claim-1: basis='exhaustive': expected exact .* claim"):
        exhaustive(page, 2, 1, observed, rule=rule)


def test_floating_point_numbers_of_a_control_prove_nothing_either(page):
    claim, control = ("it is one", 1, 1), ("it is another", 1.5, 1)
    with pytest.raises(ValueError, match="in the control without one"):
        page.finding("note/claim-1", claim=claim, control=control, rule="equals", basis="exhaustive")


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ((Fraction(1, 3), Fraction(1, 2), Fraction(2, 6)), "equals"),
        ((np.array([1, 2]), np.array([1, 3]), np.array([1, 2])), "within"),
        (("a", "b", "a"), "equals"),
        ((True, False, True), "equals"),
        ((0.3, 0.4, 0.1 + 0.2, 1e-12), "within"),
    ],
)
def test_exact_values_and_stated_tolerances_may_be_exhaustive(page, values, rule):
    assert exhaustive(page, *values, rule=rule) == "proved here"


@pytest.mark.parametrize("side", ["claim", "control"])
@pytest.mark.parametrize(
    ("given", "got"),
    [(("a", 1, 1, 0, 0), "5 entries"), (("a", 1), "2 entries"), ((), "0 entries"), ("a text", "str")],
)
def test_a_case_with_other_entries_is_rejected_in_one_line(page, side, given, got):
    cases = {"claim": ONE, "control": TWO} | {side: given}
    with pytest.raises(
        ValueError, match=rf"^{side}: expected \(says, predicted, observed\) or .*, got {got}$"
    ):
        page.finding("note/claim-1", **cases, risk=0)


def test_values_that_are_not_allowed_stop_the_page(page, monkeypatch):
    shell = InteractiveShell.instance()
    monkeypatch.setitem(shell.user_ns, "n", 0)
    with pytest.raises(ValueError, match="n=0: expected a whole number, 1 .."):
        Page("a-page", BOOK)


def test_a_finding_on_a_statement_that_is_not_in_the_registry_is_rejected(page):
    case = ("it is small", 0.0, 0.1, 0.5)
    with pytest.raises(
        ValueError, match="'note/claim-11': expected a statement of the registry; did you mean"
    ):
        page.finding("note/claim-11", claim=case, control=case)


@pytest.mark.parametrize("earlier", ["# note: try n = 3", "print((1,  # left: open"])
def test_parameters_are_found_after_cells_that_declare_none(page, earlier):
    InteractiveShell.instance().user_ns["In"].insert(1, earlier)
    assert Page("a-page", page.book).parameters == {"n": 20, "seed": 1}
