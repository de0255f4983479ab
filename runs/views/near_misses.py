"""Tasks that an agent never resolved, yet almost passed."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from harness.records import TestResult, TestStatus
from runs.models import Cell, Run
from runs.queries import best_runs, near_miss_cells
from runs.views import asking
from runs.views.text import Text, cut
from runs.views.trajectory import cached_tests

DEFAULT_THRESHOLD = 80
PAGE = 30
MESSAGE_LENGTH = 1_500


@dataclass(frozen=True, slots=True)
class FailedTest:
    """One test that the best attempt did not pass."""

    id: str
    status: str
    message: Text


@dataclass(frozen=True, slots=True)
class NearMiss:
    """One cell with its best attempt; `failed` is empty where that attempt's directory is not here."""

    cell: Cell
    run: Run | None
    missing: int | None
    failed: tuple[FailedTest, ...]


@require_safe
def near_misses(request: HttpRequest) -> HttpResponse:
    """Cells with no success and at least the asked share of tests passed, one test away first."""
    threshold = asking.whole(request.GET, "threshold", DEFAULT_THRESHOLD, least=1, most=100)
    cells = list(near_miss_cells(threshold / 100))
    best = best_runs((cell.agent_id, cell.task_id) for cell in cells)
    ordered = sorted(cells, key=lambda cell: _distance(cell, best.get((cell.agent_id, cell.task_id))))
    page = Paginator(ordered, PAGE).get_page(asking.page_number(request.GET))
    context = {
        "section": "near_misses",
        "threshold": threshold,
        "threshold_query": f"threshold={threshold}",
        "page": page,
        "misses": [_near_miss(cell, best.get((cell.agent_id, cell.task_id))) for cell in page],
    }
    template = "runs/_near_misses.html" if request.headers.get("X-Partial") else "runs/near_misses.html"
    return render(request, template, context)


def failed_tests(tests: tuple[TestResult, ...]) -> tuple[FailedTest, ...]:
    """The tests that did not pass, as they may be shown."""
    return tuple(
        FailedTest(cut(test.id, 300).shown, test.status.value, cut(test.message, MESSAGE_LENGTH))
        for test in tests
        if test.status is not TestStatus.PASSED
    )


def _distance(cell: Cell, run: Run | None) -> tuple[float, float]:
    missing = run.tests_total - run.tests_passed if run else float("inf")
    return missing, -cell.test_rate_best


def _near_miss(cell: Cell, run: Run | None) -> NearMiss:
    if run is None:
        return NearMiss(cell, None, None, ())
    return NearMiss(cell, run, run.tests_total - run.tests_passed, failed_tests(cached_tests(run.path)))
