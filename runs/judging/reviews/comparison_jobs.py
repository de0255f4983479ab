"""What a worker does for a job: the queued comparisons of two runs by one judge, one after another.

A comparison uses the stored reviews of both runs by the same judge. Its pass makes them first, so none is made here;
where one is not done, the comparison ends as *missing review*, and no judge is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from harness.judges.dimensions import Dimension, dimension_named
from harness.judges.pairwise import Side, compare_directories, comparison_key
from harness.judges.panel import JudgeSpec
from harness.judges.review import JudgedRun, client_of, key_of, room
from harness.judges.review_file import COMPARISONS, Comparison, Review, ReviewState, read_stored
from harness.llm.client import Client
from harness.session import stop_if_unwanted
from runs.data.queries.filters import is_due
from runs.jobs.db_retry import with_retries
from runs.judging.reviews.panel_specs import judge_spec
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.review_jobs import (
    WorkControl,
    claim_file,
    end_work,
    fail_try,
    has_room,
    spending_of,
    work_through,
)
from runs.judging.reviews.settling_comparisons import settle_comparison
from runs.models import JudgeReview, JudgeWork, Run, RunComparison
from runs.work.execution.run_signature import sign_file


def compare_pair(pass_id: int, one: int, two: int, judge_id: int) -> None:
    """Makes all queued comparisons of two runs by a judge. A second or late call finds them claimed, and does nothing.

    While the pass still reviews one of the runs, they stay queued; the sweeper enqueues them when it has.
    """
    reviews = JudgeReview.objects.filter(judging_pass=pass_id, run__in=(one, two), judge=judge_id)
    if reviews.filter(state__in=JudgeWork.OPEN).exists():
        return
    queued = list(
        RunComparison.objects.filter(
            is_due(),
            judging_pass=pass_id,
            run_one=one,
            run_two=two,
            judge=judge_id,
            state=JudgeWork.State.QUEUED,
        )
        .select_related("judging_pass__panel", "judge__model", "run_one__evaluation", "run_two")
        .order_by("sample", "pk")
    )
    if has_room(queued):
        table = cache(lambda: _Table.of(queued[0]))
        work_through(queued, lambda comparison, control: _attempt(comparison, table(), control))


class _ReviewMissing(Exception):
    """There is no review of one of the runs. The message says which, and why."""


@dataclass(slots=True)
class _Table:
    """What all comparisons of two runs by one judge share. `texts`: each run as the judge sees it, by directory."""

    runs: tuple[Run, Run]
    judge: JudgeSpec
    client: Client
    texts: dict[tuple[Path, int], JudgedRun] = field(default_factory=dict)

    @classmethod
    def of(cls, comparison: RunComparison) -> _Table:
        """Raises ConfigurationError for a judge that is invalid now."""
        judge = judge_spec(comparison.judge)
        return cls((comparison.run_one, comparison.run_two), judge, client_of(judge))

    def sides(self, dimension: Dimension, sample: int) -> tuple[Side, Side]:
        """Both runs with their reviews. Raises _ReviewMissing, and ValueError for a run without a trajectory."""
        one, two = (self._side(number, dimension, sample) for number in (1, 2))
        return one, two

    def _side(self, number: int, dimension: Dimension, sample: int) -> Side:
        directory = self.runs[number - 1].path
        # The review was made of the text that fits alone; beside another run less may fit.
        key = key_of(self._text(directory, 1), dimension, self.judge, sample)
        review = read_stored(directory, key, Review)
        if review is None:
            raise _ReviewMissing(f"There is no review of run {number}. Have it reviewed again.")
        if review.state is not ReviewState.DONE:
            raise _ReviewMissing(f"The review of run {number} is {_words(review)}.")
        return Side(self._text(directory, 2), review)

    def _text(self, directory: Path, transcripts: int) -> JudgedRun:
        most = room(self.client, self.judge, transcripts=transcripts)
        if (directory, most) not in self.texts:
            self.texts[directory, most] = JudgedRun.read(directory, most_characters=most)
        return self.texts[directory, most]


def _words(review: Review) -> str:
    return f"{str(review.state).replace('_', ' ')}: {review.reason}"


def _attempt(comparison: RunComparison, table: _Table, control: WorkControl) -> None:
    """Makes the answer of a claimed comparison, or takes it from its file, and stores it."""
    for run in table.runs:
        write_pass(run.path, comparison.judging_pass)
    try:
        answer, reused = _answer(comparison, table, control)
    except _ReviewMissing as missing:
        end_work(comparison, JudgeWork.State.NO_REVIEW, str(missing))
        return
    if answer.state is ReviewState.FAILED:
        fail_try(comparison, answer.reason)
    else:
        with_retries(lambda: settle_comparison(comparison, answer, reused=reused), "a comparison")


def _answer(comparison: RunComparison, table: _Table, control: WorkControl) -> tuple[Comparison, bool]:
    """The comparison from its file, or from the judge; and whether it is an earlier one."""
    dimension = dimension_named(comparison.dimension)
    sides = table.sides(dimension, comparison.sample)
    directory = table.runs[0].path
    key = comparison_key(sides, dimension, table.judge, comparison.sample)
    claim_file(table.runs[0], directory / COMPARISONS / f"{key}.json")
    stored = read_stored(directory, key, Comparison)
    if stored is not None and stored.state is ReviewState.DONE:
        return stored, True
    made = compare_directories(
        directory,
        *sides,
        dimension,
        judge=table.judge,
        client=table.client,
        spending=lambda: spending_of(comparison, control),
        sample=comparison.sample,
        checkpoint=lambda: stop_if_unwanted(control),
    )
    sign_file(directory / COMPARISONS / f"{made.key}.json")
    return made, False
