"""The parts of a dataset, and how its problems read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.dataset import DatasetError, Problem, load_dataset
from harness.errors import ConfigurationError
from tests.harness.arena import tiny_proof


def test_parts_are_found_by_name(dataset: Path) -> None:
    loaded = load_dataset(dataset)
    assert loaded.repository("calc").task("add-negatives").title == "Numbers below zero"
    with pytest.raises(ConfigurationError, match="no 'nope'; there are: calc"):
        loaded.repository("nope")


def test_where_there_is_nothing_to_find_that_is_said(dataset: Path) -> None:
    loaded = load_dataset(dataset)
    with pytest.raises(ConfigurationError, match=r"^no 'calc'; there are: none$"):
        replace(loaded, repositories=()).repository("calc")
    with pytest.raises(ConfigurationError, match=r"^no ''; there are: add-negatives$"):
        loaded.repository("calc").task("")


def test_tasks_come_with_their_repository_in_order(dataset: Path) -> None:
    loaded = load_dataset(dataset)
    (calc,) = loaded.repositories
    (task,) = calc.tasks
    other = replace(calc, slug="other", tasks=(replace(task, slug="b"), replace(task, slug="a")))
    both = replace(loaded, repositories=(other, calc))
    assert [(repository.slug, one.slug) for repository, one in both.tasks()] == [
        ("other", "b"),
        ("other", "a"),
        ("calc", "add-negatives"),
    ]


def test_a_task_is_admitted_by_a_proof_of_these_files_alone(dataset: Path) -> None:
    _, task = next(load_dataset(dataset).tasks())
    proof = tiny_proof(task)
    assert not task.admitted
    assert replace(task, proof=proof).admitted
    assert not replace(task, proof=replace(proof, digest="0" * 64)).admitted


def test_environment_and_script_lie_beside_the_source(dataset: Path) -> None:
    (calc,) = load_dataset(dataset).repositories
    assert (calc.dockerfile, calc.run_tests) == (dataset / "calc/Dockerfile", dataset / "calc/run_tests.sh")


def test_a_problem_names_file_place_and_reason() -> None:
    problems = [
        Problem(Path("/d/a.toml"), "title", "is missing"),
        Problem(Path("/d/b"), "", "is not UTF-8"),
    ]
    error = DatasetError(iter(problems))
    assert error.problems == tuple(problems)
    assert str(error) == "/d/a.toml, title: is missing\n/d/b: is not UTF-8"
