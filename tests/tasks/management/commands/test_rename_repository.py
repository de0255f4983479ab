"""A twin of a generated repository is made and proved in containers."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from harness.dataset import load_dataset
from tests.tasks.generation.small import write_calc


def rename(dataset: Path, *arguments: str) -> str:
    printed = StringIO()
    call_command("rename_repository", "calc", "--dataset", str(dataset), *arguments, stdout=printed)
    return printed.getvalue()


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("proved_by_one_repeat")
def test_a_twin_has_admitted_tasks_with_other_names(tmp_path: Path) -> None:
    dataset = write_calc(tmp_path)
    call_command(
        "generate_tasks", str(dataset), "calc", "--kinds", "remove", "--limit", "1", "--least-removal", "1",
        stdout=StringIO(),
    )  # fmt: skip
    before = load_dataset(dataset).repository("calc")

    printed = rename(dataset, "--slug", "calc-renamed", "--seed", "1")

    lines = printed.splitlines()
    runs = [line for line in lines if line.startswith("test run ")]
    assert runs == lines[: len(runs)]
    assert re.fullmatch(r"test run 1 of at most 60, with \d+ other names: (passed|failed)", runs[0])
    assert lines[len(runs)].endswith(f" 0 untried; {len(runs)} test runs")
    twin = load_dataset(dataset).repository("calc-renamed")
    assert len(twin.tasks) == len(before.tasks) > 0
    assert all(task.admitted for task in twin.tasks)
    pairs = {task.generation.detail["twin_of"]["task"] for task in twin.tasks if task.generation}
    assert pairs == {task.slug for task in before.tasks}
    with pytest.raises(CommandError, match="exists already: choose another --slug"):
        rename(dataset, "--slug", "calc-renamed")


def test_without_containers_nothing_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    with pytest.raises(CommandError, match="in containers"):
        rename(write_calc(tmp_path), "--slug", "calc-renamed")
