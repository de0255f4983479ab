"""Diagnosis and repair: whether a run found the changed functions, and whether it then solved the task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.difficulty.task_shares import one_origin, resolved, task_share
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import Need, RunFacts, by_agent, sift
from runs.analysis.method import Section, method

FOUND = Need("whether it changed the right functions is unknown", lambda run: run.targets_found is not None)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One agent. Shares from 0 to 1; each n counts tasks.

    `found`: runs that changed every target. `solved`: resolved runs. `solved_by_paper`: runs that pass the tests and
    changed every target, without the check of the targets' new bodies alone. `repaired`: of the runs that found the
    targets, those that are resolved. `elsewhere`: runs that pass the tests in another way, and are not resolved.
    """

    agent: str
    found: Estimate
    solved: Estimate
    solved_by_paper: Estimate
    repaired: Estimate
    elsewhere: Estimate
    runs: int
    runs_found: int


@dataclass(frozen=True, slots=True)
class Diagnoses:
    """Every agent with a run whose changes are known, in alphabetical order."""

    agents: tuple[Diagnosis, ...]
    excluded: tuple[Exclusion, ...]


@method("diagnosis", "Diagnosis and repair", Section.GENERATED_TASKS, 5)
def diagnoses(runs: Iterable[RunFacts]) -> Diagnoses:
    """How often runs change the right functions, and how often they then solve the task.

    A run has found the fault if it changed every function that was changed for the task. Repair is the share of
    resolved runs among these; a failed diagnosis and a failed repair are different weaknesses. ValueError for tasks of
    several origins.

    Formula: `task_share` of each property; `repaired` is over the runs that found all targets, and their tasks only.
    By the paper's rule a run is solved if all tests pass and every target changed; here the targets' new bodies alone
    must pass as well.

    Source: Breakpoint, sections 3.4 and 4.1.3 and Figure 6: P(solved | found) between 59 and 92 %. The second check is
    ours.

    Units: shares from 0 to 1; n counts tasks.

    Small n: as `task_share`; `repaired` is undefined if no run found the targets.
    """
    given = tuple(runs)
    one_origin(given)
    sifted = sift(given, FOUND)
    agents = tuple(_diagnosis(agent, theirs) for agent, theirs in by_agent(sifted.usable).items())
    return Diagnoses(agents, sifted.excluded)


def _diagnosis(agent: str, runs: Sequence[RunFacts]) -> Diagnosis:
    found = [run for run in runs if run.targets_found]
    return Diagnosis(
        agent,
        found=task_share(runs, lambda run: bool(run.targets_found)),
        solved=task_share(runs, resolved),
        solved_by_paper=task_share(
            runs, lambda run: run.resolved or (run.solved_elsewhere and bool(run.targets_found))
        ),
        repaired=task_share(found, resolved)
        if found
        else Estimate.unknown("no run changed every target", len({run.task for run in runs})),
        elsewhere=task_share(runs, lambda run: run.solved_elsewhere),
        runs=len(runs),
        runs_found=len(found),
    )
