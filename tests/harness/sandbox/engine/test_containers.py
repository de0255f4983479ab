"""Containers are created with every limit, watched, read, and removed."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
import requests
from docker import APIClient

from harness.errors import AgentError, InfrastructureError
from harness.patches import FileState
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine import client, containers
from harness.sandbox.engine.archive import pack
from harness.sandbox.engine.containers import Container, Recipe, State, created
from harness.sandbox.engine.disk import UNKNOWN
from harness.sandbox.stream import AttachedStream
from tests.harness.conformance.rig import LIMITS
from tests.harness.sandbox.outside import docker
from tests.harness.worlds import tiny_dataset

pytestmark = pytest.mark.engine


def started(api: APIClient, container: Container, command: list[str]) -> str:
    """A program that was started in the container."""
    program = container.program(command, PurePosixPath("/"))
    AttachedStream.to_program(api, program).close()
    return program


def test_workspace_has_its_limits_and_no_log_of_its_output(
    engine: DockerEngine, tmp_path: Path, owner: Owner
) -> None:
    repository = tiny_dataset(tmp_path).repository("calc")
    shown = (
        "{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}} "
        "{{.HostConfig.Init}} {{.HostConfig.LogConfig.Type}} {{.HostConfig.NetworkMode}} {{.HostConfig.Runtime}} "
        "{{range .HostConfig.Ulimits}}{{.Name}}={{.Hard}}{{end}}"
    )
    with engine.workspace(repository, ContainerUse(owner, LIMITS)):
        name = docker("ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}").strip()
        words = docker("inspect", "--format", shown, name).split()
    assert words[:7] == ["268435456", "268435456", "1000000000", "64", "true", "none", "none"]
    assert words[7:] == [engine.status().runtime, f"fsize={4096 << 20}"]


def test_a_command_that_ends_leaves_its_exit_code_and_its_end_was_seen(
    api: APIClient, recipe: Recipe
) -> None:
    with created(api, replace(recipe, command=["/bin/sh", "-c", "exit 3"])) as container:
        assert container.state() == State(running=False, exit_code=0, out_of_memory=False)
        assert not container.end_was_seen()
        container.start()
        assert container.state_at_rest(10) == State(running=False, exit_code=3, out_of_memory=False)
        assert container.end_was_seen()
        assert not container.killed_from_outside()


def test_a_container_that_was_killed_through_the_engine_says_so(container: Container) -> None:
    container.start()
    assert container.state_at_rest(0.05) == State(running=True, exit_code=0, out_of_memory=False)
    container.kill()
    assert container.state_at_rest(10) == State(running=False, exit_code=137, out_of_memory=False)
    assert container.killed_from_outside()
    container.kill()  # nothing runs any more


def test_the_end_of_a_container_waits_for_the_reader_of_its_output_but_not_for_ever(
    api: APIClient, recipe: Recipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "ENDING_TIMEOUT", 1)
    with created(api, replace(recipe, command=["/usr/bin/yes"])) as container:
        stream = AttachedStream.to_container(api, container.name)
        container.start()
        time.sleep(0.5)  # nobody reads
        began = time.monotonic()
        with pytest.raises(AgentError, match=r"^its processes did not end within 15 s$"):
            container.kill()
        assert time.monotonic() - began < 10
        stream.close()
        container.kill()
        assert container.state_at_rest(10) == State(running=False, exit_code=137, out_of_memory=False)


def test_a_container_is_paused_while_its_processes_wait_for_the_disk(api: APIClient, recipe: Recipe) -> None:
    writes = "while :; do dd if=/dev/zero of=/var/$0 bs=64k count=40 oflag=dsync; done 2>/dev/null"
    command = f"for name in a b c; do sh -c '{writes}' $name & done; sleep 60"
    with created(api, replace(recipe, command=["/bin/sh", "-c", command])) as container:
        container.start()
        time.sleep(1)
        for _ in range(3):  # without another try, four of five pauses fail
            with container.paused():
                assert api.inspect_container(container.name)["State"]["Paused"]
        assert container.state() == State(running=True, exit_code=0, out_of_memory=False)


def test_the_engine_counts_files_and_reports_paths_that_it_cannot_measure(
    api: APIClient, recipe: Recipe
) -> None:
    deep = "n=0; while [ $n -lt 20 ]; do mkdir $0; cd $0; n=$((n+1)); done"
    command = ["/bin/sh", "-c", f"cd /srv; touch a b c; cd /tmp; {deep}", "d" * 250]
    with created(api, replace(recipe, command=["/bin/sleep", "60"])) as container:
        layer = containers._Layer(container.name)
        container.start()
        before = layer.count()
        assert layer.written() == 0
        container.await_program(started(api, container, command), 10)
        assert layer.written() == UNKNOWN
        layer.leave()
    assert before >= 0


def test_a_removed_container_has_no_state_and_can_be_removed_again(container: Container) -> None:
    container.remove()
    container.remove()
    assert (container.state(), container.state_at_rest(10)) == (None, None)
    with pytest.raises(
        InfrastructureError, match=f"starting container {container.name}: the engine refused: No such"
    ):
        container.start()
    with pytest.raises(
        InfrastructureError, match=f"killing container {container.name}: the engine refused: .*No such"
    ):
        container.kill()


def test_nothing_is_left_of_a_container_however_its_context_ends(api: APIClient, recipe: Recipe) -> None:
    made: list[Container] = []

    def break_off() -> None:
        with created(api, recipe) as container:
            container.start()
            made.append(container)
            raise RuntimeError("broken off")

    with pytest.raises(RuntimeError, match="broken off"):
        break_off()
    assert made[0].name.startswith("benchbench-test-")
    assert made[0].state() is None


def test_its_layer_shows_what_differs_from_the_image_and_what_is_new(api: APIClient, recipe: Recipe) -> None:
    command = "mkdir /made; echo x >/made/file; echo x >>/etc/profile; rm /etc/debian_version"
    with created(api, replace(recipe, command=["/bin/sh", "-c", command])) as container:
        assert container.layer() == {}
        container.start()
        state = container.state_at_rest(10)
        assert state is not None
        assert state.exit_code == 0
        # The init process is the engine's own.
        changed = {path: added for path, added in container.layer().items() if not path.startswith("/usr")}
        assert changed == {
            "/made": True,
            "/made/file": True,
            "/etc": False,
            "/etc/profile": False,
            "/etc/debian_version": False,
        }


def test_files_are_put_and_read_while_it_does_not_run(container: Container) -> None:
    files = [FileState("data/a", b"1"), FileState("data/b", b"2", 0o755)]
    container.put(pack(files))
    assert container.file(PurePosixPath("/data/b")) == files[1]
    with container.files(PurePosixPath("/data")) as members:
        assert next(iter(members)).read() == FileState("a", b"1")  # and the rest is not read


def test_a_second_program_runs_until_its_input_ends(container: Container) -> None:
    container.start()
    program = container.program(["/bin/cat"], PurePosixPath("/"))
    stream = AttachedStream.to_program(container.api, program)
    try:
        assert not container.program_ended(program)
        container.await_program(program, 0.05)
        assert not container.program_ended(program)
    finally:
        stream.close()
    container.await_program(program, 10)
    assert container.program_ended(program)


def test_a_program_that_cannot_start_has_ended(container: Container) -> None:
    container.start()
    program = container.program(["/bin/missing"], PurePosixPath("/"))
    with closing(AttachedStream.to_program(container.api, program)):
        container.await_program(program, 10)
        assert container.program_ended(program)


def test_an_engine_that_responds_passes_the_check(container: Container) -> None:
    container.check_engine(60.0)
    assert container.excess is None


def test_files_that_keep_the_engine_busy_are_the_containers_own(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(*_: object) -> object:
        raise requests.exceptions.ReadTimeout

    for name in ("inspect_container", "exec_inspect", "diff"):
        monkeypatch.setattr(container.api, name, slow)
    for ask in (container.state, container.layer, lambda: container.program_ended("any")):
        with pytest.raises(AgentError, match=r"its files keep the engine busy|took too long"):
            ask()
    monkeypatch.setattr(container.api, "ping", slow)
    with pytest.raises(InfrastructureError):
        container.layer()


def test_a_read_only_container_has_its_scratch_space(api: APIClient, recipe: Recipe) -> None:
    script = "touch /x 2>/dev/null && exit 1; touch /tmp/x || exit 2; exit 7"
    confined = replace(recipe, command=["/bin/sh", "-c", script], user="1234:1234", scratch_mb=8)
    with created(api, confined) as container:
        container.start()
        state = container.state_at_rest(10)
        assert state is not None
        assert state.exit_code == 7
