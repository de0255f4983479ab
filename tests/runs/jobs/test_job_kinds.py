"""The names, ids and arguments of jobs in Redis, as the versions before wrote them."""

from __future__ import annotations

import pytest
from django.utils.module_loading import import_string

from runs.jobs.job_kinds import (
    ACCEPT,
    COMPARE,
    EXECUTE,
    GENERATE,
    KINDS,
    READ_UPLOAD,
    REGRADE,
    REVIEW,
    SUMMARISE,
    Kind,
    kind_of_job,
    try_id,
)
from runs.models import GenerationJob, Run, Submission, SubmittedRun, Upload

# As the version 509a4b75 wrote them, by the name of the job: queue, id and arguments.
WRITTEN = {
    "review_run": ("reviews", "review-1-2-3-4", (1, 2, 3)),
    "compare_pair": ("reviews", "compare-1-2-3-4-5", (1, 2, 3, 4)),
    "summarise_topic": ("reviews", "summarise-1-2-3-0-5-6", (1, 2, 3, 0, 5)),
    "generate_tasks": ("runs", "generate-7-2", (7, 2)),
    "regrade_run": ("runs", "regrade-7-2", (7, 2)),
    "read_upload": ("uploads", "upload-7-2", (7, 2)),
    "import_accepted": ("uploads", "accept-7", (7,)),
}
ROWS: dict[Kind, object] = {
    REVIEW: (1, 2, 3, 4),
    COMPARE: (1, 2, 3, 4, 5),
    SUMMARISE: (1, 2, 3, 0, 5, 6),
    GENERATE: GenerationJob(pk=7, tries=2),
    REGRADE: SubmittedRun(pk=7, tries=2),
    READ_UPLOAD: Upload(pk=7, tries=2),
    ACCEPT: Submission(pk=7),
}


@pytest.mark.parametrize("kind", ROWS, ids=lambda kind: kind.job)
def test_jobs_have_the_ids_and_arguments_of_the_version_before(kind: Kind) -> None:
    (job,) = kind.jobs([ROWS[kind]])
    assert (kind.queue, job.job_id, job.args) == WRITTEN[kind.job]
    assert (job.func, job.timeout, job.description) == (kind.job, -1, job.job_id)


@pytest.mark.django_db
def test_the_job_of_a_try_names_its_run() -> None:
    (job,) = EXECUTE.jobs([Run(pk=7, key="harbour", tries=1)])
    assert (job.func, job.job_id, job.args) == ("execute", "harbour-aa74f6fd03-try-2", (7, 2))
    assert job.description == "harbour, try 2"


def test_every_dotted_name_can_be_imported() -> None:
    for kind in KINDS:
        assert kind.sweeping or kind.job
        if kind.job:
            assert callable(import_string(kind.function)), kind.job
            assert kind_of_job(kind.job) is kind
    assert kind_of_job("") is kind_of_job("other") is None


def test_the_id_of_a_job_is_readable_and_one_for_each_try() -> None:
    run = Run(key="spring/alice/harbour/tide 1/Ä")

    name = try_id(run, 2)

    assert name.startswith("spring_alice_harbour_tide_1_-")
    assert name.endswith("-try-2")
    assert try_id(run, 3) != name
    assert try_id(Run(key="spring/alice/harbour/tide 1_"), 2) != name


def test_the_id_of_a_long_key_is_bounded_and_distinct() -> None:
    one, other = (try_id(Run(key="k" * 290 + end), 1) for end in "ab")

    assert one != other
    assert len(one) == 120 + len("-0123456789-try-1")
