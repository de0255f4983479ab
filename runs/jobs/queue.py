"""Jobs in Redis: for tries of runs, judges of runs, generations of tasks, uploads, and analysis pages.

The database has the full list of what to do. The sweeper enqueues again what Redis loses.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from redis import Redis, RedisError
from rq import Queue
from rq.job import Job

from runs.models import PlaySession, Run

log = logging.getLogger(__name__)

# The names of queues in Redis.
RUNS = "runs"
ANALYSIS = "answers"
REVIEWS = "reviews"
UPLOADS = "uploads"
ANALYSIS_SECONDS = 1800
MAX_ANALYSES = 50
BATCH = 500
RECOUNT = "recount-"
# The names of jobs in Redis. They do not depend on where the code is: an update finds jobs of the version before it.
# runs.work.execution.rq_workers maps them to functions.
EXECUTE_JOB = "execute"
RECOUNT_JOB = "recount_some"
ANALYSIS_JOB = "answer_all"
REVIEW_JOB = "review_run"
COMPARISON_JOB = "compare_pair"
SUMMARY_JOB = "summarise_topic"
GENERATION_JOB = "generate_tasks"
UPLOAD_JOB = "read_upload"
REGRADING_JOB = "regrade_run"
ACCEPTANCE_JOB = "import_accepted"
KEEP_RESULT_SECONDS = 3600
KEEP_FAILURE_SECONDS = 7 * 24 * 3600


def connection(*, patient: bool = False, hasty: bool = False) -> Redis:
    """A connection to the Redis of the settings; nothing is sent yet.

    A call fails after five seconds, or after one if `hasty`, so that no page hangs. Workers wait for jobs: they are
    `patient`, and their calls have no limit.
    """
    if hasty:
        return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    if patient:
        return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=5)
    return Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, socket_timeout=5)


def job_id(run: Run, try_number: int) -> str:
    """The id of the job of a try, so that no try is queued twice."""
    readable = re.sub(r"[^a-z0-9_-]+", "_", run.key)[:120]
    digest = hashlib.sha256(run.key.encode()).hexdigest()[:10]
    return f"{readable}-{digest}-try-{try_number}"


def enqueue_on_commit(runs: Iterable[Run]) -> None:
    """Enqueues the next try of each run once the current transaction is committed.

    Redis being down is logged, not raised: the runs are queued in the database, and the sweeper enqueues them later.
    """
    transaction.on_commit(partial(_enqueue_or_log, list(runs)))


def enqueue(runs: Iterable[Run]) -> int:
    """Enqueues the next try of each run that has no waiting job, now. Raises RedisError. Returns how many.

    Runs of people have no jobs: the person decides when they go on. A second job for a try does no harm: it finds the
    run claimed.
    """
    runs = list(runs)
    redis = connection()
    queue = Queue(RUNS, connection=redis)
    waiting = set(queue.get_job_ids())
    count = 0
    for start in range(0, len(runs), BATCH):
        batch = {job_id(run, run.tries + 1): run for run in runs[start : start + BATCH]}
        played = set(PlaySession.objects.filter(run__in=batch.values()).values_list("run_id", flat=True))
        fresh = {name: run for name, run in batch.items() if name not in waiting and run.pk not in played}
        queue.enqueue_many(
            [
                Queue.prepare_data(
                    EXECUTE_JOB,
                    args=(run.pk, run.tries + 1),
                    timeout=-1,  # the limits of the run end it
                    result_ttl=KEEP_RESULT_SECONDS,
                    failure_ttl=KEEP_FAILURE_SECONDS,
                    description=f"{run.key}, try {run.tries + 1}",
                    job_id=name,
                )
                for name, run in fresh.items()
            ]
        )
        count += len(fresh)
    return count


class ReviewBatch(NamedTuple):
    """The queued reviews of one run by one judge: one job, so that the requests share the provider's cache.

    `tries`: of these reviews so far, so that no batch is queued twice.
    """

    judging_pass: int
    run: int
    judge: int
    tries: int

    @property
    def job_id(self) -> str:
        """The id of its job."""
        return f"review-{self.judging_pass}-{self.run}-{self.judge}-{self.tries}"

    @property
    def job(self) -> str:
        """The name of its job."""
        return REVIEW_JOB


class ComparisonBatch(NamedTuple):
    """The queued comparisons of two runs by one judge: one job, which reads each run once. `tries`: as for reviews."""

    judging_pass: int
    run_one: int
    run_two: int
    judge: int
    tries: int

    @property
    def job_id(self) -> str:
        """The id of its job."""
        return f"compare-{'-'.join(map(str, self))}"

    @property
    def job(self) -> str:
        """The name of its job."""
        return COMPARISON_JOB


class SummaryBatch(NamedTuple):
    """The queued summaries of an agent in a dataset, or of two: one job. `other_agent`: 0 for none."""

    judging_pass: int
    dataset: int
    agent: int
    other_agent: int
    judge: int
    tries: int

    @property
    def job_id(self) -> str:
        """The id of its job."""
        return f"summarise-{'-'.join(map(str, self))}"

    @property
    def job(self) -> str:
        """The name of its job."""
        return SUMMARY_JOB


JudgeBatch = ReviewBatch | ComparisonBatch | SummaryBatch


def enqueue_reviews(batches: Iterable[JudgeBatch]) -> int:
    """Enqueues each batch that has no waiting job, now. Raises RedisError. Returns how many.

    A second job for a batch does no harm: it finds the reviews claimed.
    """
    batches = list(batches)
    if not batches:
        return 0
    queue = Queue(REVIEWS, connection=connection())
    waiting = set(queue.get_job_ids())
    fresh = [batch for batch in batches if batch.job_id not in waiting]
    for start in range(0, len(fresh), BATCH):
        queue.enqueue_many(
            [
                Queue.prepare_data(
                    batch.job,
                    args=batch[:-1],
                    timeout=-1,  # the limits of the calls end it
                    result_ttl=KEEP_RESULT_SECONDS,
                    failure_ttl=KEEP_FAILURE_SECONDS,
                    description=batch.job_id,
                    job_id=batch.job_id,
                )
                for batch in fresh[start : start + BATCH]
            ]
        )
    return len(fresh)


def enqueue_reviews_on_commit(batches: Iterable[JudgeBatch]) -> None:
    """Enqueues the batches once the current transaction is committed. Without Redis, the sweeper does it later."""
    transaction.on_commit(partial(_enqueue_reviews_or_log, list(batches)))


def enqueue_recount() -> bool:
    """Enqueues a recount of trajectories. Raises RedisError. False if one is queued."""
    queue = Queue(RUNS, connection=connection())
    if any(name.startswith(RECOUNT) for name in queue.get_job_ids()):
        return False
    queue.enqueue(
        RECOUNT_JOB,
        job_id=f"{RECOUNT}{secrets.token_hex(8)}",
        job_timeout=-1,
        result_ttl=KEEP_RESULT_SECONDS,
        failure_ttl=KEEP_FAILURE_SECONDS,
        description="count trajectories that are not counted, or by an older version",
    )
    return True


def enqueue_generations(waiting: Iterable[tuple[int, int]]) -> int:
    """Enqueues each generation of tasks that has no waiting job, by its number and tries. Raises RedisError.

    Returns how many. A second job for a try does no harm: it finds the generation claimed. They wait with the runs,
    because a worker of runs has a container at a time.
    """
    names = {f"generate-{number}-{tries}": (number, tries) for number, tries in waiting}
    if not names:
        return 0
    queue = Queue(RUNS, connection=connection())
    fresh = {name: of for name, of in names.items() if name not in set(queue.get_job_ids())}
    for name, of in fresh.items():
        queue.enqueue(
            GENERATION_JOB,
            *of,
            job_id=name,
            job_timeout=-1,
            result_ttl=KEEP_RESULT_SECONDS,
            failure_ttl=KEEP_FAILURE_SECONDS,
            description=name,
        )
    return len(fresh)


def enqueue_uploads(waiting: Iterable[tuple[int, int]]) -> int:
    """Enqueues each upload that has no waiting job, by its number and tries. Raises RedisError. Returns how many.

    A second job for a try does no harm: it finds the upload claimed.
    """
    return _enqueue_fresh(
        UPLOADS, UPLOAD_JOB, {f"upload-{number}-{tries}": (number, tries) for number, tries in waiting}
    )


def enqueue_regradings(waiting: Iterable[tuple[int, int]]) -> int:
    """The same for gradings of submitted runs. They wait with the runs, whose workers have a container at a time."""
    return _enqueue_fresh(
        RUNS, REGRADING_JOB, {f"regrade-{number}-{tries}": (number, tries) for number, tries in waiting}
    )


def enqueue_acceptances(submissions: Iterable[int]) -> int:
    """The same for imports of accepted submissions. A second job finds that one imported."""
    return _enqueue_fresh(UPLOADS, ACCEPTANCE_JOB, {f"accept-{number}": (number,) for number in submissions})


def _enqueue_fresh(name: str, job: str, wanted: Mapping[str, tuple[int, ...]]) -> int:
    """Enqueues a job for each of these ids that has no waiting one, with its arguments. Their own limits end them."""
    if not wanted:
        return 0
    queue = Queue(name, connection=connection())
    waiting = set(queue.get_job_ids())
    fresh = [
        Queue.prepare_data(
            job,
            args=arguments,
            timeout=-1,
            result_ttl=KEEP_RESULT_SECONDS,
            failure_ttl=KEEP_FAILURE_SECONDS,
            description=key,
            job_id=key,
        )
        for key, arguments in wanted.items()
        if key not in waiting
    ]
    for start in range(0, len(fresh), BATCH):
        queue.enqueue_many(fresh[start : start + BATCH])
    return len(fresh)


def enqueue_upload_on_commit(number: int, tries: int) -> None:
    """Enqueues an upload once the current transaction is committed. Without Redis, the sweeper does it later."""
    transaction.on_commit(partial(_or_log, enqueue_uploads, [(number, tries)]))


def enqueue_regradings_on_commit(waiting: Iterable[tuple[int, int]]) -> None:
    """The same for gradings of submitted runs."""
    transaction.on_commit(partial(_or_log, enqueue_regradings, list(waiting)))


def enqueue_acceptances_on_commit(submissions: Iterable[int]) -> None:
    """The same for imports of accepted submissions."""
    transaction.on_commit(partial(_or_log, enqueue_acceptances, list(submissions)))


def runs_wait() -> bool:
    """Whether any job waits for a worker of runs. False if Redis does not respond."""
    try:
        return bool(Queue(RUNS, connection=connection(hasty=True)).count)
    except RedisError:
        return False


def enqueue_generation_on_commit(number: int, tries: int) -> None:
    """Enqueues a generation once the current transaction is committed. Without Redis, the sweeper does it later."""
    transaction.on_commit(partial(_enqueue_generation_or_log, number, tries))


def enqueue_analysis(query: str) -> bool:
    """Enqueues the results of the analysis pages for the filter of a query string. Raises RedisError.

    False if the job is queued, or if the queue is too long for one more.
    """
    queue = Queue(ANALYSIS, connection=connection())
    name = f"answer-{hashlib.sha256(query.encode()).hexdigest()[:20]}"
    waiting = queue.get_job_ids()
    if name in waiting or len(waiting) >= MAX_ANALYSES:
        return False
    queue.enqueue(
        ANALYSIS_JOB,
        query,
        job_id=name,
        job_timeout=ANALYSIS_SECONDS,
        result_ttl=KEEP_RESULT_SECONDS,
        failure_ttl=KEEP_FAILURE_SECONDS,
        description=f"compute the analysis pages: {query or 'all runs'}",
    )
    return True


def forget(runs: Iterable[Run]) -> None:
    """Removes the waiting jobs of these runs. Errors are only logged: a job that stays does no harm."""
    try:
        redis = connection()
        names = [job_id(run, run.tries + 1) for run in runs]
        for job in Job.fetch_many(names, connection=redis):
            if job is not None:
                job.delete()
    except RedisError as error:
        log.warning(
            "Redis does not respond (%s): jobs of cancelled runs stay queued and will end at once", error
        )


def problem() -> str:
    """Why no job can start now, as a sentence for the operator; empty if Redis responds."""
    try:
        connection(hasty=True).ping()
    except RedisError as error:
        return f"Redis does not respond ({error}). Runs stay queued and start when it is back."
    return ""


def _enqueue_or_log(runs: list[Run]) -> None:
    try:
        enqueue(runs)
    except RedisError as error:
        log.error("Redis does not respond (%s): %d runs stay queued until it is back", error, len(runs))


def _enqueue_generation_or_log(number: int, tries: int) -> None:
    try:
        enqueue_generations([(number, tries)])
    except RedisError as error:
        log.error("Redis does not respond (%s): a generation stays queued until it is back", error)


def _or_log(enqueue_them: Callable[[Any], int], waiting: Sequence[Any]) -> None:
    try:
        enqueue_them(waiting)
    except RedisError as error:
        log.error("Redis does not respond (%s): %d jobs wait until it is back", error, len(waiting))


def _enqueue_reviews_or_log(batches: list[JudgeBatch]) -> None:
    try:
        enqueue_reviews(batches)
    except RedisError as error:
        log.error("Redis does not respond (%s): reviews stay queued until it is back", error)
