"""Success at tasks and at their twins, by hand."""

from __future__ import annotations

import pytest

from runs.analysis.difficulty.renamed_twins import twin_success
from tests.runs.analysis.difficulty.generated_runs import generated

TWINS = {f"copy/{name}": f"pier/{name}" for name in "abcdefgh"}


def test_the_exact_test_is_over_the_pairs_that_one_side_alone_solved() -> None:
    runs = [
        # Six originals alone, one pair both, one pair neither: p = 2 · (1/2)^6.
        *(
            run
            for place, name in enumerate("abcdefgh")
            for run in generated("alice", f"pier/{name}", "++++++-+"[place], start=place)
        ),
        *(
            run
            for place, name in enumerate("abcdefgh")
            for run in generated("alice", f"copy/{name}", "-------+"[place], start=20 + place)
        ),
        # One original alone, one twin alone.
        *generated("bob", "pier/a", "+-", start=40),
        *generated("bob", "copy/a", "-+", start=42),
        *generated("bob", "pier/b", "-", start=44),
        *generated("bob", "copy/b", "+", start=45),
        *generated("carol", "pier/a", "+", start=46),
        *generated("carol", "pier/alone", "+", start=47),
    ]

    found = twin_success(runs, TWINS)

    alice, bob = found.agents
    assert (alice.agent, alice.original.value, alice.twin.value, alice.original.n) == (
        "alice",
        7 / 8,
        1 / 8,
        8,
    )
    test = alice.test
    assert (test.both, test.only_first, test.only_second, test.neither) == (1, 6, 0, 1)
    assert test.p.value == pytest.approx(2 * 0.5**6)
    assert (bob.original.value, bob.twin.value, bob.test.n) == (0.5, 0.5, 2), "the first attempt counts"
    assert (bob.test.only_first, bob.test.only_second, bob.test.p.value) == (1, 1, 1.0)
    assert (alice.repositories, bob.repositories) == (1, 1)
    assert [(one.reason, one.runs) for one in found.excluded] == [("its task has no twin", (47,))]


def test_five_pairs_are_too_few_whatever_they_say() -> None:
    runs = [
        run
        for place, name in enumerate("abcde")
        for task, mark, start in ((f"pier/{name}", "+", 0), (f"copy/{name}", "-", 10))
        for run in generated("alice", task, mark, start=start + place)
    ]
    (alice,) = twin_success(runs, TWINS).agents
    assert alice.test.p.value == pytest.approx(0.0625)


def test_several_origins_have_no_common_test() -> None:
    runs = [*generated("a", "pier/a", "+"), *generated("a", "copy/a", "+", "corrupted", 2)]
    with pytest.raises(ValueError, match="several origins"):
        twin_success(runs, TWINS)
    assert twin_success([], TWINS).agents == ()
