"""Which keys of models workers have: the names of environment variables, never a value.

Each worker of runs reports for its host. What it was not asked about stays unknown.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.db import DatabaseError, connection
from redis import RedisError

from runs.jobs import queue
from runs.models import LanguageModel
from runs.operations.agent_setup.provider_kinds import KINDS, kind_of

REPORT_SECONDS = 300.0
KEPT_SECONDS = 900  # three reports: after that, the host has no worker any more
MAX_REPORTS = 100
PLACE = "benchbench:worker-keys"


@dataclass(frozen=True, slots=True)
class KeyReport:
    """What the workers of one host said. `asked`: the variables that they looked for, `found`: those that are set."""

    host: str
    asked: frozenset[str]
    found: frozenset[str]


class KeyReporter:
    """Reports at its first call, and then every REPORT_SECONDS."""

    def __init__(self) -> None:
        self._due = 0.0

    def report(self) -> None:
        """Reports if it is time. A failure does not matter: the next report replaces it."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + REPORT_SECONDS
        with suppress(RedisError):
            report_keys()


def report_keys() -> None:
    """Stores which of the variables that models need are set in this process. Raises RedisError."""
    asked = sorted(_asked())
    found = [name for name in asked if os.environ.get(name)]
    stored = json.dumps({"asked": asked, "found": found})
    queue.connection().set(f"{PLACE}:{socket.gethostname()}", stored, ex=KEPT_SECONDS)


def key_reports() -> tuple[KeyReport, ...]:
    """The newest report of each host; () if there is none, or Redis does not respond."""
    try:
        redis = queue.connection(queue.AT_ONCE)
        places = sorted(redis.scan_iter(match=f"{PLACE}:*", count=1000))[:MAX_REPORTS]
        texts = redis.mget(places) if places else []
    except RedisError:
        return ()
    reports = []
    for place, text in zip(places, texts, strict=True):
        with suppress(TypeError, ValueError, KeyError):
            stored = json.loads(text or "")
            host = place.decode().removeprefix(f"{PLACE}:")
            reports.append(KeyReport(host, frozenset(stored["asked"]), frozenset(stored["found"])))
    return tuple(reports)


def key_doubts(models: Sequence[LanguageModel]) -> Mapping[int, str]:
    """A sentence for each model whose key no worker of runs has, or not those of every host, by the model's number."""
    needed = {model.pk: name for model in models if (name := key_variable(model))}
    reports = key_reports() if needed else ()
    doubts = {pk: _doubt(name, reports) for pk, name in needed.items()}
    return {pk: doubt for pk, doubt in doubts.items() if doubt}


def key_variable(model: LanguageModel) -> str:
    """The variable with the key of a model; '' if it needs none, or it is not known."""
    return model.api_key_variable or ("" if model.api_base else kind_of(model).key_variable)


def _doubt(name: str, reports: Iterable[KeyReport]) -> str:
    known = [report for report in reports if name in report.asked]
    without = [report.host for report in known if name not in report.found]
    if not without:
        return ""
    if len(without) == len(known):
        return f"No worker of runs has its key: {name} is not set. Set it where workers run, and start them again."
    return f"The workers of {', '.join(without)} do not have its key: {name} is not set there."


def _asked() -> set[str]:
    """The variables that models name, and those of the listed providers. Without a database, the latter."""
    names = {kind.key_variable for kind in KINDS if kind.key_variable}
    try:
        named = LanguageModel.objects.exclude(api_key_variable="").values_list("api_key_variable", flat=True)
        names |= set(named)
    except DatabaseError:
        pass
    finally:
        if not connection.in_atomic_block:
            connection.close()  # a forked process must not have it, too
    return names
