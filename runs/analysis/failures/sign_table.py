"""The failure modes of many runs as a table: a row for each run, a column for each mode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.facts import RunFacts
from runs.analysis.statistics.contingency import ContingencyTable

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class SignTable:
    """The modes of runs. `found` and `undecided` have a row for each of `runs` and a column for each of `slugs`.

    `failed`: the rows of runs that did not resolve their task.
    """

    runs: tuple[RunFacts, ...]
    slugs: tuple[str, ...]
    failed: NDArray[np.bool_]
    found: NDArray[np.bool_]
    undecided: NDArray[np.bool_]

    def against_failing(self) -> list[ContingencyTable]:
        """For each mode: runs that show it and failed, show it and resolved, do not and failed, do not and resolved."""
        return self._tables(self.failed)

    def within(self, names: Sequence[str]) -> list[list[ContingencyTable]]:
        """Like `against_failing`, with a table for each mode and name; `names` has one name for each run."""
        rows: dict[str, list[int]] = defaultdict(list)
        for row, name in enumerate(names):
            rows[name].append(row)
        parts = [self._tables(self.failed, np.array(chosen)) for _, chosen in sorted(rows.items())]
        return [list(tables) for tables in zip(*parts, strict=True)] or [[] for _ in self.slugs]

    def together(self) -> dict[tuple[str, str], ContingencyTable]:
        """For each pair of modes, over the failed runs in which both could be decided."""
        found = self.found[self.failed].astype(np.float64)
        absent = (~self.found & ~self.undecided)[self.failed].astype(np.float64)
        both, first, neither = found.T @ found, found.T @ absent, absent.T @ absent
        return {
            (a, b): ContingencyTable(
                *(int(count) for count in (both[i, j], first[i, j], first[j, i], neither[i, j]))
            )
            for i, a in enumerate(self.slugs)
            for j, b in enumerate(self.slugs[i + 1 :], i + 1)
        }

    def _tables(
        self, failed: NDArray[np.bool_], rows: NDArray[np.intp] | None = None
    ) -> list[ContingencyTable]:
        found, undecided = self.found, self.undecided
        if rows is not None:
            failed, found, undecided = failed[rows], found[rows], undecided[rows]
        absent = ~found & ~undecided
        counts = (
            np.count_nonzero(part[state], axis=0) for part in (found, absent) for state in (failed, ~failed)
        )
        return [ContingencyTable(*map(int, column)) for column in zip(*counts, strict=True)]


def sign_table(runs: Sequence[RunFacts], slugs: Sequence[str]) -> SignTable:
    """The table of runs with counted trajectories. Modes that are not in `slugs` are left out."""
    column = {slug: place for place, slug in enumerate(slugs)}
    found = np.zeros((len(runs), len(slugs)), dtype=np.bool_)
    undecided = np.zeros_like(found)
    for row, run in enumerate(runs):
        assert run.behaviour is not None
        signs = run.behaviour.signs
        for slug in signs.found:
            if slug in column:
                found[row, column[slug]] = True
        for slug in signs.undecided:
            if slug in column:
                undecided[row, column[slug]] = True
    failed = np.array([not run.resolved for run in runs], dtype=np.bool_)
    return SignTable(tuple(runs), tuple(slugs), failed, found, undecided & ~found)
