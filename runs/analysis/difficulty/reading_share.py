"""Reading and modifying calls, by outcome."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.difficulty.task_shares import one_origin
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.means import of_shares, student
from runs.analysis.tools.workflow import READING
from runs.analysis.trajectories.kinds import kind_of

MODIFYING = ("edit",)


@dataclass(frozen=True, slots=True)
class ReadingShare:
    """One agent's runs with one outcome. `reading` and `modifying`: calls of a run; `share`: that of reading calls.

    Each n counts tasks. `without`: runs without a call of either kind, which have no share.
    """

    agent: str
    resolved: bool
    reading: Estimate
    modifying: Estimate
    share: Estimate
    runs: int
    without: int


@dataclass(frozen=True, slots=True)
class ReadingShares:
    """Two rows for each agent, resolved runs first."""

    rows: tuple[ReadingShare, ...]
    excluded: tuple[Exclusion, ...]


@method("reading-share", "Reading and modifying by outcome", Section.GENERATED_TASKS, 9)
def reading_shares(runs: Iterable[RunFacts]) -> ReadingShares:
    """How much agents read and modify, in resolved and in other runs. ValueError for tasks of several origins.

    Resolved runs may read more because they are longer, or because their tasks are others: this is an association.

    Formula: calls of tools of kind read and search, and of kind edit, which includes submitting new source for a
    function; share = reading ÷ (reading + modifying) of a run. Means over tasks of the mean over the agent's runs at a
    task with this outcome, with 95 % intervals of a mean (of shares, for the share), tasks of a repository being one
    group.

    Source: Breakpoint, section 4.3.1 and Figure 10 (means of both kinds by model).

    Units: calls of a run; a share from 0 to 1; n counts tasks.

    Small n: undefined without a run of this outcome. Tasks of one repository give calls without an interval.
    """
    given = tuple(runs)
    one_origin(given)
    sifted = sift(given, *TRAJECTORY)
    rows = (
        _row(agent, [run for run in theirs if run.resolved == outcome], resolved=outcome)
        for agent, theirs in by_agent(sifted.usable).items()
        for outcome in (True, False)
    )
    return ReadingShares(tuple(rows), sifted.excluded)


def _row(agent: str, runs: Sequence[RunFacts], *, resolved: bool) -> ReadingShare:
    counts = [(run, _calls(run, READING), _calls(run, MODIFYING)) for run in runs]
    shares = [(run, reads / (reads + edits)) for run, reads, edits in counts if reads + edits]
    reason = "no run is resolved" if resolved else "every run is resolved"
    return ReadingShare(
        agent,
        resolved,
        reading=_mean([(run, float(reads)) for run, reads, _ in counts], reason),
        modifying=_mean([(run, float(edits)) for run, _, edits in counts], reason),
        share=_mean(shares, "no run reads or modifies" if runs else reason, share=True),
        runs=len(runs),
        without=len(runs) - len(shares),
    )


def _calls(run: RunFacts, kinds: Sequence[str]) -> int:
    totals = run.behaviour.tools.totals if run.behaviour else {}
    return sum(total.calls for tool, total in totals.items() if kind_of(tool) in kinds)


def _mean(values: Sequence[tuple[RunFacts, float]], reason: str, *, share: bool = False) -> Estimate:
    if not values:
        return Estimate.unknown(reason)
    by_task: dict[str, list[float]] = defaultdict(list)
    repositories: dict[str, str] = {}
    for run, value in values:
        by_task[run.task].append(value)
        repositories[run.task] = f"repository {run.repository}"
    tasks = sorted(by_task)
    means = [sum(by_task[task]) / len(by_task[task]) for task in tasks]
    groups = [repositories[task] for task in tasks]
    interval = of_shares(means, groups) if share else student(means, groups)
    return Estimate(sum(means) / len(means), len(means), interval=interval)
