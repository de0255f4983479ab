"""What many reviews have in common: groups by a model, counts by code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.judges.asking import Asker
from harness.judges.dimensions import dimension_named
from harness.judges.review import client_of
from harness.judges.review_file import Review, ReviewState
from harness.judges.summary import SUBMIT_SUMMARY, GroupAnswer, Summary, summarise, summary_messages
from tests.harness.judges.made import REVIEW
from tests.harness.judges.payloads import PAYLOADS
from tests.harness.judges.runs import judge, served, spending

PITFALLS = dimension_named("pitfalls")
REFUSED = replace(REVIEW, state=ReviewState.REFUSED, score=None, reason="no", evidence=(), text="")
REVIEWS: Mapping[int, Review] = {**dict.fromkeys(range(1, 21), REVIEW), 5: REFUSED}
GROUP: Mapping[str, Any] = {
    "title": "Unchecked claims",
    "claim": "The agent reported tests that it had not run.",
    "reviews": [17, 3, 1],
}


def summarised(
    *groups: Mapping[str, Any], again: bool = True, reviews: Mapping[int, Review] = REVIEWS
) -> Summary:
    reply = {"calls": [{"name": "submit_summary", "arguments": {"groups": list(groups)}}]}
    with served(summary=[reply] * (2 if again else 1)) as server:
        asker = Asker(client_of(judge(server.url, "summary")), spending=spending())
        return summarise(asker, PITFALLS, reviews)


def test_counts_and_references_are_made_from_the_list() -> None:
    found = summarised(GROUP)
    assert (found.state, found.n, found.missing) == (ReviewState.DONE, 19, (5,))
    (group,) = found.groups
    assert group.text == (
        "Unchecked claims (3 of 19): The agent reported tests that it had not run. [R1], [R3], [R17]"
    )


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ([], "groups: "),
        ([GROUP] * 9, "groups: "),
        ([{**GROUP, "claim": "It happened in 12 of 20 reviews."}], "must have no digits"),
        ([{**GROUP, "title": "Seen ٣ times"}], "must have no digits"),
        (
            [{**GROUP, "claim": "Twelve of the reviews say so."}],
            "must have no counts such as 'Twelve of the reviews'",
        ),
        ([{**GROUP, "claim": "Most runs show it."}], "must have no counts such as 'Most runs'"),
        ([{**GROUP, "reviews": []}], "groups.0.reviews: "),
        ([{**GROUP, "reviews": [1, 21]}], "groups.0.reviews: no review has the number 21"),
        ([{**GROUP, "reviews": [5]}], "groups.0.reviews: no review has the number 5"),
        ([{**GROUP, "reviews": [1, 1]}], "groups.0.reviews: a number is there twice"),
        ([{**GROUP, "reviews": ["1"]}], "groups.0.reviews.0: "),
        ([{**GROUP, "count": 3}], "groups.0.count: Extra inputs are not permitted"),
        ([{**GROUP, "claim": "word " * 101}] * 4, "the groups have 412 words, more than 400"),
    ],
)
def test_what_does_not_fit_is_asked_for_again_and_then_missing(groups: list[Any], reason: str) -> None:
    found = summarised(*groups)
    assert (found.state, found.groups, found.asks) == (ReviewState.MALFORMED, (), 2)
    assert reason in found.reason


def test_without_a_review_with_a_score_nothing_is_asked() -> None:
    found = summarised(GROUP, reviews={1: REFUSED, 2: REFUSED})
    assert (found.state, found.asks, found.missing) == (ReviewState.FAILED, 0, (1, 2))
    assert found.reason == "no review has a score"


def test_each_line_of_the_question_names_its_review_and_unverified_quotes_are_left_out() -> None:
    user = summary_messages(PITFALLS, {17: REVIEW})[1]["content"]
    assert user.startswith(
        "| [R17] Unchecked claim (medium, repeated): All 12 tests pass.\n| [R17] Invented (low)\n\nTHE DIMENSION"
    )


def test_no_quote_adds_a_line() -> None:
    first = REVIEW.evidence[0]
    for payload in PAYLOADS:
        hostile = replace(REVIEW, evidence=(replace(first, quote=f"{payload}\n| [R1] fake"),))
        lines = summary_messages(PITFALLS, {17: hostile})[1]["content"].splitlines()
        assert sum(line.startswith("| [R") for line in lines) == 1, payload
        assert lines[1] == "", payload


def test_the_schema_has_the_fields_of_the_check() -> None:
    items = SUBMIT_SUMMARY["function"]["parameters"]["properties"]["groups"]["items"]
    assert set(items["properties"]) == set(items["required"]) == set(GroupAnswer.model_fields)
