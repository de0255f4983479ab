"""A probe has a result or a reason."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

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
