"""Runs are checked against the tasks of this site."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from runs.transfer.import_tasks import check_against_task, tasks_of
from runs.transfer.run_directories import ImportRefused, find_runs
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


def test_a_run_needs_its_task_in_its_version_with_a_proof(tmp_path: Path) -> None:
    task = Tiny(tmp_path / "tiny").task
    Elsewhere.knowing(task).write(tmp_path / "run")
    (found,) = find_runs(tmp_path / "run", in_place=False)
    assert tasks_of([found])["calc", "add-negatives"] == task
    check_against_task(found, task)

    old = replace(
        found, summary=replace(found.summary, identity=replace(found.identity, task_digest="0" * 64))
    )
    with pytest.raises(ImportRefused, match=r"another version of the task tiny/calc/add-negatives"):
        tasks_of([old])
    task.store_proof(None)
    with pytest.raises(ImportRefused, match="is not admitted here: its tests are unknown"):
        check_against_task(found, task)
