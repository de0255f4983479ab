"""What a file of a conversation says, part by part: facts, messages, responses, results. Steps are made of these parts.

A tool's own reader only has to name the parts in their order. Sub-agents have threads of their own (`ThreadedSteps`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os.path import normpath
from pathlib import Path, PurePosixPath

from harness.records import FileEdit, Metrics, Source, Step, ToolCall, ToolResult
from runs.analysis.trajectories.exits import exit_code_in
from runs.intake.reported.step_readers.stated_edits import StatedEdits, with_edits
from runs.intake.reported.step_readers.step_builder import UNKNOWN
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps
from runs.intake.reported.trajectory import ReadStep


@dataclass(frozen=True, slots=True)
class About:
    """Facts about the conversation as a whole; '' or None for what this part does not say.

    `model`: of the first response, where responses do not name theirs. `cost_usd` and `seconds`: of the whole, in US
    dollars and seconds. `program`: the name of the agent. `repository`: what it worked on. `calls_unknown`: the file
    does not have the calls that the agent made.
    """

    session: str = ""
    workdir: str = ""
    version: str = ""
    title: str = ""
    model: str = ""
    ending: str = ""
    detail: str = ""
    program: str = ""
    repository: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float | None = None
    calls_unknown: bool | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the user or the system. In a thread, it is one of the system."""

    source: Source
    text: str
    at: str = ""
    thread: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """A response of a model. Responses of one thread with one `key`, one after the other, are parts of one response."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    metrics: Metrics | None = UNKNOWN
    at: str = ""
    thread: str = ""
    key: str = ""
    model: str = ""


StatedChange = Callable[[str], Sequence[FileEdit] | None]
"""What a call changed, by the directory of the workspace; None if the file does not say it."""


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of a call, with what the file says that the call changed."""

    result: ToolResult
    at: str = ""
    edits: StatedChange | None = None


def result_of(
    call_id: str, content: str, ok: bool | None, seconds: float | None = None, pictures: tuple[str, ...] = ()
) -> ToolResult:
    """The result of a call. A command with an exit code ran: then the tool itself did not fail."""
    ran = ok is False and exit_code_in(content) is not None
    return ToolResult(call_id, content, True if ran else ok, seconds, pictures)


Part = About | Said | Response | Returned
PartReader = Callable[[Path, str], Iterable[Part]]
"""The parts of a file, which is named by its path and its place for messages. Raises ResultsRefused."""


def place_beside(place: str, name: str) -> str:
    """The place of a further file of a conversation, whose place from the directory of the first one is `name`.

    It is never above what is imported.
    """
    found = normpath(PurePosixPath(place).parent / name)
    return found.replace("../", "") if found.startswith("../") else found


@dataclass(frozen=True, slots=True)
class ConversationSection:
    """One conversation of a file that has several. `part` names it; `read` reads it; `digest`: SHA-256 of its text."""

    part: str
    read: Callable[[], Iterable[Part]]
    digest: str


def conversation_steps(parts: Iterable[Part], place: str, workdir: str = "") -> Iterator[ReadStep]:
    """The steps of these parts. Raises ResultsRefused."""
    steps = ThreadedSteps(place)
    stated: StatedEdits = {}
    for part in parts:
        if isinstance(part, Returned) and part.edits is not None and steps.waits_for(part.result.call_id):
            edits = part.edits(workdir)
            if edits is not None:
                stated[part.result.call_id] = list(edits)
        for step in _steps_of(steps, part):
            yield with_edits(step, stated, workdir)
    for step in steps.end():
        yield with_edits(step, stated, workdir)


def _steps_of(steps: ThreadedSteps, part: Part) -> Iterator[Step]:
    if isinstance(part, Said):
        mark = steps.mark(part.thread)
        yield from steps.says("system" if mark else part.source, f"{mark} {part.text}".strip(), part.at)
    elif isinstance(part, Response):
        yield from steps.responds(
            part.key,
            part.text,
            reasoning=part.reasoning,
            calls=part.calls,
            metrics=part.metrics,
            at=part.at,
            thread=part.thread,
        )
    elif isinstance(part, Returned):
        yield from steps.returns(part.result, part.at)


@dataclass(slots=True)
class ConversationFacts:
    """What the parts of a file say about the conversation as a whole. `has_response`: a model responded.

    `place`: its file, for messages; `last_at`: the last time in it.
    """

    path: Path
    place: str
    about: dict[str, str | int | float] = field(default_factory=dict)
    has_response: bool = False
    last_at: str = ""

    def add(self, part: Part) -> None:
        """Adds a part. Of facts that are said again, the last ones count; of models, the first one."""
        if isinstance(part, About):
            said = {name: getattr(part, name) for name in part.__slots__}
            known = {name: value for name, value in said.items() if value not in ("", None)}
            if "model" in self.about:
                known.pop("model", None)
            self.about |= known
            return
        self.last_at = max(self.last_at, part.at)
        if isinstance(part, Response):
            self.has_response = True
            if part.model:
                self.about.setdefault("model", part.model)

    def text(self, name: str) -> str:
        """A fact that is a text; '' if it is unknown."""
        return str(self.about.get(name, ""))


def conversation_facts(path: Path, place: str, parts: Iterable[Part]) -> ConversationFacts:
    """Reads the parts of a file to their end. Raises ResultsRefused."""
    found = ConversationFacts(path, place)
    for part in parts:
        found.add(part)
    return found
