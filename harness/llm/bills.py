"""The bills of the calls of one request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.limits import Spending, sum_of_known
from harness.llm.provider import price
from harness.llm.replies import Tokens, reasoning_in, token_counts, usage_in
from harness.llm.spec import ModelSpec
from harness.llm.wire import HttpResponse
from harness.records import Metrics


class Bills:
    """The billed calls of one request: the tokens of each and its cost, None if unknown. Charges `spending`."""

    def __init__(self, model: ModelSpec, spending: Spending) -> None:
        self._model = model
        self._spending = spending
        self._tokens: list[Tokens] = []
        self._costs: list[float | None] = []

    def __bool__(self) -> bool:
        return bool(self._tokens)

    @property
    def total_tokens(self) -> int:
        """All tokens so far, of prompts and responses."""
        return sum(each.prompt + each.completion for each in self._tokens)

    def book(self, usage: Mapping[str, Any], reasoning: int | None) -> Tokens:
        """Charges one billed call. Without usage from the provider its cost is unknown."""
        tokens = token_counts(usage)
        if reasoning is not None:
            tokens = replace(tokens, reasoning=min(reasoning, tokens.completion))
        self._tokens.append(tokens)
        self._costs.append(price(self._model, usage))
        self._spending.charge(
            prompt=tokens.prompt,
            completion=tokens.completion,
            cached=tokens.cached,
            reasoning=tokens.reasoning,
            cost_usd=self._costs[-1],
        )
        return tokens

    def book_unread(self, responses: Sequence[HttpResponse]) -> bool:
        """Charges responses that LiteLLM could not read, from the usage in their text. Returns whether any had one."""
        booked = False
        for response in responses:
            usage = usage_in(response.text)
            if usage is not None:
                self.book(usage, reasoning_in(response.text))
                booked = True
        return booked

    def metrics(
        self, *, seconds: float, waited: float, finish: str, retries: Sequence[str], repairs: Sequence[str]
    ) -> Metrics:
        """The measurements of the request, with the sums over all its billed calls."""
        return Metrics(
            prompt_tokens=sum(each.prompt for each in self._tokens),
            completion_tokens=sum(each.completion for each in self._tokens),
            cached_tokens=sum(each.cached for each in self._tokens),
            written_tokens=sum(each.written for each in self._tokens),
            reasoning_tokens=sum_of_known(each.reasoning for each in self._tokens),
            cost_usd=None if None in self._costs else sum(filter(None, self._costs), 0.0),
            seconds=seconds,
            waited=waited,
            finish_reason=finish,
            retries=tuple(retries),
            repairs=tuple(repairs),
        )
