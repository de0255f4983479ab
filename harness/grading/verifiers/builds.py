"""The verifiers that run tests, and that run a build."""

from __future__ import annotations

from collections import Counter

from harness.dataset.verifier_kinds import BuildTask, RunTests
from harness.grading.hidden_tests import TestRun
from harness.grading.verifiers.commands import Bench
from harness.grading.verifiers.findings import Finding, counted, named
from harness.grading.verifiers.texts import check_text
from harness.records import TestStatus

_FAILED = (TestStatus.FAILED, TestStatus.ERROR)
_LAST_WORDS = 300


def check_run_tests(verifier: RunTests, bench: Bench, references: frozenset[str]) -> tuple[Finding, TestRun]:
    """At least one test passes, none fails, and the exit code is 0. `references`: see `Bench.run_tests`."""
    ran = bench.run_tests(verifier.command, verifier.report, references)
    passed, message = _judged(ran)
    return Finding(passed, message, seconds=ran.command.seconds, output=ran.command.output), ran


def _judged(ran: TestRun) -> tuple[bool, str]:
    if ran.trouble:
        return False, f"the tests gave no verdict: {ran.trouble}"
    statuses = Counter(result.status for result in ran.results)
    total = counted(len(ran.results), "test")
    failed = [result.id for result in ran.results if result.status in _FAILED]
    if failed:
        return False, f"{len(failed)} of {total} failed: {named(failed)}"
    if not statuses[TestStatus.PASSED]:
        return False, f"none of {total} passed: all were skipped or are expected to fail"
    code = ran.command.exit_code
    if code != 0:
        return False, f"{statuses[TestStatus.PASSED]} of {total} passed, but the exit code is {code}"
    return True, f"{statuses[TestStatus.PASSED]} of {total} passed, none failed"


def check_build(verifier: BuildTask, bench: Bench) -> Finding:
    """The command ends with exit code 0, and the pattern occurs in its output as often as expected."""
    ran = bench.run(verifier.command)
    seconds, output = ran.command.seconds, ran.command.output
    if ran.trouble:
        return Finding(False, ran.trouble, seconds=seconds, output=output)
    if ran.command.exit_code != 0:
        message = f"the command ended with exit code {ran.command.exit_code}: {last_words(output)}"
        return Finding(False, message, seconds=seconds, output=output)
    if verifier.wanted is None:
        return Finding(True, "the command ended with exit code 0", seconds=seconds, output=output)
    found = check_text(
        verifier.wanted, "the output", output, seconds=bench.seconds, interrupt=bench.use.interrupt
    )
    return Finding(found.passed, f"exit code 0; {found.message}", seconds=seconds, output=output)


def last_words(output: str) -> str:
    """The end of a command's output, for a message."""
    return output.strip()[-_LAST_WORDS:] or "it printed nothing"
