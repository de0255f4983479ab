"""How two agents differ, in a judge's words: the newest summary, whichever of the two the judge knew as the first."""

from __future__ import annotations

import pytest

from runs.judging.judge_summaries.shown_differences import ShownPairGroup, differences_of
from runs.models import JudgeSummary, PanelJudge, Run, SummaryGroup, SummarySource
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_summary

pytestmark = pytest.mark.django_db
State = JudgeSummary.State


@pytest.fixture
def judge() -> PanelJudge:
    cast = Cast()
    alice, bob = cast.alice(), cast.bob()
    for task in cast.add_tasks(3):
        cast.add_run(alice, task)
        cast.add_run(bob, task)
    return add_panel(cast.add_model("Bench"))


def sides() -> tuple[list[Run], list[Run]]:
    return list(Run.objects.filter(agent__slug="alice").order_by("pk")), list(
        Run.objects.filter(agent__slug="bob").order_by("pk")
    )


def test_counts_of_better_runs_and_pairs_are_made_from_the_list(judge: PanelJudge) -> None:
    ours, theirs = sides()
    summary = add_summary(add_pass(judge), judge, ours, others=theirs, alert=True)
    SummarySource.objects.filter(summary=summary, number=3).update(score=2.0)
    SummaryGroup.objects.filter(summary=summary).update(numbers=[1, 3])

    (found,) = differences_of(ours[0].agent, theirs[0].agent, judge.panel)
    assert (found.title, found.first, found.second, found.alert, found.reason) == (
        *("Pitfalls", "Alice", "Bob", True, ""),
    )
    assert found.groups == (
        ShownPairGroup(
            *("Unchecked claims", "The agent reported tests that it had not run.", "2 of 3"),
            *(1, 0, 1),
            ((ours[0].pk, theirs[0].pk), (ours[2].pk, theirs[2].pk)),
        ),
    )
    (turned,) = differences_of(theirs[0].agent, ours[0].agent, judge.panel)
    assert (turned.first, turned.groups[0].pairs[0]) == ("Alice", (theirs[0].pk, ours[0].pk))


def test_the_newest_pass_counts_and_what_is_missing_has_a_reason_and_no_alert(judge: PanelJudge) -> None:
    ours, theirs = sides()
    for slug, more in (("one", {"alert": True}), ("two", {"state": State.REFUSED, "reason": "no"})):
        started = add_pass(judge, slug=slug)
        add_summary(started, judge, ours, others=theirs, **more)
        add_summary(started, judge, ours, "", others=theirs, text=f"Text of {slug}. It is short.")
    add_summary(add_pass(judge, slug="open"), judge, ours, others=theirs, state=State.QUEUED)

    whole, pitfalls = differences_of(ours[0].agent, theirs[0].agent, judge.panel)
    assert (whole.title, whole.text) == ("All dimensions", "Text of two. It is short.")
    assert (pitfalls.alert, pitfalls.reason, pitfalls.groups) == (None, "refused: no", ())


def test_those_of_a_hidden_dataset_are_not_shown(judge: PanelJudge) -> None:
    ours, theirs = sides()
    summary = add_summary(add_pass(judge), judge, ours, others=theirs)
    summary.dataset.hidden = True
    summary.dataset.save()
    assert differences_of(ours[0].agent, theirs[0].agent, judge.panel) == []
