"""Models in the published tables are found under one name."""

from __future__ import annotations

import pytest

from runs.data.published.model_measures import boards, model_key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Claude Opus 4.5", "opus 4.5"),
        ("xAI Grok 4.1 Fast", "grok 4.1 fast"),
        ("Opus 4.7 (xhigh effort)", "opus 4.7"),
        ("Gemini 3 Pro Preview", "gemini 3 pro"),
        ("openrouter/openai/gpt-5.1-codex-max", "gpt 5.1 codex max"),
        ("Command-R", "command r 08 2024"),
        ("OpenAI", "openai"),
        ("", ""),
    ],
)
def test_model_names_are_normalised(name: str, key: str) -> None:
    assert model_key(name) == key


def test_all_tables_of_one_paper_name_the_same_models() -> None:
    ide_bench = [board for board in boards() if board.paper.slug == "ide-bench"]

    assert len({model for board in ide_bench for model in board.values}) == 15
