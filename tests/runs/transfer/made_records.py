"""Run directories as another site would send them: complete, and without a contradiction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.grading.similarity import similarity
from harness.limits import Ending
from harness.patches import FileState, count_lines, make_patch
from harness.records import (
    FileEdit,
    Grade,
    Identity,
    Metrics,
    Outcome,
    RunRecorder,
    RunSummary,
    TestResult,
    TestStatus,
    ToolCall,
    ToolResult,
)
from tasks.loading import find_on_disk
from tasks.models import Task
from tests.harness.worlds import SOLUTION, SOURCE

PATCH = make_patch(
    [FileState("calc/sums.py", SOURCE["calc/sums.py"].encode(), False)],
    [FileState("calc/sums.py", SOLUTION["calc/sums.py"].encode(), False)],
)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Another site, with runs of the tiny task."""

    digest: str
    tests: tuple[str, ...]
    reference: bytes
    identity: Identity = field(init=False)

    def __post_init__(self) -> None:
        identity = Identity(
            run_id="elsewhere-0a1b2c3d/visitor/calc/add-negatives/1",
            evaluation="elsewhere-0a1b2c3d",
            dataset="tiny",
            dataset_version="1",
            repository="calc",
            task="add-negatives",
            task_digest=self.digest,
            agent="visitor",
            agent_name="Visitor",
            agent_kind="ide",
            attempt=1,
            model="openai/some-model",
            settings={"temperature": 0.1},
        )
        object.__setattr__(self, "identity", identity)

    @classmethod
    def knowing(cls, task: Task) -> Elsewhere:
        """A site that has the same task."""
        _, found = find_on_disk(task)
        assert found.proof is not None
        return cls(task.digest, found.proof.tests, found.reference_diff.read_bytes())

    def write(
        self,
        directory: Path,
        *,
        passed: int = 8,
        steps: int = 3,
        text: str = "I look at it.",
        patch: bytes = PATCH,
        summary: Mapping[str, Any] | None = None,
        **identity: Any,
    ) -> Path:
        """A graded run with so many steps; `summary` and `identity` say something else than its records."""
        who = replace(self.identity, **identity)
        recorder = RunRecorder(directory, who)
        recorder.step("user", "Add negatives.")
        for number in range(1, steps):
            call = ToolCall(f"call-{number}", "read_file", {"path": "calc/sums.py"})
            result = ToolResult(call.id, "def add", number > 1, 0.25)
            metrics = Metrics(100, 10, 40, 0.125, seconds=0.5, finish_reason="tool_calls", reasoning_tokens=5)
            step = recorder.step("agent", text, calls=[call], results=[result], metrics=metrics)
            if number == 1:
                recorder.edits(step.step_id, [FileEdit("calc/sums.py", "modified", 1, 4)])
        recorder.patch(patch)
        grade = self._grade(passed)
        recorder.grade(grade)
        recorder.summary(replace(self._summary(who, grade, steps, patch), **(summary or {})))
        return directory

    def files(self, **changes: Any) -> dict[str, bytes]:
        """The files of a run by their names in an archive."""
        with TemporaryDirectory() as name:
            directory = self.write(Path(name) / "run", **changes)
            return {f"run/{path.name}": path.read_bytes() for path in sorted(directory.iterdir())}

    def _grade(self, passed: int) -> Grade:
        statuses: Sequence[TestStatus] = [TestStatus.PASSED] * passed + [TestStatus.FAILED] * 8
        tests = tuple(TestResult(test, status) for test, status in zip(self.tests, statuses, strict=False))
        whole = passed == len(self.tests)
        reason = "all 8 expected tests passed" if whole else f"{8 - passed} of 8 expected tests did not pass"
        return Grade(whole, tests, 0 if whole else 1, 1.0, reason, log="the output of the tests\n")

    def _summary(self, who: Identity, grade: Grade, steps: int, patch: bytes) -> RunSummary:
        files, added, removed = count_lines(patch)
        acted = steps - 1
        return RunSummary(
            identity=who,
            outcome=Outcome.RESOLVED if grade.resolved else Outcome.UNRESOLVED,
            ending=Ending.COMPLETED,
            detail="",
            started_at="2026-03-01T10:00:00.000Z",
            finished_at="2026-03-01T12:00:00.000Z",
            prepare_seconds=0.5,
            act_seconds=acted * 0.8,
            grade_seconds=1.0,
            steps=steps,
            iterations=acted,
            tool_calls=acted,
            failed_calls=1,
            prompt_tokens=100 * acted,
            completion_tokens=10 * acted,
            cached_tokens=40 * acted,
            reasoning_tokens=5 * acted,
            cost_usd=0.125 * acted,
            tests_total=8,
            tests_passed=grade.passed,
            files_changed=files,
            lines_added=added,
            lines_removed=removed,
            grading_reason=grade.reason,
            similarity=similarity(patch, self.reference).to_json(),
        )
