"""The words of messages."""

from __future__ import annotations

from harness.dataset.verifier_kinds import Occurrences
from harness.grading.verifiers.findings import counted, expectation, named, shown_text


def test_names_are_listed_up_to_a_limit() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named(list("abcdefg")) == "a, b, c, d, e and 2 more"


def test_text_that_no_line_can_hold_is_cleaned_and_cut() -> None:
    assert shown_text("a\nb\x1b[0m\udcff") == "a�b�[0m�"
    assert shown_text("x" * 300) == "x" * 200 + "…"


def test_nouns_are_counted() -> None:
    assert [counted(1, "match"), counted(2, "match"), counted(0, "file")] == [
        "1 match",
        "2 matches",
        "0 files",
    ]


def test_what_is_expected_is_said() -> None:
    assert expectation(Occurrences("a")) == "at least 1 is expected"
    assert expectation(Occurrences("a", 0, strict=True)) == "exactly 0 are expected"
