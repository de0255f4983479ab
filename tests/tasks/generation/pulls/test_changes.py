from __future__ import annotations

from dataclasses import replace

import pytest

from tasks.generation.pulls.changes import Issue, MergedChange, Reason, Refusal, closed_issue, described


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


def test_an_operator_may_describe_a_change() -> None:
    change = MergedChange(
        "1.patch", "Merge", b"", "base", dict, issue=Issue(3, "x", "y", "https://example.org/3")
    )
    refusal = Refusal("2.patch", "Merge", Reason.NOT_APPLYING)
    texts = {"1.patch": "Add sums\n\nThey were wrong.\n", "2.patch": "Never"}
    assert described(change, texts) == replace(
        change, title="Add sums", text="They were wrong.", issue=Issue(3, url="https://example.org/3")
    )
    assert (described(change, {}), described(refusal, texts)) == (change, refusal)
