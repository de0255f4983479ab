"""The steps of a check, each taken as often as one likes: nothing is lost and nothing is done twice."""

from __future__ import annotations

import pytest
from django.db import DataError

from runs.judging.regression_checks import stepping
from runs.judging.regression_checks.rejudging import start_passes
from runs.judging.regression_checks.stepping import open_checks, take_step
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.models import (
    Delivery,
    Evaluation,
    JudgeReview,
    JudgingPass,
    RegressionCheck,
    RegressionFinding,
    Run,
    Schedule,
)
from tests.runs.judging.regression_checks.nights import Nights, everything, finish, nothing, play

pytestmark = pytest.mark.django_db(transaction=True)
Verdict = RegressionCheck.Verdict
DIMENSIONS = ["pitfalls", "tool_calls"]


@pytest.fixture
def nights() -> Nights:
    return Nights()


@pytest.fixture
def judged(nights: Nights) -> Nights:
    """The schedule has a panel of one judge."""
    judge = NewJudge("Portia", nights.cast.add_model("Bench"))
    panel = create_panel(slug="two", title="Two", dimensions=DIMENSIONS, judges=[judge])
    nights.schedule.panel = panel
    nights.schedule.save()
    return nights


def review(check: RegressionCheck, ours: float, theirs: float | None = None) -> None:
    """The judge ends both passes with these scores."""
    for judging_pass, score in ((check.candidate_pass, ours), (check.anchor_pass, theirs)):
        if judging_pass is not None:
            judging_pass.reviews.update(state=JudgeReview.State.DONE, score=score)
            JudgingPass.objects.filter(pk=judging_pass.pk).update(state=JudgingPass.State.FINISHED)


def current(check: RegressionCheck) -> RegressionCheck:
    (found,) = open_checks()
    assert found.pk == check.pk
    return found


def test_while_runs_are_open_nothing_happens(nights: Nights) -> None:
    check = nights.begin(0)
    assert not take_step(check)
    assert current(check).state == "evaluating"


def test_the_first_check_has_nothing_to_be_compared_with(nights: Nights) -> None:
    first = nights.night(0)
    assert (first.verdict, first.anchor, first.is_first) == (Verdict.NOT_COMPARABLE, None, True)
    assert not Delivery.objects.exists()


def test_an_unchanged_agent_has_no_regression(nights: Nights) -> None:
    first, second = nights.night(0), nights.night(1)
    assert (second.verdict, second.anchor) == (Verdict.NONE, first.candidate)
    assert second.reason == "None of 4 tested quantities became worse. 7 of 11 could not be tested."


def test_a_decline_is_a_regression_with_effect_and_evidence_and_is_announced_once(nights: Nights) -> None:
    Schedule.objects.update(recipients="olga@example.org", webhook_url="https://hook.example/x")
    nights.schedule.refresh_from_db()
    first = nights.night(0)
    second = nights.night(1, nothing)

    assert (second.verdict, second.reason) == (Verdict.REGRESSION, "Became worse: Formal verification.")
    finding = second.findings.first()
    assert finding is not None
    assert (finding.quantity, finding.outcome, finding.effect, finding.scenarios, finding.pairs) == (
        *("formal", "worse", -1.0, 10, 20),
    )
    assert finding.p_worse == pytest.approx(4 / 1024)
    assert len(finding.evidence) == 5
    pair = finding.evidence[0]
    assert Run.objects.get(pk=pair["run"]).evaluation == second.candidate
    assert Run.objects.get(pk=pair["anchor_run"]).evaluation == first.candidate
    assert (pair["value"], pair["anchor_value"]) == (0.0, 1.0)
    assert sorted(Delivery.objects.values_list("channel", "state")) == [
        ("email", "waiting"),
        ("webhook", "waiting"),
    ]


def test_an_improvement_is_no_regression_and_no_message(nights: Nights) -> None:
    Schedule.objects.update(recipients="olga@example.org")
    nights.schedule.refresh_from_db()
    nights.night(0, nothing)
    better = nights.night(1, everything)
    assert (better.verdict, better.findings.get(quantity="formal").outcome) == (Verdict.NONE, "better")
    assert not Delivery.objects.exists()


def test_with_too_many_lost_runs_the_infrastructure_failed(nights: Nights) -> None:
    nights.night(0)
    assert nights.night(1, nothing, lost=2).verdict == Verdict.REGRESSION
    lost = nights.night(2, nothing, lost=3)
    assert (lost.verdict, lost.findings.count()) == (Verdict.INFRASTRUCTURE, 0)
    assert "3 of 20 runs have no verdict" in lost.reason


def test_of_an_evaluation_that_failed_the_reason_begins_with_the_cause(nights: Nights) -> None:
    check = nights.begin(0)
    evaluation = play(check, lost=20)
    evaluation.runs.update(detail="the engine went away")
    Evaluation.objects.filter(pk=evaluation.pk).update(state=Evaluation.State.FAILED)
    ended = finish(check)
    assert ended.verdict == Verdict.INFRASTRUCTURE
    assert ended.reason.startswith("All 20 runs were lost: the engine went away. ")


def test_a_budget_that_was_used_up_is_the_reason(nights: Nights) -> None:
    check = nights.begin(0)
    evaluation = play(check)
    for run in evaluation.runs.order_by("pk")[:5]:
        run.state, run.outcome, run.detail = Run.State.CANCELLED, "", "The budget of $1.00 is used up."
        run.save()
    reason = finish(check).reason
    assert reason.endswith("5 of 20 runs have no verdict, more than 10%. The budget of $1.00 is used up.")


def test_a_cancelled_evaluation_ends_the_check(nights: Nights) -> None:
    check = nights.begin(0)
    evaluation = play(check)
    evaluation.state = "cancelled"
    evaluation.save()
    assert finish(check).reason == "The evaluation was cancelled before its end."


def test_a_finished_check_has_no_next_step(nights: Nights) -> None:
    check = nights.night(0)
    assert open_checks() == []
    assert not take_step(check)


def test_a_step_taken_twice_at_once_is_done_once(nights: Nights) -> None:
    nights.night(0)
    check = nights.begin(1)
    play(check, nothing)
    one, other = current(check), current(check)
    assert take_step(one)
    assert not take_step(other)
    assert RegressionFinding.objects.values("place").distinct().count() == RegressionFinding.objects.count()


@pytest.mark.parametrize("place", ["anchor_for", "compare_sets", "findings_of", "result_of", "close"])
def test_a_process_that_dies_anywhere_loses_nothing(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    nights.night(0)
    check = nights.begin(1)
    play(check, nothing)

    def dies(*_: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(stepping, place, dies)
        with pytest.raises(SystemExit):
            take_step(current(check))

    assert RegressionFinding.objects.count() == 0
    assert finish(check).verdict == Verdict.REGRESSION


def test_both_sets_are_judged_and_the_anchor_with_new_samples(judged: Nights) -> None:
    first = judged.begin(0)
    play(first)
    assert take_step(current(first))
    first = current(first)
    assert (first.state, first.anchor_pass) == ("judging", None)
    assert not take_step(first)
    review(first, 1.0)
    finish(first)

    second = judged.begin(1)
    play(second)
    assert take_step(current(second))
    second = current(second)
    assert second.candidate_pass is not None
    assert second.anchor_pass is not None
    assert set(second.candidate_pass.reviews.values_list("sample", flat=True)) == {1}
    again = second.anchor_pass
    assert again.first_sample == 2
    assert set(again.reviews.values_list("sample", flat=True)) == {2}
    assert set(again.reviews.values_list("run__evaluation", flat=True)) == {first.candidate_id}


def judged_nights(judged: Nights, ours: float, theirs: float) -> RegressionCheck:
    """Two nights with the same runs; in the first the scores are 1."""
    first = judged.begin(0)
    play(first)
    take_step(current(first))
    review(current(first), 1.0)
    finish(first)
    second = judged.begin(1)
    play(second)
    take_step(current(second))
    review(current(second), ours, theirs)
    return finish(second)


def test_lower_scores_of_a_judge_that_did_not_move_are_a_regression(judged: Nights) -> None:
    check = judged_nights(judged, ours=0.5, theirs=1.0)
    assert check.verdict == Verdict.REGRESSION
    pitfalls = check.findings.get(quantity="pitfalls")
    assert (pitfalls.outcome, pitfalls.effect) == ("worse", -0.5)
    assert pitfalls.drift != "moved"


def test_a_judge_that_moved_is_no_regression_of_the_agent(judged: Nights) -> None:
    check = judged_nights(judged, ours=0.5, theirs=0.5)
    assert check.verdict == Verdict.NONE
    pitfalls = check.findings.get(quantity="pitfalls")
    assert (pitfalls.outcome, pitfalls.drift) == ("judge moved", "moved")
    assert {row["movement"] for row in check.result["drift"]} == {"moved"}


def compared_in_pairs(judged: Nights) -> RegressionCheck:
    """The second night of a schedule that compares runs in pairs; its third pass has just been started."""
    judged.schedule.compares_pairs = True
    judged.schedule.save()
    first = judged.begin(0)
    play(first)
    take_step(current(first))
    review(current(first), 1.0)
    assert finish(first).pair_pass is None
    second = judged.begin(1)
    play(second)
    take_step(current(second))
    review(current(second), 1.0, 1.0)
    one, other = current(second), current(second)
    assert take_step(one)
    assert not take_step(other)
    return current(second)


def test_runs_are_compared_with_those_of_the_anchor_if_the_schedule_says_so(judged: Nights) -> None:
    check = compared_in_pairs(judged)
    assert (check.state, check.pair_pass is not None) == ("comparing", True)
    assert check.pair_pass is not None
    pairs = check.pair_pass.comparisons
    assert set(pairs.values_list("run_one__evaluation", "run_two__evaluation", "sample")) == {
        (check.anchor_id, check.candidate_id, 1)
    }
    assert check.pair_pass.summaries.count() == len(DIMENSIONS) + 1
    assert check.candidate_pass is not None
    assert check.anchor_pass is not None
    assert (check.candidate_pass.summaries.count(), check.anchor_pass.summaries.count()) == (3, 0)
    assert not take_step(check)


def test_alerts_of_the_judge_are_shown_as_the_papers_and_never_cause_an_alarm(judged: Nights) -> None:
    Schedule.objects.update(recipients="olga@example.org")
    judged.schedule.refresh_from_db()
    check = compared_in_pairs(judged)
    assert check.pair_pass is not None
    done = JudgeReview.State.DONE
    check.pair_pass.comparisons.filter(dimension="pitfalls").update(state=done, score=-5)
    check.pair_pass.comparisons.filter(dimension="tool_calls").update(state=done, score=0)
    check.pair_pass.summaries.exclude(dimension="").update(state=done, alert=True)
    JudgingPass.objects.filter(pk=check.pair_pass.pk).update(state=JudgingPass.State.FINISHED)

    ended = finish(check)

    rows = [
        (row["title"], row["score_alert"], row["judge_alert"], row["warning"], row["alert"])
        for row in ended.result["paper_dimensions"]
    ]
    assert rows == [("Pitfalls", True, True, True, True), ("Tool calls", False, True, True, False)]
    assert ended.verdict == Verdict.NONE
    assert not Delivery.objects.exists()


def test_a_process_that_dies_while_it_starts_the_passes_starts_none(
    judged: Nights, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = judged.begin(0)
    play(first)

    def dies(_: object) -> None:
        start_passes(current(first))
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(stepping, "start_passes", dies)
        with pytest.raises(SystemExit):
            take_step(current(first))
    assert not JudgingPass.objects.exists()

    one, other = current(first), current(first)
    assert take_step(one)
    assert not take_step(other)
    assert JudgingPass.objects.count() == 1


def test_where_the_panel_cannot_judge_the_rest_is_compared(judged: Nights) -> None:
    judged.night(0)
    assert judged.schedule.panel is not None
    judged.schedule.panel.digest = "old"
    judged.schedule.panel.save()
    review(current(RegressionCheck.objects.get()), 1.0)
    finish(RegressionCheck.objects.get())
    check = judged.night(1, nothing)
    assert check.verdict == Verdict.REGRESSION
    assert "Without judges: The prompts of the panel Two have changed" in check.reason
    assert check.findings.get(quantity="pitfalls").outcome == "not comparable"


@pytest.mark.parametrize("error", [ValueError("no numbers"), DataError("no numbers")])
def test_records_that_cannot_be_compared_end_the_check(
    nights: Nights, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def breaks(*_: object) -> None:
        raise error

    nights.night(0)
    monkeypatch.setattr(stepping, "compare_sets", breaks)
    check = nights.night(1)
    assert (check.verdict, check.reason) == (
        Verdict.INFRASTRUCTURE,
        "The runs cannot be compared: no numbers",
    )
