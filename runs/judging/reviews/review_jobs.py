"""What a worker does for a job: the queued reviews of one run by one judge, one after another.

So the requests about one run follow each other, and the provider's cache serves all but the first.
"""

from __future__ import annotations

from functools import cached_property, partial

from harness.judges.dimensions import dimension_named
from harness.judges.review import JudgedRun, key_of, review_directory, room
from harness.judges.review_file import REVIEWS, Review, read_stored
from harness.session import Control, stop_if_unwanted
from runs.judging.reviews.judge_jobs import JudgeDesk, JudgeRequest, due_work, spending_of, work_through
from runs.judging.reviews.pass_file import write_pass
from runs.judging.reviews.settling_reviews import copy_answer
from runs.models import JudgeReview


def review_run(pass_id: int, run_id: int, judge_id: int) -> None:
    """Makes all queued reviews of a run by a judge. A second or late call finds them claimed, and does nothing."""
    rows = JudgeReview.objects.filter(judging_pass=pass_id, run=run_id, judge=judge_id)
    reviews = list(due_work(rows, "run__evaluation"))
    work_through(reviews, lambda: ReviewDesk(reviews[0]))


class ReviewDesk(JudgeDesk[JudgeReview, Review]):
    """The reviews of one run by one judge: they share its text once it is rendered."""

    called = "a review"

    def __init__(self, review: JudgeReview) -> None:
        super().__init__(review.judge)
        self._directory = review.run.path

    @cached_property
    def _run(self) -> JudgedRun:
        """The run as judges see it. Raises ValueError if it has no readable trajectory."""
        return JudgedRun.read(self._directory, most_characters=room(self.client, self.judge))

    def request(self, review: JudgeReview, control: Control) -> JudgeRequest[Review]:
        """Raises ValueError if the run is gone."""
        if not self._directory.is_dir():
            raise ValueError("the directory of the run is gone")
        write_pass(self._directory, review.judging_pass)
        dimension = dimension_named(review.dimension)
        key = key_of(self._run, dimension, self.judge, review.sample)
        ask = partial(
            review_directory,
            self._directory,
            dimension,
            judge=self.judge,
            spending=spending_of(review, control),
            client=self.client,
            run=self._run,
            sample=review.sample,
            checkpoint=lambda: stop_if_unwanted(control),
        )
        file = self._directory / REVIEWS / f"{key}.json"
        return JudgeRequest(review.run, file, partial(read_stored, self._directory, key, Review), ask)

    def copy(self, row: JudgeReview, answer: Review, *, reused: bool) -> None:
        """With its evidence."""
        copy_answer(row, answer, reused=reused)
