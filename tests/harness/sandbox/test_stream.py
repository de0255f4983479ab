"""Frames, lines and bounded output of attached standard streams, over a real socket."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from harness.errors import RunCancelled
from harness.sandbox import waiting
from harness.sandbox.stream import (
    STDERR,
    STDOUT,
    AttachedStream,
    BoundedOutput,
    LineReader,
    LineTooLong,
    StreamEnded,
    StreamSilent,
)


def frame(stream: int, payload: bytes) -> bytes:
    """As the engine sends it."""
    return bytes([stream, 0, 0, 0]) + len(payload).to_bytes(4, "big") + payload


def soon(seconds: float = 10.0) -> float:
    return time.monotonic() + seconds


@pytest.fixture
def pair() -> Iterator[tuple[AttachedStream, socket.socket]]:
    """A stream, and the engine's end of its connection."""
    ours, engine = socket.socketpair()
    stream = AttachedStream(ours)
    yield stream, engine
    stream.close()
    engine.close()


class TestFrames:
    def test_frames_are_separated_however_they_arrive(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        sent = frame(STDOUT, b"out") + frame(STDERR, b"err\n") + frame(STDOUT, b"")
        engine.sendall(sent[:5])
        threading.Timer(0.05, engine.sendall, [sent[5:]]).start()
        assert [stream.frame(deadline=soon()) for _ in range(3)] == [
            (STDOUT, b"out"),
            (STDERR, b"err\n"),
            (STDOUT, b""),
        ]

    def test_without_output_it_is_silent_and_can_be_read_later(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        engine.sendall(frame(STDOUT, b"late")[:-1])
        with pytest.raises(StreamSilent):
            stream.frame(deadline=soon(0.05))
        with pytest.raises(StreamSilent):
            stream.frame(deadline=soon(-1.0))
        engine.sendall(b"e")
        assert stream.frame(deadline=soon()) == (STDOUT, b"late")

    def test_it_ends_with_the_connection_also_within_a_frame(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        engine.sendall(frame(STDOUT, b"whole") + frame(STDOUT, b"cut")[:-1])
        engine.close()
        assert stream.frame(deadline=soon()) == (STDOUT, b"whole")
        with pytest.raises(StreamEnded):
            stream.frame(deadline=soon())

    def test_an_interrupt_ends_the_wait_even_if_output_never_pauses(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(waiting, "POLL_SECONDS", 0.05)

        def cancel() -> None:
            raise RunCancelled("stop")

        def read_on() -> None:
            while True:
                engine.sendall(frame(STDOUT, b"x"))
                stream.frame(deadline=soon())

        ours, engine = socket.socketpair()
        stream = AttachedStream(ours, cancel)
        with engine, pytest.raises(RunCancelled, match="stop"):
            read_on()
        stream.close()


class TestSend:
    def test_everything_is_sent_and_closing_ends_the_input(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        text = b"0123456789" * 200_000
        received = bytearray()

        def read() -> None:
            while data := engine.recv(1 << 16):
                received.extend(data)

        reader = threading.Thread(target=read)
        reader.start()
        stream.send(text, deadline=soon())
        stream.close()
        reader.join(10)
        assert received == text

    def test_input_that_is_not_read_is_a_silence(self, pair: tuple[AttachedStream, socket.socket]) -> None:
        stream, _ = pair
        with pytest.raises(StreamSilent):
            stream.send(bytes(50 << 20), deadline=soon(0.1))
        with pytest.raises(StreamSilent):
            stream.send(b"x", deadline=soon(-1.0))

    def test_a_closed_side_ends_it(self, pair: tuple[AttachedStream, socket.socket]) -> None:
        stream, engine = pair
        engine.close()
        with pytest.raises(StreamEnded, match="Broken pipe"):
            stream.send(b"x", deadline=soon())


class TestLines:
    def test_lines_are_put_together_across_frames_and_apart_from_errors(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        lines = LineReader(stream, longest=100)
        assert lines.stderr == ""
        for part in (b"fi", b"rst\n\nthi"):
            engine.sendall(frame(STDOUT, part) + frame(STDERR, b" oops\xff "))
        engine.sendall(frame(STDOUT, b"rd\n"))
        assert [lines.line(deadline=soon()) for _ in range(3)] == [b"first", b"", b"third"]
        assert lines.stderr == "oops\ufffd  oops\ufffd"

    def test_only_the_end_of_standard_error_is_stored(
        self, pair: tuple[AttachedStream, socket.socket]
    ) -> None:
        stream, engine = pair
        lines = LineReader(stream, longest=100)
        engine.sendall(frame(STDERR, b"a" * 5000) + frame(STDERR, b"b" * 10) + frame(STDOUT, b"\n"))
        assert lines.line(deadline=soon()) == b""
        assert lines.stderr == "a" * 3990 + "b" * 10

    def test_a_line_without_an_end_is_refused(self, pair: tuple[AttachedStream, socket.socket]) -> None:
        stream, engine = pair
        lines = LineReader(stream, longest=10)
        engine.sendall(frame(STDOUT, b"x" * 10) + frame(STDOUT, b"\n") + frame(STDOUT, b"y" * 11))
        assert lines.line(deadline=soon()) == b"x" * 10
        with pytest.raises(LineTooLong):
            lines.line(deadline=soon())


class TestBoundedOutput:
    def bounded(self, limit: int, *pieces: bytes) -> str:
        output = BoundedOutput(limit)
        for piece in pieces:
            output.add(piece)
        return output.text()

    def test_a_short_output_is_whole(self) -> None:
        assert self.bounded(10) == ""
        assert self.bounded(10, b"01234", b"", b"56789") == "0123456789"
        assert self.bounded(10, b"0123456789") == "0123456789"

    @pytest.mark.parametrize(
        "pieces", [[b"0123456789abc"], [b"0", b"12345678", b"9abc"], [*b"0123456789abc"]]
    )
    def test_of_a_long_one_head_and_tail_are_shown_and_the_gap_is_counted(
        self, pieces: list[bytes | int]
    ) -> None:
        split = [piece if isinstance(piece, bytes) else bytes([piece]) for piece in pieces]
        assert self.bounded(10, *split) == "01234\n[3 bytes left out]\n89abc"

    def test_bytes_that_are_not_utf8_are_replaced(self) -> None:
        assert self.bounded(10, b"a\xff", "é".encode()) == "a\ufffdé"

    def test_an_endless_output_takes_little_memory(self) -> None:
        text = self.bounded(1000, *(b"x" * 100 for _ in range(10_000)))
        assert text == "x" * 500 + "\n[999000 bytes left out]\n" + "x" * 500
