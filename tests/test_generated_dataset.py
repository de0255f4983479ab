"""The shipped dataset of generated tasks is admitted, licensed, and says how each task was made."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.dataset import Mode, Origin, Repository, Task, load_dataset, started
from harness.grading.grade import grade
from harness.patches import apply_patch
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Owner
from tasks.generation.maps.code_map import read_packed
from tasks.loading import MAP_FILE

ROOT = Path(__file__).parent.parent
GENERATED = load_dataset(ROOT / "datasets" / "generated")
TASKS = list(GENERATED.tasks())
DAMAGED = [(repository, task) for repository, task in TASKS if task.targets]
MERGED = [(repository, task) for repository, task in TASKS if not task.targets]
REPOSITORIES = pytest.mark.parametrize("repository", GENERATED.repositories, ids=lambda one: one.slug)


def test_there_are_150_damaged_tasks_in_8_packages_and_8_from_merged_changes() -> None:
    assert len(DAMAGED) >= 150
    assert len({repository.slug for repository, _ in DAMAGED}) >= 8
    assert len(MERGED) >= 8
    assert all(task.admitted for _, task in TASKS)
    origins = Counter(task.origin for _, task in TASKS)
    assert min(origins[one] for one in (Origin.REMOVED, Origin.CORRUPTED, Origin.MULTIPLE)) >= 10
    assert origins[Origin.PULL_REQUEST] >= 8


@REPOSITORIES
def test_each_repository_names_its_origin_and_has_its_licence(repository: Repository) -> None:
    assert repository.origin.startswith(("pkg:pypi/", "pkg:deb/"))
    assert len(repository.origin_sha256) == 64
    assert repository.licence
    names = {path.name.split(".")[0].upper() for path in repository.source.root.iterdir()}
    assert names & {"LICENSE", "LICENCE", "COPYING", "COPYRIGHT"}


@pytest.mark.parametrize(
    "repository",
    [one for one in GENERATED.repositories if any(task.targets for task in one.tasks)],
    ids=lambda one: one.slug,
)
def test_each_damaged_repository_has_a_map_that_knows_its_targets(repository: Repository) -> None:
    keys = {(one.path, one.name, one.occurrence) for task in repository.tasks for one in task.targets}
    code_map = read_packed(repository.directory / MAP_FILE)
    assert code_map.digest == repository.digest
    assert keys <= set(code_map.numbers)
    assert code_map.suite is not None
    graded = {test for task in repository.tasks if task.proof for test in task.proof.tests}
    assert graded <= set(code_map.suite.tests)
    assert graded.isdisjoint(code_map.suite.failed)


def test_each_damaged_task_starts_with_other_code_of_its_targets_and_its_patch_leads_back() -> None:
    for repository, task in DAMAGED:
        assert task.generation is not None
        source = started(repository, task).source
        for state in apply_patch(task.reference_diff.read_bytes(), source.read):
            original, start = repository.source.read(state.path), source.read(state.path)
            assert original is not None
            assert start is not None
            assert state.content == original.content != start.content
        assert task.generation.measures["ochiai_rank"] >= 1
        named = all(f"`{target.path}`" in task.description for target in task.targets)
        assert named is (task.mode is Mode.REMOVE)


def smallest(pairs: list[tuple[Repository, Task]], origin: Origin) -> tuple[Repository, Task]:
    """The task of an origin whose tests take the shortest time."""

    def seconds(pair: tuple[Repository, Task]) -> float:
        assert pair[1].proof is not None
        return pair[1].proof.ceiling_seconds

    return min((pair for pair in pairs if pair[1].origin is origin), key=seconds)


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.parametrize("origin", [Origin.MULTIPLE, Origin.PULL_REQUEST])
def test_the_reference_resolves_a_task_and_an_empty_patch_does_not(origin: Origin) -> None:
    repository, task = smallest(TASKS, origin)
    engine = open_engine()
    for patch, resolved in ((task.reference_diff.read_bytes(), True), (b"", False)):
        found = grade(engine, repository, task, patch, use=ContainerUse(Owner("generated", task.slug)))
        assert found.resolved is resolved
