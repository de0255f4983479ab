"""Analysis topics, methods and published tables in the API."""

from __future__ import annotations

import pytest

from runs.data.published.tables import tables
from runs.presentation import analysis_docs
from runs.reporting.topics.registry import TOPICS
from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


def test_references(world: World) -> None:
    methods = get("methods")["items"]

    assert get("methods/pass-rate")["text"].count("**Formula:**") == 1
    assert {"pass-rate", "interval", "groups"} <= {each["anchor"] for each in methods}
    assert get("published/ide-bench-table-1")["columns"][0]
    assert get("analysis")["items"][0]["question"] == "What does a success cost?"


def test_every_method_is_listed_with_its_group_as_on_its_own() -> None:
    methods = get("methods")["items"]

    assert [(each["group"], each["anchor"]) for each in methods] == [
        (group.title, each.anchor) for group in analysis_docs.GROUPS for each in group.methods
    ]
    assert get("methods/pass-rate") in methods
    assert get("methods/pass-rate")["url"] == "http://testserver/methods/pass-rates/#pass-rate"


def test_published_tables_have_every_cell_as_printed() -> None:
    found = get("published")["items"]

    assert [(each["anchor"], each["rows"]) for each in found] == [
        (each.anchor, [list(row) for row in each.rows]) for each in tables()
    ]
    assert get(f"published/{found[0]['anchor']}") == found[0]
    assert found[0]["url"].endswith(f"#{found[0]['anchor']}")


def test_topics_are_listed_before_there_is_anything_to_analyse() -> None:
    found = get("analysis")["items"]

    assert [each["slug"] for each in found] == [topic.slug for topic in TOPICS]
    assert {each["state"] for each in found} == {"empty"}
    assert [each["tables"] for each in found] == [[]] * len(TOPICS)
