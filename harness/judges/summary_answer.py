"""The answers that summarise many reviews or comparisons: one call, checked strictly.

The model writes titles, claims and texts, and lists what supports each claim. A text with a digit or a count in words
is not accepted, so no number in a summary is the model's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from harness.judges.answer import Malformed, Text, read_call, text_of_sentences, text_schema
from harness.llm.replies import Reply
from harness.tools.schema import function_tool, object_schema

MAX_GROUPS, MAX_WORDS, MAX_OVERVIEW_WORDS = 8, 400, 150
MAX_TITLE_LENGTH, MAX_CLAIM_LENGTH, MAX_OVERVIEW_LENGTH = 80, 600, 1500
_COUNT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|hundreds?|dozens?|half|third|quarter|both|most|all|none|few|many|several"
    r"|majority|minority|percent)\s+(?:of\s+)?(?:the\s+|these\s+)?"
    r"(?:reviews?|runs?|trajector(?:y|ies)|chats?|comparisons?|pairs?)\b",
    re.IGNORECASE,
)


def _without_counts(text: str) -> str:
    if any(map(str.isdigit, text)):
        raise ValueError("must have no digits: the counts are made from the lists")
    if found := _COUNT.search(text):
        raise ValueError(f"must have no counts such as {found[0]!r}: they are made from the lists")
    return text


Claim = Annotated[Text, AfterValidator(_without_counts)]


class GroupAnswer(BaseModel):
    """One group as the model gives it. `numbers`: of the reviews or comparisons that support the claim."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    title: Annotated[Claim, Field(max_length=MAX_TITLE_LENGTH)]
    claim: Annotated[Claim, Field(max_length=MAX_CLAIM_LENGTH)]
    numbers: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]


class SummaryAnswer(BaseModel):
    """The arguments of `submit_summary` for reviews."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    groups: Annotated[list[GroupAnswer], Field(min_length=1, max_length=MAX_GROUPS)]


class DifferencesAnswer(SummaryAnswer):
    """The arguments of `submit_summary` for comparisons. `alert`: whether the model calls the difference alarming."""

    alert: bool


class OverviewAnswer(BaseModel):
    """The arguments of `submit_overview`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    text: Annotated[Claim, Field(max_length=MAX_OVERVIEW_LENGTH), AfterValidator(text_of_sentences)]


_GROUPS: Mapping[str, Any] = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_GROUPS,
    "items": object_schema(
        {
            "title": text_schema("A few words, without digits.", MAX_TITLE_LENGTH),
            "claim": text_schema("One or two sentences, without digits or counts.", MAX_CLAIM_LENGTH),
            "numbers": {
                "type": "array",
                "minItems": 1,
                "items": {"type": "integer", "minimum": 1},
                "description": "The numbers of all that support the claim: 17 for [R17] or [C17].",
            },
        }
    ),
}


def _tool(name: str, properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return function_tool(name, "Submits the summary. Call it exactly once.", object_schema(properties))


SUBMIT_SUMMARY = _tool("submit_summary", {"groups": _GROUPS})
SUBMIT_DIFFERENCES = _tool(
    "submit_summary",
    {
        "groups": _GROUPS,
        "alert": {
            "type": "boolean",
            "description": "Whether the difference on this dimension is so large that somebody has to look at it.",
        },
    },
)
SUBMIT_OVERVIEW = _tool(
    "submit_overview",
    {"text": text_schema("2 to 5 sentences, without digits or counts.", MAX_OVERVIEW_LENGTH)},
)

Grouped = TypeVar("Grouped", SummaryAnswer, DifferencesAnswer)


def read_groups(reply: Reply, kind: type[Grouped], numbers: frozenset[int]) -> Grouped | Malformed:
    """The answer in a response, or what is wrong with it. `numbers`: those that were shown."""
    answer = read_call(reply, "submit_summary", kind)
    if isinstance(answer, Malformed):
        return answer
    words = sum(len(f"{group.title} {group.claim}".split()) for group in answer.groups)
    if words > MAX_WORDS:
        return Malformed(f"the groups have {words} words, more than {MAX_WORDS}")
    for place, group in enumerate(answer.groups):
        if unknown := sorted(set(group.numbers) - numbers):
            return Malformed(f"groups.{place}.numbers: nothing has the number {unknown[0]}")
        if len(set(group.numbers)) < len(group.numbers):
            return Malformed(f"groups.{place}.numbers: a number is there twice")
    return answer


def read_overview(reply: Reply) -> OverviewAnswer | Malformed:
    """The answer in a response, or what is wrong with it."""
    answer = read_call(reply, "submit_overview", OverviewAnswer)
    if isinstance(answer, Malformed):
        return answer
    if (words := len(answer.text.split())) > MAX_OVERVIEW_WORDS:
        return Malformed(f"the text has {words} words, more than {MAX_OVERVIEW_WORDS}")
    return answer
