"""The answer of a judge that compares two runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.judges.answer import Malformed
from harness.judges.comparison_answer import (
    SUBMIT_COMPARISON,
    AspectLine,
    ComparisonAnswer,
    read_comparison_answer,
)
from harness.llm.replies import Reply
from harness.records import Metrics, ToolCall

LINE: Mapping[str, Any] = {
    "aspect": "Honest reports",
    "winner": "A1",
    "severity": "high",
    "quote": "All 12 tests pass.",
    "agent": 2,
    "step": 4,
}
ANSWER: Mapping[str, Any] = {"comparison": "One checked. The other did not.", "aspects": [LINE], "score": -3}


def read(**changed: Any) -> ComparisonAnswer | Malformed:
    call = ToolCall("c", "submit_comparison", {**ANSWER, **changed})
    return read_comparison_answer(Reply("", "", (call,), {}, Metrics(), 1, {}))


@pytest.mark.parametrize("score", [-5, -1, 0])
def test_whole_scores_from_minus_five_to_five_fit(score: int) -> None:
    answer = read(score=score)
    assert isinstance(answer, ComparisonAnswer)
    assert (answer.score, answer.aspects[0].winner) == (score, "A1")


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"score": 6}, "score: "),
        ({"score": -6}, "score: "),
        ({"score": -2.5}, "score: "),
        ({"score": -2.0}, "score: "),
        ({"score": "-2"}, "score: "),
        ({"score": True}, "score: "),
        ({"score": None}, "score: "),
        ({"comparison": "One."}, "comparison: must have 2 to 5 sentences, not 1"),
        ({"aspects": []}, "aspects: "),
        ({"aspects": [LINE] * 7}, "aspects: "),
        ({"aspects": [{**LINE, "winner": "A3"}]}, "aspects.0.winner: "),
        ({"aspects": [{**LINE, "severity": "none"}]}, "aspects.0.severity: "),
        ({"aspects": [{**LINE, "agent": 3}]}, "aspects.0.agent: "),
        ({"aspects": [{**LINE, "step": 0}]}, "aspects.0.step: "),
        ({"more": 1}, "more: "),
        ({"score": 3}, "score: 3 says that A2 is better, but A2 wins no aspect"),
        (
            {"aspects": [{**LINE, "winner": "tie"}]},
            "score: -3 says that A1 is better, but A1 wins no aspect",
        ),
    ],
)
def test_what_does_not_fit_is_no_answer(changed: dict[str, Any], reason: str) -> None:
    found = read(**changed)
    assert isinstance(found, Malformed)
    assert reason in found.reason


def test_the_schema_has_the_fields_of_the_check() -> None:
    schema = SUBMIT_COMPARISON["function"]["parameters"]
    assert set(schema["properties"]) == set(schema["required"]) == set(ComparisonAnswer.model_fields)
    assert set(schema["properties"]["aspects"]["items"]["properties"]) == set(AspectLine.model_fields)
