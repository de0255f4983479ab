"""Success by the number of corrupted functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from runs.analysis.difficulty.curves import Measures
from runs.analysis.difficulty.task_shares import resolved, task_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, sift
from runs.analysis.method import Section, method

CORRUPTED, MULTIPLE = "corrupted", "multiple"
TARGETS = "targets"


@dataclass(frozen=True, slots=True)
class CorruptionRate:
    """The success of one agent at tasks with so many corrupted functions; n counts tasks."""

    agent: str
    functions: int
    rate: Estimate
    runs: int


@dataclass(frozen=True, slots=True)
class CorruptionRates:
    """By agent, then by number of functions."""

    rows: tuple[CorruptionRate, ...]
    excluded: tuple[Exclusion, ...]


@method("corruption-rates", "Success by corrupted functions", Section.GENERATED_TASKS, 3)
def success_by_corruptions(runs: Iterable[RunFacts], measures: Measures) -> CorruptionRates:
    """The success rate of each agent by the number of functions that were corrupted together.

    Formula: `task_share` of resolved runs at the tasks with one corrupted function, with two, with four, and so on. The
    origin "corrupted" has one function, the origin "multiple" as many as the measure "targets" of the task says.

    Source: Breakpoint, section 4.1.1 and Figure 3(a): 1, 2 and 4 functions, at most 4 steps apart in the call graph.

    Units: a share from 0 to 1; n counts tasks.

    Small n: as `task_share`. Runs at other tasks, or at tasks whose number of functions is unknown, are excluded.
    """
    given = tuple(runs)
    numbers = {run.task: _functions(run, measures) for run in given}
    sifted = sift(
        given,
        Need("its task has no corrupted function", lambda run: run.origin in {CORRUPTED, MULTIPLE}),
        Need("how many functions were corrupted is unknown", lambda run: numbers[run.task] > 0),
    )
    parts: dict[tuple[str, int], list[RunFacts]] = defaultdict(list)
    for run in sifted.usable:
        parts[run.agent, numbers[run.task]].append(run)
    rows = (
        CorruptionRate(agent, functions, task_share(theirs, resolved), len(theirs))
        for (agent, functions), theirs in sorted(parts.items(), key=lambda part: part[0])
    )
    return CorruptionRates(tuple(rows), sifted.excluded)


def _functions(run: RunFacts, measures: Measures) -> int:
    """How many functions of the run's task were corrupted; 0: none, or unknown."""
    if run.origin == CORRUPTED:
        return 1
    known = measures.get(run.task, {}).get(TARGETS) if run.origin == MULTIPLE else None
    return int(known) if known is not None and known >= 2 else 0
