"""The list of runs: words, signs of trouble, orders and pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, User
from pytest_django import DjangoAssertNumQueries

from runs.analysis.facts import Behaviour, Exploit, Signs
from runs.data.queries import run_list
from runs.data.queries.parameters import BadParameter
from runs.data.queries.run_list import MAX_WORDS, RunListQuery, Sorting, page_of
from runs.data.queries.visibility import ANONYMOUS
from runs.data.run_facts.count_trajectory import TrajectoryCount, store_counts
from runs.models import Run, RunSign
from tasks.loading import hide
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def found(**query: str) -> list[int]:
    """The attempts that a list shows, in its order."""
    return [run.attempt for run in RunListQuery.from_query(query).runs(AnonymousUser())]


def signs(run: Run, *modes: str) -> None:
    store_counts(run, TrajectoryCount(Behaviour(signs=Signs(dict.fromkeys(modes, ())))))


def test_words_match_names_of_agent_task_or_repository(cast: Cast) -> None:
    first, second = cast.add_tasks(2)
    cast.add_run(cast.alice(), first, 1)
    cast.add_run(cast.bob(), first, 2)
    cast.add_run(cast.oracle(), second, 3)

    assert found(q="ALICE") == [1]
    assert found(q="tide") == [3, 2, 1]
    assert found(q="bob 1") == [2]
    assert found(q="harbour oracle") == [3]
    assert found(q="nobody") == []


def test_lost_runs_are_read_from_their_own_index(cast: Cast) -> None:
    query = RunListQuery.from_query({"outcome": "infrastructure_failed"})

    assert "run_lost" in query.runs(AnonymousUser())[:50].explain()


def test_runs_are_found_by_a_sign_of_trouble(cast: Cast) -> None:
    one, other, third = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 4, 5])
    signs(one, "thrashing", "context_loss")
    signs(other, "context_loss")
    signs(third)

    assert found(sign="thrashing") == [1]
    assert found(sign="context_loss") == [2, 1]
    signs(one)  # counted again
    assert found(sign="thrashing") == []
    other.delete()
    assert not RunSign.objects.exists()


def test_runs_are_found_by_an_exploit_and_a_sign_together(cast: Cast) -> None:
    one, other = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [4, 4])
    network = {"network": Exploit("success", (1,)), "grader": Exploit("success", (1,))}
    store_counts(one, TrajectoryCount(Behaviour(signs=Signs({"thrashing": ()}), exploits=network)))
    store_counts(other, TrajectoryCount(Behaviour(exploits=network)))

    assert found(exploit="flagged") == [2, 1]
    assert found(exploit="network", sign="thrashing") == [1]


def test_runs_can_be_sorted_both_ways(cast: Cast) -> None:
    task, alice = cast.add_tasks(1)[0], cast.alice()
    cast.add_run(alice, task, 1, act_seconds=20.0, cost_usd=0.3, prompt_tokens=100, steps=7)
    cast.add_run(alice, task, 2, act_seconds=10.0, cost_usd=None, prompt_tokens=300, steps=9)
    cast.add_run(alice, task, 3, act_seconds=30.0, cost_usd=0.1, prompt_tokens=200, steps=8)
    cast.add_run(
        alice,
        task,
        4,
        act_seconds=0.0,
        prompt_tokens=0,
        completion_tokens=0,
        state=Run.State.QUEUED,
        cost_usd=None,
        outcome="",
    )

    assert found() == [4, 3, 2, 1]
    assert found(sort="-time") == [3, 1, 2]
    assert found(sort="time") == [2, 1, 3]
    assert found(sort="-cost") == [1, 3]
    assert found(sort="-tokens") == [2, 3, 1]
    assert found(state="queued") == [4]
    assert found(sort="steps") == [1, 3, 2]


def test_words_beyond_the_last_one_that_is_read_do_not_matter(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], 1)

    assert found(q=" ".join(["tide"] * MAX_WORDS + ["nowhere"])) == [1]
    assert found(q=" ".join(["tide"] * (MAX_WORDS - 1) + ["nowhere"])) == []


def test_names_in_a_hidden_dataset_are_found_by_operators_alone(cast: Cast, admin_user: User) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], 1)
    hide(cast.dataset, hidden=True)
    query = RunListQuery.from_query({"q": "tide"})

    assert query.runs(ANONYMOUS).count() == 0
    assert query.runs(admin_user).count() == 1


def test_a_query_is_the_same_after_its_query_string() -> None:
    query = RunListQuery.from_query({"agent": "alice", "q": "a & b", "sort": "-cost", "utm": "x"})

    assert query.query() == "agent=alice&q=a+%26+b&sort=-cost"
    assert query.query(sort="", sign="thrashing") == "agent=alice&sign=thrashing&q=a+%26+b"
    assert not query.empty
    assert RunListQuery.from_query({"exploit": "any"}).query(q="a") == "exploit=any&q=a"
    assert not RunListQuery.from_query({"exploit": "any"}).empty
    assert RunListQuery.from_query({"sort": "time"}).empty  # an order leaves nothing out


@pytest.mark.parametrize(
    "query",
    [{"sort": "outcome"}, {"sort": "--time"}, {"sign": "bad_luck"}, {"exploit": "luck"}, {"q": "\x00"}],
)
def test_a_query_that_makes_no_sense_is_refused(query: dict[str, str]) -> None:
    (name,) = query
    with pytest.raises(BadParameter, match=f"^{name}="):
        RunListQuery.from_query(query)


def test_each_filter_in_use_has_a_name_and_an_address_without_it() -> None:
    query = RunListQuery.from_query(
        {
            "agent": "alice",
            "replay": "none",
            "outcome": "infrastructure_failed",
            "q": "tide",
            "sort": "-time",
        }
    )

    assert [(chip.label, chip.value) for chip in query.chips({"agent": "Alice"})] == [
        ("found", "tide"),
        ("agent", "Alice"),
        ("outcome", "infrastructure failed"),
        ("replay", "reported only"),
    ]
    assert [chip.without for chip in query.chips({})][
        1
    ] == "?outcome=infrastructure_failed&replay=none&q=tide&sort=-time"
    (alone,) = RunListQuery.from_query({"agent": "alice"}).chips({})
    assert (alone.value, alone.without) == ("alice", "./")


def test_a_column_is_sorted_descending_first_then_ascending() -> None:
    assert RunListQuery.from_query({}).sorting()["time"] == Sorting("", "?sort=-time")
    falling, rising = (RunListQuery.from_query({"sort": sort}).sorting() for sort in ("-time", "time"))

    assert falling["time"] == Sorting("descending", "?sort=time")
    assert rising["time"] == Sorting("ascending", "?sort=-time")
    assert falling["cost"] == Sorting("", "?sort=-cost")


def test_a_list_of_one_agent_at_one_task_has_its_cell(cast: Cast, admin_user: User) -> None:
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])
    cast.settle()
    chosen = {"agent": "alice", "task": "harbour/tide-1"}
    query = RunListQuery.from_query(chosen)

    cell = query.cell(ANONYMOUS)

    assert cell is not None
    assert (cell.attempts, cell.resolved) == (2, 1)
    for part in ({"agent": "alice"}, {"task": "harbour/tide-1"}, {**chosen, "task": "tide-1"}):
        assert RunListQuery.from_query(part).cell(ANONYMOUS) is None
    hide(cast.dataset, hidden=True)
    assert query.cell(ANONYMOUS) is None
    assert query.cell(admin_user) == cell


def test_pages_end_where_runs_or_pages_do(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_list, "PAGE", 2)
    monkeypatch.setattr(run_list, "MAX_COUNT", 4)
    query = RunListQuery.from_query({})
    (task,), alice = cast.add_tasks(1), cast.alice()

    nothing = page_of(query, ANONYMOUS, 1)
    assert (nothing.number, nothing.pages, nothing.runs, nothing.count, nothing.more) == (1, 1, (), 0, False)

    cast.add_cell(alice, task, [5, 5, 5, 5])
    first, last = page_of(query, ANONYMOUS, 1), page_of(query, ANONYMOUS, 9)
    assert [run.attempt for run in first.runs] == [4, 3]
    assert (first.previous, first.next, first.pages, first.count, first.more) == (None, 2, 2, 4, False)
    assert [run.attempt for run in last.runs] == [2, 1]
    assert (last.number, last.previous, last.next) == (2, 1, None)

    cast.add_run(alice, task, 5)
    beyond = page_of(query, ANONYMOUS, 2)
    assert [run.attempt for run in beyond.runs] == [3, 2]
    assert (beyond.pages, beyond.count, beyond.more) == (2, 4, True)


def test_runs_are_counted_by_replay_up_to_a_bound(monkeypatch: pytest.MonkeyPatch, cast: Cast) -> None:
    monkeypatch.setattr(run_list, "MAX_COUNT", 3)
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5] * 5)
    Run.objects.exclude(attempt=1).update(directory="")

    def counts(**query: str) -> dict[str, tuple[int, bool, bool]]:
        page = page_of(RunListQuery.from_query(query), AnonymousUser(), 1)
        assert (page.count, page.more) == (3, True)
        return {each.where: (each.count, each.more, each.at_least) for each in page.replays}

    # Without a filter indexes count all; with one, the first runs are counted.
    assert counts() == {"here": (1, False, False), "none": (3, True, False)}
    assert counts(agent="alice") == {"here": (1, False, True), "none": (3, False, True)}
    Run.objects.update(directory="")
    assert counts(agent="alice") == {"none": (3, True, False)}


def test_runs_beyond_the_bound_are_not_counted_where_boards_have_as_many(
    monkeypatch: pytest.MonkeyPatch, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(run_list, "MAX_COUNT", 3)
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5] * 5)
    Run.objects.exclude(attempt=1).update(directory="")
    query = RunListQuery.from_query({})

    def counts(on_boards: int, queries: int) -> dict[str, tuple[int, bool]]:
        with django_assert_num_queries(queries):
            page = page_of(query, ANONYMOUS, 1, on_boards=lambda: on_boards)
        assert (page.count, page.more) == (3, True)
        return {each.where: (each.count, each.more) for each in page.replays}

    # Whose source has trajectories; how many; which; these.
    known = {"here": (1, False), "none": (3, True)}
    assert counts(3, queries=1 + 4 + 2) == known
    assert counts(4, queries=1 + 3 + 2) == known, "one of four may have a replay"
    assert counts(5, queries=1 + 2 + 2) == known
    Run.objects.update(directory="x")
    assert counts(5, queries=1 + 3 + 2) == {"here": (3, True)}, "how many have none is not known"


def test_the_newest_runs_of_an_agent_are_read_from_an_index(cast: Cast) -> None:
    query = RunListQuery.from_query({"agent": "alice"})

    assert "run_of_agent" in query.runs(AnonymousUser())[:50].explain()
