"""The conversation of a run with its model, so that another process can go on after the last complete step.

One line for each complete step: the messages that it added, and what the run had used by then. The file has secrets
that records do not have; it is deleted when the run has its verdict.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import ResumeRefused
from harness.records.progress import is_locked
from harness.records.reader import SUMMARY
from harness.records.whole_file import space_for

CONVERSATION = "conversation.jsonl"
UNFINISHED = frozenset({"infrastructure", "cancelled"})  # endings after which a run may go on


@dataclass(frozen=True, slots=True)
class Used:
    """What a run had used at the end of a step. Seconds without waits and tests; None is an unknown amount."""

    iterations: int
    tool_calls: int
    failed_calls: int
    tool_uses: int
    acted_seconds: float
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    reasoning_tokens: int | None
    cost_usd: float | None
    doubtful_usd: float


@dataclass(frozen=True, slots=True)
class SavedConversation:
    """A stored conversation. `state`: what else the agent needs. `finished`: only the grade is missing."""

    step_id: int
    messages: tuple[dict[str, Any], ...]
    state: Mapping[str, Any]
    used: Used
    finished: bool


def append(
    directory: Path,
    step_id: int,
    messages: Sequence[Mapping[str, Any]],
    state: Mapping[str, Any],
    used: Used,
    *,
    finished: bool,
) -> None:
    """Stores what a step added. It is on disk when this returns. Raises DiskFull."""
    line = {
        "step_id": step_id,
        "messages": messages,
        "state": state,
        "used": asdict(used),
        "finished": finished,
    }
    content = json.dumps(line, default=_plain).encode() + b"\n"
    with space_for(directory), (directory / CONVERSATION).open("ab") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def saved_conversation(directory: Path) -> SavedConversation | None:
    """What is stored, without a line that was cut off; None without a whole line. Raises ResumeRefused if broken."""
    try:
        with (directory / CONVERSATION).open("r+b") as file:
            lines = [line for line in file if line.endswith(b"\n")]
            file.truncate(sum(map(len, lines)))
    except FileNotFoundError:
        return None
    if not lines:
        return None
    try:
        stored = [json.loads(line) for line in lines]
        last = stored[-1]
        return SavedConversation(
            last["step_id"],
            tuple(message for one in stored for message in one["messages"]),
            last["state"],
            Used(**last["used"]),
            last["finished"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ResumeRefused(f"{CONVERSATION} is not readable: {error}") from error


def can_go_on(directory: Path) -> bool:
    """Whether a run may go on in this directory: it has a conversation and no verdict, and no process executes it."""
    return (directory / CONVERSATION).exists() and _unfinished(directory) and not is_locked(directory)


def reopen(directory: Path) -> None:
    """Removes the summary of a run that may go on. Raises ResumeRefused if the run has a verdict."""
    if not (directory / SUMMARY).exists():
        return
    if not ((directory / CONVERSATION).exists() and _unfinished(directory)):
        raise ResumeRefused(f"this run has ended: {directory}")
    (directory / SUMMARY).unlink()


def forget(directory: Path) -> None:
    """Removes the conversation of a run that will not go on."""
    (directory / CONVERSATION).unlink(missing_ok=True)


def _unfinished(directory: Path) -> bool:
    try:
        summary = json.loads((directory / SUMMARY).read_bytes())
    except FileNotFoundError:
        return True
    except ValueError:
        return False
    return isinstance(summary, dict) and summary.get("ending") in UNFINISHED


def _plain(value: Any) -> Any:
    """A part of LiteLLM's response as JSON has it."""
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} is no part of a conversation")
    return dump(exclude_none=True)
