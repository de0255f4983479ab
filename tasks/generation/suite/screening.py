"""Decides by one run of the hidden tests whether a candidate can become a task."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from harness.dataset import Tree
from harness.errors import HarnessError
from harness.functions import find
from harness.patches import FileState, apply_patch
from harness.records import TestResult, TestStatus
from harness.records.whole_file import write_json
from tasks.generation.corrupting.candidates import Candidate, Kind, Reason, Refusal
from tasks.generation.suite.hidden_suite import RunSuite, SuiteRun

BASELINE_RUNS = 3
_SLOWER = 5.0  # a run of a candidate may take so many times the baseline's wall time: the host may be busy
_MAX_NAMES_LENGTH = 20
MAX_FAILURES = 10  # whose first lines are recorded
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")
_ENTRY = re.compile(r"(?P<path>[^\s\"':]{1,400})(?:\", line |:)(?P<line>\d{1,7})\b")


class RepositoryRefused(HarnessError):
    """The hidden tests of a repository are not fit to screen candidates. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What a candidate must reach. `removal`, `corruption`: how many tests must newly fail, at least.

    `suite_seconds`: how much CPU time the whole suite may take. Source: Breakpoint, section 3.6 (5 tests, 60 s of wall
    time; CPU time does not depend on what else the host does) and appendix B (2 tests for a corruption).
    """

    removal: int = 5
    corruption: int = 2
    suite_seconds: float = 60.0

    def failing(self, kind: Kind) -> int:
        """How many tests must newly fail for this kind."""
        return self.removal if kind is Kind.REMOVE else self.corruption


@dataclass(frozen=True, slots=True)
class Baseline:
    """How the hidden tests ran on the unchanged source. `passed`: those that passed each time, by id.

    `left_out`: those that the repository names because they are skipped, expected to fail, or flaky.
    `seconds`, `cpu_seconds`: of the slowest run, wall and CPU.
    """

    passed: tuple[str, ...]
    left_out: tuple[str, ...]
    seconds: float
    cpu_seconds: float
    runs: int = BASELINE_RUNS

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Raises KeyError or TypeError for what is no baseline."""
        return cls(**{**stored, "passed": tuple(stored["passed"]), "left_out": tuple(stored["left_out"])})

    def to_json(self) -> dict[str, Any]:
        """The content of its file."""
        return asdict(self)


def measure_baseline(run_suite: RunSuite, thresholds: Thresholds, leave_out: Iterable[str] = ()) -> Baseline:
    """Runs the tests on the unchanged source, three times.

    Raises RepositoryRefused if they give no result, take too long, fail, or differ between the runs. Tests that are
    skipped, expected to fail or flaky may be named in `leave_out`.
    """
    left_out = frozenset(leave_out)
    runs = [_baseline_run(run_suite, thresholds) for _ in range(BASELINE_RUNS)]
    cpu = max(_cpu(run) for run in runs)
    if cpu > thresholds.suite_seconds:
        raise RepositoryRefused(
            f"the hidden tests take {cpu:.1f} s of CPU time, at most {thresholds.suite_seconds:.0f} s are allowed"
        )
    statuses: dict[str, Counter[TestStatus]] = {}
    for run in runs:
        for result in run.results:
            statuses.setdefault(result.id, Counter())[result.status] += 1
    passed = [test for test, found in statuses.items() if found == {TestStatus.PASSED: BASELINE_RUNS}]
    _require_named([test for test in statuses if test not in passed and test not in left_out], statuses)
    return Baseline(
        passed=tuple(test for test in passed if test not in left_out),
        left_out=tuple(sorted(left_out)),
        seconds=round(max(run.seconds for run in runs), 3),
        cpu_seconds=cpu,
    )


def stored_baseline(path: Path, key: str, measure: Callable[[], Baseline]) -> Baseline:
    """The baseline in a file if it is that of `key`, else a new one, which is stored. Raises what `measure` raises."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["key"] == key:
            return Baseline.from_json(stored["baseline"])
    found = measure()
    write_json(path, {"key": key, "baseline": found.to_json()})
    return found


def _baseline_run(run_suite: RunSuite, thresholds: Thresholds) -> SuiteRun:
    run = run_suite((), thresholds.suite_seconds * _SLOWER)
    if run.trouble:
        raise RepositoryRefused(
            f"the unchanged source has no test results: {run.trouble}; output ends: {run.output}"
        )
    return run


def _require_named(tests: Sequence[str], statuses: Mapping[str, Counter[TestStatus]]) -> None:
    """Raises RepositoryRefused for tests that do not always pass and that the repository does not name."""
    if not tests:
        return
    shown = "; ".join(
        f"{test} ({', '.join(f'{status} {number} times' for status, number in sorted(statuses[test].items()))})"
        for test in tests[:_MAX_NAMES_LENGTH]
    )
    names = ", ".join(f'"{test}"' for test in tests)
    raise RepositoryRefused(
        f"{len(tests)} of {len(statuses)} hidden tests do not pass each of {BASELINE_RUNS} times on the unchanged "
        f"source: {shown}. Repair them, or, if they are skipped, expected to fail or flaky, add to repository.toml: "
        f"leave_out = [{names}]"
    )


def _cpu(run: SuiteRun) -> float:
    """The CPU time, or the wall time where it is unknown."""
    return run.seconds if run.cpu_seconds is None else run.cpu_seconds


@dataclass(frozen=True)
class Screener:
    """Screens candidates of one source by one run of the hidden tests each."""

    source: Tree
    run_suite: RunSuite
    baseline: Baseline
    thresholds: Thresholds

    def __call__(self, candidate: Candidate) -> Candidate:
        """The candidate with its screening, and with a refusal if it is not fit.

        Raises InfrastructureError, and PatchError for a candidate of another source.
        """
        changed = apply_patch(candidate.start.encode("utf-8"), self.source.read)
        baseline, thresholds = self.baseline, self.thresholds
        run = self.run_suite(changed, max(thresholds.suite_seconds, baseline.seconds * _SLOWER))
        failing, missing = compared(run, baseline)
        least = thresholds.failing(candidate.kind)
        naming = [one for one in run.results if one.id in failing and _names_target(one, candidate, changed)]
        screening = {
            "failing": list(failing),
            "missing": len(missing),
            "naming_target": len(naming),
            "failures": _failures(run, failing),
            "tests": len(baseline.passed),
            "left_out": len(baseline.left_out),
            "cpu_seconds": run.cpu_seconds,
            "seconds": round(run.seconds, 3),
            "baseline_cpu_seconds": baseline.cpu_seconds,
            "least_failing": least,
            "most_suite_seconds": thresholds.suite_seconds,
        }
        refusal = _refusal(run, failing, missing, thresholds, least)
        return replace(candidate, screening=screening, refusal=refusal)

    def reconsiders(self, candidate: Candidate) -> bool:
        """Whether other thresholds refused a candidate, and these may not: then it is screened again."""
        screening = candidate.screening
        if candidate.refusal is None or screening is None:
            return False
        if candidate.refusal.reason is Reason.TOO_FEW_FAILING:
            least = self.thresholds.failing(candidate.kind)
            return len(screening["failing"]) >= least
        slow = candidate.refusal.reason is Reason.TOO_SLOW
        return slow and self.thresholds.suite_seconds > screening["most_suite_seconds"]


def compared(run: SuiteRun, baseline: Baseline) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tests that newly do not pass, and those of them that are not in the results at all."""
    found = {result.id: result.status for result in run.results}
    failing = tuple(test for test in baseline.passed if found.get(test) is not TestStatus.PASSED)
    return failing, tuple(test for test in failing if test not in found)


def _refusal(
    run: SuiteRun, failing: Sequence[str], missing: Sequence[str], thresholds: Thresholds, least: int
) -> Refusal | None:
    if run.trouble:
        return Refusal(Reason.TOO_SLOW if run.timed_out else Reason.SUITE_FAILS, run.trouble)
    if missing:
        return Refusal(Reason.TESTS_MISSING, f"{len(missing)} tests, such as {missing[0]}")
    if _cpu(run) > thresholds.suite_seconds:
        return Refusal(Reason.TOO_SLOW, f"the tests take {_cpu(run):.1f} s of CPU time")
    if len(failing) < least:
        reason = Reason.TOO_FEW_FAILING if failing else Reason.SURVIVED
        return Refusal(reason, f"{len(failing)} failing, {least} needed")
    return None


def _names_target(result: TestResult, candidate: Candidate, changed: Sequence[FileState]) -> bool:
    """Whether an entry of a test's traceback lies in a changed function, as far as the report quotes it."""
    entries = [(entry["path"], int(entry["line"])) for entry in _ENTRY.finditer(result.message)]
    texts = {state.path: (state.content or b"").decode("utf-8", "replace") for state in changed}
    for target in candidate.targets:
        lines = [line for path, line in entries if f"/{path}".endswith(f"/{target.path}")]
        if lines:
            function = find(target.path, texts[target.path], target.name, target.occurrence)
            if any(function.start <= line <= function.end for line in lines):
                return True
    return False


def _failures(run: SuiteRun, failing: Sequence[str]) -> dict[str, str]:
    """The first lines of some failures, from all parts of the suite, by test."""
    results = {one.id: one for one in run.results}
    chosen = failing[:: -(-len(failing) // MAX_FAILURES) or 1]
    return {test: _short(results[test]) if test in results else "did not run" for test in chosen}


def _short(result: TestResult) -> str:
    """The first line of a failure, at most 200 characters. Addresses in memory differ from run to run, so they go."""
    lines = result.message.strip().splitlines()
    return _ADDRESS.sub("0x…", lines[0])[:200] if lines else str(result.status)
