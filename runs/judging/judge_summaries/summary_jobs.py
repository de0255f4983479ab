"""What a worker does for a job: the queued summaries of one agent in one dataset, or of two agents."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from harness.judges.review import room
from harness.judges.review_file import read_stored
from harness.judges.summary import TooFew, summarise_directory, summary_key
from harness.judges.summary_file import SUMMARIES, Summary
from harness.session import Control, stop_if_unwanted
from runs.judging.judge_summaries.settling_summaries import copy_summary
from runs.judging.judge_summaries.summary_sources import NumberedRuns, question_of
from runs.judging.reviews.judge_jobs import (
    JudgeDesk,
    JudgeRequest,
    ReviewMissing,
    due_work,
    spending_of,
    work_through,
)
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.pass_summaries import waiting_summaries
from runs.models import JudgeSummary, JudgeWork, Run
from runs.models.judge_summary import WHOLE


def summarise_topic(pass_id: int, dataset: int, agent: int, other_agent: int, judge: int) -> None:
    """Writes the queued summaries of a topic, that of the whole last. `other_agent`: 0 for none.

    While the pass still reviews or compares, they stay queued; they are enqueued when it has. A second or late call
    finds them claimed, and does nothing.
    """
    rows = JudgeSummary.objects.filter(
        judging_pass=pass_id, dataset=dataset, agent=agent, other_agent=other_agent or None, judge=judge
    )
    if not any(batch[1:5] == (dataset, agent, other_agent, judge) for batch in waiting_summaries(pass_id)):
        return
    parts = list(due_work(rows.exclude(dimension=WHOLE)))
    whole = list(due_work(rows.filter(dimension=WHOLE)))
    work_through(parts, lambda: SummaryDesk(parts[0].judge))
    if not rows.exclude(dimension=WHOLE).filter(state__in=JudgeWork.OPEN).exists():
        work_through(whole, lambda: SummaryDesk(whole[0].judge))


class SummaryDesk(JudgeDesk[JudgeSummary, Summary]):
    """The summaries of a topic. Of each, the runs that its answer names are kept until that is stored."""

    called = "a summary"
    _named: Mapping[str, Run]

    def request(self, summary: JudgeSummary, control: Control) -> JudgeRequest[Summary]:
        """Raises ReviewMissing if there are too few answers."""
        try:
            numbered = NumberedRuns.of(summary)
            first = numbered.runs[0]
            write_pass(first.path, summary.judging_pass)
            question = question_of(summary, numbered, room(self.client, self.judge))
        except TooFew as few:
            raise ReviewMissing(str(few)) from few
        self._named = {run.key: run for run in (*numbered.runs, *numbered.others) if run is not None}
        key = summary_key(self.judge, question)
        ask = partial(
            summarise_directory,
            first.path,
            question,
            judge=self.judge,
            client=self.client,
            spending=spending_of(summary, control),
            checkpoint=lambda: stop_if_unwanted(control),
        )
        file = first.path / SUMMARIES / f"{key}.json"
        return JudgeRequest(first, file, partial(read_stored, first.path, key, Summary), ask)

    def copy(self, row: JudgeSummary, answer: Summary, *, reused: bool) -> None:
        """With its groups and the runs that they name."""
        copy_summary(row, answer, self._named, reused=reused)
