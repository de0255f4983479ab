"""Runs the verifiers of a workflow task on the result of a run."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.dataset import Repository, Task
from harness.dataset.verifier_kinds import (
    BuildTask,
    ChatOrToolRegexp,
    ChatRegexp,
    Coverage,
    ExactFiles,
    NewFileRegexp,
    NoChanges,
    NoFileErrors,
    RunTests,
    SourceRegexp,
    Verifier,
    YesChanges,
    reference_files,
)
from harness.errors import HarnessError, InfrastructureError
from harness.grading.results import MAX_MESSAGE
from harness.grading.verifiers.builds import check_build, check_run_tests
from harness.grading.verifiers.changes import check_exact_files, check_no_changes, check_yes_changes
from harness.grading.verifiers.commands import Bench
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding
from harness.grading.verifiers.linting import check_no_file_errors
from harness.grading.verifiers.measuring import check_coverage
from harness.grading.verifiers.texts import check_chat, check_new_file, check_source
from harness.patches import PatchError, ReadFile, apply_patch
from harness.records import Flag, Step, TestResult, TestStatus
from harness.sandbox.base import ContainerUse, Engine


@dataclass(frozen=True, slots=True)
class Verification:
    """One result for each verifier, in order. `log`: the output of their commands, with a heading for each.

    A result is `passed`, `failed`, or `error` where the task is broken: for example, a tool is not installed.
    `flags`: what grading left out or found suspicious in the patch where tests ran. `seconds`: all verifiers together.
    """

    results: tuple[TestResult, ...]
    flags: tuple[Flag, ...] = ()
    log: str = ""

    @property
    def seconds(self) -> float:
        """The time of all verifiers together."""
        return sum(result.seconds for result in self.results)


def verify(
    engine: Engine,
    repository: Repository,
    task: Task,
    verifiers: Sequence[Verifier],
    patch: bytes,
    *,
    steps: Iterable[Step],
    use: ContainerUse,
    seconds: float,
    read: ReadFile | None = None,
) -> Verification:
    """Runs each verifier on the source with `patch` and on the agent's `steps`; `seconds` is the limit of each.

    `read` returns the original files that the patch changes; the default reads the repository's `source/`. A verifier
    that hangs, or whose command breaks its container, has failed. Raises InfrastructureError where the engine fails or
    the patch does not apply, and any exception of `use.interrupt`.
    """
    before = read or repository.source.read
    try:
        changed = apply_patch(patch, before)
    except PatchError as error:
        raise InfrastructureError(f"the patch does not apply to the original files: {error}") from error
    bench = Bench(engine, repository, task, patch, changed, before, use, seconds)
    checks = _Checks(
        bench, FinalState(repository.source, before, changed), tuple(steps), reference_files(verifiers)
    )
    results, log = [], []
    for verifier in verifiers:
        use.interrupt()
        began = time.perf_counter()
        finding = checks.check(verifier)
        took = time.perf_counter() - began if finding.seconds is None else finding.seconds
        results.append(TestResult(verifier.name, _status(finding), took, finding.message[:MAX_MESSAGE]))
        if finding.output:
            log.append(f"[{verifier.kind}: {verifier.name}]\n{finding.output.rstrip()}\n")
    return Verification(tuple(results), tuple(dict.fromkeys(checks.flags)), "\n".join(log))


def _status(finding: Finding) -> TestStatus:
    if finding.broken:
        return TestStatus.ERROR
    return TestStatus.PASSED if finding.passed else TestStatus.FAILED


class _Checks:
    """The checks of all kinds on one run."""

    def __init__(
        self, bench: Bench, state: FinalState, steps: Sequence[Step], references: frozenset[str]
    ) -> None:
        self._bench = bench
        self._state = state
        self._steps = steps
        self._references = references
        self.flags: list[Flag] = []

    def check(self, verifier: Verifier) -> Finding:
        """What one verifier finds."""
        found = self._of_state(verifier) or self._of_texts(verifier) or self._of_command(verifier)
        if found is None:
            raise HarnessError(f"there is no check for verifiers of the kind {verifier.kind!r}")
        return found

    def _of_state(self, verifier: Verifier) -> Finding | None:
        match verifier:
            case NoChanges():
                return check_no_changes(verifier, self._state)
            case YesChanges():
                return check_yes_changes(verifier, self._state)
            case ExactFiles():
                return check_exact_files(verifier, self._state, self._bench.task.tests)
        return None

    def _of_texts(self, verifier: Verifier) -> Finding | None:
        seconds, interrupt = self._bench.seconds, self._bench.use.interrupt
        match verifier:
            case ChatRegexp() | ChatOrToolRegexp():
                return check_chat(verifier, self._steps, seconds=seconds, interrupt=interrupt)
            case SourceRegexp():
                return check_source(verifier, self._state, seconds=seconds, interrupt=interrupt)
            case NewFileRegexp():
                return check_new_file(verifier, self._state, seconds=seconds, interrupt=interrupt)
        return None

    def _of_command(self, verifier: Verifier) -> Finding | None:
        match verifier:
            case RunTests():
                finding, ran = check_run_tests(verifier, self._bench, self._references)
                self.flags += ran.flags
                return finding
            case Coverage():
                return check_coverage(verifier, self._bench, self._state)
            case BuildTask():
                return check_build(verifier, self._bench)
            case NoFileErrors():
                return check_no_file_errors(verifier, self._bench, self._state)
        return None
