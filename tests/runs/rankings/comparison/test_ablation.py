"""Agents with the same model and other settings."""

from __future__ import annotations

import pytest

from runs.models import Agent
from runs.rankings.comparison.ablation import ChangedSetting, changed_settings, variants
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def twin(cast: Cast, of: Agent, name: str, **settings: object) -> Agent:
    """Another agent with the same model."""
    found = cast.add_agent(name, "ide", of.model)
    found.settings = settings
    found.save()
    return found


def test_agents_with_the_same_model_are_compared_over_common_tasks(cast: Cast) -> None:
    alice = cast.alice()
    quick, bob = twin(cast, alice, "Quick", iterations=10), cast.bob()
    tasks = cast.add_tasks(8)
    for task in tasks:
        cast.add_cell(alice, task, [5])
        cast.add_cell(bob, task, [5])
    for task in tasks[:6]:
        cast.add_cell(quick, task, [0])
    cast.settle()

    (found,) = variants(alice, Agent.objects.all())

    assert found.agent == quick
    assert (found.found.difference.value, len(found.found.tasks)) == (1, 6)
    assert found.found.difference.interval is not None
    assert found.changed == (ChangedSetting("iterations", "not set", "10"),)


def test_an_agent_without_a_model_or_without_common_tasks_has_no_variant(cast: Cast) -> None:
    alice, oracle = cast.alice(), cast.oracle()
    twin(cast, alice, "Idle")
    cast.add_cell(alice, cast.add_tasks(1)[0], [5])
    cast.settle()

    assert variants(oracle, Agent.objects.all()) == ()
    assert variants(alice, Agent.objects.all()) == ()


def test_long_and_hostile_values_stay_short_and_on_one_line(cast: Cast) -> None:
    alice = cast.alice()
    command = cast.add_agent("Command", "command", alice.model)
    command.settings = {"tools": ["a", "b"], "prompt": "x\n" * 1000, "empty": "", "off": False}
    command.save()

    changed = {each.name: each for each in changed_settings(alice, command)}

    assert (changed["kind"].here, changed["kind"].there) == ("ide", "command")
    assert changed["tools"].there == "a, b"
    assert "\n" not in changed["prompt"].there
    assert len(changed["prompt"].there) <= 80
    # Empty there and missing here: it is not set in either.
    assert "empty" not in changed
    assert changed["off"].there == "False"
