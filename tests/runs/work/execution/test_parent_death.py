"""Processes end with their parent and with their terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends children")

ORPHAN = """
import subprocess
from runs.work.execution.parent_death import die_with_parent
subprocess.Popen(["sleep", "60"], preexec_fn=die_with_parent)
print("gone")
"""

LATE = """
import os, time
from runs.work.execution.parent_death import die_with_parent
parent = os.getpid()
if os.fork():
    os._exit(0)
while os.getppid() == parent:
    time.sleep(0.01)
print("an orphan", flush=True)
die_with_parent(parent)
print("goes on")
"""

REQUESTED = """
import os, signal
from runs.work.execution.parent_death import die_with_parent
ready, say = os.pipe()
if os.fork():
    os.read(ready, 1)
    os._exit(0)
def ended(*_):
    os.write(1, b"received a request to end")
    os._exit(0)
signal.signal(signal.SIGTERM, ended)
die_with_parent(how=signal.SIGTERM)
os.write(say, b"x")
signal.pause()
"""

HUNG_UP = """
import os, signal
from runs.work.execution.parent_death import end_with_terminal
{before}
signal.signal(signal.SIGTERM, lambda *_: print("ended", flush=True))
end_with_terminal()
os.kill(os.getpid(), signal.SIGHUP)
print("still here")
"""


def output(program: str) -> str:
    """What a program and its children write; it returns when the last of them has ended."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=20, check=True)
    return done.stdout


@ON_LINUX
def test_a_child_ends_when_its_parent_does() -> None:
    assert output(ORPHAN) == "gone\n"  # and not after the minute that the child sleeps


@ON_LINUX
def test_a_child_ends_whose_parent_has_ended_before_it_asked() -> None:
    assert output(LATE) == "an orphan\n"


@ON_LINUX
def test_a_child_may_be_terminated_instead() -> None:
    assert output(REQUESTED) == "received a request to end"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("signal.signal(signal.SIGHUP, signal.SIG_DFL)", "ended\nstill here\n"),
        ("signal.signal(signal.SIGHUP, signal.SIG_IGN)", "still here\n"),  # as nohup does
        ("signal.signal(signal.SIGHUP, lambda *_: print('own', flush=True))", "own\nstill here\n"),
    ],
    ids=["default", "ignored", "own"],
)
def test_the_end_of_the_terminal_is_a_request_to_end_unless_it_is_handled(before: str, said: str) -> None:
    assert output(HUNG_UP.format(before=before)) == said
