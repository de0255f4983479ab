"""What dead processes left in the engine is found by its labels, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from docker import APIClient

from harness.sandbox.base import Owner
from harness.sandbox.engine import sweeping
from harness.sandbox.engine.sweeping import sweep, sweep_image_builders
from tests.harness.sandbox.outside import docker
from tests.harness.worlds import BASE_IMAGE

pytestmark = pytest.mark.engine


def labels(owner: Owner) -> list[str]:
    return [word for name, value in owner.labels().items() for word in ("--label", f"{name}={value}")]


class Left:
    """What owners left, by name; removed at the end of the test, if it is still there."""

    def __init__(self) -> None:
        self.mark = uuid4().hex[:8]
        self._made: list[tuple[str, ...]] = []

    def container(self, owner: Owner, name: str) -> str:
        name = f"sweeping-{name}-{self.mark}"
        docker("create", "--name", name, *labels(owner), BASE_IMAGE, "true")
        self._made.append(("rm", "-f", name))
        return name

    def volume(self, owner: Owner, name: str) -> str:
        name = f"sweeping-{name}-{self.mark}"
        docker("volume", "create", *labels(owner), name)
        self._made.append(("volume", "rm", "-f", name))
        return name

    def containers(self) -> set[str]:
        return set(
            docker("ps", "-a", "--filter", f"name={self.mark}", "--format", "{{.Names}}").split(),
        )

    def volumes(self) -> set[str]:
        return set(docker("volume", "ls", "-q", "--filter", f"name={self.mark}").split())

    def clear(self) -> None:
        there = self.containers() | self.volumes()
        for command in self._made:
            if command[-1] in there:
                docker(*command)


@pytest.fixture
def left() -> Iterator[Left]:
    left = Left()
    yield left
    left.clear()


def test_containers_and_volumes_of_unused_tries_are_removed(api: APIClient, left: Left, owner: Owner) -> None:
    in_use = replace(owner, try_number=2)
    foreign = replace(owner, instance=f"{owner.instance}-other")
    lost = [left.container(owner, "lost"), left.volume(owner, "lost-volume")]
    stays = {left.container(in_use, "in-use"), left.container(foreign, "foreign")}
    volumes = {left.volume(in_use, "in-use-volume")}
    assert sweep(api, owner.instance, [(owner.run_id, 2)]) == lost
    assert (left.containers(), left.volumes()) == (stays, volumes)
    assert sweep(api, owner.instance, [(owner.run_id, 2)]) == []


def test_runs_that_start_during_the_sweep_are_in_use(api: APIClient, left: Left, owner: Owner) -> None:
    name = left.container(owner, "new")

    def in_use() -> Iterator[tuple[str, int]]:
        assert left.containers() == {name}
        yield owner.run_id, owner.try_number

    assert sweep(api, owner.instance, in_use()) == []
    assert left.containers() == {name}


def test_a_volume_that_a_foreign_container_uses_stays(api: APIClient, left: Left, owner: Owner) -> None:
    volume = left.volume(owner, "used")
    user = f"sweeping-user-{left.mark}"
    docker("create", "--name", user, "-v", f"{volume}:/data", BASE_IMAGE, "true")
    try:
        assert sweep(api, owner.instance, []) == []
        assert left.volumes() == {volume}
    finally:
        docker("rm", user)


def test_only_old_containers_of_image_builds_are_removed(
    api: APIClient, left: Left, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "BUILDERS", owner.instance)  # builds of other processes go on
    name = left.container(owner, "builder")
    assert sweep_image_builders(api) == []
    monkeypatch.setattr(sweeping, "BUILDER_SECONDS", -1.0)
    assert sweep_image_builders(api) == [name]
    assert left.containers() == set()
