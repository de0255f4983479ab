"""Two agents compared over the tasks that both tried."""

from __future__ import annotations

import pytest

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.outcomes.two_agents import compare
from runs.analysis.statistics.differences import difference
from tests.runs.analysis.marked_runs import WORDS, runs_of


def test_four_questions_about_the_same_tasks() -> None:
    alice = runs_of("alice", a="+-", b="-+", c="--", d="++", only_alice="++")
    bob = runs_of("bob", a="--", b="--", c="-+", d="+", only_bob="-")
    found = compare([*alice, *bob, *runs_of("eve", a="++")], "alice", "bob", k=2)

    assert found.tasks == ("a", "b", "c", "d")
    # (1/2 + 1/2 - 1/2 + 0) / 4
    assert found.sign_flip.difference == Estimate(0.125, 4)
    expected = difference([0.5, 0.5, 0.0, 1.0], [0.0, 0.0, 0.5, 1.0], [2, 2, 2, 1])
    assert found.difference == Estimate(0.125, 4, interval=expected)
    assert found.sign_flip.p == Estimate(1.0, 4)  # |±1 ±1 ±1| is never below 1
    assert found.bootstrap.difference.value == 0.125
    # first attempts: alice a and d, bob d
    assert (found.first_attempts.both, found.first_attempts.only_first, found.first_attempts.neither) == (
        1,
        1,
        2,
    )
    # any of two, d left out: alice a and b, bob c
    assert (found.within_k.only_first, found.within_k.only_second, found.within_k.n) == (2, 1, 3)
    assert found.within_k.p.value == pytest.approx(1.0)
    assert (found.only_first, found.only_second, found.short) == (("only_alice",), ("only_bob",), ("d",))
    assert found.excluded == ()


def test_the_first_attempt_is_the_first_that_was_graded() -> None:
    found = compare([*runs_of("alice", a="!+"), *runs_of("bob", a="-+")], "alice", "bob", k=1)

    assert found.first_attempts.only_first == 1
    assert [each.runs for each in found.excluded] == [(100,)]


def test_equal_numbers_are_in_the_order_of_runs() -> None:
    alice = [
        RunFacts(number, "alice", "a", "harbour", 1, WORDS[mark]) for number, mark in ((8, "-"), (7, "+"))
    ]
    found = compare([*alice, *runs_of("bob", a="-")], "alice", "bob", k=1)
    assert found.first_attempts.only_first == 1


def test_strangers_have_nothing_in_common() -> None:
    found = compare(runs_of("alice", a="+"), "alice", "bob")

    assert found.tasks == ()
    assert found.only_first == ("a",)
    for p in (found.sign_flip.p, found.bootstrap.p, found.first_attempts.p, found.within_k.p):
        assert p == Estimate.unknown("no task was tried by both")


def test_k_counts_from_one() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        compare(runs_of("alice", a="+"), "alice", "bob", k=0)
