"""A trajectory as analysis reads it: iterations with their calls and what they changed. It knows no outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.records import FileEdit, Step, StepEdits
from runs.analysis.facts import sensible
from runs.analysis.trajectories.kinds import Kind, Phase, called, command_of, kind_of, paths_of, phase_of


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call. `answered` False: the run ended before its result came. `ok`: it was answered and did not fail.

    `paths`: the files it names, relative to the workspace; of a shell command, those that it prints.
    `seconds` is 0 where the record holds no sensible duration.
    """

    tool: str
    kind: Kind
    phase: Phase
    paths: tuple[str, ...]
    command: str
    arguments: Mapping[str, Any]
    answered: bool
    ok: bool
    content: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Iteration:
    """One response of the agent with its calls and what they changed in the workspace.

    `number` counts iterations from 1; `step_id` is the step's number in the trajectory, for links. `edits` is every
    difference on disk, `changes` those that count as work.
    """

    number: int
    step_id: int
    message: str
    reasoning: str
    calls: tuple[Call, ...]
    edits: tuple[FileEdit, ...]

    @property
    def changes(self) -> tuple[FileEdit, ...]:
        """The edits without what builds and tests leave behind: text files, and others that a call edited as such.

        A file that is no text counts where a call of kind "edit" names it, or names none, or is its step's only call.
        """
        editing = [call.paths for call in self.calls if call.kind == "edit"]
        if editing and (len(self.calls) == 1 or not all(editing)):
            return self.edits
        named = {path for paths in editing for path in paths}
        return tuple(file for file in self.edits if not file.binary or file.path in named)

    @property
    def attempts_edit(self) -> bool:
        """Whether it called a tool of kind "edit", or changed the workspace in another way."""
        return any(call.kind == "edit" for call in self.calls) or bool(self.changes)


@dataclass(frozen=True, slots=True)
class Trace:
    """All iterations of a run, in order. `faults` says in words what is wrong with the record, each once."""

    iterations: tuple[Iteration, ...]
    faults: tuple[str, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls, in order."""
        return tuple(call for iteration in self.iterations for call in iteration.calls)


@dataclass(frozen=True, slots=True)
class Exercise:
    """What was to be done: the task as analysis knows it, and what the agent left behind. No outcome.

    `files`: every file of the workspace at the start, relative; None: not known. `reference` and `patch` are patches
    in git's format; `reference` None: not known. `sources`: the text at the start of those files that either patch
    names; None: not known.
    """

    description: str = ""
    reference: bytes | None = None
    patch: bytes = b""
    files: tuple[str, ...] | None = None
    sources: Mapping[str, str] | None = None


def trace_of(steps: Iterable[Step], edits: Mapping[int, StepEdits], workdir: str = "/app") -> Trace:
    """Reads steps in the order given. Steps of the system and the user are no iterations.

    Missing and repeated step numbers and impossible durations become faults; nothing is refused.
    """
    iterations: list[Iteration] = []
    faults: dict[str, None] = {}
    expected = 1
    for step in steps:
        for missing in range(expected, min(step.step_id, expected + 100)):
            faults[f"step {missing} is missing"] = None
        if step.step_id < expected:
            faults[f"step {step.step_id} comes again"] = None
        expected = max(expected, step.step_id + 1)
        if step.source != "agent":
            continue
        changed = edits.get(step.step_id)
        files = changed.files if changed else ()
        calls = tuple(_calls(step, files, workdir, faults))
        iterations.append(
            Iteration(len(iterations) + 1, step.step_id, step.message, step.reasoning, calls, files)
        )
    return Trace(tuple(iterations), tuple(faults))


def _calls(step: Step, files: Sequence[FileEdit], workdir: str, faults: dict[str, None]) -> Iterable[Call]:
    kinds = [kind_of(called(call.name, call.arguments)) for call in step.calls]
    edited_otherwise = "edit" not in kinds and not all(file.binary for file in files)
    for call, kind in zip(step.calls, kinds, strict=True):
        result = step.result(call)
        seconds = result.seconds if result else 0.0
        if not sensible(seconds):
            faults[f"a call in step {step.step_id} took {seconds} seconds"] = None
            seconds = 0.0
        command = command_of(call.arguments) if kind == "run" else ""
        yield Call(
            tool=call.name,
            kind=kind,
            phase=phase_of(kind, command, edited_otherwise),
            paths=paths_of(kind, call.arguments, workdir),
            command=command,
            arguments=call.arguments,
            answered=result is not None,
            ok=result is not None and result.ok,
            content=result.content if result else "",
            seconds=seconds,
        )
