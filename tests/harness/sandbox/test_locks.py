"""Locks of images that processes share; here each open lock stands for a process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from harness.errors import RunCancelled
from harness.sandbox import waiting
from harness.sandbox.base import never
from harness.sandbox.locks import building, in_use, unused

TAG = "benchbench/workspace:0123456789abcdef"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def _own_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.05)


def cancel() -> None:
    raise RunCancelled("stop")


def free(tag: str, built_as: str = "") -> bool:
    with unused(tag, built_as) as result:
        return result


def test_an_image_is_free_unless_it_is_built_or_used() -> None:
    assert free(TAG)
    with building(TAG, never):
        assert not free(TAG)
        assert free("benchbench/workspace:other")
    with in_use(TAG):
        assert not free(TAG)
    assert free(TAG)


def test_an_image_is_not_free_while_another_tag_is_locked_for_its_build() -> None:
    with building("benchbench/environment:1", never):
        assert free(TAG)
        assert not free(TAG, "benchbench/environment:1")


def test_only_one_builds_and_the_next_one_waits() -> None:
    order: list[str] = []
    waiting_began = threading.Event()

    def build_next() -> None:
        with building(TAG, waiting_began.set):
            order.append("second")

    with building(TAG, never):
        thread = threading.Thread(target=build_next)
        thread.start()
        assert waiting_began.wait(10)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_the_wait_for_a_lock_can_be_interrupted() -> None:
    with building(TAG, never), pytest.raises(RunCancelled, match="stop"), building(TAG, cancel):
        pass
    assert free(TAG)


def test_an_image_in_use_by_any_number_is_not_removed() -> None:
    with in_use(TAG, cancel), in_use(TAG, cancel):
        assert not free(TAG)


def test_an_image_that_is_removed_is_neither_built_nor_used_meanwhile() -> None:
    with unused(TAG) as locked:
        assert locked
        with pytest.raises(RunCancelled), building(TAG, cancel):
            pass
        with pytest.raises(RunCancelled), in_use(TAG, cancel):
            pass
        assert not free(TAG)


def test_another_process_holds_its_lock_until_it_dies(tmp_path: Path) -> None:
    code = (
        "import sys, tempfile, time\n"
        "from harness.sandbox.locks import in_use\n"
        "tempfile.tempdir = sys.argv[1]\n"
        "with in_use(sys.argv[2]):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path), TAG]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        assert not free(TAG)
        process.kill()
        process.wait(10)
        assert free(TAG)


def test_the_directory_of_the_locks_is_for_this_user_alone(tmp_path: Path) -> None:
    assert free(TAG)
    [directory] = tmp_path.iterdir()
    assert directory.stat().st_mode & 0o777 == 0o700
    assert {path.name for path in directory.iterdir()} == {
        "benchbench-workspace-0123456789abcdef.lock",
        "benchbench-workspace-0123456789abcdef.use",
    }
