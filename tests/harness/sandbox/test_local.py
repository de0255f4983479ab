"""The local backend passes the conformance suite, with exceptions that the operators' page names."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from harness.admission.admit import admit
from harness.agents.base import AgentSpec
from harness.errors import ConfigurationError, InfrastructureError
from harness.execute import execute_run
from harness.limits import Ending, Limits
from harness.llm.spec import ModelSpec
from harness.records import Outcome, RunRecord, RunSummary
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.local import LocalEngine
from harness.sandbox.temp_dirs import TempDir, temp_dirs_of, temp_root
from tests.harness.arena import Arena, script, shell
from tests.harness.conformance.rig import LIMITS
from tests.harness.sandbox_conformance import SandboxConformance
from tests.harness.worlds import tiny_dataset

ROOT = Path(__file__).parents[3]
# The conformance tests that this backend does not support, by name, with the reason.
EXCEPTIONS: Mapping[str, str] = {
    "no_hidden_part_can_be_found_from_inside": "the dataset lies on the same host",
    "the_search_for_hidden_parts_finds_what_is_there": "the dataset lies on the same host",
    "there_is_no_network": "processes have the host's network",
    "no_attempt_to_reach_a_network_succeeds": "processes have the host's network",
    "there_are_no_capabilities_and_no_way_to_gain_privileges": "processes have the rights of the worker",
    "processes_are_limited": "there is no limit on the number of processes",
    "a_fork_bomb_is_the_agents_own_trouble": "there is no limit on the number of processes",
    "a_command_that_takes_too_much_memory_dies": "there is no limit on memory",
    "proc_and_sys_give_nothing_of_the_host_away": "/proc and /sys are the host's",
    "what_only_the_host_may_do_is_refused": "processes have the rights of the worker",
    "setting_the_clock_fails_and_it_goes_on": "processes have the rights of the worker",
    "an_agent_that_kills_everything_is_to_blame_and_its_work_is_graded": "it would kill the worker, too",
    "a_container_killed_from_outside_is_not_the_agents_fault": "the host does not report who killed a process",
}


@pytest.fixture
def engine() -> LocalEngine:
    return LocalEngine()


class TestLocalConformance(SandboxConformance):
    name = "local"
    exceptions = EXCEPTIONS

    def containers(self, instance: str) -> list[str]:
        return [directory.name for directory in temp_dirs_of(instance)]

    def remove_from_outside(self, name: str) -> None:
        TempDir(temp_root() / name).remove()

    def kill_from_outside(self, name: str) -> None:
        TempDir(temp_root() / name).kill()


class TestExceptions:
    def test_the_page_for_operators_lists_exactly_these(self) -> None:
        page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
        section = page.partition("## Without containers")[2].partition("\n## ")[0]
        rows = dict(re.findall(r"^\| ([^|`]+?) \| ([^|]+?) \|$", section, re.MULTILINE))
        rows.pop("not promised", None)
        rows.pop("---", None)
        assert rows == {behaviour.replace("_", " "): reason for behaviour, reason in EXCEPTIONS.items()}

    def test_the_docker_engine_has_none(self) -> None:
        assert SandboxConformance.exceptions == {}


class TestSetting:
    def test_it_is_chosen_by_a_variable(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
        status = open_engine().status()
        assert (status.available, status.isolated, status.runtime) == (True, False, "none")
        assert status.description.startswith("NO CONTAINER")

    def test_unknown_name_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BENCHBENCH_ENGINE", "podmann")
        with pytest.raises(ConfigurationError, match="'podmann'; it must be one of docker, local"):
            open_engine()


class TestRuns:
    @pytest.fixture
    def arena(self, tmp_path: Path) -> Arena:
        return Arena.make(tmp_path)

    def execute(self, arena: Arena, spec: AgentSpec) -> tuple[RunSummary, RunRecord]:
        directory = arena.root / f"run-{spec.name}"
        summary = execute_run(
            repository=arena.repository,
            task=arena.task,
            agent=spec,
            identity=arena.identity(spec),
            directory=directory,
            engine=LocalEngine(),
            limits=Limits(),
            instance="test-local",
        )
        return summary, RunRecord(directory)

    def test_the_oracle_resolves_and_the_null_agent_does_not(
        self, arena: Arena, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.WARNING):
            resolved, _ = self.execute(arena, AgentSpec("oracle", "oracle"))
        unresolved, record = self.execute(arena, AgentSpec("null", "null"))
        assert (resolved.outcome, resolved.tests_passed) == (Outcome.RESOLVED, 8)
        assert (unresolved.outcome, unresolved.tests_passed) == (Outcome.UNRESOLVED, 3)
        assert len(record.tests()) == 8
        assert "WITHOUT A CONTAINER" in caplog.text
        assert temp_dirs_of("test-local") == []

    def test_run_records_that_it_had_no_container(self, arena: Arena) -> None:
        summary, _ = self.execute(arena, AgentSpec("null", "null"))
        assert [(flag.kind, flag.note) for flag in summary.flags] == [
            ("without_container", "acted and was graded on the host itself: the numbers are not comparable")
        ]
        assert (summary.environment["isolated"], summary.environment["runtime"]) == (False, "none")
        assert summary.environment["engine"].startswith("NO CONTAINER")

    def test_external_agent_is_refused_before_anything_is_written(self, arena: Arena) -> None:
        model = ModelSpec("m", "openai/m", input_price=1.0, output_price=1.0, context_window=9000)
        with pytest.raises(ConfigurationError, match="ide agents act in containers only"):
            self.execute(arena, AgentSpec("ide", "ide", {}, model))
        assert not (arena.root / "run-ide").exists()

    def test_no_key_of_the_worker_reaches_a_command(
        self, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SOME_API_KEY", "not-for-agents")
        _, record = self.execute(arena, AgentSpec("scripted", "scripted", script([shell("env")])))
        said = [result.content for step in record.steps() for result in step.results]
        assert "PATH=" in said[0]
        assert "not-for-agents" not in said[0]
        assert "[SOME_API_KEY]" not in said[0]

    def test_agent_that_kills_its_server_fails_and_is_graded(self, arena: Arena) -> None:
        kill = "kill -9 $(cat /proc/$PPID/stat | cut -d' ' -f4)"
        summary, _ = self.execute(
            arena, AgentSpec("scripted", "scripted", script([shell(kill)], [shell("true")]))
        )
        assert (summary.ending, summary.outcome) == (Ending.AGENT_ERROR, Outcome.UNRESOLVED)
        assert temp_dirs_of("test-local") == []

    def test_a_proof_is_not_made_without_containers(self, arena: Arena) -> None:
        with pytest.raises(ConfigurationError, match="a proof of admission is made in containers"):
            admit(arena.repository, arena.task, LocalEngine())

    def test_optional_tools_are_refused(self, tmp_path: Path) -> None:
        repository = tiny_dataset(tmp_path / "more").repository("calc")
        owner = Owner("test-local", "run-1")
        with (
            pytest.raises(InfrastructureError, match="api_call: this needs a container engine"),
            LocalEngine().workspace(repository, ContainerUse(owner, LIMITS), tools=("api_call",)),
        ):
            pass
