"""Grades a patch: runs the hidden tests in a clean container and compares the results with the manifest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.dataset import Proof, Repository, Task
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.grading.closing import closes, mentions_tests, printed_failures
from harness.grading.policy import Carried, Policy
from harness.grading.repeats import combine
from harness.grading.reports import is_printed, read_results
from harness.grading.results import ReportError
from harness.grading.verdict import NAMED, judge
from harness.patches import PatchError, ReadFile, added_lines, apply_patch, touched_paths
from harness.records import Flag, Grade, TestResult, TestStatus
from harness.sandbox.base import CommandResult, ContainerLimits, Engine, Interrupt, Owner

_NOT_FAILED = (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
MAX_FLAGS = 20
READ_FROM_OUTPUT = "read from printed output, not from a report"


class NotAdmitted(HarnessError):
    """A task has no proof for its current files, so the tests that must pass are unknown."""

    def __init__(self, repository: Repository, task: Task) -> None:
        what = "has no proof of admission" if task.proof is None else "was changed since it was admitted"
        super().__init__(
            f"{repository.slug}/{task.slug} {what}: run `python -m harness admit` on its dataset"
        )


@dataclass(frozen=True, slots=True)
class TestRun:
    """One test run in a clean container. `trouble`: why there is no usable report, '' if there is one."""

    __test__ = False  # pytest: not a test class

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
    """Grades `patch` against the task's manifest. Raises NotAdmitted without one, and any exception of `interrupt`.

    `read` returns the original files that the patch changes; the default reads the repository's `source/`.
    `repeat`: the number of test runs, each in a new container. The task is resolved only if every repeat resolves it;
    each test whose status differs gets a flag. `seconds` is the sum over all repeats, `exit_code` is the one of the
    first repeat that did not resolve the task.
    """
    if task.proof is None or not task.admitted:
        raise NotAdmitted(repository, task)
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")
    test_runs = [
        run_hidden_tests(
            engine, repository, task, patch, owner=owner, limits=limits, read=read, interrupt=interrupt
        )
        for _ in range(repeat)
    ]
    verdicts = [
        judge(
            task.proof.tests, test_run.results, exit_code=test_run.command.exit_code, trouble=test_run.trouble
        )
        for test_run in test_runs
    ]
    verdict, flaky = combine(verdicts)
    decisive = next((number for number, one in enumerate(verdicts) if not one.resolved), 0)
    return Grade(
        resolved=verdict.resolved,
        tests=verdict.tests,
        exit_code=test_runs[decisive].command.exit_code,
        seconds=sum(test_run.command.seconds for test_run in test_runs),
        reason=f"{verdict.reason} ({READ_FROM_OUTPUT})" if is_printed(task.report) else verdict.reason,
        flags=(
            *_flags(test_runs),
            *flaky,
            *(_missing_closing(task.proof, test_runs[0]) if verdict.resolved else ()),
        ),
        log=_logs(test_runs),
        report=task.report,
        repeats=repeat,
    )


def run_hidden_tests(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    owner: Owner,
    limits: ContainerLimits | None = None,
    read: ReadFile | None = None,
    interrupt: Interrupt | None = None,
) -> TestRun:
    """Runs the hidden tests on the original tree with `patch`, without a verdict. Needs no manifest."""
    try:
        carried, carried_flags = _carried(repository, task, patch, read or repository.source.read)
    except PatchError as error:
        raise InfrastructureError(f"the patch does not apply to the original files: {error}") from error
    try:
        with engine.grader(
            repository, owner=owner, limits=limits or ContainerLimits(), interrupt=interrupt
        ) as grader:
            command, files = grader.run(
                files=carried,
                tests=task.tests,
                script=repository.run_tests,
                task=task.directory.name,
                timeout=task.test_timeout,
            )
    except AgentError as error:
        return TestRun((), CommandResult(None, "", 0.0), carried_flags, str(error))
    try:
        results = read_results(task.report, files, command.output)
        trouble = _contradiction(task, results, command)
    except ReportError as error:
        results, trouble = (), str(error)
    flags, rewritten = _tampering(repository, task, command.tampered)
    if rewritten:
        trouble = f"the test run changed its own files: {', '.join(rewritten[:NAMED])}"
    if command.exit_code is None:
        trouble = f"the tests were stopped after {task.test_timeout:.0f} s"
    return TestRun(results, command, (*carried_flags, *flags), trouble)


def _contradiction(task: Task, results: Sequence[TestResult], command: CommandResult) -> str:
    """The contradiction between a report file without failures and the printed output, or ''."""
    if is_printed(task.report) or not all(result.status in _NOT_FAILED for result in results):
        return ""
    closing = task.proof.closing if task.proof else ""
    if failures := printed_failures(command.output, closing):
        return f"the report names no failed test, but the last printed line counts {failures}"
    if closing and not mentions_tests(command.output):
        return f"there is a report, but the script stopped before its last line, like {closing!r}"
    return ""


def _missing_closing(proof: Proof, test_run: TestRun) -> tuple[Flag, ...]:
    """A flag if the output does not end with the closing line that the task's proof expects."""
    if not proof.closing or closes(test_run.command.output, proof.closing):
        return ()
    note = f"the script did not end as it does with the reference patch: no last line like {proof.closing!r}"
    return (Flag("closing", "printed output", note),)


def _tampering(repository: Repository, task: Task, paths: Sequence[str]) -> tuple[list[Flag], Sequence[str]]:
    """A flag for each changed path, and the paths of the tests themselves: changing those leaves no verdict."""
    tests = {
        str(repository.layout.script_at),
        *(str(repository.workdir / name) for name in task.tests.names()),
    }
    flags = [
        Flag(
            "tampered",
            path,
            "changed while the tests ran: it is part of the tests, so there is no verdict"
            if path in tests
            else "changed while the tests ran: it is a program or a library that they may have used",
        )
        for path in paths[:MAX_FLAGS]
    ]
    return flags, [path for path in paths if path in tests]


def _flags(test_runs: Sequence[TestRun]) -> Sequence[Flag]:
    """The flags of all repeats, without duplicates."""
    return list(dict.fromkeys(flag for test_run in test_runs for flag in test_run.flags))


def _logs(test_runs: Sequence[TestRun]) -> str:
    """The printed output, with a heading for each repeat if there are several."""
    if len(test_runs) == 1:
        return test_runs[0].command.output
    return "\n".join(
        f"[repeat {number} of {len(test_runs)}]\n{test_run.command.output}"
        for number, test_run in enumerate(test_runs, 1)
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
