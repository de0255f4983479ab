"""How the tool server uses Linux."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from harness.tools.inside import kernel
from tests.harness.tools.tool_server import INSIDE


@pytest.fixture
def family() -> Iterator[subprocess.Popen[bytes]]:
    """A shell in a session of its own, with a child; both sleep."""
    command = ["bash", "-c", "sleep 4471 & echo up; wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as shell:
        assert shell.stdout is not None
        assert shell.stdout.readline() == b"up\n"
        yield shell
        kernel.send(signal.SIGKILL, kernel.descendants(shell.pid, shell.pid))


def run(code: str) -> str:
    """What `code` prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", "import os, sys\nfrom harness.tools.inside import kernel\n" + code],
        cwd=INSIDE.parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_descendants_are_found_without_the_ancestor(family: subprocess.Popen[bytes]) -> None:
    found = kernel.descendants(family.pid, 0)
    assert len(found) == 1
    assert family.pid not in found
    assert found < kernel.descendants(os.getpid(), 0)


def test_a_session_includes_its_leader(family: subprocess.Popen[bytes]) -> None:
    assert kernel.descendants(family.pid, family.pid) == {family.pid, *kernel.descendants(family.pid, 0)}


def test_all_that_are_found_are_killed(family: subprocess.Popen[bytes]) -> None:
    assert kernel.kill_found(lambda: kernel.descendants(family.pid, family.pid), time.monotonic() + 30)
    assert family.wait(30) == -signal.SIGKILL


def test_where_nothing_is_found_nothing_is_killed() -> None:
    assert not kernel.kill_found(set, time.monotonic() + 30)


def test_a_signal_to_a_process_that_is_gone_is_no_error() -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait(30)
    kernel.send(signal.SIGTERM, {ended.pid})


def test_an_orphan_becomes_a_child_of_who_adopts() -> None:
    code = """
kernel.adopt_orphans()
reading, writing = os.pipe()
if not (child := os.fork()):
    if not os.fork():
        os.read(reading, 1)
        os._exit(7)
    os._exit(0)
os.waitpid(child, 0)
os.write(writing, b"x")
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    assert run(code) == "7"


def test_every_descriptor_but_the_named_ones_is_closed() -> None:
    code = """
left, closed = os.open("/", 0), os.open("/", 0)
kernel.close_all_but(1, 2, left)
open_now = [fd for fd in (0, 1, 2, left, closed) if os.path.exists(f"/proc/self/fd/{fd}")]
print(open_now == [1, 2, left])
"""
    assert run(code) == "True"


def test_memory_is_taken_from_this_process_first() -> None:
    assert run("kernel.die_first()\nprint(open('/proc/self/oom_score_adj').read())") == "1000"


def test_a_process_can_be_closed_to_inspection_and_opened_again() -> None:
    code = """
import ctypes
for inspectable in (False, True):
    kernel.set_inspectable(inspectable)
    print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))
"""
    assert run(code).split() == ["0", "1"]
