"""The tool call that a judge answers with: what fits, and what does not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from harness.judges.answer import SUBMIT_REVIEW, Answer, EvidenceLine, Malformed, read_answer
from harness.judges.comparison_answer import SUBMIT_COMPARISON
from harness.judges.summary_answer import SUBMIT_DIFFERENCES, SUBMIT_OVERVIEW, SUBMIT_SUMMARY
from harness.llm.replies import Reply
from harness.records import Metrics, ToolCall
from tests.harness.judges.made import ANSWER, LINE, PITFALL


def reply(arguments: Mapping[str, Any], **more: Any) -> Reply:
    call = ToolCall("c", "submit_review", arguments)
    return Reply("", "", (call,), {}, Metrics(finish_reason="tool_calls"), 1, {}, **more)


def read(pitfalls: bool = False, **changed: Any) -> Answer | Malformed:
    return read_answer(reply({**ANSWER, **changed}), lists_pitfalls=pitfalls)


@pytest.mark.parametrize("score", [0, 0.5, 1, 0.0, 1.0])
def test_three_scores_fit_as_numbers(score: float) -> None:
    answer = read(score=score)
    assert isinstance(answer, Answer)
    assert (answer.score, type(answer.score)) == (score, float)


def test_an_answer_has_its_texts_without_white_space_around() -> None:
    answer = read(review=" It worked. It was tested.\n", evidence=[{**LINE, "aspect": " Tests "}])
    assert isinstance(answer, Answer)
    assert (answer.review, answer.evidence[0].aspect) == ("It worked. It was tested.", "Tests")


def test_a_line_about_a_pitfall_has_three_more_fields() -> None:
    answer = read(pitfalls=True, evidence=[PITFALL, LINE])
    assert isinstance(answer, Answer)
    assert [line.frequency for line in answer.evidence] == ["repeated", None]


def test_null_is_the_same_as_leaving_a_pitfalls_field_out() -> None:
    line = {**LINE, "category": None, "frequency": None, "mechanism": None}
    assert isinstance(read(evidence=[line]), Answer)


@pytest.mark.parametrize(
    ("pitfalls", "line", "reason"),
    [
        (
            False,
            PITFALL,
            "evidence line 1: leave out category, frequency, mechanism: this line is not a pitfall",
        ),
        (
            True,
            {**LINE, "severity": "low"},
            "evidence line 1: a pitfall needs category, frequency, mechanism",
        ),
        (
            True,
            {**PITFALL, "severity": "none"},
            "evidence line 1: leave out category, frequency, mechanism: this line is not a pitfall",
        ),
        (True, {**PITFALL, "mechanism": None}, "evidence line 1: a pitfall needs mechanism"),
    ],
)
def test_fields_of_pitfalls_are_for_pitfalls_alone(pitfalls: bool, line: Any, reason: str) -> None:
    assert read(pitfalls=pitfalls, evidence=[line]) == Malformed(reason)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"score": 0.75}, "score: must be exactly 0, 0.5 or 1, as a number"),
        ({"review": "One sentence."}, "review: must have 2 to 5 sentences, not 1"),
        ({"review": " \n"}, "review: must not be empty"),
        ({"evidence": []}, "evidence: List should have at least 1 item after validation, not 0"),
        ({"evidence": [{**LINE, "step": 0}]}, "evidence.0.step: Input should be greater than or equal to 1"),
        ({"more": 1}, "more: Extra inputs are not permitted"),
    ],
)
def test_the_reason_names_the_place(changed: dict[str, Any], reason: str) -> None:
    assert read(**changed) == Malformed(reason)


def test_a_reason_is_short_whatever_was_sent() -> None:
    extra: dict[str, Any] = {f"key{'y' * 5000}{number}": 1 for number in range(50)}
    found = read(**extra)
    assert isinstance(found, Malformed)
    assert len(found.reason) <= 600


def test_the_schema_has_the_fields_and_limits_of_the_check() -> None:
    schema = SUBMIT_REVIEW["function"]["parameters"]
    assert set(schema["properties"]) == set(schema["required"]) == set(Answer.model_fields)
    line = schema["properties"]["evidence"]["items"]
    assert set(line["properties"]) == set(EvidenceLine.model_fields)
    assert set(line["required"]) == {"aspect", "severity", "quote", "step"}
    checked = Answer.model_json_schema()
    for name, described in checked["$defs"]["EvidenceLine"]["properties"].items():
        options = described.get("anyOf", [described])
        for key in ("enum", "minimum"):
            values = [option[key] for option in options if key in option]
            assert values == [line["properties"][name].get(key)] * len(values), (name, key)
        longest = [
            f" At most {option['maxLength']} characters." for option in options if "maxLength" in option
        ]
        assert all(line["properties"][name]["description"].endswith(sentence) for sentence in longest), name
    evidence = checked["properties"]["evidence"]
    assert (evidence["minItems"], evidence["maxItems"]) == (1, 6)
    assert {*schema["properties"]["score"]} == {"type", "minimum", "maximum", "description"}
    assert "anyOf" not in json.dumps(SUBMIT_REVIEW)


@pytest.mark.parametrize(
    "tool", [SUBMIT_REVIEW, SUBMIT_COMPARISON, SUBMIT_SUMMARY, SUBMIT_DIFFERENCES, SUBMIT_OVERVIEW]
)
def test_no_schema_has_a_length_that_servers_with_grammars_would_write_out(tool: Mapping[str, Any]) -> None:
    assert "maxLength" not in json.dumps(tool)
