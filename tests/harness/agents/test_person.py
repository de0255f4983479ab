"""A person as an agent: the same tools, limits, records and grade, over as many processes as it takes."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from harness.agents.base import AgentSpec
from harness.agents.mailbox import Answer
from harness.agents.person import BACK, PAUSED, PersonAgent, PersonSettings
from harness.agents.registry import create_agent
from harness.errors import ConfigurationError, InfrastructureError, ResumeRefused, RunRequeued
from harness.limits import Ending, Limits
from harness.records import Outcome, RunRecord
from harness.sandbox.temp_dirs import temp_dirs_of
from harness.session import Control
from tests.harness.arena import Arena
from tests.harness.playing import INSTANCE, Played, Script, ask, call, play, record
from tests.harness.repairs import DIGITS, SPELL, WRONG, repair_task
from tests.harness.worlds import REMOVED, SOLUTION

EVERYTHING = (
    "find . -path ./.git -prune -o -path ./build -prune -o \\( -type f -o -type l \\) -printf '%p %m %l\\n' "
    "-type f -exec sha256sum {} + | LC_ALL=C sort"
)


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena.make(tmp_path)


def repair(root: Path, slug: str) -> Arena:
    """A task to repair a function."""
    repository, task = repair_task(root, slug)
    return Arena(root, repository, task)


class TestActing:
    def test_a_person_solves_a_task_with_the_tools_and_records_of_every_agent(self, arena: Arena) -> None:
        answers: list[Answer] = []
        edits = [call("write_file", path=path, content=text) for path, text in SOLUTION.items()]
        requests = [ask("resume"), ask("act", *edits, message="Both."), ask("finish", message="Done.")]
        summary = play(arena, requests, answers=answers)
        assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
        assert (summary.iterations, summary.tool_calls, summary.failed_calls) == (2, 2, 0)
        assert (summary.prompt_tokens, summary.cost_usd) == (0, 0.0)
        opened, resumed, acted, finished = answers
        assert (opened.id, opened.paused, resumed.id, resumed.paused) == ("", True, "resume", False)
        assert [result.ok for result in acted.results] == [True, True]
        assert acted.remaining.iterations == 99
        assert (acted.ended, finished.ended) == ("", "completed")
        steps = list(record(arena).steps())
        assert [step.source for step in steps] == ["system", "user", "system", "agent", "agent"]
        assert re.fullmatch(r"The clock goes on after \d+\.\d s\.", steps[2].message)
        assert [step for step, _ in record(arena).edits_by_step()] == [4]

    def test_calls_are_checked_as_those_of_every_agent(self, tmp_path: Path) -> None:
        arena, answers = repair(tmp_path, REMOVED), list[Answer]()
        calls = [call("write_file", path="a", content="b"), {"name": "list_directory", "arguments": {}}]
        play(arena, [ask("resume"), ask("act", *calls), ask("finish")], answers=answers)
        refused, invalid = answers[2].results
        assert "This run does not offer write_file." in refused.content
        assert invalid.content.startswith("list_directory was not called:\n- explanation: missing")
        assert (answers[2].remaining.tool_uses, answers[2].remaining.submissions) == (14, 4)

    def test_the_tools_and_limits_are_those_of_the_mode(self) -> None:
        def settings(mode: str) -> dict[str, object]:
            return PersonAgent(AgentSpec("p", "person"), Script([]), mode).effective_settings(Limits())

        code, remove, change = map(settings, ("code", "remove", "pull_request"))
        assert (code["profile"], code["tools"], code["iterations"], code["tool_uses"]) == (
            "ide-bench",
            "all",
            100,
            None,
        )
        assert (remove["tools"], remove["tool_uses"], remove["submissions"]) == ("by_mode", 16, 4)
        assert (change["tools"], change["iterations"], change["wall_seconds"]) == ("pull_request", 20, 600.0)
        assert remove["idle_seconds"] == 1200.0

    @pytest.mark.parametrize(
        ("chosen", "reason"),
        [
            ({"idle": 1}, "unknown idle; known are idle_seconds, command_timeout, tools, iterations"),
            ({"idle_seconds": 0}, "idle_seconds: expected more than zero"),
            ({"tool_uses": 1.5}, "tool_uses: expected a whole number"),
            ({"tools": "none"}, "tools: expected one of all"),
        ],
    )
    def test_bad_settings_are_refused(self, chosen: dict[str, object], reason: str) -> None:
        with pytest.raises(ConfigurationError, match=reason):
            PersonSettings.read(chosen)

    def test_people_play_no_workflows_and_no_evaluation_starts_them(self) -> None:
        with pytest.raises(ConfigurationError, match="code, remove, discovery, pull_request, not workflow"):
            PersonSettings.read({}).of_mode("workflow")
        with pytest.raises(ConfigurationError, match="'p' is a person: no evaluation can start it"):
            create_agent(AgentSpec("p", "person"))


class TestEndings:
    def test_a_submission_that_passes_ends_the_run(self, tmp_path: Path) -> None:
        arena, answers = repair(tmp_path, REMOVED), list[Answer]()
        requests = [
            ask("resume"),
            *(ask("act", call("submit_attempt", code=code)) for code in (WRONG, SPELL)),
        ]
        summary = play(arena, requests, answers=answers)
        assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
        assert (summary.tool_uses, summary.submissions) == (2, 2)
        wrong, passed = answers[2:]
        assert (wrong.ended, wrong.remaining.submissions, passed.ended) == ("", 3, "completed")
        assert "'wrong' != '7'" in wrong.to_json()["results"][0]["content"]
        tested = sum(made.seconds for made in record(arena).submissions())
        assert 0 < summary.act_seconds < tested

    def test_the_last_allowed_step_is_answered_with_its_results(self, tmp_path: Path) -> None:
        arena, answers = repair(tmp_path, REMOVED), list[Answer]()
        requests = [ask("resume"), ask("act", call("submit_attempt", code=WRONG)), ask("finish")]
        summary = play(arena, requests, settings={"tool_uses": 1}, answers=answers)
        assert summary.ending is Ending.TOOL_LIMIT
        assert (answers[-1].id, answers[-1].ended, len(answers[-1].results)) == ("act", "tool_limit", 1)
        assert [answer.ended for answer in answers].count("tool_limit") == 1

    def test_the_time_ends_while_the_person_thinks(self, arena: Arena) -> None:
        answers: list[Answer] = []
        summary = play(arena, [ask("resume")], settings={"wall_seconds": 0.3}, answers=answers)
        assert summary.ending is Ending.TIME_LIMIT
        assert 0.3 <= summary.act_seconds < 1
        assert (answers[-1].id, answers[-1].ended) == ("", "time_limit")

    def test_an_agent_error_ends_it_as_for_every_agent(self, arena: Arena) -> None:
        answers: list[Answer] = []
        requests = [ask("resume"), ask("act", call("run_terminal_cmd", command="truncate -s 70M big"))]
        summary = play(arena, requests, answers=answers)
        assert summary.ending is Ending.AGENT_ERROR
        assert answers[-1].ended == "agent_error"
        assert "more than 64 MB" in answers[-1].reason

    def test_a_cancelled_session_is_not_graded(self, arena: Arena) -> None:
        class Cancelled(Control):
            began = False

            def state(self, name: str) -> None:
                self.began = name == "running"

            def cancelled(self) -> bool:
                return self.began

        answers: list[Answer] = []
        assert play(arena, [], control=Cancelled(), answers=answers).ending is Ending.CANCELLED
        assert answers[-1].ended == "cancelled"


class TestClock:
    def test_it_stands_still_until_the_person_resumes_and_calls_are_refused_meanwhile(
        self, arena: Arena
    ) -> None:
        answers: list[Answer] = []
        summary = play(arena, [ask("act", call("list_dir", path=".")), ask("finish")], answers=answers)
        assert (answers[1].ok, answers[1].reason) == (False, PAUSED)
        assert summary.tool_calls == 0
        assert summary.act_seconds < 0.2

    def test_pauses_are_recorded_and_are_not_the_persons_time(self, arena: Arena) -> None:
        answers: list[Answer] = []
        requests = [ask(kind) for kind in ("resume", "pause", "pause", "resume", "finish")]
        summary = play(arena, requests, answers=answers, seconds=0.3)
        assert 0.6 <= summary.act_seconds < 0.9
        messages = [step.message for step in record(arena).steps() if step.source == "system"]
        assert messages[2] == "The clock stands still."
        assert re.fullmatch(r"The clock goes on after 0\.6 s\.", messages[3])
        assert len(messages) == 4
        assert answers[2].remaining.seconds == pytest.approx(answers[3].remaining.seconds)


class TestResuming:
    def test_a_session_that_was_left_goes_on_with_its_files_budgets_and_record(self, tmp_path: Path) -> None:
        arena, answers = repair(tmp_path, REMOVED), list[Answer]()
        requests = [ask("resume"), ask("act", call("submit_attempt", code=WRONG)), ask("leave")]
        with pytest.raises(RunRequeued, match="the session can be resumed"):
            play(arena, requests, answers=answers)
        assert (answers[-1].id, answers[-1].closed, answers[-1].ended) == ("leave", True, "")
        assert temp_dirs_of(INSTANCE) == []
        look, again = ask("act", call("read_function", path=DIGITS, name="spell")), list[Answer]()
        solve = ask("act", call("submit_attempt", code=SPELL))
        summary = play(arena, [ask("resume"), look, solve], answers=again)
        assert (again[0].remaining.tool_uses, again[0].remaining.submissions) == (15, 3)
        assert again[0].paused
        assert again[0].remaining.seconds == pytest.approx(answers[-1].remaining.seconds, abs=0.01)
        assert "return 'wrong'" in again[2].results[0].content
        assert (summary.outcome, summary.tool_uses, summary.submissions) == (Outcome.RESOLVED, 3, 2)
        steps = list(record(arena).steps())
        assert [step.step_id for step in steps] == list(range(1, len(steps) + 1))
        assert summary.steps == len(steps)
        assert BACK in [step.message for step in steps]
        assert summary.started_at == steps[0].timestamp
        assert sorted(path.name for path in record(arena).directory.iterdir()) == [
            *("edits.jsonl", "grading.log", "patch.diff", "run_summary.json", "submissions.jsonl"),
            *("tests.json", "trajectory.jsonl"),
        ]

    def test_the_time_of_all_processes_counts_and_the_time_between_them_does_not(self, arena: Arena) -> None:
        with pytest.raises(RunRequeued):
            play(arena, [ask("resume"), ask("leave")], seconds=0.4)
        time.sleep(1.0)
        summary = play(arena, [ask("resume"), ask("finish")], seconds=0.4)
        assert 0.8 <= summary.act_seconds < 1.2

    def test_a_person_who_is_silent_for_too_long_leaves(self, arena: Arena) -> None:
        answers: list[Answer] = []
        with pytest.raises(RunRequeued, match=r"there was no request for 0\.2 s"):
            play(arena, [ask("resume")], settings={"idle_seconds": 0.2}, answers=answers)
        assert answers[-1].closed
        assert play(arena, [ask("finish")]).ending is Ending.COMPLETED

    def test_a_process_that_has_to_stop_leaves_the_session(self, arena: Arena) -> None:
        class Leaving(Control):
            began = False

            def state(self, name: str) -> None:
                self.began = name == "running"

            def leaving(self) -> bool:
                return self.began

        with pytest.raises(RunRequeued, match="the worker has to stop"):
            play(arena, [], control=Leaving())
        assert record(arena).summary() is None

    def test_a_step_without_an_answer_never_happened(self, arena: Arena) -> None:
        """Killed in the middle of a request: its step is recorded, and what it changed is not saved."""
        written = ask("act", call("write_file", path="one", content="1"))
        with pytest.raises(RunRequeued):
            play(arena, [ask("resume"), written, ask("leave")])
        directory = record(arena).directory
        with (directory / "trajectory.jsonl").open("a") as file:
            lost = {"step_id": 6, "timestamp": "", "source": "agent", "message": "lost"}
            file.write(json.dumps(lost) + "\n" + '{"step_id": 7, "sour')
        with (directory / "edits.jsonl").open("a") as file:
            file.write(json.dumps({"step_id": 6, "files": []}) + "\n")
        play(arena, [ask("finish")])
        steps = list(record(arena).steps())
        assert [step.step_id for step in steps] == [1, 2, 3, 4, 5, 6, 7]
        assert steps[5].message == BACK
        assert [step for step, _ in record(arena).edits_by_step()] == [4]
        assert b"+1\n" in record(arena).patch()

    def test_a_process_killed_before_its_first_answer_starts_anew(self, arena: Arena) -> None:
        directory = record(arena).directory
        directory.mkdir()
        (directory / "trajectory.jsonl").write_text('{"schema_version": "ATIF-v1.8"}\n{"step_id": 1}\n')
        play(arena, [ask("finish")])
        assert [step.step_id for step in record(arena).steps()] == [1, 2, 3]
        assert record(arena).header()["session_id"] == "arena/person/1"

    def test_the_grade_is_repeated_if_the_process_was_killed_while_it_graded(
        self, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        edits = [call("write_file", path=path, content=text) for path, text in SOLUTION.items()]

        def killed(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("harness.execute.grade", killed)
            with pytest.raises(KeyboardInterrupt):
                play(arena, [ask("resume"), ask("act", *edits), ask("finish")])
        answers: list[Answer] = []
        assert play(arena, [ask("act", call("list_dir"))], answers=answers).outcome is Outcome.RESOLVED
        assert answers == []

    def test_an_infrastructure_failure_leaves_the_session(
        self, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise InfrastructureError("the engine does not respond")

        with monkeypatch.context() as patch:
            patch.setattr("harness.execute.grade", fail)
            with pytest.raises(RunRequeued, match="the engine does not respond"):
                play(arena, [ask("finish")])
        assert play(arena, []).ending is Ending.COMPLETED

    def test_a_container_that_is_lost_takes_back_the_request_that_needed_it(
        self, arena: Arena, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def lost(*_: object, **__: object) -> None:
            raise InfrastructureError("the container was removed")

        answers: list[Answer] = []
        with monkeypatch.context() as patch:
            patch.setattr("harness.sandbox.local.LocalWorkspace.call", lost)
            with pytest.raises(RunRequeued, match="the container was removed"):
                play(arena, [ask("resume"), ask("act", call("list_dir", path="."))], answers=answers)
        assert (answers[-1].id, answers[-1].closed) == ("act", True)
        play(arena, [ask("finish")])
        assert [step.source for step in record(arena).steps()] == [
            *("system", "user", "system"),
            *("system", "agent"),
        ]

    @pytest.mark.parametrize("damage", ["other content", "no file", "no JSON"])
    def test_files_that_are_not_the_same_are_refused(self, arena: Arena, damage: str) -> None:
        with pytest.raises(RunRequeued):
            play(
                arena, [ask("resume"), ask("act", call("write_file", path="one", content="1")), ask("leave")]
            )
        (draft,) = record(arena).directory.glob("draft-*.json")
        if damage == "other content":
            draft.write_text(draft.read_text().replace('"one"', '"two"'))
        elif damage == "no JSON":
            draft.write_text("{")
        else:
            draft.unlink()
        before = (record(arena).directory / "trajectory.jsonl").read_bytes()
        with pytest.raises(ResumeRefused, match=r"not the same in a new container|is not readable"):
            play(arena, [])
        assert (record(arena).directory / "trajectory.jsonl").read_bytes() == before
        assert temp_dirs_of(INSTANCE) == []

    def test_a_run_that_has_ended_is_not_resumed(self, arena: Arena) -> None:
        summary = play(arena, [ask("finish")])
        with pytest.raises(ResumeRefused, match="this run has ended"):
            play(arena, [])
        assert record(arena).summary() == summary


@pytest.mark.parametrize("engine", ["local", pytest.param("docker", marks=pytest.mark.engine)])
def test_a_killed_session_goes_on_in_a_new_process_and_no_two_processes_have_it(
    arena: Arena, engine: str
) -> None:
    with Played(arena, engine) as first:
        assert first.hear()["paused"]
        first.ask("resume")
        first.ask("act", *(call("write_file", path=path, content=text) for path, text in SOLUTION.items()))
        first.shell(
            "chmod +x README.md; rm -r tests; ln -s calc link; head -c 300000 /dev/urandom > a; mkdir -p build d/e;"
            " echo 1 > build/ignored; echo 2 > d/e/f; rm .gitignore; mkdir .gitignore; echo 3 > .gitignore/x"
        )
        tree = first.shell(EVERYTHING)
        paused = first.ask("pause")["remaining"]
        with Played(arena, engine) as second:
            assert "another process executes this run" in second.end()
        first.kill()
    with Played(arena, engine) as third:
        back = third.hear()["remaining"]
        assert back == {**paused, "seconds": pytest.approx(paused["seconds"], abs=0.01)}
        third.ask("resume")
        assert third.shell(EVERYTHING) == tree
        assert "No such file or directory" in third.shell("ls build")
        third.ask("finish")
        assert third.hear()["outcome"] == "resolved"
        third.end()
    steps = list(RunRecord(arena.root / "played").steps())
    assert [step.step_id for step in steps] == list(range(1, len(steps) + 1))
    assert sum(step.source == "agent" for step in steps) == 6
    assert not temp_dirs_of(INSTANCE)


def test_of_two_processes_that_start_at_once_one_has_the_session(arena: Arena) -> None:
    with Played(arena, "local") as one, Played(arena, "local") as other:
        said = {process: process.hear() for process in (one, other)}
        (loser,) = (process for process, words in said.items() if not words)
        (winner,) = (process for process, words in said.items() if words)
        assert "another process executes this run" in loser.end()
        assert len(temp_dirs_of(INSTANCE)) == 1
        winner.ask("leave")
        winner.end()
