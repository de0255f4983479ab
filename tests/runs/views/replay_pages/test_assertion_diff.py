"""Expected and actual values in messages of failed tests."""

from __future__ import annotations

import time

import pytest

from runs.views.replay_pages.assertion_diff import ComparedValues, compared

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("expect(x).toBe(y)\n\nExpected: 4\nReceived: 3", ComparedValues("expected", "4", "got", "3")),
        ("java.lang.AssertionError: expected:<4> but was:<3>", ComparedValues("expected", "4", "got", "3")),
        ("Assert.Equal() Failure\nExpected: 4\nActual:   3", ComparedValues("expected", "4", "got", "3")),
        ("  expected: 4\n       got: 3", ComparedValues("expected", "4", "got", "3")),
        ("Error: Not equal:\n  expected: 4\n  actual  : 3", ComparedValues("expected", "4", "got", "3")),
        ("sum_test.go:9: got 3, want 4", ComparedValues("got", "3", "expected", "4")),
        ("assertion failed\n  left: 3\n right: 4", ComparedValues("left", "3", "right", "4")),
        ("E   assert 3 == 4\nE    +  where", ComparedValues("left", "3", "right", "4")),
        ("AssertionError: 0 != 7", ComparedValues("left", "0", "right", "7")),
        ("KeyError: 'x'", None),
        ("", None),
    ],
)
def test_compared_values_have_the_labels_of_the_report(message: str, found: ComparedValues | None) -> None:
    assert compared(message) == found


def test_crafted_messages_are_not_slow() -> None:
    began = time.monotonic()
    for text in [
        "Expected: x\n" * 9_999,
        "assert " * 9_999,
        "got " * 9_999,
        "expected: <" * 9_999,
        " " * 99_999,
        "\n" * 99_999,
    ]:
        compared(text)
        compared(f"AssertionError: {text}")

    assert time.monotonic() - began < 2
