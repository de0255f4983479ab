"""The button of a person who plays and wants to see what is hidden."""

from __future__ import annotations

import pytest
from django.test import Client

from runs.models import PlaySession
from tests.runs.cast import Cast
from tests.runs.data.queries.test_blind_sessions import Playing, start

pytestmark = pytest.mark.django_db


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
