"""Columns of agents and places."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from runs.data.queries.competitors import Competitor
from runs.models import Agent
from runs.rankings.leaderboard.place_columns import VERDICTS
from tasks.models import Dataset
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_verdicts_are_named_where_a_row_was_executed_elsewhere_only(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    alice, bob, carol = (
        cast.alice(),
        cast.bob(),
        cast.add_agent("Carol (recorded)", "ide", cast.add_model("Countess")),
    )
    for agent in (alice, bob, carol):
        cast.add_cell(agent, task, [5])
    cast.settle()
    assert "Verdicts" in client.get("/").content.decode()
    rows = {row["name"]: row["graded_here"] for row in client.get("/leaderboard.json").json()["rows"]}
    assert rows == {"Alice": True, "Bob": True, "Carol (recorded)": False}

    Agent.objects.filter(pk=carol.pk).update(name="Carol")
    Dataset.objects.update(revision=F("revision") + 1)
    page = client.get("/").content.decode()
    assert "erdicts" not in page


@pytest.mark.parametrize(
    ("agent", "text"),
    [
        (Competitor("a", "Ada", "ide"), "here"),
        (Competitor("a", "Ada (recorded)", "ide"), "recorded elsewhere"),
        (Competitor("a", "Ada (graded here)", "ide", graded_here=True), "graded here"),
        (Competitor("a", "Ada (reported)", "reported", reported_by="The Lab"), "reported by others"),
    ],
)
def test_a_row_says_who_gave_its_verdicts(agent: Competitor, text: str) -> None:
    row: Any = SimpleNamespace(agent=agent)
    assert VERDICTS.text is not None
    assert VERDICTS.text(row).text == text
