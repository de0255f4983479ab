"""Kinds of providers, and the kind of a stored model."""

from __future__ import annotations

import pytest

from runs.models import LanguageModel
from runs.operations.agent_setup.provider_kinds import KINDS, kind_named, kind_of, name_at_provider


@pytest.mark.parametrize(
    ("litellm_id", "api_base", "kind", "name"),
    [
        ("openai/gpt-5.2", "", "openai", "gpt-5.2"),
        ("openrouter/qwen/qwen3", "", "openrouter", "qwen/qwen3"),
        ("openai/smollm2", "http://127.0.0.1:8410/v1", "own", "smollm2"),
        ("hosted_vllm/q3", "http://gpu:8000/v1", "other", "hosted_vllm/q3"),
        ("bedrock/claude", "", "other", "bedrock/claude"),
    ],
)
def test_the_kind_of_a_stored_model_is_found_again(
    litellm_id: str, api_base: str, kind: str, name: str
) -> None:
    model = LanguageModel(litellm_id=litellm_id, api_base=api_base)
    assert (kind_of(model).name, name_at_provider(model)) == (kind, name)


def test_only_servers_of_ones_own_and_unlisted_providers_have_an_address() -> None:
    assert [kind.name for kind in KINDS if kind.has_address] == ["own", "other"]
    assert all(kind.key_variable in kind.needs for kind in KINDS if not kind.has_address)


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("https://api.openai.com/v1", True),
        ("https://api.openai.com:443/v1", True),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com:port/v1", False),
        ("https://api.openai.com:99999/v1", False),
        ("https://api.openai.com@example.org/", False),
        ("https://api.openai.com.example.org/v1", False),
        ("http://api.openai.com/v1", False),
        ("https://[api.openai.com/v1", False),
    ],
)
def test_a_provider_owns_addresses_of_its_host_at_the_usual_port_of_https(address: str, own: bool) -> None:
    assert kind_named("openai").owns(address) == own
