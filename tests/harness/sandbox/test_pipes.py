"""A process of this host behaves like an attached container."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.errors import RunCancelled
from harness.sandbox import waiting
from harness.sandbox.base import Interrupt, never
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.stream import STDERR, STDOUT, LineReader, StreamEnded, StreamSilent

PATH = {"PATH": os.environ.get("PATH", os.defpath)}


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


@contextmanager
def running(
    directory: Path,
    script: str,
    *,
    environment: Mapping[str, str] = PATH,
    most_mb: int = 64,
    interrupt: Interrupt = never,
) -> Iterator[PipedProcess]:
    command = ["/bin/sh", "-c", script]
    process = PipedProcess(
        command, directory=directory, environment=environment, most_mb=most_mb, interrupt=interrupt
    )
    try:
        yield process
    finally:
        process.process.kill()
        process.close()


def output(process: PipedProcess) -> dict[int, bytes]:
    """Everything that each stream says until the end."""
    found = {STDOUT: b"", STDERR: b""}
    try:
        while True:
            stream, data = process.frame(deadline=soon())
            found[stream] += data
    except StreamEnded:
        return found


def test_both_streams_are_read_until_they_end(tmp_path: Path) -> None:
    with running(tmp_path, "echo out; echo err >&2; exit 4") as process:
        assert output(process) == {STDOUT: b"out\n", STDERR: b"err\n"}
        with pytest.raises(StreamEnded):
            process.frame(deadline=soon())
        assert process.process.wait(10) == 4


def test_it_has_its_directory_its_environment_and_a_session_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "here").touch()
    script = "ls; echo $SECRET; echo $$ $(cut -d' ' -f6 /proc/$$/stat)"
    with running(tmp_path, script, environment={**PATH, "SECRET": "mine"}) as process:
        files, secret, numbers = output(process)[STDOUT].decode().splitlines()
        assert (files, secret) == ("here", "mine")
        assert numbers.split() == [str(process.process.pid)] * 2


def test_megabytes_are_sent_while_they_are_taken_and_the_input_can_end(tmp_path: Path) -> None:
    with running(tmp_path, "wc -c") as process:
        process.send(b"0123456789" * 300_000, deadline=soon())
        process.end_input()
        assert output(process)[STDOUT].split() == [b"3000000"]


def test_input_that_is_not_read_is_a_silence(tmp_path: Path) -> None:
    with running(tmp_path, "exec sleep 60") as process, pytest.raises(StreamSilent):
        process.send(bytes(10 << 20), deadline=soon(0.1))


def test_input_of_a_process_that_has_ended_is_the_end(tmp_path: Path) -> None:
    with running(tmp_path, "exit 0") as process:
        process.process.wait(10)
        with pytest.raises(StreamEnded, match="Broken pipe"):
            process.send(b"x", deadline=soon())


def test_without_output_it_is_silent_and_can_be_read_later(tmp_path: Path) -> None:
    with running(tmp_path, "read line; echo $line") as process:
        with pytest.raises(StreamSilent):
            process.frame(deadline=soon(0.05))
        process.send(b"late\n", deadline=soon())
        assert LineReader(process, longest=100).line(deadline=soon()) == b"late"


def test_an_interrupt_ends_the_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.05)

    def cancel() -> None:
        raise RunCancelled("stop")

    def read_on(process: PipedProcess) -> None:
        while True:
            process.frame(deadline=soon())

    flood = "while true; do echo x; done"
    with running(tmp_path, flood, interrupt=cancel) as process, pytest.raises(RunCancelled, match="stop"):
        read_on(process)


def test_no_file_may_be_larger_than_its_limit(tmp_path: Path) -> None:
    with running(tmp_path, "exec head -c 2000000 /dev/zero > big", most_mb=1) as process:
        assert process.process.wait(10) == -signal.SIGXFSZ
    assert (tmp_path / "big").stat().st_size == 1 << 20


def test_the_limit_holds_before_the_program_starts(tmp_path: Path) -> None:
    # Without a shell: the program's first step is to write, and nothing may be faster than the limit.
    path = str(tmp_path / "big")
    for _ in range(20):
        process = PipedProcess(
            ["/bin/dd", "if=/dev/zero", f"of={path}", "bs=2M", "count=1"],
            directory=tmp_path,
            environment=PATH,
            most_mb=1,
            interrupt=never,
        )
        try:
            process.process.wait(10)
            assert (tmp_path / "big").stat().st_size == 1 << 20
        finally:
            process.close()


def test_closing_ends_a_process_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.sandbox.pipes.POLL_SECONDS", 0.05)
    process = PipedProcess(
        ["/bin/sleep", "60"], directory=tmp_path, environment=PATH, most_mb=1, interrupt=never
    )
    process.close()
    assert process.process.returncode == -signal.SIGKILL
