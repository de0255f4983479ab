"""Tests what an agent submits during its run, in a clean container, as a grade without traps."""

from __future__ import annotations

from harness.dataset import Repository, Task
from harness.grading.agent_patch import patch_of
from harness.grading.grade import require_proof
from harness.grading.hidden_tests import run_hidden_tests
from harness.grading.verdict import judge
from harness.host_tools.examination import Examination
from harness.sandbox.base import Changes, ContainerUse, Engine


class HiddenTests:
    """Runs the hidden tests of one task. The result is feedback for the agent; the grade comes after the run.

    Without traps: their failures would be shown to the agent, and results that it forges here end its run, which is
    then graded with them. The workspace of the agent exists meanwhile, so a run has two containers.
    """

    def __init__(self, engine: Engine, repository: Repository, task: Task, use: ContainerUse) -> None:
        self._engine = engine
        self._repository = repository
        self._task = task
        self._use = use
        self._proof, _ = require_proof(repository, task)

    def examine(self, changes: Changes) -> Examination:
        """See `Examiner.examine`. The tests that fail at the start come first."""
        before = {state.path: state for state in changes.before}
        run = run_hidden_tests(
            self._engine,
            self._repository,
            self._task,
            patch_of(changes).diff,
            use=self._use,
            read=before.get,
            expected=self._proof.tests,
        )
        verdict = judge(self._proof.tests, run.results, exit_code=run.command.exit_code, trouble=run.trouble)
        return Examination(verdict.tests, verdict.resolved, "" if verdict.resolved else verdict.reason)
