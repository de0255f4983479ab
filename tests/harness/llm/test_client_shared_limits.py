"""What a request shares with other runs: an evaluation's budget, a provider's minute."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import ModelError, RunCancelled
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm.client import Client
from harness.llm.spec import ModelSpec
from harness.llm.token_estimate import size
from tests.harness.conversations import HELLO, PRICED, QUICK, TOOL, Book, Conversation, dollars


class TestWhatIsShared:
    SETTINGS = replace(QUICK, max_output_tokens=100)

    def test_the_budget_is_asked_before_every_try_and_charged_for_every_bill(self) -> None:
        book = Book()
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation({"status": 500}, empty, settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book
        conversation.ask()
        one_try = ["reserve", "release"]
        assert book.told() == [*one_try, "reserve", "charge", "release", "reserve", "charge", "release"]
        assert [cost for what, cost in book.entries if what == "charge"] == [
            dollars(0.00044),
            dollars(0.0003),
        ]

    @pytest.mark.parametrize(
        ("fault", "kept"),
        [
            ({"hang": 0.05}, "doubt"),
            ({"hang": 30}, "doubt"),
            ({"raw": "not json"}, "doubt"),
            ({"status": 500}, "release"),
            ({"raw": '{"error": {"code": 429, "message": "Slower."}}'}, "release"),
        ],
    )
    def test_a_call_that_was_sent_and_neither_refused_nor_billed_stays_counted(
        self, fault: Mapping[str, Any], kept: str
    ) -> None:
        book = Book()
        conversation = Conversation(fault, settings=replace(self.SETTINGS, call_timeout=1), **PRICED)
        conversation.spending.ledger = book
        conversation.ask()
        assert book.told() == ["reserve", kept, "reserve", "charge", "release"]
        bound = book.entries[0][1]
        assert conversation.spending.doubtful_usd == (bound if kept == "doubt" else 0.0)

    def test_a_call_that_reaches_nobody_costs_nothing(self) -> None:
        book = Book()
        spending = Spending(Limits(), ledger=book)
        model = ModelSpec(
            "Nobody", "openai/nobody", api_base="http://127.0.0.1:9", input_price=2.0, output_price=10.0
        )
        with pytest.raises(ModelError, match="no response: Connection error"):
            Client(model, replace(self.SETTINGS, retries=0)).complete(HELLO, [TOOL], spending=spending)
        assert book.told() == ["reserve", "release"]

    def test_a_call_that_is_broken_off_stays_counted(self) -> None:
        book = Book()
        conversation = Conversation({"hang": 30}, settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book
        conversation.cancelled = True
        with pytest.raises(RunCancelled):
            conversation.ask()
        assert book.told() == ["reserve", "doubt"]

    def test_the_bound_is_the_dearest_that_the_call_can_be(self) -> None:
        book = Book()
        conversation = Conversation(settings=self.SETTINGS, **PRICED, cache_write_price=2.5)
        conversation.spending.ledger = book
        conversation.ask()
        tokens = math.ceil(1.25 * (size(HELLO) + size([TOOL])) / 4)
        # every prompt token written to the cache, every output token used
        assert book.entries[0] == ("reserve", dollars((tokens * 2.5 + 100 * 10) / 1e6))

    def test_nothing_is_sent_that_the_budget_might_not_hold(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book = Book(budget=0.001)
        with pytest.raises(LimitReached, match="the evaluation's budget is used up") as caught:
            conversation.ask()
        assert caught.value.ending is Ending.CANCELLED
        assert (conversation.requests, book.told()) == ([], ["reserve"])

    def test_with_a_cost_limit_a_model_without_price_is_not_asked(self) -> None:
        conversation = Conversation(limits=Limits(cost_usd=5.0))
        with pytest.raises(LimitReached, match="the price of this model is unknown") as caught:
            conversation.ask()
        assert caught.value.ending is Ending.COST_LIMIT
        assert conversation.requests == []

    def test_a_turn_is_taken_only_when_the_money_is_there(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = conversation.spending.rates = book = Book()
        conversation.ask()
        assert book.told() == ["reserve", "take", "charge", "settle", "release"]

    def test_a_turn_is_waited_for_and_corrected(self) -> None:
        conversation = Conversation(settings=self.SETTINGS)
        conversation.spending.rates = book = Book(seconds=0.3)
        metrics = conversation.ask().metrics
        assert book.entries == [("take", "openai/scripted"), ("settle", 110)]
        assert book.tokens > 100
        assert 0.3 <= metrics.waited < 1.0
        assert metrics.waited + metrics.seconds <= conversation.seconds

    def test_every_try_takes_its_turn_and_a_failed_one_used_no_tokens(self) -> None:
        conversation = Conversation({"status": 500})
        conversation.spending.rates = book = Book()
        conversation.ask()
        assert [entry for entry in book.entries if entry[0] == "settle"] == [("settle", 0), ("settle", 110)]

    def test_an_operator_does_not_wait_for_a_turn(self) -> None:
        conversation = Conversation()
        conversation.cancelled = True
        conversation.spending.rates = book = Book(seconds=60)
        with pytest.raises(RunCancelled):
            conversation.ask()
        assert conversation.seconds < 5
        assert (conversation.requests, book.told()) == ([], ["take", "give back"])

    def test_a_turn_after_the_end_of_the_run_is_given_back(self) -> None:
        conversation = Conversation(limits=Limits(wall_seconds=30))
        conversation.spending.rates = book = Book(seconds=60)
        with pytest.raises(
            ModelError, match="the rate limit allows the next request in 60 s, after the end of this run"
        ):
            conversation.ask()
        assert book.told() == ["take", "give back"]
