"""Edit attempts of an agent: calls of editing tools, and other calls that changed the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.records import FileEdit
from runs.analysis.trajectories.trace import Iteration, Trace, TracedCall


@dataclass(frozen=True, slots=True)
class EditAttempt:
    """One attempt to change files. `position` is the index of its call among all calls of the run.

    `paths`: the target files. `changed`: the changes of the workspace. `content`: the result of the call.
    """

    iteration: int
    step_id: int
    position: int
    paths: tuple[str, ...]
    changed: tuple[FileEdit, ...]
    content: str = ""

    @property
    def landed(self) -> bool:
        """Whether it changed anything, whatever the tool reported."""
        return bool(self.changed)

    @property
    def lines(self) -> int:
        """The number of changed lines over its files: the larger of added and removed, so a replaced line
        counts once.
        """
        return sum(max(file.added, file.removed) for file in self.changed)


def edit_attempts(trace: Trace) -> tuple[EditAttempt, ...]:
    """Every edit attempt of a run, in order.

    Each call of kind "edit" is one, except calls that only create a directory and calls without a result. In a step
    without such a call, all changes of text files by its other calls are one attempt, without files from builds. A
    shell command that failed to change anything is not recognised as an attempt.
    """
    attempts: list[EditAttempt] = []
    position = 0
    for iteration in trace.iterations:
        attempts += _of_step(iteration, position)
        position += len(iteration.calls)
    return tuple(attempts)


def _of_step(iteration: Iteration, position: int) -> Iterator[EditAttempt]:
    edits = [(place, call) for place, call in enumerate(iteration.calls) if call.kind == "edit"]
    if not edits:
        if changes := iteration.changes:
            place = _of_shell(iteration)
            paths = tuple(dict.fromkeys(file.path for file in changes))
            yield EditAttempt(iteration.number, iteration.step_id, position + place, paths, changes)
        return
    unclaimed = list(iteration.changes)
    for place, call in edits:
        changed = _claimed(call, unclaimed, alone=len(iteration.calls) == 1)
        if changed or call.attempts_edit:
            yield EditAttempt(
                iteration.number, iteration.step_id, position + place, call.paths, changed, call.content
            )


def _of_shell(iteration: Iteration) -> int:
    """The index of the call that changed the workspace: the first possible one, or else the last call."""
    acting = (place for place, call in enumerate(iteration.calls) if call.phase == "implementation")
    return next(acting, max(len(iteration.calls) - 1, 0))


def _claimed(call: TracedCall, unclaimed: list[FileEdit], *, alone: bool) -> tuple[FileEdit, ...]:
    """Removes this call's changes from those of the step: all if it is the only call, or names no file.

    Otherwise the first change of each file that it names: a step has one change for each call and file, in order.
    """
    if alone or not call.paths:
        everything = tuple(unclaimed)
        unclaimed.clear()
        return everything
    first = (next((file for file in unclaimed if file.path == path), None) for path in call.paths)
    mine = tuple(file for file in first if file is not None)
    for file in mine:
        unclaimed.remove(file)
    return mine
