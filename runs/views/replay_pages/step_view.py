"""One step of a run, prepared for its template."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.records import ARTIFACT_NAME, FileEdit, Metrics, Step, StepEdits, ToolCall
from runs.analysis.trajectories.kinds import called, command_of, effect_of, kind_of, lists, paths_of
from runs.data.queries.parameters import MAX_LENGTH
from runs.data.replay.step_facts import about
from runs.presentation.formatting.text import MAX_BLOCK_LENGTH, Text, clean, cut, one_line
from runs.views.source_display.diff_rows import FileDiff, file_diff
from runs.views.source_display.spans import Pieces, Span, lines, pieces, plain
from runs.views.source_display.syntax import Painter, language_of
from runs.views.source_display.terminal import coloured

MAX_DEPTH = 4
MAX_ARGUMENTS = 60
MAX_PICTURES = 20
MAX_COMMAND_LENGTH = 2_000
# Arguments that hold text of the file that the call names.
_FILE_TEXT = ("content", "new", "old", "new_string", "old_string", "new_str", "old_str", "file_text")
_SHELL = ("command", "cmd", "script")
# Arguments that are always shown as code blocks.
CODE = ("command", "content", "diagram", "new", "old", "pattern")

# Line numbers in the output of tools that show files.
_NUMBERED = re.compile(r"( *\d{1,7}(?:\t|\N{RIGHTWARDS ARROW}))")


@dataclass(frozen=True, slots=True)
class CallView:
    """One tool call with its arguments and result; `result` is None if the run ended before it came.

    `ok`: it is not known to have failed. `read`: the file that it showed, or ''. `pictures`: names of its screenshots.
    """

    tool: str
    kind: str
    target: str
    explanation: StepText | None
    arguments: tuple[StepText, ...]
    result: StepText | None
    ok: bool
    seconds: float | None
    read: str
    pictures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileView:
    """The edit of one file. `path` is for URLs: '' if a URL cannot contain it."""

    key: str
    path: str
    edit: FileEdit
    diff: FileDiff


@dataclass(frozen=True, slots=True)
class StepView:
    """One step, prepared for its template."""

    number: int
    source: str
    timestamp: str
    message: StepText
    reasoning: StepText
    calls: tuple[CallView, ...]
    files: tuple[FileView, ...]
    metrics: Metrics | None
    tool_seconds: float | None

    @property
    def added(self) -> int:
        """Lines added in all files, as far as they are known."""
        return sum(file.edit.added for file in self.files)

    @property
    def removed(self) -> int:
        """Lines removed in all files, as far as they are known."""
        return sum(file.edit.removed for file in self.files)

    @property
    def is_compared(self) -> bool:
        """Whether it is known which lines changed in a file at least."""
        return any(file.edit.is_compared for file in self.files)


def step_view(step: Step, edited: StepEdits | None, painter: Painter | None = None) -> StepView:
    """The step with every text cut, cleaned and coloured. `painter` limits the colours, if given."""
    painter = painter or Painter()
    # Edits first: they need syntax colours most if there is too much source.
    files = []
    for place, file in enumerate(edited.files if edited else ()):
        diff = file_diff(file.diff, one_line(file.path, 300), painter)
        files.append(FileView(f"file-{place}", _address(file.path), file, diff))
    return StepView(
        number=step.step_id,
        source=one_line(step.source, 20),
        timestamp=one_line(step.timestamp, 40),
        message=prose("message", "message", step.message),
        reasoning=prose("reasoning", "reasoning", step.reasoning),
        calls=tuple(_call(step, place, call, painter) for place, call in enumerate(step.calls)),
        files=tuple(files),
        metrics=step.metrics,
        tool_seconds=step.tool_seconds,
    )


def full_texts(step: Step, edited: StepEdits | None) -> Iterator[tuple[str, str, str]]:
    """Key, label and whole text of every part that the page may cut; without terminal escapes."""
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
    """Arguments by name, nested ones as `operations[0].content`; values other than text as JSON."""
    leaves = list(_leaves("", arguments, 0))
    if len(leaves) > MAX_ARGUMENTS:
        return [(name, _written(value)) for name, value in arguments.items()]
    return leaves


def brief_arguments(call: ToolCall) -> Mapping[str, Any]:
    """The text arguments of a call, cut: long commands are slow to parse, and name their files at the beginning."""
    if not isinstance(call.arguments, Mapping):
        return {}
    brief = {
        name: value[:MAX_COMMAND_LENGTH] for name, value in call.arguments.items() if isinstance(value, str)
    }
    if isinstance(call.arguments.get("command"), list):
        brief["command"] = command_of(call.arguments)[:MAX_COMMAND_LENGTH]
    return brief


def _leaves(name: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value and depth < MAX_DEPTH:
        for key, inner in value.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), inner, depth + 1)
    elif isinstance(value, list) and any(isinstance(inner, Mapping) for inner in value) and depth < MAX_DEPTH:
        for place, inner in enumerate(value):
            yield from _leaves(f"{name}[{place}]", inner, depth + 1)
    else:
        yield name or "arguments", _written(value)


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        return "[nested too deeply to be written]"


def _call(step: Step, place: int, call: ToolCall, painter: Painter) -> CallView:
    brief = brief_arguments(call)
    kind = kind_of(called(call.name, brief))
    paths = paths_of(kind, brief)
    path = paths[0] if len(paths) == 1 else ""
    named = [
        source(f"call-{place}-argument-{number}", one_line(name, 80), value, _language(name, path), painter)
        for number, (name, value) in enumerate(flat(call.arguments))
    ]
    result = step.result(call)
    shows = (
        bool(path)
        and result is not None
        and result.ok is not False
        and kind in {"read", "run"}
        and not lists(call.name)
    )
    language = language_of(path) if shows or kind == "edit" else ""
    return CallView(
        tool=one_line(call.name, 60),
        kind=effect_of(kind, command_of(brief)),
        target=one_line(about(call), 80),
        explanation=next((part for part in named if part.name == "explanation"), None),
        arguments=tuple(part for part in named if part.name != "explanation"),
        result=output(f"call-{place}-result", "result", result.content, language, painter)
        if result
        else None,
        ok=result.ok is not False if result else True,
        seconds=result.seconds if result else None,
        read=_address(path) if shows else "",
        # Imported steps may name anything.
        pictures=tuple(filter(ARTIFACT_NAME.fullmatch, result.artifacts[:MAX_PICTURES])) if result else (),
    )


def _language(name: str, path: str) -> str:
    """The language of an argument, by its name and the file of its call."""
    last = name.rpartition(".")[2]
    if last in _SHELL:
        return "bash"
    # A notebook cell is source code, not the JSON of its file.
    return language_of(path) if last in _FILE_TEXT and not path.endswith(".ipynb") else ""


def _address(path: str) -> str:
    """The path if it is valid as a URL parameter, else ''."""
    return path if path == one_line(path, MAX_LENGTH) else ""


@dataclass(frozen=True, slots=True)
class StepText:
    """A text of a step. `key` names it in the URL of its full text. `pieces`: the part that is shown."""

    key: str
    name: str
    text: Text
    pieces: Pieces = field(repr=False)

    @property
    def is_block(self) -> bool:
        """Whether it is shown below its name: code, and text of several lines."""
        return not self.text.is_blank and (self.text.multiline or self.name.rpartition(".")[2] in CODE)


def prose(key: str, name: str, written: str) -> StepText:
    """Plain text."""
    text = cut(written)
    return StepText(key, name, text, plain(text.shown))


def source(key: str, name: str, written: str, language: str, painter: Painter) -> StepText:
    """Source code in a known language; '' for none."""
    text = cut(written)
    return StepText(key, name, text, painter.code(text.shown, language))


def output(key: str, name: str, written: str, language: str, painter: Painter) -> StepText:
    """The result of a tool: in terminal colours if it has any, else as a file in `language`, numbered or not."""
    text = cut(written)
    shown = written[:MAX_BLOCK_LENGTH]
    if "\x1b[" in shown or "\x9b" in shown:
        return StepText(key, name, text, coloured(shown))
    if not language or not _NUMBERED.search(text.shown):
        return StepText(key, name, text, painter.code(text.shown, language))
    return StepText(key, name, text, pieces(_numbered(text.shown, language, painter)))


def _numbered(text: str, language: str, painter: Painter) -> Iterator[Span]:
    """Numbered source code. Lines without a number are not source."""
    gathered: list[tuple[str, str]] = []
    for number, line in enumerate(text.split("\n")):
        if number and not gathered:
            yield "", "\n"
        found = _NUMBERED.match(line)
        if found:
            gathered.append((found[1], line[found.end() :]))
            continue
        if gathered:
            yield from _stretch(gathered, language, painter)
            yield "", "\n"
            gathered = []
        yield "", line
    if gathered:
        yield from _stretch(gathered, language, painter)


def _stretch(gathered: list[tuple[str, str]], language: str, painter: Painter) -> Iterator[Span]:
    """Consecutive numbered lines, highlighted as one text."""
    spans = lines(painter.spans("\n".join(code for _, code in gathered), language))
    for place, ((number, _), line) in enumerate(zip(gathered, spans, strict=True)):
        yield "", "\n" if place else ""
        yield "t-line", number
        yield from line
