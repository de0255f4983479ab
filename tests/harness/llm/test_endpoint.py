"""A model with its call settings."""

from __future__ import annotations

import pytest

from harness.errors import ConfigurationError
from harness.llm.endpoint import Endpoint
from harness.llm.provider import Window
from harness.llm.spec import CallSettings, ModelSpec
from tests.harness.conversations import PRICED, dollars


def test_a_window_has_to_leave_room_for_input() -> None:
    settings = CallSettings(max_output_tokens=1000)
    with pytest.raises(ConfigurationError) as refused:
        Endpoint(ModelSpec("Small", "openai/small", context_window=1000), settings)
    assert str(refused.value) == (
        "Small: a context window of 1000 tokens leaves no room for input beside a response of "
        "max_output_tokens 1000"
    )
    assert Endpoint(ModelSpec("Small", "openai/small", context_window=1001), settings).window == Window(
        1, "stated"
    )


@pytest.mark.parametrize(
    ("litellm_id", "reasoning", "text"),
    [
        ("openai/gpt-4o", False, True),
        ("deepseek/deepseek-chat", True, True),
        ("openrouter/MoonshotAI/Kimi-K2", True, False),
        ("hosted_vllm/zai/glm-4.6", True, True),
        ("anthropic/claude-sonnet-4-5", False, False),
        ("gemini/gemini-2.5-pro", False, False),
    ],
)
def test_what_a_model_needs_back_depends_on_its_id(litellm_id: str, reasoning: bool, text: bool) -> None:
    endpoint = Endpoint(ModelSpec("m", litellm_id))
    assert (endpoint.wants_reasoning, endpoint.wants_text) == (reasoning, text)


def test_the_highest_cost_is_without_a_cache_hit() -> None:
    # 1000 × $2 + 100 × $10 for a million; a token from the cache would cost $0.50.
    assert Endpoint(ModelSpec("m", "openai/m", **PRICED)).max_cost(1000, 100) == dollars(0.003)


def test_where_writing_to_a_cache_costs_more_all_is_written() -> None:
    # 1000 × $2.50 + 100 × $10 for a million
    endpoint = Endpoint(ModelSpec("m", "openai/m", **PRICED, cache_write_price=2.5))
    assert endpoint.max_cost(1000, 100) == dollars(0.0035)


def test_the_highest_cost_of_an_unknown_price_is_unknown() -> None:
    assert Endpoint(ModelSpec("m", "openai/never-heard-of")).max_cost(1000, 100) is None


@pytest.mark.parametrize(
    ("litellm_id", "reads"),
    [("openai/gpt-4o", True), ("openai/gpt-3.5-turbo", False), ("openai/mine", False)],
)
def test_pictures_are_read_by_models_of_which_litellm_knows_it(litellm_id: str, reads: bool) -> None:
    assert Endpoint(ModelSpec("M", litellm_id, "")).reads_pictures is reads


@pytest.mark.parametrize(
    ("litellm_id", "caching", "needs"),
    [
        ("anthropic/claude-sonnet-4-5", True, True),
        ("bedrock/anthropic.Claude-3", True, True),
        ("anthropic/claude-sonnet-4-5", False, False),
        ("openai/gpt-4o", True, False),
    ],
)
def test_only_claude_needs_cache_marks(litellm_id: str, caching: bool, needs: bool) -> None:
    endpoint = Endpoint(ModelSpec("X", litellm_id), CallSettings(prompt_caching=caching))
    assert endpoint.needs_cache_marks is needs
