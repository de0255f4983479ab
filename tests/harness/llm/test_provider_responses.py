"""Recorded provider responses, read through LiteLLM's adapters. The bodies are in `replies/`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from harness.llm.spec import CallSettings
from harness.records import ToolCall
from tests.harness.recordings import (
    LIST,
    LOOK,
    PRICES,
    READ,
    START_OF_AN_ANSWER,
    THOUGHT,
    UNDERSTOOD,
    Play,
    recorded,
)


@dataclass(frozen=True)
class Said:
    """The content of a recorded response. `tokens`: prompt, completion, cached, written. `millionths` of a dollar."""

    name: str
    tokens: tuple[int, int, int, int]
    millionths: float
    message: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    finish: str = "stop"
    reasoning: str = ""
    refusal: str = ""
    malformed: str = ""
    repairs: tuple[str, ...] = ()


def said(
    name: str, completion: int, message: str = "", *, prompt: int = 1200, cached: int = 0, **rest: Any
) -> Said:
    """At $2 in, $0.5 from the cache and $10 out."""
    cost = (prompt - cached) * 2 + cached * 0.5 + completion * 10
    return Said(name, (prompt, completion, cached, 0), cost, message, **rest)


def called(name: str, completion: int, *calls: Any, message: str = "", **rest: Any) -> Said:
    return said(name, completion, message, calls=calls or (READ,), finish="tool_calls", **rest)


def wrapped(name: str) -> tuple[str, ...]:
    return (f"the arguments were wrapped in {name!r}",)


TWICE = ("the arguments were encoded twice",)
FILTERED = "The provider's filter stopped the response ({})."
IN_TEXT = ("the server left the calls in the text",)
BROKEN_IN_TEXT = '<tool_call>\n{"name": "read_file", "arguments": {"path": \n</tool_call>'
TALK = 'Write <tool_call>{"name": "read_file", "arguments": {}}</tool_call> to read.'
RESPONSES = [
    said("openai/text", 9, UNDERSTOOD),
    said("anthropic/text", 9, UNDERSTOOD),
    said("gemini/text", 9, UNDERSTOOD),
    said("cohere/text", 9, UNDERSTOOD, prompt=1136),  # Cohere bills less than it counts
    said("deepseek/text", 9, UNDERSTOOD),
    called("openai/one_call", 31),
    called("anthropic/one_call", 71, message=LOOK),
    called("gemini/one_call", 31, message=LOOK),
    called("cohere/one_call", 31, reasoning=LOOK, prompt=1136),
    called("deepseek/one_call", 31, message=LOOK),
    called("openai/parallel_calls", 58, READ, LIST),
    called("anthropic/parallel_calls", 118, READ, LIST),
    called("gemini/parallel_calls", 58, READ, LIST),
    called("cohere/parallel_calls", 58, READ, LIST, reasoning="I look around.", prompt=1136),
    called("deepseek/parallel_calls", 58, READ, LIST),
    called("deepseek/same_ids", 58, READ, LIST, repairs=("two calls had the id 0: the later one is 0_2",)),
    # Arguments as an object where a string is due, the other way round, and wrapped once too often.
    called("openai/arguments_as_object", 31),
    called("openai/arguments_encoded_twice", 31, repairs=TWICE),
    called("openai/arguments_wrapped_in_arguments", 31, repairs=wrapped("arguments")),
    called("openai/arguments_wrapped_in_input", 31, repairs=wrapped("input")),
    called("openai/arguments_wrapped_in_tool_name", 31, repairs=wrapped("read_file")),
    called("openai/call_with_an_odd_name", 31, ("read_file<|channel|>commentary", READ[1])),
    called("anthropic/arguments_as_string", 71, repairs=TWICE),
    called("anthropic/arguments_wrapped_in_input", 71, repairs=wrapped("input")),
    called("anthropic/arguments_wrapped_in_parameters", 71, repairs=wrapped("parameters")),
    called("gemini/arguments_wrapped_in_input", 31, repairs=wrapped("input")),
    called("cohere/arguments_as_object", 31, reasoning=LOOK, prompt=1136),
    called("cohere/arguments_encoded_twice", 31, reasoning=LOOK, prompt=1136, repairs=TWICE),
    called("deepseek/arguments_encoded_twice", 31, repairs=TWICE),
    # Reasoning is billed as output.
    said("openai/reasoning_tokens", 410, "Done."),
    called("anthropic/thinking", 230, message=LOOK, reasoning=THOUGHT),
    called("anthropic/redacted_thinking", 230),
    called("gemini/thoughts", 231, message=LOOK, reasoning=THOUGHT),
    said("cohere/thinking", 60, UNDERSTOOD, reasoning=THOUGHT, prompt=1136),
    called("deepseek/reasoning", 230, message=LOOK, reasoning=THOUGHT),
    # Empty responses.
    said("anthropic/no_content", 2),
    said("gemini/no_parts", 0),
    said("cohere/no_content", 0, prompt=1136),
    # Refusals.
    said("openai/refusal", 12, refusal="I'm sorry, I can't assist with that request."),
    said("openai/content_filter", 3, finish="content_filter", refusal=FILTERED.format("content_filter")),
    said("anthropic/refusal", 4, finish="refusal", refusal=FILTERED.format("refusal")),
    said("anthropic/refusal_after_text", 6, "I will not go", finish="refusal", refusal="I will not go"),
    said("gemini/safety", 0, finish="content_filter", refusal=FILTERED.format("SAFETY")),
    said("gemini/blocked_prompt", 0, finish="content_filter", refusal=FILTERED.format("PROHIBITED_CONTENT")),
    said("deepseek/content_filter", 2, finish="content_filter", refusal=FILTERED.format("content_filter")),
    said("gemini/malformed_call", 25, finish="malformed_call"),
    # Cut off.
    said("openai/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("openai/length_while_reasoning", 4000, finish="length"),
    said("anthropic/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("anthropic/window_exceeded", 1000, "First I would", prompt=199000, finish="length"),
    said("gemini/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said("gemini/length_while_thinking", 3996, finish="length"),
    said("cohere/length", 4000, START_OF_AN_ANSWER, prompt=1136, finish="length"),
    said("deepseek/length", 4000, START_OF_AN_ANSWER, finish="length"),
    said(
        "openai/length_in_a_call",
        4000,
        calls=(("write_file", {}),),
        finish="length",
        malformed="No tool was run: the arguments are not valid JSON (Unterminated string starting at: line 1 column 36"
        ' (char 35)). Your answer was cut off at 4000 tokens. You sent: {"path":"calc/digits.py","content":"def read(',
    ),
    said(
        "anthropic/length_in_a_call",
        4000,
        calls=(("write_file", {"path": "calc/digits.py"}),),
        finish="length",
    ),
    # What came from a cache costs less, what went into one costs more.
    said("openai/cached", 300, "Done.", prompt=2006, cached=1920),
    said("gemini/cached", 300, "Done.", prompt=2006, cached=1920),
    said("cohere/cached", 300, "Done.", prompt=1942, cached=1920),
    said("deepseek/cached", 300, "Done.", prompt=2006, cached=1920),
    Said(
        "anthropic/cached",
        (20021, 300, 18000, 2000),
        21 * 2 + 18000 * 0.5 + 2000 * 2.5 + 300 * 10,
        "Done.",
    ),
    # Others, where they differ.
    called("mistral/one_call", 31),
    called("mistral/thinking", 71, message=LOOK, reasoning=THOUGHT),
    called(
        "xai/reasoning", 230, message=LOOK, reasoning=THOUGHT
    ),  # 31 + 199: its completion leaves thoughts out
    called("openrouter/reasoning", 230, message=LOOK, reasoning=THOUGHT),
    called("deepseek/reasoning_empty", 31),
    called("anthropic/blank_text_beside_a_call", 71, message="\n\n"),
    # Servers of one's own.
    said("vllm/call_in_text", 31, LOOK, calls=(READ,), repairs=IN_TEXT),
    said("vllm/calls_in_text", 31, calls=(READ, LIST), repairs=IN_TEXT),
    said("vllm/call_in_text_broken", 31, BROKEN_IN_TEXT, finish="malformed_call"),
    said(
        "vllm/call_in_text_of_another_kind",
        31,
        calls=(("read_file", {"path": "calc/digits.py"}),),
        repairs=IN_TEXT,
    ),
    said("vllm/talk_of_a_call", 31, TALK),
    said(
        "vllm/old_function_call",
        31,
        calls=(READ,),
        finish="function_call",
        repairs=("the call came in the old field function_call",),
    ),
    said("vllm/finish_without_a_call", 4, finish="malformed_call"),
    called("vllm/stop_with_a_call", 31),
    called(
        "vllm/ids_that_are_numbers",
        58,
        READ,
        LIST,
        repairs=("two calls had the id 7: the later one is 7_2",),
    ),
    called("vllm/no_ids", 58, READ, LIST),
]


@pytest.mark.parametrize("expected", RESPONSES, ids=lambda expected: expected.name)
def test_response_is_read_and_billed(expected: Said) -> None:
    settings = CallSettings(call_timeout=10, retry_delay=0.01, refusal_retries=0)
    play = Play(expected.name.partition("/")[0], {"body": recorded(expected.name)}, settings=settings)
    reply = play.send()
    metrics = reply.metrics
    assert len(play.requests) == 1
    assert (reply.message, reply.reasoning) == (expected.message, expected.reasoning)
    assert tuple((call.name, call.arguments) for call in reply.calls) == expected.calls
    assert "; ".join(reply.malformed.values()) == expected.malformed
    # Those of arguments begin with the id of their call.
    assert tuple(re.sub(r"^\S+: ", "", repair) for repair in metrics.repairs) == expected.repairs
    assert (metrics.finish_reason, reply.refusal) == (expected.finish, expected.refusal)
    assert expected.tokens == (
        metrics.prompt_tokens,
        metrics.completion_tokens,
        metrics.cached_tokens,
        metrics.written_tokens,
    )
    assert metrics.cost_usd == pytest.approx(expected.millionths / 1e6, rel=1e-12)
    assert play.spent == expected.tokens[:3]
    assert len({call.id for call in reply.calls}) == len(reply.calls)


BILLED_FOR_NOTHING = {
    "openai/no_choices": (1200, 0, "choices"),
    "gemini/no_candidates": (1200, 0, "a response without a choice"),
    "cohere/error": (1136, 3, "the provider broke off its response: ERROR"),
    "deepseek/no_choices": (1200, 0, "choices"),
    "openrouter/broken_off": (1200, 0, "the provider broke off its response: error"),
    "deepseek/insufficient_resource": (
        1200,
        3,
        "the provider broke off its response: insufficient_system_resource",
    ),
}


@pytest.mark.parametrize("name", BILLED_FOR_NOTHING)
def test_invalid_response_is_charged_and_retried(name: str) -> None:
    prompt, completion, reason = BILLED_FOR_NOTHING[name]
    provider = name.partition("/")[0]
    play = Play(
        provider,
        {
            "body": recorded("openai/text" if provider == "openrouter" else f"{provider}/text"),
            "before": [{"status": 200, "body": recorded(name)}],
        },
    )
    reply = play.send()
    assert reply.message == UNDERSTOOD
    assert len(play.requests) == 2
    assert reason in reply.metrics.retries[0]
    text = 1136 if provider == "cohere" else 1200
    assert play.spent == (prompt + text, completion + 9, 0)
    assert reply.metrics.cost_usd == pytest.approx(
        ((prompt + text) * 2 + (completion + 9) * 10) / 1e6, rel=1e-12
    )


class TestKnownPrices:
    """LiteLLM's own price map, where no prices are stated."""

    def cost(self, name: str) -> float | None:
        unknown = dict.fromkeys(PRICES)
        return Play(name.partition("/")[0], {"body": recorded(name)}, **unknown).send().metrics.cost_usd

    def test_cache_of_anthropic_costs_more_to_write_and_less_to_read(self) -> None:
        # claude-sonnet-4-5: $3 in, $0.30 from the cache, $3.75 into it, $15 out
        assert self.cost("anthropic/cached") == pytest.approx(
            (21 * 3 + 18000 * 0.3 + 2000 * 3.75 + 300 * 15) / 1e6
        )

    def test_openais_cache_is_half_price(self) -> None:
        # gpt-4o: $2.50 in, $1.25 from the cache, $10 out
        assert self.cost("openai/cached") == pytest.approx((86 * 2.5 + 1920 * 1.25 + 300 * 10) / 1e6)

    def test_geminis_thoughts_are_output(self) -> None:
        # gemini-2.5-pro up to 200k: $1.25 in, $10 out
        assert self.cost("gemini/thoughts") == pytest.approx((1200 * 1.25 + 231 * 10) / 1e6)

    def test_cache_without_a_price_costs_the_input_price(self) -> None:
        stated = {"cached_price": None, "cache_write_price": None}
        reply = Play("anthropic", {"body": recorded("anthropic/cached")}, **stated).send()
        assert reply.metrics.cost_usd == pytest.approx((20021 * 2 + 300 * 10) / 1e6)


def test_calls_are_those_of_the_records() -> None:
    reply = Play("anthropic", {"body": recorded("anthropic/parallel_calls")}).send()
    assert reply.calls == (
        ToolCall("toolu_01D7FLrfh4GYq7yT1ULFeyMV", *READ),
        ToolCall("toolu_01A09q90qw90lq917835lq9", *LIST),
    )


def test_negative_bill_is_not_credited() -> None:
    body = recorded("openai/text")
    body["usage"].update(prompt_tokens=-1_000_000, completion_tokens=-1_000_000)
    play = Play("openai", {"body": body})
    assert play.send().metrics.cost_usd is None
    assert play.spent == (0, 0, 0)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("openai/reasoning_tokens", 384),
        ("openai/length_while_reasoning", 4000),
        ("openai/text", 0),
        ("deepseek/reasoning", 199),
        ("gemini/thoughts", 200),
        ("gemini/text", None),
        ("anthropic/thinking", None),  # LiteLLM would count the words itself: that is no bill
        ("cohere/thinking", None),
    ],
)
def test_reasoning_is_the_billed_number_or_unknown(name: str, tokens: int | None) -> None:
    play = Play(name.partition("/")[0], {"body": recorded(name)})
    assert play.send().metrics.reasoning_tokens == tokens
    assert play.spending.reasoning_tokens == tokens


@pytest.mark.parametrize(("said", "read"), [(10**9, 12), (-5, 0), (None, None)])
def test_reasoning_is_between_zero_and_the_completion(said: object, read: int | None) -> None:
    response = recorded("openai/text")
    response["usage"] = {
        "prompt_tokens": 5,
        "completion_tokens": 12,
        "completion_tokens_details": {"reasoning_tokens": said},
    }
    metrics = Play("openai", {"body": response}).send().metrics
    assert (metrics.completion_tokens, metrics.reasoning_tokens) == (12, read)
