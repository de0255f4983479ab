"""Runs the hidden tests of a task with a patch, in a clean container, and reads their results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom

from harness.dataset import Repository, Task, Trap
from harness.errors import AgentError, ContainerSlow, InfrastructureError
from harness.grading.closing import mentions_tests, printed_failures
from harness.grading.policy import Carried, Policy
from harness.grading.reports import is_printed, read_results
from harness.grading.results import ReportError, more_than_reported
from harness.grading.traps.placing import Placed, place, sprung
from harness.grading.verdict import NAMED
from harness.patches import FileState, PatchError, ReadFile, added_lines, apply_patch, touched_paths
from harness.records import Flag, TestResult, TestStatus
from harness.sandbox.base import CommandResult, ContainerUse, Engine

_NOT_FAILED = (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
MAX_FLAGS = 20
TRUSTED_TRIES = 3  # of a test run without an agent's code, while its container is too slow: the host is busy


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


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """A script that ran in a clean container. `files`: what it left in $RESULTS_DIR, by relative path.

    `trouble`: why it was stopped although its time was not over, '' if it was not.
    """

    command: CommandResult
    files: Mapping[str, bytes]
    trouble: str = ""


def run_script(
    engine: Engine,
    repository: Repository,
    task: Task,
    *,
    files: Iterable[FileState],
    tests: Sequence[FileState],
    script: Path,
    timeout: float,
    use: ContainerUse,
    tries: int = 1,
    compare_programs: bool = False,
) -> ScriptRun:
    """Runs `script` on the original tree with the agent's `files` and then the hidden `tests` copied over it.

    `timeout` is in seconds. `tries`: how often, at most, while the container is too slow. `compare_programs`: see
    `base.Grader.run`. What an agent can cause is in the result; raises InfrastructureError for other failures.
    """
    copied, trouble = tuple(files), ""
    for _ in range(tries):
        try:
            with engine.grader(repository, use) as grader:
                result, found = grader.run(
                    files=copied,
                    tests=tests,
                    script=script,
                    task=task.directory.name,
                    timeout=timeout,
                    compare_programs=compare_programs,
                )
                return ScriptRun(result, found)
        except AgentError as error:
            trouble = str(error)
            if not isinstance(error, ContainerSlow):
                break
    return ScriptRun(CommandResult(None, "", 0.0), {}, trouble)


def run_hidden_tests(
    engine: Engine,
    repository: Repository,
    task: Task,
    patch: bytes,
    *,
    use: ContainerUse,
    read: ReadFile | None = None,
    traps: Sequence[Trap] = (),
    expected: Collection[str] = (),
    script: Path | None = None,
    trusted: bool = False,
) -> TestRun:
    """Runs the hidden tests, and these traps, on the original tree with `patch`. Needs no manifest, gives no verdict.

    `read`: see `grade`. `expected`: the ids of the tests that decide the verdict, if they are known. `script`: runs
    the tests instead of the repository's `run_tests.sh`. `trusted`: the patch is no agent's. So it is tried again while
    its container is too slow, and programs are not compared afterwards. Raises InfrastructureError if the patch does
    not apply.
    """
    placed = place(list(task.tests.files()), traps, SystemRandom(), task.traps, expected)
    try:
        carried, carried_flags = _carried(repository, task, patch, read or repository.source.read)
    except PatchError as error:
        raise InfrastructureError(f"the patch does not apply to the original files: {error}") from error
    ran = run_script(
        engine,
        repository,
        task,
        files=carried,
        tests=placed.files,
        script=script or repository.run_tests,
        timeout=task.test_timeout,
        use=use,
        tries=TRUSTED_TRIES if trusted else 1,
        compare_programs=not trusted,
    )
    if ran.trouble:
        return TestRun((), ran.command, carried_flags, ran.trouble)
    command = ran.command
    results, found, trouble = _read(task, placed, command, ran.files, expected)
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
