"""What tests of management commands for tasks share."""

from __future__ import annotations

from functools import partial

import pytest

from harness.admission.admit import admit
from tasks.generation import admitting


@pytest.fixture
def proved_by_one_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated tasks are admitted after one test run of each kind.

    tests/runs/work/generation/test_generation_jobs.py shows that it is three without this.
    """
    monkeypatch.setattr(admitting, "admit", partial(admit, repeats=1))
