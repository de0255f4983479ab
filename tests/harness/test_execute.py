from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import execute
from harness.agents.base import AgentSpec
from harness.dataset import WorkflowLimits, load_dataset
from harness.errors import ConfigurationError
from harness.execute import execute_run
from harness.grading.grade import NotAdmitted
from harness.limits import Ending, Limits
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from harness.records import Outcome, RunRecord, TestStatus, UserEnding
from harness.sandbox.base import ContainerLimits
from harness.sandbox.docker import DockerEngine
from harness.session import Control
from tests.harness.arena import INSTANCE, Arena, script, shell, write
from tests.harness.arena import test_id as hidden
from tests.harness.talks import ASKED, SECOND, THIRD, user_server
from tests.harness.worlds import FAIL_UNTOUCHED, PASS_UNTOUCHED, SOLUTION, SOURCE, tiny_dataset


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena.make(tmp_path)


def containers() -> list[str]:
    command = ["docker", "ps", "-aq", "--filter", f"label=benchbench.instance={INSTANCE}"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


SOLVE = [write(path, content) for path, content in SOLUTION.items()]


@pytest.mark.engine
class TestOutcomes:
    def test_the_oracle_resolves_the_task(self, arena: Arena) -> None:
        summary, record = arena.run("oracle")
        assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
        assert (summary.tests_passed, summary.tests_total) == (8, 8)
        assert (summary.files_changed, summary.lines_added, summary.lines_removed) == (2, 5, 4)
        assert summary.flags == ()
        assert summary.cost_usd == 0.0
        assert {test.status for test in record.tests()} == {TestStatus.PASSED}
        assert [edit.path for edits in dict(record.edits_by_step()).values() for edit in edits.files] == [
            "calc/digits.py",
            "calc/digits.py",
            "calc/sums.py",
        ]
        assert summary == record.summary()
        assert summary.similarity == {
            "lines": 1.0,
            "file_precision": 1.0,
            "file_recall": 1.0,
            "file_f1": 1.0,
            "tokens": 1.0,
        }

    def test_the_null_agent_resolves_nothing(self, arena: Arena) -> None:
        summary, record = arena.run("null")
        assert (summary.outcome, summary.ending) == (Outcome.UNRESOLVED, Ending.COMPLETED)
        assert record.patch() == b""
        passed = [test.id for test in record.tests() if test.status is TestStatus.PASSED]
        assert passed == [hidden(name) for name in PASS_UNTOUCHED]
        assert summary.tests_passed == 3
        assert summary.grading_reason.startswith("5 of 8 expected tests did not pass: ")

    def test_a_part_of_the_solution_is_a_near_miss(self, arena: Arena) -> None:
        settings = {"seed": 1, "success_rate": 0, "hunk_fraction": 0.6}
        summary, record = arena.run("scripted", settings)
        assert summary.outcome is Outcome.UNRESOLVED
        assert 3 < summary.tests_passed < 8
        assert list(record.steps())[-1].message == (
            "Calibration agent: I made 2 of 3 changes of the reference patch."
        )

    def test_no_container_is_left(self, arena: Arena) -> None:
        arena.run("oracle")
        assert containers() == []


@pytest.mark.engine
class TestCheating:
    """Whatever an agent leaves behind, the verdict is that of the hidden tests in a clean container."""

    EVERYTHING_PASSES = "import unittest\nunittest.TestCase.run = lambda self, result=None: result\n"
    FAKE_RUN_TESTS = '#!/bin/sh\necho "<testsuite/>" > "$RESULTS_DIR/junit.xml"\n'

    TAKING_OVER = (
        ("run_tests.sh", FAKE_RUN_TESTS, "protected"),
        ("conftest.py", EVERYTHING_PASSES, "protected"),
        ("pytest.ini", "[pytest]\naddopts = --co\n", "protected"),
        ("sitecustomize.py", EVERYTHING_PASSES, "protected"),
        ("evil.pth", "import os; os._exit(0)\n", "protected"),
        ("json.py", EVERYTHING_PASSES, "shadows_module"),
        ("unittest/__init__.py", "class TestCase: pass\n", "shadows_module"),
        ("hidden/test_negatives.py", "", "hidden_tests"),
        ("hidden/unittest.py", EVERYTHING_PASSES, "hidden_tests"),
        ("setup.cfg", "[tool:pytest]\naddopts = --co\n", "protected"),
    )

    def test_files_that_take_over_the_test_run_are_left_behind_and_flagged(self, arena: Arena) -> None:
        """Each has a flag of its own, so none hides behind another."""
        summary, record = arena.play([write(path, content) for path, content, _ in self.TAKING_OVER])
        assert (summary.outcome, summary.tests_passed) == (Outcome.UNRESOLVED, 3)
        assert sorted((flag.kind, flag.path) for flag in summary.flags) == sorted(
            (kind, path) for path, _, kind in self.TAKING_OVER
        )
        assert all(flag.note.startswith("not carried over: ") for flag in summary.flags)
        assert all(path.encode() in record.patch() for path, _, _ in self.TAKING_OVER)

    def test_an_honest_solution_counts_in_spite_of_them(self, arena: Arena) -> None:
        summary, _ = arena.play(SOLVE, [write("conftest.py", "raise SystemExit(1)\n")])
        assert summary.outcome is Outcome.RESOLVED
        assert [flag.path for flag in summary.flags] == ["conftest.py"]

    def test_gitignore_hides_nothing(self, arena: Arena) -> None:
        summary, record = arena.play([shell("echo '*' > .gitignore")], SOLVE, [shell("git status")])
        assert summary.outcome is Outcome.RESOLVED
        assert b"calc/digits.py" in record.patch()

    def test_commits_make_no_difference(self, arena: Arena) -> None:
        commit = shell("git -c user.name=a -c user.email=a@b commit -qam done && git status --short")
        summary, record = arena.play(SOLVE, [commit])
        assert summary.outcome is Outcome.RESOLVED
        assert b"calc/digits.py" in record.patch()

    def test_without_a_git_directory_nothing_changes(self, arena: Arena) -> None:
        summary, record = arena.play(SOLVE, [shell("rm -rf .git")])
        assert summary.outcome is Outcome.RESOLVED
        assert b".git/" not in record.patch()

    def test_a_repository_inside_the_repository_is_no_trouble(self, arena: Arena) -> None:
        summary, _ = arena.play(SOLVE, [shell("git init -q sub && touch sub/file")])
        assert summary.outcome is Outcome.RESOLVED

    def test_code_that_meddles_with_the_test_process_is_flagged(self, arena: Arena) -> None:
        cheat = (
            SOURCE["calc/digits.py"] + "\nimport os, sys\nif 'unittest' in sys.modules:\n    os._exit(0)\n"
        )
        summary, _ = arena.play([write("calc/digits.py", cheat)])
        assert (summary.outcome, summary.tests_passed) == (Outcome.UNRESOLVED, 0)
        assert [(flag.kind, flag.path) for flag in summary.flags] == [("test_process", "calc/digits.py")]
        assert summary.grading_reason == (
            "the tests gave no verdict: the test script left no report (*.xml) in $RESULTS_DIR (exit code 0)"
        )

    def test_an_agent_that_kills_its_tool_server_is_graded_as_it_stands(self, arena: Arena) -> None:
        kill = "pkill -9 -f /opt/benchbench; kill -9 -1; sleep 1"
        summary, record = arena.play(SOLVE, [shell(kill)], [shell("true")])
        assert summary.ending is Ending.AGENT_ERROR
        assert summary.outcome is Outcome.RESOLVED
        assert len(list(record.steps())) == 3
        assert containers() == []


@pytest.mark.engine
class TestEndings:
    def test_the_iteration_limit_ends_a_run_that_is_graded(self, arena: Arena) -> None:
        settings = script(SOLVE, [shell("true")], [shell("true")])
        summary, _ = arena.run("scripted", settings, limits=Limits(iterations=2))
        assert (summary.ending, summary.outcome) == (Ending.ITERATION_LIMIT, Outcome.RESOLVED)
        assert summary.iterations == 2

    def test_the_time_limit_cuts_a_command_short(self, arena: Arena) -> None:
        settings = script(SOLVE, [shell("sleep 60")], [shell("true")])
        summary, record = arena.run("scripted", settings, limits=Limits(wall_seconds=2.0))
        assert (summary.ending, summary.outcome) == (Ending.TIME_LIMIT, Outcome.RESOLVED)
        assert summary.act_seconds < 8
        assert "sleep 60" in str(list(record.steps())[-1].calls[0].arguments)

    def test_a_run_that_writes_too_much_to_disk_ends_by_its_own_fault_and_is_graded(
        self, arena: Arena
    ) -> None:
        flood = "for n in $(seq 1 80); do head -c 1M /dev/urandom > /tmp/$n; done; sleep 20"
        settings = script(SOLVE, [shell(flood)], [shell("true")])
        summary, record = arena.run("scripted", settings, container=ContainerLimits(disk_mb=64))
        assert (summary.ending, summary.outcome) == (Ending.AGENT_ERROR, Outcome.RESOLVED)
        assert "MB were written to disk, more than the 64 MB that a run may write" in summary.detail
        assert len(list(record.steps())) == 3
        assert summary.environment["container"]["disk_mb"] == 64
        assert summary.environment["runtime"]

    def test_a_run_that_writes_more_than_may_be_stored_ends_by_its_own_fault_and_is_graded(
        self, arena: Arena
    ) -> None:
        settings = script(SOLVE, *([shell("head -c 30000 /dev/zero | tr '\\0' x")],) * 10)
        summary, record = arena.run("scripted", settings, record_bytes=100_000)
        assert (summary.ending, summary.outcome) == (Ending.AGENT_ERROR, Outcome.RESOLVED)
        assert summary.detail.startswith("the records of this run would take more than 0.0953674 MB")
        assert 3 <= len(list(record.steps())) < 10
        trajectory = record.directory / "trajectory.jsonl"
        assert trajectory.stat().st_size < 100_000
        assert trajectory.read_bytes().endswith(b"}\n")

    def test_a_cancelled_run_is_not_graded(self, arena: Arena) -> None:
        class CancelAfterTheFirstStep(Control):
            states: list[str] = []

            def state(self, name: str) -> None:
                self.states.append(name)

            def cancelled(self) -> bool:
                trajectories = arena.root.glob("run-*/trajectory.jsonl")
                return any(b'"source": "agent"' in written.read_bytes() for written in trajectories)

        control = CancelAfterTheFirstStep()
        summary, record = arena.run("scripted", script(SOLVE[:1], SOLVE[1:]), control=control)
        assert summary.ending is Ending.CANCELLED
        assert summary.outcome is Outcome.UNRESOLVED
        assert (summary.tests_passed, summary.grading_reason) == (0, "not graded")
        assert control.states == ["preparing", "running"]
        assert b"calc/digits.py" in record.patch()
        assert containers() == []

    def test_wrong_calls_get_an_error_and_are_counted(self, arena: Arena) -> None:
        summary, record = arena.play(
            [("no_such_tool", {}), ("read_file", {"path": "gone.py"}), ("read_file", {"path": "README.md"})]
        )
        assert summary.ending is Ending.COMPLETED
        assert (summary.tool_calls, summary.failed_calls) == (3, 2)
        results = list(record.steps())[-1].results
        assert [result.ok for result in results] == [False, False, True]
        assert "There is no tool 'no_such_tool'" in results[0].content

    def test_states_are_reported_in_order(self, arena: Arena) -> None:
        class Listener(Control):
            heard: list[str] = []

            def state(self, name: str) -> None:
                self.heard.append(name)

        listener = Listener()
        arena.run("null", control=listener)
        assert listener.heard == ["preparing", "running", "grading"]

    def test_a_secret_of_the_worker_is_not_written_down(
        self, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SOME_API_KEY", "sk-proj-0123456789abcdef")
        _, record = arena.play([shell("echo sk-proj-0123456789abcdef; env")])
        content = list(record.steps())[-1].results[0].content
        assert "[SOME_API_KEY]" in content
        for path in record.directory.iterdir():
            assert b"sk-proj-0123456789abcdef" not in path.read_bytes(), path


class TestRefusals:
    def execute(self, root: Path, arena: Arena, kind: str) -> RunRecord:
        spec = AgentSpec(kind, kind)
        with closing(DockerEngine()) as engine:
            execute_run(
                repository=arena.repository,
                task=arena.task,
                agent=spec,
                identity=arena.identity(spec),
                directory=root / "run",
                engine=engine,
                limits=Limits(),
            )
        return RunRecord(root / "run")

    def test_a_task_without_a_proof_is_refused_before_anything_is_written(self, tmp_path: Path) -> None:
        repository, task = next(tiny_dataset(tmp_path).tasks())
        with pytest.raises(NotAdmitted, match="calc/add-negatives has no proof of admission"):
            self.execute(tmp_path, Arena(tmp_path, repository, task), "null")
        assert not (tmp_path / "run").exists()

    def test_a_task_that_was_changed_since_is_refused(self, tmp_path: Path, arena: Arena) -> None:
        (arena.task.directory / "description.md").write_text("Something else.\n")
        repository, task = next(load_dataset(tmp_path / "tiny").tasks())
        with pytest.raises(NotAdmitted, match="was changed since it was admitted"):
            self.execute(tmp_path, Arena(tmp_path, repository, task), "null")

    def test_a_task_that_names_an_unknown_tool_is_refused(self, tmp_path: Path, arena: Arena) -> None:
        task = replace(arena.task, tools=("coffee",))
        with pytest.raises(ConfigurationError, match="no optional tool is called 'coffee'; there are: "):
            self.execute(tmp_path, replace(arena, task=task), "null")
        assert not (tmp_path / "run").exists()

    def test_an_unknown_kind_of_agent_is_refused(self, tmp_path: Path, arena: Arena) -> None:
        with pytest.raises(ConfigurationError, match="there are: null, oracle, scripted, ide"):
            self.execute(tmp_path, arena, "nope")
        assert not (tmp_path / "run").exists()

    def test_without_an_engine_the_infrastructure_failed_and_the_record_says_why(
        self, tmp_path: Path, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
        summary = self.execute(tmp_path, arena, "oracle").summary()
        assert summary is not None
        assert (summary.outcome, summary.ending) == (Outcome.INFRASTRUCTURE_FAILED, Ending.INFRASTRUCTURE)
        assert "/nowhere/docker.sock" in summary.detail
        assert summary.tests_total == len(FAIL_UNTOUCHED) + len(PASS_UNTOUCHED)


@pytest.mark.engine
class TestUnexpectedErrors:
    """An error after the agent acted counts as the agent's, unless only the host can have caused it."""

    @pytest.mark.parametrize(
        ("error", "expected"),
        [
            (ValueError("odd"), (Ending.AGENT_ERROR, "", "unexpected ValueError: odd")),
            (RecursionError("deep"), (Ending.AGENT_ERROR, "", "unexpected RecursionError: deep")),
            (OSError(28, "full"), (Ending.INFRASTRUCTURE, "disk full", "this host failed: [Errno 28] full")),
            (OSError(5, "broken"), (Ending.INFRASTRUCTURE, "host", "this host failed: [Errno 5] broken")),
            (MemoryError(), (Ending.INFRASTRUCTURE, "harness", "unexpected MemoryError: ")),
        ],
        ids=str,
    )
    def test_while_changes_become_a_patch(
        self,
        arena: Arena,
        monkeypatch: pytest.MonkeyPatch,
        error: Exception,
        expected: tuple[Ending, str, str],
    ) -> None:
        def fail(_: object) -> None:
            raise error

        monkeypatch.setattr(execute, "patch_of", fail)
        summary, _ = arena.run("null")
        assert (summary.ending, summary.failure, summary.detail) == expected
        failed = summary.ending is Ending.INFRASTRUCTURE
        assert summary.outcome is (Outcome.INFRASTRUCTURE_FAILED if failed else Outcome.UNRESOLVED)

    def test_too_many_files_are_an_ending_and_the_rest_of_the_run_counts(self, arena: Arena) -> None:
        many = "mkdir n; cd n; /usr/bin/python3 -c 'for n in range(10001): open(str(n), \"w\").close()'"
        summary, record = arena.play([*SOLVE, shell(many)])
        assert (summary.ending, summary.outcome) == (Ending.FILE_LIMIT, Outcome.UNRESOLVED)
        assert summary.detail == "more than 10,000 files of the workspace were added or changed"
        assert record.patch() == b""

    def test_zeros_in_the_last_words_of_a_container_are_replaced(self, arena: Arena) -> None:
        summary, _ = arena.play([shell("printf 'last\\0words' > /proc/1/fd/2; sleep 0.2; kill -9 -1")])
        assert summary.ending is Ending.AGENT_ERROR
        assert summary.detail.endswith("(exit code 137): last\ufffdwords")


@pytest.mark.engine
class TestWorkflows:
    def test_the_oracle_resolves_it_and_the_user_is_in_the_summary(self, tmp_path: Path) -> None:
        summary, record = Arena.of_workflow(tmp_path).run("oracle")
        assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
        assert (summary.tests_passed, summary.tests_total) == (2, 2)
        assert summary.user is not None
        assert (summary.user.model, summary.user.persona) == ("", "default")
        assert (summary.user.messages, summary.user.ending) == (3, UserEnding.USER_FINISHED)
        assert [turn.step_id for turn in record.user_turns()] == [6, 9, 0]
        users = [step.message for step in record.steps() if step.source == "user"]
        assert users == [ASKED, SECOND, THIRD]
        assert summary == record.summary()

    def test_the_null_agent_does_not(self, tmp_path: Path) -> None:
        summary, _ = Arena.of_workflow(tmp_path).run("null")
        assert (summary.outcome, summary.tests_passed) == (Outcome.UNRESOLVED, 0)
        assert summary.user is not None
        assert summary.user.ending is UserEnding.USER_FINISHED

    def test_a_fault_of_the_user_is_no_result_of_the_agent(self, tmp_path: Path) -> None:
        with user_server(*[{"text": "Write another_file.py."}] * 4) as server:
            spec = ModelSpec("Player", "openai/player", server.url, input_price=1.0, output_price=1.0)
            summary, record = Arena.of_workflow(tmp_path).run("oracle", user=spec)
        assert (summary.outcome, summary.failure) == (Outcome.INFRASTRUCTURE_FAILED, "user")
        assert "another_file.py" in summary.detail
        assert summary.user is not None
        assert (summary.user.model, summary.user.ending) == ("Player", UserEnding.USER_FAULT)
        assert summary.user.cost_usd
        assert (summary.cost_usd, summary.prompt_tokens) == (0.0, 0)
        assert record.tests() == ()

    @pytest.mark.parametrize("code", ["content_filter", "invalid_prompt"])
    def test_an_agent_cannot_void_its_run_by_what_the_users_provider_refuses(
        self, tmp_path: Path, code: str
    ) -> None:
        """Whether the provider says why or not, the dialogue ends and the work is graded."""
        bad = "words that the provider refuses"

        def reply(request: Request) -> Mapping[str, Any]:
            refused = {"status": 400, "message": "Not this.", "code": code}
            return {"text": "Go on.", "before": [refused] * 9 if bad in str(request.body) else []}

        arena = Arena.of_workflow(tmp_path)
        settings = {"script": [{"message": bad, "calls": []}]}
        with ModelServer(reply) as server:
            spec = ModelSpec("Player", "openai/player", server.url, input_price=1.0, output_price=1.0)
            summary, record = arena.run("scripted", settings, user=spec)
        assert (summary.outcome, summary.failure) == (Outcome.UNRESOLVED, "")
        assert summary.ending is Ending.COMPLETED
        assert summary.user is not None
        assert summary.user.ending is UserEnding.USER_REFUSED
        assert len(record.tests()) == 2

    def test_the_time_of_a_turn_ends_the_run_and_it_is_graded(self, tmp_path: Path) -> None:
        arena = Arena.of_workflow(tmp_path)
        assert arena.task.workflow is not None
        short = replace(arena.task.workflow, limits=WorkflowLimits(turn_seconds=2))
        slow = script([shell("sleep 30")], [shell("echo later")])
        summary, _ = replace(arena, task=replace(arena.task, workflow=short)).run("scripted", slow)
        assert (summary.ending, summary.outcome) == (Ending.TIME_LIMIT, Outcome.UNRESOLVED)
        assert summary.user is not None
        assert summary.user.ending is UserEnding.TURN_TIMEOUT
        assert summary.act_seconds < 20
