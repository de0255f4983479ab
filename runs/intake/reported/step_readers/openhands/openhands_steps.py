"""Reads the events of OpenHands, wherever they are: in a list, in a line of an evaluation, in files of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from harness.records import Metrics, Step
from runs.intake.reported.report_document import parse_json, pick, pick_list, pick_text, pick_values
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.json_lines import json_lines, raw_lines
from runs.intake.reported.step_readers.json_part import MAX_VALUE_BYTES, whole_file
from runs.intake.reported.step_readers.openhands.openhands_events import (
    SILENT,
    OpenHandsEvents,
    in_later_form,
)
from runs.intake.reported.step_readers.openhands.openhands_sdk_events import OpenHandsSdkEvents
from runs.intake.reported.step_readers.openhands.openhands_usage import usage_by_response, usage_in_all
from runs.intake.reported.step_readers.stated_edits import StatedEdits, with_edits
from runs.intake.reported.step_readers.threaded_steps import ThreadedSteps
from runs.intake.reported.trajectory import ReadStep, Trajectory

FORM = "OpenHands"
WRAPPED = "trajectory"  # where the answer of a server has the list of events
_UNANSWERED = SILENT | {"", "system", "condensation"}
_GOING_ON = frozenset({"idle", "running"})

File = tuple[Path, str]
"""A file, and its place for messages."""
Events = Callable[[], Iterator[dict[str, Any]]]
"""Reads the events again, from the first one."""


@dataclass(slots=True)
class OpenHandsFacts:
    """What events say about the whole. `sums`: tokens and dollars in all; `state`: the last one of the agent."""

    model: str = ""
    version: str = ""
    workdir: str = ""
    state: str = ""
    last_at: str = ""
    has_response: bool = False
    sums: dict[str, Any] = field(default_factory=dict)

    def add(self, event: Mapping[str, Any]) -> None:
        """Adds an event."""
        self.last_at = pick_text(event, "timestamp") or self.last_at
        response = pick(event, "tool_call_metadata", "model_response")
        self.model = self.model or pick_text(response, "model")
        self.version = self.version or pick_text(event, "args", "openhands_version")
        self.state = pick_text(event, "extras", "agent_state") or self.state
        about = event.get("extras") if "extras" in event else event.get("observation")
        directory = pick_text(about, "metadata", "working_dir")
        self.workdir = self.workdir or (directory if directory.startswith("/") else "")
        acted = event.get("source") == "agent" and pick_text(event, "action") not in _UNANSWERED
        said = pick(event, "llm_message", "role") == "assistant" or event.get("kind") == "ActionEvent"
        self.has_response = self.has_response or said or acted
        self.sums = usage_in_all(event.get("llm_metrics")) or self.sums
        if event.get("kind") == "ConversationStateUpdateEvent":
            self._update(pick_text(event, "key"), event.get("value"))

    def _update(self, name: str, value: Any) -> None:
        """Adds what a conversation of the SDK says of its own state."""
        if name == "stats":
            self.sums = usage_in_all(value) or self.sums
            models = (pick_text(one, "model_name") for one in pick_values(value, "usage_to_metrics"))
            self.model = self.model or next(filter(None, models), "")
        elif name == "execution_status" and isinstance(value, str) and value not in _GOING_ON:
            self.state = value


def facts_of(events: Iterable[Mapping[str, Any]]) -> OpenHandsFacts:
    """What these events say."""
    found = OpenHandsFacts()
    for event in events:
        found.add(event)
    return found


def listed_events(path: Path, place: str, *, in_lines: bool = False) -> Iterator[dict[str, Any]]:
    """The events of a file that is a list of them, has it as `trajectory`, or has one in each line.

    Raises ResultsRefused.
    """
    file = whole_file(path, place)
    if in_lines:
        yield from (event for _, event in json_lines(path, place, torn=True))
    elif next(file.elements(WRAPPED), None) is not None:
        yield from _events(file.elements(WRAPPED), place)
    else:
        yield from _events(file.elements(), place)


def row_events(row: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """The events of a line of an evaluation. Raises ResultsRefused."""
    yield from in_later_form(_events(pick_list(row, "history"), where))


def filed_events(files: Sequence[File]) -> Iterator[dict[str, Any]]:
    """The events of a conversation, one of each file. Raises ResultsRefused."""
    for path, place in files:
        yield whole_object(path, place)


def whole_object(path: Path, place: str) -> dict[str, Any]:
    """The object of a file, which needs little memory. Raises ResultsRefused."""
    if path.stat().st_size > MAX_VALUE_BYTES:
        raise ResultsRefused(place, f"it is longer than {MAX_VALUE_BYTES:,} bytes")
    value = parse_json(path.read_bytes(), place)
    if not isinstance(value, dict):
        raise ResultsRefused(place, "it is not an object")
    return value


def _events(listed: Iterable[Any], place: str) -> Iterator[dict[str, Any]]:
    """The events of a list; older evaluations have pairs of an action and its observation."""
    for number, element in enumerate(listed, 1):
        for event in element if isinstance(element, list) else (element,):
            if not isinstance(event, dict):
                raise ResultsRefused(f"{place}, event {number}", "it is not an object")
            yield event


def openhands_trajectory(
    events: Events, facts: OpenHandsFacts, files: Sequence[File], *, place: str, digest: str, **more: Any
) -> Trajectory:
    """The trajectory of events. `more`: further fields, `measured`, the metrics beside the events, and `agents`."""
    known = usage_by_response(more.pop("measured", None))
    agents = more.pop("agents", ())
    return Trajectory(
        form=FORM,
        part=more.pop("part", ""),
        digest=digest,
        place=place,
        files={name: path for path, name in files},
        steps=partial(openhands_steps, events, place, facts.workdir, known, agents),
        workdir=facts.workdir,
        version=facts.version,
        **more,
    )


def openhands_steps(
    events: Events, place: str, workdir: str, known: Mapping[str, Metrics], agents: Sequence[Events] = ()
) -> Iterator[ReadStep]:
    """The steps of events of either version. Raises ResultsRefused.

    `agents`: the events of its sub-agents, in the order in which they began; they stand before its next response.
    """
    steps = ThreadedSteps(place)
    stated: StatedEdits = {}
    read = partial(with_edits, stated=stated, workdir=workdir)
    older = OpenHandsEvents(steps, workdir, known, stated)
    newer = OpenHandsSdkEvents(steps, workdir, known, stated)
    waiting = [(_begin(one()), str(number), one) for number, one in enumerate(agents)]
    for event in events():
        while waiting and _acts(event) and waiting[0][0] < pick_text(event, "timestamp"):
            yield from map(read, _of_agent(steps, newer, *waiting.pop(0)[1:]))
        yield from map(read, (newer if "kind" in event else older).add(event))
    for _, name, one in waiting:
        yield from map(read, _of_agent(steps, newer, name, one))
    yield from map(read, steps.end())


def _begin(events: Iterator[Mapping[str, Any]]) -> str:
    """When the first of these events was written."""
    return pick_text(next(events, {}), "timestamp")


def _acts(event: Mapping[str, Any]) -> bool:
    """Whether the agent responds."""
    return event.get("source") == "agent" and event.get("kind") in {"ActionEvent", "MessageEvent"}


def _of_agent(steps: ThreadedSteps, reader: OpenHandsSdkEvents, name: str, events: Events) -> Iterator[Step]:
    """The steps of a sub-agent, after those of the agent that started it."""
    yield from steps.close()
    for event in events():
        yield from reader.add(event, name)
    yield from steps.close(name)


@dataclass(frozen=True, slots=True)
class OpenHandsRow:
    """A line of an evaluation's `output.jsonl`, which is read again where it begins in the file."""

    path: Path
    place: str
    where: str
    digest: str
    offset: int
    number: int

    def events(self) -> Iterator[dict[str, Any]]:
        """Its events. Raises ResultsRefused."""
        line = next(raw_lines(self.path, self.place, self.offset, self.number))
        yield from row_events(line.value(), line.where)


def evaluation_rows(path: Path, place: str) -> Iterator[tuple[OpenHandsRow, dict[str, Any]]]:
    """The lines of a file, each with its object. Raises ResultsRefused."""
    for line in raw_lines(path, place):
        digest = hashlib.sha256(line.data.strip()).hexdigest()
        yield OpenHandsRow(path, place, line.where, digest, line.offset, line.number), line.value()
