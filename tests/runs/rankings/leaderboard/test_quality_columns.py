"""Columns of tests passed, of scores by judges and of steadiness."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.runs.cast import Cast
from tests.runs.panels import DIMENSIONS, add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db


def test_the_quality_index_is_a_column_where_judges_gave_scores(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    (run,), _ = cast.add_cell(cast.alice(), task, [5]), cast.add_cell(cast.bob(), task, [0])
    cast.settle()
    assert "sort=-quality" not in client.get("/").content.decode()
    assert "quality_index" not in client.get("/leaderboard.json").json()["rows"][0]

    judge = add_panel(cast.add_model("Bench"))
    reviews = [add_review(add_pass(judge), judge, run, name, score=0.5) for name in DIMENSIONS[:1]]
    reviews += [add_review(reviews[0].judging_pass, judge, run, name, score=0.5) for name in DIMENSIONS[1:]]
    cast.settle()

    page = client.get("/?sort=-quality").content.decode()
    assert "Quality index" in page
    assert "58.3" in page  # (5 × 50 + 100) ÷ 6
    alice, bob = client.get("/leaderboard.json?sort=-quality").json()["rows"]
    assert (alice["agent"], round(alice["quality_index"], 2), alice["quality_index_coverage"]) == (
        "alice",
        58.33,
        1,
    )
    assert (bob["quality_index"], bob["quality_index_lowest"]) == (None, None)
    other = client.get("/leaderboard.json?repository=harbour&sort=-quality").json()["rows"]
    assert [row["quality_index"] for row in other] == [alice["quality_index"], None]
    figures = client.get("/api/v1/leaderboard").json()["rows"][1]["figures"]
    assert figures["quality_index"]["reason"] == "no judge gave one of its runs a score"
    for suffix in ("csv", "md", "tex"):
        assert "58.3" in client.get(f"/leaderboard.{suffix}").content.decode()


def test_tests_passed_count_failures_without_a_test_result_and_say_so(client: Client) -> None:
    cast = Cast()
    alice, (first, second) = cast.alice(), cast.add_tasks(2)
    cast.add_cell(alice, first, [5, 0])
    cast.add_run(alice, second, passed=0, tests_total=None, tests_passed=None)
    cast.settle()

    (row,) = client.get("/leaderboard.json").json()["rows"]
    page = client.get("/").content.decode().replace("\u00a0", " ")

    # Half of the tests of the first task; the attempt at the second one failed.
    names = ("tests_passed", "tests_passed_where_known", "attempts_without_test_result")
    assert [row[name] for name in names] == [0.25, 0.5, 1]
    assert "known: 50.0 %" in page
    assert "attempts without a test result, which count by their outcome: 1 of 3" in page
