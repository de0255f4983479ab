"""The answers that summarise: groups with lists and without numbers of the model, an alert that is true or false."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.judges.answer import Malformed
from harness.judges.summary_answer import (
    SUBMIT_DIFFERENCES,
    SUBMIT_OVERVIEW,
    SUBMIT_SUMMARY,
    DifferencesAnswer,
    OverviewAnswer,
    SummaryAnswer,
    read_groups,
    read_overview,
)
from harness.llm.replies import Reply
from harness.records import Metrics, ToolCall

SHOWN = frozenset(range(1, 21)) - {5}
GROUP: Mapping[str, Any] = {
    "title": "Unchecked claims",
    "claim": "The agent reported tests that it had not run.",
    "numbers": [17, 3, 1],
}


def reply(tool: str, arguments: Mapping[str, Any]) -> Reply:
    return Reply("", "", (ToolCall("c", tool, dict(arguments)),), {}, Metrics(), 1, {})


def groups(*found: Any, **more: Any) -> SummaryAnswer | Malformed:
    return read_groups(reply("submit_summary", {"groups": list(found), **more}), SummaryAnswer, SHOWN)


def differences(**more: Any) -> DifferencesAnswer | Malformed:
    return read_groups(reply("submit_summary", {"groups": [GROUP], **more}), DifferencesAnswer, SHOWN)


def test_groups_with_lists_fit() -> None:
    answer = groups(GROUP)
    assert isinstance(answer, SummaryAnswer)
    assert answer.groups[0].numbers == [17, 3, 1]


@pytest.mark.parametrize(
    ("found", "reason"),
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
        ([{**GROUP, "claim": "A third of the pairs."}], "must have no counts such as 'third of the pairs'"),
        ([{**GROUP, "numbers": []}], "groups.0.numbers: "),
        ([{**GROUP, "numbers": [1, 21]}], "groups.0.numbers: nothing has the number 21"),
        ([{**GROUP, "numbers": [5]}], "groups.0.numbers: nothing has the number 5"),
        ([{**GROUP, "numbers": [1, 1]}], "groups.0.numbers: a number is there twice"),
        ([{**GROUP, "numbers": ["1"]}], "groups.0.numbers.0: "),
        ([{**GROUP, "numbers": [True]}], "groups.0.numbers.0: "),
        ([{**GROUP, "count": 3}], "groups.0.count: Extra inputs are not permitted"),
        ([{**GROUP, "claim": "word " * 101}] * 4, "the groups have 412 words, more than 400"),
    ],
)
def test_other_groups_do_not_fit(found: list[Any], reason: str) -> None:
    answer = groups(*found)
    assert isinstance(answer, Malformed)
    assert reason in answer.reason


@pytest.mark.parametrize("alert", [True, False])
def test_an_alert_is_a_boolean(alert: bool) -> None:
    answer = differences(alert=alert)
    assert isinstance(answer, DifferencesAnswer)
    assert answer.alert is alert


@pytest.mark.parametrize("more", [{}, *({"alert": value} for value in ("true", 1, 0, None, "YES", [True]))])
def test_another_alert_or_none_does_not_fit(more: Mapping[str, Any]) -> None:
    answer = differences(**more)
    assert isinstance(answer, Malformed)
    assert "alert: " in answer.reason


def test_an_alert_that_was_not_asked_for_does_not_fit() -> None:
    answer = groups(GROUP, alert=True)
    assert isinstance(answer, Malformed)
    assert "alert: Extra inputs" in answer.reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("It works.", "must have 2 to 5 sentences"),
        ("It works. In 23 runs.", "must have no digits"),
        ("It works. Half of the runs fail.", "must have no counts"),
        ("It works. So " + "word " * 149, "the text has 152 words, more than 150"),
    ],
)
def test_an_overview_has_a_few_sentences_without_numbers(text: str, reason: str) -> None:
    fits = read_overview(reply("submit_overview", {"text": "It works. It does not check."}))
    assert isinstance(fits, OverviewAnswer)
    answer = read_overview(reply("submit_overview", {"text": text}))
    assert isinstance(answer, Malformed)
    assert reason in answer.reason


def test_the_schemas_have_the_fields_of_the_checks() -> None:
    for tool, kind in (
        (SUBMIT_SUMMARY, SummaryAnswer),
        (SUBMIT_DIFFERENCES, DifferencesAnswer),
        (SUBMIT_OVERVIEW, OverviewAnswer),
    ):
        parameters = tool["function"]["parameters"]
        assert set(parameters["properties"]) == set(parameters["required"]) == set(kind.model_fields)
    items = SUBMIT_SUMMARY["function"]["parameters"]["properties"]["groups"]["items"]
    assert set(items["properties"]) == set(items["required"]) == set(GROUP)
