"""Two files of tests with the same names, one with others, and a choice of their traps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf
from random import Random

from harness.dataset import Trap
from harness.grading.traps.choosing import choose
from harness.patches import FileState

TEXT = """\
def test_adds_small_numbers():
    assert add(1, 2) == 3


def test_adds_large_numbers():
    assert add(1000, 2000) == 3000


def test_joins_words():
    assert join("left", "right") == "left right"


def test_has_no_expected_value():
    assert add(1, 2)
"""
FILE = FileState("tests/test_sums.py", TEXT.encode())
OTHER = FileState("tests/test_other.py", TEXT.encode())
UNLIKE = FileState("tests/test_unlike.py", TEXT.replace("def test_", "def test_all_").encode())
TESTS = [
    f"tests.test_sums::{name}"
    for name in ("test_adds_small_numbers", "test_adds_large_numbers", "test_joins_words")
]


def chosen_from(
    known: Sequence[Trap],
    tests: int,
    random: Random,
    unsolved: Sequence[str] = (),
    *,
    telling: Collection[Trap] = (),
    seconds: float = inf,
) -> list[Trap]:
    return choose({trap: trap in telling for trap in known}, tests, random, unsolved, seconds=seconds)
