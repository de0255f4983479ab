"""Panels of judges and their reviews, for tests of pages and jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.judges.review_file import Evidence, JudgeIdentity, Review, ReviewState
from runs.models import (
    ComparisonLine,
    ComparisonOrder,
    JudgeReview,
    JudgeSummary,
    JudgingPass,
    LanguageModel,
    Panel,
    PanelJudge,
    Rating,
    ReviewEvidence,
    Run,
    RunComparison,
    SummaryGroup,
    SummarySource,
)

DIMENSIONS = ("end_result", "instruction_compliance", "pitfalls", "pleasantness", "tool_calls")


def add_panel(model: LanguageModel, slug: str = "harbour-panel", **more: Any) -> PanelJudge:
    """A panel with one judge, Portia, which answers with a model."""
    panel = Panel.objects.create(
        slug=slug, title="Harbour panel", **{"dimensions": list(DIMENSIONS), "digest": "p" * 64, **more}
    )
    return PanelJudge.objects.create(panel=panel, name="Portia", model=model, family="ada")


def add_pass(judge: PanelJudge, slug: str = "night-watch", **more: Any) -> JudgingPass:
    """A finished pass of the judge's panel."""
    values = {"title": "Night watch", "state": JudgingPass.State.FINISHED, **more}
    return JudgingPass.objects.create(slug=slug, panel=judge.panel, **values)


def add_review(
    judging_pass: JudgingPass, judge: PanelJudge, run: Run, dimension: str = "pitfalls", **more: Any
) -> JudgeReview:
    """A review that is done, with a score of 0.5 unless another is given."""
    values = {
        "state": JudgeReview.State.DONE,
        "score": 0.5,
        "text": "The agent edited the file. It did not run the tests.",
        "run_try": run.tries,
        "shown_share": 1.0,
        **more,
    }
    return JudgeReview.objects.create(
        judging_pass=judging_pass, judge=judge, run=run, dimension=dimension, **values
    )


def add_evidence(review: JudgeReview, place: int = 1, **more: Any) -> ReviewEvidence:
    """A verified line of evidence at step 2."""
    values = {
        "aspect": "no verification",
        "severity": "medium",
        "quote": "I am done.",
        "step": 2,
        "found_step": 2,
        "status": ReviewEvidence.Status.VERIFIED,
        **more,
    }
    return ReviewEvidence.objects.create(review=review, place=place, **values)


def add_comparison(
    judging_pass: JudgingPass,
    judge: PanelJudge,
    pair: tuple[Run, Run],
    dimension: str = "end_result",
    **more: Any,
) -> RunComparison:
    """A comparison that is done: the first run is better by 3, unless another score is given."""
    one, two = pair
    values = {
        "state": RunComparison.State.DONE,
        "score": -3,
        "try_one": one.tries,
        "try_two": two.tries,
        "shown_one": 1.0,
        "shown_two": 1.0,
        **more,
    }
    return RunComparison.objects.create(
        judging_pass=judging_pass, judge=judge, run_one=one, run_two=two, dimension=dimension, **values
    )


def add_order(comparison: RunComparison, shown_first: int, score: int, **more: Any) -> ComparisonOrder:
    """A judge's answer for one order, with one verified quote of the run that it prefers."""
    values = {"state": RunComparison.State.DONE, "score": score, "text": "One run checks its work.", **more}
    order = ComparisonOrder.objects.create(comparison=comparison, shown_first=shown_first, **values)
    better = 1 if score <= 0 else 2
    ComparisonLine.objects.create(
        order=order,
        place=1,
        aspect="verification",
        winner="tie" if not score else f"A{better}",
        severity="medium",
        quote="pytest -q",
        quoted_run=better,
        step=7,
        found_step=7,
        part="call:1",
        status=ReviewEvidence.Status.VERIFIED,
    )
    return order


def add_rating(run: Run, dimension: str = "pitfalls", **more: Any) -> Rating:
    """A score of 0.5 by a person of the name p-ada, in the first round."""
    values = {
        "rater_name": "p-ada",
        "run_try": run.tries,
        "score": 0.5,
        "seconds": 60.0,
        "key": "0" * 32,
        **more,
    }
    return Rating.objects.create(run=run, dimension=dimension, **values)


def answer(**more: Any) -> Review:
    """The content of a review's file: done, with a score of 0.5 and one verified quote."""
    values: dict[str, Any] = {
        "key": "0" * 32,
        "run_id": "spring-tide/alice/harbour/tide-1/1",
        "try_number": 1,
        "trajectory_digest": "t" * 64,
        "judge": JudgeIdentity("Portia", "ada/Bench", "ada"),
        "dimension": "pitfalls",
        "dimension_digest": "d" * 64,
        "sample": 1,
        "state": ReviewState.DONE,
        "reason": "",
        "score": 0.5,
        "text": "The agent edited the file. It did not run the tests.",
        "evidence": (
            Evidence(
                "no verification", "medium", "I am done.", 2, "verified", 2, "message", 0, 10, "once", "other"
            ),
        ),
        "burden": 3,
        "answered_model": "bench-1",
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "cached_tokens": 800,
        "cost_usd": 0.01,
        "seconds": 2.5,
        "asks": 1,
        "shown_share": 0.75,
        "rendering_version": 1,
        "created_at": "2026-01-02T03:04:05Z",
    }
    return Review(**{**values, **more})


def add_summary(
    judging_pass: JudgingPass,
    judge: PanelJudge,
    runs: Sequence[Run],
    dimension: str = "pitfalls",
    *,
    others: Sequence[Run] = (),
    **more: Any,
) -> JudgeSummary:
    """A summary that is done, of the runs with the numbers 1, 2, … and one group of all of them."""
    values = {
        "state": JudgeSummary.State.DONE,
        "shown": len(runs),
        "agent": runs[0].agent,
        "other_agent": others[0].agent if others else None,
        "dataset": runs[0].task.repository.dataset,
        **more,
    }
    summary = JudgeSummary.objects.create(
        judging_pass=judging_pass, judge=judge, dimension=dimension, **values
    )
    for number, run in enumerate(runs, 1):
        SummarySource.objects.create(
            summary=summary,
            number=number,
            run=run,
            run_try=run.tries,
            other_run=others[number - 1] if others else None,
            step=2,
            score=-1.0 if others else None,
        )
    if not values.get("text"):
        SummaryGroup.objects.create(
            summary=summary,
            place=1,
            title="Unchecked claims",
            claim="The agent reported tests that it had not run.",
            numbers=[number for number, _ in enumerate(runs, 1)],
        )
    return summary
