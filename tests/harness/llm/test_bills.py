"""What the calls of one request cost together."""

from __future__ import annotations

import json

import pytest

from harness.limits import Limits, Spending
from harness.llm.bills import Bills
from harness.llm.replies import Tokens
from harness.llm.spec import ModelSpec
from harness.llm.wire import HttpResponse
from harness.records import Metrics
from tests.harness.conversations import PRICED, dollars

MODEL = ModelSpec("Scripted", "openai/scripted", **PRICED)
USAGE = {"prompt_tokens": 1000, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 400}}


@pytest.fixture
def spending() -> Spending:
    return Spending(Limits())


def measured(bills: Bills) -> Metrics:
    return bills.metrics(seconds=1.5, waited=0.5, finish="stop", retries=["slow"], repairs=["wrapped"])


def test_every_call_is_charged_at_once_and_the_sums_are_measured(spending: Spending) -> None:
    bills = Bills(MODEL, spending)
    assert bills.book(USAGE, 30) == Tokens(1000, 100, 400, 0, 30)
    assert bills.book({"prompt_tokens": 500, "completion_tokens": 10}, None) == Tokens(500, 10)
    assert bills.total_tokens == 1610
    # 600 × $2 + 400 × $0.50 + 100 × $10, then 500 × $2 + 10 × $10, for a million
    assert measured(bills) == Metrics(
        prompt_tokens=1500,
        completion_tokens=110,
        cached_tokens=400,
        reasoning_tokens=30,
        cost_usd=dollars(0.0035),
        seconds=1.5,
        waited=0.5,
        finish_reason="stop",
        retries=("slow",),
        repairs=("wrapped",),
    )
    assert (spending.prompt_tokens, spending.completion_tokens, spending.cached_tokens) == (1500, 110, 400)
    assert (spending.reasoning_tokens, spending.cost_usd) == (30, dollars(0.0035))


def test_before_the_first_call_nothing_is_billed(spending: Spending) -> None:
    bills = Bills(MODEL, spending)
    assert not bills
    assert (bills.total_tokens, measured(bills).cost_usd) == (0, 0.0)
    bills.book({}, None)
    assert bills


def test_one_unknown_cost_makes_the_sum_unknown(spending: Spending) -> None:
    bills = Bills(MODEL, spending)
    bills.book(USAGE, None)
    bills.book({}, None)
    assert (measured(bills).cost_usd, spending.cost_usd) == (None, None)
    assert measured(bills).prompt_tokens == 1000


def test_reasoning_is_at_most_the_completion(spending: Spending) -> None:
    assert Bills(MODEL, spending).book(USAGE, 10**9).reasoning == 100


def test_unread_responses_are_booked_from_their_text(spending: Spending) -> None:
    bills = Bills(MODEL, spending)
    assert not bills.book_unread([])
    assert not bills.book_unread([HttpResponse(200, {}, "<html>"), HttpResponse(0, {}, "reset", sent=False)])
    assert not bills
    details = {"completion_tokens_details": {"reasoning_tokens": 7}}
    text = json.dumps({"usage": {**USAGE, **details}})
    assert bills.book_unread([HttpResponse(500, {}, "{}"), HttpResponse(200, {}, text)])
    assert (bills.total_tokens, measured(bills).reasoning_tokens) == (1100, 7)
