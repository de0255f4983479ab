"""The cells of a filter, also over the runs of some days, and without flagged runs."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.analysis.outcomes.standings import Standings
from runs.data.cells import filtered_cells
from runs.data.cells.filtered_cells import filtered_facts, filtered_standings, shared_standings
from runs.data.cells.recompute import rebuild_cells
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import CellFilter, cell_facts
from runs.data.queries.parameters import BadParameter
from runs.models import Run
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.runs.cast import Cast
from tests.runs.data.cells.random_runs import add_random_runs
from tests.runs.data.cells.test_flagged_cells import exploited
from tests.runs.rankings.leaderboard.made_standings import made_standings

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

    counted = sorted(filtered_facts(BoardFilter(since="2000-01-01")))
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
        (found,) = filtered_facts(BoardFilter(**days))

    assert (found.repository, found.attempts, found.resolved) == ("harbour", attempts, resolved)
    assert (found.tokens, found.cost_usd) == (1000 * attempts, 0.25 * attempts)


def test_days_without_runs_have_no_cells(cast: Cast) -> None:
    three_days(cast)

    assert filtered_facts(BoardFilter(since="2026-03-13")) == []
    assert filtered_facts(BoardFilter(since="2026-03-10", difficulty="hard")) == []


def test_runs_of_hidden_datasets_belong_to_no_day(cast: Cast) -> None:
    three_days(cast)
    hide(cast.dataset, hidden=True)

    assert filtered_facts(BoardFilter(until="9999-12-31")) == []


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
    monkeypatch.setattr(filtered_cells, "MAX_RUNS", 2)
    three_days(cast)

    with pytest.raises(BadParameter) as refused:
        filtered_facts(BoardFilter(**days))

    assert str(refused.value) == (
        f"{said} is invalid; allowed: a day that leaves at most 2 runs: a table of more cannot wait for its page"
    )
    assert len(filtered_facts(BoardFilter(since="2026-03-11"))) == 1


WITHOUT: dict[str, str] = {"dataset": "ports", "flagged": "without"}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("more", [{}, {"repository": "harbour"}])
def test_without_flagged_runs_the_cells_are_as_counted_from_the_others(
    seed: int, more: dict[str, str]
) -> None:
    chance = random.Random(seed)
    add_random_runs(chance)
    runs = list(Run.objects.order_by("pk"))
    for run in chance.sample(runs, len(runs) // 3):
        exploited(run)
    for run in runs:
        if (run.agent.slug, run.task.slug) == (runs[0].agent.slug, runs[0].task.slug):
            exploited(run)
    rebuild_cells()

    found = {(one.agent, one.task): one for one in filtered_facts(BoardFilter(**WITHOUT, **more))}
    counted = {
        (one.agent, one.task): one for one in filtered_facts(BoardFilter(since="2000-01-01", **WITHOUT))
    }

    assert found.keys() == counted.keys() == {(r.agent_id, r.task_id) for r in BoardFilter(**WITHOUT).runs()}
    whole = {(one.agent, one.task): one for one in cell_facts(CellFilter().cells())}
    for pair, mine in found.items():
        expected = counted[pair]._asdict()
        for name in ("tokens", "cost_usd"):  # unknown with the flagged runs: it stays unknown
            if getattr(whole[pair], name) is None:
                expected[name] = None
        assert mine._asdict() == pytest.approx(expected, abs=1e-9), pair


def test_a_cell_of_flagged_runs_alone_is_none(cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    alice = cast.alice()
    exploited(cast.add_run(alice, first, 1, passed=5))
    cast.add_run(alice, second, 1, passed=5)
    cast.settle()

    (found,) = filtered_facts(BoardFilter(**WITHOUT))

    assert (found.task, found.attempts, found.resolved, found.test_rate_sum) == (second.pk, 1, 1, 1.0)


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_standings_are_computed_once_for_each_scope_and_version(redis: RedisServer) -> None:
    computed: list[Standings] = []

    def count() -> Standings:
        computed.append(made_standings({1: [1] * (len(computed) + 1)}))
        return computed[-1]

    first = shared_standings("ide", "1", count)

    assert shared_standings("ide", "1", count) == first
    assert len(computed) == 1
    assert shared_standings("ide", "2", count) != first
    assert shared_standings("ide", "2", count).rows[0].tasks == 2
    assert len(computed) == 2


def test_a_small_repository_is_counted_again_only_when_its_own_cells_change(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, (task,), quay = cast.alice(), cast.add_tasks(1), cast.add_repository("quay", "Quay")
    (other,) = cast.add_tasks(1, quay)
    for one in (task, other):
        cast.add_cell(alice, one, [5])
    cast.settle()
    harbour = BoardFilter(dataset="ports", repository="harbour")
    first = filtered_standings(harbour)

    cast.add_run(alice, other, 2, passed=0)
    cast.settle()
    with monkeypatch.context() as patch:
        patch.setattr(filtered_cells, "standings", None)
        assert filtered_standings(harbour) is first
    cast.add_run(alice, task, 2, passed=0)
    cast.settle()
    (row,) = (*(found := filtered_standings(harbour)).rows, *found.unplaced)
    assert (row.attempts, row.resolved) == (2, 1)


@pytest.mark.redis
@pytest.mark.django_db
def test_in_a_transaction_nothing_is_shared(redis: RedisServer) -> None:
    one, other = made_standings({1: [1]}), made_standings({1: [0]})

    assert shared_standings("ide", "1", lambda: one) is one
    assert shared_standings("ide", "1", lambda: other) is other
