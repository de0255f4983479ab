"""Ways to write outside the workspace: none reaches anything that outlives its container, or the verdict.

A file tool refuses every path outside the workspace. A shell may write into its own container's throw-away layer, by
design: stacks need ~/.m2, /tmp and pip. So an attack *succeeds* when it changes what outlives the container or reaches
the verdict: files, processes, sockets, keys or settings of the host; the image; another container of that image; the
grading container; the patch, outside the workspace; the tool server's replies in the records.

Each attack writes a word of its own, and each place is searched for all words. Two things show that the searches can
fail: every place has a control that plants a word there, and of each attack by shell it is known, and tested, whether
it does change its own container.
"""

from __future__ import annotations

import ctypes
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from harness.limits import Ending
from harness.records import Outcome, RunRecord, RunSummary
from harness.sandbox.base import ContainerUse, Owner, Workspace
from harness.sandbox.docker import DockerEngine
from tests.harness.arena import Arena, script, shell, write
from tests.harness.attacks import Attack, output
from tests.harness.conformance.rig import LIMITS
from tests.harness.conformance.rig import shell as run_shell
from tests.harness.worlds import PASS_UNTOUCHED, RUN_TESTS, SOLUTION, write_tiny_dataset
from tests.harness.writing_attacks import ATTACKS, BY_SHELL, BY_TOOL, LANDING, REFUSED, SESSION, WORD, word_of
from tests.harness.writing_world import EVERYWHERE, World

pytestmark = pytest.mark.engine


@dataclass(frozen=True)
class Aftermath:
    """The words that were found, place by place, after a real run of all attacks."""

    world: World
    summary: RunSummary
    record: RunRecord
    outputs: dict[str, str]
    refusals: dict[str, bool]
    places: dict[str, set[str]]


INSIDE_AFTER_TOOLS, INSIDE_AFTER_ALL = "own container, by tools", "own container, by all"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("writing"))
    yield world
    world.process.kill()
    world.process.wait()


@pytest.fixture(scope="module")
def arena(world: World) -> Arena:
    """The tiny task, with a test script that also prints which words it finds in the grading container."""
    dataset = write_tiny_dataset(world.root)
    script = RUN_TESTS.replace(
        "exec python3", f"{EVERYWHERE % '-path /app -prune -o '}; env; ls /benchbench; exec python3"
    )
    (dataset / "calc" / "run_tests.sh").write_text(script)
    return Arena.make_from(world.root, dataset)


@contextmanager
def container(arena: Arena) -> Iterator[Workspace]:
    """Another container of the same image."""
    owner = Owner(f"attacks-{uuid4().hex[:8]}", "sibling")
    with (
        closing(DockerEngine()) as engine,
        engine.workspace(arena.repository, ContainerUse(owner, LIMITS)) as workspace,
    ):
        yield workspace


def words_in(workspace: Workspace) -> set[str]:
    """All words that are somewhere in a container."""
    return set(WORD.findall(run_shell(workspace, f"{EVERYWHERE % ''}; true", timeout=120)))


@pytest.fixture(scope="module")
def aftermath(world: World, arena: Arena) -> Aftermath:
    """One real run of all attacks, and a search of every place that they must not reach."""
    before = world.kernel()
    look = [shell(f"{EVERYWHERE % ''}; ls -a / /srv; true")]
    attempts = [*map(world.calls, BY_TOOL), look, *map(world.calls, BY_SHELL), look]
    with container(arena) as sibling:
        summary, record = arena.run("scripted", script(*attempts))
        in_sibling = words_in(sibling)
    with container(arena) as fresh:
        in_image = words_in(fresh)
    steps = [step for step in record.steps() if step.source == "agent"]
    assert len(steps) == len(attempts), (summary.detail, output(steps[-1]))
    tools, after_tools, others = steps[: len(BY_TOOL)], steps[len(BY_TOOL)], steps[len(BY_TOOL) + 1 : -1]
    return Aftermath(
        world,
        summary,
        record,
        {attack.sentence: output(step) for attack, step in zip(BY_SHELL, others, strict=True)},
        {attack.sentence: bool(step.results[-1].ok) for attack, step in zip(BY_TOOL, tools, strict=True)},
        {
            INSIDE_AFTER_TOOLS: set(WORD.findall(output(after_tools))),
            INSIDE_AFTER_ALL: set(WORD.findall(output(steps[-1]))),
            "another container": in_sibling,
            "the image": in_image,
            "the grading container": set(WORD.findall(record.grading_log())),
            "the patch": set(WORD.findall(record.patch().decode("utf-8", "replace"))),
            "the host": set(WORD.findall(world.on_host())),
            "what was sent to the host": set(WORD.findall(world.listeners.heard)),
            "the kernel": set() if world.kernel() == before else {"changed"},
        },
    )


def test_there_are_at_least_forty_ways() -> None:
    assert len({attack.sentence for attack in BY_TOOL}) == len(BY_TOOL) >= 20
    assert len({attack.sentence for attack in BY_SHELL}) == len(BY_SHELL) >= 40


@pytest.mark.parametrize("attack", BY_TOOL, ids=str)
def test_a_file_tool_refuses_to_write_outside(attack: Attack, aftermath: Aftermath) -> None:
    assert aftermath.refusals[attack.sentence] is False
    assert word_of(attack) not in aftermath.places[INSIDE_AFTER_TOOLS]


@pytest.mark.parametrize("attack", BY_SHELL, ids=str)
def test_a_way_by_shell_was_gone_to_its_end(attack: Attack, aftermath: Aftermath) -> None:
    assert aftermath.outputs[attack.sentence].startswith("exit code ")


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_no_way_to_write_outside_reaches_anything_that_lasts(attack: Attack, aftermath: Aftermath) -> None:
    reached = [
        place
        for place, words in aftermath.places.items()
        if place not in (INSIDE_AFTER_TOOLS, INSIDE_AFTER_ALL) and word_of(attack) in words
    ]
    assert reached == []


@pytest.mark.parametrize("attack", LANDING, ids=str)
def test_the_same_way_does_change_its_own_container(attack: Attack, aftermath: Aftermath) -> None:
    assert word_of(attack) in aftermath.places[INSIDE_AFTER_ALL]


@pytest.mark.parametrize("attack", REFUSED, ids=str)
def test_what_the_kernel_refuses_is_not_even_in_its_own_container(
    attack: Attack, aftermath: Aftermath
) -> None:
    assert word_of(attack) not in aftermath.places[INSIDE_AFTER_ALL]


class TestTheHost:
    def test_its_files_its_process_its_clock_and_its_kernel_are_as_they_were(
        self, aftermath: Aftermath
    ) -> None:
        world = aftermath.world
        assert {path.name: path.read_text() for path in world.host.rglob("*")} == {"canary": "untouched\n"}
        assert world.process.poll() is None
        assert time.localtime().tm_year > 2020
        assert aftermath.places["the kernel"] == set()
        assert f"{0x5AFE}" not in Path("/proc/sysvipc/shm").read_text().split()


class TestTheVerdict:
    def test_it_is_that_of_the_hidden_tests(self, aftermath: Aftermath) -> None:
        summary = aftermath.summary
        assert (summary.ending, summary.outcome) == (Ending.COMPLETED, Outcome.UNRESOLVED)
        assert summary.tests_passed == len(PASS_UNTOUCHED)

    def test_every_path_of_the_patch_is_in_the_workspace(self, aftermath: Aftermath) -> None:
        names = re.findall(
            r"^diff --git (.*)$", aftermath.record.patch().decode("utf-8", "replace"), re.MULTILINE
        )
        assert names
        assert not [name for name in names if re.search(r'(?:^| )"?[ab]/(?:/|\.\./)|/\.\./', name)]

    def test_an_honest_solution_resolves_the_same_task(self, arena: Arena) -> None:
        summary, _ = arena.play([write(path, content) for path, content in SOLUTION.items()])
        assert summary.outcome is Outcome.RESOLVED


class TestTheSearches:
    """Each of them finds a word where there is one."""

    def test_in_a_container(self, arena: Arena) -> None:
        with container(arena) as workspace:
            run_shell(workspace, f"echo word-c-{SESSION} > /srv/x")
            assert words_in(workspace) == {f"word-c-{SESSION}"}

    def test_in_the_grading_container(self, world: World, arena: Arena, tmp_path: Path) -> None:
        dataset = write_tiny_dataset(tmp_path)
        script = arena.repository.run_tests.read_text().replace(
            "find /", f"echo word-g-{SESSION} > /srv/x; find /", 1
        )
        (dataset / "calc" / "run_tests.sh").write_text(script)
        _, record = Arena.make_from(tmp_path, dataset).run("null")
        assert set(WORD.findall(record.grading_log())) == {f"word-g-{SESSION}"}
        assert world.root.exists()

    def test_in_the_patch(self, arena: Arena) -> None:
        _, record = arena.play([write("x", f"word-p-{SESSION}")])
        assert WORD.findall(record.patch().decode()) == [f"word-p-{SESSION}"]

    def test_on_the_host(self, world: World) -> None:
        path = world.host / "x"
        path.write_text(f"word-h-{SESSION}")
        with subprocess.Popen(["sleep", "60", f"word-h2-{SESSION}"], stderr=subprocess.DEVNULL) as process:
            pass  # `sleep` refuses the word, and is gone
        assert process.returncode
        assert set(WORD.findall(world.on_host())) == {f"word-h-{SESSION}"}
        path.unlink()

    def test_at_the_hosts_sockets(self, world: World) -> None:
        listeners = world.listeners
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            with socket.socket(socket.AF_INET, kind) as sender:
                sender.connect(("127.0.0.1", listeners.port))
                sender.send(f"word-s{kind}-{SESSION}".encode())
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect(f"\0{listeners.abstract}")
            sender.send(f"word-s9-{SESSION}".encode())
        deadline = time.monotonic() + 5
        while len(WORD.findall(listeners.heard)) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert sorted(WORD.findall(listeners.heard)) == [f"word-s{end}-{SESSION}" for end in "129"]

    def test_among_the_kernels_keys(self, world: World) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        name = f"word-k-{SESSION}".encode()
        key = libc.syscall(
            248, b"user", name, b"x", 1, -3
        )  # in the process's own keyring, which ends with it
        if key < 0:
            pytest.skip("this host stores no keys")
        try:
            assert f"word-k-{SESSION}" in world.on_host()
        finally:
            libc.syscall(250, 3, key)  # revoked
