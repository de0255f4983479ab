"""Reports show the summaries of the newest pass over exactly their runs; each count is made from its list."""

from __future__ import annotations

import pytest

from runs.judging.judge_summaries.shown_summaries import OUTDATED, ShownGroup, summaries_of, summaries_version
from runs.models import JudgeSummary, PanelJudge, Run, SummaryGroup
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review, add_summary

pytestmark = pytest.mark.django_db
State = JudgeSummary.State


@pytest.fixture
def judge() -> PanelJudge:
    cast = Cast()
    alice = cast.alice()
    for task in cast.add_tasks(3):
        cast.add_run(alice, task)
    return add_panel(cast.add_model("Bench"))


def summarised(judge: PanelJudge, slug: str, runs: list[Run]) -> JudgeSummary:
    started = add_pass(judge, slug=slug)
    for run in runs:
        add_review(started, judge, run)
    add_summary(started, judge, runs, "", text=f"Text of {slug}.")
    return add_summary(started, judge, runs)


def shown(runs: list[Run], judge: PanelJudge) -> list[tuple[str, str, str]]:
    found = summaries_of(Run.objects.filter(pk__in=[run.pk for run in runs]), judge.panel)
    return [(each.dimension, each.text, each.reason) for each in found]


def test_counts_and_places_are_made_from_the_lists(judge: PanelJudge) -> None:
    runs = list(Run.objects.order_by("pk"))
    summary = summarised(judge, "first", runs)
    SummaryGroup.objects.filter(summary=summary).update(numbers=[1, 3])
    whole, pitfalls = summaries_of(Run.objects.all(), judge.panel)
    assert (whole.title, whole.text, whole.groups) == ("All dimensions", "Text of first.", ())
    assert (pitfalls.title, pitfalls.judge, pitfalls.reason) == ("Pitfalls", "Portia", "")
    assert pitfalls.groups == (
        ShownGroup(
            "Unchecked claims",
            "The agent reported tests that it had not run.",
            "2 of 3",
            ((runs[0].pk, 2), (runs[2].pk, 2)),
        ),
    )


def test_the_newest_pass_over_no_other_runs_counts(judge: PanelJudge) -> None:
    runs = list(Run.objects.order_by("pk"))
    summarised(judge, "first", runs[:2])
    assert shown(runs, judge)[0][1] == "Text of first."
    before = summaries_version(Run.objects.all())
    summarised(judge, "second", runs)
    assert summaries_version(Run.objects.all()) != before
    assert shown(runs, judge)[0][1] == "Text of second."
    assert shown(runs[:2], judge)[0][1] == "Text of first."
    assert shown(runs[:1], judge) == []


def test_what_is_missing_or_outdated_says_why(judge: PanelJudge) -> None:
    runs = list(Run.objects.order_by("pk"))
    summary = summarised(judge, "first", runs)
    Run.objects.filter(pk=runs[0].pk).update(tries=2)
    assert shown(runs, judge) == [("", "", OUTDATED), ("pitfalls", "", OUTDATED)]

    summary.sources.all().delete()
    JudgeSummary.objects.update(state=State.MALFORMED, reason="must have no digits")
    why = "malformed: must have no digits"
    assert shown(runs, judge) == [("", "", why), ("pitfalls", "", why)]
    JudgeSummary.objects.update(state=State.QUEUED)
    assert shown(runs, judge) == []
