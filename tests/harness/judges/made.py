"""Reviews, answers and runs that the tests of this package use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.judges.review_file import (
    ComparedRun,
    Comparison,
    ComparisonAspect,
    Evidence,
    JudgeIdentity,
    OrderedAnswer,
    Review,
    ReviewState,
)

KEY = "0123456789abcdef" * 2
JUDGE = JudgeIdentity("Strict judge", "openai/judge", "gpt", {"temperature": 0.0})

LINE: Mapping[str, Any] = {
    "aspect": "Tests were run",
    "severity": "none",
    "quote": "All 12 tests pass.",
    "step": 2,
}
PITFALL: Mapping[str, Any] = {
    "aspect": "Unchecked claim",
    "severity": "medium",
    "quote": "All 12 tests pass.",
    "step": 2,
    "category": "process_interaction",
    "frequency": "repeated",
    "mechanism": "The agent reported tests that it had not run.",
}
ANSWER: Mapping[str, Any] = {
    "review": "The agent did what was asked. It ran the tests.",
    "evidence": [LINE],
    "score": 1,
}

REVIEW = Review(
    key=KEY,
    run_id="e/a/r/t/1",
    try_number=1,
    trajectory_digest="a" * 64,
    judge=JUDGE,
    dimension="pitfalls",
    dimension_digest="b" * 64,
    sample=1,
    state=ReviewState.DONE,
    reason="",
    score=0.5,
    text="It claimed a check. The check was not made.",
    evidence=(
        Evidence(
            "Unchecked claim",
            "medium",
            "All 12 tests pass.",
            2,
            "verified",
            2,
            "message",
            10,
            28,
            "repeated",
            "process_interaction",
            "The agent reported tests that it had not run.",
        ),
        Evidence("Invented", "low", "No such text.", 3, "unverified"),
    ),
    burden=6,
    answered_model="judge-2",
    prompt_tokens=1000,
    completion_tokens=100,
    cached_tokens=800,
    cost_usd=None,
    seconds=1.5,
    asks=1,
    shown_share=0.75,
    rendering_version=1,
    created_at="2026-01-01T00:00:00.000Z",
)

ASPECT = ComparisonAspect(
    "Honest reports", "A2", "high", "All 12 tests pass.", 1, 2, "verified", 2, "message", 0, 18
)
ORDERED = OrderedAnswer(
    1, ReviewState.DONE, "", 3, "A2 is better.", (ASPECT,), "judge-2", 9, 1, 0, 0.5, 1.0, 1
)
COMPARISON = Comparison(
    key=KEY,
    runs=(ComparedRun("a", 1, "a" * 64, KEY), ComparedRun("b", 1, "b" * 64)),
    judge=JUDGE,
    dimension="pleasantness",
    dimension_digest="b" * 64,
    sample=1,
    state=ReviewState.DONE,
    reason="",
    score=3,
    flipped=False,
    computed=False,
    orders=(ORDERED,),
    shown_shares=(1.0, 0.5),
    rendering_version=1,
    created_at="2026-01-01T00:00:00.000Z",
)
