"""The tool calls of one run: which tools, in which order, with which result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from runs.analysis.facts import ToolTotals, ToolUse
from runs.analysis.method import Section, method
from runs.analysis.trajectories.kinds import Kind, called
from runs.analysis.trajectories.trace import Trace, TracedCall

MAX_NAME_LENGTH = 60
UNNAMED = "(unnamed)"
OPENING = 50
OPENING_LETTERS: Mapping[Kind, str] = {"read": "r", "search": "s", "edit": "e", "run": "x", "other": "o"}


@method("tool-use", "Counts of a run's calls", Section.TOOLS, 1)
def tool_use(trace: Trace) -> ToolUse:
    """Counts a run's calls: by tool, by sequence, by step, and before its first edit.

    Formula: the calls of all iterations form one sequence. Consecutive calls are counted across iterations; parallel
    calls of one iteration are in the order of the request. A call fails if its tool refused it or reported an error; a
    non-zero exit code is not a failed call. A call without a result neither failed nor succeeded. An editor that also
    shows files counts as a separate tool for each of its commands: `str_replace_editor view` reads.

    Source: IDE-Bench, appendix D.1 (ordered lists of tool names); AgentLens, section 3.2 (telemetry of tools).

    Units: counts; seconds of the tools, without the model's.

    Small n: without a call there are no counts and no first edit; one call has no follower.
    """
    calls = trace.calls
    names = [named(call.tool, call.arguments) for call in calls]
    return ToolUse(
        totals=_totals(names, calls),
        bigrams=Counter(pairwise(names)),
        trigrams=Counter(zip(names, names[1:], names[2:], strict=False)),
        before_first_edit=_place(call.kind == "edit" for call in calls),
        before_first_change=_place(call.phase == "implementation" for call in calls),
        parallel=Counter(len(iteration.calls) for iteration in trace.iterations if iteration.calls),
        phases=Counter(call.phase for call in calls),
        opening=opening(calls),
    )


@method("opening", "The first calls of a run", Section.TOOLS, 2)
def opening(calls: Sequence[TracedCall]) -> str:
    """A letter for each of the first 50 calls: its kind, in upper case if it failed or has no result.

    Formula: r read, s search, e edit, x run, o other.

    Source: ours.

    Units: letters, in the order of the calls.

    Small n: without a call it is empty.
    """
    letters = ((OPENING_LETTERS[call.kind], call.returned and call.ok) for call in calls[:OPENING])
    return "".join(letter if good else letter.upper() for letter, good in letters)


def named(tool: str, arguments: Mapping[str, Any] = MappingProxyType({})) -> str:
    """The name for counting a call, normalised: models may give long, multi-line or empty names."""
    return called(" ".join(tool.split())[:MAX_NAME_LENGTH], arguments) or UNNAMED


def _totals(names: Sequence[str], calls: Sequence[TracedCall]) -> Mapping[str, ToolTotals]:
    made: dict[str, list[TracedCall]] = {}
    for name, call in zip(names, calls, strict=True):
        made.setdefault(name, []).append(call)
    return {
        name: ToolTotals(
            calls=len(theirs),
            failed=sum(call.returned and not call.ok for call in theirs),
            seconds=sum(call.seconds for call in theirs),
            unanswered=sum(not call.returned for call in theirs),
            timed=sum(call.seconds > 0 for call in theirs),
            unjudged=sum(call.returned and not call.judged for call in theirs),
        )
        for name, theirs in made.items()
    }


def _place(hits: Iterable[bool]) -> int | None:
    """The index of the first hit."""
    return next((place for place, hit in enumerate(hits) if hit), None)
