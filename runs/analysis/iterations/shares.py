"""The kinds of iterations in runs: successful edits, failed edits, and exploration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Behaviour, Need, RunFacts, by_agent, sensible, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import mean_of, median_of, ratio
from runs.analysis.trajectories.trace import Iteration, Trace

KINDS = PRODUCTIVE, EXPLORATION, NON_PRODUCTIVE = "pen"


def labels(trace: Trace) -> str:
    """The letter of each iteration (`label_of`), in order."""
    return "".join(map(label_of, trace.iterations))


@method("iteration-kinds", "Productive, exploring and non-productive iterations", Section.ITERATIONS, 1)
def label_of(iteration: Iteration) -> str:
    """p productive: the workspace changed; n non-productive: edits were attempted but nothing changed; else e.

    Formula: changes are found by comparing the workspace before and after, so edits in a shell count, and a tool that
    reports success without changing a file does not. Creating an empty directory, and a call without a result because
    the run ended, are not attempts. Files from builds and tests are not changes: files that are not text, unless a tool
    edited them, and text files that appear in an iteration whose calls only read, build or run tests (known by name),
    unless a tool edits them later. One successful edit makes an iteration productive, even if others failed. An
    iteration without a call counts as exploration: the paper requires calls for exploration, but also that the three
    kinds cover all iterations, which is inconsistent.

    Source: IDE-Bench, appendix B.1.

    Units: one of three letters.

    Small n: an iteration without calls and changes is e.
    """
    if iteration.changes:
        return PRODUCTIVE
    return NON_PRODUCTIVE if iteration.attempts_edit else EXPLORATION


ITERATIONS = Need(
    "the number of iterations is unknown or invalid",
    lambda run: sensible(run.iterations),
)


@dataclass(frozen=True, slots=True)
class IterationShare:
    """One kind of iteration: its `count`, and two definitions of its share, 0 to 1.

    `pooled` is the share of all iterations, so that long runs have more weight; its n counts iterations. `mean` is the
    mean over runs of each run's share; its n counts the runs that have an iteration.
    """

    count: int
    pooled: Estimate
    mean: Estimate


@dataclass(frozen=True, slots=True)
class FirstEdit:
    """The iteration of the first successful edit, over the runs that have one; `never` counts the others."""

    mean: Estimate
    median: Estimate
    never: int


@dataclass(frozen=True, slots=True)
class IterationMix:
    """The iterations of one agent's runs (`agent` None: of all runs); `without_calls`: those without a tool call.

    `*_if_rejected`: the shares if edits that leave Python files with syntax errors had been rejected.
    """

    agent: str | None
    runs: int
    iterations: int
    total: Estimate
    median_total: Estimate
    productive: IterationShare
    exploration: IterationShare
    non_productive: IterationShare
    productive_if_rejected: IterationShare
    non_productive_if_rejected: IterationShare
    without_calls: int
    first_edit: FirstEdit


@dataclass(frozen=True, slots=True)
class IterationMixes:
    """The mix of all runs and of each agent, in alphabetical order."""

    overall: IterationMix
    agents: tuple[IterationMix, ...]
    excluded: tuple[Exclusion, ...]


@method("iteration-shares", "Shares of iteration kinds", Section.ITERATIONS, 2)
def iteration_mixes(runs: Iterable[RunFacts]) -> IterationMixes:
    """The shares of productive, exploring and non-productive iterations, for each agent and overall.

    Formula: each iteration is productive, exploration or non-productive. A pooled share is `Σ of the kind ÷ Σ of
    iterations`; a mean share is the mean over runs of `of the kind ÷ iterations of the run`. Under either
    definition the three shares sum to 1. The first edit of a run is its first productive iteration. If syntax errors
    were rejected: productive iterations whose changes all leave Python files that do not parse (the feature
    `iterations_left_broken`) count as non-productive.

    Source: IDE-Bench, appendix B.2 and Table 8. The table's shares are proportions "of total iterations": the pooled
    share. Both are given, because one very long run can dominate a pooled share. IDE-Bench rejects edits with syntax
    errors (appendix B.1); here they are written unless the agent has the setting reject_syntax_errors.

    Units: iterations, counted from 1; shares from 0 to 1.

    Small n: without a run the estimates are undefined; so are the shares if syntax errors were rejected, without a run
    whose syntax errors are counted, and shares without an iteration, and the first edit if no run
    has one. With one run both shares are equal.
    """
    sifted = sift(runs, *TRAJECTORY)
    parts = {agent: list(_counts(theirs)) for agent, theirs in by_agent(sifted.usable).items()}
    together = [counts for part in parts.values() for counts in part]
    return IterationMixes(
        _iteration_mix(None, together),
        tuple(_iteration_mix(agent, part) for agent, part in parts.items()),
        sifted.excluded,
    )


def first_edit(run: RunFacts) -> int | None:
    """The number of a run's first productive iteration, from 1; None without one, or without a counted trajectory."""
    return (run.behaviour.labels.find(PRODUCTIVE) + 1 or None) if run.behaviour else None


class _RunIterations(NamedTuple):
    """One run; `first`: its first productive iteration, 0 if it has none; `calling`: its iterations with a call.

    `broken`: its productive iterations that leave nothing but syntax errors; None: not counted.
    """

    productive: int
    exploration: int
    non_productive: int
    total: int
    first: int
    calling: int
    broken: int | None


def _counts(runs: Iterable[RunFacts]) -> Iterator[_RunIterations]:
    for run in runs:
        if run.behaviour:
            letters = run.behaviour.labels
            yield _RunIterations(
                letters.count(PRODUCTIVE),
                letters.count(EXPLORATION),
                letters.count(NON_PRODUCTIVE),
                len(letters),
                letters.find(PRODUCTIVE) + 1,
                sum(run.behaviour.tools.parallel.values()),
                _left_broken(run.behaviour, letters.count(PRODUCTIVE)),
            )


def _left_broken(behaviour: Behaviour, productive: int) -> int | None:
    """How many of the productive iterations left nothing but syntax errors; None if not counted, or invalid."""
    count = behaviour.features.get("iterations_left_broken")
    return int(count) if count is not None and 0 <= count <= productive else None


def _iteration_mix(agent: str | None, runs: Sequence[_RunIterations]) -> IterationMix:
    totals = [run.total for run in runs]
    checked = [(run, run.broken) for run in runs if run.broken is not None]
    of_checked = [run.total for run, _ in checked]
    firsts = [run.first for run in runs if run.first]
    no_edit = "no run made a successful edit" if runs else "no run"
    return IterationMix(
        agent=agent,
        runs=len(runs),
        iterations=sum(totals),
        total=mean_of(totals, "no run"),
        median_total=median_of(totals, "no run"),
        productive=_share([run.productive for run in runs], totals),
        exploration=_share([run.exploration for run in runs], totals),
        non_productive=_share([run.non_productive for run in runs], totals),
        productive_if_rejected=_share([run.productive - broken for run, broken in checked], of_checked),
        non_productive_if_rejected=_share(
            [run.non_productive + broken for run, broken in checked], of_checked
        ),
        without_calls=sum(totals) - sum(run.calling for run in runs),
        first_edit=FirstEdit(
            mean_of(firsts, no_edit), median_of(firsts, no_edit), never=len(runs) - len(firsts)
        ),
    )


def _share(counts: Sequence[int], totals: Sequence[int]) -> IterationShare:
    iterations = sum(totals)
    shares = [count / total for count, total in zip(counts, totals, strict=True) if total]
    nothing = "no iteration" if totals else "no run"
    return IterationShare(
        sum(counts), ratio(sum(counts), iterations, iterations, nothing), mean_of(shares, nothing)
    )
