"""A question to a judge's model, over real HTTP: what fits, what is asked again, what has no answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.errors import RunCancelled
from harness.judges.answer import SUBMIT_REVIEW, Answer, Malformed, read_answer
from harness.judges.asking import Asked, Asker
from harness.judges.review_file import ReviewState
from harness.limits import Limits, Spending
from harness.llm.client import Client
from harness.llm.replies import Reply
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from tests.harness.conversations import PRICED, QUICK, Book, dollars
from tests.harness.judges.made import ANSWER, LINE, PITFALL

QUESTION = [{"role": "system", "content": "Review."}, {"role": "user", "content": "[1] user"}]


def call(arguments: object, name: str = "submit_review") -> dict[str, Any]:
    return {"calls": [{"name": name, "arguments": arguments}]}


def changed(**values: Any) -> dict[str, Any]:
    return call({**ANSWER, **values})


def line(**values: Any) -> dict[str, Any]:
    return changed(evidence=[{**LINE, **values}])


def without(name: str) -> dict[str, Any]:
    return call({key: value for key, value in ANSWER.items() if key != name})


def raw(old: str, new: str) -> dict[str, Any]:
    text = json.dumps(ANSWER)
    assert old in text
    return call(text.replace(old, new))


VALID_TEXT = json.dumps(ANSWER)
ONE = {"name": "submit_review", "arguments": dict(ANSWER)}

# Bodies that are no valid answer, and a part of the reason.
MALFORMED: Mapping[str, tuple[dict[str, Any], str]] = {
    "score 0.75": (changed(score=0.75), "score: must be exactly 0, 0.5 or 1"),
    "score 2": (changed(score=2), "score: must be exactly"),
    "score -0.5": (changed(score=-0.5), "score: must be exactly"),
    "score 10": (changed(score=10), "score: must be exactly"),
    "score as text": (changed(score="1"), "score: must be exactly"),
    "score in words": (changed(score="good"), "score: must be exactly"),
    "score true": (changed(score=True), "score: must be exactly"),
    "score null": (changed(score=None), "score: must be exactly"),
    "score NaN": (raw('"score": 1', '"score": NaN'), "NaN is not JSON"),
    "score infinite": (raw('"score": 1', '"score": 1e999'), "score: must be exactly"),
    "score as a list": (changed(score=[1]), "score: must be exactly"),
    "score as an object": (changed(score={"value": 1}), "score: must be exactly"),
    "no score": (without("score"), "score: Field required"),
    "two scores": (raw('"score": 1', '"score": 0, "score": 1'), "'score' is there twice"),
    "two scores in a line": (raw('"step": 2', '"step": 1, "step": 2'), "'step' is there twice"),
    "no review": (without("review"), "review: Field required"),
    "no evidence": (without("evidence"), "evidence: Field required"),
    "extra key": (changed(confidence=0.9), "confidence: Extra inputs are not permitted"),
    "extra key in a line": (line(note="x"), "evidence.0.note: Extra inputs are not permitted"),
    "no evidence lines": (changed(evidence=[]), "at least 1 item"),
    "seven evidence lines": (changed(evidence=[LINE] * 7), "at most 6 items"),
    "evidence as text": (changed(evidence="It said so."), "evidence: Input should be a valid list"),
    "one sentence": (changed(review="It worked."), "2 to 5 sentences, not 1"),
    "six sentences": (changed(review="A. B. C. D. E. F."), "2 to 5 sentences, not 6"),
    "empty review": (changed(review=""), "review: must not be empty"),
    "review too long": (changed(review="Long word. " * 2 + "x" * 3000), "review: "),
    "review as a list": (changed(review=["A.", "B."]), "review: Input should be a valid string"),
    "quote too long": (line(quote="x" * 401), "evidence.0.quote: "),
    "empty quote": (line(quote="  "), "evidence.0.quote: must not be empty"),
    "empty aspect": (line(aspect=""), "evidence.0.aspect: must not be empty"),
    "aspect too long": (line(aspect="x" * 121), "evidence.0.aspect: "),
    "step 0": (line(step=0), "evidence.0.step: "),
    "step as text": (line(step="2"), "evidence.0.step: "),
    "step 1.5": (line(step=1.5), "evidence.0.step: "),
    "step true": (line(step=True), "evidence.0.step: "),
    "unknown severity": (line(severity="fatal"), "evidence.0.severity: "),
    "severity as points": (line(severity=7), "evidence.0.severity: "),
    "a pitfall elsewhere": (changed(evidence=[PITFALL]), "this line is not a pitfall"),
    "arguments as a list": (call([ANSWER]), "must be a JSON object"),
    "arguments cut": (call(VALID_TEXT[:-2]), "not valid JSON"),
    "arguments and more": (call(f"{VALID_TEXT} {VALID_TEXT}"), "one call had the arguments of 2"),
    "arguments in a fence": (call(f"```json\n{VALID_TEXT}\n```"), "the arguments had a fence"),
    "arguments encoded twice": (call(json.dumps(VALID_TEXT)), "encoded twice"),
    "arguments wrapped": (call({"input": ANSWER}), "wrapped in 'input'"),
    "no arguments": (call(""), "score: Field required"),
    "deep nesting": (call("[" * 500), "not valid JSON"),
    "two calls": ({"calls": [ONE, ONE]}, "2 calls; call submit_review exactly once"),
    "two calls with other scores": (
        {"calls": [ONE, {**ONE, "arguments": {**ANSWER, "score": 0}}]},
        "2 calls",
    ),
    "another tool": (call(ANSWER, "submit_verdict"), "'submit_verdict', which is not offered"),
    "the answer as text": ({"text": VALID_TEXT}, "not a call of submit_review, but text"),
    "the answer in a fence": ({"text": f"```json\n{VALID_TEXT}\n```"}, "but text"),
    "a call in the text": (
        {"text": f"<tool_call>{json.dumps(ONE)}</tool_call>"},
        "the server left the calls in the text",
    ),
    "prose": ({"text": "Score: 1. The agent did well."}, "but text: Score: 1. The agent did well."),
    "empty": ({"text": ""}, "not a call of submit_review"),
    "no text": ({"text": None}, "not a call of submit_review"),
    "blank": ({"text": " \n"}, "not a call of submit_review"),
    "cut off at the limit": ({**call(VALID_TEXT[:40]), "finish_reason": "length"}, "cut off at the limit"),
    "complete and cut off": ({**call(ANSWER), "finish_reason": "length"}, "cut off at the limit"),
}


STRICT = replace(QUICK, patience=2.0, refusal_retries=0)


def ask(
    *replies: Mapping[str, Any],
    limits: Limits | None = None,
    ledger: Book | None = None,
    checkpoint: Any = None,
    **model: Any,
) -> tuple[Asked[Answer], list[Request], Spending]:
    def read(reply: Reply) -> Answer | Malformed:
        return read_answer(reply, lists_pitfalls=False)

    spending = Spending(limits or Limits(), ledger=ledger)
    with ModelServer(list(replies)) as server:
        spec = ModelSpec("Judge", "openai/judge", server.url, **model)
        asker = Asker(Client(spec, STRICT), spending=spending, checkpoint=checkpoint)
        return asker.ask(QUESTION, SUBMIT_REVIEW, read), server.requests, spending


@pytest.mark.parametrize("name", MALFORMED)
def test_a_body_that_does_not_fit_is_asked_for_again_once_and_never_becomes_a_score(name: str) -> None:
    body, reason = MALFORMED[name]
    asked, requests, _ = ask(body, body)
    assert (asked.state, asked.answer, asked.asks) == (ReviewState.MALFORMED, None, 2)
    assert reason in asked.reason
    assert len(requests) == 2
    again = str(requests[1].messages[-1]["content"])
    assert reason in again
    assert again.endswith("Answer with one valid call of submit_review.")


@pytest.mark.parametrize(
    "name", ["score 0.75", "two calls", "prose", "arguments cut", "another tool", "empty"]
)
def test_a_second_answer_that_fits_counts(name: str) -> None:
    asked, requests, _ = ask(MALFORMED[name][0], call(ANSWER))
    assert (asked.state, asked.reason, asked.asks) == (ReviewState.DONE, "", 2)
    assert asked.answer is not None
    assert asked.answer.score == 1
    assert requests[1].messages[:2] == requests[0].messages


def test_a_first_answer_that_fits_is_taken_and_text_beside_it_ignored() -> None:
    asked, requests, _ = ask({**call(ANSWER), "text": "Score: 0."})
    assert (asked.state, asked.asks, asked.answered_model) == (ReviewState.DONE, 1, "judge")
    assert asked.answer is not None
    assert asked.answer.score == 1
    assert requests[0].body["tool_choice"] == {"type": "function", "function": {"name": "submit_review"}}


@pytest.mark.parametrize(
    ("reply", "state", "reason"),
    [
        (
            {
                "before": [
                    {"status": 400, "code": "context_length_exceeded", "message": "maximum context length"}
                ]
            },
            ReviewState.TOO_LONG,
            "maximum context length",
        ),
        (
            {"before": [{"status": 400, "code": "content_policy_violation", "message": "no"}]},
            ReviewState.REFUSED,
            "refuses this conversation",
        ),
        ({"before": [{"status": 401, "message": "bad key"}]}, ReviewState.FAILED, "bad key"),
        ({"before": [{"status": 500}] * 9}, ReviewState.FAILED, "gave up after 6 tries"),
        (
            {"text": None, "finish_reason": "content_filter"},
            ReviewState.REFUSED,
            "The provider's filter stopped the response",
        ),
    ],
)
def test_failures_have_a_state_of_their_own_and_no_score(
    reply: dict[str, Any], state: ReviewState, reason: str
) -> None:
    asked, _, _ = ask(reply)
    assert (asked.state, asked.answer) == (state, None)
    assert reason in asked.reason


def test_a_refusal_in_the_response_is_not_asked_again() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I cannot review this."}
    body = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "judge",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10},
    }
    asked, requests, _ = ask({"body": body})
    assert (asked.state, asked.reason) == (ReviewState.REFUSED, "I cannot review this.")
    assert len(requests) == 1


def test_nothing_is_sent_that_the_budget_does_not_allow() -> None:
    asked, requests, spending = ask(call(ANSWER), ledger=Book(budget=0.0), **PRICED)
    assert (asked.state, asked.asks, len(requests)) == (ReviewState.UNPAID, 0, 0)
    assert asked.reason == "the evaluation's budget is used up"
    assert spending.cost_usd == 0


def test_an_answer_that_does_not_fit_is_paid_for_and_the_second_one_may_be_unpaid() -> None:
    class Small(Book):
        def charge(self, cost_usd: float | None) -> None:
            super().charge(cost_usd)
            self.budget = 0.0

    prose = {"text": "Good.", "usage": {"prompt": 100, "completion": 10}}
    asked, requests, spending = ask(prose, call(ANSWER), ledger=Small(), **PRICED)
    assert (asked.state, asked.asks, len(requests)) == (ReviewState.UNPAID, 1, 1)
    assert spending.cost_usd == dollars(0.0003)


def test_both_answers_are_charged_once_each() -> None:
    usage = {"prompt": 100, "completion": 10, "cached": 0}
    book = Book()
    _, _, spending = ask(
        {"text": "Good.", "usage": usage}, {**call(ANSWER), "usage": usage}, ledger=book, **PRICED
    )
    assert book.calls() == ["reserve", "charge", "release"] * 2
    assert (spending.prompt_tokens, spending.completion_tokens) == (200, 20)
    assert spending.cost_usd == dollars(0.0006)


def test_a_call_that_takes_too_long_failed_and_is_not_unpaid() -> None:
    asked, _, _ = ask({"before": [{"hang": 5}]}, limits=Limits(wall_seconds=0.3))
    assert asked.state is ReviewState.FAILED
    assert "wall time" in asked.reason


def test_what_the_checkpoint_raises_is_not_caught() -> None:
    def cancelled() -> None:
        raise RunCancelled("an operator asked for it")

    with pytest.raises(RunCancelled):
        ask({"before": [{"hang": 5}]}, checkpoint=cancelled)


def test_a_limit_of_cost_of_its_own_means_unpaid() -> None:
    asked, _, _ = ask(call(ANSWER), limits=Limits(cost_usd=0.0), **PRICED)
    assert asked.state is ReviewState.UNPAID
