"""Habits of tool use: read-to-edit ratio, calls before the first edit, parallel calls, diversity."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import mean_of, median_of, ratio
from runs.analysis.tools.workflow import READING
from runs.analysis.trajectories.kinds import kind_of

NO_RUN, NO_EDIT, NO_CALL = "no run", "no run made an edit", "no run called a tool"


@method("read-to-edit", "Read-to-edit ratio", Section.TOOLS, 6)
@dataclass(frozen=True, slots=True)
class LookToEdit:
    """Calls that read ÷ calls that edit, by two definitions; `without_edit` counts runs without a ratio.

    Formula: `pooled` divides the calls of all runs together; its n counts runs. `mean` is the mean over runs of each
    run's own ratio, over those that edit; its n counts these.

    Source: IDE-Bench, appendix D.4.1 and Figure 12, which does not say which definition it uses.

    Units: reading calls per edit; above 1 there are more reads than edits.

    Small n: without an edit both are undefined; with one run both are equal.
    """

    pooled: Estimate
    mean: Estimate
    without_edit: int


@method("before-first-edit", "Calls before the first edit", Section.TOOLS, 7)
@dataclass(frozen=True, slots=True)
class BeforeEdit:
    """The number of calls before a run's first edit, over the runs with one; `never` counts the others.

    Formula: the position of the first edit in the run's sequence of calls, counted from 0, failed calls included.

    Source: IDE-Bench, appendix D.4.2, which does not mention runs without an edit. Here they are excluded: counting all
    their calls would give an agent that never edits the highest number.

    Units: calls.

    Small n: undefined if no run made an edit.
    """

    mean: Estimate
    median: Estimate
    never: int


@method("parallel-calls", "Parallel calls", Section.TOOLS, 8)
@dataclass(frozen=True, slots=True)
class Parallel:
    """The number of parallel calls. `most`: the maximum in one step.

    Formula: `per_step = calls ÷ steps that call a tool`, `per_run = calls ÷ runs`. Steps without a call do not count,
    so single calls give exactly 1; runs without a call count as 0.

    Source: AgentLens, section 3.2 and appendix A (mean tool calls in parallel and per chat; a chat is a run).

    Units: calls; the n of `per_step` and `most` counts steps, that of `per_run` runs.

    Small n: without a call, `per_step` and `most` are undefined; without a run, all.
    """

    per_step: Estimate
    per_run: Estimate
    most: Estimate


@method("tool-diversity", "Diversity of tools", Section.TOOLS, 9)
@dataclass(frozen=True, slots=True)
class Diversity:
    """The diversity of tools: `per_run` the mean number of different tools, `effective` over all calls together.

    Formula: `effective = exp(−Σ p·ln p)` over the shares p of tools among all calls: the number of equally used tools
    with the same diversity.

    Source: IDE-Bench, appendix D.1, names tool diversity without a formula; the effective number is Hill's of
    order 1 (Hill 1973, Diversity and Evenness).

    Units: tools; the n of `per_run` counts runs, that of `effective` calls.

    Small n: without a call `effective` is undefined; one tool gives 1.
    """

    per_run: Estimate
    effective: Estimate


@dataclass(frozen=True, slots=True)
class Habits:
    """One agent's runs (`agent` None: all). `by_tool` classifies calls by the kind of tool, as in the paper.

    `by_effect` includes reads and changes in a shell, and so does `before_first_change`.
    """

    agent: str | None
    runs: int
    calls: int
    by_tool: LookToEdit
    by_effect: LookToEdit
    before_first_edit: BeforeEdit
    before_first_change: BeforeEdit
    parallel: Parallel
    diversity: Diversity


@dataclass(frozen=True, slots=True)
class AllHabits:
    """The habits of all runs and of each agent, in alphabetical order."""

    overall: Habits
    agents: tuple[Habits, ...]
    excluded: tuple[Exclusion, ...]


@method("tool-habits", "Habits of tool use", Section.TOOLS, 5)
def habits(runs: Iterable[RunFacts]) -> AllHabits:
    """Read-to-edit ratios, calls before the first edit, parallel calls and diversity, over all runs and by agent.

    Formula: by tool, reads are calls of tools of kind read and search, edits those of kind edit. By effect, reads are
    calls that explore, including shell commands; edits are calls of tools of kind edit, and shell commands that changed
    the workspace. See each of the four for its formula.

    Source: IDE-Bench, appendix D.1 and D.4 (by tool); the count by effect is ours, because an agent with only a
    shell never calls an editing tool.

    Units: calls, tools, and ratios of calls.

    Small n: without a run all estimates are undefined; one run is its own mean and median.
    """
    sifted = sift(runs, *TRAJECTORY)
    parts = {agent: _counts(theirs) for agent, theirs in by_agent(sifted.usable).items()}
    return AllHabits(
        _habits(None, _together(parts.values())),
        tuple(_habits(agent, part) for agent, part in parts.items()),
        sifted.excluded,
    )


@dataclass(slots=True)
class _HabitCounts:
    """Counts of several runs: sums, and lists with one entry for each run."""

    calls: Counter[str] = field(default_factory=Counter)
    steps: Counter[int] = field(default_factory=Counter)
    distinct: list[int] = field(default_factory=list)
    by_tool: list[tuple[int, int]] = field(default_factory=list)
    by_effect: list[tuple[int, int]] = field(default_factory=list)
    before_edit: list[int | None] = field(default_factory=list)
    before_change: list[int | None] = field(default_factory=list)


def _counts(runs: Iterable[RunFacts]) -> _HabitCounts:
    counts = _HabitCounts()
    kinds: dict[str, str] = {}
    for run in runs:
        if run.behaviour is None:
            continue
        use = run.behaviour.tools
        looks = edits = 0
        for name, total in use.totals.items():
            counts.calls[name] += total.calls
            kind = kinds.get(name) or kinds.setdefault(name, kind_of(name))
            if kind in READING:
                looks += total.calls
            elif kind == "edit":
                edits += total.calls
        for size, count in use.parallel.items():
            counts.steps[size] += count
        counts.distinct.append(len(use.totals))
        counts.by_tool.append((looks, edits))
        counts.by_effect.append((use.phases.get("exploration", 0), use.phases.get("implementation", 0)))
        counts.before_edit.append(use.before_first_edit)
        counts.before_change.append(use.before_first_change)
    return counts


def _together(parts: Iterable[_HabitCounts]) -> _HabitCounts:
    whole = _HabitCounts()
    for part in parts:
        whole.calls.update(part.calls)
        whole.steps.update(part.steps)
        whole.distinct += part.distinct
        whole.by_tool += part.by_tool
        whole.by_effect += part.by_effect
        whole.before_edit += part.before_edit
        whole.before_change += part.before_change
    return whole


def _habits(agent: str | None, counts: _HabitCounts) -> Habits:
    return Habits(
        agent,
        len(counts.distinct),
        counts.calls.total(),
        by_tool=_ratio(counts.by_tool),
        by_effect=_ratio(counts.by_effect),
        before_first_edit=_before(counts.before_edit),
        before_first_change=_before(counts.before_change),
        parallel=_parallel(counts.steps, len(counts.distinct)),
        diversity=_diversity(counts.calls, counts.distinct),
    )


def _ratio(counts: Sequence[tuple[int, int]]) -> LookToEdit:
    own = [looks / edits for looks, edits in counts if edits]
    nothing = NO_EDIT if counts else NO_RUN
    return LookToEdit(
        ratio(sum(looks for looks, _ in counts), sum(edits for _, edits in counts), len(counts), nothing),
        mean_of(own, nothing),
        len(counts) - len(own),
    )


def _before(places: Sequence[int | None]) -> BeforeEdit:
    known = [place for place in places if place is not None]
    nothing = NO_EDIT if places else NO_RUN
    return BeforeEdit(mean_of(known, nothing), median_of(known, nothing), len(places) - len(known))


def _parallel(steps: Counter[int], runs: int) -> Parallel:
    calls = sum(size * count for size, count in steps.items())
    nothing = NO_CALL if runs else NO_RUN
    return Parallel(
        ratio(calls, steps.total(), steps.total(), nothing),
        ratio(calls, runs, runs, NO_RUN),
        Estimate(max(steps), steps.total()) if steps else Estimate.unknown(nothing),
    )


def _diversity(calls: Counter[str], distinct: Sequence[int]) -> Diversity:
    n = calls.total()
    entropy = -math.fsum(count / n * math.log(count / n) for count in calls.values())
    return Diversity(
        mean_of(distinct, NO_RUN),
        Estimate(math.exp(entropy), n) if n else Estimate.unknown(NO_CALL if distinct else NO_RUN),
    )
