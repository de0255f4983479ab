from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.agents.base import AgentSpec
from harness.agents.reference import NOT_DONE, NOTHING_LEFT, PlannedStep, reference_changes
from harness.agents.scripted import Calibration, ScriptedAgent, Style, plan, plan_turns
from harness.dataset import Repository, Task
from harness.limits import Ending
from harness.records import Outcome
from harness.tools.schema import validate
from tests.harness.arena import Arena, will_succeed
from tests.harness.talks import ASKED, SECOND, THIRD, Talk
from tests.harness.worlds import tiny_dataset


@pytest.fixture
def tiny(tmp_path: Path) -> tuple[Repository, Task]:
    return next(tiny_dataset(tmp_path).tasks())


def calibration(
    rate: float, fraction: float = 0.6, seed: int = 7, style: Style = Style.STEADY
) -> Calibration:
    return Calibration(seed, rate, fraction, style)


def edits(steps: list[PlannedStep]) -> int:
    return sum(step.must_succeed for step in steps)


class TestCalibration:
    def test_equal_seeds_make_equal_plans(self, tiny: tuple[Repository, Task]) -> None:
        repository, task = tiny
        plans = [plan(task, repository, calibration(0.5), 3) for _ in range(2)]
        assert plans[0] == plans[1]
        assert plans[0] != plan(task, repository, calibration(0.5, seed=8), 3)

    @pytest.mark.parametrize(("rate", "expected"), [(0.0, 0), (0.3, 30), (0.8, 80), (1.0, 100)])
    def test_the_success_rate_is_met(self, tiny: tuple[Repository, Task], rate: float, expected: int) -> None:
        repository, task = tiny
        succeeded = sum(will_succeed(task, repository, calibration(rate), n) for n in range(100))
        # Four standard deviations of a binomial with n = 100 are 4 * sqrt(100 * p * (1 - p)), at most 20.
        assert abs(succeeded - expected) <= 4 * (100 * rate * (1 - rate)) ** 0.5

    def test_the_same_attempts_in_two_evaluations_are_as_independent_as_two_attempts(
        self, tiny: tuple[Repository, Task]
    ) -> None:
        repository, task = tiny
        first, second = (
            [will_succeed(task, repository, calibration(0.5), n, evaluation) for n in range(400)]
            for evaluation in ("monday", "tuesday")
        )
        alike = sum(one is other for one, other in zip(first, second, strict=True))
        # Half of them are by chance alone, give or take four standard deviations of a binomial with n = 400.
        assert abs(alike - 200) <= 40

    def test_plan_matches_will_succeed(self, tiny: tuple[Repository, Task]) -> None:
        repository, task = tiny
        for attempt in range(20):
            steps = plan(task, repository, calibration(0.5), attempt, "monday")
            complete = edits(steps) == len(reference_changes(repository, task))
            assert complete is will_succeed(task, repository, calibration(0.5), attempt, "monday")

    @pytest.mark.parametrize(
        ("fraction", "made"),
        # Of three changes: 0.0, 0.48 -> 0; 0.5 is 1.5 -> 2; 1.0 is 3, but one is always left out.
        [(0.0, 0), (0.16, 0), (0.17, 1), (0.5, 2), (1.0, 2)],
    )
    def test_a_part_is_rounded_half_up_and_never_all(
        self, tiny: tuple[Repository, Task], fraction: float, made: int
    ) -> None:
        repository, task = tiny
        steps = plan(task, repository, calibration(0.0, fraction), 1)
        assert edits(steps) == made
        assert steps[-1].message == f"Calibration agent: I made {made} of 3 changes of the reference patch."

    def test_style_does_not_change_the_outcome(self, tiny: tuple[Repository, Task]) -> None:
        repository, task = tiny
        lengths = {}
        for style in Style:
            plans = [plan(task, repository, calibration(0.5, style=style), n) for n in range(20)]
            lengths[style] = sum(map(len, plans))
        assert lengths[Style.THOROUGH] > lengths[Style.STEADY] > lengths[Style.HASTY]
        for attempt in range(20):
            outcomes = {
                will_succeed(task, repository, calibration(0.5, style=style), attempt) for style in Style
            }
            assert len(outcomes) == 1

    def test_every_message_says_that_it_is_a_calibration_agent(self, tiny: tuple[Repository, Task]) -> None:
        repository, task = tiny
        steps = plan(task, repository, calibration(1.0, style=Style.THOROUGH), 1)
        assert all(step.message.startswith("Calibration agent: ") for step in steps)

    def test_every_call_is_one_that_the_tools_accept(self, tiny: tuple[Repository, Task]) -> None:
        repository, task = tiny
        calls = [
            call
            for attempt in range(20)
            for step in plan(task, repository, calibration(0.5, style=Style.HASTY), attempt)
            for call in step.calls
        ]
        assert {call.name for call in calls} >= {"list_dir", "read_file", "edit_file", "search_replace"}
        for call in calls:
            validate(call.name, call.arguments)


@pytest.mark.engine
class TestInContainers:
    @pytest.mark.parametrize("attempt", [1, 2, 3])
    def test_calibration_agent_succeeds_as_predicted(self, tmp_path: Path, attempt: int) -> None:
        arena = Arena.make(tmp_path)
        settings = {"seed": 11, "success_rate": 0.5, "hunk_fraction": 0.7}
        predicted = will_succeed(arena.task, arena.repository, Calibration.from_settings(settings), attempt)
        summary, _ = arena.run("scripted", settings, attempt=attempt)
        assert summary.ending is Ending.COMPLETED
        assert (summary.outcome is Outcome.RESOLVED) is predicted

    def test_recorded_script_is_played_unchanged(self, tmp_path: Path) -> None:
        arena = Arena.make(tmp_path)
        settings = {"script": [{"message": "I am no oracle.", "calls": []}]}
        summary, record = arena.run("scripted", settings)
        assert [step.message for step in record.steps()][1:] == ["I am no oracle."]
        assert summary.iterations == 1


class TestWorkflows:
    def test_a_step_without_calls_ends_a_turn_of_a_script(self, tmp_path: Path) -> None:
        talk = Talk(tmp_path)
        looks = [{"name": "list_dir", "arguments": {"explanation": "x"}}]
        steps = [{"message": "I look.", "calls": looks}, {"message": "Done."}, {"message": "That, too."}]
        agent = ScriptedAgent(AgentSpec("scripted", "scripted", {"script": steps}))
        assert agent.run(talk.session) is Ending.COMPLETED
        assert talk.messages == [
            ("user", ASKED),
            ("agent", "I look."),
            ("agent", "Done."),
            ("user", SECOND),
            ("agent", "That, too."),
            ("user", THIRD),
            ("agent", NOTHING_LEFT),
        ]

    @pytest.mark.parametrize(("rate", "edits"), [(1.0, 3), (0.0, 2)])
    def test_a_calibration_agent_plays_the_conversation_with_its_part_of_the_changes(
        self, tmp_path: Path, rate: float, edits: int
    ) -> None:
        talk = Talk(tmp_path)
        settings = {"seed": 1, "success_rate": rate, "hunk_fraction": 0.6}
        ScriptedAgent(AgentSpec("scripted", "scripted", settings)).run(talk.session)
        assert talk.calls.count("edit_file") == edits
        said = [message for source, message in talk.messages if source == "agent"]
        assert said == ["Sums work now.", "The largest number works, too.", "It is finished."]

    def test_without_changes_in_the_reference_it_leaves_out_answers(self, tmp_path: Path) -> None:
        arena = Arena.of_workflow(tmp_path)
        assert arena.task.workflow is not None
        turns = tuple(replace(turn, changes=()) for turn in arena.task.workflow.turns)
        task = replace(
            arena.task,
            reference_diff=tmp_path / "empty.diff",
            workflow=replace(arena.task.workflow, turns=turns),
        )
        task.reference_diff.touch()
        calibration = Calibration(seed=1, success_rate=0.0, hunk_fraction=0.5)
        said = [turn[-1].message for turn in plan_turns(task, arena.repository, calibration, 1)]
        assert said.count(NOT_DONE) == 1
