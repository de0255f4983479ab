"""A program beside the tool server exchanges lines, and its end is explained."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.sandbox import program
from harness.sandbox.program import DockerProgram
from harness.sandbox.stream import STDERR, STDOUT, AttachedStream


class Rig:
    """A program whose side of the connection is the test's, and what it was blamed for."""

    def __init__(self) -> None:
        ours, self.engine = socket.socketpair()
        self._stream = AttachedStream(ours)
        self.blamed: list[tuple[str, str, bool]] = []
        self.program = DockerProgram(self._stream, self._blame)

    def _blame(self, symptom: str, last_words: str, ended: bool) -> HarnessError:
        self.blamed.append((symptom, last_words, ended))
        return InfrastructureError(symptom)

    def write(self, data: bytes, stream: int = STDOUT) -> None:
        self.engine.sendall(bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data)

    def close(self) -> None:
        self._stream.close()
        self.engine.close()


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    monkeypatch.setattr(program, "MAX_LINE_LENGTH", 100)
    rig = Rig()
    yield rig
    rig.close()


def test_a_line_is_sent_with_its_newline(rig: Rig) -> None:
    rig.program.send(b'{"a": 1}', timeout=10.0)
    assert rig.engine.recv(100) == b'{"a": 1}\n'


def test_lines_are_received_without_theirs_and_a_late_one_is_not_lost(rig: Rig) -> None:
    rig.write(b"one\ntw")
    assert rig.program.receive(timeout=10.0) == b"one"
    assert rig.program.receive(timeout=0.05) is None
    rig.write(b"o\n")
    assert rig.program.receive(timeout=10.0) == b"two"
    assert rig.blamed == []


def test_its_end_is_blamed_with_the_end_of_its_errors(rig: Rig) -> None:
    rig.write(b"Traceback\n", STDERR)
    rig.engine.close()
    for _ in range(2):
        with pytest.raises(InfrastructureError, match=r"^a program of the harness was ended$"):
            rig.program.receive(timeout=10.0)
    with pytest.raises(InfrastructureError, match=r"^a program of the harness was ended$"):
        rig.program.send(b"x", timeout=10.0)
    assert rig.blamed == [("a program of the harness was ended", "Traceback", True)] * 3


def test_input_that_it_does_not_take_is_blamed(rig: Rig) -> None:
    with pytest.raises(InfrastructureError, match=r"^a program of the harness took no input for 0 s$"):
        rig.program.send(bytes(20 << 20), timeout=0.1)
    assert rig.blamed == [("a program of the harness took no input for 0 s", "", False)]


def test_a_line_without_an_end_is_the_agents_fault(rig: Rig) -> None:
    rig.write(b"x" * 101)
    with pytest.raises(AgentError, match=r"^a program of the harness wrote a line without an end$"):
        rig.program.receive(timeout=10.0)
    assert rig.blamed == []
