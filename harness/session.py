"""One run as its agent sees it: checks, makes, records and counts tool calls."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from harness.dataset import Repository, Task
from harness.errors import (
    CANCELLED_BY_OPERATOR,
    AgentError,
    ResumeRefused,
    RunCancelled,
    RunRequeued,
    UserFault,
)
from harness.host_tools.examination import Examiner
from harness.host_tools.host import HostTools
from harness.host_tools.tool_budget import ToolBudget
from harness.limits import LimitReached, Spending
from harness.records import (
    FileEdit,
    Metrics,
    Progress,
    RunRecord,
    RunRecorder,
    SavedConversation,
    Source,
    Step,
    Submission,
    ToolCall,
    ToolResult,
    Used,
    UserEnding,
    drafted,
    now,
)
from harness.sandbox.base import ToolReply, Workspace
from harness.tools.inside.protocol import CHECKED_TOOLS, LOOK, REJECT_SYNTAX_ERRORS
from harness.tools.schema import TOOLS, ToolArgumentError, validate
from harness.tools.selection import with_own_names
from harness.users.base import AgentTurn
from harness.users.dialogue import Dialogue

TOOL_SECONDS = 120.0
_MIN_SECONDS = 1.0
_ONLY_READ = ("read", "search")  # kinds of tools that change nothing


class Control:
    """How a run and its caller communicate while the run goes on. This one ignores reports and never cancels."""

    def state(self, name: str) -> None:
        """Receives "preparing", "running" and "grading" when each begins."""

    def cancelled(self) -> bool:
        """Whether an operator has cancelled the run. Called before every step, and every second during a step."""
        return False

    def leaving(self) -> bool:
        """Whether the process has to end soon. Called before every step; a step that has begun is finished."""
        return False

    def waits(self, text: str) -> None:
        """Receives a sentence about what the run waits for; '' when it goes on."""


def stop_if_cancelled(control: Control) -> None:
    """Raises RunCancelled if an operator has cancelled the run; the `Interrupt` of all long operations."""
    if control.cancelled():
        raise RunCancelled(CANCELLED_BY_OPERATOR)


def stop_if_unwanted(control: Control) -> None:
    """Raises RunCancelled or RunRequeued if nothing new may begin."""
    stop_if_cancelled(control)
    if control.leaving():
        raise RunRequeued("the worker has to stop; the run is returned to the queue")


@dataclass(slots=True)
class Counts:
    """The counts of steps and calls in the summary. `tested_seconds`: the time for tests of submissions.

    `paused_seconds`: while the clock of a person stood still. `earlier_seconds`: in earlier processes, with the seconds
    of tests and pauses there. `repeated_seconds`: while calls of earlier processes were made again.
    """

    steps: int = 0
    tool_calls: int = 0
    failed_calls: int = 0
    tested_seconds: float = 0.0
    paused_seconds: float = 0.0
    earlier_seconds: float = 0.0
    repeated_seconds: float = 0.0


class Session:
    """One run as its agent sees it."""

    def __init__(
        self,
        *,
        repository: Repository,
        task: Task,
        attempt: int,
        workspace: Workspace,
        recorder: RunRecorder,
        spending: Spending,
        control: Control,
        evaluation: str = "",
        dialogue: Dialogue | None = None,
        examiner: Examiner | None = None,
    ) -> None:
        self.repository = repository
        self.task = task
        self.attempt = attempt
        self.evaluation = evaluation
        self.workspace = workspace
        self.recorder = recorder
        self.spending = spending
        self.counts = Counts()
        self.dialogue = dialogue
        self.budget = ToolBudget(spending)
        self._host = HostTools(repository, task, workspace, spending, examiner)
        self._submitted: list[Submission] = []
        self._turn: list[tuple[Step, tuple[FileEdit, ...]]] = []
        self._control = control
        self._only: Collection[str] | None = None
        self._reject_syntax_errors = False
        self._unsaved = False
        if recorder.progress is not None:
            self._go_on(recorder.progress)

    def _go_on(self, saved: Progress) -> None:
        """Restores the counts, what was used, and the files. Raises ResumeRefused if a file is not as it was."""
        files = self.recorder.draft()
        try:
            self.workspace.restore(files)
            found = hashlib.sha256(drafted(self.workspace.peek().after)).hexdigest()
        except (AgentError, LimitReached) as error:
            raise ResumeRefused(f"the files of this run could not be restored: {error}") from error
        if found != (saved.digest or hashlib.sha256(drafted(())).hexdigest()):
            raise ResumeRefused("the files of this run are not the same in a new container")
        self._host.restore(files)
        self.counts = Counts(
            steps=saved.step_id,
            tool_calls=saved.tool_calls,
            failed_calls=saved.failed_calls,
            tested_seconds=saved.tested_seconds,
            paused_seconds=saved.paused_seconds,
            earlier_seconds=saved.acted_seconds + saved.tested_seconds + saved.paused_seconds,
        )
        spending = self.spending
        spending.iterations, spending.tool_uses = saved.iterations, saved.tool_uses
        spending.submissions = saved.submissions
        spending.start(saved.acted_seconds)

    def go_on(self, *, timeout: float = TOOL_SECONDS) -> SavedConversation | None:
        """Makes the calls of earlier processes again in this new workspace, and restores what had been used.

        Call it after `use_tools`. `timeout` as in `act`. None if no earlier process executed a part of this run. Raises
        ResumeRefused if a step does not make the same changes to the workspace, or cannot be made twice, and what `act`
        raises.
        """
        saved = self.recorder.conversation
        if saved is None:
            return None
        began = self.spending.clock()
        record = RunRecord(self.recorder.directory)
        if any(True for _ in record.submissions()):
            raise ResumeRefused("code that was submitted for tests cannot be submitted twice")
        recorded = {step_id: edits.files for step_id, edits in record.edits_by_step()}
        for step in record.steps():
            self._make_again(step, recorded.get(step.step_id, ()), timeout)
        used, spending = saved.used, self.spending
        self.counts = Counts(
            steps=saved.step_id,
            tool_calls=used.tool_calls,
            failed_calls=used.failed_calls,
            earlier_seconds=used.acted_seconds,
            repeated_seconds=spending.clock() - began,
        )
        spending.iterations, spending.tool_uses = used.iterations, used.tool_uses
        spending.prompt_tokens, spending.completion_tokens = used.prompt_tokens, used.completion_tokens
        spending.cached_tokens, spending.reasoning_tokens = used.cached_tokens, used.reasoning_tokens
        spending.cost_usd, spending.doubtful_usd = used.cost_usd, used.doubtful_usd
        spending.start(used.acted_seconds)
        self.waits("")
        return saved

    def _make_again(self, step: Step, recorded: Sequence[FileEdit], timeout: float) -> None:
        """The calls of one step. Raises ResumeRefused if they change other files than before, or in another way."""
        edits: list[FileEdit] = []
        for call, result in zip(step.calls, step.results, strict=False):
            is_made = result.seconds and call.name in TOOLS and TOOLS[call.name].kind not in _ONLY_READ
            if not is_made:
                continue
            self.interrupt()
            self.waits(f"Going on: the calls of step {step.step_id} are made again in a new container.")
            with suppress(ToolArgumentError):
                arguments = validate(call.name, call.arguments, self.task.tools, self._only)
                edits.extend(self._reply(call, arguments, timeout).edits)
        if _changes(self.recorder.redactor.value([asdict(edit) for edit in edits])) != _changes(
            [asdict(edit) for edit in recorded]
        ):
            raise ResumeRefused(
                f"in a new container, the calls of step {step.step_id} do not make the same changes"
            )

    def remember(
        self, messages: Sequence[Mapping[str, Any]], state: Mapping[str, Any], *, finished: bool = False
    ) -> None:
        """Stores what another process needs to go on after the last step: the messages since the last call, and what
        has been used. `finished`: only the grade is missing. Nothing is stored for a workflow, which does not go on.
        """
        if self.dialogue is not None:
            return
        spending, counts = self.spending, self.counts
        used = Used(
            iterations=spending.iterations,
            tool_calls=counts.tool_calls,
            failed_calls=counts.failed_calls,
            tool_uses=spending.tool_uses,
            acted_seconds=spending.clock() - spending.started,
            prompt_tokens=spending.prompt_tokens,
            completion_tokens=spending.completion_tokens,
            cached_tokens=spending.cached_tokens,
            reasoning_tokens=spending.reasoning_tokens,
            cost_usd=spending.cost_usd,
            doubtful_usd=spending.doubtful_usd,
        )
        self.recorder.remember(messages, state, used, finished=finished)

    def save(self, *, finished: bool = False, look: bool = False) -> None:
        """Stores what another process needs to go on with this run, if this one ends at any later moment.

        `finished`: only the grade is missing. `look`: at the files also if no call changed them, since a process in the
        background may have. The seconds are those before the look. Raises what `Workspace.peek` raises.
        """
        spending, counts = self.spending, self.counts
        progress = Progress(
            step_id=counts.steps,
            iterations=spending.iterations,
            tool_calls=counts.tool_calls,
            failed_calls=counts.failed_calls,
            tool_uses=spending.tool_uses,
            submissions=spending.submissions,
            acted_seconds=spending.clock() - spending.started,
            tested_seconds=counts.tested_seconds,
            paused_seconds=counts.paused_seconds,
            finished=finished,
        )
        files = self.workspace.peek().after if look or self._unsaved else None
        self.recorder.save(progress, files)
        self._unsaved = False

    def use_tools(self, *, only: Collection[str], reject_syntax_errors: bool) -> None:
        """Refuses calls of other tools from now on, and edits that add Python syntax errors.

        Without this, all tools of the task are there, and edits are made as they come.
        """
        self._only = only
        self._reject_syntax_errors = reject_syntax_errors
        self.budget = ToolBudget(self.spending, only)

    def say(self, source: Source, message: str) -> Step:
        """Records a message that is not the agent's own (the system prompt, the task, a reminder)."""
        self.counts.steps += 1
        return self.recorder.step(source, message)

    def act(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
        malformed: Mapping[str, str] | None = None,
        timeout: float = TOOL_SECONDS,
    ) -> Step:
        """One agent step: validates and runs the calls in order, records the step and what it changed on disk.

        `malformed` maps ids of unreadable calls to error texts for the model: no tool runs for these calls, and the
        text is their failed result. `timeout` is the limit for each call, in seconds. `metrics` are recorded, not
        charged: the model client has already charged `spending`. Calls that the limits for tools do not allow are
        recorded with the reason and not made. After the last submission `budget.finished` is set.

        Counts one iteration. Raises RunCancelled when the operator cancels the run, AgentError and
        InfrastructureError from the workspace; everything before the error is recorded first.
        """
        self.spending.iterations += 1
        self.counts.steps += 1
        results: list[ToolResult] = []
        edits: list[FileEdit] = []
        try:
            for call in calls:
                self.interrupt()
                started_at = now()
                if not_called := self.budget.use(call.name):
                    result = _refusal(call, not_called)
                elif malformed and call.id in malformed:
                    result = _refusal(call, malformed[call.id])
                else:
                    result = self._call(call, timeout, edits)
                self.counts.tool_calls += 1
                self.counts.failed_calls += not result.ok
                results.append(replace(result, started_at=started_at))
        finally:
            step = self.recorder.step(
                "agent", message, reasoning=reasoning, calls=calls, results=results, metrics=metrics
            )
            self._took(step, edits)
        return step

    def reply(self) -> str | None:
        """Ends the agent's turn. The simulated user's next message, recorded as a step; None: the run ends.

        Always None for tasks without a user. Raises UserFault, what `User.answer` raises, and RunCancelled.
        """
        dialogue = self.dialogue
        if dialogue is None:
            return None
        turn, self._turn = AgentTurn(tuple(self._turn)), []
        answer = dialogue.answer(turn, self.spending, interrupt=self.interrupt, waits=self.waits)
        step_id = 0 if answer.message is None else self.say("user", answer.message).step_id
        self.recorder.user_turn(dialogue.record(answer, step_id))
        if answer.ending is UserEnding.USER_FAULT:
            raise UserFault(answer.reason)
        return answer.message

    def pictures(self, step: Step) -> list[bytes]:
        """The pictures that the tools of a step took, in order."""
        record = RunRecord(self.recorder.directory)
        found = [record.artifact(name) for result in step.results for name in result.artifacts]
        return [picture for picture in found if picture is not None]

    def relayed(
        self,
        message: str,
        calls: Sequence[ToolCall] = (),
        results: Sequence[ToolResult] = (),
        *,
        reasoning: str = "",
        metrics: Metrics | None = None,
        look: bool = True,
    ) -> Step:
        """Records a step that the agent took by itself: its message, its calls, their results, and the changes on
        disk since the previous step, unless it must not `look`. Runs nothing.

        Counts one iteration. Raises AgentError and InfrastructureError from the workspace once the step is recorded.
        """
        self.spending.iterations += 1
        self.counts.steps += 1
        self.counts.tool_calls += len(calls)
        edits: tuple[FileEdit, ...] = ()
        try:
            if look:
                edits = self.workspace.call(LOOK, {}, timeout=self.at_most(TOOL_SECONDS)).edits
        finally:
            step = self.recorder.step(
                "agent", message, reasoning=reasoning, calls=calls, results=results, metrics=metrics
            )
            self._took(step, edits)
        return step

    def checkpoint(self) -> None:
        """Raises LimitReached, RunCancelled or RunRequeued when no further step is allowed.

        Call it before spending.
        """
        stop_if_unwanted(self._control)
        self.spending.check()

    def at_most(self, seconds: float) -> float:
        """So many seconds, or what is left of the wall time, but not less than a moment."""
        left = self.spending.seconds_left
        return seconds if left is None else min(seconds, max(left, _MIN_SECONDS))

    def waits(self, text: str) -> None:
        """Shows the user what the agent is waiting for; '' when it continues."""
        self._control.waits(self.recorder.redactor.text(text))

    def interrupt(self) -> None:
        """Raises RunCancelled when the current step must be aborted. Call it every second while you wait for a
        response that has been paid for."""
        stop_if_cancelled(self._control)

    def _took(self, step: Step, edits: Sequence[FileEdit]) -> None:
        """Records the changes of a step, and shows the step to the simulated user."""
        self.recorder.edits(step.step_id, edits)
        self._unsaved |= bool(edits)
        for submission in self._submitted:
            self.recorder.submission(replace(submission, step_id=step.step_id))
        self._submitted.clear()
        if self.dialogue is not None:
            self._turn.append((step, tuple(edits)))

    def _call(self, call: ToolCall, timeout: float, edits: list[FileEdit]) -> ToolResult:
        left = self.spending.seconds_left
        if left is not None and left <= 0:
            return _refusal(call, "Not called: the time of this run is over.")
        try:
            arguments = validate(call.name, call.arguments, self.task.tools, self._only)
        except ToolArgumentError as error:
            return _refusal(call, str(error))
        reply = self._reply(call, arguments, timeout)
        self._take_submission()
        edits.extend(reply.edits)
        content = (
            reply.content if reply.ok or self._only is None else with_own_names(reply.content, self._only)
        )
        names, lost = self._store(reply.pictures)
        return ToolResult(call.id, content + lost, reply.ok, reply.seconds, names, aside=reply.aside)

    def _reply(self, call: ToolCall, arguments: dict[str, Any], timeout: float) -> ToolReply:
        """The reply to a call with checked arguments."""
        allowed = self._allow(arguments, timeout)
        if self._reject_syntax_errors and call.name in CHECKED_TOOLS:
            arguments[REJECT_SYNTAX_ERRORS] = True
        reply = self._host.call(call.name, arguments, timeout=allowed)
        if reply is None:
            reply = self.workspace.call(call.name, arguments, timeout=allowed)
        if call.name == "read_file" and "list_file_functions" in (self._only or ()):
            reply = self._host.in_place_of(reply, arguments, timeout=allowed)
        return reply

    def _take_submission(self) -> None:
        """Stores what the last call submitted, if it did. It is recorded with its step."""
        made = self._host.submission()
        if made is None:
            return
        self._submitted.append(made)
        self.counts.tested_seconds += made.seconds
        self.budget.finished = made.resolved is not False

    def _allow(self, arguments: dict[str, Any], default: float) -> float:
        """Seconds that a call may take: its own `timeout` or the default, at most what the run has left.

        Also sets the `timeout` of a foreground command, so that the command ends and not its container.
        """
        allowed = self.at_most(float(arguments.get("timeout", default)))
        if "timeout" in arguments or (arguments.get("command") and not arguments.get("background")):
            arguments["timeout"] = allowed
        return allowed

    def _store(self, pictures: Sequence[bytes]) -> tuple[tuple[str, ...], str]:
        """Stores a step's pictures. Their names, and a note for the model about those that were not stored."""
        names, lost = [], []
        for number, picture in enumerate(pictures, 1):
            try:
                names.append(self.recorder.artifact(picture))
            except ValueError as error:
                lost.append(f"\n[picture {number} was not stored: {error}]")
        return tuple(names), "".join(lost)


def _changes(edits: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """What a step changed, in a form to compare."""
    return [(edit["path"], edit["change"], edit["binary"], edit["diff"]) for edit in edits]


def _refusal(call: ToolCall, reason: str) -> ToolResult:
    return ToolResult(call.id, reason, ok=False, seconds=0.0)
