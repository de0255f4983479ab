"""What a worker does for a job: the queued comparisons of two runs by one judge, one after another.

A comparison uses the stored reviews of both runs by the same judge. Its pass makes them first, so none is made here;
where one is not done, the comparison ends as *missing review*, and no judge is asked.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from harness.judges.dimensions import Dimension, dimension_named
from harness.judges.pairwise import Side, compare_directories, comparison_key
from harness.judges.review import JudgedRun, key_of, room
from harness.judges.review_file import (
    COMPARISONS,
    Comparison,
    Review,
    ReviewState,
    read_stored,
)
from harness.session import Control, stop_if_unwanted
from runs.judging.reviews.judge_jobs import (
    JudgeDesk,
    JudgeRequest,
    ReviewMissing,
    due_work,
    spending_of,
    work_through,
)
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.settling_comparisons import copy_comparison
from runs.models import JudgeReview, JudgeWork, RunComparison


def compare_pair(pass_id: int, one: int, two: int, judge_id: int) -> None:
    """Makes all queued comparisons of two runs by a judge. A second or late call finds them claimed, and does nothing.

    While the pass still reviews one of the runs, they stay queued; the sweeper enqueues them when it has.
    """
    reviews = JudgeReview.objects.filter(judging_pass=pass_id, run__in=(one, two), judge=judge_id)
    if reviews.filter(state__in=JudgeWork.OPEN).exists():
        return
    rows = RunComparison.objects.filter(judging_pass=pass_id, run_one=one, run_two=two, judge=judge_id)
    comparisons = list(due_work(rows, "run_one__evaluation", "run_two"))
    work_through(comparisons, lambda: ComparisonDesk(comparisons[0]))


class ComparisonDesk(JudgeDesk[RunComparison, Comparison]):
    """The comparisons of two runs by one judge. They share the runs as the judge sees them, by directory and length."""

    called = "a comparison"

    def __init__(self, comparison: RunComparison) -> None:
        super().__init__(comparison.judge)
        self._runs = (comparison.run_one, comparison.run_two)
        self._texts: dict[tuple[Path, int], JudgedRun] = {}

    def request(self, comparison: RunComparison, control: Control) -> JudgeRequest[Comparison]:
        """Raises ValueError for a run without a trajectory."""
        for run in self._runs:
            write_pass(run.path, comparison.judging_pass)
        dimension = dimension_named(comparison.dimension)
        sides = (self._side(1, dimension, comparison.sample), self._side(2, dimension, comparison.sample))
        directory = self._runs[0].path
        key = comparison_key(sides, dimension, self.judge, comparison.sample)
        ask = partial(
            compare_directories,
            directory,
            *sides,
            dimension,
            judge=self.judge,
            client=self.client,
            spending=lambda: spending_of(comparison, control),
            sample=comparison.sample,
            checkpoint=lambda: stop_if_unwanted(control),
        )
        file = directory / COMPARISONS / f"{key}.json"
        return JudgeRequest(self._runs[0], file, partial(read_stored, directory, key, Comparison), ask)

    def copy(self, row: RunComparison, answer: Comparison, *, reused: bool) -> None:
        """With both orders and their lines."""
        copy_comparison(row, answer, reused=reused)

    def _side(self, number: int, dimension: Dimension, sample: int) -> Side:
        """A run with its review. Raises ReviewMissing."""
        directory = self._runs[number - 1].path
        # The review was made of the text that fits alone; beside another run less may fit.
        key = key_of(self._text(directory, 1), dimension, self.judge, sample)
        review = read_stored(directory, key, Review)
        if review is None:
            raise ReviewMissing(f"There is no review of run {number}. Have it reviewed again.")
        if review.state is not ReviewState.DONE:
            raise ReviewMissing(f"The review of run {number} is {_words(review)}.")
        return Side(self._text(directory, 2), review)

    def _text(self, directory: Path, transcripts: int) -> JudgedRun:
        most = room(self.client, self.judge, transcripts=transcripts)
        if (directory, most) not in self._texts:
            self._texts[directory, most] = JudgedRun.read(directory, most_characters=most)
        return self._texts[directory, most]


def _words(review: Review) -> str:
    return f"{str(review.state).replace('_', ' ')}: {review.reason}"
