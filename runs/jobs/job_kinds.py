"""All kinds of background work. A new kind is a module with what it does, and its line here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.module_loading import import_string
from rq import Queue
from rq.queue import EnqueueData

from runs.jobs.swept_work import SweptWork
from runs.models import PlaySession, Run

# The names of queues in Redis.
RUNS = "runs"
ANALYSIS = "answers"
REVIEWS = "reviews"
UPLOADS = "uploads"
KEEP_RESULT_SECONDS = 3600
KEEP_FAILURE_SECONDS = 7 * 24 * 3600
NO_LIMIT = -1  # in seconds: the limits of the work itself end it


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of background work.

    `job`: the name of its jobs in Redis, which does not depend on where the code is: an update finds the jobs of the
    version before it. '': it has none, the sweeper alone works on it. `function`: the dotted name of what a worker
    calls for a job. `prefix`: how the ids of its jobs begin. `sweeping`: the dotted name of the `SweptWork` by which
    the sweeper looks after it; '' if nothing has to. `stays`: what the log says of rows without a job, if Redis does
    not respond. Dotted names are imported when they are needed: they lie on higher layers, and a worker of one queue
    does not need the code of the other.
    """

    job: str = ""
    queue: str = ""
    function: str = ""
    prefix: str = ""
    sweeping: str = ""
    stays: str = "{} jobs wait"

    def jobs(self, rows: Sequence[Any]) -> list[EnqueueData]:
        """The jobs of queued rows. The number of tries is part of the id, so that no try is queued twice."""
        return [self.made(f"{self.prefix}-{row.pk}-{row.tries}", (row.pk, row.tries)) for row in rows]

    def made(
        self, job_id: str, arguments: tuple[object, ...], description: str = "", seconds: int = NO_LIMIT
    ) -> EnqueueData:
        """One job, as RQ enqueues it."""
        return Queue.prepare_data(
            self.job,
            args=arguments,
            timeout=seconds,
            result_ttl=KEEP_RESULT_SECONDS,
            failure_ttl=KEEP_FAILURE_SECONDS,
            description=description or job_id,
            job_id=job_id,
        )

    def swept_work(self) -> SweptWork[Any]:
        """How the sweeper looks after it."""
        work: SweptWork[Any] = import_string(self.sweeping)()
        return work

    def imported_function(self) -> Callable[..., object]:
        """What a worker calls."""
        function: Callable[..., object] = import_string(self.function)
        return function


class TryKind(Kind):
    """The next try of a run. Runs of people have no jobs: the person decides when they go on."""

    def jobs(self, rows: Sequence[Run]) -> list[EnqueueData]:
        """With ids and descriptions that name the run."""
        played = set(PlaySession.objects.filter(run__in=rows).values_list("run_id", flat=True))
        return [
            self.made(try_id(run, run.tries + 1), (run.pk, run.tries + 1), f"{run.key}, try {run.tries + 1}")
            for run in rows
            if run.pk not in played
        ]


class BatchKind(Kind):
    """Rows that one job takes together: a row here is the tuple of what they share, and last the sum of their tries."""

    def jobs(self, rows: Sequence[tuple[int, ...]]) -> list[EnqueueData]:
        """The function gets the tuple without the tries."""
        return [self.made("-".join((self.prefix, *map(str, batch))), batch[:-1]) for batch in rows]


class AcceptanceKind(Kind):
    """Submissions, whose imports have no tries: a lock keeps a second one away."""

    def jobs(self, rows: Sequence[Any]) -> list[EnqueueData]:
        """One job for each submission."""
        return [self.made(f"{self.prefix}-{submission.pk}", (submission.pk,)) for submission in rows]


def try_id(run: Run, try_number: int) -> str:
    """The id of the job of a try."""
    readable = re.sub(r"[^a-z0-9_-]+", "_", run.key)[:120]
    digest = hashlib.sha256(run.key.encode()).hexdigest()[:10]
    return f"{readable}-{digest}-try-{try_number}"


EXECUTE = TryKind(
    "execute",
    RUNS,
    "runs.work.execution.jobs.execute",
    sweeping="runs.work.execution.sweeper.TryWork",
    stays="{} runs stay queued",
)
RECOUNT = Kind("recount_some", RUNS, "runs.work.execution.jobs.recount_some", "recount")
ANSWER = Kind("answer_all", ANALYSIS, "runs.reporting.topics.computing.compute_topics", "answer")
REVIEW = BatchKind(
    "review_run",
    REVIEWS,
    "runs.judging.reviews.review_jobs.review_run",
    "review",
    "runs.judging.reviews.settling_reviews.ReviewSweep",
    stays="reviews stay queued",
)
COMPARE = BatchKind(
    "compare_pair",
    REVIEWS,
    "runs.judging.reviews.comparison_jobs.compare_pair",
    "compare",
    "runs.judging.reviews.settling_reviews.ComparisonSweep",
    stays="reviews stay queued",
)
SUMMARISE = BatchKind(
    "summarise_topic",
    REVIEWS,
    "runs.judging.judge_summaries.summary_jobs.summarise_topic",
    "summarise",
    "runs.judging.reviews.settling_reviews.SummarySweep",
    stays="reviews stay queued",
)
# Workers of runs have a container at a time, so other work in containers waits with the runs.
GENERATE = Kind(
    "generate_tasks",
    RUNS,
    "runs.work.generation.generating.generate_tasks",
    "generate",
    "runs.work.generation.generation_jobs.GenerationWork",
    stays="a generation stays queued",
)
REGRADE = Kind(
    "regrade_run",
    RUNS,
    "runs.intake.submissions.regrading.regrade_run",
    "regrade",
    "runs.intake.submissions.regrading.RegradingWork",
)
READ_UPLOAD = Kind(
    "read_upload",
    UPLOADS,
    "runs.intake.uploads.reading_uploads.read_upload",
    "upload",
    "runs.intake.uploads.upload_jobs.UploadWork",
)
ACCEPT = AcceptanceKind(
    "import_accepted",
    UPLOADS,
    "runs.intake.submissions.deciding.import_accepted",
    "accept",
    "runs.intake.submissions.deciding.AcceptanceWork",
)
# By a worker of reviews: it has the keys of models, and its jobs are short.
CHECK_MODEL = Kind(
    "check_model", REVIEWS, "runs.operations.agent_setup.model_checks.run_check", "check-model"
)
START_PASSES = Kind(sweeping="runs.judging.reviews.settling_reviews.PassSweep")
CHECK_REGRESSIONS = Kind(sweeping="runs.judging.regression_checks.sweeping_regressions.RegressionSweep")
INDEX_TEXTS = Kind(sweeping="runs.work.execution.text_sweep.TextSweep")

# The sweeper looks after them in this order.
KINDS = (
    EXECUTE,
    REVIEW,
    COMPARE,
    SUMMARISE,
    START_PASSES,
    CHECK_REGRESSIONS,
    GENERATE,
    READ_UPLOAD,
    REGRADE,
    ACCEPT,
    INDEX_TEXTS,
    RECOUNT,
    ANSWER,
    CHECK_MODEL,
)


def kind_of_job(name: str) -> Kind | None:
    """The kind whose jobs have this name in Redis; None if this version has none."""
    return next((kind for kind in KINDS if name and kind.job == name), None)


def swept_kinds() -> list[Kind]:
    """The kinds that the sweeper looks after."""
    return [kind for kind in KINDS if kind.sweeping]
