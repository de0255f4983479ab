"""One small request says what of a model's set-up is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harness.llm.model_check import check_model
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import ModelSpec

READY = {"calls": [{"name": "report_ready", "arguments": {"ready": True}}]}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A server that knows the model `ada`, whose reply each test replaces."""
    with ModelServer({"ada": [READY]}) as started:
        yield started


def spec(server: ModelServer, **changes: Any) -> ModelSpec:
    """The set-up of a model at this server that is right."""
    values = {"litellm_id": "openai/ada", "api_base": server.url, "context_window": 32_000, **changes}
    return ModelSpec(name="Ada", **values)


def test_a_model_that_calls_the_tool_works_and_its_cost_is_known(server: ModelServer) -> None:
    found = check_model(spec(server, input_price=1.0, output_price=2.0))
    assert (found.works, found.what, found.notes, found.blamed) == (
        True,
        "It answers and calls tools.",
        (),
        "",
    )
    assert found.cost_usd is not None
    assert found.cost_usd > 0
    assert found.prompt_tokens > 0


def test_what_limits_evaluations_is_a_note() -> None:
    with ModelServer([{"text": "I am ready."}]) as server:
        found = check_model(spec(server, context_window=None))
    assert (found.works, found.what, found.answer, found.cost_usd) == (
        True,
        "It answers.",
        "I am ready.",
        None,
    )
    assert [note.partition(":")[0] for note in found.notes] == [
        "It answered without calling the tool that it was asked to call. Agents of the kind ide work with tools only.",
        "Its price is unknown",
        "Its context window is unknown",
    ]


def test_a_window_without_room_for_a_task_is_a_note(server: ModelServer) -> None:
    found = check_model(spec(server, context_window=8192, input_price=1.0, output_price=1.0))
    assert found.works
    (note,) = found.notes
    assert note.startswith("Its window leaves 4,192 tokens for input beside responses of 4,000")


@pytest.mark.parametrize(
    ("changes", "blamed", "what", "remedy"),
    [
        ({"litellm_id": ""}, "litellm_id", "no name that a provider knows", "Enter the name"),
        ({"litellm_id": "nobody/ada", "api_base": ""}, "litellm_id", "No provider is known", "begins with"),
        (
            {"api_key_variable": "ADA_KEY"},
            "api_key_variable",
            "ADA_KEY is not set where workers",
            "Set ADA_KEY in",
        ),
        ({"litellm_id": "openai/adda"}, "litellm_id", "404 Not Found", "The server has: ada."),
        (
            {"api_base": "http://127.0.0.1:9/v1"},
            "api_base",
            "Nothing answers at http://127.0.0.1:9/v1",
            "started",
        ),
        ({"context_window": 100}, "context_window", "window is too small", "several thousand tokens"),
    ],
)
def test_what_is_wrong_is_said_with_its_field_and_its_remedy(
    server: ModelServer, changes: dict[str, Any], blamed: str, what: str, remedy: str
) -> None:
    found = check_model(spec(server, **changes))
    assert (found.works, found.blamed) == (False, blamed)
    assert what in found.what
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("fault", "blamed", "what"),
    [
        (
            {"status": 401, "message": "Incorrect API key"},
            "api_key_variable",
            "The key is refused: 401 Unauthorized",
        ),
        (
            {"status": 429, "message": "Slow down"},
            "",
            "accepts no more requests: 429 Too Many Requests: Slow down",
        ),
        ({"status": 503, "message": "Overloaded"}, "", "fails: 503 Service Unavailable"),
        (
            {"status": 400, "message": "No tools, please"},
            "litellm_id",
            "The request is refused: 400 Bad Request",
        ),
        (
            {"status": 400, "message": "request 4291: max_tokens must be at most 512 tokens"},
            "litellm_id",
            "The request is refused: 400 Bad Request",
        ),
        ({"hang": 5}, "api_base", "no response within 0.5 s"),
    ],
)
def test_a_refusal_of_the_server_is_quoted(
    monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any], blamed: str, what: str
) -> None:
    monkeypatch.setenv("ADA_KEY", "k-harbour-secret")
    with ModelServer([{"text": "", "before": [fault]}]) as server:
        found = check_model(spec(server, api_key_variable="ADA_KEY"), timeout=0.5)
    assert (found.works, found.blamed) == (False, blamed)
    assert what in found.what
    assert "harbour" not in f"{found}"


def test_a_provider_without_its_key_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    found = check_model(ModelSpec(name="Claude", litellm_id="anthropic/claude-haiku-4-5"))
    assert (found.works, found.blamed) == (False, "api_key_variable")
    assert "ANTHROPIC_API_KEY is not set" in found.what
