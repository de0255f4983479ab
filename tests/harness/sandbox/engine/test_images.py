"""Each content is built once, from what may enter an image and nothing else."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from docker import APIClient

from harness.dataset import Repository, load_dataset
from harness.errors import InfrastructureError
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine.images import ImageStore, base_images
from tests.harness.conformance.rig import LIMITS, shell
from tests.harness.sandbox.outside import docker, repository_with
from tests.harness.shop import write_shop_dataset
from tests.harness.worlds import BASE_IMAGE, tiny_dataset


def test_the_setting_is_a_list_of_pairs() -> None:
    assert base_images("a=b, ubuntu:24.04=mine/base:1,") == {"a": "b", "ubuntu:24.04": "mine/base:1"}
    with pytest.raises(InfrastructureError, match="'oops' is not name=replacement"):
        base_images("a=b,oops")


@pytest.mark.parametrize("entry", ["=b", "a=", "="])
def test_an_entry_without_both_halves_is_refused(entry: str) -> None:
    with pytest.raises(
        InfrastructureError, match=f"^BENCHBENCH_BASE_IMAGES: '{entry}' is not name=replacement$"
    ):
        base_images(entry)


def test_without_an_argument_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHBENCH_BASE_IMAGES", "python:3.12=mine:1")
    assert (base_images(), base_images("")) == ({"python:3.12": "mine:1"}, {})
    monkeypatch.delenv("BENCHBENCH_BASE_IMAGES")
    assert base_images() == {}


class TestTags:
    """Equal content has the same tags, and other content has others. Nothing is built for it."""

    def needed(self, repository: Repository, replacements: Mapping[str, str] | None = None) -> dict[str, str]:
        """The tag of each kind of image."""
        store = ImageStore(APIClient("unix:///nowhere/engine.sock", version="1.41"), replacements or {})
        return dict(tag.split("/")[1].split(":") for tag in store.needed(repository))

    def test_they_depend_on_the_content_and_not_on_its_place(self, tmp_path: Path) -> None:
        one, two = (tiny_dataset(tmp_path / name).repository("calc") for name in ("one", "two"))
        tags = self.needed(one)
        assert set(tags) == {"environment", "workspace", "grader", "interpreter"}
        assert all(re.fullmatch(r"[0-9a-f]{16}", digest) for digest in tags.values())
        assert self.needed(two) == tags

    def test_another_source_or_base_needs_another_environment_and_workspace(self, tmp_path: Path) -> None:
        before = self.needed(tiny_dataset(tmp_path).repository("calc"))
        based = self.needed(load_dataset(tmp_path / "tiny").repository("calc"), {BASE_IMAGE: "mine:1"})
        (tmp_path / "tiny/calc/source/new.py").write_text("1\n")
        changed = self.needed(load_dataset(tmp_path / "tiny").repository("calc"))
        for other in (based, changed):
            assert [kind for kind in before if other[kind] == before[kind]] == ["interpreter"]
        assert based != changed

    def test_another_supervisor_needs_another_grader_only(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = tiny_dataset(tmp_path).repository("calc")
        before = self.needed(repository)
        (tmp_path / "supervisor").mkdir()
        (tmp_path / "supervisor/supervise.py").write_text("1\n")
        monkeypatch.setattr("harness.sandbox.engine.images.SUPERVISOR_SOURCE", tmp_path / "supervisor")
        after = self.needed(repository)
        assert [kind for kind in before if before[kind] != after[kind]] == ["grader"]

    def test_the_replacement_of_ubuntu_is_the_debian_of_our_own_images(self, tmp_path: Path) -> None:
        repository = tiny_dataset(tmp_path).repository("calc")
        by_ubuntu = self.needed(repository, {"ubuntu:24.04": "mine:1"})
        assert (
            by_ubuntu["interpreter"] == self.needed(repository, {"debian:bookworm": "mine:1"})["interpreter"]
        )
        assert by_ubuntu["interpreter"] != self.needed(repository)["interpreter"]

    def test_only_tasks_with_optional_tools_need_a_toolbox(self, tmp_path: Path) -> None:
        repository = load_dataset(write_shop_dataset(tmp_path, tools=("api_call",))).repository("calc")
        assert set(self.needed(repository)) == {
            "environment",
            "workspace",
            "grader",
            "interpreter",
            "toolbox",
        }


@pytest.mark.engine
def test_the_build_context_is_the_dockerfile_and_the_source(
    engine: DockerEngine, tmp_path: Path, owner: Owner
) -> None:
    repository = repository_with(
        tmp_path,
        f"FROM {BASE_IMAGE}\nCOPY . /context/\nRUN cd /context && find . | sort > /context.txt && rm -r /context\n",
    )
    with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
        top = shell(there, "grep -v '^./source/' /context.txt")
    assert top.split() == [".", "./Dockerfile", "./source"]


@pytest.mark.engine
def test_parallel_workers_build_an_image_once(tmp_path: Path) -> None:
    repository = repository_with(tmp_path, f"FROM {BASE_IMAGE}\nRUN sleep 1\n")
    began = int(time.time())
    engines = [DockerEngine() for _ in range(3)]
    with ThreadPoolExecutor(len(engines)) as pool:
        [image] = {*pool.map(lambda engine: engine.image(repository), engines)}
    for engine in engines:
        engine.close()
    since, until = f"--since={began}", f"--until={int(time.time()) + 1}"
    tagged = docker("events", since, until, "--filter=event=tag", "--format={{.Actor.Attributes.name}}")
    docker("rmi", image)
    assert tagged.split().count(image) == 1


@pytest.mark.engine
def test_a_build_that_fails_names_the_dockerfile_and_shows_the_log(
    engine: DockerEngine, tmp_path: Path
) -> None:
    repository = repository_with(tmp_path, f"FROM {BASE_IMAGE}\nRUN echo the last words && exit 3\n")
    with pytest.raises(InfrastructureError) as failure:
        engine.image(repository)
    assert str(repository.dockerfile) in str(failure.value)
    assert "the last words" in str(failure.value)
    assert "returned a non-zero code: 3" in str(failure.value)


@pytest.mark.engine
def test_a_volume_over_the_workspace_is_refused(engine: DockerEngine, tmp_path: Path) -> None:
    repository = repository_with(tmp_path, f"FROM {BASE_IMAGE}\nWORKDIR /app\nVOLUME /app/data\n")
    for _ in range(2):  # the second time too: the image is not stored
        with pytest.raises(InfrastructureError, match="VOLUME /app/data hides the workspace"):
            engine.image(repository)


@pytest.mark.engine
def test_a_base_image_is_replaced_by_the_map(tmp_path: Path) -> None:
    repository = repository_with(
        tmp_path, "ARG BASE_IMAGE=nowhere.invalid/ubuntu:24.04\nFROM ${BASE_IMAGE}\nWORKDIR /app\n"
    )
    engine = DockerEngine(replacements={"nowhere.invalid/ubuntu:24.04": BASE_IMAGE})
    try:
        assert engine.image(repository).startswith("benchbench/workspace:")
    finally:
        engine.close()


@pytest.mark.engine
def test_a_held_image_is_made_again_if_it_was_removed_before_it_was_locked(api: APIClient) -> None:
    tags = iter(["benchbench/workspace:0000000000000000", BASE_IMAGE])
    with ImageStore(api, {}).held(lambda: next(tags)) as tag:
        assert tag == BASE_IMAGE
