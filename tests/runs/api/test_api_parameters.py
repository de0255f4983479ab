"""The query parameters of the API: the filters of the pages, strictly read."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from django.test import Client
from pydantic import TypeAdapter, ValidationError

from runs.api import api_parameters
from runs.api.api_parameters import (
    BoardQuery,
    CellQuery,
    OfNearMisses,
    OfRuns,
    Paging,
    RunQuery,
    filter_of,
)
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import CellFilter, RunFilter
from runs.models import Agent, Run
from runs.views.result_pages.near_miss_page import NearMissQuery as AskedOfPage
from runs.views.site_pages.export_pages import PARAMETERS
from tests.conftest import RedisServer
from tests.runs.api.world import World, get
from tests.runs.cast import Cast

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e{{ 7|add:7 }}=cmd|' /C calc'!A0\"\\"


def test_the_api_accepts_the_filters_of_the_pages() -> None:
    for query, page in ((BoardQuery, BoardFilter), (CellQuery, CellFilter)):
        assert set(query.model_fields) == {field.name for field in dataclasses.fields(page)}
    assert set(RunQuery.model_fields) == set(PARAMETERS)  # of the export, which has the list's
    filters = set(OfNearMisses.model_fields) - {"limit", "cursor"}
    assert filters == {field.name for field in dataclasses.fields(AskedOfPage)}


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("Whole", "50", 50),
        ("Whole", "-3", -3),
        ("Whole", "007", 7),
        ("Slug", "a-B_9", "a-B_9"),
        ("Slug", "x" * 100, "x" * 100),
        ("TaskName", "harbour/tide-1", "harbour/tide-1"),
        ("Name", "C++", "C++"),
        ("Name", "Python 3.11 é", "Python 3.11 é"),
        ("Day", "2026-01-31", "2026-01-31"),
        ("Cursor", "7" + "f" * 15, "7" + "f" * 15),
        ("Difficulty", "easy", "easy"),
        ("Flag", "1", "1"),
    ],
)
def test_a_valid_value_is_read(kind: str, value: str, read: object) -> None:
    assert TypeAdapter[Any](getattr(api_parameters, kind)).validate_python(value) == read


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("Whole", value) for value in ("5.0", "1_000", "٣", "", " 5", "+5", "5\n", "9" * 19)),
        *(("Slug", value) for value in ("", "x" * 101, "a b", "a/b", "a\n", "é")),
        *(("TaskName", value) for value in ("tide-1", "/tide-1", "harbour/", "a/b/c", "a/b\n")),
        *(("Name", value) for value in ("", " C", "C ", "a\x00b", "a\nb", "漢", "x" * 201)),
        *(("Day", value) for value in ("", "2026-02-30", "20260131", "2026-W05-6", "2026-01-31T00:00")),
        *(("Cursor", value) for value in ("", "1", "8" + "0" * 15, "F" * 16, "0" * 17)),
        *(("Difficulty", value) for value in ("", "trivial", "Easy")),
        *(("Flag", value) for value in ("", "yes", "01")),
    ],
)
def test_an_invalid_value_is_refused(kind: str, value: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter[Any](getattr(api_parameters, kind)).validate_python(value)


def test_refusals_say_what_is_valid() -> None:
    with pytest.raises(ValidationError, match="must be a whole number in decimal digits"):
        Paging(limit="5.0")  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="must be a day such as 2026-01-31"):
        BoardQuery(since="yesterday")


def test_words_are_listed_in_the_schema() -> None:
    assert TypeAdapter[Any](api_parameters.Flag).json_schema() == {"enum": ["1", "0"], "type": "string"}
    assert TypeAdapter[Any](api_parameters.Day).json_schema() == {"type": "string", "format": "date"}


def test_a_page_has_fifty_items_unless_one_to_two_hundred_are_wanted() -> None:
    assert Paging.model_validate({}).model_dump() == {"limit": 50, "cursor": None}
    assert [Paging(limit=limit).limit for limit in (1, 200)] == [1, 200]
    for limit in (0, 201):
        with pytest.raises(ValidationError):
            Paging(limit=limit)


def test_parameters_become_the_filter_of_the_page() -> None:
    assert filter_of(BoardFilter, BoardQuery(kind="ide", since="2026-01-31")) == BoardFilter(
        kind="ide", since="2026-01-31"
    )
    assert filter_of(RunFilter, OfRuns(agent="alice", q="tide", limit=3)) == RunFilter(agent="alice")
    assert filter_of(CellFilter, CellQuery()).empty


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
