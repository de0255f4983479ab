"""Which summaries a judging pass writes, and which of them can be written now.

One for each dimension and one of the whole, for each agent in each dataset: a text about several agents would be about
none of them. The panel's first judge writes them, from the reviews of all its judges: a reader wants one text, and more
judges would only word the same reviews again, each at the full price.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from harness.judges.summary import MIN_RUNS
from runs.data.queries.filters import is_due
from runs.models import (
    FAULT_CATALOGUE,
    JudgeReview,
    JudgeSummary,
    JudgeWork,
    JudgingPass,
    PanelJudge,
    Run,
    RunComparison,
)
from runs.models.judge_summary import WHOLE


class SummaryTopic(NamedTuple):
    """What a summary is about: the runs of an agent in a dataset, or their pairs with those of another agent."""

    dataset: int
    agent: int
    other_agent: int | None = None


class SummaryBatch(NamedTuple):
    """The queued summaries of an agent in a dataset, or of two: one job. `other_agent`: 0 for none."""

    judging_pass: int
    dataset: int
    agent: int
    other_agent: int
    judge: int
    tries: int


def summary_topics(runs: Sequence[Run], pairs: Sequence[tuple[Run, Run]] = ()) -> dict[SummaryTopic, int]:
    """The topics with enough runs, or enough `pairs`, with their numbers. Runs of the fault catalogue have none."""
    counts: dict[SummaryTopic, int] = defaultdict(int)
    known = _datasets(runs)
    for run in () if pairs else runs:
        counts[SummaryTopic(known.get(run.pk, 0), run.agent_id)] += 1
    for one, two in pairs:
        counts[SummaryTopic(known.get(one.pk, 0), one.agent_id, two.agent_id)] += 1
    return {
        topic: count
        for topic, count in sorted(counts.items(), key=repr)
        if topic.dataset and count >= MIN_RUNS
    }


def planned_summaries(
    started: JudgingPass,
    judges: Sequence[PanelJudge],
    runs: Sequence[Run],
    pairs: Sequence[tuple[Run, Run]],
) -> Iterable[JudgeSummary]:
    """The rows, the dimensions before the whole. Not stored yet."""
    return [
        JudgeSummary(
            judging_pass=started,
            judge=judges[0],
            dataset_id=topic.dataset,
            agent_id=topic.agent,
            other_agent_id=topic.other_agent,
            dimension=dimension,
        )
        for topic in summary_topics(runs, pairs)
        for dimension in (*started.panel.dimensions, WHOLE)
    ]


def waiting_summaries(pass_id: int | None = None) -> list[SummaryBatch]:
    """The topics with a summary that is due, of passes without open reviews and comparisons; of all, or of one pass.

    The summary of the whole waits for those of the dimensions.
    """
    open_rows = JudgeSummary.objects.filter(state__in=JudgeWork.OPEN)
    if pass_id is not None:
        open_rows = open_rows.filter(judging_pass=pass_id)
    groups = ("judging_pass_id", "dataset_id", "agent_id", "other_agent_id", "judge_id")
    of_dimension, is_open = ~Q(dimension=WHOLE), Q(state__in=JudgeWork.OPEN)
    due = Q(is_due(), state=JudgeWork.State.QUEUED)
    counted = (
        JudgeSummary.objects.filter(judging_pass__in=open_rows.order_by().values("judging_pass"))
        .order_by()
        .values_list(*groups)
        .annotate(
            total=Sum("tries"),
            running=Count("pk", filter=Q(state=JudgeWork.State.RUNNING)),
            dimensions=Count("pk", filter=is_open & of_dimension),
            due_dimensions=Count("pk", filter=due & of_dimension),
            due_whole=Count("pk", filter=due & Q(dimension=WHOLE)),
        )
    )
    batches = [
        SummaryBatch(judging_pass, dataset, agent, other or 0, judge, tries)
        for judging_pass, dataset, agent, other, judge, tries, running, dimensions, due_now, whole in counted
        if not running and (due_now or (whole and not dimensions))
    ]
    waited_for = _still_open({batch.judging_pass for batch in batches})
    return [batch for batch in batches if batch.judging_pass not in waited_for]


def _still_open(passes: set[int]) -> set[int]:
    """Those of these passes that have open reviews or comparisons."""
    found: set[int] = set()
    kinds: tuple[type[JudgeReview] | type[RunComparison], ...] = (JudgeReview, RunComparison)
    for work in kinds if passes else ():
        rows: QuerySet[JudgeReview] | QuerySet[RunComparison] = work.objects.filter(
            judging_pass__in=passes, state__in=JudgeWork.OPEN
        )
        found.update(rows.order_by().values_list("judging_pass", flat=True).distinct())
    return found


def _datasets(runs: Sequence[Run]) -> dict[int, int]:
    """Run → its dataset, without runs of the fault catalogue. One query for each 500 runs."""
    found: dict[int, int] = {}
    numbers = [run.pk for run in runs]
    for start in range(0, len(numbers), 500):
        rows = Run.objects.filter(pk__in=numbers[start : start + 500])
        rows = rows.exclude(evaluation__origin=FAULT_CATALOGUE)
        found.update(rows.values_list("pk", "task__repository__dataset"))
    return found
