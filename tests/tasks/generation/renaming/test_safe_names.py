"""Names that break the tests are found by halving."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tasks.generation.renaming.safe_names import SafeNames, find_safe_names

NAMES = [f"n{number:02}" for number in range(64)]


class Suite:
    """Fails with a name that is bad, or with both names of a pair."""

    def __init__(
        self, bad: Collection[str] = (), pair: Collection[str] = (), said: Collection[str] = ()
    ) -> None:
        self.bad, self.pair, self.said = set(bad), set(pair), frozenset(said)
        self.runs = 0

    def __call__(self, names: Sequence[str]) -> frozenset[str] | None:
        self.runs += 1
        passes = not self.bad & set(names) and not (self.pair and self.pair <= set(names))
        return None if passes else self.said


def test_all_names_are_tried_at_once() -> None:
    assert find_safe_names(NAMES, Suite()) == SafeNames(tuple(NAMES), (), (), 1)
    assert find_safe_names([], Suite()) == SafeNames((), (), (), 0)


def test_one_bad_name_takes_two_runs_for_each_halving() -> None:
    suite = Suite(["n37"])
    found = find_safe_names(NAMES, suite)
    assert (found.refused, len(found.renamed), found.untried) == (("n37",), 63, ())
    assert found.runs == suite.runs == 13


def test_names_that_break_the_tests_together_are_not_renamed_together() -> None:
    found = find_safe_names(NAMES, Suite(pair=["n03", "n60"]))
    assert (found.refused, len(found.renamed)) == (("n60",), 63)


def test_names_that_failures_mention_are_tried_apart() -> None:
    found = find_safe_names(NAMES, Suite(["n37", "n02"], said=["n02", "n37", "n40"]))
    assert (found.refused, len(found.renamed), found.untried) == (("n02", "n37"), 62, ())
    assert found.runs == 7


def test_the_number_of_runs_is_limited_and_what_is_left_is_not_renamed() -> None:
    suite = Suite(["n37", "n02"])
    found = find_safe_names(NAMES, suite, most_runs=4)
    assert suite.runs == 4
    assert sorted([*found.renamed, *found.refused, *found.untried]) == NAMES
    assert not suite.bad & set(found.renamed)
