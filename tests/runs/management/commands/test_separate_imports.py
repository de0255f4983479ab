"""Runs that an earlier version imported are marked from a shell."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.models import Evaluation, Run
from runs.transfer.importing import import_runs
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


def test_the_command_says_how_many_and_a_broken_run_changes_nothing(tmp_path: Path, settings: Any) -> None:
    Elsewhere.knowing(Tiny(tmp_path).task).write(settings.RUNS_ROOT / "imported/elsewhere/run")
    import_runs(settings.RUNS_ROOT)
    Evaluation.objects.update(origin="")
    said = StringIO()
    call_command("separate_imports", stdout=said)
    assert said.getvalue() == "1 runs separated\n"

    Evaluation.objects.update(origin="")
    (settings.RUNS_ROOT / "imported/elsewhere/run/tests.json").unlink()
    with pytest.raises(CommandError, match="nothing was separated: "):
        call_command("separate_imports")
    assert Run.objects.count() == 1
