"""Datasets, repositories, tasks, agents and models in the API."""

from __future__ import annotations

import pytest

from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


def test_the_catalogue(world: World) -> None:
    assert [each["slug"] for each in get("datasets")["items"]] == ["ports"]
    assert get("repositories/harbour")["tasks"] == 2
    assert [each["slug"] for each in get("tasks?difficulty=easy")["items"]] == ["tide-1", "tide-2"]
    assert get("tasks?difficulty=hard")["items"] == []
    assert get("tasks/harbour/tide-1")["tests_total"] == 5
    assert get("agents/alice")["model"] == "analytical"
    assert get("agents/oracle")["calibration"] is True
    assert [each["slug"] for each in get("agents?kind=ide")["items"]] == ["alice", "bob"]
    assert get("models/analytical")["input_price"] == 3.0
    assert get("models/babbage")["input_price"] is None


def test_settings_of_calibration_agents_are_not_shown(world: World) -> None:
    world.oracle.settings = {"script": "the solution"}
    world.oracle.save()

    assert get("agents/oracle")["settings"] == {}


def test_an_agent_has_the_settings_in_effect(world: World) -> None:
    world.alice.settings = {"max_output_tokens": 256}
    world.alice.save()

    settings = get("agents/alice")["settings"]

    assert (settings["max_output_tokens"], settings["messages_kept_whole"]) == (256, 25)


def test_lists_are_filtered(world: World) -> None:
    assert [each["slug"] for each in get("repositories?dataset=ports")["items"]] == ["harbour"]
    assert get("repositories?dataset=vault")["items"] == []
    assert get("tasks?repository=harbour&category=bug&dataset=ports&limit=1")["items"] == [
        get("tasks/harbour/tide-1")
    ]
    assert get("agents?kind=nothing")["items"] == []


def test_objects_link_to_their_pages(world: World) -> None:
    site = "http://testserver"

    assert get("repositories/harbour")["url"] == site + world.cast.repository.get_absolute_url()
    assert get("tasks/harbour/tide-1")["url"] == site + world.easy.get_absolute_url()
    assert get("agents/bob")["url"] == site + world.bob.get_absolute_url()
