"""What counts as a sentence."""

from __future__ import annotations

import time

import pytest

from harness.judges.sentences import sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n ", 0),
        ("... !", 0),
        ("One", 1),
        ("One.", 1),
        ("One. Two.", 2),
        ("One! Two? Three… Four.", 4),
        ('He said "done." Then he left.', 2),
        ("It edited a.py and b.py.", 1),
        ("It took 0.5 s. That is fine.", 2),
        ("It used tools, e.g. the shell, twice.", 1),
        ("One.\n\nTwo.", 2),
        ("One... Two.", 2),
        ("完成了。没有测试。", 2),
        ("It failed. `pytest` was not run.", 2),
        ("It failed. Ärger.", 2),
    ],
)
def test_sentences_end_with_a_mark_white_space_and_no_small_letter(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@pytest.mark.parametrize("unit", [".", ". ", "!)", "。", " ", "a", ".\n", ".'"])
def test_time_is_linear(unit: str) -> None:
    began = time.process_time()
    sentences(unit * 200_000)
    assert time.process_time() - began < 2
