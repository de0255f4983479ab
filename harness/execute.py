"""Executes a run: prepare → act → record → grade."""

from __future__ import annotations

import logging
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.agents.base import Agent, AgentSpec, Configured, Layered, Resumable
from harness.agents.registry import TRUSTED_KINDS, create_agent
from harness.dataset import Repository, Task, started
from harness.errors import (
    CANCELLED_BY_OPERATOR,
    AgentError,
    ConfigurationError,
    ContextLimitReached,
    DiskFull,
    InfrastructureError,
    ModelError,
    ResumeRefused,
    RunCancelled,
    RunRequeued,
)
from harness.grading.agent_patch import AgentPatch, patch_of
from harness.grading.grade import grade, require_proof
from harness.grading.similarity import similarity_or_nothing
from harness.limits import LOCAL_RATES, Ending, Ledger, LimitReached, Limits, RateLimiter, Spending
from harness.llm.spec import ModelSpec
from harness.patches import FileState, count_lines
from harness.records import (
    MAX_BYTES,
    NO_SPACE,
    PATCH,
    Flag,
    Grade,
    Identity,
    Outcome,
    RunRecord,
    RunRecorder,
    RunSummary,
    forget,
    now,
)
from harness.redaction import Redactor
from harness.sandbox.base import Changes, ContainerLimits, ContainerUse, Engine, ImageLayer, Owner, Workspace
from harness.session import Control, Counts, Session, stop_if_cancelled, stop_if_unwanted
from harness.submissions import HiddenTests
from harness.tools.schema import offered
from harness.users.dialogue import Dialogue
from harness.users.model_user import create_user
from harness.version import __version__

_REDACTED = Flag("redacted", PATCH, "stored without what looks like a secret; the whole patch was graded")
_NOT_ISOLATED = Flag(
    "without_container", "", "acted and was graded on the host itself: the numbers are not comparable"
)
_UNGRADED = {Ending.CANCELLED, Ending.INFRASTRUCTURE}
# What Python raises for content that our code did not expect.
_CAUSED_BY_CONTENT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
_log = logging.getLogger(__name__)


def execute_run(
    *,
    repository: Repository,
    task: Task,
    agent: AgentSpec,
    identity: Identity,
    directory: Path,
    engine: Engine,
    limits: Limits,
    container: ContainerLimits | None = None,
    control: Control | None = None,
    ledger: Ledger | None = None,
    rates: RateLimiter | None = None,
    instance: str = "shell",
    record_bytes: int = MAX_BYTES,
    user: ModelSpec | None = None,
    competitor: Agent | None = None,
) -> RunSummary:
    """Runs `agent` on `task` once and grades it. Writes its records to `directory`, which must not exist yet.

    Raises ConfigurationError or NotAdmitted for invalid arguments, before it creates the directory. All later errors
    end in a summary that shows their cause. Exceptions that stop the process (KeyboardInterrupt, SystemExit,
    RunRequeued) are raised after the containers are removed, without a summary. DiskFull is raised if there is no
    space for the summary.

    A run that ended by completion, by a limit or by its agent's fault is graded; if it is resolved and its agent is not
    one of TRUSTED_KINDS, a second time under other traps. A cancelled run is not graded and its outcome is
    `unresolved`. A run that ended by an infrastructure failure (including the model's provider) is not graded and its
    outcome is `infrastructure_failed`.

    `instance` labels the containers, for `Engine.sweep`. `ledger` and `rates` are shared with other runs. The run ends
    if its records would exceed `record_bytes`. `user`: the model that plays the user of a workflow task; None: the user
    follows its script. `competitor`: the agent itself, if it needs more than `agent` says: a person. A second call with
    its directory goes on after the last request that was answered. Raises ResumeRefused if another process executes the
    run or its files were not restored, and RunRequeued instead of ending a run by an infrastructure failure.
    A run of a `Resumable` agent without a verdict goes on after its last complete step (see `records.can_go_on`).
    """
    require_proof(repository, task)
    offered(task.tools)
    _check_engine(engine, agent)
    is_person, competitor = competitor is not None, competitor or create_agent(agent)
    resumable = isinstance(competitor, Resumable) and competitor.resumable and not task.workflow
    if isinstance(competitor, Configured):
        identity = replace(identity, effective=competitor.effective_settings(limits))
    run = _Run(
        repository=started(repository, task),
        task=task,
        agent=agent,
        identity=identity,
        engine=engine,
        limits=limits,
        container=container or ContainerLimits(),
        control=control or Control(),
        owner=Owner(instance, identity.run_id, identity.try_number),
        dialogue=_dialogue(task, user, ledger, rates, identity.attempt),
        recorder=_recorder(directory, identity, agent, user, record_bytes, resume=is_person or resumable),
        spending=Spending(limits, ledger=ledger, rates=rates or LOCAL_RATES),
        is_person=is_person,
    )
    return run.execute(competitor)


@dataclass(slots=True)
class _Run:
    """The state of a run."""

    repository: Repository
    task: Task
    agent: AgentSpec
    identity: Identity
    engine: Engine
    limits: Limits
    container: ContainerLimits
    control: Control
    owner: Owner
    recorder: RunRecorder
    spending: Spending
    dialogue: Dialogue | None = None
    is_person: bool = False
    started_at: str = field(default_factory=now)
    ending: Ending = Ending.INFRASTRUCTURE
    detail: str = ""
    failure: str = ""
    preparing: bool = True
    session: Session | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    patch: bytes = b""
    flags: list[Flag] = field(default_factory=list)
    pristine: Mapping[str, FileState] = field(default_factory=dict)
    result: Grade | None = None
    layer: ImageLayer | None = None

    def execute(self, competitor: Agent) -> RunSummary:
        """The whole run. In the end another process may resume it, if it has no summary."""
        if not self.engine.isolated:
            self.flags.append(_NOT_ISOLATED)
        if self.goes_on:
            self.started_at = next(RunRecord(self.recorder.directory).steps()).timestamp
        try:
            self.act_and_grade(competitor)
            return self.summarise()
        except ResumeRefused:
            forget(self.recorder.directory)
            raise
        finally:
            self.recorder.close()

    @property
    def goes_on(self) -> bool:
        """Whether an earlier process has executed a part of the run."""
        return self.recorder.progress is not None or self.recorder.conversation is not None

    def ended(self, ending: Ending, detail: str = "", failure: str = "") -> None:
        """Sets why the run ended, and which part of the infrastructure failed. Replaces an earlier reason."""
        # The last words of a container may have zeros, which no database stores in a text.
        self.ending, self.detail, self.failure = ending, detail.replace("\0", "\ufffd"), failure

    @property
    def use(self) -> ContainerUse:
        """How its containers run."""
        return ContainerUse(self.owner, self.container, self.interrupt)

    def interrupt(self) -> None:
        """Interrupts long operations. Steps and grading only stop if the run is cancelled, preparation in any case."""
        (stop_if_unwanted if self.preparing else stop_if_cancelled)(self.control)

    def act_and_grade(self, agent: Agent) -> None:
        """The whole run. Every failure that does not stop the process becomes the run's ending."""
        try:
            self.prepare_and_act(agent)
            self.grade()
        except (RunRequeued, ResumeRefused):
            raise
        except RunCancelled as error:
            self.ended(Ending.CANCELLED, str(error))
        except InfrastructureError as error:
            self.failed(str(error), error.kind, error)
        except OSError as error:
            _log.exception("run %s broke off", self.identity.run_id)
            full = error.errno in NO_SPACE
            self.failed(f"this host failed: {error}", DiskFull.kind if full else "host", error)
        except Exception as error:
            _log.exception("run %s broke off", self.identity.run_id)
            reason = f"unexpected {type(error).__name__}: {error}"
            if isinstance(error, _CAUSED_BY_CONTENT) and not self.preparing:
                # Content of the agent's that the harness did not expect. As a failure of the infrastructure it would
                # exclude the run: every agent could have its runs excluded.
                self.ended(Ending.AGENT_ERROR, reason)
            else:
                self.failed(reason, "harness", error)

    def failed(self, detail: str, part: str, cause: Exception) -> None:
        """Ends the run by a failure of the infrastructure. A person's does not end: another process goes on with it."""
        if self.is_person:
            raise RunRequeued(detail) from cause
        self.ended(Ending.INFRASTRUCTURE, detail, part)

    def prepare_and_act(self, competitor: Agent) -> None:
        """Runs the agent in a workspace and sets the ending and, if the workspace is readable, the patch."""
        self.control.state("preparing")
        began = time.monotonic()
        if self.is_person or self.goes_on:  # what a process that was killed left
            self.engine.sweep(self.owner.instance, run_id=self.owner.run_id)
        if isinstance(competitor, Layered):
            self.layer = competitor.layer
        with self.engine.workspace(
            self.repository,
            self.use,
            # An agent with its own programs does not call the harness's tools.
            tools=() if self.layer else self.task.tools,
            layer=self.layer,
        ) as workspace:
            self.preparing = False
            self.seconds["prepare"] = time.monotonic() - began
            self.control.state("running")
            with self.timed("act"):
                self.ended(*self.act(competitor, workspace))
                self.store_patch(workspace.changes)

    def act(self, competitor: Agent, workspace: Workspace) -> tuple[Ending, str, str]:
        """Runs the agent. Returns why it stopped, the details, and which part of the infrastructure failed."""
        self.spending.start()
        session = Session(
            repository=self.repository,
            task=self.task,
            attempt=self.identity.attempt,
            evaluation=self.identity.evaluation,
            workspace=workspace,
            recorder=self.recorder,
            spending=self.spending,
            control=self.control,
            dialogue=self.dialogue,
            examiner=self.examiner(),
        )
        self.session = session
        if self.dialogue:
            self.dialogue.begin(self.spending)
        try:
            return competitor.run(session), "", ""
        except (LimitReached, ContextLimitReached, AgentError) as error:
            return self.stopped(error)
        except RunCancelled as error:
            return Ending.CANCELLED, str(error), ""
        except ModelError as error:
            # Not the agent's fault (the provider fails, or the account); another try may succeed.
            return Ending.INFRASTRUCTURE, str(error), error.cause.value

    def examiner(self) -> HiddenTests | None:
        """Tests what the agent submits during its run; None for a workflow, which has no hidden tests."""
        if self.task.workflow:
            return None
        return HiddenTests(
            self.engine,
            self.repository,
            self.task,
            use=self.use,
        )

    def stopped(self, error: LimitReached | ContextLimitReached | AgentError) -> tuple[Ending, str, str]:
        """As `act`, for a run that a limit or the agent's fault ended, and its conversation with it."""
        if self.dialogue:
            self.dialogue.stopped(error)
        if isinstance(error, LimitReached):
            return error.ending, str(error), ""
        broken = isinstance(error, AgentError)
        return Ending.AGENT_ERROR if broken else Ending.CONTEXT_LIMIT, str(error), ""

    def store_patch(self, changes: Callable[[], Changes]) -> None:
        """Stores the agent's changes as a patch. The patch is optional for a run that is not graded."""
        found = Changes()
        try:
            found = changes()
            made = patch_of(found)
        except (AgentError, LimitReached) as error:
            # The changes are too big, too many, or make no patch: graded without them.
            self.broken_by_agent(error)
            found, made = Changes(), AgentPatch()
        except InfrastructureError:
            if self.ending not in _UNGRADED:
                raise
            return
        self.pristine = {state.path: state for state in found.before}
        self.patch = made.diff
        self.flags.extend(made.flags)
        if not self.recorder.patch(self.patch):
            self.flags.append(_REDACTED)

    def broken_by_agent(self, error: AgentError | LimitReached) -> None:
        """Sets the ending of a run whose changes cannot be graded, unless it has a reason that weighs more."""
        if self.ending not in {*_UNGRADED, Ending.FILE_LIMIT}:
            self.ended(error.ending if isinstance(error, LimitReached) else Ending.AGENT_ERROR, str(error))

    def grade(self) -> None:
        """Grades the patch in a clean container."""
        if self.ending not in _UNGRADED and self.control.cancelled():
            self.ended(Ending.CANCELLED, CANCELLED_BY_OPERATOR)
        if self.ending in _UNGRADED:
            return
        self.control.state("grading")
        with self.timed("grade"):
            self.result = grade(
                self.engine,
                self.repository,
                self.task,
                self.patch,
                use=self.use,
                read=self.pristine.get,
                repeat=self.limits.grade_repeats,
                confirm=self.agent.kind not in TRUSTED_KINDS,
                steps=RunRecord(self.recorder.directory).steps(),
            )
        self.recorder.grade(self.result)

    def summarise(self) -> RunSummary:
        """Writes the summary without secrets, and returns it."""
        files, added, removed = count_lines(self.patch)
        spent, result = self.spending, self.result
        user = self.dialogue.summary() if self.dialogue else None
        counts = self.session.counts if self.session else Counts()
        limited = self.session is not None and self.session.budget.counts
        others = counts.tested_seconds + counts.paused_seconds + (user.seconds if user else 0.0)
        others += spent.waited_seconds + counts.repeated_seconds
        self.recorder.summary(
            RunSummary(
                identity=self.identity,
                outcome=self.outcome(),
                ending=self.ending,
                detail=self.detail,
                started_at=self.started_at,
                finished_at=now(),
                prepare_seconds=self.seconds.get("prepare", 0.0),
                act_seconds=max(0.0, self.seconds.get("act", 0.0) + counts.earlier_seconds - others),
                grade_seconds=self.seconds.get("grade", 0.0),
                steps=counts.steps,
                iterations=spent.iterations,
                tool_calls=counts.tool_calls,
                failed_calls=counts.failed_calls,
                prompt_tokens=spent.prompt_tokens,
                completion_tokens=spent.completion_tokens,
                cached_tokens=spent.cached_tokens,
                cost_usd=spent.cost_usd,
                tests_total=len(self.task.proof.tests) if self.task.proof else 0,
                tests_passed=result.passed if result else 0,
                files_changed=files,
                lines_added=added,
                lines_removed=removed,
                grading_reason=result.reason if result else "not graded",
                flags=(*self.flags, *(result.flags if result else ())),
                harness_version=__version__,
                environment=self.environment(),
                failure=self.failure,
                reasoning_tokens=spent.reasoning_tokens,
                user=user,
                repair=result.repair if result else None,
                tool_uses=spent.tool_uses if limited else None,
                submissions=spent.submissions if limited else None,
                solved_at_submission=self.solved_at_submission(),
                similarity=similarity_or_nothing(self.patch, self.task.reference_diff.read_bytes())
                if result
                else {},
            )
        )
        written = RunRecord(self.recorder.directory).summary()
        assert written is not None
        return written

    def solved_at_submission(self) -> int | None:
        """The first submission that resolved the task, by its tests or, for a final patch, by the grade."""
        for one in RunRecord(self.recorder.directory).submissions():
            if one.resolved or (one.resolved is None and self.outcome() is Outcome.RESOLVED):
                return one.number
        return None

    def outcome(self) -> Outcome:
        """The outcome of the run."""
        if self.ending is Ending.INFRASTRUCTURE:
            return Outcome.INFRASTRUCTURE_FAILED
        return Outcome.RESOLVED if self.result and self.result.resolved else Outcome.UNRESOLVED

    def environment(self) -> dict[str, Any]:
        """The environment of the run, for reproducing it."""
        engine = self.engine.about()
        return {
            "engine": engine.description,
            "runtime": engine.runtime,
            "isolated": engine.isolated,
            "host": platform.platform(),
            "python": platform.python_version(),
            "container": asdict(self.container),
            "limits": self.limits.stored(),
            **({"layer": {"name": self.layer.name, "digest": self.layer.digest}} if self.layer else {}),
        }

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Stores the wall time of a phase, also if it raises."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = time.monotonic() - began


def _check_engine(engine: Engine, agent: AgentSpec) -> None:
    if not engine.isolated and agent.kind not in TRUSTED_KINDS:
        raise ConfigurationError(
            f"{agent.kind} agents act in containers only: the local backend is for {', '.join(sorted(TRUSTED_KINDS))}"
        )


def _dialogue(
    task: Task, user: ModelSpec | None, ledger: Ledger | None, rates: RateLimiter | None, attempt: int
) -> Dialogue | None:
    """The conversation of a workflow task; None for others."""
    if task.workflow is None:
        return None
    return Dialogue(
        task.workflow, create_user(task.workflow, user, ledger=ledger, rates=rates, attempt=attempt)
    )


def _recorder(
    directory: Path,
    identity: Identity,
    agent: AgentSpec,
    user: ModelSpec | None,
    record_bytes: int,
    *,
    resume: bool,
) -> RunRecorder:
    redactor = _redactor(agent, user)
    return RunRecorder(directory, identity, redactor=redactor, most_bytes=record_bytes, resume=resume)


def _redactor(agent: AgentSpec, user: ModelSpec | None) -> Redactor:
    """Redacts the secrets of this process and the keys of the agent's and the user's model."""
    models = [model for model in (agent.model, user) if model]
    return Redactor.from_environment(named=[model.api_key_variable for model in models])
