"""Failed tests of near misses are read from their run directories."""

from __future__ import annotations

import pytest

from runs.models import Run
from runs.reporting.reports.gather import gather
from tests.runs.reporting.reports.world import report_of, section, tides

pytestmark = pytest.mark.django_db


def test_unreadable_tests_are_unknown() -> None:
    cast = tides()
    broken, whole = Run.objects.filter(agent__slug="alice", task__slug="tide-2").order_by("attempt")
    (broken.path / "tests.json").write_text("{")
    assert set(gather([cast.evaluation]).options.failed_tests) == {whole.pk}
    misses = section(report_of(cast.evaluation), "### Near misses")
    assert misses.endswith("| test\\_7 (1 of 1); unknown in 1 of 2 attempts |")
