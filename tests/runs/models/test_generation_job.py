"""Generations of tasks as rows."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from runs.models import GenerationJob
from tests.runs.cast import Cast
from tests.runs.work.generation.made_jobs import add_generation

pytestmark = pytest.mark.django_db
State = GenerationJob.State


def test_one_job_at_a_time_writes_into_a_repository() -> None:
    dataset = Cast().dataset
    job = add_generation(dataset, "harbour")
    add_generation(dataset, "harbour", state=State.FINISHED)
    add_generation(dataset, "lighthouse")
    with pytest.raises(IntegrityError), transaction.atomic():
        add_generation(dataset, "harbour", state=State.QUEUED)
    assert job.is_open
