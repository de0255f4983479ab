"""The current data as a source of the leaderboard, shared between processes until they change."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.parameters import BadParameter
from runs.data.queries.run_list import RunListQuery
from runs.data.queries.visibility import ANONYMOUS
from runs.models import Agent, Evaluation, PlaySession, Run
from runs.operations.evaluations.lifecycle import retry_infrastructure_failures, set_listed
from runs.play.play_sessions import person_agent, store_help
from runs.rankings.leaderboard.board import Board, board
from runs.rankings.leaderboard.board_source import BoardSource, people_of
from runs.rankings.leaderboard.frozen_board import Frozen, changes
from runs.rankings.leaderboard.publish_preview import preview
from runs.rankings.leaderboard.snapshots import content_of, freeze
from tasks.models import Task
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.data.cells.test_flagged_cells import exploited
from tests.runs.rankings.leaderboard.ports import two_ports
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db


def rates(chosen: BoardFilter) -> dict[str, float]:
    """The pass@1 of each agent that matches."""
    today = BoardSource()
    found = today.standings(chosen)
    names = today.competitors(row.agent for row in found.rows)
    return {names[row.agent].slug: row.pass_1.value for row in found.rows}


@pytest.mark.django_db
def test_filters_and_days_choose_what_is_counted() -> None:
    two_ports()

    assert rates(BoardFilter("ports")) == {"alice": 1.0, "bob": 0.5}
    assert rates(BoardFilter("ports", repository="quay")) == {"alice": 1.0, "bob": 0.0}
    assert rates(BoardFilter("ports", since="2026-03-11")) == {"alice": 1.0, "bob": 0.0}
    assert rates(BoardFilter("ports", until="2026-03-10", kind="ide")) == {"alice": 1.0, "bob": 1.0}
    assert rates(BoardFilter("ports", repository="nowhere")) == {}


@pytest.mark.django_db
def test_names_take_one_query_and_choices_two(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    two_ports()
    alice = Agent.objects.get(slug="alice")

    with django_assert_num_queries(1):
        assert BoardSource().competitors([alice.pk])[alice.pk].name == "Alice"
    with django_assert_num_queries(2):
        assert BoardSource().choices("ports").stacks == ("Go 1.25", "Python 3.11")


@pytest.fixture
def cast() -> Cast:
    return Cast()


@pytest.fixture
def board_runs(cast: Cast) -> list[Run]:
    """Alice resolves two of four attempts, one of them with a successful exploit; Bob only attempts one."""
    first, second = cast.add_tasks(2)
    alice = cast.alice()
    runs = [
        cast.add_run(alice, first, 1, passed=5),
        cast.add_run(alice, first, 2, passed=5),
        cast.add_run(alice, second, 1, passed=1),
        cast.add_run(alice, second, 2, passed=1),
        cast.add_run(cast.bob(), first, 1, passed=5),
    ]
    exploited(runs[0])
    exploited(runs[4], "attempt")
    cast.settle()
    return runs


def shown(**query: str) -> Board:
    return board({"columns": "all", **query}, BoardSource())


def rows(found: Board) -> dict[str, tuple[int, float | None, int | None]]:
    """Attempts, pass@1 and flagged attempts of each agent."""
    return {
        row.agent.slug: (row.standing.attempts, row.standing.pass_1.value, row.flagged) for row in found.shown
    }


def test_only_successes_are_flagged(board_runs: list[Run]) -> None:
    assert BoardSource().flagged(BoardFilter(dataset="ports")) == {board_runs[0].agent_id: 1}
    assert BoardSource().flagged(BoardFilter(dataset="ports", repository="nowhere")) == {}


@pytest.mark.usefixtures("board_runs")
def test_the_board_counts_them_and_can_leave_them_out() -> None:
    found, without = shown(), shown(flagged="without")

    assert rows(found) == {"alice": (4, 0.5, 1), "bob": (1, 1.0, 0)}
    assert (found.flagged, found.attempts) == (1, 5)
    assert rows(without) == {"alice": (3, 0.5, 0), "bob": (1, 1.0, 0)}
    assert [(chip.label, chip.value) for chip in without.chips] == [("flagged runs", "without")]


@pytest.mark.usefixtures("board_runs")
def test_an_agent_is_left_out_whose_runs_are_all_flagged() -> None:
    for run in Run.objects.filter(agent__slug="bob"):
        exploited(run)
    assert list(rows(shown(flagged="without"))) == ["alice"]


@pytest.mark.usefixtures("board_runs")
def test_the_page_links_to_the_flagged_runs_and_to_the_table_without_them(client: Client) -> None:
    page = compact(client.get("/?dataset=ports").content.decode())
    assert 'href="/runs/?dataset=ports&amp;listed=yes&amp;exploit=flagged">1 of 5 attempts</a>' in page
    assert "flagged=without" in page

    listed = RunListQuery.from_query(dict(parse_qsl(shown().flagged_runs))).runs(ANONYMOUS)
    assert [(run.agent.slug, run.attempt) for run in listed] == [("alice", 1)]

    without = compact(client.get("/?dataset=ports&flagged=without").content.decode())
    assert "do not count here" in without


@pytest.mark.usefixtures("board_runs")
def test_a_permanent_link_keeps_them_out(client: Client) -> None:
    snapshot = freeze("ports", flagged="without")
    content = content_of(snapshot)
    source = Frozen(snapshot.digest, content)

    assert content.flagged == "without"
    assert rows(board({"columns": "all"}, source)) == {"alice": (3, 0.5, None), "bob": (1, 1.0, None)}
    assert changes(source, content, BoardFilter("ports")) == []
    assert freeze("ports") != snapshot
    with pytest.raises(BadParameter, match="does not know which runs are flagged"):
        source.standings(BoardFilter("ports", flagged="without"))
    made = client.post("/leaderboard/freeze/?dataset=ports&flagged=without&sort=name")
    assert made.headers["Location"].endswith(f"/{snapshot.digest}/?sort=name")


def test_reported_results_have_no_flags(cast: Cast) -> None:
    cast.add_run(cast.alice(), cast.add_tasks(1)[0], 1)
    type(cast.dataset).objects.update(reported_by="others")
    cast.settle()
    found = shown()
    assert (found.flagged, [row.flagged for row in found.shown]) == (None, [None])


def played(cast: Cast, name: str, task: Task, passed: int, **marks: Any) -> Evaluation:
    """A session of this person that has ended, in a trial of its own."""
    outcome = marks.pop("outcome", None)
    consent = marks.pop("consent", True)
    user, _ = User.objects.get_or_create(username=name)
    trial = cast.add_evaluation(f"{name}-{task.slug}", f"A person: {task.title}", listed=False)
    run = cast.add_run(
        person_agent(),
        task,
        passed=passed,
        evaluation=trial,
        cost_usd=0.0,
        **({"outcome": outcome} if outcome else {}),
    )
    record(run)
    PlaySession.objects.create(
        user=user, run=run, pseudonym=f"p-{name}", consent=consent, ended_at=timezone.now(), **marks
    )
    return trial


@pytest.fixture
def trials() -> list[Evaluation]:
    """Ada and Bea play three tasks, also in two sessions that do not count; Alice and Bob are there before."""
    cast = Cast()
    tasks = cast.add_tasks(3)
    for agent, passed in ((cast.alice(), [5, 5, 1]), (cast.bob(), [5, 2, 2])):
        for task, number in zip(tasks, passed, strict=True):
            record(cast.add_run(agent, task, passed=number))
    cast.settle()
    return [
        played(cast, "ada", tasks[0], 5),
        played(cast, "ada", tasks[1], 2, used_assistant=False),
        played(cast, "bea", tasks[0], 3),
        played(cast, "bea", tasks[2], 5),
        played(cast, "bea", tasks[1], 5, not_blind=True),
        played(cast, "ada", tasks[2], 5, used_assistant=True),
    ]


def publish(trials: list[Evaluation]) -> None:
    for trial in trials:
        set_listed(trial, listed=True)


def today(query: str = "") -> Board:
    return board(dict(pair.split("=") for pair in query.split("&") if pair), BoardSource())


def test_people_have_one_row_with_exact_numbers_and_no_place(trials: list[Evaluation]) -> None:
    assert not today().has_people, "trials do not count"
    before = today().rows
    publish(trials)
    found = today()
    assert found.rows == before, "people change no number of an agent"
    (row,) = found.unplaced
    it = row.standing
    assert (row.agent.name, row.agent.kind, row.people, row.under) == (
        "Person",
        "person",
        2,
        "2 people, 4 runs",
    )
    # Tide 1: one of two attempts, Tide 2: none of one, Tide 3: the one.
    assert (it.tasks, it.attempts, it.resolved, it.pass_1.value) == (3, 4, 2, 0.5)
    # (1 + 3/5) / 2, 2/5, 1
    assert it.tests.value == pytest.approx((0.8 + 0.4 + 1) / 3)
    assert it.seconds_per_attempt.value == 60.0
    cells = {column.key: column.cell(row) for column in found.columns if column.sortable}
    assert (cells["place"].text, cells["place"].title.partition(":")[0]) == ("–", "no rank")
    assert (cells["cost"].text, cells["cost"].title) == ("–", "this agent uses no model")
    assert cells["n"].text == "3 × 1–2"
    values = {name: value for column in found.columns for name, value in column.values(row).items()}
    assert (values["people"], values["cost_usd"], values["cost_usd_per_success"]) == (2, None, None)
    assert today("sort=cost").shown[-1].agent.name == "Person"


def test_the_page_marks_people_in_words(client: Client, trials: list[Evaluation]) -> None:
    publish(trials)
    page = compact(client.get("/").content.decode())
    assert (
        'Person</a></b> <span class="chip">person</span><span class="under">2 people, 4 runs</span>' in page
    )
    assert "<b>Person:</b> all people who played tasks here" in page
    (row,) = (row for row in client.get("/api/v1/leaderboard").json()["rows"] if row["kind"] == "person")
    assert (row["people"], row["place"], row["cost_usd"]) == (2, None, None)
    assert '<span class="chip">person</span>' in client.get("/agents/person/").content.decode()


def test_help_that_is_told_after_publishing_takes_the_run_off(trials: list[Evaluation]) -> None:
    publish(trials)
    session = PlaySession.objects.get(run__evaluation=trials[0])
    store_help(session, used_assistant=True)
    (row,) = today().unplaced
    assert (row.standing.attempts, row.standing.resolved, row.people) == (3, 1, 2)
    store_help(session, used_assistant=False)
    (row,) = today().unplaced
    assert (row.standing.attempts, row.standing.resolved) == (4, 2)


def test_filters_and_days_count_their_own_people(trials: list[Evaluation]) -> None:
    publish(trials)
    Run.objects.filter(play__pseudonym="p-bea").update(finished_at="2026-01-05T12:00:00Z")
    agent = person_agent().pk
    assert people_of(BoardFilter(dataset="ports")) == {agent: 2}
    assert people_of(BoardFilter(dataset="ports", until="2026-01-05")) == {agent: 1}
    assert people_of(BoardFilter(dataset="ports", repository="nowhere")) == {}


def test_a_permanent_link_has_the_people_of_its_day(trials: list[Evaluation]) -> None:
    without = freeze("ports").digest
    assert content_of(freeze("ports")).people == {}
    publish(trials)
    frozen = freeze("ports")
    assert frozen.digest != without
    (row,) = board({"dataset": "ports"}, Frozen(frozen.digest, content_of(frozen))).unplaced
    assert (row.people, row.standing.pass_1.value) == (2, 0.5)


def test_the_preview_of_a_publication_follows_the_same_rule(trials: list[Evaluation]) -> None:
    counts, marked = trials[0], trials[4]
    (shown,) = preview(counts, listed=True)
    assert [change.agent.name for change in shown.changes] == ["Person"]
    assert preview(marked, listed=True) == []


def test_comparisons_reports_and_analysis_have_no_trouble_with_people(
    client: Client, trials: list[Evaluation]
) -> None:
    publish(trials)
    run = Run.objects.filter(agent__kind="person").latest("pk")
    for address in (
        "/compare/?a=alice&b=person",
        "/compare/?agent=alice&agent=bob&agent=person",
        "/compare/judged/?a=alice&b=person",
        "/repositories/",
        "/repositories/harbour/",
        "/near-misses/?threshold=1",
        run.task.get_absolute_url(),
        f"/evaluations/{trials[0].pk}/",
        f"/evaluations/{trials[0].pk}/report/",
        *(
            f"/analysis/{topic}/{query}"
            for topic in ("efficiency", "portfolios", "tasks", "generated", "consistency")
            for query in ("", "?kind=person")
        ),
        "/leaderboard.tex",
        "/leaderboard.md",
        "/feed.atom",
    ):
        assert client.get(address).status_code == 200, address
    analysed = client.get("/analysis/efficiency/").content.decode()
    assert "Alice" in analysed
    assert "Person" not in analysed
    assert "Person" in client.get("/analysis/efficiency/?kind=person").content.decode()


def test_marks_are_on_the_run_and_in_exports(client: Client, trials: list[Evaluation]) -> None:
    clean, unblind, helped = (trials[place].runs.get() for place in (0, 4, 5))
    assert "not\n    blind" not in client.get(f"/runs/{clean.pk}/").content.decode()
    assert "not blind" in compact(client.get(f"/runs/{unblind.pk}/").content.decode())
    assert "with an assistant" in client.get(f"/runs/{helped.pk}/").content.decode()
    marks = {
        row["id"]: (row["not_blind"], row["used_assistant"])
        for row in client.get("/api/v1/runs").json()["items"]
    }
    assert (marks[clean.pk], marks[unblind.pk], marks[helped.pk]) == (
        (False, None),
        (True, None),
        (False, True),
    )
    assert marks[Run.objects.filter(agent__slug="alice").latest("pk").pk] == (None, None)


def test_a_run_of_a_person_is_never_tried_again_and_published_with_consent_only(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    trial = played(cast, "ada", task, 0, outcome="infrastructure_failed", consent=False)
    client.force_login(member("olga", OPERATORS))
    assert retry_infrastructure_failures(trial) == 0
    assert "never tried again" in client.get(f"/evaluations/{trial.pk}/retry/").content.decode()
    page = client.get(f"/evaluations/{trial.pk}/").content.decode()
    assert f"/evaluations/{trial.pk}/retry/" not in page
    assert f"/evaluations/start/?from={trial.pk}" not in page
    assert "does not agree" in client.get(f"/evaluations/{trial.pk}/publish/").content.decode()
    client.post(f"/evaluations/{trial.pk}/publish/", {"publish": "yes"})
    set_listed(trial, listed=True)
    trial.refresh_from_db()
    assert not trial.listed


def test_an_agent_that_tried_too_few_tasks_stands_below_and_leads_nothing(cast: Cast, client: Client) -> None:
    tasks = cast.add_tasks(6)
    alice, bob = cast.alice(), cast.bob()
    for number, task in enumerate(tasks):
        cast.add_cell(alice, task, [5 if number < 3 else 0])
    cast.add_cell(bob, tasks[0], [5])
    cast.settle()

    found = shown()
    page = compact(client.get("/?sort=pass1").content.decode())
    rows = client.get("/api/v1/leaderboard").json()["rows"]

    assert [row.agent.slug for row in found.shown] == ["alice", "bob"]
    assert found.headline is not None
    assert [row.agent.slug for row in found.headline.top] == ["alice"]
    assert found.front is None or [one.agent.slug for one in found.front.placed] == ["alice"]
    reason = "too few tasks: it tried 1 task of this board, and a rank needs 3"
    assert [(row["agent"], row["place"], row["no_place"]) for row in rows] == [
        ("alice", {"first": 1, "last": 1}, None),
        ("bob", None, reason),
    ]
    assert f'title="{reason}">too few tasks</td>' in page
    assert "<b>Too few tasks for a rank:</b> 1 agent tried fewer than the 3 tasks" in page
    profile = compact(client.get("/agents/bob/").content.decode())
    assert "too few tasks for a rank: 1 task, a rank needs 3" in profile


def test_what_is_said_of_other_repositories_stands_beside_with_a_claim_of_its_own(
    cast: Cast, client: Client
) -> None:
    """Alice resolves all tasks of six repositories, Bob none."""
    alice, bob = cast.alice(), cast.bob()
    for name in "abcdef":
        (task,) = cast.add_tasks(1, cast.add_repository(name, name))
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [0])
    cast.settle()

    api = client.get("/api/v1/leaderboard").json()
    (first, second), page = api["rows"], compact(client.get("/").content.decode())
    figure = first["figures"]["pass_at_1_on_other_repositories"]
    wide = compact(client.get("/?sort=elsewhere").content.decode())

    assert (first["place_on_other_repositories"], second["place_on_other_repositories"]) == (
        {"first": 1, "last": 1},
        {"first": 2, "last": 2},
    )
    assert (figure["value"], figure["n"]) == (1.0, 6)
    assert figure["low"] < first["figures"]["pass_at_1"]["low"] < 1.0
    assert api["claims"]["place"] == "tasks of these repositories"
    assert client.get("/leaderboard.json").json()["claims"] == api["claims"]
    assert 'title="1 on tasks of these repositories; on other repositories 1"' in page
    assert "Ranks and solved per attempt on other repositories</a>" in page
    assert f"<small>100.0\u00a0% ({figure['low'] * 100:.0f} to 100)</small>" in wide


def test_few_repositories_say_nothing_about_others(board_runs: list[Run], client: Client) -> None:
    row = client.get("/api/v1/leaderboard").json()["rows"][0]
    reason = "1 repository is too few to say anything about others: 6 are needed"

    assert (
        row["place_on_other_repositories"],
        row["figures"]["pass_at_1_on_other_repositories"]["reason"],
    ) == (
        None,
        reason,
    )
    assert reason in compact(client.get("/").content.decode())
