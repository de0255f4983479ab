"""Tests of models that operators ask for: one small request each, by a worker, where the keys are.

Requests and results are in Redis, for some days: nothing depends on them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from redis import RedisError
from rq import Queue

from harness.llm.model_check import ModelCheck, check_model
from runs.data.cache.digests import text_digest
from runs.jobs import queue
from runs.jobs.job_kinds import CHECK_MODEL
from runs.models import LanguageModel
from runs.operations.evaluations.harness_specs import model_spec

KEPT_SECONDS = 30 * 24 * 3600
MAX_JOB_SECONDS = 180
PATIENCE = timedelta(seconds=120)  # until a waiting test means that no worker takes it
MAX_STORED_BYTES = 20_000


class CheckNotAsked(Exception):
    """Redis does not respond, so no worker can be asked."""


@dataclass(frozen=True, slots=True)
class StoredCheck:
    """The last test of a model. `result` is None while it waits. `outdated`: the model was changed since then."""

    asked_at: datetime
    result: ModelCheck | None
    outdated: bool

    @property
    def waits(self) -> bool:
        """Whether the result may still come."""
        return self.result is None and timezone.now() - self.asked_at < PATIENCE

    @property
    def not_taken(self) -> bool:
        """Whether no worker took it in time."""
        return self.result is None and not self.waits


def ask_for_check(model: LanguageModel) -> None:
    """Has a worker of reviews test the model as it is now. Raises CheckNotAsked."""
    mark = secrets.token_hex(8)
    stored = {"mark": mark, "asked_at": timezone.now().isoformat(), "digest": _digest(model)}
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
    result = check_model(model_spec(model))
    redis = queue.connection()
    stored = _read(redis.get(_key(model_id)))
    if stored.get("mark") != mark:
        return
    redis.set(_key(model_id), json.dumps({**stored, "result": asdict(result)}), ex=KEPT_SECONDS)


def stored_checks(models: Sequence[LanguageModel]) -> Mapping[int, StoredCheck]:
    """The last test of each of these models that has one, by the model's number; {} if Redis does not respond."""
    if not models:
        return {}
    try:
        texts = queue.connection(queue.AT_ONCE).mget([_key(model.pk) for model in models])
    except RedisError:
        return {}
    found = {model.pk: _check(_read(text), model) for model, text in zip(models, texts, strict=True)}
    return {key: check for key, check in found.items() if check is not None}


def _check(stored: Mapping[str, Any], model: LanguageModel) -> StoredCheck | None:
    try:
        given = stored.get("result")
        result = ModelCheck(**{**given, "notes": tuple(given["notes"])}) if given else None
        asked_at = datetime.fromisoformat(stored["asked_at"])
        return StoredCheck(asked_at, result, outdated=stored["digest"] != _digest(model))
    except (KeyError, TypeError, ValueError):
        return None  # nothing, or what another version stored


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


def _digest(model: LanguageModel) -> str:
    """Of everything that a test depends on."""
    return text_digest(repr(model_spec(model)))
