"""The trajectory for analysis: iterations with their calls and changes, without the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from harness.records import FileEdit, Step, StepEdits, ToolCall
from runs.analysis.facts import sensible
from runs.analysis.trajectories.kinds import (
    Kind,
    Phase,
    called,
    command_of,
    kind_of,
    makes_directory,
    paths_of,
    phase_of,
)
from runs.analysis.trajectories.shell import Doing, doing


@dataclass(frozen=True, slots=True)
class TracedCall:
    """One tool call. `returned` False: the run ended before its result. `ok`: it has a result and is not known to have
    failed; `judged`: it has a result, and the record says whether it failed.

    `paths`: the files it names, relative to the workspace; for a shell command, those that it prints.
    `seconds` is 0 without a valid duration.
    """

    tool: str
    kind: Kind
    phase: Phase
    paths: tuple[str, ...]
    command: str
    arguments: Mapping[str, Any]
    returned: bool
    ok: bool
    content: str
    seconds: float
    judged: bool = True

    @property
    def attempts_edit(self) -> bool:
        """Whether it uses a tool of kind "edit" and has a result. Creating a directory successfully does not count."""
        return self.kind == "edit" and self.returned and not (self.ok and makes_directory(self.tool))


@dataclass(frozen=True, slots=True)
class Iteration:
    """One response of the agent with its calls and the changes of the workspace.

    `number` counts iterations from 1; `step_id` is the step's number in the trajectory, for links. `edits` are all
    differences on disk, `changes` those that count as work. `products`: text files among them from builds and tests.
    """

    number: int
    step_id: int
    message: str
    reasoning: str
    calls: tuple[TracedCall, ...]
    edits: tuple[FileEdit, ...]
    products: frozenset[str] = frozenset()

    @property
    def changes(self) -> tuple[FileEdit, ...]:
        """The edits without files from builds and tests: text files, and other files edited by a tool.

        A file that is not text counts if a call of kind "edit" names it or names no file, or is the only call of the
        step. Text files added by a step that only builds, tests and reads are products until a call edits them.
        """
        if not self.edits:
            return ()
        editing = [call.paths for call in self.calls if call.kind == "edit"]
        if editing and (len(self.calls) == 1 or not all(editing)):
            return self.edits
        named = {path for paths in editing for path in paths}
        return tuple(
            file
            for file in self.edits
            if file.path in named or not (file.binary or file.path in self.products)
        )

    @property
    def attempts_edit(self) -> bool:
        """Whether a call attempted an edit, or the workspace changed in another way."""
        return any(call.attempts_edit for call in self.calls) or bool(self.changes)


class AgentResponse(NamedTuple):
    """All that the agent did between two messages of the user: seconds of model and tools, dollars; None: unknown."""

    seconds: float | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Trace:
    """All iterations of a run, in order. `faults` describes the errors of the record, each once.

    `responses`: what the agent did after each message of the user.
    """

    iterations: tuple[Iteration, ...]
    faults: tuple[str, ...] = ()
    responses: tuple[AgentResponse, ...] = ()

    @property
    def calls(self) -> tuple[TracedCall, ...]:
        """All calls, in order."""
        return tuple(call for iteration in self.iterations for call in iteration.calls)


@dataclass(frozen=True, slots=True)
class Exercise:
    """The task for analysis, and the agent's patch, without the outcome.

    `files`: every file of the workspace at the start, relative; None: unknown. `reference` and `patch` are patches
    in git's format; `reference` None: unknown. `sources`: the text at the start of the files that either patch
    names; None: unknown.
    """

    description: str = ""
    reference: bytes | None = None
    patch: bytes = b""
    files: tuple[str, ...] | None = None
    sources: Mapping[str, str] | None = None


def trace_of(steps: Iterable[Step], edits: Mapping[int, StepEdits], workdir: str = "/app") -> Trace:
    """Reads steps in the given order. Steps of the system and the user are not iterations.

    Missing and repeated step numbers and invalid durations become faults; no record is refused.
    """
    iterations: list[Iteration] = []
    faults: dict[str, None] = {}
    products: set[str] = set()
    responses: list[AgentResponse] = []
    answers = False
    expected = 1
    for step in steps:
        for missing in range(expected, min(step.step_id, expected + 100)):
            faults[f"step {missing} is missing"] = None
        if step.step_id < expected:
            faults[f"step {step.step_id} comes again"] = None
        expected = max(expected, step.step_id + 1)
        if step.source != "agent":
            answers = answers and step.source != "user"
            continue
        responses.append(_taken(step, responses.pop() if answers else AgentResponse(0.0, 0.0)))
        answers = True
        changed = edits.get(step.step_id)
        files = changed.files if changed else ()
        acts = [_Act.of(call) for call in step.calls]
        left = _products(acts, files, products)
        changed_text = any(not file.binary and file.path not in left for file in files)
        calls = tuple(_calls(step, acts, changed_text, workdir, faults))
        iterations.append(
            Iteration(len(iterations) + 1, step.step_id, step.message, step.reasoning, calls, files, left)
        )
    return Trace(tuple(iterations), tuple(faults), tuple(responses))


def _taken(step: Step, before: AgentResponse) -> AgentResponse:
    """What a response took with one more step. An invalid or missing value makes its sum unknown."""
    cost = step.metrics.cost_usd if step.metrics else 0.0
    return AgentResponse(
        None
        if before.seconds is None or (seconds := step.seconds) is None or not sensible(seconds)
        else before.seconds + seconds,
        None if before.cost_usd is None or cost is None or not sensible(cost) else before.cost_usd + cost,
    )


class _Act(NamedTuple):
    """The kind of a call; `doing` is the effect of its shell command."""

    kind: Kind
    command: str
    doing: Doing

    @classmethod
    def of(cls, call: ToolCall) -> Self:
        kind = kind_of(called(call.name, call.arguments))
        command = command_of(call.arguments) if kind == "run" else ""
        return cls(kind, command, doing(command))

    @property
    def only_tries(self) -> bool:
        """Whether all files that it may have changed are from a build or a test."""
        return self.kind in {"read", "search"} or (self.kind == "run" and self.doing != "acts")


def _products(acts: Sequence[_Act], files: Iterable[FileEdit], products: set[str]) -> frozenset[str]:
    """The files that a step changed by builds and tests. `products`: those of earlier steps, updated in place."""
    if any(act.kind == "edit" for act in acts):
        products.difference_update(file.path for file in files)
    elif acts and all(act.only_tries for act in acts):
        products.update(file.path for file in files if file.change == "added")
    return frozenset(file.path for file in files if file.path in products)


def _calls(
    step: Step, acts: Sequence[_Act], changed_text: bool, workdir: str, faults: dict[str, None]
) -> Iterable[TracedCall]:
    # If the step has other commands as well, they changed the files, not its builds and tests.
    edited_otherwise = changed_text and not any(act.kind == "edit" for act in acts)
    others = any(act.kind == "run" and act.doing == "acts" for act in acts)
    for call, act in zip(step.calls, acts, strict=True):
        result = step.result(call)
        seconds = (result.seconds or 0.0) if result else 0.0
        if not sensible(seconds):
            faults[f"a call in step {step.step_id} took {seconds} seconds"] = None
            seconds = 0.0
        yield TracedCall(
            tool=call.name,
            kind=act.kind,
            phase=phase_of(act.kind, act.doing, edited_otherwise and (act.doing == "acts" or not others)),
            paths=paths_of(act.kind, call.arguments, workdir),
            command=act.command,
            arguments=call.arguments,
            returned=result is not None,
            ok=result is not None and result.ok is not False,
            content=result.content if result else "",
            seconds=seconds,
            judged=result is not None and result.ok is not None,
        )
