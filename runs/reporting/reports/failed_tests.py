"""Which tests failed in the runs of near misses, read from their run directories."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records import TESTS, RunRecord, TestStatus
from runs.analysis.facts import RunFacts
from runs.analysis.tasks.near_misses import near_misses
from runs.models import Run

MAX_RUNS = 2_000
MAX_BYTES = 8 << 20


def failed_tests(runs: Sequence[RunFacts]) -> dict[int, tuple[str, ...]]:
    """Run → the tests that did not pass, for the runs of near misses.

    At most MAX_RUNS runs are read. A run without a directory here, or without readable tests, is left out: the result
    says that its failed tests are unknown.
    """
    near = {(miss.agent, miss.task) for miss in near_misses(runs, {}).misses}
    wanted = [run.run for run in runs if (run.agent, run.task) in near][:MAX_RUNS]
    found = {run.pk: _failed(run) for run in Run.objects.filter(pk__in=wanted)} if wanted else {}
    return {pk: tests for pk, tests in sorted(found.items()) if tests is not None}


def _failed(run: Run) -> tuple[str, ...] | None:
    try:
        if not run.directory or (run.path / TESTS).stat().st_size > MAX_BYTES:
            return None
        tests = RunRecord(run.path).tests()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return tuple(test.id for test in tests if test.status is not TestStatus.PASSED) or None
