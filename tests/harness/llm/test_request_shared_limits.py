"""Limits that requests of several runs share: the budget of an evaluation, the rate limit of a provider."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import ModelError, RunCancelled
from harness.limits import Ending, LimitReached, Limits, LocalRates, Spending
from harness.llm.client import Client
from harness.llm.spec import ModelSpec
from harness.llm.token_estimate import size
from tests.harness.conversations import HELLO, PRICED, QUICK, TOOL, Book, Conversation, dollars


class TestWhatIsShared:
    SETTINGS = replace(QUICK, max_output_tokens=100)

    def test_budget_is_reserved_before_every_try_and_charged_for_every_bill(self) -> None:
        book = Book()
        empty = {"empty_choices": True, "usage": {"prompt": 70, "completion": 30}}
        conversation = Conversation({"status": 500}, empty, settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book
        conversation.send()
        one_try = ["reserve", "release"]
        assert book.calls() == [*one_try, "reserve", "charge", "release", "reserve", "charge", "release"]
        assert [cost for what, cost in book.entries if what == "charge"] == [
            dollars(0.00044),
            dollars(0.0003),
        ]

    @pytest.mark.parametrize(
        ("fault", "entry"),
        [
            ({"hang": 0.05}, "doubt"),
            ({"hang": 30}, "doubt"),
            ({"raw": "not json"}, "doubt"),
            ({"status": 500}, "release"),
            ({"raw": '{"error": {"code": 429, "message": "Slower."}}'}, "release"),
        ],
    )
    def test_call_without_refusal_or_bill_stays_reserved(self, fault: Mapping[str, Any], entry: str) -> None:
        book = Book()
        conversation = Conversation(fault, settings=replace(self.SETTINGS, call_timeout=1), **PRICED)
        conversation.spending.ledger = book
        conversation.send()
        assert book.calls() == ["reserve", entry, "reserve", "charge", "release"]
        bound = book.entries[0][1]
        assert conversation.spending.doubtful_usd == (bound if entry == "doubt" else 0.0)

    def test_unsent_call_costs_nothing(self) -> None:
        book = Book()
        spending = Spending(Limits(), ledger=book)
        model = ModelSpec(
            "Unreachable",
            "openai/unreachable",
            api_base="http://127.0.0.1:9",
            input_price=2.0,
            output_price=10.0,
        )
        with pytest.raises(ModelError, match="no response: Connection error"):
            Client(model, replace(self.SETTINGS, patience=0.0)).complete(HELLO, [TOOL], spending=spending)
        assert book.calls() == ["reserve", "release"]

    def test_aborted_call_stays_reserved(self) -> None:
        book = Book()
        conversation = Conversation({"hang": 30}, settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book
        conversation.cancelled = True
        with pytest.raises(RunCancelled):
            conversation.send()
        assert book.calls() == ["reserve", "doubt"]

    def test_upper_bound_is_the_highest_possible_cost(self) -> None:
        book = Book()
        conversation = Conversation(settings=self.SETTINGS, **PRICED, cache_write_price=2.5)
        conversation.spending.ledger = book
        conversation.send()
        tokens = math.ceil(1.25 * (size(HELLO) + size([TOOL])) / 4)
        # every prompt token written to the cache, every output token used
        assert book.entries[0] == ("reserve", dollars((tokens * 2.5 + 100 * 10) / 1e6))

    def test_nothing_is_sent_that_might_exceed_the_budget(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = book = Book(budget=0.001)
        with pytest.raises(LimitReached, match="the evaluation's budget is used up") as caught:
            conversation.send()
        assert caught.value.ending is Ending.CANCELLED
        assert (conversation.requests, book.calls()) == ([], ["reserve"])

    def test_cost_limit_prevents_calls_of_a_model_without_price(self) -> None:
        conversation = Conversation(limits=Limits(cost_usd=5.0))
        with pytest.raises(LimitReached, match="the price of this model is unknown") as caught:
            conversation.send()
        assert caught.value.ending is Ending.COST_LIMIT
        assert conversation.requests == []

    def test_turn_is_taken_after_the_reservation(self) -> None:
        conversation = Conversation(settings=self.SETTINGS, **PRICED)
        conversation.spending.ledger = conversation.spending.rates = book = Book()
        conversation.send()
        assert book.calls() == ["reserve", "take", "charge", "settle", "release"]

    def test_a_turn_is_waited_for_and_corrected(self) -> None:
        conversation = Conversation(settings=self.SETTINGS)
        conversation.spending.rates = book = Book(seconds=0.3)
        metrics = conversation.send().metrics
        assert book.entries == [("take", "openai/scripted"), ("settle", 110)]
        assert book.tokens > 100
        assert 0.3 <= metrics.waited < 1.0
        assert metrics.seconds is not None
        assert metrics.waited + metrics.seconds <= conversation.seconds

    def test_every_try_takes_its_turn_and_a_failed_one_used_no_tokens(self) -> None:
        conversation = Conversation({"status": 500})
        conversation.spending.rates = book = Book()
        conversation.send()
        assert [entry for entry in book.entries if entry[0] == "settle"] == [("settle", 0), ("settle", 110)]

    def test_cancelling_does_not_wait_for_a_turn(self) -> None:
        conversation = Conversation()
        conversation.cancelled = True
        conversation.spending.rates = book = Book(seconds=60)
        with pytest.raises(RunCancelled):
            conversation.send()
        assert conversation.seconds < 5
        assert (conversation.requests, book.calls()) == ([], ["take", "give back"])

    def test_a_turn_does_not_count_towards_the_time_of_the_run(self) -> None:
        conversation = Conversation(limits=Limits(wall_seconds=2))
        conversation.spending.rates = Book(seconds=3)
        assert conversation.send().message == "Hello."
        assert conversation.spending.waited_seconds == pytest.approx(3.0, abs=0.2)
        assert conversation.spending.failing_seconds == 0.0

    def test_a_limit_that_one_request_meets_holds_back_the_others_of_its_account(self) -> None:
        rates = LocalRates()
        first = Conversation({"status": 429, "headers": {"Retry-After": "2"}})
        first.spending.rates = rates
        first.send()
        account = replace(first.model, api_base=first.address).account
        assert rates.held(account) == 0.0
        rates.hold(account, 1.5)
        rates.hold(account, 0.1)
        assert 1.0 < rates.held(account) <= 1.5
        assert rates.held("openai http://other") == 0.0

    def test_held_back_requests_wait_for_longer_than_the_hold_and_use_patience(self) -> None:
        conversation = Conversation()
        conversation.spending.rates = book = Book()
        holds = [1.0, 0.0]
        book.held = lambda account: holds.pop(0)  # type: ignore[method-assign]
        conversation.send()
        assert conversation.seconds >= 1.0
        assert conversation.spending.failing_seconds >= 1.0
        assert conversation.waited_for[0].startswith(
            "Waiting for the provider: a limit that another run met. Next try in "
        )
