from __future__ import annotations

import pytest

from tasks.generation.pulls.changes import closed_issue


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Fixes #12", 12),
        ("A change\n\nThis closes: #7, fixes #8.", 7),
        ("resolved https://github.com/calc/calc/issues/31", 31),
        ("bpo: Fix gh-4711", 4711),
        ("See #12", None),
        ("prefixes #12", None),
        ("Fixes calc/calc#12", None),
        ("fixes " * 50_000, None),
    ],
)
def test_closing_words_name_an_issue(text: str, number: int | None) -> None:
    assert closed_issue(text) == number
