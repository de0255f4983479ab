"""Agents, models and runs in the form that the harness uses."""

from __future__ import annotations

from harness.agents.base import AgentSpec
from harness.llm.spec import ModelSpec
from harness.records import Identity
from runs.models import Agent, Evaluation, LanguageModel, Run


def agent_spec(agent: Agent) -> AgentSpec:
    """The agent in the form that the harness uses."""
    return AgentSpec(
        name=agent.name,
        kind=agent.kind,
        settings=agent.settings,
        model=model_spec(agent.model) if agent.model else None,
    )


def model_spec(model: LanguageModel) -> ModelSpec:
    """The model in the form that the harness uses."""
    return ModelSpec(
        name=model.name,
        litellm_id=model.litellm_id,
        api_base=model.api_base,
        api_key_variable=model.api_key_variable,
        context_window=model.context_window,
        input_price=model.input_price,
        output_price=model.output_price,
        cached_price=model.cached_price,
        cache_write_price=model.cache_write_price,
    )


def user_spec(evaluation: Evaluation) -> ModelSpec | None:
    """The model that plays the users of workflow tasks, as it was when the evaluation started; None: they are scripted.

    All runs of an evaluation have the same user, whatever happens to the row of its model meanwhile.
    """
    return ModelSpec(**evaluation.simulated_user) if evaluation.simulated_user else None


def identity(run: Run, try_number: int) -> Identity:
    """The identity that the run directory stores, from which the run can be rebuilt."""
    dataset = run.task.repository.dataset
    model = run.agent.model
    return Identity(
        run_id=run.key,
        evaluation=run.evaluation.slug,
        dataset=dataset.slug,
        dataset_version=dataset.version,
        repository=run.task.repository.slug,
        task=run.task.slug,
        task_digest=run.task.digest,
        agent=run.agent.slug,
        agent_name=run.agent.name,
        agent_kind=run.agent.kind,
        attempt=run.attempt,
        try_number=try_number,
        model=model.litellm_id if model else "",
        settings=run.agent.settings,
        calibration=run.agent.is_calibration,
    )
