"""A probe has a result or a reason, and stays."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from runs.models import RecallProbe
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def test_a_probe_has_a_result_or_a_reason() -> None:
    cast = Cast()
    place: dict[str, Any] = {"model": cast.add_model("Analytical"), "task": cast.add_tasks(1)[0]}
    for wrong in (
        {},
        {"similarity": 0.5},
        {"equal": True},
        {"similarity": 1.5, "equal": True},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            RecallProbe.objects.create(**place, **wrong)
    RecallProbe.objects.create(**place, reason="refused")
    RecallProbe.objects.create(**place, prompt="2", similarity=1.0, equal=True)


def test_the_same_question_may_have_several_answers() -> None:
    cast = Cast()
    place: dict[str, Any] = {"model": cast.add_model("Analytical"), "task": cast.add_tasks(1)[0]}
    for _ in range(2):
        RecallProbe.objects.create(**place, prompt="1", task_digest="0" * 64, reason="refused")
    assert RecallProbe.objects.count() == 2


def test_what_was_paid_stays_when_its_model_or_task_is_deleted() -> None:
    cast = Cast()
    model, (task,) = cast.add_model("Analytical"), cast.add_tasks(1)
    RecallProbe.objects.create(model=model, task=task, reason="refused", cost_usd=0.5)
    for row in (model, task):
        with pytest.raises(ProtectedError):
            row.delete()
