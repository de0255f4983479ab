"""Measures of difficulty from the datasets on disk."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from runs.analysis.difficulty.recalled_success import Recalled
from runs.data.run_facts.task_difficulty import (
    function_measures,
    recalled,
    reference_size,
    task_measures,
    twins_of,
)
from runs.models import LanguageModel, RecallProbe
from tasks.generation.recall.question import prompt_version
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


def test_recall_is_that_of_the_present_task_and_question(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    task = tiny.task
    Task.objects.filter(pk=task.pk).update(mode="remove", origin="removed")
    name = f"{task.repository.slug}/{task.slug}"
    stored: dict[str, Any] = {
        "task": task,
        "task_digest": task.digest,
        "prompt": prompt_version(),
        "equal": False,
    }
    probes: dict[str, dict[str, Any]] = {
        "known": {"similarity": 0.75},
        "other-task": {"similarity": 0.5, "task_digest": "0" * 64},
        "other-question": {"similarity": 0.5, "prompt": "older"},
        "silent": {"equal": None, "reason": "no valid answer"},
    }
    for slug, values in probes.items():
        model = LanguageModel.objects.create(slug=slug, name=slug, provider="p", litellm_id=slug)
        RecallProbe.objects.create(model=model, **{**stored, **values})
    assert recalled() == recalled(task.repository.dataset.slug) == {"known": {name: Recalled(0.75, False)}}
    assert recalled("another") == {}
    task.repository.dataset.hidden = True
    task.repository.dataset.save()
    assert recalled() == {}
    assert list(recalled(hidden=True)) == ["known"]
    Task.objects.update(mode="discovery")
    assert recalled(hidden=True) == {}


def test_twins_are_named_with_their_originals(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    name = f"{tiny.task.repository.slug}/{tiny.task.slug}"
    assert twins_of() == {}
    Task.objects.update(twin_of="calc/removed-add")
    assert twins_of() == twins_of(tiny.task.repository.dataset.slug) == {name: "calc/removed-add"}
    assert twins_of("another") == {}


def test_without_the_dataset_measures_are_missing(tmp_path: Path) -> None:
    tiny = Tiny(tmp_path)
    shutil.rmtree(find_on_disk(tiny.task)[1].reference_diff.parent)
    assert task_measures([f"{tiny.task.repository.slug}/{tiny.task.slug}"]) == {}
    assert reference_size(Task(pk=-1, slug="gone", repository=tiny.task.repository, digest="d")) is None
