"""The list of a person's sessions, and the start of a new one."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from runs.judging.raters.rater_names import rater_name
from runs.models import PlaySession
from runs.operations.evaluations.lifecycle import cancel_evaluation
from tasks.loading import hide
from tasks.models import Dataset, Task
from tests.runs.cast import Cast
from tests.runs.data.queries.test_blind_sessions import Playing, start
from tests.runs.played import player
from tests.runs.roles import rater
from tests.runs.tiny import Tiny

pytestmark = pytest.mark.django_db
TASK = "calc/add-negatives"


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Tiny(tmp_path).task


@pytest.fixture
def ada(client: Client, task: Task) -> User:
    """Signed in, may play."""
    user = player("ada")
    client.force_login(user)
    return user


def test_only_people_who_may_play_enter(client: Client, task: Task) -> None:
    for address in ("/play/", f"/play/?task={TASK}"):
        assert client.get(address)["Location"].startswith("/admin/login/?next=/play/")
    client.force_login(rater("bob"))
    assert client.get("/play/").status_code == 403
    assert client.post("/play/", {"task": TASK, "consent": "yes"}).status_code == 403
    assert not PlaySession.objects.exists()


def test_a_task_is_chosen_then_its_tools_limits_and_clock_are_explained(ada: User, client: Client) -> None:
    assert f'value="{TASK}"' in client.get("/play/").content.decode()
    page = client.get("/play/", {"task": TASK}).content.decode()
    for shown in ("edit_file", "run_terminal_cmd", "1:00:00", "100", "20:00", "ide-bench", rater_name(ada)):
        assert shown in page, shown
    assert '<input type="checkbox" name="consent" value="yes" required>' in page


def test_modes_have_their_own_tools(ada: User, client: Client) -> None:
    Task.objects.update(mode="remove")
    page = client.get("/play/", {"task": TASK}).content.decode()
    assert "submit_attempt" in page
    assert "edit_file" not in page


def test_a_session_starts_with_consent_and_asks_for_its_process(ada: User, client: Client) -> None:
    refused = client.post("/play/", {"task": TASK})
    assert (refused.status_code, "Agree that the record" in refused.content.decode()) == (409, True)
    started = client.post("/play/", {"task": TASK, "consent": "yes"})
    session = PlaySession.objects.get()
    assert started["Location"] == f"/play/{session.run_id}/"
    assert (session.user, session.consent, session.used_assistant) == (ada, True, None)
    assert session.asked_at is not None
    again = client.post("/play/", {"task": TASK, "consent": "yes"})
    assert (again.status_code, "You have an open session" in again.content.decode()) == (409, True)
    assert f'href="/play/{session.run_id}/"' in client.get("/play/").content.decode()


def test_ended_sessions_are_listed_with_their_replay(ada: User, client: Client) -> None:
    client.post("/play/", {"task": TASK, "consent": "yes"})
    session = PlaySession.objects.get()
    cancel_evaluation(session.run.evaluation)
    page = client.get("/play/").content.decode()
    assert f'href="/runs/{session.run_id}/"' in page
    assert "cancelled" in page
    client.force_login(player("bob"))
    assert f"/runs/{session.run_id}/" not in client.get("/play/").content.decode()


def test_tasks_that_cannot_be_played_or_seen_are_not_found(ada: User, client: Client) -> None:
    for change in ({"mode": "workflow"}, {"mode": "code", "admitted": False}):
        Task.objects.update(**change)
        assert client.get("/play/", {"task": TASK}).status_code == 404
        assert TASK not in client.get("/play/").content.decode()
    Task.objects.update(admitted=True)
    hide(Dataset.objects.get(), hidden=True)
    assert client.get("/play/", {"task": TASK}).status_code == 404
    assert client.post("/play/", {"task": TASK, "consent": "yes"}).status_code == 404


def test_the_page_of_a_task_leads_there(ada: User, client: Client, task: Task) -> None:
    link = f'href="/play/?task={TASK}"'
    assert link in client.get(task.get_absolute_url()).content.decode()
    assert link not in Client().get(task.get_absolute_url()).content.decode()
    Task.objects.update(mode="workflow")
    assert link not in client.get(task.get_absolute_url()).content.decode()


@pytest.fixture
def playing() -> Playing:
    return start(Cast())


def test_showing_it_all_the_same_marks_the_session(playing: Playing) -> None:
    wanted = f"/runs/{playing.theirs.pk}/?step=5"
    asked = playing.client.get(wanted)
    assert "Back to the session" in asked.content.decode()
    assert playing.client.get("/play/not-blind/").status_code == 405
    assert not PlaySession.objects.get().not_blind, "a look at the page changes nothing"
    response = playing.client.post("/play/not-blind/", {"wanted": wanted})
    assert (response.status_code, response.headers["Location"]) == (302, wanted)
    assert PlaySession.objects.get().not_blind
    assert playing.client.get(wanted).status_code == 200
    again = playing.client.post("/play/not-blind/", {"wanted": wanted})
    assert again.status_code == 404


def test_the_button_leads_to_this_site_only(playing: Playing) -> None:
    response = playing.client.post("/play/not-blind/", {"wanted": "https://elsewhere.example/"})
    assert response.headers["Location"] == "/"
    assert Client().post("/play/not-blind/").headers["Location"].startswith("/admin/login/")
