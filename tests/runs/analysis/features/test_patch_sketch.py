"""Sketches of patches, and their similarity."""

from __future__ import annotations

import random

import pytest

from runs.analysis.features.base import Evidence
from runs.analysis.features.patch_sketch import MAX_LINES, is_sketch, patch_sketch, sketch_similarity
from runs.analysis.trajectories.trace import Exercise, Trace


def sketch(*lines: str) -> str:
    """That of a patch which adds these lines to a file."""
    head = f"--- a/tide.py\n+++ b/tide.py\n@@ -0,0 +1,{len(lines)} @@\n"
    patch = (head + "".join(f"+{line}\n" for line in lines)).encode() if lines else b""
    return patch_sketch(Evidence(Trace(()), Exercise(patch=patch)))


def test_few_lines_give_the_exact_share_of_common_lines() -> None:
    one, other = sketch("neap", "  spring", "ebb"), sketch("spring", "ebb", "flood")
    assert sketch_similarity(one, other) == sketch_similarity(other, one) == 2 / 4
    assert sketch_similarity(one, one) == 1
    assert sketch_similarity(one, sketch("slack")) == 0


def test_many_lines_give_an_estimate() -> None:
    dice = random.Random(1)
    lines = [f"line {dice.random()}" for _ in range(3000)]
    found = sketch_similarity(sketch(*lines[:2000]), sketch(*lines[1000:]))
    assert found == pytest.approx(1 / 3, abs=0.15)
    assert len(sketch(*lines)) == 8 * MAX_LINES


def test_an_empty_or_unreadable_patch_agrees_with_nothing() -> None:
    assert sketch() == ""
    assert patch_sketch(Evidence(Trace(()), Exercise(patch=b"@@ nonsense"))) == ""
    assert sketch_similarity("", "") == sketch_similarity("", sketch("ebb")) == 0


def test_only_rising_numbers_are_a_sketch() -> None:
    assert is_sketch("")
    assert is_sketch(sketch("neap", "spring"))
    for wrong in ("0000001", "0000000g", "0000000200000001", "00000001" * 2, "0" * 8 * 65, "0000000A"):
        assert not is_sketch(wrong)
