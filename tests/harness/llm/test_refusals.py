"""What providers say of a wrong set-up becomes one cause, one remedy, and the field that is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.llm.model_check import AgentCalls, ModelCheck, check_model
from harness.llm.refusals import served_window
from harness.llm.scripted_server import LocalServer, ModelServer, QuietHandler
from harness.llm.spec import CallSettings, ModelSpec

PAGE = b"<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>Not here</body></html>"
USUAL = CallSettings(temperature=0.1, max_output_tokens=32_768, reasoning_effort="high", seed=7)


def refused(status: int, body: Any, settings: CallSettings = USUAL, **changes: Any) -> tuple[ModelCheck, int]:
    """The test of a model whose server refuses everything with this body, and how many requests it got."""
    with ModelServer([{"before": [{"status": status, "body": body}] * 9}]) as server:
        values = {"litellm_id": "openai/ada", "api_base": server.url, "context_window": 200_000, **changes}
        found = check_model(
            ModelSpec(name="Ada", **values), [AgentCalls(settings, ("Quick Ada", "Slow Ada"))]
        )
        return found, len(server.requests)


def openai(message: str, code: str | None = None, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def anthropic(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


def gemini(code: int, status: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status}}


def openrouter(code: int, message: str) -> dict[str, Any]:
    return {"error": {"message": message, "code": code}, "user_id": "org_1"}


def vllm(code: int, kind: str, message: str) -> dict[str, Any]:
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


KEY, ID, WINDOW = "api_key_variable", "litellm_id", "context_window"
LONGEST, TEMPERATURE, EFFORT = "max_output_tokens", "temperature", "reasoning_effort"


@pytest.mark.parametrize(
    ("status", "body", "blamed", "remedy"),
    [
        # a wrong key
        (
            401,
            openai("Incorrect API key provided: sk-no.", "invalid_api_key"),
            KEY,
            "has the key of this server",
        ),
        (401, anthropic("authentication_error", "invalid x-api-key"), KEY, "has the key"),
        (
            400,
            gemini(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
            KEY,
            "has the key",
        ),
        (401, openrouter(401, "No auth credentials found"), KEY, "has the key"),
        (401, openrouter(401, "User not found."), KEY, "has the key"),
        (401, {"error": "Unauthorized"}, KEY, "has the key"),
        (
            401,
            {"error": {"code": 401, "message": "Invalid API Key", "type": "authentication_error"}},
            KEY,
            "has",
        ),
        # no money, no place
        (402, openrouter(402, "Insufficient credits. Add more"), "", "quota and balance"),
        (
            400,
            anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
            "",
            "balance",
        ),
        (403, openai("Country, region, or territory not supported"), "", "Run the workers where"),
        # a wrong id
        (
            404,
            openai("The model `ada` does not exist or you do not have access to it.", "model_not_found"),
            ID,
            "",
        ),
        (404, anthropic("not_found_error", "model: ada"), ID, "Check the spelling of ada"),
        (
            404,
            gemini(
                404, "NOT_FOUND", "models/ada is not found for API version v1beta, or is not supported for x."
            ),
            ID,
            "spelling",
        ),
        (400, openrouter(400, "ada is not a valid model ID"), ID, "spelling"),
        (404, openrouter(404, "No endpoints found for ada."), ID, "spelling"),
        (404, vllm(404, "NotFoundError", "The model `ada` does not exist."), ID, "spelling"),
        (404, {"error": {"message": 'model "ada" not found, try pulling it first'}}, ID, "spelling"),
        (400, {"message": "Invalid model: ada", "type": "invalid_model"}, ID, "spelling"),
        (
            400,
            openai("LLM Provider NOT provided. You passed model=ada"),
            ID,
            "with its provider, as in openai/NAME",
        ),
        # a response that is longer than the model's longest
        (
            400,
            openai(
                "max_tokens is too large: 32768. This model supports at most 16384 completion tokens, whereas you "
                "provided 32768."
            ),
            LONGEST,
            '"max_output_tokens" in the settings of Quick Ada and Slow Ada to at most 16,384.',
        ),
        (
            400,
            anthropic(
                "invalid_request_error",
                "max_tokens: 32768 > 8192, which is the maximum allowed number of output tokens for ada",
            ),
            LONGEST,
            "at most 8,192.",
        ),
        (
            400,
            gemini(
                400,
                "INVALID_ARGUMENT",
                "Unable to submit request because it has a maxOutputTokens value of 32768 but the supported range is "
                "from 1 (inclusive) to 8193 (exclusive). Update the value and try again.",
            ),
            LONGEST,
            "at most 8,192.",
        ),
        (
            400,
            vllm(
                400,
                "BadRequestError",
                "'max_tokens' or 'max_completion_tokens' is too large: 32768. This model's maximum context length is "
                "8192 tokens and your request has 120 input tokens (32768 > 8192 - 120).",
            ),
            LONGEST,
            "at most 8,192.",
        ),
        (
            400,
            openai("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
            LONGEST,
            "at most 8,192.",
        ),
        (
            400,
            openai(
                "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than "
                "the `context_window` for this model"
            ),
            LONGEST,
            "at most 8,192.",
        ),
        # a window that is smaller than stated
        (
            400,
            openai(
                "This model's maximum context length is 65536 tokens. However, your messages resulted in 70001 tokens.",
                "context_length_exceeded",
            ),
            WINDOW,
            "State a context window of 65,536 tokens",
        ),
        (
            400,
            openrouter(
                400, "This endpoint's maximum context length is 40960 tokens. However, you requested 50120"
            ),
            WINDOW,
            "40,960",
        ),
        # a temperature that the model refuses
        (
            400,
            openai(
                "Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is "
                "supported.",
                "unsupported_value",
                "temperature",
            ),
            TEMPERATURE,
            '"temperature" in the settings of Quick Ada and Slow Ada to null',
        ),
        (
            400,
            anthropic(
                "invalid_request_error",
                "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation.",
            ),
            TEMPERATURE,
            "null",
        ),
        (400, openrouter(400, "temperature is deprecated for this model."), TEMPERATURE, "null"),
        (422, vllm(422, "BadRequestError", "temperature must be non-negative, got 0.1"), TEMPERATURE, "null"),
        # other settings, and tools
        (400, openai("Unsupported value: 'reasoning_effort' does not support 'high'"), EFFORT, "to null"),
        (
            400,
            vllm(
                400,
                "BadRequestError",
                '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
            ),
            "tools",
            "vLLM needs --enable-auto-tool-choice",
        ),
        (404, openrouter(404, "No endpoints found that support tool use."), "tools", "calls tools"),
        (
            500,
            {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}},
            "tools",
            "llama.cpp needs --jinja",
        ),
    ],
)
def test_each_wording_names_its_field_and_its_remedy_with_one_request(
    status: int, body: Any, blamed: str, remedy: str
) -> None:
    settings = replace(USUAL, reasoning_effort="high" if blamed == EFFORT else None, seed=None)
    found, requests = refused(status, body, settings)
    assert (found.works, found.blamed) == (False, blamed)
    assert remedy in found.remedy
    assert requests == 1
    assert [probe.state for probe in found.probes] == ["failed"]


@pytest.mark.parametrize(
    ("name", "value", "needed"),
    [
        ("temperature", 0.1, lambda body: "temperature" in body),
        ("max_output_tokens", 9000, lambda body: body["max_tokens"] > 512),
        ("seed", 7, lambda body: "seed" in body),
        ("tools", None, lambda body: "tools" in body),
    ],
)
def test_an_unknown_wording_is_traced_to_what_the_request_is_served_without(
    name: str, value: Any, needed: Any
) -> None:
    def respond(request: Any) -> dict[str, Any]:
        wrong = {"status": 400, "body": {"error": {"message": "Request validation error 1043"}}}
        return {"text": "Ready.", "before": [wrong] * 9 if needed(request.body) else []}

    settings = CallSettings(**({"temperature": None} | ({} if name == "tools" else {name: value})))
    with ModelServer({"ada": respond}) as server:
        model = ModelSpec("Ada", "openai/ada", server.url, context_window=32_000)
        found = check_model(model, [AgentCalls(settings)])
    assert (found.works, found.blamed) == (False, name)
    assert "Request validation error 1043" in found.what


class _Page(QuietHandler):
    """A web server that knows nothing of models."""

    status = 404
    content_sent = PAGE
    kind = "text/html"

    def do_GET(self) -> None:  # noqa: N802
        self.send_response(self.status)
        self.send_header("Content-Type", self.kind)
        self.send_header("Content-Length", str(len(self.content_sent)))
        self.end_headers()
        self.wfile.write(self.content_sent)

    def do_POST(self) -> None:  # noqa: N802
        self.content()
        self.do_GET()


class _FastApi(_Page):
    content_sent = b'{"detail":"Not Found"}'
    kind = "application/json"


class _Ollama(_Page):
    content_sent = b"404 page not found"
    kind = "text/plain"


class _Served(_Page):
    status = 200


class _NotAllowed(_Page):
    status = 405


@pytest.mark.parametrize("handler", [_Page, _FastApi, _Ollama, _Served, _NotAllowed])
def test_an_address_that_serves_no_models_is_named(handler: type[_Page]) -> None:
    with LocalServer(handler) as server:
        found = check_model(ModelSpec("Ada", "openai/ada", server.address, context_window=32_000))
    assert (found.works, found.blamed) == (False, "api_base")
    assert server.address in found.what
    assert found.remedy.endswith(f"which usually ends in /v1, such as {server.address}/v1.")
    assert "<" not in found.what


def test_an_address_without_v1_is_completed() -> None:
    class OnlyBelowV1(_FastApi):
        def do_GET(self) -> None:  # noqa: N802
            if self.path == "/v1/models":
                self.status, self.content_sent = 200, b'{"data": [{"id": "ada"}]}'
            super().do_GET()

    with LocalServer(OnlyBelowV1) as server:
        found = check_model(ModelSpec("Ada", "openai/ada", server.address, context_window=32_000))
    assert (found.blamed, found.remedy) == (
        "api_base",
        f"Enter the address {server.address}/v1: a server of models answers there.",
    )


def test_a_wrong_key_of_a_named_variable_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADA_KEY", "k-harbour-secret")
    found, _ = refused(401, openai("Incorrect API key: k-harbour-secret"), api_key_variable="ADA_KEY")
    assert found.remedy == (
        "Check the value of ADA_KEY in the workers' environment, and that its account may use ada."
    )
    assert "harbour" not in f"{found}"


def test_a_misspelt_id_gets_names_like_it() -> None:
    found = check_model(ModelSpec("Ada", "opnai/gpt-5.2"))
    assert (found.blamed, "openai/gpt-5.2" in found.remedy) == ("litellm_id", True)
    with ModelServer({"qwen3-coder-30b": [], "other": []}) as server:
        found = check_model(ModelSpec("Ada", "openai/qwen3-coder-30", server.url, context_window=32_000))
    assert found.remedy == "Enter qwen3-coder-30b. The server has: qwen3-coder-30b, other."


@pytest.mark.parametrize(
    ("entry", "window"),
    [
        (b'{"id": "ada", "max_model_len": 16384}', 16_384),
        (b'{"id": "ada", "meta": {"n_ctx": 4096}}', 4096),
        (b'{"id": "other", "max_model_len": 16384}', None),
        (b'{"id": "ada", "max_model_len": "many"}', None),
        (b"7", None),
    ],
)
def test_the_window_is_read_from_the_list_of_a_server(entry: bytes, window: int | None) -> None:
    class Lists(_Page):
        status = 200
        content_sent = b'{"data": [' + entry + b"]}"

    with LocalServer(Lists) as server:
        assert served_window(ModelSpec("Ada", "openai/ada", server.address)) == window
    assert served_window(ModelSpec("Ada", "openai/ada")) is None
