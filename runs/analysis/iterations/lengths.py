"""The length of runs in iterations, and its relation to success."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, sift
from runs.analysis.iterations.shares import ITERATIONS, first_edit
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import BoxSummary, all_and_by_agent, box, ratio

LIMIT = "iteration_limit"
BIN = 10


@dataclass(frozen=True, slots=True)
class Lengths:
    """The iterations of one agent's runs (`agent` None: of all). `limited`: the share of runs ended by the limit."""

    agent: str | None
    all: BoxSummary
    resolved: BoxSummary
    unresolved: BoxSummary
    at_limit: int
    limited: Estimate


@dataclass(frozen=True, slots=True)
class Distribution:
    """Lengths over all runs and by agent, in alphabetical order."""

    overall: Lengths
    agents: tuple[Lengths, ...]
    excluded: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class LengthBin:
    """Runs of `low` to `high` iterations, both included, and the share of them that resolved their task."""

    low: int
    high: int
    runs: int
    resolved: int
    rate: Estimate


@dataclass(frozen=True, slots=True)
class LengthOutcomes:
    """The non-empty bins, shortest runs first. `resolved` and `unresolved`: the iterations of each run, sorted."""

    width: int
    bins: tuple[LengthBin, ...]
    resolved: tuple[int, ...]
    unresolved: tuple[int, ...]
    excluded: tuple[Exclusion, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A cumulative share by iteration: `runs[j]` of n runs reached the event by iteration `at[j]`.

    A step function that is 0 before the first step. `others`: runs not in n because they never reached the event.
    Without runs, `at` is empty and `reason` explains why.
    """

    agent: str | None
    n: int
    at: tuple[int, ...]
    runs: tuple[int, ...]
    others: int = 0
    reason: str = ""

    @property
    def shares(self) -> tuple[float, ...]:
        """The share reached at each of `at`, 0 to 1."""
        return tuple(count / self.n for count in self.runs)

    def share_at(self, iteration: int) -> Estimate:
        """The share reached by an iteration."""
        if not self.n:
            return Estimate.unknown(self.reason)
        reached = max(
            (count for at, count in zip(self.at, self.runs, strict=True) if at <= iteration), default=0
        )
        return Estimate(reached / self.n, self.n)


@dataclass(frozen=True, slots=True)
class Curves:
    """A curve for all runs and one for each agent, in alphabetical order."""

    overall: Curve
    agents: tuple[Curve, ...]
    excluded: tuple[Exclusion, ...]


@method("iteration-counts", "Distribution of iterations", Section.ITERATIONS, 4)
def distribution(runs: Iterable[RunFacts]) -> Distribution:
    """The iterations of all, resolved and unresolved runs as box plots, and the share of runs ended by the limit.

    Formula: boxes as `summaries.box` makes them. `limited` is `runs that ended at the iteration limit ÷ runs`.

    Source: IDE-Bench, Figure 3 (all runs), Figure 13 (resolved runs), appendix B.2.2 and B.2.3. The paper counts runs
    of at least 100 iterations as limited; here the ending of the run decides, because limits differ.

    Units: iterations; shares from 0 to 1.

    Small n: without a run the estimates are undefined; one run gives boxes of that one value.
    """
    sifted = sift(runs, ITERATIONS)
    overall, *agents = (_lengths(agent, theirs) for agent, theirs in all_and_by_agent(sifted.usable))
    return Distribution(overall, tuple(agents), sifted.excluded)


@method("iterations-and-success", "Success against iterations", Section.ITERATIONS, 5)
def success_by_length(runs: Iterable[RunFacts], *, width: int = BIN) -> LengthOutcomes:
    """The share of resolved runs by length. ValueError for a width below 1.

    Formula: a run of i iterations lies in bin `⌊i ÷ width⌋`; a bin's rate is `resolved ÷ runs`. No interval is given:
    attempts at one task are not independent, and a short run differs from the start of a long one.

    Source: IDE-Bench, Figure 4 and appendix B.2.3, which separate runs below 10 and above 80 iterations.

    Units: iterations; rates from 0 to 1.

    Small n: no run gives no bins; a bin of one run has the rate 0 or 1.
    """
    if width < 1:
        raise ValueError(f"bins of {width} iterations: a bin holds at least 1")
    sifted = sift(runs, ITERATIONS)
    made = Counter(int(run.iterations) // width for run in sifted.usable)
    resolved = Counter(int(run.iterations) // width for run in sifted.usable if run.resolved)
    bins = (
        LengthBin(
            place * width,
            place * width + width - 1,
            count,
            resolved[place],
            ratio(resolved[place], count, count, "no run"),
        )
        for place, count in sorted(made.items())
    )
    counts = {
        outcome: tuple(sorted(int(run.iterations) for run in sifted.usable if run.resolved == outcome))
        for outcome in (True, False)
    }
    return LengthOutcomes(width, tuple(bins), counts[True], counts[False], sifted.excluded)


@method("cumulative-success", "Cumulative success by iteration", Section.ITERATIONS, 6)
def cumulative_success(runs: Iterable[RunFacts]) -> Curves:
    """The share of all runs that resolved their task with at most i iterations.

    Formula: `C(i) = resolved runs of at most i iterations ÷ runs`. It ends at the share of resolved runs.

    Source: IDE-Bench, section 4.9 and Figure 15.

    Units: iterations; shares from 0 to 1.

    Small n: no run gives an empty curve with a reason; one run gives one step, or none.
    """
    sifted = sift(runs, ITERATIONS)
    overall, *agents = (
        _curve(agent, [int(run.iterations) for run in theirs if run.resolved], len(theirs))
        for agent, theirs in all_and_by_agent(sifted.usable)
    )
    return Curves(overall, tuple(agents), sifted.excluded)


@method("cumulative-first-edit", "Cumulative first edit by iteration", Section.ITERATIONS, 7)
def cumulative_first_edit(runs: Iterable[RunFacts]) -> Curves:
    """The share of runs whose first successful edit was at or before iteration i, among the runs that have one.

    Formula: `F(i) = runs with a productive iteration at or before i ÷ runs with a productive iteration`. It ends at 1;
    `others` counts the runs without such an iteration.

    Source: IDE-Bench, Figure 2, which leaves out runs without a successful edit.

    Units: iterations; shares from 0 to 1.

    Small n: no run with an edit gives an empty curve with a reason; one gives one step to 1.
    """
    sifted = sift(runs, *TRAJECTORY)
    curves = []
    for agent, theirs in all_and_by_agent(sifted.usable):
        places = [place for run in theirs if (place := first_edit(run))]
        curves.append(_curve(agent, places, len(places), len(theirs) - len(places)))
    return Curves(curves[0], tuple(curves[1:]), sifted.excluded)


def _lengths(agent: str | None, runs: Sequence[RunFacts]) -> Lengths:
    limited = sum(run.ending == LIMIT for run in runs)
    resolved = [run for run in runs if run.resolved]
    unresolved = [run for run in runs if not run.resolved]
    return Lengths(
        agent,
        all=_box(runs, "no run"),
        resolved=_box(resolved, "no run is resolved" if runs else "no run"),
        unresolved=_box(unresolved, "every run is resolved" if runs else "no run"),
        at_limit=limited,
        limited=ratio(limited, len(runs), len(runs), "no run"),
    )


def _box(runs: Sequence[RunFacts], reason: str) -> BoxSummary:
    return box(((run.run, run.iterations) for run in runs), reason)


def _curve(agent: str | None, places: Sequence[int], n: int, others: int = 0) -> Curve:
    if not n:
        return Curve(agent, 0, (), (), others, "no run made a successful edit" if others else "no run")
    at: list[int] = []
    reached: list[int] = []
    so_far = 0
    for place, count in sorted(Counter(places).items()):
        so_far += count
        at.append(place)
        reached.append(so_far)
    return Curve(agent, n, tuple(at), tuple(reached), others)
