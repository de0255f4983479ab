"""Only old, unneeded images of this project are removed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import docker
import pytest
from docker.errors import ImageNotFound

from harness.dataset import Repository, load_dataset
from harness.sandbox.base import ContainerUse, Owner, StoredImage
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine.images import ImageStore
from harness.sandbox.engine.pruning import summary
from harness.sandbox.locks import building, in_use
from tests.harness.worlds import BASE_IMAGE, write_tiny_dataset

BASE = "benchbench/base:bookworm"
MINE = f"benchbench-test-{uuid4().hex[:8]}/mine:latest"


class Host:
    """A unique repository, its two images, and queries to the engine. Other images are ignored."""

    def __init__(self, root: Path) -> None:
        self.mark = uuid4().hex
        directory = write_tiny_dataset(root)
        (directory / "calc/source/unique.txt").write_text(self.mark)
        dockerfile = (
            f"ARG BASE_IMAGE={BASE_IMAGE}\nFROM ${{BASE_IMAGE}}\nWORKDIR /app\nRUN echo {self.mark} >/here\n"
        )
        (directory / "calc/Dockerfile").write_text(dockerfile)
        self.repository: Repository = load_dataset(directory).repository("calc")
        self.engine = DockerEngine()
        self.client = docker.from_env()
        self.workspace = self.engine.image(self.repository)
        (self.environment,) = (
            tag
            for image in self.client.images.list("benchbench/environment")
            for tag in image.tags
            if f"echo {self.mark}" in str(image.history())
        )

    def removable(self, *needed_by: Repository, older_than: float | None = None) -> dict[str, StoredImage]:
        """Which images of this test can be removed, in order."""
        found = self.engine.removable_images(needed_by, older_than=older_than)
        tags = {self.workspace, self.environment, MINE}
        return {tag: image for image in found for tag in image.tags if tag in tags}

    def there(self) -> set[str]:
        """Which of the two images exist."""
        return {tag for tag in (self.workspace, self.environment) if self.has(tag)}

    def has(self, tag: str) -> bool:
        """Whether that image exists."""
        try:
            self.client.images.get(tag)
        except ImageNotFound:
            return False
        return True

    @contextmanager
    def image(self, dockerfile_or_source: str, tag: str) -> Iterator[None]:
        """Another tag for an image, during the context."""
        self.client.images.get(dockerfile_or_source).tag(tag)
        try:
            yield
        finally:
            self.client.images.remove(tag, noprune=True)


@pytest.fixture(scope="class")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    host = Host(tmp_path_factory.mktemp("pruning"))
    with closing(host.engine), closing(host.client):
        yield host
        for tag in host.there():
            host.client.images.remove(tag)


@pytest.mark.engine
class TestImages:
    def test_unneeded_images_can_be_removed_derived_ones_first(self, host: Host) -> None:
        found = host.removable()
        assert list(found) == [host.workspace, host.environment]
        # The layer below has one small file, and the base image counts for neither.
        assert 0 < found[host.workspace].bytes < 5_000_000
        assert found[host.environment].bytes < 5_000_000

    def test_images_of_a_given_dataset_are_excluded(self, host: Host) -> None:
        assert host.removable(host.repository) == {}

    def test_recent_images_are_excluded(self, host: Host) -> None:
        assert host.removable(older_than=1) == {}
        assert set(host.removable(older_than=0)) == {host.workspace, host.environment}

    def test_images_of_containers_are_excluded_even_if_never_started(self, host: Host) -> None:
        container = host.client.containers.create(host.workspace, "true")
        try:
            assert host.removable() == {}
        finally:
            container.remove()

    def test_images_with_another_tag_and_their_bases_are_excluded(self, host: Host) -> None:
        with host.image(host.workspace, MINE):
            assert host.removable() == {}

    def test_foreign_images_with_an_inherited_label_are_excluded(self, host: Host, tmp_path: Path) -> None:
        (tmp_path / "Dockerfile").write_text(f"FROM {host.environment}\nRUN echo mine >/mine\n")
        image, _ = host.client.images.build(path=str(tmp_path), tag=MINE, rm=True)
        try:
            assert image.labels["benchbench.image"] == "benchbench/environment"
            assert set(host.removable()) == {host.workspace}
        finally:
            host.client.images.remove(MINE)

    def test_images_with_our_tag_but_without_our_label_are_excluded(self, host: Host) -> None:
        lookalike = f"benchbench/workspace:{uuid4().hex[:16]}"
        with host.image(BASE, lookalike):
            tags = {tag for image in host.engine.removable_images() for tag in image.tags}
            assert lookalike not in tags
            assert BASE not in tags

    def test_old_python_images_can_be_removed(self, host: Host, tmp_path: Path) -> None:
        old = f"benchbench/interpreter:{uuid4().hex[:16]}"
        (tmp_path / "Dockerfile").write_text(
            f"FROM {BASE}\nLABEL benchbench.image=benchbench/interpreter\nRUN echo {old} >/old\n"
        )
        host.client.images.build(path=str(tmp_path), tag=old, rm=True)
        found = {tag: one for one in host.engine.removable_images() for tag in one.tags}
        assert host.engine.remove_images([found[old]]) == [found[old]]
        assert not host.has(old)
        needed = ImageStore(host.client.api, {}).needed(host.repository)
        assert {tag.partition(":")[0] for tag in needed} == {
            "benchbench/environment",
            "benchbench/workspace",
            "benchbench/grader",
            "benchbench/interpreter",
        }

    def test_images_in_use_are_not_removed(self, host: Host) -> None:
        chosen = list(host.removable().values())
        with in_use(host.workspace), building(host.environment, lambda: None):
            assert host.engine.remove_images(chosen) == []
        owner = Owner(f"pruning-{uuid4().hex[:8]}", "run")
        with host.engine.grader(host.repository, ContainerUse(owner)):
            # No container is there yet, and the image stays.
            grader = ImageStore(host.client.api, {}).grader(host.repository)
            assert host.client.containers.list(all=True, filters={"ancestor": grader}) == []
            unused = [one for one in host.engine.removable_images() if grader in one.tags]
            assert host.engine.remove_images(unused) == []
        host.client.images.remove(grader)
        assert host.there() == {host.workspace, host.environment}

    def test_removed_images_are_rebuilt_when_needed(self, host: Host) -> None:
        chosen = list(host.removable().values())
        assert host.engine.remove_images(chosen) == chosen
        assert host.there() == set()
        assert host.engine.remove_images(chosen) == []
        assert host.engine.image(host.repository) == host.workspace
        assert host.there() == {host.workspace, host.environment}


def test_summary_has_names_and_sizes() -> None:
    images = [
        StoredImage("1", ("benchbench/workspace:1",), 1_500_000, 0.0),
        StoredImage("2", ("benchbench/environment:2",), 2_400_000_000, 9e12),
    ]
    first, second, total = summary(images, dry_run=True).splitlines()
    assert first.startswith("benchbench/workspace:1  1.5 MB, made ")
    assert second == "benchbench/environment:2  2.40 GB, made today"
    assert total == "2 images would be removed, about 2.40 GB to free"
    assert summary([], dry_run=False) == "0 images removed, about 0.0 MB freed"
