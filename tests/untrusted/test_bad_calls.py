import os
import time

import pytest
from support import called, write_notebook

from claimbook.text import is_plain
from untrusted.bad_calls import OTHER_GROUPS, OTHER_RUNS, OTHER_SCORES, OTHER_USES, OTHERS, calls

PARAMETERS = """\
# theorem 7 asks for it
beta: float = 0.5  # exponent [0 < beta < 1]
share: float = 0.5  # of something
curve: str = "constant:0.3"  # relevance [a curve]
seed: int = 1  # seed [0 ..]"""


@pytest.fixture
def folder(small_book, monkeypatch):
    """A book with files that a call could be pointed at by mistake."""
    root = small_book.root
    write_notebook(root / "chapters" / "first.ipynb", "seed", parameters=PARAMETERS)
    for name in ("made", "mine", "pipes"):
        (root / name).mkdir()
    for name in ("mine/file.txt", "_static/style.css"):
        (root / name).write_text("mine")
    (root / "table.csv").write_text("query,item,label,score_a,score_b\n1,2,0,0.1,0.2\n")
    (root / "run.csv").write_text("query,item,score\n1,2,0.5\nq,d,0.5\n")
    (root / "judged.csv").write_text("query,item,label\n1,2,1\n")
    for name, text in (OTHERS | OTHER_RUNS | OTHER_GROUPS | OTHER_SCORES | OTHER_USES).items():
        (root / name).write_text(text)
    write_notebook(root / "made" / "first.ipynb", "1")
    (root / "link").symlink_to("made")
    (root / "dangling").symlink_to("nowhere")
    os.mkfifo(root / "pipe")
    os.mkfifo(root / "pipes" / "first.ipynb")
    monkeypatch.chdir(root)
    return root


def state(folder):
    """All there is, with the contents of files."""
    return {
        path: path.read_bytes() if path.is_file() else path.is_dir()
        for path in folder.rglob("*")
        if "__pycache__" not in path.parts
    }


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
def test_the_files_beside_the_bad_ones_are_good(folder):
    done = called("compare", "judged.csv", "--run", "a=run.csv")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name == "nt", reason="makes pipes and links")
def test_each_bad_call_is_one_line_and_changes_nothing(folder):
    before, wrong, number = state(folder), {}, 0
    for name, words in calls():
        number += 1
        began = time.process_time()
        done = called(*words)
        taken = time.process_time() - began
        lines = done.stderr.splitlines()
        is_one_line = done.returncode == 2 and not done.stdout and len(lines) == 1 and is_plain(lines[0])
        if (
            not is_one_line
            or not lines[0].startswith(("companion: ", "ranking-report: "))
            or len(lines[0]) > 1100
        ):
            wrong[name] = (done.returncode, done.stdout[-200:], done.stderr[-300:])
        elif taken > 5:
            wrong[name] = f"{taken:.1f} seconds"
        elif state(folder) != before:
            wrong[name] = "changed something"
            before = state(folder)
    assert not wrong, "\n".join(f"{name}: {outcome}" for name, outcome in wrong.items())
    assert number > 300
