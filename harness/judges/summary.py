"""What many reviews of one dimension have in common, in groups. Every count is made from a list of reviews by code.

The model writes titles and claims and lists the reviews of each group. A text with a digit or a count in words is not
accepted, so no number in a summary is the model's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from harness.judges.answer import Malformed, Text, called_with, problems, text_schema
from harness.judges.asking import Asker
from harness.judges.dimensions import Dimension
from harness.judges.questions import prompt, quoted
from harness.judges.review_file import Review, ReviewState
from harness.llm.replies import Message, Reply

MOST_GROUPS, MOST_WORDS = 8, 400
LONGEST_TITLE, LONGEST_CLAIM = 80, 600
MOST_LINE_CHARACTERS = 300
_COUNT = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|half|most|all|none|few|many|several"
    r"|majority|minority|percent)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:reviews?|runs?|trajector(?:y|ies)|chats?)\b",
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
    """One group as the model gives it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    title: Annotated[Claim, Field(max_length=LONGEST_TITLE)]
    claim: Annotated[Claim, Field(max_length=LONGEST_CLAIM)]
    reviews: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1)]


class SummaryAnswer(BaseModel):
    """The arguments of `submit_summary`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    groups: Annotated[list[GroupAnswer], Field(min_length=1, max_length=MOST_GROUPS)]


SUBMIT_SUMMARY: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "submit_summary",
        "description": "Submits the summary. Call it exactly once.",
        "parameters": {
            "type": "object",
            "properties": {
                "groups": {
                    "type": "array",
                    "minItems": 1,
                    "maxItems": MOST_GROUPS,
                    "items": {
                        "type": "object",
                        "properties": {
                            "title": text_schema("A few words, without digits.", LONGEST_TITLE),
                            "claim": text_schema(
                                "One or two sentences, without digits or counts.", LONGEST_CLAIM
                            ),
                            "reviews": {
                                "type": "array",
                                "minItems": 1,
                                "items": {"type": "integer", "minimum": 1},
                                "description": "The numbers of all reviews that support the claim.",
                            },
                        },
                        "required": ["title", "claim", "reviews"],
                        "additionalProperties": False,
                    },
                }
            },
            "required": ["groups"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True, slots=True)
class Group:
    """What the reviews with these numbers have in common; `n` is the number of all reviews that have a score."""

    title: str
    claim: str
    reviews: tuple[int, ...]
    n: int

    @property
    def count(self) -> str:
        """ "k of n", from the list."""
        return f"{len(self.reviews)} of {self.n}"

    @property
    def text(self) -> str:
        """The group as one line of a report: title, count, claim, and a reference such as [R17] for each review."""
        references = ", ".join(f"[R{number}]" for number in self.reviews)
        return f"{self.title} ({self.count}): {self.claim} {references}"


@dataclass(frozen=True, slots=True)
class Summary:
    """The groups of one dimension. `groups` is empty unless `state` is done; `reason` says why.

    `n`: reviews with a score; `missing`: the numbers of those without. Tokens and cost are in the asker's spending.
    """

    state: ReviewState
    reason: str
    groups: tuple[Group, ...]
    n: int
    missing: tuple[int, ...]
    asks: int
    answered_model: str
    seconds: float


def summarise(asker: Asker, dimension: Dimension, reviews: Mapping[int, Review]) -> Summary:
    """Groups what reviews of one dimension say. `reviews`: by their numbers, those of [R17] in reports.

    Reviews without a score are not shown to the model; their numbers are in `missing`. Without any with a score,
    nothing is asked and the state is failed. Never raises for a failure of the model or the budget.
    """
    scored = {number: each for number, each in sorted(reviews.items()) if each.state is ReviewState.DONE}
    missing = tuple(sorted(set(reviews) - set(scored)))
    if not scored:
        return Summary(ReviewState.FAILED, "no review has a score", (), 0, missing, 0, "", 0.0)

    def read(reply: Reply) -> SummaryAnswer | Malformed:
        return read_summary(reply, frozenset(scored))

    asked = asker.ask(summary_messages(dimension, scored), SUBMIT_SUMMARY, read)
    groups = tuple(
        Group(group.title, group.claim, tuple(sorted(group.reviews)), len(scored))
        for group in (asked.answer.groups if asked.answer else ())
    )
    return Summary(
        asked.state,
        asked.reason,
        groups,
        len(scored),
        missing,
        asked.asks,
        asked.answered_model,
        round(asked.seconds, 3),
    )


def summary_messages(dimension: Dimension, reviews: Mapping[int, Review]) -> list[Message]:
    """The question: the evidence of each review, with its number on each line."""
    lines = [line for number, review in reviews.items() for line in _lines(number, review)]
    text = "\n".join(quoted(line) for line in lines)
    request = (
        f"THE DIMENSION: {dimension.title}\n\n{dimension.summary}\n\nAnswer with one call of submit_summary."
    )
    return [
        {"role": "system", "content": prompt("summary")},
        {"role": "user", "content": f"{text}\n\n{request}"},
    ]


def read_summary(reply: Reply, numbers: frozenset[int]) -> SummaryAnswer | Malformed:
    """The answer in a response, or what is wrong with it. `numbers`: the reviews that were shown."""
    arguments = called_with(reply, "submit_summary")
    if isinstance(arguments, Malformed):
        return arguments
    try:
        answer = SummaryAnswer.model_validate(arguments)
    except ValidationError as error:
        return Malformed(problems(error))
    words = sum(len(f"{group.title} {group.claim}".split()) for group in answer.groups)
    if words > MOST_WORDS:
        return Malformed(f"the groups have {words} words, more than {MOST_WORDS}")
    for place, group in enumerate(answer.groups):
        if unknown := sorted(set(group.reviews) - numbers):
            return Malformed(f"groups.{place}.reviews: no review has the number {unknown[0]}")
        if len(set(group.reviews)) < len(group.reviews):
            return Malformed(f"groups.{place}.reviews: a number is there twice")
    return answer


def _lines(number: int, review: Review) -> Sequence[str]:
    """The lines of a review. Quotes that were not found are left out, and long ones are cut."""
    lines = []
    for line in review.evidence:
        quote = "" if line.status == "unverified" else f": {' '.join(line.quote.split())}"
        times = ", repeated" if line.frequency == "repeated" else ""
        text = f"[R{number}] {line.aspect} ({line.severity}{times}){quote}"
        lines.append(" ".join(text.split())[:MOST_LINE_CHARACTERS])
    return lines
