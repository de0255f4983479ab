"""A step as Markdown, for pasting into issues and chats. Model output is in fences that it cannot close."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.records import Step, StepEdits, ToolCall
from runs.presentation.formatting.text import Text, cut, one_line
from runs.views.replay_pages.step_view import flat

_FENCES = re.compile(r"`+")
_SOURCES = {"agent": "Says", "user": "The task", "system": "Instructions"}


def step_markdown(step: Step, edited: StepEdits | None, title: str, address: str) -> str:
    """The step with a title and its URL. Long texts are cut, with a note."""
    return "\n\n".join(_blocks(step, edited, title, address)) + "\n"


def fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any inside of its text."""
    longest = max((len(run) for run in _FENCES.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.removesuffix(chr(10))}\n{fence}"


def inline(text: str) -> str:
    """A one-line text as inline code, whatever backticks it has."""
    runs = {len(run) for run in _FENCES.findall(text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text or ' '}{pad}{fence}"


def _blocks(step: Step, edited: StepEdits | None, title: str, address: str) -> Iterator[str]:
    yield f"### Step {step.step_id}: {inline(one_line(title, 200))}\n\n<{address}>"
    if step.reasoning:
        yield from _text("Thinks", step.reasoning)
    if step.message:
        later = step.source == "user" and step.step_id > 2  # after the system prompt and the task
        yield from _text("The user" if later else _SOURCES.get(step.source, "Says"), step.message)
    for call in step.calls:
        yield from _call(step, call)
    for file in edited.files if edited else ():
        counts = f"+{file.added} −{file.removed}" if file.is_compared else "lines unknown"
        yield from _text(f"Changes {inline(one_line(file.path, 200))} ({counts})", file.diff, "diff")


def _call(step: Step, call: ToolCall) -> Iterator[str]:
    yield f"**Calls** {inline(one_line(call.name, 80))}"
    for name, value in flat(call.arguments):
        label = inline(one_line(name, 80))
        if "\n" in value or len(value) > 100:
            yield from _text(label, value)
        else:
            yield f"{label}: {inline(one_line(value))}"
    result = step.result(call)
    if result is None:
        yield "**Result**: none, the run ended before it came."
    else:
        yield from _text("Result (failed)" if result.ok is False else "Result", result.content)


def _text(label: str, written: str, language: str = "") -> Iterator[str]:
    text: Text = cut(written)
    heading = label if label.startswith("`") else f"**{label}**"
    yield heading
    yield fenced(text.shown, language) if text.shown else "(empty)"
    if text.is_cut:
        yield f"({text.length:,} characters, cut here)"
