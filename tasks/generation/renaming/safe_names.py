"""Finds by test runs which names can be renamed together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MAX_RUNS = 60


@dataclass(frozen=True, slots=True)
class SafeNames:
    """`renamed`: names with which the tests pass, all at once. `refused`: each of them breaks the tests alone.

    `untried`: names of groups that break the tests, and could not be divided any more within the limit of `runs`.
    """

    renamed: tuple[str, ...]
    refused: tuple[str, ...]
    untried: tuple[str, ...]
    runs: int


Trial = Callable[[Sequence[str]], frozenset[str] | None]
"""Runs the tests with these names renamed. None: they pass; else the names that their failures mention, if any."""


def find_safe_names(names: Sequence[str], trial: Trial, *, most_runs: int = MAX_RUNS) -> SafeNames:
    """Adds groups of names to those that are safe so far; divides a group that breaks the tests.

    A group is divided into the names that failures mention and the others, or else into halves; the larger groups are
    tried first. Each group is tried together with all that are safe, so the result as a whole has passed.
    """
    safe: list[str] = []
    refused: list[str] = []
    waiting = [list(names)] if names else []
    runs = 0
    while waiting and runs < most_runs:
        waiting.sort(key=len, reverse=True)
        group = waiting.pop(0)
        runs += 1
        mentioned = trial([*safe, *group])
        if mentioned is None:
            safe += group
        elif len(group) == 1:
            refused += group
        else:
            parts = (
                [name for name in group if name in mentioned],
                [name for name in group if name not in mentioned],
            )
            if not all(parts):
                middle = len(group) // 2
                parts = list(group[:middle]), list(group[middle:])
            waiting += parts
    untried = sorted(name for group in waiting for name in group)
    return SafeNames(tuple(sorted(safe)), tuple(sorted(refused)), tuple(untried), runs)
