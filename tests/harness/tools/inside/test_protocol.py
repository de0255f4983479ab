"""The key and the mark of a tool server's lines."""

from __future__ import annotations

import os

import pytest

from harness.tools.inside.protocol import MARK_BYTES, read_key, sealed


def piped(sent: bytes) -> int:
    """A descriptor from which `sent` can be read."""
    reading, writing = os.pipe()
    os.write(writing, sent)
    os.close(writing)
    return reading


def test_a_line_without_a_key_stays_as_it_is() -> None:
    assert sealed(b'{"id": 1}', b"") == b'{"id": 1}'


def test_a_mark_stands_before_the_line_and_depends_on_line_and_key() -> None:
    mark, _, line = sealed(b"a b", b"key").partition(b" ")
    assert line == b"a b"
    assert len(bytes.fromhex(mark.decode())) == MARK_BYTES
    marks = {sealed(text, key).partition(b" ")[0] for text in (b"a b", b"a c") for key in (b"key", b"kez")}
    assert len(marks) == 4


def test_the_key_is_the_first_line_and_nothing_behind_it_is_read() -> None:
    there = piped(b"00ff10\n{}\n")
    assert read_key(there) == b"\x00\xff\x10"
    assert os.read(there, 100) == b"{}\n"
    os.close(there)


def test_a_stream_that_ends_within_the_key_gives_what_came() -> None:
    there = piped(b"00ff")
    assert read_key(there) == b"\x00\xff"
    os.close(there)


@pytest.mark.parametrize("sent", [b"0\n", b"xy\n", b"\xff\n"])
def test_what_is_no_hexadecimal_number_is_refused(sent: bytes) -> None:
    there = piped(sent)
    with pytest.raises(ValueError, match=r"hex|ascii"):
        read_key(there)
    os.close(there)
