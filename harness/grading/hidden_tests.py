"""Runs the hidden tests of a task with a patch, in a clean container, and reads their results."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom

from harness.dataset import Repository, Task, Trap
from harness.errors import AgentError, InfrastructureError
from harness.grading.closing import mentions_tests, printed_failures
from harness.grading.policy import Carried, Policy
from harness.grading.reports import is_printed, read_results
from harness.grading.results import ReportError, more_than_reported
from harness.grading.traps.placing import Placed, place, sprung
from harness.grading.verdict import NAMED
from harness.patches import PatchError, ReadFile, added_lines, apply_patch, touched_paths
from harness.records import Flag, TestResult, TestStatus
from harness.sandbox.base import CommandResult, ContainerLimits, Engine, Interrupt, Owner

_NOT_FAILED = (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
MAX_FLAGS = 20


@dataclass(frozen=True, slots=True)
class TestRun:
    """One test run in a clean container. `trouble`: why there is no usable report, '' if there is one.

    `results`: without those of the traps, which are in `traps` by name, as they were `placed`. `forged`: the traps that
    show that the results are forged.
    """

    __test__ = False  # pytest: not a test class

    results: tuple[TestResult, ...]
    command: CommandResult
    flags: tuple[Flag, ...]
    trouble: str = ""
    placed: Placed = field(default=Placed(()), repr=False)
    traps: Mapping[str, Sequence[TestResult]] = field(default_factory=dict)
    forged: tuple[str, ...] = ()


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
    traps: Sequence[Trap] = (),
    expected: Collection[str] = (),
) -> TestRun:
    """Runs the hidden tests, and these traps, on the original tree with `patch`. Needs no manifest, gives no verdict.

    `read`: see `grade`. `expected`: the ids of the tests that decide the verdict, if they are known. Raises
    InfrastructureError if the patch does not apply.
    """
    placed = place(list(task.tests.files()), traps, SystemRandom(), task.traps, expected)
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
                tests=placed.files,
                script=repository.run_tests,
                task=task.directory.name,
                timeout=task.test_timeout,
            )
    except AgentError as error:
        return TestRun((), CommandResult(None, "", 0.0), carried_flags, str(error))
    results, found, trouble = _read(task, placed, command, files, expected)
    flags, rewritten = _tampering(repository, task, command.tampered)
    if rewritten:
        trouble = f"the test run changed its own files: {', '.join(rewritten[:NAMED])}"
    if command.exit_code is None:
        trouble = f"the tests were stopped after {task.test_timeout:.0f} s"
    forged = () if trouble else tuple(sprung(placed, results, found, frozenset(expected)))
    if forged:
        flags.append(_forged(forged, placed))
    return TestRun(results, command, (*carried_flags, *flags), trouble, placed, found, forged)


def _read(
    task: Task, placed: Placed, command: CommandResult, files: Mapping[str, bytes], expected: Collection[str]
) -> tuple[tuple[TestResult, ...], Mapping[str, Sequence[TestResult]], str]:
    """The results, those of the traps by name, and why they are not usable, '' if they are."""
    try:
        everything = read_results(task.report, files, command.output)
    except ReportError as error:
        return (), placed.separate(())[1], str(error)
    results, traps = placed.separate(everything, expected)
    return results, traps, _contradiction(task, everything, traps, command)


def _forged(names: Sequence[str], placed: Placed) -> Flag:
    note = (
        f"{len(names)} of {len(placed.traps)} altered tests have the results of their originals, although no "
        "program can pass both: the results are forged"
    )
    return Flag("forged", "", note)


def _contradiction(
    task: Task, results: Sequence[TestResult], traps: Mapping[str, object], command: CommandResult
) -> str:
    """The contradiction between the report, the printed output and what the runner reported as it ran, or ''."""
    if unreported := more_than_reported(results, command.reported):
        return f"the report has passed tests that the runner has not reported while it ran, like {unreported[0]!r}"
    if is_printed(task.report):
        return ""
    failures = sum(result.status not in _NOT_FAILED for result in results)
    closing = task.proof.closing if task.proof else ""
    printed = printed_failures(command.output, closing)
    if printed > failures:
        named = f"{failures} failed tests" if failures else "no failed test"
        return f"the report names {named}, but the last printed line counts {printed}"
    if failures == 0 and closing and not traps and not mentions_tests(command.output):
        return f"there is a report, but the script stopped before its last line, like {closing!r}"
    return ""


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
