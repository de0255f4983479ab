"""What a summary is made from: the stored answers about the runs of its topic, numbered from 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from harness.judges.dimensions import dimension_named, dimensions
from harness.judges.review_file import Comparison, Review, ReviewState, read_stored
from harness.judges.summary import (
    ComparedPair,
    ReviewedRun,
    SummaryQuestion,
    TooFew,
    question_of_comparisons,
    question_of_reviews,
    question_of_summaries,
)
from harness.judges.summary_file import Summary
from runs.models import JudgeReview, JudgeSummary, JudgeWork, Run, RunComparison
from runs.models.judge_summary import WHOLE


@dataclass(frozen=True, slots=True)
class NumberedRuns:
    """The runs of a topic in the order of their numbers; of comparisons, with those of the other agent."""

    runs: tuple[Run, ...]
    others: tuple[Run | None, ...]

    @classmethod
    def of(cls, summary: JudgeSummary) -> NumberedRuns:
        """All runs or pairs of the topic in the pass, also those without a score. Raises TooFew for none."""
        if summary.other_agent_id is None:
            reviews = _reviews(summary).order_by().values("run")
            runs = tuple(Run.objects.filter(pk__in=reviews).select_related("evaluation").order_by("pk"))
            others: tuple[Run | None, ...] = (None,) * len(runs)
        else:
            rows = _comparisons(summary).select_related("run_one__evaluation", "run_two")
            pairs = {(row.run_one_id, row.run_two_id): row for row in rows.order_by("pk")}
            ordered = [pairs[key] for key in sorted(pairs)]
            runs = tuple(row.run_one for row in ordered)
            others = tuple(row.run_two for row in ordered)
        if not runs:
            raise TooFew("None of its runs is here any more.")
        return cls(runs, others)


def question_of(summary: JudgeSummary, numbered: NumberedRuns, most_characters: int) -> SummaryQuestion:
    """What the judge is asked. Raises TooFew, ConfigurationError for an unknown dimension, ReviewFileError."""
    if summary.dimension == WHOLE:
        return _whole(summary, numbered)
    dimension = dimension_named(summary.dimension)
    if summary.other_agent_id is None:
        reviewed = _reviewed(summary, numbered.runs)
        return question_of_reviews(dimension, reviewed, most_characters=most_characters)
    return question_of_comparisons(dimension, _compared(summary, numbered), most_characters=most_characters)


def _whole(summary: JudgeSummary, numbered: NumberedRuns) -> SummaryQuestion:
    rows = JudgeSummary.objects.filter(
        judging_pass=summary.judging_pass_id,
        dataset=summary.dataset_id,
        agent=summary.agent_id,
        other_agent=summary.other_agent_id,
        judge=summary.judge_id,
        state=JudgeWork.State.DONE,
    )
    keys = rows.exclude(dimension=WHOLE).order_by("pk").values_list("key", flat=True)
    parts = [read_stored(numbered.runs[0].path, key, Summary) for key in keys]
    titles = {name: each.title for name, each in dimensions().items()}
    return question_of_summaries(titles, [part for part in parts if part is not None])


def _reviewed(summary: JudgeSummary, runs: Sequence[Run]) -> list[ReviewedRun]:
    keys: dict[int, list[str]] = defaultdict(list)
    rows = _reviews(summary).filter(dimension=summary.dimension, state=JudgeWork.State.DONE)
    for run, key in rows.order_by("judge_id", "sample", "pk").values_list("run", "key"):
        keys[run].append(key)
    return [ReviewedRun(run.key, run.tries, _read_reviews(run, keys[run.pk])) for run in runs]


def _compared(summary: JudgeSummary, numbered: NumberedRuns) -> list[ComparedPair]:
    keys: dict[tuple[int, int], list[str]] = defaultdict(list)
    rows = _comparisons(summary).filter(dimension=summary.dimension, state=JudgeWork.State.DONE)
    for first, second, key in rows.order_by("judge_id", "sample", "pk").values_list(
        "run_one", "run_two", "key"
    ):
        keys[first, second].append(key)
    found = []
    for one, other in zip(numbered.runs, numbered.others, strict=True):
        assert other is not None, "topics of two agents have pairs"
        made = _read_comparisons(one, keys[one.pk, other.pk])
        found.append(ComparedPair((_compared_run(one, made, 0), _compared_run(other, made, 1)), made))
    return found


def _compared_run(run: Run, comparisons: Sequence[Comparison], place: int) -> ReviewedRun:
    """One run of a pair, with the reviews from which its comparisons were computed."""
    keys = [each.runs[place].review for each in comparisons if each.computed]
    return ReviewedRun(run.key, run.tries, _read_reviews(run, keys))


def _read_reviews(run: Run, keys: Sequence[str]) -> tuple[Review, ...]:
    """Those that are there and done; a run may have lost its files."""
    found = [read_stored(run.path, key, Review) for key in dict.fromkeys(keys) if key]
    return tuple(each for each in found if each is not None and each.state is ReviewState.DONE)


def _read_comparisons(run: Run, keys: Sequence[str]) -> tuple[Comparison, ...]:
    found = [read_stored(run.path, key, Comparison) for key in dict.fromkeys(keys) if key]
    return tuple(each for each in found if each is not None and each.state is ReviewState.DONE)


def _reviews(summary: JudgeSummary) -> QuerySet[JudgeReview]:
    return JudgeReview.objects.filter(
        judging_pass=summary.judging_pass_id,
        run__agent=summary.agent_id,
        run__task__repository__dataset=summary.dataset_id,
    )


def _comparisons(summary: JudgeSummary) -> QuerySet[RunComparison]:
    return RunComparison.objects.filter(
        judging_pass=summary.judging_pass_id,
        run_one__agent=summary.agent_id,
        run_two__agent=summary.other_agent_id,
        run_one__task__repository__dataset=summary.dataset_id,
    )
