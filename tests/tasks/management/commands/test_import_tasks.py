"""Published tasks are judged from a shell."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.tasks.generation.pulls.published import BEFORE, paper_record, swe_record
from tests.tasks.generation.pulls.sources.test_git_clone import History


def printed(*arguments: object) -> str:
    """What the command prints."""
    said = StringIO()
    call_command("import_tasks", *map(str, arguments), stdout=said)
    return said.getvalue()


def test_of_52_files_18_are_refused_as_empty_and_each_has_a_verdict(tmp_path: Path) -> None:
    for number in range(52):
        tests = [] if number % 3 == 0 else [f"test_{number}"]
        record = paper_record(number, fail_to_pass=tests)
        (tmp_path / f"{record['id']}.json").write_text(json.dumps(record))
    assert printed(tmp_path).splitlines()[-2:] == [
        "34 of 52: readable",
        "18 of 52: empty: no test fails before and passes after",
    ]
    found = json.loads(printed(tmp_path, "--json"))
    assert found["counts"] == {"readable": 34, "empty: no test fails before and passes after": 18}
    assert len({task["identifier"] for task in found["tasks"]}) == 52
    assert [task["readable"] for task in found["tasks"]].count(True) == 34


def test_the_table_names_task_verdict_counts_and_notes(tmp_path: Path) -> None:
    lines = [
        swe_record(),
        swe_record(instance_id="calc__calc-8", FAIL_TO_PASS=[]),
        {"instance_id": "\x1b[2J"},
    ]
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    table = printed(tmp_path / "tasks.jsonl").splitlines()
    assert table[0].split() == ["task", "verdict", "F2P", "P2P", "notes"]
    assert table[1].split() == ["calc__calc-7", "readable", "1", "1"]
    assert "calc__calc-8" in table[2]
    assert "empty: no test fails before and passes after" in table[2]
    assert "tasks.jsonl, line 3, repo" in table[3]
    assert "not readable" in table[3]
    assert "\x1b" not in "".join(table)


def test_patches_are_applied_to_the_commits_of_a_clone(tmp_path: Path) -> None:
    history = History(tmp_path / "clone")
    commit = history.commit("First", {state.path: (state.content or b"").decode() for state in BEFORE})
    lines = [swe_record(base_commit=commit), swe_record()]
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = printed(tmp_path / "tasks.jsonl", "--clone", tmp_path / "clone").splitlines()
    assert found[-2:] == ["1 of 2: readable", "1 of 2: the base commit is missing"]
    with pytest.raises(CommandError, match="is no git clone"):
        printed(tmp_path / "tasks.jsonl", "--clone", tmp_path)


def test_it_fails_if_no_task_is_readable(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no task is readable"):
        printed(tmp_path / "none.json")
