"""Conversations become attempts."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.recording import record
from tests.runs.intake.reported.step_readers.conversations.conversation_files import (
    CLINE_HISTORY,
    CLINE_SHOWN,
    COPILOT,
    GEMINI_HEAD,
    GEMINI_MESSAGES,
    LANGFUSE,
    OTEL,
    PI_LINES,
    QWEN_LINES,
    conversation_file,
)
from tests.runs.intake.reported.step_readers.conversations.droid_files import PRINTED_LINES, STORED_LINES
from tests.runs.intake.reported.step_readers.conversations.kimi_files import CLI_LINES, CODE_LINES


def test_each_file_with_a_response_is_an_attempt_whatever_tool_wrote_it(tmp_path: Path) -> None:
    session = (GEMINI_HEAD, *GEMINI_MESSAGES)
    for name, content in {
        "a.jsonl": session,
        "copy.jsonl": session,
        "longer.jsonl": (*session, {**GEMINI_MESSAGES[3], "id": "9"}),
        "b.jsonl": QWEN_LINES,
        "c.jsonl": QWEN_LINES[:1],
        "d.json": {**GEMINI_HEAD, "messages": []},
    }.items():
        conversation_file(tmp_path / name, content)
    found = read_trajectories(tmp_path, {})
    assert [(one.agent, one.task, one.attempt, one.outcome) for one in found.results] == [
        ("Gemini CLI with gemini-3-pro", "g-1", 1, ""),
        ("Gemini CLI with gemini-3-pro", "g-1", 2, ""),
        ("Qwen Code with qwen3-coder-plus", "q-1", 1, ""),
    ]
    assert found.left_out == 2
    assert (
        read_trajectories(tmp_path / "a.jsonl", {"agent": "ada"}).results[0].agent == "ada with gemini-3-pro"
    )


ODD: tuple[Any, ...] = (
    None,
    True,
    -7,
    2**70,
    float("nan"),
    "\ud800\x00",
    "9" * 5_000,
    [],
    [[1]],
    {},
    {"a": [{"b": 1}]},
)
WORLDS: dict[str, Any] = {
    "Gemini CLI": ("a.json", {**GEMINI_HEAD, "messages": list(GEMINI_MESSAGES)}),
    "Gemini CLI, lines": ("a.jsonl", (GEMINI_HEAD, *GEMINI_MESSAGES)),
    "Qwen Code": ("a.jsonl", QWEN_LINES),
    "Cline": ("a.json", CLINE_HISTORY),
    "Cline, shown": ("a.json", CLINE_SHOWN),
    "OpenTelemetry": ("a.json", OTEL),
    "Langfuse": ("a.json", LANGFUSE),
    "GitHub Copilot": ("a.json", COPILOT),
    "Pi": ("a.jsonl", PI_LINES),
    "Kimi CLI": ("a.jsonl", CODE_LINES),
    "Kimi CLI, events": ("a.jsonl", CLI_LINES),
    "Droid": ("a.jsonl", STORED_LINES),
    "Droid, printed": ("a.jsonl", PRINTED_LINES),
}


def places_in(content: Any) -> Iterator[tuple[Any, ...]]:
    """Where values are: the names and numbers that lead to each of them."""
    pairs = content.items() if isinstance(content, dict) else enumerate(content)
    for key, inner in pairs:
        yield (key,)
        if isinstance(inner, dict | list | tuple):
            yield from ((key, *rest) for rest in places_in(inner))


def with_odd_value(content: Any, place: tuple[Any, ...], odd: Any) -> Any:
    """The same content with another value at a place; lines stay lines."""
    changed = copy.deepcopy(list(content) if isinstance(content, tuple) else content)
    home = changed
    for key in place[:-1]:
        home = home[key]
    home[place[-1]] = odd
    return tuple(changed) if isinstance(content, tuple) else changed


@pytest.mark.parametrize("tool", WORLDS)
def test_any_odd_value_is_read_as_unknown_or_refused_with_its_place(tmp_path: Path, tool: str) -> None:
    name, content = WORLDS[tool]
    read, refusals = 0, []
    for number, place in enumerate(places_in(content)):
        home = tmp_path / str(number)
        path = conversation_file(home / name, with_odd_value(content, place, ODD[number % len(ODD)]))
        try:
            for one in read_trajectories(path, {"slug": "a", "title": "a"}).results:
                assert one.trajectory
                record(one, one.trajectory, home / f"run-{read}")
                read += 1
        except ResultsRefused as refused:
            refusals.append(str(refused))
    assert read > 20
    tool = tool.partition(",")[0]
    assert all(one.isprintable() and (name in one or one.startswith(tool)) for one in refusals), refusals
