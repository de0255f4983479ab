"""While a person plays a task, what others did there is hidden from that person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from runs.data.queries.blind_sessions import tasks_hidden_from
from runs.data.queries.visibility import ANONYMOUS, visible
from runs.models import PlaySession, RecallProbe, Run
from runs.play.play_sessions import person_agent
from tasks.models import Task
from tests.conftest import RedisServer
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db
SOLUTION = b"hour % 12"


@dataclass
class Playing:
    """Petra plays Tide 1, at which Bob failed twice and Alice once; Alice also has a run at Tide 2."""

    session: PlaySession
    theirs: Run
    other: Run
    elsewhere: Run
    client: Client

    @property
    def own(self) -> Run:
        return self.session.run


@pytest.fixture
def playing(cast: Cast) -> Playing:
    return start(cast)


def start(cast: Cast, **values: Any) -> Playing:
    tasks = cast.add_tasks(2)
    Task.objects.update(**values)
    alice, bob = cast.alice(), cast.bob()
    found = [
        cast.add_run(bob, tasks[0], passed=4),
        cast.add_run(alice, tasks[0], passed=3),
        cast.add_run(alice, tasks[1]),
    ]
    for run in found:
        record(run)
    cast.settle()
    petra = User.objects.create_user("petra", is_staff=True)
    trial = cast.add_evaluation("a-person", "A person", listed=False)
    own = cast.add_run(person_agent(), tasks[0], evaluation=trial)
    record(own)
    client = Client()
    client.force_login(petra)
    return Playing(
        PlaySession.objects.create(user=petra, run=own, pseudonym="p-petra"),
        found[0],
        found[1],
        found[2],
        client,
    )


PAGES: tuple[Callable[[Playing], str], ...] = (
    *(
        lambda it, rest=rest: f"/runs/{it.theirs.pk}/{rest}"
        for rest in (
            "",
            "live/",
            "steps/",
            "steps/5/",
            "steps/5/raw/",
            "steps/5/raw.json",
            "steps/5.md",
            "steps/5/file?path=tide.py",
            "end/",
            "timeline/",
            "patch/",
            "artifacts/step-0001-1.png",
            "export.zip",
            "trajectory.atif.json",
            "inspect.eval",
        )
    ),
    lambda it: f"/compare/runs/?a={it.theirs.pk}&b={it.other.pk}",
    lambda it: f"/compare/runs/?a={it.theirs.pk}&b={it.own.pk}",
    lambda it: "/compare/judged/?a=alice&b=bob",
    lambda it: f"/evaluations/{it.theirs.evaluation_id}/report/",
    lambda it: f"/evaluations/{it.theirs.evaluation_id}/report.json",
    *(
        lambda it, rest=rest: f"/api/v1/runs/{it.theirs.pk}{rest}"
        for rest in ("", "/steps", "/steps/5", "/tests", "/edits", "/patch")
    ),
)


@pytest.mark.parametrize("address", PAGES)
def test_pages_of_other_runs_say_that_they_are_hidden(
    playing: Playing, address: Callable[[Playing], str]
) -> None:
    response = playing.client.get(address(playing))
    assert response.status_code == 403
    assert response.headers["Cache-Control"] == "no-store"
    assert SOLUTION not in response.content
    assert "hidden" in response.content.decode()
    # Readers without a session, and the person after its end, see what there is.
    expected = Client().get(address(playing)).status_code
    assert expected in {200, 404}
    PlaySession.objects.update(ended_at=timezone.now())
    assert playing.client.get(address(playing)).status_code == expected


def test_the_own_run_and_other_tasks_stay_open(playing: Playing) -> None:
    for run in (playing.own, playing.elsewhere):
        assert playing.client.get(f"/runs/{run.pk}/").status_code == 200
        assert SOLUTION in playing.client.get(f"/runs/{run.pk}/patch/").content


def text_of(response: Any) -> str:
    """What a download sends."""
    return b"".join(response.streaming_content).decode()


def test_lists_leave_out_what_quotes_the_task_and_keep_outcomes(playing: Playing) -> None:
    misses = playing.client.get("/near-misses/?threshold=1").content.decode()
    assert "Near misses of the task that you play are hidden" in misses
    assert "Tide 1</a></h2>" not in misses
    assert "Tide 1</a></h2>" in Client().get("/near-misses/?threshold=1").content.decode()
    for table in ("runs", "calls"):
        address = f"/exports/{table}.jsonl"
        assert '"tide-1"' not in text_of(playing.client.get(address))
        assert '"tide-1"' in text_of(Client().get(address))
    assert playing.client.get("/api/v1/near-misses?threshold=1").json()["items"] == []
    assert len(Client().get("/api/v1/near-misses?threshold=1").json()["items"]) == 2
    listed = playing.client.get("/runs/").content.decode()
    assert f"/runs/{playing.theirs.pk}/" in listed


def test_the_task_page_keeps_rates_and_hides_the_rest(playing: Playing) -> None:
    probe = {"similarity": 0.9, "equal": False, "prompt": "x", "task_digest": "d" * 64}
    model = playing.other.agent.model
    assert model is not None
    RecallProbe.objects.create(model=model, task=playing.own.task, **probe)
    Task.objects.update(mode="remove")
    petra = playing.session.user
    assert petra is not None
    assert visible(RecallProbe.objects.all(), ANONYMOUS).count() == 1
    assert visible(RecallProbe.objects.all(), petra).count() == 0
    page = playing.client.get(playing.own.task.get_absolute_url()).content.decode()
    assert "Who resolves it?" in page
    assert "are hidden until you finish" in page
    assert "Which tests stop them?" not in page
    assert "Which tests stop them?" in Client().get(playing.own.task.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("values", "hidden"),
    [
        ({}, {"tide-1"}),
        ({"scenario": "talk"}, {"tide-1", "tide-2"}),
        ({"origin": "removed", "mode": "remove"}, {"tide-1", "tide-2"}),
        ({"origin": "pull request", "mode": "pull_request"}, {"tide-1", "tide-2"}),
    ],
)
def test_tasks_that_give_the_solution_away_are_kept_too(
    cast: Cast, values: dict[str, str], hidden: set[str]
) -> None:
    playing = start(cast, **values)
    cast.add_tasks(1, cast.add_repository("shipyard", "Shipyard"))
    petra = playing.session.user
    assert petra is not None
    found = tasks_hidden_from(petra)
    assert found is not None
    assert {task.slug for task in found} == hidden
    assert {task.repository.slug for task in found} == {"harbour"}
    assert playing.client.get(f"/runs/{playing.elsewhere.pk}/").status_code == (
        403 if "tide-2" in hidden else 200
    )
    assert tasks_hidden_from(ANONYMOUS) is None


@pytest.mark.parametrize("played", ["original", "twin"])
def test_twins_with_other_names_are_kept_in_both_directions(cast: Cast, played: str) -> None:
    (original,) = cast.add_tasks(1)
    (twin,) = cast.add_tasks(1, cast.add_repository("harbour-twin", "Twin"))
    cast.add_tasks(1, cast.add_repository("shipyard", "Shipyard"))
    Task.objects.update(origin="corrupted")
    Task.objects.filter(pk=twin.pk).update(twin_of="harbour/tide-1")
    run = cast.add_run(person_agent(), Task.objects.get(pk={"original": original, "twin": twin}[played].pk))
    petra = User.objects.create_user("petra")
    PlaySession.objects.create(user=petra, run=run, pseudonym="p-petra")
    hidden = tasks_hidden_from(petra)
    assert hidden is not None
    assert set(hidden.values_list("pk", flat=True)) == {original.pk, twin.pk}


@pytest.mark.django_db(transaction=True)
@pytest.mark.redis
def test_no_copy_of_a_public_page_reaches_a_person_who_plays(redis: RedisServer, cast: Cast) -> None:
    playing = start(cast)
    for address in (
        "/near-misses/?threshold=1",
        f"/runs/{playing.theirs.pk}/",
        "/api/v1/near-misses?threshold=1",
    ):
        public = Client().get(address)
        tag = public.headers["ETag"]
        assert Client().get(address, headers={"If-None-Match": tag}).status_code == 304
        mine = playing.client.get(address, headers={"If-None-Match": tag})
        assert mine.status_code in {200, 403}
        assert mine.content != public.content
