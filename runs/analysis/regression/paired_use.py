"""Price, time, tokens and tools of two agents on paired runs, with our test and the paper's flags."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts, ToolTotals, sensible
from runs.analysis.method import Section, method
from runs.analysis.outcomes.ties import SIGNIFICANCE, holm
from runs.analysis.regression.paper_flags import (
    RATIO_LIMITS,
    PaperFlags,
    ToolSuccess,
    ratio_flags,
    tool_flags,
    unpaired_p,
)
from runs.analysis.statistics.shifts import BeforeAfter, shift
from runs.analysis.statistics.summaries import ratio


class PairedRun(NamedTuple):
    """A run of each agent at one task; `scenario` groups tasks that are not independent."""

    scenario: str
    first: RunFacts
    second: RunFacts


@dataclass(frozen=True, slots=True)
class UseRow:
    """A quantity of both agents. Each n of the means counts scenarios; `pairs` those runs that both have a value.

    `p` of the sign-flip test and `corrected` for the number of rows. `paper`: the paper's flags; None without a value.
    `calls`: of a tool, by both agents.
    """

    name: str
    first: Estimate
    second: Estimate
    p: Estimate
    corrected: Estimate
    pairs: int
    paper: PaperFlags | None
    calls: tuple[int, int] = (0, 0)

    @property
    def significant(self) -> bool:
        """Whether the difference is significant after the correction."""
        return self.corrected.value is not None and self.corrected.value < SIGNIFICANCE


def _cache_hits(run: RunFacts) -> float | None:
    known = sensible(run.prompt_tokens, run.cached_tokens)
    return run.cached_tokens / run.prompt_tokens if known and run.prompt_tokens else None


def _parallel_calls(run: RunFacts) -> float | None:
    steps = run.behaviour.tools.parallel if run.behaviour else {}
    count = sum(steps.values())
    return sum(calls * number for calls, number in steps.items()) / count if count else None


QUANTITIES: Mapping[str, Callable[[RunFacts], float | None]] = {
    "price": lambda run: run.cost_usd,
    "seconds": lambda run: run.seconds,
    "tokens_per_second": lambda run: (
        run.completion_tokens / run.seconds if sensible(run.seconds) and run.seconds else None
    ),
    "tool_calls": lambda run: run.tool_calls,
    "completion_tokens": lambda run: run.completion_tokens,
    "cache_hits": _cache_hits,
    "parallel_calls": _parallel_calls,
}
assert QUANTITIES.keys() <= RATIO_LIMITS.keys()


@method(
    "paired-quantities",
    "Price, time and calls of two agents",
    Section.REGRESSIONS,
    3,
    short="Price, time, tokens and calls of two agents over the scenarios that both ran.",
    example="$0.40 against $0.30 over 30 common scenarios.",
)
def paired_quantities(pairs: Iterable[PairedRun]) -> tuple[UseRow, ...]:
    """Price, time, tokens a second, calls, tokens, cache and parallel calls of two agents on paired runs.

    Formula: the means are over scenarios, of the pairs in which both runs have a value; p is that of `shift` in either
    direction with scenarios as clusters, corrected by Holm's method over the seven quantities. Tokens a second are
    completion tokens ÷ seconds acting; cache is cached ÷ prompt tokens; parallel calls are calls per step with a call.
    The paper's flags are those of `ratio_flags` of both means, with `unpaired_p`, none for parallel calls.

    Source: AgentLens, section 3.2 and appendix A, has the quantities; the test is ours.

    Units: US dollars, seconds, tokens, calls, shares; p is a probability.

    Small n: without a pair with both values a row is undefined. n scenarios give no p below 2¹⁻ⁿ.
    """
    paired = list(pairs)
    return _corrected([_quantity(name, value, paired) for name, value in QUANTITIES.items()])


@method(
    "paired-tools",
    "Tools of two agents",
    Section.REGRESSIONS,
    4,
    short="The success rate of each tool of two agents on the same tasks.",
    example="An editor with 95 % against 80 % successful calls, in the 30 runs that both used it.",
)
def paired_tools(pairs: Iterable[PairedRun]) -> tuple[UseRow, ...]:
    """The success rate of each tool of two agents on paired runs, the most used tool first.

    Formula: rates are successful ÷ returned calls of all runs, as in `telemetry`. p is that of `shift` of the rates of
    both runs of a pair with scenarios as clusters, in either direction, over the pairs in which both used the tool;
    corrected by Holm's method over all tools. The paper's flags are those of `tool_flags` of the returned calls.

    Source: AgentLens, section 3.2 and appendix B, has the rates and the flags; the test is ours.

    Units: rates from 0 to 1; p is a probability; n of a rate counts calls.

    Small n: a tool that one agent never called has no rate of it. n scenarios give no p below 2¹⁻ⁿ.
    """
    paired = list(pairs)
    tools = {tool for pair in paired for run in (pair.first, pair.second) for tool in _totals(run)}
    rows = _corrected([_tool(tool, paired) for tool in sorted(tools)])
    return tuple(sorted(rows, key=lambda row: (-sum(row.calls), row.name)))


def _quantity(name: str, value: Callable[[RunFacts], float | None], paired: Sequence[PairedRun]) -> UseRow:
    both = []
    for pair in paired:
        first, second = value(pair.first), value(pair.second)
        if first is not None and second is not None and sensible(first, second):
            both.append(BeforeAfter(pair.scenario, first, second))
    moved = shift(both)
    paper = None
    if moved.before.value is not None and moved.after.value is not None:
        p = unpaired_p([each.before for each in both], [each.after for each in both]).value
        tested = None if name == "parallel_calls" else p
        paper = ratio_flags(name, moved.before.value, moved.after.value, tested)
    p_either = _p(moved.flips.either, moved.change)
    return UseRow(name, moved.before, moved.after, p_either, p_either, moved.pairs, paper)


def _tool(tool: str, paired: Sequence[PairedRun]) -> UseRow:
    both = []
    for pair in paired:
        before, after = (_rate(_totals(run).get(tool)) for run in (pair.first, pair.second))
        if before is not None and after is not None:
            both.append(BeforeAfter(pair.scenario, before, after))
    moved = shift(both)
    first, second = (
        _success([_totals(run).get(tool) for run in side])
        for side in ([pair.first for pair in paired], [pair.second for pair in paired])
    )
    p = _p(moved.flips.either, moved.change)
    one, two = (ratio(side.succeeded, side.calls, side.calls, "no call returned") for side in (first, second))
    flags = tool_flags(first, second)
    return UseRow(tool, one, two, p, p, moved.pairs, flags, (first.calls, second.calls))


def _p(share: float, change: Estimate) -> Estimate:
    return Estimate.unknown(change.reason, change.n) if change.value is None else Estimate(share, change.n)


def _totals(run: RunFacts) -> Mapping[str, ToolTotals]:
    return run.behaviour.tools.totals if run.behaviour else {}


def _rate(total: ToolTotals | None) -> float | None:
    success = _success([total])
    return success.succeeded / success.calls if success.calls else None


def _success(totals: Sequence[ToolTotals | None]) -> ToolSuccess:
    known = [total for total in totals if total is not None]
    judged = sum(total.judged for total in known)
    return ToolSuccess(judged - sum(total.failed for total in known), judged)


def _corrected(rows: Sequence[UseRow]) -> tuple[UseRow, ...]:
    values = iter(holm([row.p.value for row in rows if row.p.value is not None]))
    return tuple(
        row if row.p.value is None else replace(row, corrected=Estimate(next(values), row.p.n))
        for row in rows
    )
