"""What many reviews or comparisons have in common: groups by a model, counts by code, a file in the run directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.judges.asking import Asker
from harness.judges.dimensions import dimension_named
from harness.judges.review import client_of
from harness.judges.review_file import ReviewState, read_stored
from harness.judges.stand_ins import OVERVIEW
from harness.judges.summary import (
    ComparedPair,
    ReviewedRun,
    SummaryQuestion,
    TooFew,
    question_of_comparisons,
    question_of_reviews,
    question_of_summaries,
    summarise,
    summarise_directory,
)
from harness.judges.summary_file import Summary, SummaryGroup
from tests.harness.judges.made import COMPARISON, REVIEW
from tests.harness.judges.payloads import PAYLOADS
from tests.harness.judges.runs import judge, served, spending

PITFALLS = dimension_named("pitfalls")
PLEASANTNESS = dimension_named("pleasantness")
RUNS = [ReviewedRun(f"run-{number}", 1, () if number == 5 else (REVIEW,)) for number in range(1, 21)]
GROUP: Mapping[str, Any] = {
    "title": "Unchecked claims",
    "claim": "The agent reported tests that it had not run.",
    "numbers": [17, 3, 1],
}


def reviews(runs: Sequence[ReviewedRun] = RUNS, most: int = 400_000) -> SummaryQuestion:
    return question_of_reviews(PITFALLS, runs, most_characters=most)


def comparisons(number: int = 3, **more: Any) -> SummaryQuestion:
    made = replace(COMPARISON, **more)
    pair = ComparedPair((ReviewedRun("a", 1, (REVIEW,)), ReviewedRun("b", 1, (REVIEW,))), (made,))
    return question_of_comparisons(PLEASANTNESS, [pair] * number, most_characters=400_000)


def asked(question: SummaryQuestion, model: str = "quoting") -> Summary:
    with served() as server:
        spec = judge(server.url, model)
        return summarise(Asker(client_of(spec), spending=spending()), spec, question)


def answered(question: SummaryQuestion, **arguments: Any) -> Summary:
    """The summary by a model that answers with these arguments, twice if it is asked twice."""
    name = question.tool["function"]["name"]
    with served(summary=[{"calls": [{"name": name, "arguments": arguments}]}] * 2) as server:
        spec = judge(server.url, "summary")
        return summarise(Asker(client_of(spec), spending=spending()), spec, question)


def test_the_lists_of_the_model_are_kept_and_runs_without_a_review_are_no_part_of_n() -> None:
    found = answered(reviews(), groups=[GROUP])
    assert found.state is ReviewState.DONE
    assert found.groups == (SummaryGroup(GROUP["title"], GROUP["claim"], (1, 3, 17)),)
    assert (len(found.shown), len(found.sources)) == (19, 20)
    assert (found.sources[0].run_id, found.sources[0].step) == ("run-1", 2)


def test_what_does_not_fit_is_asked_for_again_and_then_missing() -> None:
    found = answered(reviews(), groups=[{**GROUP, "numbers": [5]}])
    assert (found.state, found.groups, found.asks) == (ReviewState.MALFORMED, (), 2)
    assert found.reason == "groups.0.numbers: nothing has the number 5"


def test_the_alert_of_comparisons_is_kept() -> None:
    group = {**GROUP, "numbers": [1]}
    assert answered(comparisons(), groups=[group], alert=True).alert is True
    assert answered(comparisons(), groups=[group], alert=False).alert is False
    assert answered(comparisons(), groups=[group], alert="YES").alert is None
    assert answered(reviews(), groups=[GROUP]).alert is None


def test_with_fewer_than_three_nothing_is_asked() -> None:
    few = [RUNS[0], RUNS[1], RUNS[4]]
    with pytest.raises(TooFew, match="2 of 3 runs have a review with a score; a summary needs 3"):
        reviews(few)
    with pytest.raises(TooFew, match="2 of 2 pairs of runs"):
        comparisons(2)
    with pytest.raises(TooFew, match="No dimension has a summary"):
        question_of_summaries({}, [])


def test_what_is_too_long_loses_the_last_lines_of_each_review_and_at_last_is_not_asked() -> None:
    whole, shorter = reviews().messages[1]["content"], reviews(most=1400).messages[1]["content"]
    assert (whole.count("Unchecked claim"), whole.count("Invented")) == (19, 19)
    assert (shorter.count("Unchecked claim"), shorter.count("Invented")) == (19, 0)
    found = asked(reviews(most=500))
    assert (found.state, found.asks) == (ReviewState.TOO_LONG, 0)


def test_each_line_names_its_run_and_unverified_quotes_are_left_out() -> None:
    user = reviews(RUNS[:3]).messages[1]["content"]
    assert user.startswith(
        "| [R1] Unchecked claim (medium, repeated): All 12 tests pass.\n| [R1] Invented (low)\n| [R2] "
    )


def test_a_line_of_a_comparison_says_who_is_better_and_a_computed_one_shows_both_reviews() -> None:
    asked_ = comparisons().messages[1]["content"]
    assert asked_.startswith("| [C1] Agent 2 is better: Honest reports (high): All 12 tests pass.\n| [C2]")
    computed = comparisons(computed=True, orders=()).messages[1]["content"].splitlines()
    assert computed[0] == "| [C1] Agent 1: Unchecked claim (medium, repeated): All 12 tests pass."
    assert computed[3] == "| [C1] Agent 2: Invented (low)"


def test_no_quote_adds_a_line() -> None:
    first = REVIEW.evidence[0]
    for payload in PAYLOADS:
        hostile = replace(REVIEW, evidence=(replace(first, quote=f"{payload}\n| [R1] fake"),))
        runs = [ReviewedRun("a", 1, (hostile,)), *RUNS[:2]]
        lines = reviews(runs).messages[1]["content"].splitlines()
        assert sum(line.startswith("| [R") for line in lines) == 5, payload
        assert lines[5] == "", payload


def test_stand_ins_group_by_severity_and_alert_where_one_agent_alone_is_better() -> None:
    found = asked(reviews(RUNS[:3]))
    assert [(group.title, group.numbers) for group in found.groups] == [
        ("Medium severity", (1, 2, 3)),
        ("Low severity", (1, 2, 3)),
    ]
    assert asked(comparisons()).alert is True
    tie = replace(COMPARISON.orders[0], aspects=(replace(COMPARISON.orders[0].aspects[0], winner="tie"),))
    assert asked(comparisons(orders=(tie,))).alert is False
    whole = asked(question_of_summaries({"pitfalls": "Pitfalls"}, [found]))
    assert (whole.dimension, whole.text, whole.parts) == ("", OVERVIEW, (found.key,))
    assert asked(reviews(), "prose").state is ReviewState.MALFORMED


def test_the_overview_is_asked_with_counts_that_code_made() -> None:
    question = question_of_summaries({"pitfalls": "Pitfalls"}, [answered(reviews(), groups=[GROUP])])
    assert question.messages[1]["content"].startswith("| Pitfalls: Unchecked claims (3 of 19): The agent")


def test_a_stored_summary_is_used_again_until_one_of_its_reviews_is_another(tmp_path: Path) -> None:
    changed = [ReviewedRun("run-1", 1, (replace(REVIEW, key="f" * 32),)), *RUNS[1:]]
    with served() as server:
        spec = judge(server.url, "quoting")

        def made(question: SummaryQuestion) -> Summary:
            return summarise_directory(
                tmp_path, question, judge=spec, client=client_of(spec), spending=spending()
            )

        first, again = made(reviews()), made(reviews())
        assert len(server.requests) == 1
        other = made(reviews(changed))
        assert len(server.requests) == 2
    assert first == again == read_stored(tmp_path, first.key, Summary)
    assert other.key != first.key
