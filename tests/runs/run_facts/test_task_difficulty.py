"""Measures of difficulty from the datasets on disk."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from runs.run_facts.task_difficulty import function_measures, reference_size, task_measures
from tasks.loading import find_on_disk
from tasks.models import Task
from tests.runs.tiny import Tiny

pytestmark = pytest.mark.django_db


def test_measures_are_those_of_the_reference_patch(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    name = f"{tiny.task.repository.slug}/{tiny.task.slug}"
    reference = find_on_disk(tiny.task)[1].reference_diff.read_text().splitlines()
    added = sum(line.startswith("+") and not line.startswith("+++ ") for line in reference)
    found = task_measures([name, name, "no/such", "nonsense"])
    assert list(found) == [name]
    assert found[name]["lines added"] == added > 0
    assert reference_size(tiny.task) == found[name]


def test_a_generated_task_has_the_measures_of_its_functions_too(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    name = f"{tiny.task.repository.slug}/{tiny.task.slug}"
    assert function_measures() == {}
    Task.objects.filter(pk=tiny.task.pk).update(origin="removed", measures={"code_lines": 12.0})
    measured = {name: {"code_lines": 12.0}}
    assert function_measures() == function_measures(tiny.task.repository.dataset.slug) == measured
    assert function_measures("another") == {}
    assert task_measures([name])[name] == {**(reference_size(tiny.task) or {}), "code_lines": 12.0}


def test_without_the_dataset_measures_are_missing(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    shutil.rmtree(find_on_disk(tiny.task)[1].reference_diff.parent)
    assert task_measures([f"{tiny.task.repository.slug}/{tiny.task.slug}"]) == {}
    assert reference_size(Task(pk=-1, slug="gone", repository=tiny.task.repository, digest="d")) is None
