"""The prevalence of failure modes in failed runs, their pairs, and the comparison with resolved runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import TYPE_CHECKING

import numpy as np

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import INFRASTRUCTURE_FAILED, RESOLVED, TRAJECTORY, UNRESOLVED, RunFacts, sift
from runs.analysis.failures.groups import NO_FAILURE, GroupFailures, group_failures
from runs.analysis.failures.modes import INFRASTRUCTURE, MODES, FailureMode
from runs.analysis.failures.sign_table import SignTable, sign_table
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import holm
from runs.analysis.statistics.contingency import (
    ContingencyTable,
    jaccard,
    odds_ratio,
    odds_ratio_within,
    p_of_odds_ratio,
    phi,
    share,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAMPLES = 5
MIN_RUNS = 10  # failed ones, and as many resolved ones, for an odds ratio
LEVEL = 0.05
_NEVER_RESOLVED = "by definition, no resolved run shows the mode"


@dataclass(frozen=True, slots=True)
class Sample:
    """One run that shows a mode, and the steps that show it; none if the mode is a property of the whole run."""

    run: int
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ModeReport:
    """One failure mode in failed runs, compared with resolved ones.

    `prevalence` and `in_resolved` are shares of the runs in which it could be decided (their n). `undecided` lists the
    other failed runs. `odds_ratio` is the association of the mode with failure, `p` its p corrected for all modes, and
    `within_tasks` the association between runs of the same task. `samples` are the failed runs with the lowest numbers.
    """

    mode: FailureMode
    runs: int
    prevalence: Estimate
    in_resolved: Estimate
    odds_ratio: Estimate
    p: Estimate
    within_tasks: Estimate
    undecided: tuple[Exclusion, ...]
    samples: tuple[Sample, ...]

    @property
    def is_more_common(self) -> bool:
        """Whether failed runs show it more often than resolved ones, by more than chance."""
        return self.p.value is not None and self.p.value <= LEVEL and (self.odds_ratio.value or 0.0) > 1


@dataclass(frozen=True, slots=True)
class ModePair:
    """Two modes in the same failed runs, in the order of the list. `share`: of the failed runs."""

    first: str
    second: str
    runs: int
    share: Estimate
    phi: Estimate
    jaccard: Estimate


@dataclass(frozen=True, slots=True)
class FailureReport:
    """The failure modes of failed runs.

    `infrastructure`: the share of all runs that the infrastructure failed. These are not failures of an agent, and no
    other estimate includes them. `at_once[k]`: how many failed runs show k modes. `unexplained` are failed runs that
    show none, `unclear` those that show none but have undecided ones. `pairs` has every pair, the most common first.
    """

    failed: int
    resolved: int
    infrastructure: Estimate
    modes: tuple[ModeReport, ...]
    at_once: tuple[int, ...]
    explained: Estimate
    unexplained: tuple[int, ...]
    unclear: tuple[int, ...]
    pairs: tuple[ModePair, ...]
    by_agent: tuple[GroupFailures, ...]
    by_repository: tuple[GroupFailures, ...]
    by_stack: tuple[GroupFailures, ...]
    excluded: tuple[Exclusion, ...]


@method(
    "failure-report",
    "Failure modes of failed runs",
    Section.FAILURE_MODES,
    2,
    short="The share of failed runs that show a sign of trouble, among those where it can be decided.",
    example="30 of 60 failed runs edit a file without having read it: 50 %.",
)
def failure_report(
    runs: Iterable[RunFacts], modes: Sequence[FailureMode] = MODES, samples: int = SAMPLES
) -> FailureReport:
    """The prevalence of failure modes in failed runs, their pairs, and the comparison with resolved runs.

    `modes` are those to count, such as `IDE_MODES`; `samples` is the number of runs listed for each: ValueError if it
    is negative. Runs that the infrastructure failed are counted separately. A run in which a mode could not be decided
    counts neither for nor against it.

    Formula: prevalence is `failed runs that show it ÷ failed runs in which it could be decided`, with a Wilson
    interval; one run may show several, so shares may sum to more than 1. A pair's share is `failed runs that show both
    ÷ failed runs in which both could be decided`. A run is unexplained if every mode could be decided and none is
    present.

    Source: IDE-Bench, section 4.7 and appendices C.2.1 (prevalence), C.2.3 (by model), C.2.4 (pairs) and C.2.5 (by
    repository; ours by stack). The comparison with resolved runs is ours: a mode that they show as often does not
    explain failures. Intervals treat runs as independent, although attempts at one task are not, and are those of
    single modes: of twenty unrelated ones, one is expected to appear related. p is corrected for that, with Holm's
    method.

    Units: runs, and shares from 0 to 1.

    Small n: without failed runs every share among them is None with a reason; one failed run gives shares of 0 and 1
    with very wide intervals. Below 10 failed or 10 resolved runs there is no odds ratio. Runs without a known outcome
    or a complete, counted trajectory are excluded and listed.
    """
    if samples < 0:
        raise ValueError(f"{samples} samples, expected 0 or more")
    given = list(runs)
    sifted = sift(given, *TRAJECTORY)
    counted = [mode for mode in modes if mode.slug != INFRASTRUCTURE]
    table = sign_table(sifted.usable, [mode.slug for mode in counted])
    broken = [run for run in given if run.outcome == INFRASTRUCTURE_FAILED]
    known = len(broken) + sum(run.outcome in {RESOLVED, UNRESOLVED} for run in given)
    several = table.found.sum(axis=1)
    silent = table.failed & (several == 0)
    doubtful = table.undecided.any(axis=1)
    plain = silent & ~doubtful
    failed = int(table.failed.sum())
    return FailureReport(
        failed=failed,
        resolved=len(table.runs) - failed,
        infrastructure=share(len(broken), known, "there is no run"),
        modes=_modes(table, counted, samples),
        at_once=tuple(int(count) for count in np.bincount(several[table.failed])),
        explained=share(failed - int(silent.sum()), failed, NO_FAILURE),
        unexplained=_numbers(table, plain),
        unclear=_numbers(table, silent & doubtful),
        pairs=_pairs(table),
        by_agent=group_failures(table, given, plain, lambda run: run.agent),
        by_repository=group_failures(table, given, plain, lambda run: run.repository),
        by_stack=group_failures(table, given, plain, lambda run: run.stack),
        excluded=sifted.excluded,
    )


def _modes(table: SignTable, modes: Sequence[FailureMode], samples: int) -> tuple[ModeReport, ...]:
    inside = table.within([run.task for run in table.runs])
    shown, undecided = _named(table)
    odds = [_odds(mode, counts) for mode, counts in zip(modes, table.against_failing(), strict=True)]
    ps = _corrected(odds)
    reports = []
    for place, (mode, counts, tables) in enumerate(zip(modes, table.against_failing(), inside, strict=True)):
        reports.append(
            ModeReport(
                mode=mode,
                runs=counts.both,
                prevalence=share(counts.both, counts.both + counts.second, _why_none(table, failed=True)),
                in_resolved=share(
                    counts.first, counts.first + counts.neither, _why_none(table, failed=False)
                ),
                odds_ratio=odds[place],
                p=ps[place],
                within_tasks=odds[place] if _too_few(mode, counts) else odds_ratio_within(tables),
                undecided=tuple(
                    Exclusion(reason, tuple(sorted(numbers)))
                    for reason, numbers in sorted(undecided[mode.slug].items())
                ),
                samples=tuple(
                    Sample(*sample)
                    for sample in nsmallest(samples, shown[mode.slug], key=lambda each: each[0])
                ),
            )
        )
    return tuple(reports)


def _too_few(mode: FailureMode, counts: ContingencyTable) -> str:
    """Why failed and resolved runs are not compared; "" if they are."""
    if mode.only_unresolved:
        return _NEVER_RESOLVED
    if min(counts.both + counts.second, counts.first + counts.neither) < MIN_RUNS:
        return f"an odds ratio needs {MIN_RUNS} failed and {MIN_RUNS} resolved runs"
    return ""


def _odds(mode: FailureMode, counts: ContingencyTable) -> Estimate:
    found, reason = odds_ratio(counts), _too_few(mode, counts)
    return Estimate.unknown(reason, counts.n) if reason and (found.value or mode.only_unresolved) else found


def _corrected(odds: Sequence[Estimate]) -> list[Estimate]:
    """The p of each odds ratio, corrected for all."""
    ps = [p_of_odds_ratio(one) for one in odds]
    values = iter(holm([p.value for p in ps if p.value is not None]))
    return [p if p.value is None else Estimate(next(values), p.n) for p in ps]


def _named(
    table: SignTable,
) -> tuple[dict[str, list[tuple[int, tuple[int, ...]]]], dict[str, dict[str, list[int]]]]:
    """By mode: the failed runs that show it, with the steps, and those in which it is undecided, by reason."""
    shown: dict[str, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    undecided: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for run in table.runs:
        if run.resolved or run.behaviour is None:
            continue
        for slug, steps in run.behaviour.signs.found.items():
            shown[slug].append((run.run, steps))
        for slug, reason in run.behaviour.signs.undecided.items():
            undecided[slug][reason].append(run.run)
    return shown, undecided


def _numbers(table: SignTable, rows: NDArray[np.bool_]) -> tuple[int, ...]:
    return tuple(sorted(table.runs[row].run for row in np.flatnonzero(rows)))


def _pairs(table: SignTable) -> tuple[ModePair, ...]:
    reason = _why_none(table, failed=True)
    pairs = [
        ModePair(*names, counts.both, share(counts.both, counts.n, reason), phi(counts), jaccard(counts))
        for names, counts in table.together().items()
    ]
    return tuple(sorted(pairs, key=lambda pair: -pair.runs))


def _why_none(table: SignTable, *, failed: bool) -> str:
    """The reason for an undefined share."""
    kind = "failed" if failed else "resolved"
    some = table.failed.any() if failed else (~table.failed).any()
    if some:
        return f"the mode could be decided in no {kind} run"
    return NO_FAILURE if failed else "no run resolved its task"
