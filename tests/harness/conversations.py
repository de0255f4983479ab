"""One request to a scripted model server, over real HTTP and LiteLLM, and what became of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import RunCancelled, RunRequeued
from harness.limits import Ending, LimitReached, Limits, Spending, Turn
from harness.llm.client import Client
from harness.llm.replies import RawReply, Reply
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import CallSettings, ModelSpec

HELLO = [{"role": "user", "content": "Hello"}]
QUICK = CallSettings(call_timeout=5, retry_delay=0.01)
TOOL = {
    "type": "function",
    "function": {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}},
}


class Conversation:
    """One request to a scripted server, and its result."""

    def __init__(
        self,
        *faults: Mapping[str, Any],
        reply: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        settings: CallSettings = QUICK,
        **model: Any,
    ) -> None:
        self.script = [
            {"text": "Hello.", "usage": {"prompt": 100, "completion": 10}, **(reply or {}), "before": faults}
        ]
        self.spending = Spending(limits or Limits())
        self.settings = settings
        self.model = ModelSpec(**{"name": "Scripted", "litellm_id": "openai/scripted", **model})
        self.waited_for: list[str] = []
        self.cancelled = False
        self.leaving = False

    def send(self) -> Reply:
        with self.client() as client:
            return client.complete(
                HELLO,
                [TOOL],
                spending=self.spending,
                checkpoint=self.checkpoint,
                waits=self.waited_for.append,
            )

    def relay(self, body: Mapping[str, Any]) -> RawReply:
        with self.client() as client:
            return client.relay(body, spending=self.spending, checkpoint=self.checkpoint)

    @contextmanager
    def client(self) -> Iterator[Client]:
        with ModelServer(self.script) as server:
            self.requests, self.address = server.requests, server.url
            began = time.monotonic()
            try:
                yield Client(replace(self.model, api_base=server.url), self.settings)
            finally:
                self.seconds = time.monotonic() - began

    def checkpoint(self) -> None:
        if self.cancelled:
            raise RunCancelled("an operator asked for it")
        if self.leaving:
            raise RunRequeued("the worker has to end")
        self.spending.check()

    def spent(self) -> tuple[int, int, int, float | None]:
        spending = self.spending
        return spending.prompt_tokens, spending.completion_tokens, spending.cached_tokens, spending.cost_usd


PRICED: dict[str, Any] = {"input_price": 2.0, "output_price": 10.0, "cached_price": 0.5}


def dollars(amount: float) -> Any:
    return pytest.approx(amount, rel=1e-12)


class Book:
    """A ledger and a rate limiter in memory that record their calls."""

    def __init__(self, budget: float = 1.0, seconds: float = 0.0) -> None:
        self.budget = budget
        self.seconds = seconds
        self.entries: list[tuple[str, Any]] = []

    def reserve(self, upper_bound_usd: float | None) -> None:
        self.entries.append(("reserve", upper_bound_usd))
        if upper_bound_usd is None or upper_bound_usd > self.budget:
            raise LimitReached(Ending.CANCELLED, "the evaluation's budget is used up")

    def charge(self, cost_usd: float | None) -> None:
        self.entries.append(("charge", cost_usd))

    def release(self, upper_bound_usd: float | None, *, doubtful: bool) -> None:
        self.entries.append(("doubt" if doubtful else "release", upper_bound_usd))

    def take(self, model: str, tokens: int) -> Turn:
        self.entries.append(("take", model))
        self.tokens = tokens
        return Turn(self.seconds, "a turn")

    def settle(self, turn: Turn, tokens: int) -> None:
        self.entries.append(("settle", tokens))

    def give_back(self, turn: Turn) -> None:
        self.entries.append(("give back", turn.key))

    def hold(self, account: str, seconds: float) -> None:
        self.entries.append(("hold", seconds))

    def held(self, account: str) -> float:
        return 0.0

    def calls(self) -> list[str]:
        return [what for what, _ in self.entries]
