"""The container of the toolbox."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from harness.dataset import OPTIONAL_TOOLS, Repository, load_dataset
from harness.errors import AgentError, RunCancelled
from harness.pictures import PNG_START
from harness.sandbox.base import ContainerLimits, ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine.images import BASE_IMAGES_VARIABLE
from tests.harness.arena import Arena, shell
from tests.harness.sandbox.outside import docker
from tests.harness.shop import SHOP, call, start, write_shop_dataset
from tests.harness.worlds import BASE_IMAGE

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine(replacements={"debian:bookworm": BASE_IMAGE})
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return load_dataset(write_shop_dataset(tmp_path_factory.mktemp("shop"))).repository("calc")


class TestTheContainer:
    def test_it_sees_nothing_of_the_agent_the_host_or_other_networks(
        self, engine: DockerEngine, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-toolbox-test-0123456789")
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(repository, ContainerUse(owner), tools=("api_call",)) as there:
            assert "exit code 0" in there.call(*shell("echo secret > /tmp/mine"), timeout=10).content
            call(there, "api_call", url=f"{SHOP}/")
            (name,) = docker(
                "ps", "--filter", f"label=benchbench.instance={owner.instance}", "--format", "{{.Names}}",
                "--filter", "name=benchbench-toolbox",
            ).split()  # fmt: skip
            inside = docker(
                "exec", name, "sh", "-c",
                "id -un; env; ls /app /tmp/mine 2>&1; touch /opt/x 2>&1; cat /proc/self/status | grep CapEff;"
                "ls /sys/class/net; ls /var/run/docker.sock 2>&1; true",
            )  # fmt: skip
            about = docker("inspect", name)
        assert inside.startswith("toolbox\n")
        assert "sk-toolbox-test" not in inside + about
        assert "'/app': No such file" in inside
        assert "'/tmp/mine': No such file" in inside
        assert "'/opt/x': Read-only file system" in inside
        assert "CapEff:\t0000000000000000" in inside
        assert "\nlo\n" in inside
        assert "eth0" not in inside
        assert "'/var/run/docker.sock': No such file" in inside
        assert '"no-new-privileges"' in about
        assert '"Binds": null' in about

    def test_it_starts_with_the_first_call_and_is_removed_with_the_run(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")

        def roles() -> list[str]:
            listed = docker(
                "ps",
                "-a",
                "--filter",
                f"label=benchbench.instance={owner.instance}",
                "--format",
                "{{.Names}}",
            )
            return sorted(name.split("-")[1] for name in listed.split())

        with engine.workspace(repository, ContainerUse(owner), tools=OPTIONAL_TOOLS) as there:
            there.call(*shell("true"), timeout=10)
            assert roles() == ["workspace"]
            call(there, "api_call", url=f"{SHOP}/")
            assert roles() == ["toolbox", "workspace"]
        assert roles() == []

    def test_a_cancelled_run_does_not_wait_for_a_server(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        wanted = True

        def interrupt() -> None:
            if not wanted:
                raise RunCancelled("enough")

        with engine.workspace(
            repository, ContainerUse(owner, ContainerLimits(), interrupt), tools=OPTIONAL_TOOLS
        ) as there:
            start(there, "python3 app.py", "Running on")
            call(there, "api_call", url=f"{SHOP}/other")
            wanted = False
            began = time.monotonic()
            with pytest.raises(RunCancelled):
                call(there, "api_call", url=f"{SHOP}/hang", timeout=60.0)
        assert time.monotonic() - began < 5
        assert engine.sweep(owner.instance) == []

    def test_it_is_swept_with_its_run(self, engine: DockerEngine, repository: Repository) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(repository, ContainerUse(owner), tools=OPTIONAL_TOOLS) as there:
            call(there, "api_call", url=f"{SHOP}/")
            swept = engine.sweep(owner.instance)
        assert sorted(name.split("-")[1] for name in swept) == ["toolbox", "workspace"]

    def test_if_it_dies_the_call_fails_and_the_next_one_works(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(repository, ContainerUse(owner), tools=OPTIONAL_TOOLS) as there:
            call(there, "api_call", url=f"{SHOP}/")
            containers = ["ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}"]
            docker("kill", *docker(*containers, "--filter", "name=benchbench-toolbox").split())
            lost = call(there, "api_call", url=f"{SHOP}/")
            assert (lost.ok, lost.content) == (
                False,
                "The toolbox ended unexpectedly. Cookies and the page are gone; the next call begins with a fresh "
                "toolbox.",
            )
            assert "Nothing listens at localhost:5000." in call(there, "api_call", url=f"{SHOP}/").content

    def test_if_the_agent_breaks_its_container_the_next_call_reports_it(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(repository, ContainerUse(owner), tools=OPTIONAL_TOOLS) as there:
            call(there, "api_call", url=f"{SHOP}/")
            with pytest.raises(AgentError):
                there.call(*shell("kill -9 -1"), timeout=10)
            with pytest.raises(AgentError, match="the agent broke its container"):
                call(there, "api_call", url=f"{SHOP}/")


class TestARun:
    def test_a_screenshot_is_stored_with_its_step_and_an_undeclared_tool_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(BASE_IMAGES_VARIABLE, f"debian:bookworm={BASE_IMAGE}")
        arena = Arena.make_from(tmp_path, write_shop_dataset(tmp_path, tools=("api_call", "ui_test")))
        listening = "for i in $(seq 100); do sleep 0.1; grep -q :1388 /proc/net/tcp && break; done"
        server = {"command": "python3 app.py", "background": True}
        look = [{"action": "navigate", "url": f"{SHOP}/other"}, {"action": "screenshot"}]
        _, record = arena.play(
            [("run_terminal_cmd", server), shell(listening)],
            [("ui_test", {"actions": look}), ("api_call", {"url": f"{SHOP}/other"})],
            [("database_query", {"operation": "find", "collection": "c"})],
        )
        _, _, checked, refused = record.steps()
        page, result = checked.results
        assert (page.ok, page.artifacts) == (True, ("step-3-1.png",))
        assert (result.ok, result.artifacts) == (True, ())
        assert (record.artifact("step-3-1.png") or b"").startswith(PNG_START)
        assert not refused.results[0].ok
        assert refused.results[0].content.startswith("This run does not offer database_query.")
