"""Calls, success rate and duration of each tool."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from harness.tools.schema import TOOLS
from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import TRAJECTORY, Need, RunFacts, by_agent, sift
from runs.analysis.method import Section, method
from runs.analysis.statistics.summaries import ratio
from runs.analysis.trajectories.kinds import Kind, kind_of

TIMED = Need(
    "the duration of a call is negative, too large or not a number: excluded from the seconds only",
    lambda run: (
        run.behaviour is not None and not any(fault.startswith("a call ") for fault in run.behaviour.faults)
    ),
)


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool over several runs. `runs`: in how many it was called.

    `known` False: it was invented by a model, or provided by another agent.
    `judged`: calls of which the record says whether they failed. `success` is the share of them that did not, 0 to 1;
    `seconds` the mean over calls with a duration, `total_seconds` the sum.
    """

    tool: str
    kind: Kind
    known: bool
    runs: int
    calls: int
    failed: int
    unanswered: int
    judged: int
    success: Estimate
    seconds: Estimate
    total_seconds: float


@dataclass(frozen=True, slots=True)
class ToolTable:
    """The tools of one agent's runs (`agent` None: of all), the most used first; `success` is over all its calls."""

    agent: str | None
    runs: int
    calls: int
    unanswered: int
    success: Estimate
    tools: tuple[ToolRow, ...]


@dataclass(frozen=True, slots=True)
class Telemetry:
    """A table for all runs and one for each agent, in alphabetical order."""

    overall: ToolTable
    agents: tuple[ToolTable, ...]
    excluded: tuple[Exclusion, ...]


@method(
    "tool-success",
    "Success and time of tools",
    Section.TOOLS,
    3,
    short="Tool success: the share of a tool’s calls that did not fail, and their mean time.",
    example="A shell command that exits with 1 is a successful call: the tool did its work.",
)
def telemetry(runs: Iterable[RunFacts]) -> Telemetry:
    """Calls, success rate and time of each tool, over all runs and by agent.

    Formula: `success = (judged − failed) ÷ judged`, over the calls of all runs; judged calls have a result, and the
    record says whether they failed, which records of other harnesses may not. Calls without a result because the run
    ended are counted separately. `seconds` is the sum of durations divided by the
    calls that have one: a call that was refused before it started has none, nor one with an invalid duration; its run
    is listed, and counts otherwise. A command that exited with an error is a successful call. Rates have no interval,
    because calls of one run are not independent.

    Source: AgentLens, section 3.2 and appendix A ("tool call success rates": successes ÷ total). It does not say
    whether the total includes calls without a result; here it does not. Mean seconds are ours.

    Units: counts; rates from 0 to 1; seconds of the tool, without the model's.

    Small n: a tool without a result has no success rate, one without a duration no mean seconds; without a run the
    table is empty. One call gives a rate of 0 or 1.
    """
    sifted = sift(runs, *TRAJECTORY)
    timed = sift(sifted.usable, TIMED)
    groups = by_agent(sifted.usable)
    parts = {agent: _summed(theirs) for agent, theirs in groups.items()}
    return Telemetry(
        _table(None, len(sifted.usable), _together(parts.values())),
        tuple(_table(agent, len(groups[agent]), part) for agent, part in parts.items()),
        (*sifted.excluded, *timed.excluded),
    )


@dataclass(slots=True)
class _Sum:
    """`seconds`: one number for each run, summed exactly at the end, so that the order does not matter."""

    calls: int = 0
    failed: int = 0
    unanswered: int = 0
    unjudged: int = 0
    timed: int = 0
    seconds: list[float] = field(default_factory=list)


def _summed(runs: Iterable[RunFacts]) -> dict[str, _Sum]:
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for run in runs:
        for tool, total in run.behaviour.tools.totals.items() if run.behaviour else ():
            so_far = sums[tool]
            so_far.calls += total.calls
            so_far.failed += total.failed
            so_far.unanswered += total.unanswered
            so_far.unjudged += total.unjudged
            so_far.timed += total.timed
            so_far.seconds.append(total.seconds)
    return sums


def _together(parts: Iterable[Mapping[str, _Sum]]) -> dict[str, _Sum]:
    whole: dict[str, _Sum] = defaultdict(_Sum)
    for part in parts:
        for tool, more in part.items():
            so_far = whole[tool]
            so_far.calls += more.calls
            so_far.failed += more.failed
            so_far.unanswered += more.unanswered
            so_far.unjudged += more.unjudged
            so_far.timed += more.timed
            so_far.seconds += more.seconds
    return whole


def _table(agent: str | None, runs: int, sums: Mapping[str, _Sum]) -> ToolTable:
    rows = sorted((_row(tool, total) for tool, total in sums.items()), key=lambda row: (-row.calls, row.tool))
    calls = sum(row.calls for row in rows)
    unanswered = sum(row.unanswered for row in rows)
    judged = sum(row.judged for row in rows)
    worked = judged - sum(row.failed for row in rows)
    nothing = "no call returned" if calls else "no call"
    return ToolTable(agent, runs, calls, unanswered, ratio(worked, judged, judged, nothing), tuple(rows))


def _row(tool: str, total: _Sum) -> ToolRow:
    kind = kind_of(tool)
    judged = total.calls - total.unanswered - total.unjudged
    seconds = math.fsum(total.seconds)
    return ToolRow(
        tool,
        kind,
        known=kind != "other" or tool in TOOLS,
        runs=len(total.seconds),
        calls=total.calls,
        failed=total.failed,
        unanswered=total.unanswered,
        judged=judged,
        success=ratio(judged - total.failed, judged, judged, "no call returned"),
        seconds=ratio(seconds, total.timed, total.timed, "no call has a duration"),
        total_seconds=seconds,
    )
