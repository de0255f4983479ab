"""The exam: a clean container, the agent's patch, the hidden tests, the manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.dataset import Repository, Task
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.grading.policy import Carried, Policy
from harness.grading.repeats import combine
from harness.grading.reports import is_printed, read_results
from harness.grading.results import ReportError
from harness.grading.verdict import judge
from harness.patches import PatchError, ReadFile, added_lines, apply_patch, touched_paths
from harness.records import Flag, Grade, TestResult
from harness.sandbox.base import CommandResult, ContainerLimits, Engine, Interrupt, Owner

READ_FROM_OUTPUT = "read from printed output, not from a report"


class NotAdmitted(HarnessError):
    """A task has no proof for its present files, so nobody knows which tests have to pass."""

    def __init__(self, repository: Repository, task: Task) -> None:
        what = "has no proof of admission" if task.proof is None else "was changed since it was admitted"
        super().__init__(
            f"{repository.slug}/{task.slug} {what}: run `python -m harness admit` on its dataset"
        )


@dataclass(frozen=True, slots=True)
class Examination:
    """One test run in a clean container. `trouble`: why there is no usable report, '' when there is one."""

    results: tuple[TestResult, ...]
    command: CommandResult
    flags: tuple[Flag, ...]
    trouble: str = ""


def grade(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    owner: Owner,
    limits: ContainerLimits | None = None,
    read: ReadFile | None = None,
    interrupt: Interrupt | None = None,
    repeat: int = 1,
) -> Grade:
    """Grades `patch` against the task's manifest. Raises NotAdmitted without one, and what `interrupt` raises.

    `read` gives the pristine files that the patch changes; without it they are those of the repository's `source/`.
    With `repeat` the tests run so many times, each time in a container of their own. Only what every repeat resolves is
    resolved; each test whose verdict differs is named by a flag. `seconds` are those of all repeats, `exit_code` is
    that of the first repeat that did not resolve the task.
    """
    if task.proof is None or not task.admitted:
        raise NotAdmitted(repository, task)
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")
    exams = [
        examine(engine, repository, task, patch, owner=owner, limits=limits, read=read, interrupt=interrupt)
        for _ in range(repeat)
    ]
    verdicts = [
        judge(task.proof.tests, exam.results, exit_code=exam.command.exit_code, trouble=exam.trouble)
        for exam in exams
    ]
    repeated = combine(verdicts)
    verdict = repeated.verdict
    told = next((number for number, one in enumerate(verdicts) if not one.resolved), 0)
    return Grade(
        resolved=verdict.resolved,
        tests=verdict.tests,
        exit_code=exams[told].command.exit_code,
        seconds=sum(exam.command.seconds for exam in exams),
        reason=f"{verdict.reason} ({READ_FROM_OUTPUT})" if is_printed(task.report) else verdict.reason,
        flags=(*exams[0].flags, *repeated.flaky),
        log=_logs(exams),
        report=task.report,
        repeats=repeat,
    )


def examine(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    owner: Owner,
    limits: ContainerLimits | None = None,
    read: ReadFile | None = None,
    interrupt: Interrupt | None = None,
) -> Examination:
    """Runs the hidden tests on the pristine tree with `patch`, without judging. Needs no manifest."""
    try:
        carried = _carried(repository, task, patch, read or repository.source.read)
    except PatchError as error:
        raise InfrastructureError(f"the patch cannot be carried into grading: {error}") from error
    try:
        with engine.grader(
            repository, owner=owner, limits=limits or ContainerLimits(), interrupt=interrupt
        ) as grader:
            command, files = grader.run(
                files=carried.files,
                tests=task.tests,
                script=repository.run_tests,
                task=task.directory.name,
                timeout=task.test_timeout,
            )
    except AgentError as error:
        return Examination((), CommandResult(None, "", 0.0), carried.flags, str(error))
    try:
        results, trouble = read_results(task.report, files, command.output), ""
    except ReportError as error:
        results, trouble = (), str(error)
    if command.exit_code is None:
        trouble = f"the tests were stopped after {task.test_timeout:.0f} s"
    return Examination(results, command, carried.flags, trouble)


def _logs(exams: Sequence[Examination]) -> str:
    """What was printed, with a heading for each repeat where there are several."""
    if len(exams) == 1:
        return exams[0].command.output
    return "\n".join(
        f"[repeat {number} of {len(exams)}]\n{exam.command.output}" for number, exam in enumerate(exams, 1)
    )


def _carried(repository: Repository, task: Task, patch: bytes, read: ReadFile) -> Carried:
    policy = Policy(
        source=repository.source,
        tests=task.tests,
        reference=touched_paths(task.reference_diff.read_bytes()),
        sealed=repository.layout.sealed,
    )
    added: dict[str, list[str]] = {}
    for path, line in added_lines(patch):
        added.setdefault(path, []).append(line)
    return policy.decide(apply_patch(patch, read), added)
