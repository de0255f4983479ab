"""The page of agreement between people and judges."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.runs.cast import Cast
from tests.runs.panels import add_rating
from tests.runs.roles import rater

pytestmark = pytest.mark.django_db


def test_it_shows_the_tables_to_people_who_rate(client: Client, cast: Cast) -> None:
    client.force_login(rater("ada"))
    assert "Nobody has rated a run yet." in client.get("/rate/agreement/").content.decode()

    for score, task in zip((0.0, 1.0), cast.add_tasks(2), strict=True):
        add_rating(cast.add_run(cast.oracle() if score else cast.idler(), task), score=score)

    page = client.get("/rate/agreement/").content.decode()
    assert "People with themselves" in page
    assert "undefined: one judge has no other to agree with" in page
    assert "No judge has reviewed a run that a person rated." in page
