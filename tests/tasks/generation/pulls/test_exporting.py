from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import Dataset, load_dataset
from harness.errors import ConfigurationError
from harness.patches import apply_patch
from tasks.generation.pulls.changes import Issue
from tasks.generation.pulls.collecting import Collection
from tasks.generation.pulls.exporting import exported, instance_of
from tasks.generation.pulls.schema import Form, read_record
from tasks.generation.pulls.verdicts import judge
from tests.harness.worlds import CANARY, tiny_dataset
from tests.tasks.generation.pulls.test_collecting import SOURCE, change_of, collect, collection

__all__ = ["collection"]  # a fixture

CHANGE = replace(
    change_of("fix"),
    text="It is 0.\n",
    number=5,
    issue=Issue(3, "Zero", "It is 0.\n", "https://github.com/a/b/issues/3"),
    date="2025-01-02",
    url="https://github.com/a/b/pull/5",
)


@pytest.fixture
def dataset(collection: Collection) -> Dataset:
    """A dataset with one task from a merged change."""
    collect(collection, CHANGE)
    return load_dataset(collection.dataset)


def test_both_forms_have_the_measured_lists_and_are_readable(dataset: Dataset) -> None:
    for form in Form:
        (instance,) = exported(dataset, form)
        assert instance.identifier == "calc__pr-5"
        assert (instance.repo, instance.base_commit, instance.created_at) == ("a/b", "base", "2025-01-02")
        assert (instance.fail_to_pass, instance.pass_to_pass) == (("t",), ("u", "v"))
        assert instance.title == "Zero"
        assert instance.unknown == ("canary",)
        again = read_record(json.loads(instance.line()))
        assert again.values == instance.values
        assert judge(again, lambda commit: SOURCE.get).readable


def test_the_patch_is_that_of_the_change_without_the_canary(dataset: Dataset) -> None:
    (paper,), (swe,) = (exported(dataset, form) for form in (Form.PAPER, Form.SWE_BENCH))
    for instance in (paper, swe):
        changed = {state.path: state.content for state in apply_patch(instance.patch, SOURCE.get)}
        assert changed == {"a.py": b"1\n", "tests/test_a.py": b"1\n"}
        assert CANARY.encode() not in instance.patch
    assert b"tests/" not in swe.values["patch"].encode()
    assert paper.values["issue_number"] == 3
    assert paper.values["relevant_files"] == ["a.py"]
    assert paper.values["difficulty"] == "medium"


def test_tasks_made_by_hand_are_no_merged_changes(tmp_path: Path) -> None:
    dataset = tiny_dataset(tmp_path)
    with pytest.raises(ConfigurationError, match="holds no admitted task from a merged change"):
        exported(dataset, Form.PAPER)
    with pytest.raises(ConfigurationError, match="has no proof, or no record of a merged change"):
        instance_of(dataset, *next(dataset.tasks()), Form.PAPER)
