"""The tools and limits that a person has at a task, and forms for calls of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from harness.agents.person import KIND, PersonSettings
from harness.dataset import DatasetError
from harness.errors import ConfigurationError
from harness.limits import Limits, smaller
from harness.tools.schema import Tool, offered
from harness.tools.selection import FINAL_SUBMISSION, TESTED_SUBMISSIONS, selected
from runs.models import Agent
from tasks.loading import find_once
from tasks.models import Task

EXPLANATION = "An action of a person on the page."
LIMITED = ("wall_seconds", "iterations", "tool_uses", "submissions")
_LONG = frozenset({"content", "code", "old", "new", "diagram", "operations"})
# What a page has in a form of its own comes first in the list of all tools, too.
FieldKind = Literal["line", "block", "number", "flag", "choice", "lines", "json"]


@dataclass(frozen=True, slots=True)
class ToolField:
    """One argument of a tool in a form. `value`: what it has at first."""

    name: str
    kind: FieldKind
    help: str
    required: bool
    choices: tuple[str, ...] = ()
    value: str = ""

    @property
    def key(self) -> str:
        """Its name in a form."""
        return f"arg_{self.name}"


@dataclass(frozen=True, slots=True)
class PlayTools:
    """What a person has at a task. `limits`: by name, None for no limit; `profile`: whose tools these are."""

    profile: str
    tools: Mapping[str, Tool]
    limits: Mapping[str, float | None]
    idle_seconds: float

    def first(self, *names: str) -> str:
        """The first of these tools that is there; '' if none is."""
        return next((name for name in names if name in self.tools), "")

    @property
    def listing(self) -> str:
        """The tool that lists a directory."""
        return self.first("list_dir", "list_directory")

    @property
    def searching(self) -> str:
        """The tool that searches in files."""
        return self.first("grep_search", "search_code")

    @property
    def writing(self) -> str:
        """The tool by which the editor saves; '' if files cannot be edited as a whole."""
        return self.first("edit_file", "write_file")

    @property
    def testing(self) -> str:
        """The tool that runs tests or commands."""
        return self.first("run_tests", "run_terminal_cmd")

    @property
    def submitting(self) -> str:
        """The tool that submits."""
        return self.first(*sorted(TESTED_SUBMISSIONS), FINAL_SUBMISSION)


def play_tools(task: Task) -> PlayTools:
    """The tools and limits of a person at this task. Raises ConfigurationError for a mode that people cannot play."""
    agent = Agent.objects.filter(slug=KIND, origin="").first()
    settings = PersonSettings.read(agent.settings if agent else {})
    profile = settings.of_mode(task.mode)
    tools = offered(_optional_tools(task), selected(profile.tools, task.mode))
    limits = Limits()
    return PlayTools(
        profile.profile,
        {tool.name: tool for tool in tools},
        {name: smaller(getattr(profile, name), getattr(limits, name)) for name in LIMITED},
        settings.idle_seconds,
    )


def can_be_played(task: Task) -> bool:
    """Whether a session at this task can be opened."""
    try:
        play_tools(task)
    except ConfigurationError:
        return False
    return task.admitted


def _optional_tools(task: Task) -> tuple[str, ...]:
    """The optional tools of a task; none if its files are gone."""
    try:
        return tuple(find_once(task)[1].tools)
    except (DatasetError, LookupError, OSError):
        return ()


def fields_of(tool: Tool) -> tuple[ToolField, ...]:
    """The arguments of a tool, without the reason for the call, which each form has."""
    schema = tool.parameters()
    return tuple(
        ToolField(
            name,
            _kind(name, one),
            str(one.get("description", "")),
            name in schema["required"],
            tuple(map(str, one.get("enum", ()))),
        )
        for name, one in schema["properties"].items()
        if name != "explanation"
    )


def call_of(tool: Tool, sent: Mapping[str, str]) -> dict[str, Any]:
    """The call that a form with these fields asks for. What is wrong with its arguments, the process says."""
    arguments: dict[str, Any] = {"explanation": sent.get("arg_explanation", "").strip() or EXPLANATION}
    arguments.update(_arguments(tool, sent))
    return {"name": tool.name, "arguments": arguments}


def _arguments(tool: Tool, sent: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    for field in fields_of(tool):
        text = sent.get(field.key, "").replace("\r\n", "\n")
        if field.kind == "flag":
            if text:
                yield field.name, True
        elif text or field.required:
            yield field.name, _value(field.kind, text)


def _value(kind: FieldKind, text: str) -> Any:
    try:
        match kind:
            case "number":
                return float(text) if "." in text else int(text)
            case "lines":
                return [line.strip() for line in text.split("\n") if line.strip()]
            case "json":
                return json.loads(text)
    except (ValueError, RecursionError):
        pass  # as it was sent: the tool says what it expects
    return text


def _kind(name: str, schema: Mapping[str, Any]) -> FieldKind:
    match schema:
        case {"enum": _}:
            return "choice"
        case {"type": "boolean"}:
            return "flag"
        case {"type": "integer" | "number"}:
            return "number"
        case {"type": "array", "items": {"type": "string"}}:
            return "lines"
        case {"type": "array"}:
            return "json"
    return "block" if name in _LONG else "line"
