"""Proves that a workflow task is usable: doing nothing fails, the reference conversation passes, repeatably."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.admission.refusal import Admission, named, passed, tally
from harness.agents.base import AgentSpec
from harness.agents.oracle import OracleAgent
from harness.dataset import Proof, Repository, Task, Workflow
from harness.errors import AgentError
from harness.grading.agent_patch import patch_of
from harness.grading.verifiers.probing import unfailing
from harness.grading.verifiers.verifying import Verification, verify
from harness.limits import Limits, Spending
from harness.records import Identity, RunRecord, RunRecorder, Step, TestStatus, now
from harness.sandbox.base import Engine
from harness.scratch import scratch
from harness.session import Control, Session
from harness.users.dialogue import Dialogue
from harness.users.scripted_user import ScriptedUser
from harness.version import __version__


def admit_scenario(
    repository: Repository, task: Task, workflow: Workflow, engine: Engine, repeats: int, *, instance: str
) -> Proof:
    """The proof of a scenario, for all of its personas. Raises AdmissionRefused with the reason.

    Ceiling: after the reference conversation, played once in a workspace, every verifier passes. Floor: on the pristine
    tree without a conversation, at least one fails. Both `repeats` times, with the same results. A verifier that passes
    on the floor has to be able to fail; `harness.grading.verifiers.probing` has the rule.
    """
    return _Admission(repository, task, workflow, engine, instance).proof(repeats)


class _Admission(Admission):
    def __init__(
        self, repository: Repository, task: Task, workflow: Workflow, engine: Engine, instance: str
    ) -> None:
        super().__init__(repository, task, engine, instance)
        self.workflow = workflow

    def proof(self, repeats: int) -> Proof:
        patch, steps = self.reference()
        ceilings = [self.verify(patch, steps) for _ in range(repeats)]
        self.oracle = tally(ceilings[0].results)
        self.require_same("after the reference conversation", [one.results for one in ceilings])
        self.require_all_passed(ceilings[0])
        floors = [self.verify(b"", ()) for _ in range(repeats)]
        self.null = tally(floors[0].results)
        self.require_same("on the pristine tree", [one.results for one in floors])
        passed_before = passed(floors[0].results)
        names = [verifier.name for verifier in self.workflow.verifiers]
        if len(passed_before) == len(names):
            raise self.refused(
                f"without a conversation all {len(names)} verifiers pass: there is nothing to do"
            )
        self.require_able_to_fail(passed_before)
        return Proof(
            digest=self.task.digest,
            fail_to_pass=tuple(name for name in names if name not in passed_before),
            pass_to_pass=tuple(name for name in names if name in passed_before),
            repeats=repeats,
            proved_at=now(),
            harness_version=__version__,
            floor_passed=len(passed_before),
            ceiling_seconds=round(max(one.seconds for one in ceilings), 3),
        )

    def reference(self) -> tuple[bytes, tuple[Step, ...]]:
        """Plays the reference conversation. The changes that it made, and its steps with the results of its calls."""
        with scratch("admission") as directory:
            try:
                return self.play(directory / "run")
            except AgentError as error:
                raise self.refused(f"the reference conversation cannot be played: {error}") from None

    def play(self, directory: Path) -> tuple[bytes, tuple[Step, ...]]:
        dialogue = Dialogue(self.workflow, ScriptedUser(self.workflow))
        with self.engine.workspace(
            self.repository,
            self.use,
            tools=self.task.tools,
        ) as workspace:
            session = Session(
                repository=self.repository,
                task=self.task,
                attempt=1,
                workspace=workspace,
                recorder=RunRecorder(directory, self.identity()),
                spending=Spending(Limits(iterations=None, wall_seconds=None)),
                control=Control(),
                dialogue=dialogue,
            )
            OracleAgent(AgentSpec("oracle", "oracle")).run(session)
            made = patch_of(workspace.changes())
        return made.diff, tuple(RunRecord(directory).steps())

    def identity(self) -> Identity:
        return Identity(
            run_id=self.use.owner.run_id,
            evaluation="admission",
            dataset="",
            dataset_version="",
            repository=self.repository.slug,
            task=self.task.slug,
            task_digest=self.task.digest,
            agent="oracle",
            agent_name="oracle",
            agent_kind="oracle",
            attempt=1,
            calibration=True,
        )

    def verify(self, patch: bytes, steps: Sequence[Step]) -> Verification:
        return verify(
            self.engine,
            self.repository,
            self.task,
            self.workflow.verifiers,
            patch,
            steps=steps,
            use=self.use,
            seconds=self.workflow.limits.verifier_seconds,
        )

    def require_all_passed(self, ceiling: Verification) -> None:
        unfit = [result for result in ceiling.results if result.status is not TestStatus.PASSED]
        if unfit:
            raise self.refused(
                f"after the reference conversation {len(unfit)} of {len(ceiling.results)} verifiers do not pass: "
                f"{named(unfit)}"
            )

    def require_able_to_fail(self, passed: frozenset[str]) -> None:
        found = unfailing(
            self.engine,
            self.repository,
            self.task,
            [verifier for verifier in self.workflow.verifiers if verifier.name in passed],
            use=self.use,
            seconds=self.workflow.limits.verifier_seconds,
        )
        if found:
            raise self.refused(
                f"verifiers that pass without a conversation, and even in a workspace without files: {', '.join(found)}"
            )
