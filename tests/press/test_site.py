import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_notebook, new_output

from ndcg_companion.chapter.page import METADATA_KEY
from ndcg_companion.press.site import configuration, fingerprint, read_findings, stage, write_findings


def shown(text, **record):
    return new_output(
        "display_data", data={"text/markdown": text}, metadata={METADATA_KEY: record} if record else {}
    )


@pytest.fixture
def executed(small_book):
    """Both chapters as they would be after execution: the first with a figure, a number beside it and a
    finding.
    """
    figure = {"name": "figure-x", "caption": "It *rises*.", "alt": "A line from 1 to 2.", "drawn_by": ""}
    case = {"says": "s", "predicted": 1, "observed": 1, "tolerance": 0}
    finding = {
        "statement": "wang/theorem-7",
        "verdict": "consistent",
        "control_rejected": True,
        "claim": case,
        "control": case,
    }
    notebook = new_notebook(metadata={METADATA_KEY: {"key": "secret"}})
    outputs = [shown("number"), shown("image", figure=figure), shown("*stamp*", stamp="figure-x")]
    notebook.cells = [
        new_code_cell("draw()", id="draw", outputs=outputs),
        new_code_cell("find()", id="find", outputs=[shown("verdict", finding=finding)]),
    ]
    paths = {}
    for name in ("first", "second"):
        paths[name] = small_book.root / f"{name}.ipynb"
        nbformat.write(notebook if name == "first" else new_notebook(), paths[name])
    return paths


def test_the_stage_is_laid_out_anew_with_ledger_and_tally(small_book, executed, tmp_path):
    folder = tmp_path / "stage"
    (folder / "old").mkdir(parents=True)
    findings = stage(small_book, executed, {}, folder)
    assert [finding["statement"] for finding in findings] == ["wang/theorem-7"]
    assert not (folder / "old").exists()
    assert "1 consistent, 80 not treated yet" in (folder / "chapters" / "generated" / "tally.md").read_text()
    assert "No page yet" in (folder / "chapters" / "generated" / "ledger.md").read_text()
    assert (folder / "assets" / "vendor" / "mathjax" / "tex-svg-full.js").stat().st_size > 1e6


def test_buttons_appear_exactly_with_an_address():
    without = yaml.safe_load(configuration("repository: {url: ''}\nhtml: {home_page_in_navbar: true}"))
    assert set(without["html"]) == {"home_page_in_navbar"} and "launch_buttons" not in without
    configured = yaml.safe_load(configuration("repository: {url: 'https://example.org/companion'}"))
    assert configured["html"]["use_edit_page_button"] and configured["html"]["use_issues_button"]
    assert configured["launch_buttons"]["binderhub_url"]


def test_the_fingerprint_sees_every_file_and_its_name(tmp_path):
    folder, lock = tmp_path / "stage", tmp_path / "lock"
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "page.md").write_text("text")
    lock.write_text("numpy==1")
    seen = [fingerprint(folder, lock)]
    (folder / "a" / "page.md").rename(folder / "a" / "other.md")
    seen.append(fingerprint(folder, lock))
    (folder / "a" / "other.md").write_text("other text")
    seen.append(fingerprint(folder, lock))
    lock.write_text("numpy==2")
    seen.append(fingerprint(folder, lock))
    assert len(set(seen)) == 4 and fingerprint(folder, lock) == seen[-1]


def test_findings_come_back_as_they_were_written(tmp_path):
    write_findings(tmp_path / "f.json", "quick", [{"statement": "wang/theorem-7"}])
    assert read_findings(tmp_path / "f.json") == ("quick", [{"statement": "wang/theorem-7"}])
    with pytest.raises(ValueError, match="no build at"):
        read_findings(tmp_path / "g.json")
