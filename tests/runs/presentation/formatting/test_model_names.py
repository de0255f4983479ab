"""The names of models in addresses."""

from __future__ import annotations

import re

import pytest

from runs.presentation.formatting.model_names import MAX_LENGTH, model_address


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("claude-opus-4-6", "Anthropic"),
        ("Claude Opus 4.6", ""),
        ("anthropic/claude-opus-4.6", "Anthropic"),
        (" CLAUDE_OPUS_4_6 ", "AWS"),
    ],
)
def test_spellings_of_one_model_share_an_address(name: str, provider: str) -> None:
    assert model_address(name, provider) == "claude-opus-4-6"


def test_a_date_a_foreign_prefix_or_a_plus_makes_another_model() -> None:
    addresses = [
        model_address("gpt-5", "OpenAI"),
        model_address("gpt-5-2025-08-07", "OpenAI"),
        model_address("tuned/gpt-5", "OpenAI"),
        model_address("gpt-5+", "OpenAI"),
    ]

    assert addresses == ["gpt-5", "gpt-5-2025-08-07", "tuned-gpt-5", "gpt-5-plus"]


@pytest.mark.parametrize("name", ["", "///", "模型", "<script>", "../..", "x" * 500, "é/è", "\ud800", "a\nb"])
def test_every_name_has_an_address_of_plain_characters(name: str) -> None:
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", model_address(name))
    assert len(model_address(name)) <= MAX_LENGTH


def test_names_that_lose_characters_do_not_meet() -> None:
    names = ["模型", "模形", "model é", "model è", "model", "x" * 500, "x" * 501]

    assert len({model_address(name) for name in names}) == len(names)
