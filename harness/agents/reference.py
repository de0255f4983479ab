"""The reference patch as tool calls: the oracle makes all of them, calibration agents some."""

from __future__ import annotations

import base64
import itertools
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from posixpath import dirname
from typing import Any

from harness.dataset import Repository, Task
from harness.errors import AgentError
from harness.limits import Ending
from harness.patches import FileState, Hunk, apply_patch, make_patch, split_hunks
from harness.records import Step, ToolCall
from harness.session import Session

# What agents that play a workflow's reference conversation say after it, and instead of a turn that they leave out.
NOTHING_LEFT = "There is nothing left to do."
NOT_DONE = "I could not do this."
_CHUNK = 48_000  # characters of base64 in one command, well below the limit of Linux for one argument


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """One step of a plan. `must_succeed`: a failing call means that the plan is wrong."""

    message: str
    calls: tuple[ToolCall, ...] = ()
    must_succeed: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One part of the reference patch that can be made or left out.

    A hunk of a text file, or (`hunk` None) a whole file that becomes `after`: new, deleted, binary, link, mode.
    """

    path: str
    before: FileState | None
    after: FileState
    hunk: Hunk | None = None


def reference_changes(repository: Repository, task: Task) -> list[Change]:
    """Every change of the task's reference patch: deletions first, then by path and line."""
    read = repository.source.read
    changes: list[Change] = []
    states = apply_patch(task.reference_diff.read_bytes(), read)
    for after in sorted(states, key=lambda state: (state.content is not None, state.path)):
        before = read(after.path)
        hunks = _text_hunks(before, after)
        if hunks:
            changes += [Change(after.path, before, after, hunk) for hunk in hunks]
        else:
            changes.append(Change(after.path, before, after))
    return changes


def conversation(
    repository: Repository, task: Task, left_out: Collection[Change] = (), silent: Collection[int] = ()
) -> Iterator[list[PlannedStep]]:
    """The turns of a workflow's reference conversation, each as steps. The last step of a turn is its message.

    `left_out`: changes that are not made. `silent`: the indexes of turns that say NOT_DONE instead of their message.
    """
    if task.workflow is None:
        raise ValueError(f"{task.slug} is no workflow task")
    draft, changes = Draft(), reference_changes(repository, task)
    for number, turn in enumerate(task.workflow.turns):
        steps = [
            PlannedStep("", (draft.call(call.name, **{"explanation": "It helps here.", **call.arguments}),))
            for call in turn.calls
        ]
        for change in changes:
            if change.path in turn.changes and change not in left_out:
                steps.append(PlannedStep("", draft.carry_out(change), must_succeed=True))
        yield [*steps, PlannedStep(NOT_DONE if number in silent else turn.message)]


def talk(session: Session, turns: Iterable[Sequence[PlannedStep]]) -> Ending:
    """Plays one turn after each message of the user, and goes on talking until the user ends the dialogue."""
    waiting = iter(turns)
    session.say("user", session.task.description)
    while True:
        for planned in next(waiting, [PlannedStep(NOTHING_LEFT)]):
            session.checkpoint()
            check_succeeded(planned, session.act(planned.message, planned.calls))
        if session.reply() is None:
            return Ending.COMPLETED


class Draft:
    """Turns changes into calls, with line numbers that are correct after the previous calls."""

    def __init__(self) -> None:
        self._shifts: dict[str, int] = {}
        self._ids = itertools.count(1)

    def call(self, name: str, /, explanation: str, **arguments: Any) -> ToolCall:
        """A call with the next id."""
        return ToolCall(f"call_{next(self._ids)}", name, {"explanation": explanation, **arguments})

    def carry_out(self, change: Change) -> tuple[ToolCall, ...]:
        """The calls that make one change. Changes of one file must be in order."""
        if change.hunk is None:
            return self._whole(change)
        return (self._edit(change.hunk),)

    def _edit(self, hunk: Hunk) -> ToolCall:
        shift = self._shifts.get(hunk.file, 0)
        self._shifts[hunk.file] = shift + len(hunk.new_lines) - len(hunk.old_lines)
        head, old, new = _core(hunk.old_lines, hunk.new_lines)
        line = hunk.old_start + shift + head
        kind = "INSERT" if not old else "REPLACE" if new else "DELETE"
        operation: dict[str, Any] = {"type": kind, "start_line": line}
        if old:
            operation["end_line"] = line + len(old) - 1
        if kind != "DELETE":
            operation["content"] = "".join(new)
        return self.call(
            "edit_file", f"Make the change at line {line}.", path=hunk.file, operations=[operation]
        )

    def _whole(self, change: Change) -> tuple[ToolCall, ...]:
        before, after = change.before, change.after
        calls: list[ToolCall] = []
        if before is not None and (after.content is None or before.link or after.link):
            calls.append(self.call("delete_file", "It has to go.", path=after.path))
        if after.content is None:
            return tuple(calls)
        if after.link:
            target = after.content.decode("utf-8", "surrogateescape")
            return (*calls, self._shell(after.path, f"ln -s {shlex.quote(target)} {shlex.quote(after.path)}"))
        if before is None or before.link or before.content != after.content:
            calls += self._contents(after.path, after.content)
        if (before.mode if before and not before.link else 0o644) != after.mode:
            sign = "+" if after.mode & 0o100 else "-"
            calls.append(self._shell(after.path, f"chmod {sign}x {shlex.quote(after.path)}"))
        return tuple(calls)

    def _contents(self, path: str, content: bytes) -> list[ToolCall]:
        if _is_text(content):
            return [
                self.call("write_file", "Write the file anew.", path=path, content=content.decode("utf-8"))
            ]
        encoded = base64.b64encode(content).decode()
        chunks = [encoded[at : at + _CHUNK] for at in range(0, len(encoded), _CHUNK)] or [""]
        return [
            self._shell(path, f"printf %s {chunk} | base64 -d {'>>' if number else '>'} {shlex.quote(path)}")
            for number, chunk in enumerate(chunks)
        ]

    def _shell(self, path: str, command: str) -> ToolCall:
        folder = shlex.quote(dirname(path) or ".")
        command = f"set -e; mkdir -p -- {folder}; {command}"
        return self.call("run_terminal_cmd", "No other tool can make this change.", command=command)


def check_succeeded(planned: PlannedStep, step: Step) -> None:
    """Raises AgentError when a call failed that must succeed: the task and its reference patch do not match."""
    if not planned.must_succeed:
        return
    for call, result in zip(step.calls, step.results, strict=True):
        if not result.ok:
            raise AgentError(f"{call.name} was expected to succeed and did not: {result.content[:500]}")


def _text_hunks(before: FileState | None, after: FileState) -> list[Hunk]:
    """The hunks from `before` to `after`; none where line edits would not make the change exactly."""
    if before is None or before.link or after.link or before.mode != after.mode:
        return []
    if not all(_is_plain_text(state.content) for state in (before, after)):
        return []
    return split_hunks(make_patch([before], [after]))


def _is_plain_text(content: bytes | None) -> bool:
    return content is not None and content.endswith(b"\n") and b"\r" not in content and _is_text(content)


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _core(old: Sequence[str], new: Sequence[str]) -> tuple[int, Sequence[str], Sequence[str]]:
    """Removes the context: the number of lines before, then the rest of both sides."""
    head = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    old, new = old[head:], new[head:]
    backwards = zip(reversed(old), reversed(new), strict=False)
    tail = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], backwards))
    return head, old[: len(old) - tail], new[: len(new) - tail]
