"""What speaks against starting runs with a model."""

from __future__ import annotations

from typing import Any

import pytest

from harness.llm.scripted_server import ModelServer
from runs.models import LanguageModel
from runs.operations.agent_setup.model_checks import ask_for_check, check_here
from runs.operations.agent_setup.model_doubts import model_doubts
from runs.operations.agent_setup.worker_keys import report_keys
from tests.conftest import RedisServer
from tests.harness.llm.test_model_check import able

pytestmark = [pytest.mark.django_db, pytest.mark.redis]


def test_a_model_is_doubted_until_its_test_succeeded_as_it_is_now(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sentences() -> list[str]:
        return [sentence for doubt in model_doubts([ada, ada]) for sentence in doubt.sentences]

    with ModelServer(able) as server:
        ada = LanguageModel.objects.create(
            slug="ada", name="Ada", litellm_id="openai/ada", api_base=f"{server.url}/wrong"
        )
        assert sentences() == ["It was never tested."]
        ask_for_check(ada)
        assert sentences() == ["Its test is under way."]
        assert model_doubts([ada])[0].waits
        LanguageModel.objects.update(api_base="http://127.0.0.1:9/v1")
        ada.refresh_from_db()
        check_here(ada, lambda _probe: None)
        (doubt,) = model_doubts([ada])
        assert doubt.certain
        assert doubt.sentences[0].startswith("Its last test failed: Nothing answers at http://127.0.0.1:9/v1")
        assert doubt.sentences[1].startswith("Check that the server")
        ada.api_base = server.url
        ada.save()
        assert sentences() == ["It, or how its agents call it, was changed since its last test."]
        check_here(ada, lambda _probe: None)
        assert model_doubts([ada]) == []
        monkeypatch.delenv("ADA_KEY", raising=False)
        ada.api_key_variable = "ADA_KEY"
        ada.save()
        report_keys()
        assert [sentence[:48] for sentence in sentences()] == [
            "No worker of runs has its key: ADA_KEY is not se",
            "It, or how its agents call it, was changed since",
        ]
        assert model_doubts([ada])[0].certain


def test_without_redis_no_model_is_doubted(settings: Any) -> None:
    settings.REDIS_URL = "unix:///nowhere.sock"
    assert model_doubts([LanguageModel(pk=1, name="Ada", litellm_id="openai/ada")]) == []
