"""The same runs, from the database and from their directories alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.judges.review_file import write_stored
from harness.records import SUMMARY, RunRecord, RunRecorder
from runs.data.run_facts.count_trajectory import recount
from runs.judging.regression_checks.stored_members import (
    SetUnreadable,
    members_in_directory,
    members_of_evaluation,
    pass_scores,
)
from runs.models import JudgeReview, RegressionCheck
from tests.runs.cast import Cast, data, identity_of, record
from tests.runs.judging.regression_checks.nights import Nights, play
from tests.runs.panels import add_panel, add_pass, add_review, answer
from tests.runs.tiny import summary_of, write_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.setattr("tests.runs.judging.regression_checks.nights.SCENARIOS", 2)
    return Nights()


@pytest.fixture
def night(nights: Nights) -> RegressionCheck:
    check = nights.begin(0)
    play(check, lost=1)
    return check


def test_the_runs_of_an_evaluation(nights: Nights, night: RegressionCheck) -> None:
    assert night.candidate is not None
    found = members_of_evaluation(night.candidate, nights.agent)
    assert (len(found.members), found.lost, found.panel, found.agents) == (3, 1, "", frozenset({"idler"}))
    assert {(one.run.scenario, one.run.persona) for one in found.members} == {
        ("harbour/scenario-0", "toxic"),
        ("harbour/scenario-1", "default"),
        ("harbour/scenario-1", "toxic"),
    }


def test_directories_say_the_same(nights: Nights, night: RegressionCheck) -> None:
    assert night.candidate is not None
    ours = members_of_evaluation(night.candidate, nights.agent)
    theirs = members_in_directory(data() / night.candidate.slug)
    assert theirs.lost == ours.lost
    assert [replace(one, pk=None) for one in ours.members] == list(theirs.members)


def test_of_several_tries_the_newest_counts(night: RegressionCheck) -> None:
    assert night.candidate is not None
    run = night.candidate.runs.order_by("pk")[0]
    summary = RunRecord(run.path).summary()
    assert summary is not None
    other = night.candidate.runs.order_by("pk")[1]
    kept = RunRecord(other.path).summary()
    assert kept is not None
    again = replace(summary, identity=replace(summary.identity, try_number=2), outcome=kept.outcome)
    write_run(run.path.with_name("try-2"), again)
    assert members_in_directory(data() / night.candidate.slug).lost == 0


def test_tools_come_from_the_counts_or_from_the_steps() -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    RunRecorder(run.path.with_name("unused"), identity_of(run)).summary(summary_of(run))
    (run.path.with_name("unused") / SUMMARY).rename(run.path / SUMMARY)
    recount()
    ours = members_of_evaluation(run.evaluation, run.agent)
    theirs = members_in_directory(data())
    assert ours.members[0].run.tools == theirs.members[0].run.tools
    assert ours.members[0].run.tools["read_file"] == (1, 2)


def test_scores_are_means_of_the_reviews_that_are_done(night: RegressionCheck, nights: Nights) -> None:
    judge = add_panel(nights.cast.add_model("Bench"))
    judged = add_pass(judge)
    assert night.candidate is not None
    run = night.candidate.runs.order_by("pk")[1]
    add_review(judged, judge, run, score=1.0)
    add_review(judged, judge, run, score=0.5, sample=2)
    add_review(judged, judge, run, score=None, sample=3, state=JudgeReview.State.REFUSED)
    add_review(judged, judge, run, "charm", score=1.0)
    assert pass_scores(judged) == {run.pk: {"pitfalls": 0.75}}
    found = members_of_evaluation(night.candidate, nights.agent, judged)
    assert found.members[0].run.values["pitfalls"] == 0.75
    assert found.panel == "harbour-panel pppppppppppp"


def test_reviews_lie_beside_the_runs(night: RegressionCheck) -> None:
    assert night.candidate is not None
    run = night.candidate.runs.order_by("pk")[1]
    write_stored(run.path, answer())
    found = members_in_directory(data() / night.candidate.slug)
    assert found.members[0].run.values["pitfalls"] == 0.5
    assert found.panel == "Portia ada/Bench pitfalls dddddddddddd"


def test_what_is_no_set_of_one_agent_is_refused_with_its_path(tmp_path: Path, night: RegressionCheck) -> None:
    with pytest.raises(SetUnreadable, match="is no directory"):
        members_in_directory(tmp_path / "nowhere")
    with pytest.raises(SetUnreadable, match="expected runs of one agent, found none"):
        members_in_directory(tmp_path)
    (tmp_path / "run_summary.json").write_text("[]", encoding="utf-8")
    with pytest.raises(SetUnreadable, match=r"run_summary\.json"):
        members_in_directory(tmp_path)
