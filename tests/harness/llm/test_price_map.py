"""What the price map that LiteLLM ships says of models."""

from __future__ import annotations

import sys
from importlib.metadata import version

import pytest

from harness.llm import price_map
from harness.llm.price_map import MapEntry, doubt_about, entry_by_id, entry_by_name, map_version, near_names


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """A map of three models, one of them sold by two services."""
    raw = {
        "gpt-5.2": {
            "litellm_provider": "openai",
            "input_cost_per_token": 1.75e-06,
            "output_cost_per_token": 1.4e-05,
            "cache_read_input_token_cost": 1.75e-07,
            "max_input_tokens": 272_000,
        },
        "azure/gpt-5.2": {"litellm_provider": "azure", "input_cost_per_token": 2e-06},
        "zai/GLM-4.7": {"litellm_provider": "zai", "input_cost_per_token": 0, "max_input_tokens": "many"},
    }
    made = {name.casefold(): price_map._entry(name, values) for name, values in raw.items()}
    monkeypatch.setattr(price_map, "_entries", lambda: made)


def test_prices_are_for_a_million_tokens_and_unset_values_are_unknown(entries: None) -> None:
    assert entry_by_id("openai/gpt-5.2") == MapEntry("gpt-5.2", "openai", 1.75, 14.0, 0.175, 272_000)
    assert entry_by_name("GLM-4.7", "Z.ai") == MapEntry("zai/GLM-4.7", "zai", None, None, None, None)


def test_a_name_finds_the_entry_of_its_makers_own_service_only(entries: None) -> None:
    found = entry_by_name("GPT-5.2", "OpenAI")
    assert found is not None
    assert found.name == "gpt-5.2"
    assert entry_by_name("gpt-5.2", "") is None  # the maker is unknown
    assert entry_by_name("gpt-5.2", "Anthropic") is None
    assert entry_by_name("gpt-5.2-codex", "OpenAI") is None
    assert entry_by_id("anthropic/gpt-5.2") is None


def test_names_like_a_misspelt_one_are_those_of_its_provider() -> None:
    assert near_names("anthropic/claude-sonet-4-5")[0] == "anthropic/claude-sonnet-4-5"
    assert near_names("opnai/gpt-5.2")[0] == "openai/gpt-5.2"
    assert all(name.startswith("gemini/") for name in near_names("gemini/gemini-3-pr-preview"))
    assert near_names("x") == ()


def test_an_id_that_is_not_listed_is_doubted_but_not_that_of_an_own_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert doubt_about("anthropic/claude-sonnet-4-5", own_server=False) == ""
    assert doubt_about("anthropic/claude-sonet-4-5", own_server=False).startswith(
        "LiteLLM does not list anthropic/claude-sonet-4-5: it may be new, or misspelt. Names like it: "
        "anthropic/claude-sonnet-4-5"
    )
    assert doubt_about("openai/ada", own_server=True) == ""
    monkeypatch.setattr(price_map, "_entries", dict)
    assert doubt_about("openai/ada", own_server=False) == ""  # nothing is known


def test_the_file_is_read_without_importing_litellm() -> None:
    before = set(sys.modules)
    price_map._entries.cache_clear()

    known = entry_by_id("openai/gpt-4o")

    assert known is not None
    assert known.input_price is not None
    assert known.window is not None
    assert not {name for name in set(sys.modules) - before if name.startswith("litellm")}
    assert map_version() == version("litellm")


def test_without_litellm_every_model_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price_map, "find_spec", lambda _name: None)
    price_map._entries.cache_clear()
    assert entry_by_id("openai/gpt-4o") is None
    price_map._entries.cache_clear()
