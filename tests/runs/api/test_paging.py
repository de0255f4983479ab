"""Lists have stable pages, unchanged responses are not sent again, and hostile text stays text."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.models import Agent, Run
from tests.conftest import RedisServer
from tests.runs.api.world import World, get
from tests.runs.cast import Cast

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e{{ 7|add:7 }}=cmd|' /C calc'!A0\"\\"


def walk(address: str, meanwhile: object = lambda: None) -> list[dict[str, object]]:
    """All items of a list, page by page; before each next page something happens."""
    items: list[dict[str, object]] = []
    following: str | None = f"http://testserver/api/v1/{address}"
    while following:
        page = get(following.removeprefix("http://testserver/api/v1/"))
        items += page["items"]
        following = page["next"]
        meanwhile()  # type: ignore[operator]
    return items


@pytest.mark.django_db
def test_added_rows_shift_no_page() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    known = [cast.add_run(alice, task, attempt).pk for attempt in range(1, 8)]
    added = iter(range(100, 200))

    found = walk("runs?limit=2", lambda: cast.add_run(alice, task, next(added)))

    assert [each["id"] for each in found] == known[::-1]


@pytest.mark.django_db
def test_deleted_rows_leave_no_gap() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    runs = [cast.add_run(alice, task, attempt) for attempt in range(1, 8)]
    doomed = iter([runs[6], runs[5]])

    def lose() -> None:
        run = next(doomed, None)
        if run:
            Run.objects.filter(pk=run.pk).delete()

    found = walk("runs?limit=2", lose)

    assert [each["id"] for each in found] == [run.pk for run in reversed(runs)]


@pytest.mark.django_db
def test_the_catalogue_is_in_order_of_creation() -> None:
    cast = Cast()
    cast.add_tasks(5)

    assert [task["slug"] for task in walk("tasks?limit=2")] == [f"tide-{number}" for number in range(1, 6)]


@pytest.mark.django_db
def test_the_next_page_is_in_the_link_header(client: Client) -> None:
    Cast().add_tasks(3)

    response = client.get("/api/v1/tasks?limit=2&difficulty=easy")

    assert response.headers["Link"] == f'<{response.json()["next"]}>; rel="next"'
    assert "difficulty=easy" in response.json()["next"]
    assert "Link" not in client.get("/api/v1/tasks").headers


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)  # pages are cached only outside of transactions
@pytest.mark.parametrize("address", ["leaderboard", "cells", "runs", "agents", "methods", "near-misses"])
def test_an_unchanged_response_is_not_sent_again(redis: RedisServer, client: Client, address: str) -> None:
    world = World()
    first = client.get(f"/api/v1/{address}")
    tag = first.headers["ETag"]
    again = client.get(f"/api/v1/{address}", headers={"If-None-Match": tag})
    head = client.head(f"/api/v1/{address}")

    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert "RateLimit" in again.headers
    assert head.headers["ETag"] == tag

    (fresh,) = world.cast.add_tasks(1, start=9)
    world.cast.add_cell(world.bob, fresh, [4])
    world.cast.settle()
    changed = client.get(f"/api/v1/{address}", headers={"If-None-Match": tag})

    unchanged = address in {"agents", "methods"}
    assert (changed.status_code == 304 or changed.content == first.content) == unchanged


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_an_agent_that_is_renamed_is_renamed_at_once(redis: RedisServer, client: Client) -> None:
    world = World()
    tag = client.get("/api/v1/leaderboard").headers["ETag"]

    Agent.objects.filter(pk=world.bob.pk).update(name="Robert")

    response = client.get("/api/v1/leaderboard", headers={"If-None-Match": tag})
    assert "Robert" in {row["name"] for row in response.json()["rows"]}


@pytest.mark.django_db
def test_hostile_text_stays_text(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    task.title = task.description = HOSTILE
    task.save()
    alice = cast.alice()
    alice.name = alice.description = HOSTILE
    alice.save()
    run = cast.add_run(alice, task, 1, detail=HOSTILE, grading_reason=HOSTILE)
    cast.settle()

    assert get("tasks/harbour/tide-1")["description"] == HOSTILE
    assert get("agents/alice")["name"] == HOSTILE
    assert get("leaderboard")["rows"][0]["name"] == HOSTILE
    assert get(f"runs/{run.pk}")["detail"] == HOSTILE
    for address in ("tasks/harbour/tide-1", "leaderboard"):
        response = client.get(f"/api/v1/{address}")
        assert response.headers["Content-Type"] == "application/json; charset=utf-8"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
