"""Tasks from merged changes are written in the published forms from a shell."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tasks.generation.pulls.collecting import Collection
from tests.harness.worlds import write_tiny_dataset
from tests.tasks.generation.pulls.test_collecting import change_of, collect, collection

__all__ = ["collection"]  # a fixture


def test_a_dataset_is_written_in_both_forms(collection: Collection, tmp_path: Path) -> None:
    collect(collection, change_of("a"), change_of("b"))
    said = StringIO()
    call_command("export_tasks", str(collection.dataset), str(tmp_path / "all.jsonl"), stdout=said)
    assert said.getvalue() == f"2 tasks written to {tmp_path / 'all.jsonl'}\n"
    lines = (tmp_path / "all.jsonl").read_text().splitlines()
    assert [json.loads(line)["instance_id"] for line in lines] == ["calc__a", "calc__b"]
    call_command(
        "export_tasks", str(collection.dataset), str(tmp_path / "all"), "--form", "paper", stdout=said
    )
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["calc__a.json", "calc__b.json"]
    call_command("import_tasks", str(tmp_path / "all"), str(tmp_path / "all.jsonl"), stdout=said)
    assert said.getvalue().splitlines()[-1] == "4 of 4: readable"
    with pytest.raises(CommandError, match="exists: name another one"):
        call_command("export_tasks", str(collection.dataset), str(tmp_path / "all"))


def test_a_dataset_without_such_tasks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="holds no admitted task from a merged change"):
        call_command("export_tasks", str(write_tiny_dataset(tmp_path)), str(tmp_path / "none.jsonl"))
