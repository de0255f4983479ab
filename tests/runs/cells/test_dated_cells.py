"""Cells over the runs of some days."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.cells import dated_cells
from runs.cells.dated_cells import dated_facts, within
from runs.models import Run
from runs.queries.board_filter import BoardFilter
from runs.queries.filters import CellFilter, cell_facts
from runs.queries.parameters import BadParameter
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture
def cast() -> Cast:
    return Cast()


def three_days(cast: Cast) -> None:
    """Alice at one task on three days: resolved, unresolved, unresolved."""
    (task,), alice = cast.add_tasks(1), cast.alice()
    for days, passed in enumerate((5, 4, 3)):
        cast.add_run(alice, task, days + 1, passed=passed, finished_at=NOON + timedelta(days=days))


def test_all_days_together_are_the_cells(cast: Cast) -> None:
    alice, bob = cast.alice(), cast.bob()
    other = cast.add_repository("quay", "Quay")
    for task in (*cast.add_tasks(2), *cast.add_tasks(1, other)):
        cast.add_cell(alice, task, [5, 3, 0])
        cast.add_run(bob, task, 1, passed=4, odd="act_seconds prompt_tokens", act_seconds=0)
        cast.add_run(bob, task, 2, passed=4, odd="tests_passed", cost_usd=1.0)
        cast.add_run(bob, task, 3, passed=0, tests_total=0)
        cast.add_run(bob, task, 4, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED, cost_usd=None)
    cast.add_run(cast.idler(), task, 1, passed=0, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    unlisted = cast.add_evaluation("neap", "Neap", listed=False)
    cast.add_run(alice, task, 9, evaluation=unlisted)
    cast.settle()

    counted = sorted(dated_facts(BoardFilter(since="2000-01-01")))
    cells = sorted(cell_facts(CellFilter().cells()))

    assert [fact[:6] for fact in counted] == [fact[:6] for fact in cells]
    for mine, stored in zip(counted, cells, strict=True):
        assert mine._asdict() == pytest.approx(stored._asdict(), nan_ok=False), mine


@pytest.mark.parametrize(
    ("days", "attempts", "resolved"),
    [
        ({"since": "2026-03-11"}, 2, 0),
        ({"until": "2026-03-11"}, 2, 1),
        ({"since": "2026-03-10", "until": "2026-03-10"}, 1, 1),
    ],
)
def test_a_cell_sums_the_runs_of_these_days_in_three_queries(
    cast: Cast,
    days: dict[str, str],
    attempts: int,
    resolved: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    three_days(cast)

    with django_assert_num_queries(3):
        (found,) = dated_facts(BoardFilter(**days))

    assert (found.repository, found.attempts, found.resolved) == ("harbour", attempts, resolved)
    assert (found.tokens, found.cost_usd) == (1000 * attempts, 0.25 * attempts)


def test_days_without_runs_have_no_cells(cast: Cast) -> None:
    three_days(cast)

    assert dated_facts(BoardFilter(since="2026-03-13")) == []
    assert dated_facts(BoardFilter(since="2026-03-10", difficulty="hard")) == []


def test_a_run_without_an_end_belongs_to_no_day(cast: Cast) -> None:
    three_days(cast)
    Run.objects.filter(attempt=1).update(finished_at=None)

    assert within(BoardFilter(until="9999-12-31")).count() == 2
    assert within(BoardFilter()).count() == 3


def test_runs_of_hidden_datasets_belong_to_no_day(cast: Cast) -> None:
    three_days(cast)
    hide(cast.dataset, hidden=True)

    assert dated_facts(BoardFilter(until="9999-12-31")) == []


@pytest.mark.parametrize(
    ("days", "said"),
    [
        ({"until": "2026-03-12"}, "until='2026-03-12'"),
        ({"since": "2026-03-10", "until": "2026-03-12"}, "since='2026-03-10'"),
    ],
)
def test_too_many_runs_are_refused_by_the_name_of_the_day(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, days: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(dated_cells, "MOST_RUNS", 2)
    three_days(cast)

    with pytest.raises(BadParameter) as refused:
        dated_facts(BoardFilter(**days))

    assert str(refused.value) == (
        f"{said} is invalid; allowed: a day that leaves at most 2 runs: a table of more cannot wait for its page"
    )
    assert len(dated_facts(BoardFilter(since="2026-03-11"))) == 1
    with pytest.raises(BadParameter, match=r"^flagged='without' is invalid"):
        dated_facts(BoardFilter(flagged="without"))
