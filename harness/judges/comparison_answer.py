"""The answer of a judge that compares two runs: one call of `submit_comparison`, checked strictly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from harness.judges.answer import (
    MAX_ASPECT_LENGTH,
    MAX_LINES,
    MAX_QUOTE_LENGTH,
    MAX_REVIEW_LENGTH,
    MIN_LINES,
    Malformed,
    Text,
    choice_schema,
    lines_schema,
    read_call,
    text_of_sentences,
    text_schema,
)
from harness.judges.review_file import Level, Winner
from harness.llm.replies import Reply
from harness.tools.schema import function_tool, object_schema

BEST = 5


class AspectLine(BaseModel):
    """One aspect. `agent` says whose transcript is quoted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    aspect: Annotated[Text, Field(max_length=MAX_ASPECT_LENGTH)]
    winner: Winner
    severity: Level
    quote: Annotated[Text, Field(max_length=MAX_QUOTE_LENGTH)]
    agent: Literal[1, 2]
    step: Annotated[int, Field(ge=1)]


class ComparisonAnswer(BaseModel):
    """The arguments of `submit_comparison`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    comparison: Annotated[Text, Field(max_length=MAX_REVIEW_LENGTH), AfterValidator(text_of_sentences)]
    aspects: Annotated[list[AspectLine], Field(min_length=MIN_LINES, max_length=MAX_LINES)]
    score: Annotated[int, Field(ge=-BEST, le=BEST)]


_LINE: Mapping[str, Any] = {
    "aspect": text_schema("What differs, in a few words that would fit other runs too.", MAX_ASPECT_LENGTH),
    "winner": choice_schema("Who is better at it.", "A1", "A2", "tie"),
    "severity": choice_schema("How far the two are apart on this aspect.", "low", "medium", "high"),
    "quote": text_schema("Copied exactly from one step of one transcript.", MAX_QUOTE_LENGTH),
    "agent": {
        "type": "integer",
        "minimum": 1,
        "maximum": 2,
        "description": "Whose transcript is quoted, 1 or 2.",
    },
    "step": {"type": "integer", "minimum": 1, "description": "The number of the step that is quoted."},
}
SUBMIT_COMPARISON: Mapping[str, Any] = function_tool(
    "submit_comparison",
    "Submits the comparison. Call it exactly once.",
    object_schema(
        {
            "comparison": text_schema("2 to 5 sentences about this dimension.", MAX_REVIEW_LENGTH),
            "aspects": lines_schema(_LINE),
            "score": {
                "type": "integer",
                "minimum": -BEST,
                "maximum": BEST,
                "description": "Negative if Agent 1 is better, 0 for a tie, positive if Agent 2 is better.",
            },
        }
    ),
)


def read_comparison_answer(reply: Reply) -> ComparisonAnswer | Malformed:
    """The answer in a response, or what is wrong with it. The sign of the score must fit the winners of the aspects."""
    answer = read_call(reply, "submit_comparison", ComparisonAnswer)
    if isinstance(answer, Malformed):
        return answer
    winner = "A1" if answer.score < 0 else "A2"
    if answer.score and all(line.winner != winner for line in answer.aspects):
        return Malformed(f"score: {answer.score} says that {winner} is better, but {winner} wins no aspect")
    return answer
