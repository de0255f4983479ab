"""Workers of runs report which keys they have, by name."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from runs.jobs import queue
from runs.models import LanguageModel
from runs.operations.agent_setup import worker_keys
from runs.operations.agent_setup.worker_keys import KeyReporter, key_doubts, key_reports, report_keys
from tests.conftest import RedisServer

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def model(variable: str, litellm_id: str = "openai/ada", api_base: str = "") -> LanguageModel:
    return LanguageModel.objects.create(
        slug=f"m{LanguageModel.objects.count()}",
        name="Ada",
        litellm_id=litellm_id,
        api_base=api_base,
        api_key_variable=variable,
    )


def test_names_are_reported_and_never_a_value(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with_key, without = model("ADA_KEY"), model("BABBAGE_KEY")
    unnamed = model("", "anthropic/claude-haiku-4-5")
    own = model("", api_base="http://127.0.0.1:9/v1")
    monkeypatch.setenv("ADA_KEY", "k-harbour-secret")
    monkeypatch.delenv("BABBAGE_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    everything = [with_key, without, unnamed, own]
    assert key_doubts(everything) == {}  # no worker has reported: unknown

    report_keys()

    assert "harbour" not in str(queue.connection().get(f"benchbench:worker-keys:{socket.gethostname()}"))
    assert key_doubts(everything) == {
        without.pk: "No worker of runs has its key: BABBAGE_KEY is not set. Set it where workers run, and start them "
        "again.",
        unnamed.pk: "No worker of runs has its key: ANTHROPIC_API_KEY is not set. Set it where workers run, and start "
        "them again.",
    }
    later = model("LATER_KEY")
    assert key_doubts([later]) == {}  # no worker has looked for it yet


def test_a_host_without_the_key_is_named(redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = model("ADA_KEY")
    for host, value in (("east", "k"), ("west", "")):
        monkeypatch.setenv("ADA_KEY", value)
        monkeypatch.setattr("socket.gethostname", lambda name=host: name)
        report_keys()
    assert [report.host for report in key_reports()] == ["east", "west"]
    assert key_doubts([ada]) == {ada.pk: "The workers of west do not have its key: ADA_KEY is not set there."}


def test_a_report_expires_and_is_made_again_from_time_to_time(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[float] = []
    now = [100.0]
    monkeypatch.setattr(worker_keys, "report_keys", lambda: made.append(now[0]))
    monkeypatch.setattr("runs.operations.agent_setup.worker_keys.time.monotonic", lambda: now[0])
    reporter = KeyReporter()
    for now[0] in (100.0, 200.0, 399.0, 400.0, 500.0):
        reporter.report()
    assert made == [100.0, 400.0]
    monkeypatch.undo()
    report_keys()
    assert 0 < queue.connection().ttl(f"benchbench:worker-keys:{socket.gethostname()}") <= 900


def test_without_redis_nothing_is_known_and_no_worker_stops(settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    KeyReporter().report()
    assert key_reports() == ()
    assert key_doubts([model("ADA_KEY")]) == {}


@pytest.mark.parametrize("text", ["{", "[]", '{"asked": 1, "found": []}', "null"])
def test_what_cannot_be_read_is_no_report(redis: RedisServer, text: str) -> None:
    queue.connection().set("benchbench:worker-keys:odd", text)
    assert key_reports() == ()
