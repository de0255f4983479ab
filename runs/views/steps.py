"""One step of a run, cut into what a page can show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from harness.records import ARTIFACT_NAME, FileEdit, Metrics, Step, StepEdits, ToolCall, ToolResult
from harness.tools.schema import tool_kind
from runs.views.text import DiffLine, Text, clean, cut, diff_lines, one_line
from runs.views.trajectory import target

DEEPEST = 4
MOST_ARGUMENTS = 60
MOST_PICTURES = 20
# Arguments that are source: they keep a fixed width however short they are.
CODE = ("command", "content", "diagram", "new", "old", "pattern")


@dataclass(frozen=True, slots=True)
class Part:
    """A text of a step; `key` names it in the address of its full form."""

    key: str
    name: str
    text: Text

    @property
    def is_block(self) -> bool:
        """Whether it stands below its name, as code does and text of several lines."""
        return self.text.multiline or self.name.rpartition(".")[2] in CODE


@dataclass(frozen=True, slots=True)
class CallView:
    """One tool call: what was asked, why, and what came back (None: the run ended before).

    `pictures` are the names of those that it took.
    """

    tool: str
    kind: str
    target: str
    explanation: Part | None
    arguments: tuple[Part, ...]
    result: Part | None
    ok: bool
    seconds: float
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileView:
    """What the step changed in one file."""

    key: str
    path: str
    edit: FileEdit
    lines: tuple[DiffLine, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class StepView:
    """One step, ready for its template."""

    number: int
    source: str
    timestamp: str
    message: Part
    reasoning: Part
    calls: tuple[CallView, ...]
    files: tuple[FileView, ...]
    metrics: Metrics | None
    tool_seconds: float

    @property
    def added(self) -> int:
        """Lines added in all files."""
        return sum(file.edit.added for file in self.files)

    @property
    def removed(self) -> int:
        """Lines removed in all files."""
        return sum(file.edit.removed for file in self.files)


def step_view(step: Step, edited: StepEdits | None) -> StepView:
    """The step with every text cut and cleaned."""
    return StepView(
        number=step.step_id,
        source=one_line(step.source, 20),
        timestamp=one_line(step.timestamp, 40),
        message=Part("message", "message", cut(step.message)),
        reasoning=Part("reasoning", "reasoning", cut(step.reasoning)),
        calls=tuple(_call(step, place, call) for place, call in enumerate(step.calls)),
        files=tuple(_file(place, file) for place, file in enumerate(edited.files if edited else ())),
        metrics=step.metrics,
        tool_seconds=sum(result.seconds for result in step.results),
    )


def full_texts(step: Step, edited: StepEdits | None) -> Iterator[tuple[str, str, str]]:
    """Key, label and whole text of every part that a view may have cut; terminal escapes are gone here, too."""
    yield "message", f"step {step.step_id}: message of the {step.source}", clean(step.message)
    if step.reasoning:
        yield "reasoning", "reasoning", clean(step.reasoning)
    for place, call in enumerate(step.calls):
        for number, (name, value) in enumerate(flat(call.arguments)):
            yield f"call-{place}-argument-{number}", f"{call.name}: {name}", clean(value)
        result = step.result(call)
        if result:
            yield f"call-{place}-result", f"{call.name}: result", clean(result.content)
    for place, file in enumerate(edited.files if edited else ()):
        yield f"file-{place}", f"change of {file.path}", clean(file.diff)


def flat(arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Arguments by name, nested ones as `operations[0].content`: text as it is, everything else as JSON."""
    leaves = list(_leaves("", arguments, 0))
    if len(leaves) > MOST_ARGUMENTS:
        return [(name, _written(value)) for name, value in arguments.items()]
    return leaves


def _leaves(name: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value and depth < DEEPEST:
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), inner, depth + 1)
    elif isinstance(value, list) and any(isinstance(inner, Mapping) for inner in value) and depth < DEEPEST:
        for place, inner in enumerate(value):
            yield from _leaves(f"{name}[{place}]", inner, depth + 1)
    else:
        yield name or "arguments", _written(value)


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _call(step: Step, place: int, call: ToolCall) -> CallView:
    named = [
        Part(f"call-{place}-argument-{number}", one_line(name, 80), cut(value))
        for number, (name, value) in enumerate(flat(call.arguments))
    ]
    result = step.result(call)
    return CallView(
        tool=one_line(call.name, 60),
        kind=tool_kind(call.name),
        target=target(call),
        explanation=next((part for part in named if part.name == "explanation"), None),
        arguments=tuple(part for part in named if part.name != "explanation"),
        result=Part(f"call-{place}-result", "result", cut(result.content)) if result else None,
        ok=result.ok if result else True,
        seconds=result.seconds if result else 0.0,
        pictures=_pictures(result) if result else (),
    )


def _pictures(result: ToolResult) -> tuple[str, ...]:
    """Names that can be a picture's; an imported step may name anything, and as much of it as it likes."""
    return tuple(filter(ARTIFACT_NAME.fullmatch, result.artifacts[:MOST_PICTURES]))


def _file(place: int, file: FileEdit) -> FileView:
    lines, is_cut = diff_lines(file.diff)
    return FileView(f"file-{place}", one_line(file.path, 300), file, lines, is_cut)
