"""Evaluations and their progress in the API."""

from __future__ import annotations

import pytest

from tests.runs.api.world import World, get

pytestmark = pytest.mark.django_db


def test_an_evaluation_has_its_progress(world: World) -> None:
    queued = world.cast.add_run(world.bob, world.near, 1, state="queued", outcome="")
    found = get("evaluations/spring-tide")
    agents = {each["agent"]: each for each in found["progress"]["agents"]}

    assert (found["progress"]["total"], found["progress"]["done"]) == (7, 6)  # without the vault's
    assert found["progress"]["states"] == {"queued": 1, "finished": 6}
    assert found["progress"]["outcomes"] == {"resolved": 2, "unresolved": 4}
    assert (agents["alice"]["resolved"], agents["alice"]["attempts"]) == (1, 4)
    assert agents["alice"]["pass_at_1"]["value"] == 0.25
    assert (agents["bob"]["total"], agents["bob"]["done"]) == (2, 1)
    assert queued.pk


def test_evaluations_with_a_run_at_an_open_dataset_are_listed_newest_first(world: World) -> None:
    neap = world.cast.add_evaluation("neap", "Neap", limits={"iterations": 7}, attempts=2, listed=False)
    world.cast.add_evaluation("empty", "Without runs")
    world.cast.add_run(world.bob, world.near, evaluation=neap)

    found = get("evaluations")["items"]

    assert [each["slug"] for each in found] == ["neap", "spring-tide"]
    assert (found[0]["attempts"], found[0]["listed"], found[0]["limits"]) == (2, False, {"iterations": 7})
    assert found[0]["url"] == f"http://testserver{neap.get_absolute_url()}"
