"""Failure modes of failed runs by agent, repository or stack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.facts import INFRASTRUCTURE_FAILED, RunFacts
from runs.analysis.failures.sign_table import SignTable
from runs.analysis.method import Section, method
from runs.analysis.statistics.contingency import share
from runs.analysis.statistics.summaries import ratio

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_FAILURE = "no run failed"
_NO_SIGN = "no failed run shows the mode"


@dataclass(frozen=True, slots=True)
class GroupFailures:
    """The failed runs of one agent, repository or stack. `prevalence`: mode → its share among them.

    `shows`: mode → how many failed runs show it. `unexplained` failed runs show no mode. `infrastructure` failures are
    not part of `failed`.
    """

    name: str
    failed: int
    resolved: int
    infrastructure: int
    unexplained: int
    prevalence: Mapping[str, Estimate]
    shows: Mapping[str, int]


def group_failures(
    table: SignTable, given: Sequence[RunFacts], plain: NDArray[np.bool_], name_of: Callable[[RunFacts], str]
) -> tuple[GroupFailures, ...]:
    """All groups, sorted by name, including those without a failed or usable run.

    `given` are all runs, including those excluded from the table; `plain`: the rows of failed runs without a mode.
    """
    broken = [run for run in given if run.outcome == INFRASTRUCTURE_FAILED]
    names = sorted({name_of(run) for run in given})
    place = {name: number for number, name in enumerate(names)}
    codes = np.array([place[name_of(run)] for run in table.runs], dtype=np.intp)
    spoiled = np.array([place[name_of(run)] for run in broken], dtype=np.intp)

    def tally(chosen: NDArray[np.intp]) -> list[int]:
        return [int(count) for count in np.bincount(chosen, minlength=len(names))]

    shows = [tally(codes[table.failed & column]) for column in table.found.T]
    unknown = [tally(codes[table.failed & column]) for column in table.undecided.T]
    failed, resolved = tally(codes[table.failed]), tally(codes[~table.failed])
    plainly, infrastructure = tally(codes[plain]), tally(spoiled)
    return tuple(
        GroupFailures(
            name=name,
            failed=failed[at],
            resolved=resolved[at],
            infrastructure=infrastructure[at],
            unexplained=plainly[at],
            prevalence={
                slug: share(
                    shown[at],
                    failed[at] - left_out[at],
                    "the mode could be decided in no failed run" if failed[at] else NO_FAILURE,
                )
                for slug, shown, left_out in zip(table.slugs, shows, unknown, strict=True)
            },
            shows={slug: shown[at] for slug, shown in zip(table.slugs, shows, strict=True)},
        )
        for at, name in enumerate(names)
    )


@method("mode-distribution", "Distribution of a failure mode over groups", Section.FAILURE_MODES, 3)
def mode_distribution(groups: Sequence[GroupFailures], mode: str | None = None) -> Mapping[str, Estimate]:
    """How the failed runs that show a mode are distributed over groups: repositories, stacks or agents.

    `mode` None: all failed runs, for comparison. A mode is typical of a group if the group's share of it is larger than
    its share of all failed runs.

    Formula: failed runs of the group that show the mode ÷ failed runs of all groups that show it.

    Source: IDE-Bench, appendix C.2.5 ("81.8 % of all syntax loop failures"). The comparison with all failed runs is
    ours.

    Units: shares from 0 to 1, which sum to 1 over groups; n counts the failed runs of all groups that show the mode.

    Small n: undefined if no failed run shows the mode; a single one gives one group a share of 1.
    """
    counts = {group.name: group.failed if mode is None else group.shows.get(mode, 0) for group in groups}
    total = sum(counts.values())
    return {name: ratio(count, total, total, _NO_SIGN) for name, count in counts.items()}
