"""The chapter of a report about what judges say."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from runs.data.queries.visibility import ANONYMOUS
from runs.models import JudgeReview, Run
from runs.reporting.reports import judged_chapters as module
from runs.reporting.reports.gather import gather
from runs.reporting.reports.judged_chapters import judged_report
from runs.reporting.reports.writing import files_of
from tests.runs.panels import add_evidence, add_panel, add_pass, add_review, add_summary
from tests.runs.reporting.reports.world import SITE, tides

pytestmark = pytest.mark.django_db


def tables(found: dict[str, Any], chapter: str) -> dict[str, Any]:
    """The rows of a chapter's tables by name."""
    (one,) = [each for each in found["chapters"] if each["name"] == chapter]
    return {table["name"]: table["rows"] for table in one["tables"]}


def test_counts_come_from_lists_and_references_open_their_steps() -> None:
    cast = tides()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    first, second, *_ = Run.objects.filter(agent__slug="alice").order_by("pk")
    for run in (first, second):
        review = add_review(started, judge, run, "pitfalls", score=0.5, spent_usd=0.25, prompt_tokens=100)
        add_evidence(review, aspect="no tests", severity="high", found_step=4)
    add_review(started, judge, first, "end_result", state=JudgeReview.State.REFUSED, score=None)

    files = files_of(gather([cast.evaluation]), site=SITE)
    found = json.loads(files["report.json"])
    runs, judged = tables(found, "runs"), tables(found, "judges")
    (alice,) = [row for row in runs["verdicts"] if row[0] == "alice"]
    assert alice[3] == "1 of 4"
    (pitfalls,) = [row for row in judged["dimensions"] if row[:2] == ["alice", "Pitfalls"]]
    assert (pitfalls[2]["value"], pitfalls[3], pitfalls[4]) == (0.5, 2, "not reviewed: 2")
    assert judged["aspects"] == [["alice", "no tests", "Pitfalls", "2 of 2", 14]]
    assert [row[0] for row in judged["aspect_places"]] == [[first.pk, 4], [second.pk, 4]]
    assert judged["panel"] == [["Portia", "ada/Bench", 3, "done: 2, refused: 1", 200, 0, 0.5, 0, 0.0]]
    assert judged["in_short"] == []

    text = files["report.md"].decode()
    assert "## What judges say" in text
    assert f"[R{first.pk} step 4]({SITE}/runs/{first.pk}/?step=4)" in text
    assert "Time, 80 %" in text


def test_a_report_of_hidden_datasets_has_the_reviews_of_their_runs() -> None:
    cast = tides()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    odd = cast.add_agent("Odd")
    run = cast.add_run(odd, cast.add_hidden_task())
    add_evidence(add_review(started, judge, run, "pitfalls", score=0.5), aspect="no tests")
    add_review(started, judge, run, "end_result", state=JudgeReview.State.REFUSED, score=None)

    public, whole = (
        json.loads(files_of(gather([cast.evaluation], hidden=hidden), site=SITE)["report.json"])
        for hidden in (False, True)
    )

    assert "judges" not in {chapter["name"] for chapter in public["chapters"]}
    judged = tables(whole, "judges")
    assert [row[4] for row in judged["dimensions"] if row[0] == "odd"][:1] == ["refused: 1"]
    assert [row[:2] for row in judged["aspects"]] == [["odd", "no tests"]]
    assert judged["panel"][0][2:4] == [2, "done: 1, refused: 1"]


def test_a_report_without_reviews_has_no_chapter_about_judges() -> None:
    found = json.loads(files_of(gather([tides().evaluation]), site=SITE)["report.json"])
    names = [chapter["name"] for chapter in found["chapters"]]
    assert "runs" in names
    assert "judges" not in names


def test_its_chapters_have_all_parts_of_the_paper() -> None:
    cast = tides()
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    runs = list(Run.objects.filter(agent__slug="alice").order_by("pk"))
    for run in runs:
        add_review(started, judge, run, "pitfalls")
    add_summary(started, judge, runs)
    add_summary(started, judge, runs, "", text="It works. It does not check.")

    found = judged_report(cast.evaluation, ANONYMOUS)

    assert (found.runs, found.left_out) == (Run.objects.filter(state="finished").count(), 0)
    assert pickle.loads(pickle.dumps(found)) == found  # as the cache stores it
    sections = {chapter.slug: [each.name for each in chapter.result.sections] for chapter in found.chapters}
    assert sections == {
        "runs": ["verdicts", "tool_success", "speed", "run_quantiles", "response_quantiles"],
        "judges": ["in_short", "dimensions", "quality", "summaries", "aspects", "panel"],
    }


def test_it_says_how_many_runs_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = tides()
    monkeypatch.setattr(module, "MAX_RUNS", 2)
    found = judged_report(cast.evaluation, ANONYMOUS)
    assert (found.runs, found.left_out) == (2, Run.objects.filter(state="finished").count() - 2)
    assert [chapter.slug for chapter in found.chapters] == ["runs"]


def test_runs_at_hidden_tasks_are_not_in_it() -> None:
    cast = tides()
    before = judged_report(cast.evaluation, ANONYMOUS).runs
    cast.add_run(Run.objects.filter(agent__slug="bob")[0].agent, cast.add_hidden_task())
    assert judged_report(cast.evaluation, ANONYMOUS).runs == before
