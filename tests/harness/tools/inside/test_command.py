"""Commands below their supervisor. run_terminal_cmd, which starts them for an agent, is tested in test_terminal.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.tools.inside.command import PART_BYTES, Output
from tests.harness.tools.tool_server import INSIDE, gone

_START = """\
import os, sys, time
from harness.tools.inside.command import Command, Supervisor, kill_orphans
from harness.tools.inside.loop import Loop

def start(text, apart=False):
    loop, supervisor = Loop(), Supervisor(sys.argv[1])
    assert supervisor.order(text.encode(), apart)
    return Command(loop, supervisor, apart)
"""


def run(code: str, workdir: Path) -> list[str]:
    """What `code` prints, in a process of its own: a supervisor is forked, and adopts what its command leaves."""
    done = subprocess.run(
        [sys.executable, "-c", _START + code, str(workdir)],
        cwd=INSIDE.parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


class TestOutput:
    def test_it_is_taken_once(self) -> None:
        output = Output()
        output.add(b"one ")
        output.add(b"two")
        assert [output.take(), output.take()] == ["one two", ""]

    def test_the_beginning_and_the_end_of_a_flood_stay(self) -> None:
        output = Output()
        output.add(b"a" * PART_BYTES)
        output.add(b"b" * 2 * PART_BYTES)
        output.add(b"c" * PART_BYTES)
        assert output.take() == (
            f"{'a' * 65_536}\n[... 131,072 bytes of output were dropped ...]\n{'c' * 65_536}"
        )
        output.add(b"next")
        assert output.take() == "next"

    def test_a_character_that_arrives_in_two_pieces_is_one(self) -> None:
        output = Output()
        for byte in "\N{SNOWMAN}".encode() + b"\xff":
            output.add(bytes([byte]))
        assert output.take() == "\N{SNOWMAN}\N{REPLACEMENT CHARACTER}"


def test_a_command_runs_in_the_directory_with_an_exit_code_and_two_streams(tmp_path: Path) -> None:
    code = """
command = start("pwd; echo no >&2; exit 3", apart=True)
print(command.ended, command.wait(30), command.exit_code)
command.settle(30)
print(command.output.take(), command.errors.take(), command.gone, command.drained, command.survivors(), sep="|")
"""
    assert run(code, tmp_path) == ["False True 3", f"{tmp_path.resolve()}", "|no", "|True|True|[]"]


def test_what_a_command_leaves_behind_is_found_and_killed(tmp_path: Path) -> None:
    code = """
command = start("sleep 44511 & setsid sleep 44512 & (setsid sleep 44513 &) ; exit 0")
print(command.wait(30), command.gone)
deadline = time.monotonic() + 30
while len(command.survivors()) < 3 and time.monotonic() < deadline:
    time.sleep(0.01)
print(len(command.survivors()))
command.kill()
print(command.gone, command.survivors())
"""
    assert run(code, tmp_path) == ["True False", "3", "True []"]
    assert gone("sleep", "4451")


def test_waiting_ends_at_its_limit(tmp_path: Path) -> None:
    code = """
command = start("sleep 4461")
started = time.monotonic()
print(command.wait(0.1), 0.1 <= time.monotonic() - started < 5)
command.kill()
print(command.exit_code)
"""
    assert run(code, tmp_path) == ["False True", "-9"]
    assert gone("sleep", "4461")


def test_a_supervisor_without_a_command_ends_when_it_is_dismissed(tmp_path: Path) -> None:
    code = """
supervisor = Supervisor(sys.argv[1])
supervisor.dismiss()
print(os.path.exists(f"/proc/{supervisor.pid}"))
"""
    assert run(code, tmp_path) == ["False"]


def test_a_supervisor_that_was_killed_takes_no_order(tmp_path: Path) -> None:
    code = """
supervisor = Supervisor(sys.argv[1])
os.kill(supervisor.pid, 9)
os.waitid(os.P_PID, supervisor.pid, os.WEXITED | os.WNOWAIT)
print(supervisor.order(b"true", False), os.path.exists(f"/proc/{supervisor.pid}"))
"""
    assert run(code, tmp_path) == ["False False"]
