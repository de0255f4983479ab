"""A few small requests say what of a model's set-up is wrong, and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harness.llm.client import Client
from harness.llm.model_check import AgentCalls, Probe, _notes, check_model, distinct
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import CallSettings, ModelSpec

READY = {"calls": [{"name": "report_ready", "arguments": {"ready": True}}]}
WEIGHED = {"calls": [{"name": "weigh_fruit", "arguments": {"fruit": fruit}} for fruit in ("apple", "pear")]}


def able(request: Request) -> dict[str, Any]:
    """What a model replies that can do all that agents need."""
    text = str(request.messages[-1]["content"])
    if request.turn:
        return {"text": "OK"}
    if "report_ready" in text:
        return READY
    if "weigh_fruit" in text:
        return WEIGHED
    return {"text": "Red." if "image_url" in text else "lighthouse, marmalade"}


def but(**replies: Any) -> Any:
    """A model like `able`, whose replies differ where one of these words is in the request: `picture={...}`."""

    def respond(request: Request) -> dict[str, Any]:
        text = f"{request.messages[-1]}"
        return next((reply for word, reply in replies.items() if word in text), able(request))

    return respond


def states(probes: tuple[Probe, ...]) -> list[str]:
    """The states of all probes, in order."""
    return [probe.state for probe in probes]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A server of the model `ada`, which can do all that agents need."""
    with ModelServer({"ada": able}) as started:
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
    assert found.prompt_tokens > 5000
    assert [(probe.name, probe.state, probe.text) for probe in found.probes] == [
        ("Answer and call a tool", "ok", "It answers and calls the tool."),
        ("Go on after the result of a call", "ok", "It goes on after the result of its call."),
        ("Several calls in one response", "ok", "It makes 2 calls in one response."),
        ("Read a long input", "ok", found.probes[3].text),
        ("See a picture", "skipped", "LiteLLM does not know that it reads pictures."),
    ]
    assert found.probes[3].text.endswith("tokens from start to end.")
    assert found.prompt_tokens == sum(probe.prompt_tokens for probe in found.probes)
    assert found.cost_usd == pytest.approx(sum(probe.cost_usd or 0 for probe in found.probes))


def test_what_limits_evaluations_is_a_note() -> None:
    with ModelServer(but(report_ready={"text": "I am ready."})) as server:
        found = check_model(spec(server, context_window=None))
    assert states(found.probes) == ["ok", "skipped", "ok", "ok", "skipped"]
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
            "max_output_tokens",
            "The model refuses responses of 4,000 tokens: 400 Bad Request",
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


def test_after_a_first_probe_that_failed_no_other_is_sent() -> None:
    with ModelServer([{"before": [{"status": 401, "message": "No"}]}]) as server:
        found = check_model(spec(server))
    assert (states(found.probes), len(server.requests)) == (["failed"], 1)


def test_the_settings_of_agents_are_sent_and_each_distinct_set_is_tested(server: ModelServer) -> None:
    calls = [
        AgentCalls(CallSettings(temperature=number / 10, max_output_tokens=1000 + number), (f"A{number}",))
        for number in range(6)
    ]
    found = check_model(spec(server), calls)
    sent = [request.body for request in server.requests if "report_ready" in str(request.messages[-1])]
    assert [(body["temperature"], body["max_tokens"]) for body in sent] == [
        (0.0, 1000),
        (0.1, 1001),
        (0.2, 1002),
        (0.3, 1003),
    ]
    assert [probe.name for probe in found.probes][2:5] == [f"Settings of A{number}" for number in (1, 2, 3)]


def test_a_temperature_that_only_one_agent_has_is_blamed_with_its_name() -> None:
    def picky(request: Request) -> dict[str, Any]:
        refusal = {"status": 400, "message": "'temperature' does not support 0.1 with this model."}
        return {**able(request), "before": [refusal] if request.body.get("temperature") == 0.1 else []}

    with ModelServer({"ada": picky}) as server:
        calls = [AgentCalls(CallSettings(temperature=None), ("Calm",)), AgentCalls(CallSettings(), ("Warm",))]
        found = check_model(spec(server), calls)
    assert (found.works, found.blamed) == (False, "temperature")
    assert found.remedy == (
        'Set "temperature" in the settings of Warm to null, which is the provider\'s default.'
    )


def test_one_call_at_a_time_is_said_and_no_fault() -> None:
    with ModelServer(but(weigh_fruit={"calls": WEIGHED["calls"][:1]})) as server:
        found = check_model(spec(server))
    assert found.works
    assert found.probes[2].text == "It makes one call at a time: agents need more requests."


def test_the_call_and_its_result_go_back_with_their_id(server: ModelServer) -> None:
    check_model(spec(server))
    _, call, result = server.requests[1].messages
    assert call["tool_calls"][0]["id"] == result["tool_call_id"]


def test_a_model_that_refuses_its_own_call_does_not_work() -> None:
    refusal = {"status": 500, "message": "Conversation roles must alternate"}
    with ModelServer(but(Noted={"before": [refusal] * 9})) as server:
        found = check_model(spec(server))
    assert not found.works
    assert "Conversation roles must alternate" in found.what
    assert states(found.probes) == ["ok", "failed", "ok", "ok", "skipped"]


def test_a_window_smaller_than_the_stated_one_is_found() -> None:
    refusal = {
        "status": 400,
        "message": "request (18231 tokens) exceeds the available context size (4096 tokens), try increasing it",
    }
    with ModelServer(but(lighthouse={"before": [refusal]})) as server:
        found = check_model(spec(server))
    assert (found.works, found.blamed) == (False, "context_window")
    assert found.what.startswith("The window is smaller than the 32,000 tokens stated: 400 Bad Request")
    assert "4,096 tokens" in found.remedy


def test_a_window_that_the_server_itself_names_is_believed(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.llm.model_check.served_window", lambda _model: 16_384)
    found = check_model(spec(server))
    assert (found.works, found.blamed) == (False, "context_window")
    assert (
        found.what == "The window is smaller than the 32,000 tokens stated: the server lists it with 16,384."
    )
    assert found.remedy.startswith("State a context window of 16,384 tokens")
    assert not any("lighthouse" in f"{request.body}" for request in server.requests)


def test_a_stated_window_above_the_known_one_of_a_provider_is_a_note() -> None:
    model = ModelSpec("Claude", "anthropic/claude-haiku-4-5", context_window=900_000)
    (note,) = _notes(Client(model, CallSettings()))
    assert note.startswith(
        "Its stated window of 900,000 tokens is larger than the 200,000 that LiteLLM knows."
    )


def test_a_server_that_cuts_a_long_input_without_a_word_is_found() -> None:
    reply = {"text": "marmalade", "usage": {"prompt": 4096, "completion": 4}}
    with ModelServer(but(lighthouse=reply)) as server:
        found = check_model(spec(server))
    assert (found.works, found.blamed) == (False, "context_window")
    assert "and 4,096 were read" in found.what
    assert found.remedy.startswith("State a context window of 4,096 tokens")


@pytest.mark.parametrize(
    ("pictures", "reply", "works", "state"),
    [
        (True, {"text": "It is red."}, True, "ok"),
        (True, {"before": [{"status": 400, "message": "Cannot read “image.png”"}]}, False, "failed"),
        (False, {}, True, "skipped"),
    ],
)
def test_a_picture_is_sent_if_agents_get_pictures(
    pictures: bool, reply: dict[str, Any], works: bool, state: str
) -> None:
    with ModelServer(but(image_url=reply)) as server:
        found = check_model(spec(server), [AgentCalls(pictures=pictures)])
    assert (found.works, found.probes[-1].state) == (works, state)
    assert found.blamed == ("" if works else "pictures")


def test_the_test_stays_within_its_budget(server: ModelServer) -> None:
    found = check_model(spec(server, input_price=40.0, output_price=100.0))
    assert found.works
    assert found.cost_usd is not None
    assert found.cost_usd < 0.1
    assert states(found.probes)[0] == "ok"
    assert "skipped" in states(found.probes)


def test_a_probe_that_meets_a_busy_provider_is_no_fault_of_the_set_up() -> None:
    busy = {"status": 429, "message": "Slow down"}
    with ModelServer(but(lighthouse={"before": [busy] * 9})) as server:
        found = check_model(spec(server))
    assert found.works
    assert states(found.probes) == ["ok", "ok", "ok", "failed", "skipped"]
    assert any("“Read a long input” could not be tested" in note for note in found.notes)


def test_what_is_not_sent_or_not_followed_is_said() -> None:
    def named(request: Request) -> dict[str, Any]:
        message = {"role": "assistant", "content": "Ready."}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 90, "completion_tokens": 9, "total_tokens": 99}
        return {
            "body": {"id": "1", "object": "chat.completion", "created": 0, "model": "babbage-2"}
            | {"choices": [choice], "usage": usage}
        }

    settings = CallSettings(temperature=0.3, reasoning_effort="high", seed=7)
    with ModelServer({"ada": named}) as server:
        found = check_model(spec(server), [AgentCalls(settings, ("Swift",))])
    assert found.ignored == (
        "reasoning_effort high of Swift is not sent: LiteLLM knows that the provider takes none.",
        "The provider answers as babbage-2, not as ada.",
    )


def test_agents_with_the_same_settings_are_tested_once() -> None:
    calls = [AgentCalls(agents=(name,)) for name in "ABCDE"]
    (one,) = distinct([*calls, AgentCalls(CallSettings(patience=1.0), ("F",), pictures=True)])
    assert (one.whose, one.pictures) == ("of A and B and C and 3 more", True)
    assert len(distinct([AgentCalls(), AgentCalls(CallSettings(temperature=None))])) == 2
