"""What a worker does for a job: the queued summaries of one agent in one dataset, or of two agents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from harness.judges.panel import JudgeSpec
from harness.judges.review import client_of, room
from harness.judges.review_file import ReviewState, read_stored
from harness.judges.summary import TooFew, summarise_directory, summary_key
from harness.judges.summary_file import SUMMARIES, Summary
from harness.llm.client import Client
from harness.session import stop_if_unwanted
from runs.data.queries.filters import is_due
from runs.jobs.db_retry import with_retries
from runs.judging.judge_summaries.settling_summaries import settle_summary
from runs.judging.judge_summaries.summary_sources import NumberedRuns, question_of
from runs.judging.reviews.panel_specs import judge_spec
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.pass_summaries import waiting_summaries
from runs.judging.reviews.review_jobs import (
    WorkControl,
    claim_file,
    end_work,
    fail_try,
    has_room,
    spending_of,
    work_through,
)
from runs.models import JudgeSummary, JudgeWork, Run
from runs.models.judge_summary import WHOLE
from runs.work.execution.run_signature import sign_file


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
    queued = rows.filter(is_due(), state=JudgeWork.State.QUEUED)
    related = ("judging_pass__panel", "judge__model")
    parts = list(queued.exclude(dimension=WHOLE).select_related(*related).order_by("pk"))
    whole = list(queued.filter(dimension=WHOLE).select_related(*related))
    if not has_room([*parts, *whole]):
        return
    desk = cache(lambda: _SummaryDesk.of([*parts, *whole][0]))
    work_through(parts, lambda summary, control: _attempt(summary, desk(), control))
    if not rows.exclude(dimension=WHOLE).filter(state__in=JudgeWork.OPEN).exists():
        work_through(whole, lambda summary, control: _attempt(summary, desk(), control))


@dataclass(frozen=True, slots=True)
class _SummaryDesk:
    """What all summaries of a topic share."""

    judge: JudgeSpec
    client: Client

    @classmethod
    def of(cls, summary: JudgeSummary) -> _SummaryDesk:
        """Raises ConfigurationError for a judge that is invalid now."""
        judge = judge_spec(summary.judge)
        return cls(judge, client_of(judge))


def _attempt(summary: JudgeSummary, desk: _SummaryDesk, control: WorkControl) -> None:
    """Makes the answer of a claimed summary, or takes it from its file, and stores it."""
    try:
        numbered = NumberedRuns.of(summary)
        write_pass(numbered.runs[0].path, summary.judging_pass)
        answer, reused = _answer(summary, numbered, desk, control)
    except TooFew as few:
        end_work(summary, JudgeWork.State.NO_REVIEW, str(few))
        return
    if answer.state is ReviewState.FAILED:
        fail_try(summary, answer.reason)
        return
    runs: dict[str, Run] = {run.key: run for run in (*numbered.runs, *numbered.others) if run is not None}
    with_retries(lambda: settle_summary(summary, answer, runs, reused=reused), "a summary")


def _answer(
    summary: JudgeSummary, numbered: NumberedRuns, desk: _SummaryDesk, control: WorkControl
) -> tuple[Summary, bool]:
    """The summary from its file, or from the judge; and whether it is an earlier one. Raises TooFew."""
    first = numbered.runs[0]
    question = question_of(summary, numbered, room(desk.client, desk.judge))
    key = summary_key(desk.judge, question)
    claim_file(first, first.path / SUMMARIES / f"{key}.json")
    stored = read_stored(first.path, key, Summary)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored, True
    made = summarise_directory(
        first.path,
        question,
        judge=desk.judge,
        client=desk.client,
        spending=spending_of(summary, control),
        checkpoint=lambda: stop_if_unwanted(control),
    )
    sign_file(first.path / SUMMARIES / f"{made.key}.json")
    return made, False
