"""The leaderboard, its cells, and near misses."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Query, Router

from harness.records import TestStatus
from runs.analysis.outcomes.cell_counts import mean_test_rate
from runs.analysis.statistics.contingency import share
from runs.api.api_parameters import BoardQuery, OfCells, OfNearMisses, PageQuery, filter_of
from runs.api.endpoints.run_endpoints import test_item
from runs.api.schemas import result_schemas as schemas
from runs.api.schemas.common_schemas import figure, method_address
from runs.data.cache.results import data_version
from runs.data.cells.open_cells import groups_with_tests
from runs.data.queries.blind_sessions import without_hidden_while_playing
from runs.data.queries.board_filter import BoardFilter, LeaderboardQuery
from runs.data.queries.filters import CellFilter
from runs.data.queries.near_miss_query import near_miss_cells
from runs.data.replay.record import named_tests
from runs.models import Cell
from runs.rankings.leaderboard.board import board_of
from runs.rankings.leaderboard.board_source import BoardSource
from runs.rankings.leaderboard.column import BoardRow
from runs.rankings.leaderboard.columns import CLAIMS, COLUMNS, FIGURES

MAX_FAILED = 20
# The order of figures when the API began; newer ones follow in the order of the columns.
_FIRST_FIGURES = (
    *("pass_at_1", "pass_at_1_with_infrastructure_failures", "pass_at_k", "retry_benefit", "tests_passed"),
    *("sigma", "tokens_per_success", "cost_usd_per_attempt", "cost_usd_per_success", "seconds_per_attempt"),
)
_BY_NAME = {field.name: field for field in FIGURES}
_FIGURES = {name: _BY_NAME[name] for name in _FIRST_FIGURES} | _BY_NAME
router = Router(tags=["Results"])


@router.get("leaderboard", response=schemas.Leaderboard, summary="The leaderboard")
def leaderboard(request: HttpRequest, query: Query[BoardQuery]) -> dict[str, Any]:
    """The rows of the page with the same filters: figures with intervals, tie groups, n, k and the data version.

    Without `dataset`, those of the first board: the one with most competitors among those whose results are at most
    half a year older than the newest reported ones. Agents without a rank come last, with the reason: too few
    tasks, or what their source prints contradicts their results. Calibration agents do not compete: they are in
    `sanity_check`. Where verdicts were judged, `correction` is the rule, and rows have `corrected_place` and their
    positions in the orders by both scores.
    """
    version = data_version()
    found = board_of(LeaderboardQuery(filter_of(BoardFilter, query)), BoardSource())
    return {
        "data_version": version,
        "dataset": found.parameters.chosen.dataset,
        "reported_by": found.reported_by or None,
        "filter": {name: value for name, value in query.model_dump().items() if value},
        "k": found.standings.k,
        "too_small": found.standings.too_small,
        "tasks_needed": found.standings.tasks_needed,
        "claims": dict(CLAIMS),
        "only_failures": [agent.slug for agent in found.lost],
        "correction": found.rule and {"rule": found.rule.name, "sentence": found.rule.sentence},
        "columns": [
            {
                "name": field.name,
                "title": field.title,
                "unit": field.unit,
                "method": method_address(request, field.method),
            }
            for field in _FIGURES.values()
        ],
        "rows": [_row(request, row) for row in found.shown],
        "sanity_check": [
            {"agent": row.agent.slug, "name": row.agent.name, "pass_at_1": row.standing.pass_1.value}
            for row in found.sanity
        ],
    }


@router.get("cells", response=schemas.CellPage, summary="Cells: agent × task")
def list_cells(request: HttpRequest, response: HttpResponse, query: Query[OfCells]) -> dict[str, Any]:
    """The data of the leaderboard and the heatmaps: each agent at each task, over all listed evaluations."""
    cells = filter_of(CellFilter, query).cells().select_related("agent", "task__repository__dataset")
    return PageQuery.of(request, response, query).rows(cells, partial(_cell, request, groups_with_tests()))


@router.get("near-misses", response=schemas.NearMissPage, summary="Near misses")
def list_near_misses(
    request: HttpRequest, response: HttpResponse, query: Query[OfNearMisses]
) -> dict[str, Any]:
    """Tasks that an agent never resolved but almost passed, with the tests that its best attempt did not pass."""
    cells = near_miss_cells(
        query.threshold / 100,
        by=query.by,
        dataset=query.dataset or "",
        agent=query.agent or "",
        repository=query.repository or "",
        task=query.task or "",
    ).select_related("agent", "best", "task__repository__dataset")
    shown = without_hidden_while_playing(cells, request.user)
    return PageQuery.of(request, response, query).rows(shown, partial(_near_miss, request))


def _row(request: HttpRequest, row: BoardRow) -> dict[str, Any]:
    """The values that the schema names, those of the columns among them."""
    values: dict[str, Any] = {}
    for column in COLUMNS:
        values |= column.values(row)
    place, group, corrected = row.standing.place, row.standing.group, row.standing.corrected_place
    other = row.standing.place_elsewhere
    repositories = row.standing.repositories
    return {
        **{name: value for name, value in values.items() if name in schemas.LeaderboardRow.model_fields},
        "place": place and {"first": place.first, "last": place.last},
        "place_on_other_repositories": other and {"first": other.first, "last": other.last},
        "group": group and {"first": group.first, "last": group.last},
        "corrected_place": corrected and {"first": corrected.first, "last": corrected.last},
        "findings": [one.sentence for one in row.findings],
        "figures": {
            field.name: figure(request, field.estimate(row), field.method) for field in _FIGURES.values()
        },
        "repositories": [{"repository": each.repository, "value": each.value} for each in repositories],
        "url": request.build_absolute_uri(row.agent.get_absolute_url()),
    }


def _cell(request: HttpRequest, reporting: Collection[tuple[int, int]], cell: Cell) -> dict[str, Any]:
    names = ("attempts", "resolved", "infrastructure_failed", "judged", "tokens", "cost_usd", "seconds")
    runs = f"{reverse('api:list_runs')}?agent={cell.agent.slug}&task={cell.task.repository.slug}/{cell.task.slug}"
    return {
        **_where(cell),
        **{name: getattr(cell, name) for name in names},
        "resolved_share": figure(
            request, share(cell.resolved, cell.attempts, "no attempt was graded"), "interval"
        ),
        "corrected_share": figure(
            request, share(cell.corrected, cell.judged, "no verdict was judged"), "interval"
        ),
        "tests_passed": figure(
            request,
            mean_test_rate(cell, reported=(cell.agent_id, cell.task.repository.dataset_id) in reporting),
            "test-pass-rate",
        ),
        "tested": cell.tested,
        "best_tests_passed": cell.test_rate_best if cell.tested else None,
        "odd_records": cell.odd,
        "runs": request.build_absolute_uri(runs),
    }


def _near_miss(request: HttpRequest, cell: Cell) -> dict[str, Any]:
    tests = named_tests([cell.best])[cell.best.pk] if cell.best else ()
    failed = [test for test in tests if test.status is not TestStatus.PASSED]
    return {
        **_where(cell),
        "attempts": cell.attempts,
        "best_tests_passed": cell.test_rate_best,
        "missing": cell.best_missing,
        "run": cell.best_id,
        "failed": [test_item(test) for test in failed[:MAX_FAILED]],
        "failed_are_cut": len(failed) > MAX_FAILED,
        "method": method_address(request, "test-pass-rate"),
    }


def _where(cell: Cell) -> dict[str, str]:
    return {
        "agent": cell.agent.slug,
        "dataset": cell.task.repository.dataset.slug,
        "repository": cell.task.repository.slug,
        "task": cell.task.slug,
    }
