"""The numbers of the page of a generation."""

from __future__ import annotations

import pytest

from runs.models import GenerationJob
from runs.work.generation.generation_progress import REASONS, generation_progress
from tasks.generation.corrupting.candidates import Reason
from tests.runs.work.generation.made_jobs import COUNTS


def test_the_yield_has_a_column_for_each_reason_that_occurs() -> None:
    job = GenerationJob(kinds=["remove", "corrupt", "multi"], counts=COUNTS)

    found = generation_progress(job, {})

    assert found.reasons == ("too few tests fail",)
    remove, corrupt = found.kinds
    assert (remove.refused, remove.finished) == ((("too few tests fail", 2),), 3)
    assert remove.share == pytest.approx(1 / 3)
    assert (corrupt.refused, corrupt.finished, corrupt.share) == ((("too few tests fail", 0),), 0, None)
    assert (found.made, found.finished, found.admitted) == (6, 3, 1)
    assert found.waiting_kinds == ("multi",)
    assert [(task.slug, task.loaded) for task in found.tasks] == [("remove-1", None)]


def test_a_job_without_candidates_has_no_yield() -> None:
    assert generation_progress(GenerationJob(kinds=["remove"]), {}).kinds == ()


def test_each_reason_has_words() -> None:
    assert set(REASONS) == set(Reason)
