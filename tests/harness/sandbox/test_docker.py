"""The Docker engine passes the conformance suite, and tests of its own."""

from __future__ import annotations

import gc
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

import pytest

from harness.errors import EngineUnavailable, InfrastructureError
from harness.patches import FileState
from harness.sandbox import open_engine, tool_client
from harness.sandbox.base import ContainerUse, Owner, ProgramHost
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine import engine_watch
from tests.browser.proxy import EngineProxy
from tests.harness.conformance.rig import LIMITS, shell
from tests.harness.sandbox.outside import docker, repository_with, wait_until_it_runs
from tests.harness.sandbox_conformance import SandboxConformance
from tests.harness.worlds import BASE_IMAGE, tiny_dataset


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

        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
            proxy.hang()
            threading.Timer(4.0, proxy.go_on).start()
            with pytest.raises(InfrastructureError, match=r"did not respond for \d s while container"):
                shell(there, "true", timeout=1.0)
        with engine.grader(repository, ContainerUse(owner, LIMITS)) as clean:
            threading.Thread(target=hang_when_it_runs).start()
            with pytest.raises(InfrastructureError, match=r"did not respond for \d s while container"):
                clean.run(files=(), tests=(), script=script, task="x", timeout=2.0)
        assert engine.sweep(owner.instance) == []
        engine.close()
        proxy.down()
        gc.collect()  # an open socket is reported here, and not in another test

    def test_a_connection_that_breaks_is_not_the_agents_fault_though_its_container_ends_by_itself(
        self, tmp_path: Path, owner: Owner, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        repository = tiny_dataset(tmp_path).repository("calc")
        proxy = EngineProxy(tmp_path / "engine.sock")
        proxy.up()
        monkeypatch.setenv("DOCKER_HOST", proxy.url)
        with closing(DockerEngine()) as engine:
            with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
                proxy.cut()
                with pytest.raises(InfrastructureError, match=r"^the connection to the engine at unix:"):
                    shell(there, "true")
            with (
                engine.workspace(repository, ContainerUse(owner, LIMITS)) as host,
                cast("ProgramHost", host).program(["/bin/cat"]) as program,
            ):
                proxy.cut()
                with pytest.raises(InfrastructureError, match=r"^the connection to the engine at unix:"):
                    program.receive(timeout=10)
        proxy.down()
        gc.collect()  # an open socket is reported here, and not in another test

    def test_files_of_the_dockerfile_are_part_of_the_pristine_tree(
        self, engine: DockerEngine, tmp_path: Path, owner: Owner
    ) -> None:
        repository = repository_with(
            tmp_path,
            f"FROM {BASE_IMAGE}\nWORKDIR /app\n"
            "RUN mkdir -p build calc && echo kept > build/kept && echo one > made.txt && echo two > calc/made.txt\n",
        )
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as untouched:
            assert untouched.changes().after == ()
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
            assert (
                shell(there, "cat build/kept; git status --porcelain; rm made.txt; echo 3 > calc/made.txt")
                == "kept"
            )
            changes = there.changes()
        assert changes.before == (FileState("calc/made.txt", b"two\n"), FileState("made.txt", b"one\n"))
        assert changes.after == (FileState("calc/made.txt", b"3\n"), FileState("made.txt", None))


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
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as there:
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
