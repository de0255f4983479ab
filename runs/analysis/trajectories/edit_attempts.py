"""What an agent tried to change, call by call: by tools that edit, and by anything else that changed the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.records import FileEdit
from runs.analysis.trajectories.trace import Iteration, Trace, TracedCall


@dataclass(frozen=True, slots=True)
class EditAttempt:
    """One try to change files. `position` is that of its call among all calls of the run, from 0.

    `paths`: what it aimed at. `changed`: what was different in the workspace afterwards. `content`: what came back.
    """

    iteration: int
    step_id: int
    position: int
    paths: tuple[str, ...]
    changed: tuple[FileEdit, ...]
    content: str = ""

    @property
    def landed(self) -> bool:
        """Whether it changed anything. A tool that reports success and changed nothing did not."""
        return bool(self.changed)

    @property
    def lines(self) -> int:
        """How many lines it touched, over its files: the larger of added and removed, so that a replaced one is one."""
        return sum(max(file.added, file.removed) for file in self.changed)


def edit_attempts(trace: Trace) -> tuple[EditAttempt, ...]:
    """Every edit attempt of a run, in order.

    Each call of kind "edit" is one, but for those that only make a directory and those that the run ended before they
    were answered. Where no tool of that kind was in a step, all that its other calls changed in text files is one: what
    a build leaves behind is no edit. A shell command that should have changed something and did not cannot be told
    from one that never meant to.
    """
    found: list[EditAttempt] = []
    position = 0
    for iteration in trace.iterations:
        found += _of_step(iteration, position)
        position += len(iteration.calls)
    return tuple(found)


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
    """Which of a step's calls changed the workspace: the first that may have, or else the last one."""
    acting = (place for place, call in enumerate(iteration.calls) if call.phase == "implementation")
    return next(acting, max(len(iteration.calls) - 1, 0))


def _claimed(call: TracedCall, unclaimed: list[FileEdit], *, alone: bool) -> tuple[FileEdit, ...]:
    """Takes this call's changes out of the step's: all of them when it is its step's only call, or names no file.

    Else the first change of each file that it names: a step holds one change for each call and file, in order.
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
