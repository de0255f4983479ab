"""Tests of models that operators ask for: a few small requests each, by a worker, where the keys are.

Requests and results are in Redis, for some days: nothing depends on them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from redis import Redis, RedisError
from rq import Queue

from harness.agents.model_calls import model_calls
from harness.errors import ConfigurationError
from harness.llm.model_check import BUDGET_USD, AgentCalls, ModelCheck, Probe, check_model, distinct
from harness.llm.price_map import entry_by_id
from runs.data.cache.digests import text_digest
from runs.data.queries.visibility import ANONYMOUS, visible_agents
from runs.jobs import queue
from runs.jobs.job_kinds import CHECK_MODEL
from runs.models import Agent, LanguageModel
from runs.operations.evaluations.harness_specs import agent_spec, model_spec

KEPT_SECONDS = 30 * 24 * 3600
MAX_JOB_SECONDS = 420
PATIENCE = timedelta(seconds=120)  # until a waiting test means that no worker takes it
LONGEST = timedelta(seconds=MAX_JOB_SECONDS)  # until a test that a worker has begun is lost
MAX_STORED_BYTES = 20_000
USUAL_INPUT, USUAL_OUTPUT = 22_000, 1_500  # tokens of a whole test


class CheckNotAsked(Exception):
    """Redis does not respond, so no worker can be asked."""


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """The last test of a model. `result` is None while it waits.

    `outdated`: the model, or how its agents call it, was changed since then. `begun`: a worker makes it, or has made
    it.
    """

    asked_at: datetime
    result: ModelCheck | None
    outdated: bool
    begun: bool = False

    @property
    def waits(self) -> bool:
        """Whether the result may still come."""
        return self.result is None and timezone.now() - self.asked_at < (LONGEST if self.begun else PATIENCE)

    @property
    def not_taken(self) -> bool:
        """Whether no worker took it in time."""
        return self.result is None and not self.waits


def ask_for_check(model: LanguageModel) -> None:
    """Has a worker of reviews test the model as it is now. Raises CheckNotAsked."""
    mark = secrets.token_hex(8)
    stored = {
        "mark": mark,
        "asked_at": timezone.now().isoformat(),
        "digest": _digest(model, calls_of([model])[model.pk]),
    }
    try:
        redis = queue.connection(queue.AT_ONCE)
        redis.set(_key(model.pk), json.dumps(stored), ex=KEPT_SECONDS)
        job = CHECK_MODEL.made(
            f"{CHECK_MODEL.prefix}-{model.pk}-{mark}", (model.pk, mark), f"test {model.name}", MAX_JOB_SECONDS
        )
        Queue(CHECK_MODEL.queue, connection=redis).enqueue_many([job])
    except RedisError as error:
        raise CheckNotAsked("Redis does not respond, so no worker can test the model.") from error


def run_check(model_id: int, mark: str) -> None:
    """What a worker does: tests the model, and stores the result, unless another test was asked for meanwhile."""
    model = LanguageModel.objects.filter(pk=model_id).first()
    if model is None:
        return
    redis = queue.connection()
    _store(redis, model_id, mark, {"begun": True})
    result = check_model(model_spec(model), calls_of([model])[model_id])
    _store(redis, model_id, mark, {"result": asdict(result)})


def check_here(model: LanguageModel, report: Callable[[Probe], None]) -> ModelCheck:
    """Tests the model in this process, and stores the result as a worker would. `report` gets each probe."""
    asked_at, calls = timezone.now(), calls_of([model])[model.pk]
    result = check_model(model_spec(model), calls, report=report)
    stored = {"asked_at": asked_at.isoformat(), "digest": _digest(model, calls), "result": asdict(result)}
    with suppress(RedisError):
        queue.connection().set(_key(model.pk), json.dumps(stored), ex=KEPT_SECONDS)
    return result


def likely_cost(model: LanguageModel) -> float | None:
    """About what a test costs, in dollars, at the stated prices, else those that LiteLLM knows; None if unknown."""
    known = entry_by_id(model.litellm_id)
    paid_input = known.input_price if model.input_price is None and known else model.input_price
    paid_output = known.output_price if model.output_price is None and known else model.output_price
    if paid_input is None or paid_output is None:
        return None
    return min(BUDGET_USD, (USUAL_INPUT * paid_input + USUAL_OUTPUT * paid_output) / 1e6)


def calls_of(models: Sequence[LanguageModel]) -> Mapping[int, tuple[AgentCalls, ...]]:
    """The distinct call settings of the agents that can be started, by the number of their model. One query or two.

    Agents of hidden datasets are tested, too, but not named: more people see a test than such an agent.
    """
    named = set(visible_agents(ANONYMOUS).filter(model__in=models).values_list("pk", flat=True))
    found: dict[int, list[AgentCalls]] = {model.pk: [] for model in models}
    agents = Agent.objects.filter(model__in=models, enabled=True, origin="").select_related("model")
    for agent in agents.order_by("name", "pk"):
        with suppress(ConfigurationError):  # its settings are refused elsewhere
            calls = model_calls(agent_spec(agent))
            if calls and agent.model_id:
                shown = calls if agent.pk in named else replace(calls, agents=())
                found[agent.model_id].append(shown)
    return {key: distinct(calls) for key, calls in found.items()}


def _store(redis: Redis, model_id: int, mark: str, more: Mapping[str, Any]) -> None:
    """Adds to the test with this mark, unless another was asked for since."""
    stored = _read(redis.get(_key(model_id)))
    if stored.get("mark") == mark:
        redis.set(_key(model_id), json.dumps({**stored, **more}), ex=KEPT_SECONDS)


def stored_checks(models: Sequence[LanguageModel]) -> Mapping[int, StoredCheck]:
    """The last test of each of these models that has one, by the model's number; {} if Redis does not respond."""
    return known_checks(models) or {}


def known_checks(models: Sequence[LanguageModel]) -> Mapping[int, StoredCheck] | None:
    """As `stored_checks`, but None if Redis does not respond, so that nothing is known."""
    if not models:
        return {}
    try:
        texts = queue.connection(queue.AT_ONCE).mget([_key(model.pk) for model in models])
    except RedisError:
        return None
    calls = calls_of([model for model, text in zip(models, texts, strict=True) if text])
    found = {
        model.pk: _check(_read(text), model, calls[model.pk])
        for model, text in zip(models, texts, strict=True)
        if text
    }
    return {key: check for key, check in found.items() if check is not None}


def _check(
    stored: Mapping[str, Any], model: LanguageModel, calls: tuple[AgentCalls, ...]
) -> StoredCheck | None:
    try:
        given = stored.get("result")
        result = _result(given) if given else None
        asked_at = datetime.fromisoformat(stored["asked_at"])
        outdated = stored["digest"] != _digest(model, calls)
        return StoredCheck(asked_at, result, outdated, bool(stored.get("begun")))
    except (KeyError, TypeError, ValueError):
        return None  # nothing, or what another version stored


def _result(given: Mapping[str, Any]) -> ModelCheck:
    """A stored result. Raises KeyError or TypeError for that of another version."""
    lists = {name: tuple(given[name]) for name in ("notes", "ignored")}
    return ModelCheck(**{**given, **lists, "probes": tuple(Probe(**each) for each in given["probes"])})


def _read(text: bytes | str | None) -> dict[str, Any]:
    if not text or len(text) > MAX_STORED_BYTES:
        return {}
    try:
        stored = json.loads(text)
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) else {}


def _key(model_id: int) -> str:
    return f"benchbench:model-check:{model_id}"


def _digest(model: LanguageModel, calls: Sequence[AgentCalls]) -> str:
    """Of everything that a test depends on: the model, and how its agents call it."""
    settings = [
        (
            each.settings.temperature,
            each.settings.max_output_tokens,
            each.settings.reasoning_effort,
            each.pictures,
        )
        for each in calls
    ]
    return text_digest(repr((model_spec(model), sorted(map(repr, settings)))))
