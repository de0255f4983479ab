"""Agents, models and runs in the form that the harness uses."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.llm.spec import ModelSpec
from harness.records import Identity
from runs.models import Agent, LanguageModel
from runs.operations.evaluations.harness_specs import agent_spec, identity, model_spec
from tests.runs.cast import Cast


def test_a_model_stores_everything_that_calls_and_costs_depend_on() -> None:
    shared: dict[str, Any] = {
        "name": "M",
        "litellm_id": "openai/m",
        "api_base": "http://127.0.0.1:1/v1",
        "api_key_variable": "M_KEY",
        "context_window": 1000,
        "input_price": 1.0,
        "output_price": 2.0,
        "cached_price": 0.0,
        "cache_write_price": 3.0,
    }
    assert {*shared} == {field.name for field in fields(ModelSpec)}
    assert model_spec(LanguageModel(slug="m", provider="P", **shared)) == ModelSpec(**shared)


def test_an_agent_has_its_model_or_none() -> None:
    model = LanguageModel(slug="m", name="M", litellm_id="openai/m")
    with_model = Agent(slug="a", name="A", kind="ide", settings={"iterations": 3}, model=model)
    without = Agent(slug="n", name="Null", kind="null")

    assert agent_spec(with_model) == AgentSpec(
        name="A", kind="ide", settings={"iterations": 3}, model=model_spec(model)
    )
    assert agent_spec(without) == AgentSpec(name="Null", kind="null", settings={}, model=None)


@pytest.mark.django_db
def test_an_identity_names_everything_that_a_run_is_rebuilt_from(cast: Cast) -> None:
    (task,), alice = cast.add_tasks(1), cast.alice()
    alice.settings = {"iterations": 3}
    run = cast.add_run(alice, task, 2)

    assert identity(run, 3) == Identity(
        run_id="spring-tide/alice/harbour/tide-1/2",
        evaluation="spring-tide",
        dataset="ports",
        dataset_version="1.0",
        repository="harbour",
        task="tide-1",
        task_digest="d" * 64,
        agent="alice",
        agent_name="Alice",
        agent_kind="ide",
        attempt=2,
        try_number=3,
        model="ada/Analytical",
        settings={"iterations": 3},
        calibration=False,
    )


@pytest.mark.django_db
def test_an_identity_marks_calibration_and_no_model(cast: Cast) -> None:
    found = identity(cast.add_run(cast.oracle(), cast.add_tasks(1)[0]), 1)

    assert (found.model, found.calibration) == ("", True)
