"""The original code of a function that a task changed is nowhere in the agent's container, nor in its image."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from harness.dataset import Repository, load_dataset, started
from harness.sandbox.base import ContainerLimits, ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import INSTANCE
from tests.harness.originals import PLANTED, original_of, places_in, places_in_layers, plant
from tests.harness.worlds import CORRUPTED, REMOVED, write_repair_dataset

pytestmark = pytest.mark.engine

OWNER, LIMITS = Owner(INSTANCE, "originals"), ContainerLimits()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return load_dataset(write_repair_dataset(tmp_path_factory.mktemp("originals"))).repository("calc")


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    with closing(DockerEngine()) as engine:
        yield engine


@pytest.mark.parametrize("slug", [CORRUPTED, REMOVED])
def test_no_text_archive_object_of_git_or_bytecode_in_the_container_has_it(
    engine: DockerEngine, repository: Repository, slug: str
) -> None:
    task = repository.task(slug)
    original = original_of(repository, task)
    assert original.lines
    with engine.workspace(started(repository, task), ContainerUse(OWNER, LIMITS)) as workspace:
        assert places_in(workspace, original) == []


def test_the_search_finds_the_original_wherever_it_is_planted(
    engine: DockerEngine, repository: Repository
) -> None:
    task = repository.task(CORRUPTED)
    with engine.workspace(started(repository, task), ContainerUse(OWNER, LIMITS)) as workspace:
        original = original_of(repository, task)
        ((path, text),) = original.files.items()
        plant(workspace, path, text)
        found = set(places_in(workspace, original))
    assert found >= PLANTED


def test_no_layer_of_the_image_has_it_and_that_of_the_source_does(
    engine: DockerEngine, repository: Repository
) -> None:
    task = repository.task(CORRUPTED)
    original = original_of(repository, task)
    image = engine.image(started(repository, task))
    assert places_in_layers(engine._api, image, original) == []
    unchanged = places_in_layers(engine._api, engine.image(repository), original)
    assert [place.rpartition(": ")[2] for place in unchanged] == ["app/calc/digits.py"]


def test_the_lines_that_are_searched_for_are_those_that_the_agent_does_not_have(
    repository: Repository,
) -> None:
    assert original_of(repository, repository.task(CORRUPTED)).lines == (
        "value = value * 10 + DIGITS.index(letter)",
    )
