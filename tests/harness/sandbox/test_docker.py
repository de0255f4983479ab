"""The Docker engine passes the conformance suite, and tests of its own."""

from __future__ import annotations

import gc
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
import requests
from docker import errors as docker_errors

from harness.dataset import Repository, Tree, load_dataset
from harness.errors import AgentError, EngineFull, EngineUnavailable, InfrastructureError
from harness.patches import FileState
from harness.sandbox import open_engine, tool_client
from harness.sandbox.base import Owner
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine import engine_watch
from harness.sandbox.engine.client import engine_errors
from harness.sandbox.engine.images import base_images
from tests.browser.proxy import EngineProxy
from tests.harness.conformance.rig import LIMITS, shell
from tests.harness.sandbox_conformance import SandboxConformance
from tests.harness.worlds import BASE_IMAGE, tiny_dataset, write_tiny_dataset


def docker(*arguments: str) -> str:
    """The command line of the engine, as an independent check."""
    return subprocess.run(["docker", *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine()
    yield engine
    engine.close()


@pytest.fixture
def owner() -> Owner:
    return Owner(f"docker-{uuid4().hex[:8]}", "run-1")


def wait_until_it_runs(owner: Owner) -> None:
    """Returns a moment after a container of the owner's has started."""
    while not docker("ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}"):
        time.sleep(0.1)
    time.sleep(0.5)


def repository_with(root: Path, dockerfile: str) -> Repository:
    """The repository `calc` with another Dockerfile."""
    directory = write_tiny_dataset(root)
    (directory / "calc" / "Dockerfile").write_text(dockerfile, encoding="utf-8")
    return load_dataset(directory).repository("calc")


@pytest.mark.engine
class TestDockerConformance(SandboxConformance):
    name = "docker"

    def containers(self, instance: str) -> list[str]:
        return docker(
            "ps", "-a", "--filter", f"label=benchbench.instance={instance}", "--format", "{{.Names}}"
        ).split()

    def remove_from_outside(self, name: str) -> None:
        docker("rm", "-f", name)

    def kill_from_outside(self, name: str) -> None:
        docker("kill", name)


@pytest.mark.engine
class TestDockerEngine:
    def test_silent_tool_server_is_an_agent_error(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tool_client, "GRACE_SECONDS", 1.0)
        repository = tiny_dataset(tmp_path).repository("calc")
        with engine.workspace(repository, owner=owner, limits=LIMITS) as silent:
            with pytest.raises(AgentError, match="did not respond within 2 s"):
                shell(silent, "kill -STOP -1", timeout=1.0)
            assert silent.changes().after == ()

    def test_engine_that_hangs_is_an_infrastructure_error(
        self, tmp_path: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tool_client, "GRACE_SECONDS", 1.0)
        monkeypatch.setattr(engine_watch, "LONG_SECONDS", 1.0)
        repository = tiny_dataset(tmp_path).repository("calc")
        proxy = EngineProxy(tmp_path / "engine.sock")
        proxy.up()
        monkeypatch.setenv("DOCKER_HOST", proxy.url)
        engine = DockerEngine()
        script = tmp_path / "run_tests.sh"
        script.write_text("sleep 60\n", encoding="utf-8")

        def hang_when_it_runs() -> None:
            wait_until_it_runs(owner)
            proxy.hang()
            time.sleep(4.0)
            proxy.go_on()

        with engine.workspace(repository, owner=owner, limits=LIMITS) as there:
            proxy.hang()
            threading.Timer(4.0, proxy.go_on).start()
            with pytest.raises(InfrastructureError, match=r"did not respond for \d s while container"):
                shell(there, "true", timeout=1.0)
        with engine.grader(repository, owner=owner, limits=LIMITS) as clean:
            threading.Thread(target=hang_when_it_runs).start()
            with pytest.raises(InfrastructureError, match=r"did not respond for \d s while container"):
                clean.run(files=(), tests=Tree(tmp_path / "none"), script=script, task="x", timeout=2.0)
        assert engine.sweep(owner.instance) == []
        engine.close()
        proxy.down()
        gc.collect()  # an open socket is reported here, and not in another test

    def test_broken_connection_during_the_tests_is_an_infrastructure_error(
        self, tmp_path: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = tiny_dataset(tmp_path).repository("calc")
        proxy = EngineProxy(tmp_path / "engine.sock")
        proxy.up()
        monkeypatch.setenv("DOCKER_HOST", proxy.url)
        monkeypatch.setattr("harness.sandbox.grader._REST_SECONDS", 0.5)
        engine = DockerEngine()
        script = tmp_path / "run_tests.sh"
        script.write_text("sleep 60\n", encoding="utf-8")

        def cut_when_it_runs() -> None:
            wait_until_it_runs(owner)
            proxy.cut()

        with engine.grader(repository, owner=owner, limits=LIMITS) as clean:
            threading.Thread(target=cut_when_it_runs).start()
            with pytest.raises(InfrastructureError, match=r"the connection to container .* broke"):
                clean.run(files=(), tests=Tree(tmp_path / "none"), script=script, task="x", timeout=90.0)
        assert engine.sweep(owner.instance) == []
        engine.close()
        proxy.down()
        gc.collect()

    def test_lines_of_five_megabytes_cross_both_ways(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner
    ) -> None:
        text = "0123456789" * 500_000
        repository = tiny_dataset(tmp_path).repository("calc")
        with engine.workspace(repository, owner=owner, limits=LIMITS) as there:
            written = there.call(
                "write_file", {"path": "big.txt", "content": text, "explanation": "x"}, timeout=30
            )
            assert written.ok, written.content
            refused = there.call("no such tool " + text, {}, timeout=30)
            assert not refused.ok
            assert there.changes().after == (FileState("big.txt", text.encode()),)

    def test_workspace_has_its_limits_and_no_log_of_its_output(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner
    ) -> None:
        repository = tiny_dataset(tmp_path).repository("calc")
        shown = (
            "{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}} "
            "{{.HostConfig.Init}} {{.HostConfig.LogConfig.Type}} {{.HostConfig.NetworkMode}} {{.HostConfig.Runtime}} "
            "{{range .HostConfig.Ulimits}}{{.Name}}={{.Hard}}{{end}}"
        )
        with engine.workspace(repository, owner=owner, limits=LIMITS):
            name = docker("ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}").strip()
            words = docker("inspect", "--format", shown, name).split()
        assert words[:7] == ["268435456", "268435456", "1000000000", "64", "true", "none", "none"]
        assert words[7:] == [engine.status().runtime, f"fsize={4096 << 20}"]

    def test_files_of_the_dockerfile_are_part_of_the_pristine_tree(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner
    ) -> None:
        repository = repository_with(
            tmp_path,
            f"FROM {BASE_IMAGE}\nWORKDIR /app\n"
            "RUN mkdir -p build calc && echo kept > build/kept && echo one > made.txt && echo two > calc/made.txt\n",
        )
        with engine.workspace(repository, owner=owner, limits=LIMITS) as untouched:
            assert untouched.changes().after == ()
        with engine.workspace(repository, owner=owner, limits=LIMITS) as there:
            assert (
                shell(there, "cat build/kept; git status --porcelain; rm made.txt; echo 3 > calc/made.txt")
                == "kept"
            )
            changes = there.changes()
        assert changes.before == (FileState("calc/made.txt", b"two\n"), FileState("made.txt", b"one\n"))
        assert changes.after == (FileState("calc/made.txt", b"3\n"), FileState("made.txt", None))

    def test_the_build_context_is_the_dockerfile_and_the_source(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner
    ) -> None:
        repository = repository_with(
            tmp_path,
            f"FROM {BASE_IMAGE}\nCOPY . /context/\nRUN cd /context && find . | sort > /context.txt && rm -r /context\n",
        )
        with engine.workspace(repository, owner=owner, limits=LIMITS) as there:
            top = shell(there, "grep -v '^./source/' /context.txt")
        assert top.split() == [".", "./Dockerfile", "./source"]

    def test_parallel_workers_build_an_image_once(self, tmp_path: Path) -> None:
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

    def test_a_build_that_fails_names_the_dockerfile_and_shows_the_log(
        self, engine: DockerEngine, tmp_path: Path
    ) -> None:
        repository = repository_with(tmp_path, f"FROM {BASE_IMAGE}\nRUN echo the last words && exit 3\n")
        with pytest.raises(InfrastructureError) as failure:
            engine.image(repository)
        assert str(repository.dockerfile) in str(failure.value)
        assert "the last words" in str(failure.value)
        assert "returned a non-zero code: 3" in str(failure.value)

    def test_a_volume_over_the_workspace_is_refused(self, engine: DockerEngine, tmp_path: Path) -> None:
        repository = repository_with(tmp_path, f"FROM {BASE_IMAGE}\nWORKDIR /app\nVOLUME /app/data\n")
        for _ in range(2):  # the second time too: the image is not stored
            with pytest.raises(InfrastructureError, match="VOLUME /app/data hides the workspace"):
                engine.image(repository)

    def test_a_base_image_is_replaced_by_the_map(self, tmp_path: Path) -> None:
        repository = repository_with(
            tmp_path, "ARG BASE_IMAGE=nowhere.invalid/ubuntu:24.04\nFROM ${BASE_IMAGE}\nWORKDIR /app\n"
        )
        engine = DockerEngine(replacements={"nowhere.invalid/ubuntu:24.04": BASE_IMAGE})
        try:
            assert engine.image(repository).startswith("benchbench/workspace:")
        finally:
            engine.close()


@pytest.mark.engine
class TestRuntimes:
    def test_the_engines_default_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("BENCHBENCH_RUNTIME", raising=False)
        status = DockerEngine().status()
        default = docker("info", "--format", "{{.DefaultRuntime}}").strip()
        assert status.runtime == default
        assert status.description.endswith(f", {default}")

    def test_a_container_runs_under_the_runtime_that_the_setting_names(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, owner: Owner
    ) -> None:
        # Another name than the default's for a runtime that every engine has; newer engines write it in another way.
        known = docker("info", "--format", "{{range $name, $_ := .Runtimes}}{{$name}} {{end}}").split()
        chosen = next(name for name in known if name.startswith("io.containerd.runc.v2"))
        monkeypatch.setenv("BENCHBENCH_RUNTIME", chosen)
        engine = open_engine()
        assert engine.status().runtime == chosen
        repository = tiny_dataset(tmp_path).repository("calc")
        with engine.workspace(repository, owner=owner, limits=LIMITS) as there:
            [name] = docker("ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}").split()
            assert docker("inspect", "--format", "{{.HostConfig.Runtime}}", name).strip() == chosen
            assert shell(there, "echo here") == "here"

    def test_a_runtime_that_the_engine_does_not_have_is_refused_with_those_it_has(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BENCHBENCH_RUNTIME", "runsc-typo")
        status = open_engine().status()
        assert not status.available
        assert status.reason.startswith("This Docker engine has no runtime 'runsc-typo'; it has: ")
        assert "runc" in status.reason
        assert "BENCHBENCH_RUNTIME" in status.remedy


@contextmanager
def as_ordinary_user() -> Iterator[None]:
    """Root may open every socket: meanwhile, this process is not root."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


class TestWithoutAnEngine:
    def test_missing_engine_is_reported_with_a_remedy(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/missing.sock")
        status = open_engine().status()
        assert not status.available
        assert "missing.sock" in status.reason
        assert "Start the Docker daemon" in status.remedy
        with pytest.raises(EngineUnavailable, match=r"missing\.sock"):
            open_engine().image(tiny_dataset(tmp_path).repository("calc"))

    def test_missing_permission_for_the_socket_has_its_own_remedy(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{tmp_path}/closed.sock")
            listener.listen()
            (tmp_path / "closed.sock").chmod(0)
            monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/closed.sock")
            with as_ordinary_user():
                status = open_engine().status()
        assert not status.available
        assert "this user may not use the Docker engine" in status.reason
        assert "Permission denied" in status.reason
        assert "usermod -aG docker" in status.remedy
        assert "Start the Docker daemon" not in status.remedy

    def test_run_records_its_engine_even_if_it_is_gone(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        engine = open_engine()
        found = engine.status()
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/missing.sock")
        assert engine.about() == found
        assert not engine.status().available
        assert not open_engine().about().available

    def test_engine_with_a_full_disk_accepts_no_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BENCHBENCH_LEAST_FREE_MB", str(1 << 40))
        status = DockerEngine().status()
        assert not status.available
        root = docker("info", "--format", "{{.DockerRootDir}}").strip()
        assert re.fullmatch(
            rf"Only \d+ MB are free for the engine's containers in {root}, fewer than BENCHBENCH_LEAST_FREE_MB .*",
            status.reason,
        )
        assert "prune" in status.remedy

    def test_lack_of_space_is_recognised(self) -> None:
        response = requests.Response()
        response.status_code = 500
        refused = docker_errors.APIError("500", response, "write /x: no space left on device")
        with pytest.raises(EngineFull) as failure, engine_errors("creating container x"):
            raise refused
        assert failure.value.kind == "engine's disk full"

    def test_engine_that_never_responds_is_unavailable_within_seconds(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{tmp_path}/mute.sock")
            listener.listen()
            monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/mute.sock")
            began = time.monotonic()
            assert not open_engine().status().available
            assert time.monotonic() - began < 10


class TestBaseImages:
    def test_the_setting_is_a_list_of_pairs(self) -> None:
        assert base_images("a=b, ubuntu:24.04=mine/base:1,") == {"a": "b", "ubuntu:24.04": "mine/base:1"}
        with pytest.raises(InfrastructureError, match="'oops' is not name=replacement"):
            base_images("a=b,oops")
