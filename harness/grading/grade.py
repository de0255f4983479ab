"""Grades a patch: runs the hidden tests in a clean container and compares the results with the manifest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom

from harness.dataset import Proof, Repository, Task, Trap
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.grading.closing import closes, mentions_tests, printed_failures
from harness.grading.policy import Carried, Policy
from harness.grading.repeats import combine
from harness.grading.reports import is_printed, read_results
from harness.grading.results import ReportError, more_than_reported
from harness.grading.traps.choosing import FEWEST, choose, still_made
from harness.grading.traps.placing import Placed, place, sprung
from harness.grading.verdict import NAMED, Verdict, judge
from harness.patches import PatchError, ReadFile, added_lines, apply_patch, touched_paths
from harness.records import Flag, Grade, TestResult, TestStatus
from harness.sandbox.base import CommandResult, ContainerLimits, Engine, Interrupt, Owner

_NOT_FAILED = (TestStatus.PASSED, TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
MAX_FLAGS = 20
READ_FROM_OUTPUT = "read from printed output, not from a report"


class NotAdmitted(HarnessError):
    """A task has no proof for its current files and this version, so the tests that must pass or fail are unknown."""

    def __init__(self, repository: Repository, task: Task) -> None:
        if task.proof is None:
            what = "has no proof of admission"
        elif task.admitted:
            what = "was admitted by a version that altered its tests in another way"
        else:
            what = "was changed since it was admitted"
        super().__init__(
            f"{repository.slug}/{task.slug} {what}: run `python -m harness admit` on its dataset"
        )


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
    confirm: bool = False,
) -> Grade:
    """Grades `patch` against the task's manifest. Raises NotAdmitted without one, and any exception of `interrupt`.

    `read` returns the original files that the patch changes; the default reads the repository's `source/`.
    `repeat`: the number of test runs, each in a new container and with other traps. The task is resolved only if every
    repeat resolves it; each test whose status differs gets a flag. `confirm`: whether a resolved verdict is confirmed
    by one more test run. `seconds` is the sum over all repeats. `exit_code` is the one of the first repeat that did not
    resolve the task; 0 where the script ended as it does when only the traps fail.
    """
    proof, known = require_proof(repository, task)
    if repeat < 1:
        raise ValueError(f"repeat must be at least 1, not {repeat}")
    test_runs, verdicts = list[TestRun](), list[Verdict]()
    while len(verdicts) < repeat or (
        confirm and len(verdicts) == repeat and all(one.resolved for one in verdicts)
    ):
        test_run = run_hidden_tests(
            engine,
            repository,
            task,
            patch,
            owner=owner,
            limits=limits,
            read=read,
            interrupt=interrupt,
            traps=choose(
                known,
                len(proof.tests),
                SystemRandom(),
                proof.fail_to_pass,
                seconds=proof.ceiling_seconds,
            ),
        )
        test_runs.append(test_run)
        verdicts.append(_verdict(proof, test_run))
    return _grade(task, proof, test_runs, verdicts)


def _verdict(proof: Proof, test_run: TestRun) -> Verdict:
    return judge(
        proof.tests,
        test_run.results,
        exit_code=_exit_code(proof, test_run),
        trouble=test_run.trouble or ("" if test_run.forged else _hidden_failure(proof, test_run)),
        forged=bool(test_run.forged),
    )


def _hidden_failure(proof: Proof, test_run: TestRun) -> str:
    """Says that the script ended as if no test had failed, although traps did; else ''."""
    code = proof.traps.exit_code if test_run.traps and proof.traps else 0
    if code and test_run.command.exit_code == 0:
        return f"altered tests end the script with exit code {code}, but it ended as if none had failed"
    return ""


def _grade(task: Task, proof: Proof, test_runs: Sequence[TestRun], verdicts: Sequence[Verdict]) -> Grade:
    """The grade from all test runs."""
    verdict, flaky = combine(verdicts)
    decisive = next((number for number, one in enumerate(verdicts) if not one.resolved), 0)
    return Grade(
        resolved=verdict.resolved,
        tests=verdict.tests,
        exit_code=_exit_code(proof, test_runs[decisive]),
        seconds=sum(test_run.command.seconds for test_run in test_runs),
        reason=f"{verdict.reason} ({READ_FROM_OUTPUT})" if is_printed(task.report) else verdict.reason,
        flags=(
            *_flags(test_runs),
            *flaky,
            *(_missing_closing(proof, test_runs[0]) if verdict.resolved else ()),
        ),
        log=_logs(test_runs),
        report=task.report,
        repeats=len(test_runs),
    )


def require_proof(repository: Repository, task: Task) -> tuple[Proof, Mapping[Trap, bool]]:
    """The task's proof, and its traps that this version can use, see `still_made`. Raises NotAdmitted."""
    if task.proof is None or not task.admitted:
        raise NotAdmitted(repository, task)
    known = still_made(task.tests.files(), task.proof.traps.known, task.traps) if task.proof.traps else {}
    if task.proof.traps and len(known) < FEWEST:
        raise NotAdmitted(repository, task)
    return task.proof, known


def _exit_code(proof: Proof, test_run: TestRun) -> int | None:
    """The script's exit code; 0 if it ended as it does when all expected tests pass and the traps fail."""
    code = test_run.command.exit_code
    return 0 if test_run.traps and proof.traps and code == proof.traps.exit_code else code


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
) -> TestRun:
    """Runs the hidden tests, and these traps, on the original tree with `patch`, without a verdict.

    Needs no manifest.
    """
    placed = place(list(task.tests.files()), traps, SystemRandom(), task.traps)
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
    results, found, trouble = _read(task, placed, command, files)
    flags, rewritten = _tampering(repository, task, command.tampered)
    if rewritten:
        trouble = f"the test run changed its own files: {', '.join(rewritten[:NAMED])}"
    if command.exit_code is None:
        trouble = f"the tests were stopped after {task.test_timeout:.0f} s"
    expected = frozenset(task.proof.tests) if task.proof else frozenset()
    forged = () if trouble else tuple(sprung(placed, results, found, expected))
    if forged:
        flags.append(_forged(forged, placed))
    return TestRun(results, command, (*carried_flags, *flags), trouble, placed, found, forged)


def _read(
    task: Task, placed: Placed, command: CommandResult, files: Mapping[str, bytes]
) -> tuple[tuple[TestResult, ...], Mapping[str, Sequence[TestResult]], str]:
    """The results, those of the traps by name, and why they are not usable, '' if they are."""
    try:
        everything = read_results(task.report, files, command.output)
    except ReportError as error:
        return (), placed.separate(())[1], str(error)
    results, traps = placed.separate(everything, task.proof.tests if task.proof else ())
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


def _missing_closing(proof: Proof, test_run: TestRun) -> tuple[Flag, ...]:
    """A flag if the output does not end with the closing line that the task's proof expects."""
    closing = proof.traps.closing if test_run.traps and proof.traps else proof.closing
    if not closing or closes(test_run.command.output, closing):
        return ()
    note = f"the script did not end as it does with the reference patch: no last line like {closing!r}"
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
    """The printed output, with the names of the traps, and a heading for each repeat if there are several."""
    if len(test_runs) == 1:
        return _log(test_runs[0])
    return "\n".join(
        f"[repeat {number} of {len(test_runs)}]\n{_log(test_run)}"
        for number, test_run in enumerate(test_runs, 1)
    )


def _log(test_run: TestRun) -> str:
    output = test_run.command.output
    if not test_run.traps:
        return output
    names = ", ".join(sorted(test_run.placed.shown()))
    return f"{output.rstrip()}\n[altered tests, which have to fail: {names}]\n"


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
