"""Requests to providers that say what was recorded: the bodies in `replies/`, through LiteLLM's own adapters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.replies import Reply
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import CallSettings, ModelSpec
from harness.tools.schema import function_definitions

REPLIES = Path(__file__).parent / "replies"
START = [{"role": "system", "content": "You mend."}, {"role": "user", "content": "Mend it."}]
TOOLS = function_definitions()
PRICES: Mapping[str, Any] = {
    "input_price": 2.0,
    "output_price": 10.0,
    "cached_price": 0.5,
    "cache_write_price": 2.5,
}


@dataclass(frozen=True)
class Provider:
    """How LiteLLM reaches one: the model's id, and what follows the address of the server."""

    litellm_id: str
    path: str


PROVIDERS = {
    "openai": Provider("openai/gpt-4o", "/v1"),
    "anthropic": Provider("anthropic/claude-sonnet-4-5", ""),
    "gemini": Provider("gemini/gemini-2.5-pro", ""),
    "cohere": Provider("cohere_chat/command-a-03-2025", "/v2/chat"),
    "deepseek": Provider("deepseek/deepseek-chat", "/v1"),
    "mistral": Provider("mistral/mistral-large-latest", "/v1"),
    "xai": Provider("xai/grok-4", "/v1"),
    "openrouter": Provider("openrouter/anthropic/claude-sonnet-4.5", "/v1"),
    "vllm": Provider("hosted_vllm/qwen3", "/v1"),
}


def recorded(name: str) -> Any:
    return json.loads((REPLIES / f"{name}.json").read_text(encoding="utf-8"))


class Play:
    """One request to a provider that says what was recorded."""

    def __init__(
        self,
        provider: str,
        *entries: Mapping[str, Any],
        settings: CallSettings | None = None,
        **model: Any,
    ) -> None:
        self.provider = PROVIDERS[provider]
        self.script = entries
        self.settings = settings or CallSettings(call_timeout=10, retry_delay=0.01)
        self.model = {**PRICES, **model}
        self.spending = Spending(Limits())
        self.requests: list[Request] = []

    def send(self, messages: Sequence[dict[str, Any]] = START, *, forced_tool: str = "") -> Reply:
        with ModelServer(self.script) as server:
            address = urlsplit(server.url)
            base = f"{address.scheme}://{address.netloc}{self.provider.path}"
            spec = ModelSpec("Recorded", self.provider.litellm_id, base, **self.model)
            self.requests = server.requests
            client = Client(spec, self.settings)
            return client.complete(messages, TOOLS, spending=self.spending, forced_tool=forced_tool)

    @property
    def spent(self) -> tuple[int, int, int]:
        return self.spending.prompt_tokens, self.spending.completion_tokens, self.spending.cached_tokens


READ = ("read_file", {"path": "calc/digits.py", "explanation": "To see how digits are read."})
LIST = ("list_dir", {"path": "calc", "explanation": "To see what is there."})
UNDERSTOOD = "Numbers below zero are understood."
LOOK = "I look at the digits."
THOUGHT = "The sign is lost in digits.py."
START_OF_AN_ANSWER = "First I would look at the file"
