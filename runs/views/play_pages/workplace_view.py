"""What the workplace of a session shows: its state, the files that the person knows, one of them, and the steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode

from harness.records import FileEdit, Step, ToolCall, ToolResult
from harness.tools.schema import TOOLS
from runs.models import PlaySession
from runs.play.opened_file import OpenedFile, ReadFunction, last_read, opened_file
from runs.play.play_tools import EXPLANATION, PlayTools, ToolField, fields_of, play_tools
from runs.play.played_record import PlayedRecord, known_paths, plain_path
from runs.play.session_state import SessionState, session_state
from runs.presentation.formatting.text import Text, cut, one_line
from runs.views.source_display.diff_rows import FileDiff, file_diff
from runs.views.source_display.prose import Block, blocks
from runs.views.source_display.syntax import Painter
from tasks.models import Task

MAX_STEPS = 12
MAX_RESULT_LENGTH = 32_000
MAX_ARGUMENT_LENGTH = 4_000
MAX_FILES = 2_000
MAX_PATH_LENGTH = 1_000


@dataclass(frozen=True, slots=True)
class ShownArgument:
    """One argument of a call."""

    name: str
    text: Text


@dataclass(frozen=True, slots=True)
class PlayedCall:
    """One call with its result. `aside`: what the hidden tests wrote, which no public page has."""

    name: str
    kind: str
    about: str
    arguments: tuple[ShownArgument, ...]
    ok: bool
    seconds: float
    result: Text
    aside: Text

    @property
    def is_read(self) -> bool:
        """Whether its result is a file, which the editor shows."""
        return self.name == "read_file" and self.ok


@dataclass(frozen=True, slots=True)
class PlayedChange:
    """A change of a file by a step."""

    edit: FileEdit
    diff: FileDiff


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step. `is_own`: the person's, not a message of the site."""

    number: int
    is_own: bool
    message: Text
    calls: tuple[PlayedCall, ...]
    changes: tuple[PlayedChange, ...]


@dataclass(frozen=True, slots=True)
class Workplace:
    """All of it. `file`: the one that is open; None without one. `draft`: a text for it that was not saved."""

    session: PlaySession
    tools: PlayTools
    state: SessionState
    record: PlayedRecord
    file: OpenedFile | None
    draft: str | None = None

    @classmethod
    def of(cls, session: PlaySession, path: str, draft: str | None = None) -> Workplace:
        """The workplace now, with the file at this path open; '' for none."""
        tools = play_tools(session.run.task)
        # The state first: steps that are added later are shown with the next one.
        state = session_state(session, tools)
        record = PlayedRecord.read(session.run.path) if session.run.directory else PlayedRecord()
        path = plain_path(path[:MAX_PATH_LENGTH])
        return cls(session, tools, state, record, opened_file(record, path) if path else None, draft)

    @property
    def address(self) -> str:
        """Its page, with the same file open."""
        base = reverse("play_session", args=[self.session.run_id])
        return f"{base}?{urlencode({'file': self.file.path})}" if self.file else base

    @property
    def task_text(self) -> tuple[Block, ...]:
        """The task as agents get it, without its title, which is the page's own; before the start, its description."""
        task = self.session.run.task
        said = next((step.message for step in self.record.steps if step.source == "user"), "")
        return blocks(said.removeprefix(f"{task.title}\n").strip() or task.description)

    def context(self) -> dict[str, Any]:
        """For the template of the whole page."""
        files, folders = known_paths(self.record)
        return {
            "section": "play",
            "place": self,
            "session": self.session,
            "run": self.session.run,
            "task": self.session.run.task,
            "state": self.state,
            "off": "" if self.state.acts else "disabled",
            "tools": self.tools,
            "file": self.file,
            "text": self.file.text if self.file and self.draft is None else self.draft,
            "files": files[:MAX_FILES],
            "folders": folders[:MAX_FILES],
            "steps": self.steps(),
            "last": self.record.last,
            "forms": self.forms(),
            "targets": self.submission_fields(),
        }

    def forms(self) -> list[tuple[str, str, str, tuple[ToolField, ...]]]:
        """Name, kind, description and arguments of each tool."""
        return [
            (tool.name, tool.kind, tool.description, fields_of(tool)) for tool in self.tools.tools.values()
        ]

    def submission_fields(self) -> tuple[ToolField, ...]:
        """The arguments of the tool that submits. With one function to write, it needs no name; a function that is
        to be found is the one that was read last.
        """
        if not self.tools.submitting:
            return ()
        named = self.session.run.task.origin == Task.Origin.MULTIPLE
        fields = fields_of(self.tools.tools[self.tools.submitting])
        shown = [field for field in fields if named or field.required or field.name != "name"]
        if (read := self.read_function()) is None:
            return tuple(shown)
        return tuple(replace(field, value=read.value(field.name)) for field in shown)

    def read_function(self) -> ReadFunction | None:
        """The function that was read last, where the tool that submits takes any function."""
        return last_read(self.record) if self.tools.submitting == "replace_function" else None

    def steps(self, after: int = 0) -> list[PlayedStep]:
        """The newest steps, the newest first, without the task."""
        painter = Painter()
        found = [step for step in self.record.steps if step.step_id > after and step.source != "user"]
        return [self._shown(step, painter) for step in reversed(found[-MAX_STEPS:])]

    def _shown(self, step: Step, painter: Painter) -> PlayedStep:
        aside = self.record.shown_to_person(step.step_id)
        return PlayedStep(
            step.step_id,
            step.source == "agent",
            cut(step.message, MAX_ARGUMENT_LENGTH),
            tuple(_call(call, step.result(call), aside) for call in step.calls),
            tuple(
                PlayedChange(edit, file_diff(edit.diff, one_line(edit.path, 300), painter))
                for edit in self.record.changes(step.step_id)
            ),
        )

    def json(self, request: HttpRequest, after: int, shown_file: int) -> dict[str, Any]:
        """What a script needs to bring a page up to date that has the steps up to `after`.

        `shown_file`: the step of the text in its editor; the editor is left out if that is still the text.
        """
        context = self.context()
        context["steps"] = self.steps(after)
        file = self.file
        parts = ["bar", "files"]
        if file and (file.step != shown_file or file.changed_in):
            parts.append("editor")
        if context["steps"]:
            parts.append("steps")
        return {
            "stage": self.state.stage.value,
            "brief": self.state.is_brief,
            "pending": self.state.pending,
            "last": self.record.last,
            "file": file.path if file else "",
            "file_step": file.step if file else 0,
            "changed_in": file.changed_in if file else 0,
            "function": asdict(read) if (read := self.read_function()) else None,
            "parts": {name: render_to_string(f"runs/play/_{name}.html", context, request) for name in parts},
        }


def _call(call: ToolCall, result: ToolResult | None, aside: str) -> PlayedCall:
    arguments = {name: value for name, value in call.arguments.items() if name != "explanation"}
    said = str(call.arguments.get("explanation", ""))
    shown = [ShownArgument(one_line(name, 60), _argument(value)) for name, value in arguments.items()]
    if said != EXPLANATION:
        shown.append(ShownArgument("explanation", _argument(said)))
    return PlayedCall(
        one_line(call.name, 60),
        TOOLS[call.name].kind if call.name in TOOLS else "other",
        _about(arguments),
        tuple(shown),
        result is not None and result.ok is not False,
        (result.seconds or 0.0) if result else 0.0,
        cut(result.content if result else "No result: the process ended before it came.", MAX_RESULT_LENGTH),
        cut(aside, MAX_RESULT_LENGTH),
    )


def _argument(value: object) -> Text:
    return cut(value if isinstance(value, str) else repr(value), MAX_ARGUMENT_LENGTH)


def _about(arguments: Mapping[str, object]) -> str:
    """The argument that tells calls of one tool apart."""
    names = ("path", "command", "query", "pattern", "name")
    return next((one_line(str(arguments[name]), 160) for name in names if arguments.get(name)), "")
