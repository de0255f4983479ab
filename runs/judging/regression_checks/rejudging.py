"""Judging passes of a check: of the new runs, and of the anchor's once more, so that a judge that moved is noticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Max

from runs.analysis.judging.judge_drift import JudgeDrift, RejudgedRun, judge_drift
from runs.judging.regression_checks.set_members import MemberSet
from runs.judging.regression_checks.stored_members import pass_scores
from runs.judging.reviews.comparison_pairs import evaluation_pairs, runs_of
from runs.judging.reviews.judging_passes import judged_runs, start_pass
from runs.models import Evaluation, JudgeReview, JudgingPass, RegressionCheck, Run


def start_passes(check: RegressionCheck) -> tuple[JudgingPass | None, JudgingPass | None]:
    """Starts the passes of the candidate and the anchor; None where there is nothing to judge. Raises PassRefused.

    The key of a review has the number of its sample, and a file with the same key is used again without a call. The
    anchor's runs were judged before, so their new samples have numbers that no earlier one has.
    """
    assert check.candidate is not None
    ours = _start(check, check.candidate, again=False)
    return ours, _start(check, check.anchor, again=True) if check.anchor else None


def start_pair_pass(check: RegressionCheck) -> JudgingPass | None:
    """Starts the comparison of each new run with the anchor's run of the same task and attempt; None without a pair.

    The reviews of both are taken from their files. The first agent is the anchor's. Raises PassRefused.
    """
    assert check.candidate is not None, "a check with an anchor has a candidate"
    assert check.anchor is not None, "there is nothing to be compared with"
    assert check.schedule.panel is not None, "only a panel can compare"
    runs = Run.objects.filter(agent=check.schedule.agent)
    pairs = evaluation_pairs(check.anchor, check.candidate, runs)
    if not pairs:
        return None
    return start_pass(
        title=f"{check}: pairs",
        panel=check.schedule.panel,
        runs=runs_of(pairs),
        pairs=pairs,
        budget_usd=check.schedule.judging_budget_usd,
    )


def _start(check: RegressionCheck, evaluation: Evaluation, *, again: bool) -> JudgingPass | None:
    panel = check.schedule.panel
    assert panel is not None
    runs = list(judged_runs(evaluation.runs.filter(agent=check.schedule.agent)).order_by("pk"))
    if not runs:
        return None
    judged = JudgeReview.objects.filter(run__in=runs, judge__panel=panel)
    newest = judged.aggregate(newest=Max("sample"))["newest"] if again else None
    return start_pass(
        title=f"{check}: {'anchor' if again else 'candidate'}",
        panel=panel,
        runs=runs,
        budget_usd=check.schedule.judging_budget_usd,
        evaluation=evaluation,
        first_sample=(newest or 0) + 1,
        summaries=not again,  # the anchor's were written when it was the candidate
    )


def drifts_of(anchor: MemberSet, again: JudgingPass) -> Mapping[str, JudgeDrift]:
    """Dimension → how far the panel moved on the anchor's runs since it last judged them.

    Before: of each run and dimension, the newest earlier pass of the same panel. A dimension that was not judged before
    is absent.
    """
    before = _scores_before(again)
    now = pass_scores(again)
    runs = {one.pk: one for one in anchor.members if one.pk is not None}
    rejudged = [
        RejudgedRun(
            again.panel.slug, dimension, runs[pk].key, runs[pk].run.scenario, before[pk, dimension], score
        )
        for pk, scores in now.items()
        if pk in runs
        for dimension, score in scores.items()
        if (pk, dimension) in before
    ]
    return {drift.dimension: drift for drift in judge_drift(rejudged)}


def _scores_before(again: JudgingPass) -> Mapping[tuple[int, str], float]:
    """Run and dimension → the mean score of the newest pass before this one that has any."""
    runs: Iterable[int] = Run.objects.filter(reviews__judging_pass=again).values_list("pk", flat=True)
    rows = (
        JudgeReview.objects.filter(
            run__in=set(runs),
            judging_pass__panel=again.panel_id,
            # A pass that compares takes the first reviews from their files.
            judging_pass__kind=JudgingPass.Kind.REVIEWS,
            judging_pass__lt=again.pk,
            state=JudgeReview.State.DONE,
            score__isnull=False,
        )
        .order_by("-judging_pass", "pk")
        .values_list("run", "dimension", "judging_pass", "score")
    )
    found: dict[tuple[int, str], tuple[int, list[float]]] = {}
    for run, dimension, judging_pass, score in rows:
        newest, scores = found.setdefault((run, dimension), (judging_pass, []))
        if newest == judging_pass and score is not None:
            scores.append(score)
    return {key: sum(scores) / len(scores) for key, (_, scores) in found.items()}
