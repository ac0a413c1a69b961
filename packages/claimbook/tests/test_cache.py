import os
import platform
import subprocess
import sys

import pytest

from claimbook.execute.cache import sole_build
from claimbook.writing import LOCK, write_whole

HOLDER = """
import sys, time
from pathlib import Path
from claimbook.execute.cache import sole_build
with sole_build(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_build_is_refused_and_names_who_holds_the_folder_until_that_is_dead(tmp_path):
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(ValueError, match=f"process {holder.pid} on .* is building there"):
            with sole_build(tmp_path):
                pass
        holder.kill()
        holder.wait()
        with sole_build(tmp_path):
            assert f"process {os.getpid()} " in (tmp_path / LOCK).read_text()


@pytest.mark.parametrize("name", ["", "two words"])
def test_a_machine_of_any_name_locks_and_lets_go(name, tmp_path, monkeypatch):
    monkeypatch.setattr(platform, "node", lambda: name)
    for _ in range(2):
        with sole_build(tmp_path):
            pass
    assert not (tmp_path / LOCK).exists()


def test_a_write_that_fails_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    path = tmp_path / "kept.json"
    write_whole(path, "old")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "new")
    assert path.read_text() == "old" and [entry.name for entry in tmp_path.iterdir()] == ["kept.json"]


def test_what_takes_a_file_s_place_is_on_the_disk_before_it_does(tmp_path, monkeypatch):
    done, fsync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda *given: (done.append("fsync"), fsync(*given)))
    monkeypatch.setattr(os, "replace", lambda *given: (done.append("replace"), replace(*given)))
    write_whole(tmp_path / "file", "text")
    assert done == ["fsync", "replace"]
