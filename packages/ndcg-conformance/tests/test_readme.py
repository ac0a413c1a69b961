"""The README's function gets the answer shown there, and its Python runs."""

import re
from pathlib import Path

from ndcg_conformance import cases
from ndcg_conformance.__main__ import main
from ndcg_conformance.runners import LIBRARIES

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.S | re.M)


def test_the_function_that_is_shown_gets_the_answer_that_is_shown(tmp_path, monkeypatch, capsys):
    (code,) = (text for language, text in BLOCKS if language == "python" and "def ndcg" in text)
    (shown,) = (text for language, text in BLOCKS if language == "text")
    (tmp_path / "readme_module.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["readme_module:ndcg"]) == 1
    assert capsys.readouterr().out == shown.replace("mymodule:", "readme_module:")


def test_the_example_in_python_runs(capsys):
    (code,) = (text for language, text in BLOCKS if language == "python" and "ndcg_conformance" in text)
    exec(code, {})
    assert capsys.readouterr().out.startswith(cases()["cases"][0]["name"])


def test_the_cases_and_libraries_are_as_many_as_it_says():
    text = " ".join(README.split())
    assert f"contains {len(cases()['cases'])} lists" in text and len(LIBRARIES) == 11
    assert (
        all(re.search(rf"\b{re.escape(name)}\b", text) for name in LIBRARIES) and "eleven libraries" in text
    )
