"""Results are computed at once for few runs, else by a worker, and cached until the data change."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from rq import Queue

from runs.data.cache import signed_pickle
from runs.data.cells.recompute import recompute_cells
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.too_many import TooMany
from runs.data.run_facts.facts_query import run_facts
from runs.jobs import queue
from runs.jobs.job_kinds import ANALYSIS
from runs.models import Agent, Run
from runs.reporting.topics import computing
from runs.reporting.topics.computing import TopicQuery, compute_topics, current_result, enqueue_boards
from runs.reporting.topics.registry import BY_SLUG, TOPICS
from runs.views.analysis_pages import analysis_page
from tasks.loading import hide
from tasks.models import Dataset, Task
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.tiny import manage

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]
TOPIC = TOPICS[0]


@pytest.fixture
def cast(redis: RedisServer) -> Cast:
    """Two agents on one task, and a running Redis."""
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5, 3])
    cast.add_cell(cast.bob(), task, [0, 5])
    cast.settle()
    return cast


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four runs are many."""
    monkeypatch.setattr(computing, "AT_ONCE", 3)


def result(repository: str = "") -> computing.CurrentResult:
    """Of a new request."""
    return current_result(TOPIC, TopicQuery(BoardFilter("ports", repository)))


def open_tasks(cast: Cast) -> list[Task]:
    """A task of another dataset."""
    dataset = Dataset.objects.create(
        slug="roads", title="Roads", description="", version="1", licence="MIT", directory="/nowhere"
    )
    repository = cast.add_repository("bridge", "Bridge")
    repository.dataset = dataset
    repository.save()
    return cast.add_tasks(1, repository, start=9)


def waiting() -> int:
    """How many filters wait for a worker."""
    return len(Queue(ANALYSIS, connection=queue.connection()))


def test_few_runs_are_computed_at_once_and_read_once(cast: Cast, django_assert_max_num_queries: Any) -> None:
    assert result().state == "fresh"

    with django_assert_max_num_queries(10):  # counts, boards and versions, no run
        assert result().state == "fresh"
    assert waiting() == 0


@pytest.mark.usefixtures("many")
def test_many_runs_are_computed_by_a_worker(cast: Cast, client: Client) -> None:
    assert result() == computing.CurrentResult("pending", 4)
    assert "Being computed" in client.get(f"/analysis/{TOPIC.slug}/").content.decode()
    later = client.get(f"/analysis/{TOPIC.slug}/fronts.csv")
    assert (later.status_code, later["Retry-After"]) == (503, "5")
    assert waiting() == 1  # a repeated request reuses the queued job

    compute_topics("dataset=ports")

    found = result()
    assert (found.state, found.runs) == ("fresh", 4)
    assert found.result is not None
    assert found.result.runs == 4


@pytest.mark.usefixtures("many")
def test_newer_runs_leave_the_older_result_until_there_is_another(cast: Cast, client: Client) -> None:
    compute_topics("dataset=ports")
    cast.add_cell(cast.add_agent("Carol"), cast.add_tasks(1, start=2)[0], [5])
    cast.settle()

    found = result()

    assert (found.state, found.runs) == ("stale", 5)
    assert "The runs have changed since" in client.get(f"/analysis/{TOPIC.slug}/").content.decode()
    compute_topics("dataset=ports")
    assert result().state == "fresh"


@pytest.mark.usefixtures("many")
def test_runs_of_another_dataset_leave_a_result_as_it_is(cast: Cast) -> None:
    (elsewhere,) = open_tasks(cast)
    compute_topics("dataset=ports")
    before = result()

    alice = Agent.objects.get(slug="alice")
    cast.add_cell(alice, elsewhere, [5])
    with transaction.atomic():
        recompute_cells([(alice.pk, elsewhere.pk)])

    assert result() == before
    assert before.state == "fresh"


@pytest.mark.usefixtures("many")
def test_every_board_is_enqueued_when_the_worker_starts_and_only_old_results_are_computed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere,) = open_tasks(cast)
    cast.add_cell(Agent.objects.get(slug="alice"), elsewhere, [5])
    cast.settle()

    enqueue_boards()

    jobs = Queue(ANALYSIS, connection=queue.connection()).jobs
    assert sorted(job.args for job in jobs) == [("dataset=ports",), ("dataset=roads",)]
    compute_topics("dataset=ports")
    monkeypatch.setattr(computing, "run_facts", pytest.fail)
    compute_topics("dataset=ports")  # reads no run


def test_without_redis_the_worker_starts_all_the_same(cast: Cast, redis: RedisServer) -> None:
    redis.stop()

    enqueue_boards()

    assert result().state == "fresh"


@pytest.mark.usefixtures("many")
def test_results_from_before_a_dataset_was_hidden_are_not_shown(cast: Cast) -> None:
    compute_topics("dataset=ports")
    (open_task,) = open_tasks(cast)
    cast.add_cell(cast.add_agent("Carol"), open_task, [5, 5, 5, 5])
    cast.settle()
    assert result().state == "stale"

    hide(cast.dataset, hidden=True)

    assert result().state == "empty"


@pytest.mark.usefixtures("many")
def test_a_topic_that_breaks_says_so_and_leaves_the_others_alone(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_data: object) -> Any:
        raise ArithmeticError("on purpose")

    first, *others = TOPICS
    odd = replace(first, sections=broken)
    monkeypatch.setattr(computing, "TOPICS", (odd, *others))

    compute_topics("dataset=ports")

    assert "on purpose" in caplog.text
    assert result().state == "failed"
    assert "could not be computed" in client.get(f"/analysis/{TOPIC.slug}/").content.decode()
    assert current_result(others[0], TopicQuery(BoardFilter("ports"))).state == "fresh"


def test_too_many_runs_are_refused_with_their_number(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MAX_RUNS", 3)

    assert result() == computing.CurrentResult("too many", 4, most=3)
    assert "Too many runs to analyse together" in client.get(f"/analysis/{TOPIC.slug}/").content.decode()
    assert client.get(f"/analysis/{TOPIC.slug}/fronts.json").status_code == 400


@pytest.mark.usefixtures("many")
def test_without_redis_every_result_is_computed_in_the_request(cast: Cast, redis: RedisServer) -> None:
    redis.stop()

    assert result().state == "fresh"


@pytest.mark.usefixtures("many")
def test_the_worker_command_computes_results(
    cast: Cast, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "sqlite":
        return  # `manage` gives its process a database file
    monkeypatch.setenv("SECRET_KEY", settings.SECRET_KEY)  # results are sealed with it
    assert result("harbour").state == "pending"

    process = manage("answer", "--burst")
    output, _ = process.communicate(timeout=120)

    assert process.returncode == 0, output
    assert result("harbour").state == "fresh"


@pytest.mark.usefixtures("many")
def test_browsers_cache_only_fresh_results(cast: Cast, client: Client) -> None:
    address = f"/analysis/{TOPIC.slug}/"
    assert client.get(address)["Cache-Control"] == "no-store"

    compute_topics("dataset=ports")

    page = client.get(address)
    assert page["Cache-Control"] == "no-cache"
    assert client.get(address, headers={"If-None-Match": page["ETag"]}).status_code == 304
    cast.add_cell(cast.add_agent("Carol"), cast.add_tasks(1, start=2)[0], [5])
    cast.settle()
    later = client.get(address, headers={"If-None-Match": page["ETag"]})
    assert (later.status_code, later["Cache-Control"]) == (200, "no-store")  # stale


@pytest.mark.usefixtures("many")
def test_no_filter_is_queued_twice_and_the_queue_is_limited(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MAX_ANALYSES", 2)

    queued = [queue.enqueue_analysis(query) for query in ("", "", "repository=a", "repository=b")]

    assert queued == [True, False, True, False]
    assert waiting() == 2


def test_the_index_leaves_slow_results_to_a_worker(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_page, "SECONDS", -1.0)

    page = compact(client.get("/analysis/").content.decode())

    assert page.count("Being computed from 4 runs") == len(TOPICS)
    assert waiting() == 1


@pytest.mark.usefixtures("many")
def test_with_too_many_trajectories_the_other_topics_are_computed(
    cast: Cast, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MAX_COUNTED", 3)

    compute_topics("dataset=ports")

    states = {topic.slug: current_result(topic, TopicQuery(BoardFilter("ports"))).state for topic in TOPICS}
    assert states == {topic.slug: "too many" if topic.behaviour else "fresh" for topic in TOPICS}
    assert "the limit is 3" in compact(client.get("/analysis/tools/").content.decode())


@pytest.mark.usefixtures("many")
def test_after_an_upgrade_no_result_of_the_old_code_is_shown(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute_topics("dataset=ports")

    monkeypatch.setattr(signed_pickle, "source_digest", lambda: "newer")

    assert result().state == "pending"


@pytest.mark.usefixtures("many")
def test_filters_share_few_cache_keys_and_a_whole_dataset_has_its_own(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "SLOTS", 1)
    for query in ("", "&repository=harbour", "&difficulty=easy"):
        compute_topics(f"dataset=ports{query}")

    assert result().state == "fresh"
    assert result("harbour").state == "pending"  # another filter has its key
    assert current_result(TOPIC, TopicQuery(BoardFilter("ports", difficulty="easy"))).state == "fresh"


def test_days_select_runs(cast: Cast) -> None:
    Run.objects.filter(agent__slug="bob").update(finished_at=datetime(2026, 1, 2, tzinfo=UTC))

    found = [
        current_result(TOPIC, TopicQuery(BoardFilter(**days)))
        for days in ({"until": "2026-01-02"}, {"since": "2026-01-03"})
    ]

    assert [(each.state, each.runs) for each in found] == [("fresh", 2), ("fresh", 2)]
    assert current_result(TOPIC, TopicQuery(BoardFilter(until="2026-01-01"))).state == "empty"


def test_a_result_that_was_computed_while_a_dataset_was_hidden_is_never_shown(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.add_cell(Agent.objects.get(slug="alice"), open_tasks(cast)[0], [5])
    cast.settle()

    def facts(*runs: Any, **how: Any) -> Any:
        found = run_facts(*runs, **how)
        hide(Dataset.objects.get(slug="roads"), hidden=True)
        return found

    monkeypatch.setattr(computing, "run_facts", facts)
    compute_topics("dataset=ports")
    monkeypatch.undo()
    monkeypatch.setattr(computing, "AT_ONCE", 0)

    shown = result()

    assert (shown.state, shown.result) == ("pending", None)


@pytest.mark.usefixtures("many")
def test_one_address_queues_few_filters_and_sees_older_results_meanwhile(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MAX_PLACES", 1)

    def state(address: str, **chosen: str) -> str:
        return current_result(TOPIC, TopicQuery(BoardFilter(**chosen), address)).state

    compute_topics("repository=harbour")
    cast.add_cell(cast.add_agent("Carol"), cast.add_tasks(1, start=2)[0], [5])
    cast.settle()
    assert state("192.0.2.1", difficulty="easy") == "pending"
    assert state("192.0.2.1", difficulty="easy") == "pending"  # it is queued already
    with pytest.raises(TooMany):
        state("192.0.2.1", stack="Python 3.11")
    assert state("192.0.2.1", repository="harbour") == "stale"
    assert state("192.0.2.2", dataset="ports") == "pending"


@pytest.mark.usefixtures("many")
def test_a_reader_without_a_place_is_told_how_long_to_wait(
    cast: Cast, client: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computing, "MAX_PLACES", 0)
    address = f"/analysis/{TOPIC.slug}/"

    response = client.get(f"{address}?repository=harbour")
    assert (response.status_code, response["Retry-After"]) == (429, "60")
    assert (
        client.get(f"{address}fronts.json?repository=harbour").json()["error"].endswith("try again in 60 s")
    )
    assert client.get(address).status_code == 200  # without a filter it is the same for all
    assert admin_client.get(f"{address}?repository=harbour").status_code == 200


def test_a_topic_of_the_whole_dataset_compares_the_origins_of_tasks(cast: Cast) -> None:
    (task,) = cast.add_tasks(1, start=2)
    Task.objects.filter(pk=task.pk).update(origin="removed")
    cast.add_cell(Agent.objects.get(slug="alice"), task, [5])
    cast.settle()
    query = TopicQuery(BoardFilter("ports.removed"))

    assert {run.origin for run in query.topic_data().runs} == {"removed"}
    assert {run.origin for run in query.topic_data(whole=True).runs} == {"removed", "hand-made"}
    found = current_result(BY_SLUG["generated"], query)
    assert found.result is not None
    assert found.result.runs == 5


def test_settings_of_agents_are_those_in_effect_with_those_of_their_profile(cast: Cast) -> None:
    Agent.objects.filter(slug="alice").update(settings={"profile": "breakpoint"})
    Agent.objects.filter(slug="bob").update(
        settings={"profile": "breakpoint", "tool_uses": 8, "submissions": 2}
    )
    found = computing.agent_settings()
    budgets = {slug: (own["tool_uses"], own["submissions"]) for slug, own in found.items()}
    assert budgets == {"alice": (16, 4), "bob": (8, 2)}
    assert (found["alice"]["kind"], found["alice"]["model"], found["alice"]["profile"]) == (
        "ide",
        "analytical",
        "breakpoint",
    )


@pytest.mark.redis
def test_an_address_has_so_many_places_and_others_have_theirs(redis: RedisServer) -> None:
    for _ in range(computing.MAX_PLACES):
        computing.take_place("192.0.2.1", 60)

    with pytest.raises(TooMany) as refused:
        computing.take_place("192.0.2.1", 60)
    assert refused.value.wait == 60
    assert computing.take_place("192.0.2.2", 60)
    assert computing.take_place("", 60) == ""


@pytest.mark.redis
def test_a_place_is_free_after_the_computation(redis: RedisServer) -> None:
    for _ in range(2 * computing.MAX_PLACES):
        with computing.place_held("192.0.2.1", 60):
            pass
    with computing.place_held("192.0.2.1", 60):
        held = [computing.take_place("192.0.2.1", 60) for _ in range(computing.MAX_PLACES - 1)]
        assert len(held) == computing.MAX_PLACES - 1
        with pytest.raises(TooMany):
            computing.take_place("192.0.2.1", 60)


def test_without_redis_there_is_no_limit() -> None:
    for _ in range(2 * computing.MAX_PLACES):
        with computing.place_held("192.0.2.1", 60):
            pass
