"""Temporary directories that killed processes cannot leave behind for good."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness.scratch import YOUNG_SECONDS, scratch, sweep_scratch

HOLDER = """
import sys, time
from pathlib import Path
from harness.scratch import scratch
with scratch("test", root=Path(sys.argv[1])) as directory:
    (directory / "file").touch()
    print(directory, flush=True)
    time.sleep(60)
"""


def age(path: Path) -> None:
    """Makes it older than what may be somebody's who has not locked it yet."""
    long_ago = time.time() - 2 * YOUNG_SECONDS
    os.utime(path, (long_ago, long_ago))


def test_a_directory_is_gone_afterwards(tmp_path: Path) -> None:
    with scratch("test", root=tmp_path) as directory:
        (directory / "file").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_a_dead_process_s_directory_is_swept_and_a_living_one_s_is_not(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        directory = Path(holder.stdout.readline().strip())
        age(directory)
        assert sweep_scratch(tmp_path) == []
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    assert (directory / "file").exists()
    age(directory)
    assert sweep_scratch(tmp_path) == [directory]
    assert not directory.exists()


def test_what_is_young_or_has_another_name_stays(tmp_path: Path) -> None:
    young = tmp_path / "benchbench-scratch-young"
    other = tmp_path / "somebody-elses"
    for path in (young, other):
        path.mkdir()
    age(other)
    assert sweep_scratch(tmp_path) == []


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.mkdir()
    (tmp_path / "benchbench-scratch-link").symlink_to(target)
    os.utime(tmp_path / "benchbench-scratch-link", (0, 0), follow_symlinks=False)
    assert sweep_scratch(tmp_path) == []
    assert target.is_dir()
