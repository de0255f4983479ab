"""A file in memory from which the written bytes are taken."""

from __future__ import annotations

from runs.transfer.sink import Sink


def test_what_was_written_is_taken_once() -> None:
    sink = Sink()
    assert (sink.write(b"ab"), sink.write(memoryview(b"cde"))) == (2, 3)
    assert sink.take() == b"abcde"
    assert sink.take() == b""


def test_the_position_counts_bytes_that_were_taken_too() -> None:
    sink = Sink()
    assert sink.tell() == 0
    sink.write(b"abc")
    sink.take()
    sink.write(b"de")
    assert sink.tell() == 5


def test_the_data_are_copied() -> None:
    sink = Sink()
    buffer = bytearray(b"abc")
    sink.write(buffer)
    buffer[:] = b"xyz"
    assert sink.take() == b"abc"


def test_it_is_only_written_to() -> None:
    sink = Sink()
    assert (sink.writable(), sink.readable(), sink.seekable()) == (True, False, False)
