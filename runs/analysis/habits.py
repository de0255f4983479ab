"""How agents use their tools: look before they edit, one call at a time or several, few tools or many."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runs.analysis.facts import RunFacts, ToolUse, sift
from runs.analysis.figure import Exclusion, Figure
from runs.analysis.iterations import TRAJECTORY
from runs.analysis.kinds import kind_of
from runs.analysis.method import Method
from runs.analysis.summaries import all_and_by_agent, mean_figure, median_figure, ratio

NO_RUN, NO_EDIT, NO_CALL = "no run", "no run made an edit", "no run called a tool"


@dataclass(frozen=True, slots=True)
class LookToEdit:
    """Calls that look ÷ calls that edit, in two readings; `without_edit` counts runs that have no ratio of their own.

    Formula: `pooled` divides the calls of all runs together; its n counts runs. `mean` is the mean over runs of each
    run's own ratio, over those that edit; its n counts these.

    Source: IDE-Bench, appendix D.4.1 and Figure 12, which does not say which reading it takes.

    Units: looks for each edit; above 1 there is more looking than editing.

    Small n: without an edit both are undefined; one run makes both equal.
    """

    pooled: Figure
    mean: Figure
    without_edit: int


@dataclass(frozen=True, slots=True)
class BeforeEdit:
    """How many calls came before a run's first edit, over the runs that made one; `never` counts the others.

    Formula: the place of the first edit in the run's sequence of calls, counted from 0, failed calls included.

    Source: IDE-Bench, appendix D.4.2, which does not say what becomes of runs without an edit: here they are left out,
    for they would make an agent that never edits the most deliberate one.

    Units: calls.

    Small n: undefined where no run made an edit.
    """

    mean: Figure
    median: Figure
    never: int


@dataclass(frozen=True, slots=True)
class Parallel:
    """How many calls are made at once. `most`: in one step.

    Formula: `per_step = calls ÷ steps that call a tool`, `per_run = calls ÷ runs`. Steps without a call do not count,
    so that one call at a time gives exactly 1; runs without a call count with 0.

    Source: AgentLens, section 3.2 and appendix A (mean tool calls in parallel and per chat; a chat is a run).

    Units: calls; the n of `per_step` and `most` counts steps, that of `per_run` runs.

    Small n: without a call, `per_step` and `most` are undefined; without a run, all.
    """

    per_step: Figure
    per_run: Figure
    most: Figure


@dataclass(frozen=True, slots=True)
class Diversity:
    """How many tools are used: `per_run` the mean number of different ones, `effective` over all calls together.

    Formula: `effective = exp(−Σ p·ln p)` over the shares p of tools among all calls: as many equally used tools would
    be as diverse.

    Source: IDE-Bench, appendix D.1, names tool diversity and gives no formula; the effective number is Hill's of
    order 1 (Hill 1973, Diversity and Evenness).

    Units: tools; the n of `per_run` counts runs, that of `effective` calls.

    Small n: without a call `effective` is undefined; one tool gives 1.
    """

    per_run: Figure
    effective: Figure


@dataclass(frozen=True, slots=True)
class Habits:
    """One agent's runs (`agent` None: all). `by_tool` tells looks and edits by the tool's kind, as the paper does.

    `by_effect` counts looking and changing by shell, too; so does `before_first_change`.
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
    """The same for all runs together and for each agent, in alphabetical order."""

    overall: Habits
    agents: tuple[Habits, ...]
    excluded: tuple[Exclusion, ...]


def habits(runs: Iterable[RunFacts]) -> AllHabits:
    """Read-to-edit ratios, calls before the first edit, calls at once and diversity, over all runs and by agent.

    Formula: by tool, looks are calls of tools of kind read and search, edits those of kind edit. By effect, looks are
    calls that explore, also by shell; edits are calls of tools of kind edit, and shell commands that changed the
    workspace. What becomes of these counts is said at each of the four.

    Source: IDE-Bench, appendix D.1 and D.4 (by tool); the count by effect is ours, because an agent that has a shell
    alone never edits by tool.

    Units: calls, tools, and ratios of calls.

    Small n: no run leaves all figures undefined; one run is its own mean and median.
    """
    sifted = sift(runs, *TRAJECTORY)
    overall, *agents = (_habits(agent, theirs) for agent, theirs in all_and_by_agent(sifted.kept))
    return AllHabits(overall, tuple(agents), sifted.excluded)


def _habits(agent: str | None, runs: Sequence[RunFacts]) -> Habits:
    uses = [run.behaviour.tools for run in runs if run.behaviour]
    tools: Counter[str] = Counter()
    for use in uses:
        for name, total in use.totals.items():
            tools[name] += total.calls
    kinds = {name: kind_of(name) for name in tools}
    return Habits(
        agent,
        len(runs),
        tools.total(),
        by_tool=_ratio([_by_kind(use, kinds) for use in uses]),
        by_effect=_ratio(
            [(use.phases.get("exploration", 0), use.phases.get("implementation", 0)) for use in uses]
        ),
        before_first_edit=_before([use.before_first_edit for use in uses]),
        before_first_change=_before([use.before_first_change for use in uses]),
        parallel=_parallel(uses),
        diversity=_diversity(uses, tools),
    )


def _by_kind(use: ToolUse, kinds: Mapping[str, str]) -> tuple[int, int]:
    looks = edits = 0
    for name, total in use.totals.items():
        kind = kinds[name]
        looks += total.calls if kind in {"read", "search"} else 0
        edits += total.calls if kind == "edit" else 0
    return looks, edits


def _ratio(counts: Sequence[tuple[int, int]]) -> LookToEdit:
    own = [looks / edits for looks, edits in counts if edits]
    nothing = NO_EDIT if counts else NO_RUN
    return LookToEdit(
        ratio(sum(looks for looks, _ in counts), sum(edits for _, edits in counts), len(counts), nothing),
        mean_figure(own, nothing),
        len(counts) - len(own),
    )


def _before(places: Sequence[int | None]) -> BeforeEdit:
    known = [place for place in places if place is not None]
    nothing = NO_EDIT if places else NO_RUN
    return BeforeEdit(mean_figure(known, nothing), median_figure(known, nothing), len(places) - len(known))


def _parallel(uses: Sequence[ToolUse]) -> Parallel:
    steps: Counter[int] = Counter()
    for use in uses:
        steps.update(use.parallel)
    calls = sum(size * count for size, count in steps.items())
    nothing = NO_CALL if uses else NO_RUN
    return Parallel(
        ratio(calls, steps.total(), steps.total(), nothing),
        ratio(calls, len(uses), len(uses), NO_RUN),
        Figure(max(steps), steps.total()) if steps else Figure.unknown(nothing),
    )


def _diversity(uses: Sequence[ToolUse], tools: Mapping[str, int]) -> Diversity:
    calls = sum(tools.values())
    entropy = -math.fsum(count / calls * math.log(count / calls) for count in tools.values())
    return Diversity(
        mean_figure([len(use.totals) for use in uses], NO_RUN),
        Figure(math.exp(entropy), calls) if calls else Figure.unknown(NO_CALL if uses else NO_RUN),
    )


METHODS = (
    Method("tool-habits", "Habits of tool use", habits),
    Method("read-to-edit", "Looks for each edit", LookToEdit),
    Method("before-first-edit", "Calls before the first edit", BeforeEdit),
    Method("parallel-calls", "Calls at once", Parallel),
    Method("tool-diversity", "Diversity of tools", Diversity),
)
