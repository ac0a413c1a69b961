"""The page's own calls, in a real IPython shell without a kernel."""

import matplotlib.pyplot as plt
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from threadpoolctl import threadpool_info, threadpool_limits

from ndcg_companion.chapter.page import METADATA_KEY, Page


@pytest.fixture
def page(monkeypatch):
    shell = InteractiveShell.instance()
    inputs = ["", "n: int = 10  # items [n >= 1]\nseed: int = 1  # seed [seed >= 0]", "n = 20"]
    monkeypatch.setattr(shell, "user_ns", {"In": inputs, "n": 20, "seed": 1})
    yield Page("a-page")
    InteractiveShell.clear_instance()


def threads():
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def shown(action):
    with capture_output() as captured:
        result = action()
    return result, captured.outputs


def test_it_knows_values_and_defaults(page):
    assert page.parameters == {"n": 20, "seed": 1}
    assert page.stamp().startswith("`n=20` (default 10), `seed=1` · ")


def test_it_computes_on_one_blas_thread_whatever_the_machine(request):
    with threadpool_limits(2, user_api="blas"):
        assert max(threads()) == 2
        request.getfixturevalue("page")
        assert set(threads()) == {1}


def test_a_number_is_glued_as_formatted_text(page):
    _, (output,) = shown(lambda: page.number("share", 0.12345, ".2%"))
    assert output.data == {"application/papermill.record/text/plain": "'12.35%'"}
    assert output.metadata["scrapbook"]["name"] == "share"


def test_a_figure_carries_caption_alt_text_and_stamp(page):
    figure, axes = plt.subplots()
    axes.plot([1, 2])
    figure.drawn_by = "somewhere.line"
    _, (image, stamp) = shown(
        lambda: page.figure(figure, name="figure-x", caption="It rises.", alt="A line from 1 to 2.")
    )
    plt.close(figure)
    record = image.metadata[METADATA_KEY]["figure"]
    assert record == {
        "name": "figure-x",
        "caption": "It rises.",
        "alt": "A line from 1 to 2.",
        "drawn_by": "somewhere.line",
    }
    assert "<svg" in image.data["image/svg+xml"]
    assert "n=20" in stamp.data["text/markdown"] and "ndcg-companion" in stamp.data["text/markdown"]


@pytest.mark.parametrize("alt", ["It rises.", "figure.png", ""])
def test_an_alt_text_that_says_nothing_is_refused(page, alt):
    with pytest.raises(ValueError, match="alt="):
        page.figure(None, name="figure-x", caption="It rises.", alt=alt)


def test_a_finding_shows_claim_and_control_and_returns_its_verdict(page):
    claim, control = ("it is one", 1.0, 1.01, 0.1), ("it is two", 2.0, 1.01, 0.1)
    verdict, (output,) = shown(
        lambda: page.finding("wang/theorem-4", claim=claim, control=control, risk=1e-6)
    )
    assert verdict == "consistent"
    text, record = output.data["text/markdown"], output.metadata[METADATA_KEY]["finding"]
    assert (
        "● consistent" in text
        and "claim *holds*: it is one" in text
        and "control *is rejected*: it is two" in text
    )
    assert (
        record["page"] == "a-page" and record["parameters"] == {"n": 20, "seed": 1} and record["risk"] == 1e-6
    )


def test_an_undecided_finding_says_how_large_the_run_must_be(page):
    claim, control = ("it is one", 1.0, 1.5, 1.0), ("it is two", 2.0, 1.5, 1.0)
    needs = "needs n of at least 4,000"
    verdict, (output,) = shown(
        lambda: page.finding("wang/theorem-4", claim=claim, control=control, needs=needs)
    )
    assert verdict == "undecided" and needs in output.data["text/markdown"]


def test_values_that_are_not_allowed_stop_the_page(page, monkeypatch):
    shell = InteractiveShell.instance()
    monkeypatch.setitem(shell.user_ns, "n", 0)
    with pytest.raises(ValueError, match="n=0: expected a whole number, n >= 1"):
        Page("a-page")
