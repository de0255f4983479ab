"""Deterministic checks of what a model says as the user."""

from __future__ import annotations

import time

import pytest

from harness.users.checks import fault_of, new_names, sentences

KNOWN = "Handle numbers below zero in calc/digits.py. The agent changed `parse` and _numbers."


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("Fix it", 1),
        ("Fix it. Now!", 2),
        ("Why?! Really...", 2),
        ("Change calc/digits.py at last", 1),
        ("One.\nTwo.\nThree", 3),
    ],
)
def test_sentences_end_with_a_mark_before_a_space(text: str, number: int) -> None:
    assert sentences(text) == number


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Please change calc/digits.py and `digits.py`.", ()),
        ("Look at calc/sums.py, please.", ("calc/sums.py",)),
        ("Call parse() in _numbers.", ()),
        ("Add spell_out and a function largest().", ("spell_out", "largest()")),
        ("Do it and/or explain, e.g. in words. It's 3.5 times slower.", ()),
    ],
)
def test_names_are_new_if_they_stand_nowhere(message: str, names: tuple[str, ...]) -> None:
    assert new_names(message, KNOWN) == names


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Now the largest number.", ""),
        (" \n", "Your message was empty."),
        ("A. B. C. D. E. F.", "Your message had 6 sentences; 5 are allowed."),
        ("a" * 4001, "Your message had 4,001 characters; 4,000 are allowed."),
        (
            "Write tests/test_new.py too.",
            "Your message named what you do not know and were not shown: tests/test_new.py.",
        ),
    ],
)
def test_the_first_fault_is_named(message: str, fault: str) -> None:
    assert fault_of(message, KNOWN) == fault


def test_long_messages_are_checked_quickly() -> None:
    began = time.monotonic()
    for text in ("a." * 200_000, "." * 400_000, "a_" * 200_000, "/." * 200_000, "-" * 400_000):
        fault_of(text, KNOWN)
        new_names(text, KNOWN)
    assert time.monotonic() - began < 5
