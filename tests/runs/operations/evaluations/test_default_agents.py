"""The agents of a new site."""

from __future__ import annotations

import pytest

from harness.agents.registry import create_agent
from runs.models import Agent, LanguageModel
from runs.operations.evaluations.default_agents import STANDARD_AGENTS, create_standard_agents
from runs.operations.evaluations.harness_specs import agent_spec

pytestmark = pytest.mark.django_db


def test_a_new_site_gets_calibration_agents_and_a_model_that_is_switched_off() -> None:
    assert create_standard_agents() == 7

    enabled = Agent.objects.filter(enabled=True)
    assert set(enabled.values_list("slug", flat=True)) == {
        *("null", "oracle", "near-miss", "calibration-90", "calibration-60", "calibration-30")
    }
    assert all(agent.is_calibration for agent in enabled)
    local = Agent.objects.get(enabled=False)
    assert (local.slug, local.is_calibration) == ("smollm2-135m", False)
    assert local.model is not None
    assert (local.model.input_price, local.model.output_price) == (None, None)


def test_agents_that_are_there_are_not_changed() -> None:
    Agent.objects.create(slug="oracle", name="My oracle", kind="oracle", enabled=False)

    assert create_standard_agents() == 6
    assert create_standard_agents() == 0

    oracle = Agent.objects.get(slug="oracle")
    assert (oracle.name, oracle.enabled) == ("My oracle", False)
    assert Agent.objects.count() == 7


def test_the_sites_own_entry_of_the_local_model_is_used() -> None:
    own = LanguageModel.objects.create(
        slug="mine", name="Mine", provider="me", litellm_id="openai/smollm2-135m-instruct"
    )

    create_standard_agents()

    assert Agent.objects.get(slug="smollm2-135m").model == own
    assert LanguageModel.objects.count() == 1


@pytest.mark.parametrize("agent", STANDARD_AGENTS, ids=str)
def test_the_harness_knows_kind_and_settings(agent: Agent) -> None:
    create_agent(agent_spec(agent))
