"""The address of the leaderboard: what it says, and the links that change a part of it."""

from __future__ import annotations

import pytest

from runs.data.queries.board_filter import BoardFilter, Chip, LeaderboardQuery, leaderboard_query
from runs.data.queries.filters import BoardChoices
from runs.data.queries.parameters import BadParameter
from runs.models import Run
from tests.runs.cast import Cast
from tests.runs.data.cells.test_flagged_cells import exploited

SORTS = ["name", "pass1"]
CHOICES = BoardChoices(
    datasets=(("ports", "Ports"),),
    repositories=(("harbour", "Harbour master"),),
    stacks=(),
    languages=(),
    kinds=(),
)


def read(**query: str) -> LeaderboardQuery:
    """The state that these parameters describe."""
    return leaderboard_query(query, SORTS)


def test_an_empty_address_is_the_whole_board_best_first() -> None:
    assert read() == LeaderboardQuery(BoardFilter(), sort="-pass1", columns="", against="")
    assert read().address() == "./"
    assert not read().wide
    assert not read().chosen.dated


def test_defaults_and_unknown_parameters_are_left_out_of_the_address() -> None:
    chosen = read(repository="harbour", sort="-pass1", columns="all", utm_source="elsewhere")

    assert chosen.wide
    assert chosen.state() == {"repository": "harbour", "columns": "all"}
    assert chosen.address() == "?repository=harbour&columns=all"


def test_a_link_changes_only_its_part_of_the_state() -> None:
    chosen = read(repository="harbour", sort="name", against="time")

    assert chosen.address(sort="-name") == "?repository=harbour&sort=-name&against=time"
    assert chosen.address(sort="", against="", repository="") == "./"
    assert chosen.address(stack="C & C++") == "?repository=harbour&sort=name&against=time&stack=C+%26+C%2B%2B"


def test_each_filter_in_use_has_its_title_and_an_address_without_it() -> None:
    chosen = read(repository="harbour", kind="ide", since="2026-03-01", sort="name")

    assert list(chosen.chips(CHOICES)) == [
        Chip("repository", "repository", "Harbour master", "?kind=ide&since=2026-03-01&sort=name"),
        Chip(
            "kind",
            "agent kind",
            "model with this site's tools",
            "?repository=harbour&since=2026-03-01&sort=name",
        ),
        Chip("since", "finished since", "2026-03-01", "?repository=harbour&kind=ide&sort=name"),
    ]
    assert list(read(dataset="ports").chips(CHOICES)) == []  # every board has one


def test_days_are_inclusive_and_in_order() -> None:
    one_day = read(since="2026-03-01", until="2026-03-01").chosen

    assert one_day.dated
    assert one_day.selects_runs
    assert read(flagged="without").chosen.selects_runs
    assert not read(flagged="without").chosen.dated
    assert not read(kind="ide").chosen.selects_runs
    with pytest.raises(BadParameter) as refused:
        read(since="2026-03-02", until="2026-03-01")
    assert str(refused.value) == (
        "until='2026-03-01' is invalid; allowed: a day from 2026-03-02 on, which is since"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("sort", "cost"), ("columns", "some"), ("against", "weight"), ("weights", "ajar"), ("flagged", "only")],
)
def test_values_that_are_not_offered_are_refused(name: str, value: str) -> None:
    with pytest.raises(BadParameter, match=f"{name}='{value}' is invalid; allowed: one of "):
        read(**{name: value})


@pytest.mark.django_db
def test_a_run_without_an_end_belongs_to_no_day() -> None:
    cast = Cast()
    (task,), alice = cast.add_tasks(1), cast.alice()
    for attempt in (1, 2):
        cast.add_run(alice, task, attempt)
    Run.objects.filter(attempt=1).update(finished_at=None)

    assert [run.attempt for run in BoardFilter(until="9999-12-31").runs()] == [2]
    assert BoardFilter().runs().count() == 2


@pytest.mark.django_db
def test_flagged_runs_can_be_left_out() -> None:
    cast = Cast()
    (task,), alice = cast.add_tasks(1), cast.alice()
    for attempt, strength in ((1, "success"), (2, "attempt")):
        exploited(cast.add_run(alice, task, attempt), strength)

    assert [run.attempt for run in BoardFilter(flagged="without").runs()] == [2]
