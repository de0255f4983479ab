"""A small world with a readable report: a priced agent with a near miss, an unpriced one, floor and ceiling."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from harness.records import Grade, TestResult, TestStatus
from runs.models import Evaluation, Run
from runs.reporting.reports.gather import gather
from runs.reporting.reports.writing import files_of
from tests.runs.cast import Cast, recorder_of

DAY = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
SUITE = 20
SITE = "http://site"


def tides() -> Cast:
    """Two tasks, two attempts planned at each.

    Alice resolves tide-1 in one of two attempts and has near misses at tide-2 (19 of 20 tests; test 7 fails). Bob,
    who has no price, fails tide-1 twice; at tide-2 the infrastructure failed once, the other attempt was cancelled.
    """
    cast = Cast(attempts=2)
    Evaluation.objects.update(created_at=DAY, limits={"iterations": 30, "wall_seconds": None})
    cast.evaluation.refresh_from_db()
    first, second = cast.add_tasks(2)
    alice, bob, oracle, idler = cast.alice(), cast.bob(), cast.oracle(), cast.idler()
    for attempt, passed in enumerate((20, 11), 1):
        add(cast, alice, first, attempt, passed)
        add(cast, alice, second, attempt, 19, failing=7)
        add(cast, bob, first, attempt, 10)
        for task in (first, second):
            add(cast, oracle, task, attempt, SUITE)
            add(cast, idler, task, attempt, 10)
    add(
        cast,
        bob,
        second,
        1,
        0,
        outcome=Run.Outcome.INFRASTRUCTURE_FAILED,
        ending="infrastructure_failed",
        failure="image build",
        tests_total=0,
    )
    cast.add_run(bob, second, 2, state=Run.State.CANCELLED, outcome="", started_at=None, finished_at=DAY)
    cast.settle()
    return cast


def add(
    cast: Cast, agent: Any, task: Any, attempt: int, passed: int, *, failing: int = 0, **more: Any
) -> Run:
    """A run of a suite of 20; with `failing`, its directory says that this test failed."""
    values = {
        "tests_total": SUITE,
        "outcome": Run.Outcome.RESOLVED if passed == SUITE else Run.Outcome.UNRESOLVED,
        "started_at": DAY,
        "finished_at": DAY,
        "iterations": 4,
        **more,
    }
    run = cast.add_run(agent, task, attempt, passed=passed, **values)
    if failing:
        tests = tuple(
            TestResult(f"test_{number}", TestStatus.FAILED if number == failing else TestStatus.PASSED)
            for number in range(SUITE)
        )
        recorder_of(run).grade(Grade(False, tests, 1, 0.1, "one failed"))
    return run


def section(report: str, title: str) -> str:
    """The text below a heading; code and data versions are X."""
    level = title.partition(" ")[0]
    _, _, rest = report.partition(f"{title}\n")
    assert rest, f"no {title}"
    found = re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()
    return re.sub(r"(Analysis|data) `[0-9a-f]+`", r"\1 `X`", found)


def report_of(*evaluations: Evaluation, **options: Any) -> str:
    """The Markdown of a report."""
    return files_of(gather(evaluations, **options), site=SITE)["report.md"].decode()
