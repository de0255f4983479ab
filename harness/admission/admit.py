"""Proves that a task is usable: its tests fail at first, pass with the reference patch, and are repeatable."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from harness.admission.refusal import Admission, AdmissionRefused, named, passed, tally
from harness.admission.scenarios import admit_scenario
from harness.admission.solved_runs import SolvedRuns, solved_key
from harness.admission.strength import measure
from harness.admission.traps import prove
from harness.dataset import Proof, Repository, Strength, Task, Trap, Traps, started
from harness.errors import ConfigurationError
from harness.grading.closing import closing_of
from harness.grading.hidden_tests import TestRun, run_hidden_tests
from harness.grading.policy import NOT_CARRIED
from harness.grading.reports import is_printed
from harness.records import TestResult, TestStatus, now
from harness.sandbox.base import Engine
from harness.version import __version__

__all__ = ["REPEATS", "AdmissionRefused", "admit"]

REPEATS = 3

_FLAKY = ", the tests are flaky"
_NOT_RUN = (TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
_NETWORK_ERROR = re.compile(
    r"EAI_AGAIN|ENOTFOUND|[Nn]ame resolution|Could not resolve host|Unknown host|UnknownHostException"
    r"|[Nn]etwork is unreachable|Could not transfer artifact|dial tcp: lookup|cannot access .* in offline mode",
    re.IGNORECASE,
)


def admit(
    repository: Repository,
    task: Task,
    engine: Engine,
    repeats: int = REPEATS,
    *,
    instance: str = "shell",
    strength: bool = True,
    solved: SolvedRuns | None = None,
) -> Proof:
    """Measures floor and ceiling `repeats` times each, in clean containers. Raises AdmissionRefused with the reason.

    Floor: the pristine tree must fail at least one test. Ceiling: with the reference patch, every test must pass, the
    script must end with 0, and no part of the patch may be left out. All repeats must report the same results. A
    ceiling without tests is an error. A floor without a report (for example, it does not compile) passes no test.
    `strength`: four more test runs show which tests are vacuous or static (`harness.admission.strength`); no
    task is refused for that. `solved`: shares the runs with the reference patch among tasks with the same solved tree.

    A workflow task is proved by its verifiers: `harness.admission.scenarios`.
    """
    if not engine.isolated:
        raise ConfigurationError("a proof of admission is made in containers: unset BENCHBENCH_ENGINE")
    if repeats < 1:
        raise ValueError(f"repeats must be at least 1, not {repeats}")
    if task.workflow:
        return admit_scenario(repository, task, task.workflow, engine, repeats, instance=instance)
    task = replace(task, proof=None)  # an older one may have other ids and another last line
    return _Admission(started(repository, task), task, engine, instance).proof(repeats, strength, solved)


class _Admission(Admission):
    def proof(self, repeats: int, strength: bool, solved: SolvedRuns | None) -> Proof:
        if solved is None:
            ceilings, traps = self.ceilings(repeats), None
        else:
            key = solved_key(self.repository, self.task, repeats)
            ceilings, traps = solved.get(key, lambda: self.solved(repeats))
        self.oracle = tally(ceilings[0].results)
        floors = [self.run_hidden_tests(b"") for _ in range(repeats)]
        self.null = tally(floors[0].results)
        self.require_same("on the pristine tree", [run.results for run in floors], note=_FLAKY)
        tests = self.tests(ceilings)
        passed_before = passed(floors[0].results).intersection(tests)
        fail_to_pass = tuple(test for test in tests if test not in passed_before)
        if not fail_to_pass:
            raise self.refused(f"the pristine tree passes all {len(tests)} tests: there is nothing to do")
        return Proof(
            digest=self.task.digest,
            fail_to_pass=fail_to_pass,
            pass_to_pass=tuple(test for test in tests if test in passed_before),
            repeats=repeats,
            proved_at=now(),
            harness_version=__version__,
            floor_passed=len(passed_before),
            ceiling_seconds=round(max(test_run.command.seconds for test_run in ceilings), 3),
            null=self.null,
            oracle=self.oracle,
            strength=self.strength(tests) if strength else None,
            closing=""
            if is_printed(self.task.report)
            else closing_of(test_run.command.output for test_run in ceilings),
            traps=self.traps(tests, floors[0].results) if solved is None else traps,
        )

    def solved(self, repeats: int) -> tuple[list[TestRun], Traps | None]:
        """The runs with the reference patch, and the traps that it fails, with the seconds of the solved tree."""
        ceilings = self.ceilings(repeats)
        return ceilings, self.traps(self.tests(ceilings))

    def ceilings(self, repeats: int) -> list[TestRun]:
        """Test runs with the reference patch, all equal. Raises AdmissionRefused."""
        reference = self.task.reference_diff.read_bytes()
        found = [self.ceiling(self.run_hidden_tests(reference), number) for number in range(1, repeats + 1)]
        self.require_same("with the reference patch", [run.results for run in found], note=_FLAKY)
        return found

    def tests(self, ceilings: Sequence[TestRun]) -> list[str]:
        """The ids of the tests that count."""
        return [result.id for result in ceilings[0].results if result.id not in self.task.leave_out]

    def traps(self, tests: Collection[str], unchanged: Sequence[TestResult] = ()) -> Traps | None:
        """The usable traps; see `prove`."""
        reference = self.task.reference_diff.read_bytes()
        return prove(
            list(self.task.tests.files()),
            tests,
            lambda traps: self.run_hidden_tests(reference, traps, tests),
            self.task.traps,
            unchanged,
        )

    def strength(self, tests: Iterable[str]) -> Strength:
        """Measures which tests pass without the code."""
        return measure(
            self.repository,
            self.task,
            lambda patch: passed(self.run_hidden_tests(patch).results).intersection(tests),
        )

    def run_hidden_tests(
        self, patch: bytes, traps: Sequence[Trap] = (), expected: Collection[str] = ()
    ) -> TestRun:
        return run_hidden_tests(
            self.engine,
            self.repository,
            self.task,
            patch,
            use=self.use,
            traps=traps,
            expected=expected,
            trusted=True,
        )

    def ceiling(self, test_run: TestRun, number: int) -> TestRun:
        where = f"with the reference patch (repeat {number})"
        self.oracle = self.oracle or tally(test_run.results)
        left_out = [flag.path for flag in test_run.flags if flag.kind in NOT_CARRIED]
        if left_out:
            raise self.refused(
                f"the reference patch changes files that are never carried over: {', '.join(left_out)}"
            )
        if test_run.trouble:
            output = test_run.command.output
            raise self.refused(f"{where} {test_run.trouble}; {_advice(output)}output ends: {output[-1000:]}")
        unfit = [
            result
            for result in test_run.results
            if result.status is not TestStatus.PASSED and not self.is_left_out(result)
        ]
        if unfit:
            raise self.refused(
                f"{where} {len(unfit)} of {len(test_run.results)} tests do not pass: {named(unfit)}"
            )
        if test_run.command.exit_code != 0:
            raise self.refused(f"{where} the test script ends with exit code {test_run.command.exit_code}")
        return test_run

    def is_left_out(self, result: TestResult) -> bool:
        """Whether the dataset ignores this test, and it is one that does not run or is expected to fail."""
        return result.id in self.task.leave_out and result.status in _NOT_RUN


def _advice(output: str) -> str:
    """Advice for a test run that needed the network, recognised by the messages of common tools."""
    if not _NETWORK_ERROR.search(output):
        return ""
    return "containers have no network: let the Dockerfile fetch what the tests need; "
