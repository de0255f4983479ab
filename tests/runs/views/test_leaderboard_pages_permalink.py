"""Permanent links: what was counted once stays readable, and says what has changed since."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from runs.api import rate_limiter
from runs.data.cache.results import data_version
from runs.models import Agent, Evaluation, Snapshot
from runs.rankings.leaderboard import snapshots
from runs.work.execution.settling import close_evaluation
from tasks.loading import hide
from tests.conftest import RedisServer
from tests.markup import compact
from tests.runs.cast import Cast
from tests.runs.rankings.leaderboard.ports import NOON, two_ports

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return two_ports()


def link(client: Client, query: str = "") -> str:
    response = client.post(f"/leaderboard/freeze/{query}")
    assert response.status_code == 302, response.content
    address: str = response["Location"]
    return address


def body(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:2000]
    return compact(response.content.decode()).replace("\u00a0", " ")


def test_a_link_is_made_once_for_the_same_counts_and_has_the_same_view(client: Client, cast: Cast) -> None:
    first = link(client, "?difficulty=hard&sort=name")

    assert first.endswith("/?difficulty=hard&sort=name")
    assert link(client).split("?")[0] == first.split("?")[0]
    assert Snapshot.objects.count() == 1
    page = body(client, first)
    assert "Frozen on" in page
    assert "No figure under these filters has changed since." in page
    assert "difficulty: hard" in page
    assert 'href="/?dataset=ports&amp;difficulty=hard&amp;sort=name">The current leaderboard' in page


def test_frozen_rows_stay_and_the_difference_is_shown(client: Client, cast: Cast) -> None:
    frozen = link(client)
    before = client.get(f"{frozen}leaderboard.json").json()["rows"]

    bob = Agent.objects.get(slug="bob")
    bob.name = "Robert"
    bob.save()
    hard = cast.evaluation.runs.filter(task__difficulty="hard", agent=bob).get().task
    cast.add_run(bob, hard, 2, passed=5)
    cast.settle()

    assert client.get(f"{frozen}leaderboard.json").json()["rows"] == before
    assert {row["name"]: row["pass_at_1"] for row in before} == {"Alice": 1.0, "Bob": 0.5}
    page = body(client, frozen)
    assert "Today 1 agent has different figures." in page
    assert (
        '"Solved per attempt then">50.0 %</td><td class="num" data-name="Solved per attempt now">75.0 %<'
        in page
    )
    assert "1 of 2" in page
    assert "2 of 3" in page
    assert "Robert" not in page
    easy = body(client, f"{frozen}?difficulty=easy")
    assert "No figure under these filters has changed since." in easy
    assert link(client) != frozen


def test_days_are_frozen_with_the_table(client: Client, cast: Cast) -> None:
    frozen = link(client, "?until=2026-03-10&sort=name")

    page = body(client, frozen)
    assert "It counts runs that finished until 2026-03-10." in page
    assert "2 agents on 1 task" in page
    assert 'href="/?dataset=ports&amp;sort=name&amp;until=2026-03-10">The current leaderboard' in page
    assert 'name="since"' not in page
    assert client.get(f"{frozen}&since=2026-03-01").status_code == 400


def test_all_formats_come_from_the_frozen_counts(client: Client, cast: Cast) -> None:
    frozen = link(client)
    for suffix in ("csv", "json", "md", "tex"):
        assert "Alice" in body(client, f"{frozen}leaderboard.{suffix}?sort=name")
    assert f"% http://testserver{frozen}?dataset=ports&sort=name" in body(
        client, f"{frozen}leaderboard.tex?sort=name"
    )
    assert client.get("/leaderboard/at/0123456789/").status_code == 404


def test_a_dataset_that_is_hidden_later_is_hidden_there_too(client: Client, cast: Cast) -> None:
    frozen = link(client)
    hide(cast.dataset, hidden=True)

    page = body(client, frozen)
    assert "Harbour master" not in page
    assert "harbour" not in page
    assert client.get(f"{frozen}leaderboard.json").json()["rows"] == []


def test_hidden_datasets_are_never_frozen(client: Client, cast: Cast) -> None:
    hide(cast.dataset, hidden=True)

    link(client)
    stored = zlib.decompress(Snapshot.objects.get().payload)
    assert b"harbour" not in stored
    assert b"tide" not in stored


def test_an_unreadable_snapshot_says_so(client: Client, cast: Cast) -> None:
    frozen = link(client)
    snapshot = Snapshot.objects.get()

    snapshot.payload = b"rust"
    snapshot.save()
    response = client.get(frozen)
    assert response.status_code == 410
    assert "The stored data are damaged" in response.content.decode()

    snapshot.payload = zlib.compress(b'{"format": 1}')
    snapshot.save()
    assert "The stored data do not match the link" in client.get(frozen).content.decode()


def test_links_of_one_address_are_limited_and_others_make_theirs(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MAX_AN_HOUR", 1)
    first = link(client)
    assert link(client) == first  # nothing new is made

    response = client.post("/leaderboard/freeze/?since=2026-03-11")
    assert response.status_code == 429
    assert 3500 < int(response["Retry-After"]) <= 3600
    assert "from your address within the last hour: try again in 60 minutes." in response.content.decode()
    other = Client(REMOTE_ADDR="2001:db8::1")
    assert other.post("/leaderboard/freeze/?since=2026-03-11").status_code == 302
    neighbour = Client(REMOTE_ADDR="2001:db8::2")
    assert neighbour.post("/leaderboard/freeze/?since=2026-03-10").status_code == 429
    Snapshot.objects.update(created_at=NOON)
    link(client, "?since=2026-03-10")


@pytest.mark.redis
def test_requests_for_links_count_for_the_limit_of_an_address(
    client: Client, cast: Cast, redis: RedisServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limiter, "_retry_at", 0.0)  # tests without Redis came before
    settings.API_REQUESTS = 100

    link(client)
    link(client)
    response = client.post("/leaderboard/freeze/")
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert Client(REMOTE_ADDR="192.0.2.1").post("/leaderboard/freeze/").status_code == 302


def test_a_link_needs_no_cookie_and_a_look_makes_none(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.get("/leaderboard/freeze/").status_code == 405
    assert not Snapshot.objects.exists()
    link(client)
    assert not client.get("/").cookies
    assert Snapshot.objects.get().data_version == data_version()


def test_an_evaluation_that_ends_leaves_a_snapshot(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    alice = Agent.objects.get(slug="alice")
    for listed in (False, True):
        other = cast.add_evaluation(f"e-{listed}", "E", state=Evaluation.State.RUNNING, listed=listed)
        cast.add_run(alice, cast.add_tasks(1, start=7 + listed)[0], evaluation=other)
        with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
            close_evaluation(other.pk)
        assert Snapshot.objects.filter(asked=False).count() == int(listed)
