"""Finds by test runs which names can be renamed together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_RUNS = 40


@dataclass(frozen=True, slots=True)
class SafeNames:
    """`renamed`: names with which the tests pass, all at once. `refused`: each of them breaks the tests alone.

    `untried`: names of groups that break the tests, and could not be divided any more within the limit of `runs`.
    """

    renamed: tuple[str, ...]
    refused: tuple[str, ...]
    untried: tuple[str, ...]
    runs: int


def find_safe_names(
    names: Sequence[str], passes: Callable[[Sequence[str]], bool], *, most_runs: int = MOST_RUNS
) -> SafeNames:
    """Adds groups of names to those that are safe so far; halves a group that breaks the tests.

    `passes` runs the tests with these names renamed. Each group is tried together with all that are safe, so the
    result as a whole has passed. About 2 b log₂(n ÷ b) runs for b bad ones of n names.
    """
    safe: list[str] = []
    refused: list[str] = []
    untried: list[str] = []
    waiting = [list(names)] if names else []
    runs = 0
    while waiting:
        group = waiting.pop()
        if runs == most_runs:
            untried += group
            continue
        runs += 1
        if passes([*safe, *group]):
            safe += group
        elif len(group) == 1:
            refused += group
        else:
            middle = len(group) // 2
            waiting += [group[middle:], group[:middle]]
    return SafeNames(tuple(sorted(safe)), tuple(sorted(refused)), tuple(sorted(untried)), runs)
