"""Runs are imported from a shell, each path whole or not at all."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from runs.models import Run
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def archive(tmp_path: Path, redis: RedisServer) -> Path:
    """One run of another site."""
    return Elsewhere.knowing(Tiny(tmp_path).task).write(tmp_path / "run")


def test_new_and_known_runs_are_counted_for_each_path(archive: Path) -> None:
    said = StringIO()
    call_command("import_runs", archive, archive, stdout=said)
    assert said.getvalue() == (f"{archive}: 1 new run\n{archive}: 1 known run\n")


def test_paths_before_a_refused_one_stay_imported_and_later_ones_wait(archive: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"no archive")
    with pytest.raises(CommandError, match=r"^nothing of .*broken\.zip was imported: "):
        call_command("import_runs", archive, broken, tmp_path / "later", stdout=StringIO())
    assert Run.objects.count() == 1
