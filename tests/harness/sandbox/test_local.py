"""The local backend passes the conformance suite, with exceptions that its module and the operators' page name."""

from __future__ import annotations

import logging
import re
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
from harness.sandbox.base import Owner
from harness.sandbox.local import EXCEPTIONS, LocalEngine
from harness.sandbox.temp_dirs import Place, places_of, places_root
from tests.harness.arena import Arena, script, shell
from tests.harness.conformance.rig import LIMITS
from tests.harness.sandbox_conformance import SandboxConformance
from tests.harness.worlds import tiny_dataset

ROOT = Path(__file__).parents[3]


@pytest.fixture
def engine() -> LocalEngine:
    return LocalEngine()


class TestLocalConformance(SandboxConformance):
    name = "local"
    exceptions = EXCEPTIONS

    def containers(self, instance: str) -> list[str]:
        return [place.name for place in places_of(instance)]

    def remove_from_outside(self, name: str) -> None:
        Place(places_root() / name).remove()

    def kill_from_outside(self, name: str) -> None:
        Place(places_root() / name).kill()


class TestExceptions:
    def test_each_names_a_test_of_the_suite(self) -> None:
        assert set(EXCEPTIONS) <= SandboxConformance.behaviours()

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
        assert places_of("test-local") == []

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
        assert places_of("test-local") == []

    def test_a_proof_is_not_made_without_containers(self, arena: Arena) -> None:
        with pytest.raises(ConfigurationError, match="a proof of admission is made in containers"):
            admit(arena.repository, arena.task, LocalEngine())

    def test_optional_tools_are_refused(self, tmp_path: Path) -> None:
        repository = tiny_dataset(tmp_path / "more").repository("calc")
        owner = Owner("test-local", "run-1")
        with (
            pytest.raises(InfrastructureError, match="api_call: this needs a container engine"),
            LocalEngine().workspace(repository, owner=owner, limits=LIMITS, tools=("api_call",)),
        ):
            pass
