"""The shipped scenarios follow the rules for datasets, and cover what workflows are for."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from harness.dataset import Persona, Repository, Task, Workflow, files_below, load_dataset
from harness.dataset.verifier_kinds import Verifier

ROOT = Path(__file__).parent.parent
DATASETS = ROOT / "datasets"
WORKFLOWS = load_dataset(DATASETS / "workflows")
REPOSITORIES = pytest.mark.parametrize("repository", WORKFLOWS.repositories, ids=lambda one: one.slug)
TASKS = [task for _, task in WORKFLOWS.tasks()]
# What a step names exactly: a file, a command, a form to answer in.
NAMED = re.compile(r"`[^`]+`")
README_ROW = re.compile(r"\| `([a-z-]+)` \| [^|]+ \| ([^|]+) \|")


def workflow_of(task: Task) -> Workflow:
    """The workflow of a task that has one."""
    assert task.workflow is not None
    return task.workflow


def scenarios(repository: Repository) -> list[Workflow]:
    """The scenarios of a repository, each with the default persona."""
    workflows = map(workflow_of, repository.tasks)
    return [workflow for workflow in workflows if workflow.persona is Persona.DEFAULT]


def test_there_are_eight_scenarios_for_each_repository_with_two_personas_each() -> None:
    assert [repository.slug for repository in WORKFLOWS.repositories] == [
        "esim-workflows",
        "netflow-workflows",
    ]
    for repository in WORKFLOWS.repositories:
        personas = Counter(workflow_of(task).scenario for task in repository.tasks)
        assert list(personas.values()) == [2] * 8
        assert {workflow_of(task).persona for task in repository.tasks} == {Persona.DEFAULT, Persona.TOXIC}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.slug)
def test_every_scenario_is_admitted(task: Task) -> None:
    assert task.admitted


@REPOSITORIES
def test_the_sources_are_those_of_the_starter_dataset(repository: Repository) -> None:
    copies, originals = (
        {path.relative_to(source): path.read_bytes() for path in files_below(source)}
        for source in (
            repository.source.root,
            DATASETS / "starter" / repository.slug.removesuffix("-workflows") / "source",
        )
    )
    assert copies == originals


@REPOSITORIES
def test_every_kind_of_verifier_is_used_in_each_language(repository: Repository) -> None:
    used = Counter(verifier.kind for workflow in scenarios(repository) for verifier in workflow.verifiers)
    assert set(used) == {kind.kind for kind in Verifier.__subclasses__()}


@REPOSITORIES
def test_each_user_gives_several_steps_within_the_limit(repository: Repository) -> None:
    for workflow in scenarios(repository):
        assert 3 <= len(workflow.instructions) < workflow.limits.messages
        assert len(workflow.turns) == 1 + len(workflow.instructions)


@REPOSITORIES
def test_the_impatient_user_asks_for_the_same_as_the_relaxed_one(repository: Repository) -> None:
    toxic = {
        workflow.scenario: workflow.script
        for workflow in map(workflow_of, repository.tasks)
        if workflow.persona is Persona.TOXIC
    }
    for workflow in scenarios(repository):
        for relaxed, impatient in zip(workflow.script, toxic[workflow.scenario], strict=True):
            assert set(NAMED.findall(relaxed)) <= set(NAMED.findall(impatient))


def test_the_readme_lists_the_kinds_of_each_scenario() -> None:
    readme = (WORKFLOWS.directory / "README.md").read_text(encoding="utf-8")
    listed = {name: set(NAMED.findall(kinds)) for name, kinds in README_ROW.findall(readme)}
    assert listed == {
        workflow.scenario: {f"`{verifier.kind}`" for verifier in workflow.verifiers}
        for repository in WORKFLOWS.repositories
        for workflow in scenarios(repository)
    }
