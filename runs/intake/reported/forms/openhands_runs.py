"""Runs of OpenHands: exported trajectories, evaluations (`output.jsonl`), and conversations of its SDK."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from runs.intake.reported.forms.attempt_rows import (
    AttemptRows,
    agent_with,
    repository_of,
    swe_bench_repository,
)
from runs.intake.reported.report_document import ReportDocument, pick, pick_first, pick_text
from runs.intake.reported.reported_result import ReportedSet, outcome_of
from runs.intake.reported.result_table import UNKNOWN_OUTCOME
from runs.intake.reported.step_readers.json_lines import FirstLines
from runs.intake.reported.step_readers.openhands.openhands_steps import (
    FORM,
    WRAPPED,
    File,
    OpenHandsRow,
    evaluation_rows,
    facts_of,
    filed_events,
    listed_events,
    openhands_trajectory,
    row_events,
    whole_object,
)
from runs.intake.reported.step_readers.openhands.openhands_usage import usage_in_all
from runs.intake.reported.step_readers.step_builder import amount
from runs.intake.reported.trajectory import file_digest

NAMES: tuple[str, ...] = ("*.json", "*.jsonl")  # of its files in a directory

_EVENT = re.compile(r"event[-_](\d{1,19})[-_.]", re.ASCII)
_STATES = {
    "finished": "completed",
    "stopped": "cancelled",
    "error": "agent_error",
    "rejected": "agent_error",
    "stuck": "agent_error",
}
# Words in errors of an evaluation.
_ERRORS = (
    ("stuck", "agent_error"),
    ("iteration", "iteration_limit"),
    ("budget", "cost_limit"),
    ("timeout", "time_limit"),
)


@dataclass(slots=True)
class _Conversation:
    """A directory of the SDK: the files of its events, what it says about the whole, and its sub-agents."""

    events: list[File] = field(default_factory=list)
    state: File | None = None
    agents: list[_Conversation] = field(default_factory=list)

    @property
    def files(self) -> list[File]:
        """The files of its events, in order."""
        return sorted(self.events, key=lambda file: (_number(file[0]), file[1]))


def matches(content: Any) -> bool:
    """Whether these are events, a line of an evaluation, or the state of a conversation."""
    first = content[0] if isinstance(content, list) and content else None
    if isinstance(content, FirstLines):
        return _is_row(first) or _is_event(first)
    if isinstance(content, list):
        return _is_event(first[0] if isinstance(first, list) and first else first)
    return _is_row(content) or _is_state(content) or _is_event(content) or _is_wrapped(content)


def _is_wrapped(value: Any) -> bool:
    """Whether this is what the server of OpenHands answers: an object with the list of events."""
    return _is_event(pick_first(value, WRAPPED))


def _is_event(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("source"), str) or "id" not in value:
        return False
    kind = value.get("kind")
    acts = isinstance(value.get("action"), str) or isinstance(value.get("observation"), str)
    return "timestamp" in value and (isinstance(kind, str) or acts)


def _is_row(value: Any) -> bool:
    is_evaluated = (
        isinstance(pick(value, "instance_id"), str) and "history" in value and "test_result" in value
    )
    return is_evaluated or _is_resolved_issue(value)


def _is_resolved_issue(value: Any) -> bool:
    """Whether this is what the resolver of issues writes for one."""
    return isinstance(pick(value, "issue"), dict) and {"history", "git_patch", "success"} <= value.keys()


def _task(value: Mapping[str, Any]) -> tuple[str, str]:
    """The task of an attempt and its repository: of an evaluation, or an issue."""
    if not _is_resolved_issue(value):
        task = str(value.get("instance_id"))
        return task, swe_bench_repository(task)
    issue = value["issue"]
    owner, repository = pick_text(issue, "owner"), pick_text(issue, "repo")
    number = issue.get("number")
    name = "/".join(filter(None, (owner, repository)))
    return f"{name}#{number}" if type(number) is int else name or "issue", name


def _is_state(value: Any) -> bool:
    return isinstance(pick(value, "agent"), dict) and {"stats", "execution_status"} <= value.keys()


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The runs of all documents. Raises ResultsRefused."""
    rows = AttemptRows(FORM)
    conversations: dict[Path, _Conversation] = defaultdict(_Conversation)
    for document in documents:
        content = document.content
        in_lines = isinstance(content, FirstLines)
        value = content[0] if in_lines else content
        if isinstance(value, list) or _is_wrapped(value) or (in_lines and not _is_row(value)):
            rows.left_out += not _add_list(rows, document, given, in_lines=in_lines)
        elif _is_row(value):
            for row, whole in evaluation_rows(document.path, document.place):
                _add_row(rows, row, whole, given)
        elif _is_state(value):
            conversations[document.path.parent].state = (document.path, document.place)
        else:
            conversations[_home(document.path)].events.append((document.path, document.place))
    for conversation in _with_agents(conversations):
        rows.left_out += not _add_conversation(rows, conversation, given)
    return rows.finish({"slug": "openhands", "title": "Trajectories of OpenHands"}, given, "agent")


def _with_agents(conversations: Mapping[Path, _Conversation]) -> list[_Conversation]:
    """The conversations that no other one started, with those that they started, in `subagents` of their directory."""
    found: list[_Conversation] = []
    for home, conversation in sorted(conversations.items()):
        parts = home.parts
        roots = (Path(*parts[:at]) for at, part in enumerate(parts) if part == "subagents" and at)
        root = next((conversations[one] for one in roots if one in conversations), None)
        (found if root is None else root.agents).append(conversation)
    return found


def conversation_of(place: str) -> str:
    """The place of the conversation that a file of the SDK is of, by its name; '' for other files.

    One that another one started belongs to that.
    """
    path = Path(place)
    named = path.name == "base_state.json" or _EVENT.match(path.name) is not None
    is_part = path.parent.name == "events" or named
    parts = _home(path).parts
    at = parts.index("subagents") if "subagents" in parts else 0
    return str(Path(*parts[: at or len(parts)])) if is_part else ""


def _home(path: Path) -> Path:
    """The directory of a conversation that an event is of."""
    return path.parent.parent if path.parent.name == "events" else path.parent


def _add_list(
    rows: AttemptRows, document: ReportDocument, given: Mapping[str, str], *, in_lines: bool
) -> bool:
    """Adds a file with a list or lines of events. False if no model responded in it."""
    events = partial(listed_events, document.path, document.place, in_lines=in_lines)
    facts = facts_of(events())
    if not facts.has_response:
        return False
    task = document.path.stem
    rows.add_day(facts.last_at)
    rows.add(
        document.place,
        agent_with(given.get("agent") or FORM, facts.model),
        openhands_trajectory(
            events,
            facts,
            [(document.path, document.place)],
            place=document.place,
            digest=file_digest(document.path),
            session=task,
        ),
        task=task,
        repository=swe_bench_repository(task),
        outcome=UNKNOWN_OUTCOME,
        ending=_STATES.get(facts.state, ""),
        detail="" if facts.state == "finished" else facts.state,
        **facts.sums,
    )
    return True


def _add_row(
    rows: AttemptRows, row: OpenHandsRow, value: Mapping[str, Any], given: Mapping[str, str]
) -> None:
    """Adds an attempt of an evaluation; without events, it has no trajectory."""
    facts = facts_of(row_events(value, row.where))
    patch = pick(value, "test_result", "git_patch") or value.get("git_patch")
    error = pick_text(value, "error")
    task, repository = _task(value)
    resolved = _resolved(value)
    measured = value.get("metrics")
    trajectory = openhands_trajectory(
        row.events,
        facts,
        [(row.path, row.place)],
        place=row.place,
        digest=row.digest,
        part=task,
        measured=measured,
        patch=patch if isinstance(patch, str) else "",
        is_free=_is_free(pick(value, "metadata", "llm_config")),
    )
    if facts.has_response and rows.has(trajectory):  # `output.critic_attempt_1.jsonl` has the same lines
        return
    rows.add_day(pick(value, "metadata", "start_time"))
    rows.add(
        row.where,
        agent_with(given.get("agent") or FORM, pick(value, "metadata", "llm_config", "model") or facts.model),
        trajectory if facts.has_response else None,
        task=task,
        repository=repository,
        outcome=UNKNOWN_OUTCOME if resolved is None else outcome_of(resolved=resolved),
        ending=_ending(error) if error else _STATES.get(facts.state, ""),
        detail=error,
        **(usage_in_all(measured) or facts.sums),
    )


def _resolved(value: Mapping[str, Any]) -> bool | None:
    """Whether the tests passed, which only the evaluation's report says; None without one."""
    answers = (pick(about, "report", "resolved") for about in (value, value.get("test_result")))
    return next((answer for answer in answers if isinstance(answer, bool)), None)


def _ending(error: str) -> str:
    plain = error[:2_000].lower()
    return next((ending for word, ending in _ERRORS if word in plain), "agent_error")


def _add_conversation(rows: AttemptRows, conversation: _Conversation, given: Mapping[str, str]) -> bool:
    """Adds a conversation of the SDK. False if no model responded in it."""
    files = conversation.files
    events = partial(filed_events, files)
    facts = facts_of(events())
    if not facts.has_response:
        return False
    state = whole_object(*conversation.state) if conversation.state else {}
    if isinstance(directory := pick(state, "workspace", "working_dir"), str):
        facts.workdir = directory
    place = str(PurePosixPath(files[0][1]).parent)
    agents = [one for one in conversation.agents if one.events]
    agents.sort(key=lambda one: pick_text(next(filed_events(one.files)), "timestamp"))
    stored = [
        file for one in (conversation, *agents) for file in (*one.files, *([one.state] if one.state else []))
    ]
    task = pick_text(state, "id") or _home(files[0][0]).name
    digests = "".join(file_digest(path) for path, _ in stored)
    status = pick(state, "execution_status") or facts.state
    rows.add_day(facts.last_at)
    rows.add(
        place,
        agent_with(given.get("agent") or FORM, pick(state, "agent", "llm", "model") or facts.model),
        openhands_trajectory(
            events,
            facts,
            stored,
            place=place,
            digest=hashlib.sha256(digests.encode()).hexdigest(),
            measured=state.get("stats"),
            agents=[partial(filed_events, one.files) for one in agents],
            session=task,
            is_free=_is_free(pick(state, "agent", "llm")),
        ),
        task=task,
        repository=repository_of(facts.workdir),
        outcome=UNKNOWN_OUTCOME,
        ending=_STATES.get(status, "") if isinstance(status, str) else "",
        detail="" if status == "finished" else status,
        **(usage_in_all(state.get("stats")) or facts.sums),
    )
    return True


def _is_free(config: Any) -> bool:
    """Whether the settings of a model say that its tokens cost nothing. Without a price they say None."""
    return all(amount(pick(config, name)) == 0 for name in ("input_cost_per_token", "output_cost_per_token"))


def _number(path: Path) -> int:
    """The number in the name of an event's file: event-00012-ID.json, or event_000012_ID.json of a download."""
    found = _EVENT.match(path.name)
    return int(found[1]) if found else 0
