"""What the index keeps of one step: enough for its line in an outline, and to find it by tool, file or outcome."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.records import Step, ToolCall
from runs.analysis.trajectories.exits import exit_code
from runs.analysis.trajectories.kinds import Kind, called, kind_of
from runs.analysis.trajectories.reads import Read, reads
from runs.analysis.trajectories.trace import trace_of
from runs.replay.jsonl import LARGEST

LONGEST_TEXT = 320
LONGEST_PATH = 1_000
LONGEST_ARGUMENT = 20_000
MOST_PATHS = 1_000
MOST_TOKENS = 2**53
ABOUT = ("command", "pattern", "url", "query", "path", "file_path", "handle", "collection")
_LOUDEST: tuple[Kind, ...] = ("edit", "run", "search", "read")


@dataclass(frozen=True, slots=True)
class StepFacts:
    """One step. Texts are raw beginnings: whoever shows them cleans them.

    `kind` and `tool` are '' for a step without a call; of several calls, `kind` is the one that does most, and `tool`
    and `about` are those of the first; `calls` names each tool once with its kind. `seconds`: model and tools. Tokens
    are None where no model was asked. `exit_code`: the first other than 0 that a command of it ended with. `paths`: the
    files that its calls name; `shown`: those that they show.
    """

    number: int
    source: str
    kind: str
    tool: str
    about: str
    calls: tuple[tuple[str, Kind], ...]
    calls_made: int
    seconds: float
    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    cost_usd: float | None
    failed: bool
    exit_code: int | None
    paths: tuple[str, ...]
    shown: tuple[Read, ...]


def facts_of(step: Step) -> StepFacts:
    """Raises ValueError, TypeError or AttributeError for a step that cannot be: its number, a tool without a name."""
    if not 0 < step.step_id <= LARGEST:
        raise ValueError(f"no step has the number {step.step_id}")
    short = replace(step, calls=tuple(map(_shortened, step.calls)))
    trace = trace_of([short], {})
    metrics = step.metrics
    kinds = tuple((storable(call.name), kind_of(called(call.name, call.arguments))) for call in short.calls)
    paths = dict.fromkeys(path for call in trace.calls for path in call.paths if path not in {".", ".."})
    return StepFacts(
        number=step.step_id,
        source=storable(step.source),
        kind=next((kind for kind in _LOUDEST if any(kind == one for _, one in kinds)), "other")
        if kinds
        else "",
        tool=kinds[0][0] if kinds else "",
        about=storable(about(short.calls[0]) if short.calls else step.message.lstrip()[:LONGEST_TEXT]),
        calls=tuple(dict.fromkeys(kinds)),
        calls_made=len(kinds),
        seconds=_number(step.seconds),
        prompt_tokens=_whole(metrics.prompt_tokens) if metrics else None,
        completion_tokens=_whole(metrics.completion_tokens) if metrics else None,
        cached_tokens=_whole(metrics.cached_tokens) if metrics else None,
        cost_usd=_number(metrics.cost_usd) if metrics and metrics.cost_usd is not None else None,
        failed=any(not result.ok for result in step.results),
        exit_code=next((code for code in map(exit_code, trace.calls) if code), None),
        paths=tuple(storable(path, LONGEST_PATH) for path in list(paths)[:MOST_PATHS]),
        shown=reads(trace, None)[:MOST_PATHS],
    )


def about(call: ToolCall) -> str:
    """What a call is about, as it stands there: the file, the command, the query, the actions."""
    for name in ABOUT:
        value = call.arguments.get(name)
        if isinstance(value, str) and value:
            return value[:LONGEST_TEXT] + _cell(call)
    diagram = call.arguments.get("diagram")
    if isinstance(diagram, str):
        return diagram.strip().split("\n", 1)[0]
    actions = call.arguments.get("actions")
    if isinstance(actions, list):
        kinds = (action.get("action") for action in actions if isinstance(action, Mapping))
        return ", ".join(kind for kind in kinds if isinstance(kind, str))
    others = (value for name, value in call.arguments.items() if name != "explanation")
    return next((value for value in others if isinstance(value, str) and value), "")


def storable(text: str, longest: int = LONGEST_TEXT) -> str:
    """The beginning of a text as a database takes it: no lone surrogates, no NUL."""
    return text[:longest].encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def _cell(call: ToolCall) -> str:
    """Which cell of a notebook a call is about, behind its path."""
    if call.name != "edit_notebook":
        return ""
    cell = call.arguments.get("index", call.arguments.get("cell_id"))
    return "" if cell is None else f" · cell {cell}"


def _shortened(call: ToolCall) -> ToolCall:
    """A script of megabytes names its files at its beginning or its end, or they are not worth the time."""
    return replace(call, arguments=dict(_short_arguments(call.arguments)))


def _short_arguments(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    half = LONGEST_ARGUMENT // 2
    for name, value in arguments.items():
        long = isinstance(value, str) and len(value) > LONGEST_ARGUMENT
        yield name, f"{value[:half]}\n{value[-half:]}" if long else value


def _number(value: object) -> float:
    """What other tools wrote may be anything: 0 for what is no sensible number."""
    sensible = isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= MOST_TOKENS
    return float(value) if sensible else 0.0  # type: ignore[arg-type] # checked above


def _whole(value: object) -> int:
    return int(_number(value))
