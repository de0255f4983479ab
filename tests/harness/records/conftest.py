"""The recorder of a run that has just begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records import RunRecorder
from harness.redaction import Redactor
from tests.harness.records.made import IDENTITY


@pytest.fixture
def recorder(tmp_path: Path) -> RunRecorder:
    return RunRecorder(tmp_path / "run", IDENTITY, redactor=Redactor({'sk-"secret"': "[KEY]"}))
