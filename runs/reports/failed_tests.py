"""Which tests failed in the runs of near misses: read from their run directories, and from no others."""

from __future__ import annotations

from collections.abc import Sequence

from harness.records import RunRecord, TestStatus
from runs.models import Run
from runs.reports.found import RunFacts, near_pairs

MOST_RUNS = 2_000
LARGEST_BYTES = 8 << 20


def failed_tests(runs: Sequence[RunFacts]) -> dict[int, tuple[str, ...]]:
    """Run → the tests that did not pass, for the runs of agents that came near a task and never resolved it.

    At most MOST_RUNS runs are read. One whose directory is elsewhere, or whose tests cannot be read, is left out, and
    the result says that it is not known what failed there.
    """
    near = near_pairs(runs)
    wanted = [run.run for run in runs if (run.agent, run.task) in near][:MOST_RUNS]
    found = {run.pk: _failed(run) for run in Run.objects.filter(pk__in=wanted)} if wanted else {}
    return {pk: tests for pk, tests in sorted(found.items()) if tests is not None}


def _failed(run: Run) -> tuple[str, ...] | None:
    try:
        if not run.directory or (run.path / "tests.json").stat().st_size > LARGEST_BYTES:
            return None
        tests = RunRecord(run.path).tests()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return tuple(test.id for test in tests if test.status is not TestStatus.PASSED) or None
