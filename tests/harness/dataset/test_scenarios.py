"""Workflow tasks: one task for each persona of a scenario, with every problem by file and field."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from harness.dataset import (
    DatasetError,
    Mode,
    Persona,
    ReferenceCall,
    Task,
    WorkflowLimits,
    load_dataset,
    load_task,
    write_proof,
)
from tests.harness.arena import tiny_proof
from tests.harness.worlds import CANARY, add_workflow

SCENARIO = "calc/tasks/talk-negatives"


@pytest.fixture
def scenario(dataset: Path) -> Path:
    return add_workflow(dataset)


def tasks(dataset: Path) -> dict[str, Task]:
    return {task.slug: task for _, task in load_dataset(dataset).tasks()}


def problems(dataset: Path) -> list[tuple[str, str, str]]:
    """Every problem: file in the scenario, field, reason."""
    with pytest.raises(DatasetError) as refused:
        load_dataset(dataset)
    root = dataset.resolve() / SCENARIO
    return [
        (str(found.path.relative_to(root)), found.where, found.reason)
        if found.path.is_relative_to(root)
        else (found.path.name, found.where, found.reason)
        for found in refused.value.problems
    ]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


class TestASoundScenario:
    @pytest.mark.usefixtures("scenario")
    def test_it_is_one_task_for_each_persona(self, dataset: Path) -> None:
        found = tasks(dataset)
        assert list(found) == ["add-negatives", "talk-negatives.default", "talk-negatives.toxic"]
        assert [task.mode for task in found.values()] == [Mode.CODE, Mode.WORKFLOW, Mode.WORKFLOW]
        assert found["talk-negatives.toxic"].title == "Talk about numbers below zero (toxic user)"
        assert [task.scenario for task in found.values()] == ["add-negatives", *["talk-negatives"] * 2]
        workflow = found["talk-negatives.toxic"].workflow
        assert workflow is not None
        assert (workflow.scenario, workflow.persona) == ("talk-negatives", Persona.TOXIC)
        assert found["talk-negatives.toxic"].description == workflow.first_message
        assert [turn.changes for turn in workflow.turns] == [("calc/digits.py",), ("calc/sums.py",), ()]
        assert workflow.turns[0].calls[0].arguments == {"path": "."}
        assert [verifier.kind for verifier in workflow.verifiers] == ["yes_changes", "chat_regexp"]
        assert workflow.limits == WorkflowLimits(10, 900.0, 1200.0, 300.0)

    @pytest.mark.usefixtures("scenario")
    def test_a_persona_without_a_script_gives_the_instructions(self, dataset: Path) -> None:
        default, toxic = (tasks(dataset)[f"talk-negatives.{name}"].workflow for name in ("default", "toxic"))
        assert default is not None
        assert toxic is not None
        assert default.script == default.instructions
        assert toxic.script == ("Why is the largest number still wrong?!", "Is it finished at last?")

    def test_limits_are_those_of_the_file(self, dataset: Path, scenario: Path) -> None:
        with (scenario / "workflow.toml").open("a") as file:
            file.write("[limits]\nmessages = 15\nturn_seconds = 60\n")
        workflow = tasks(dataset)["talk-negatives.default"].workflow
        assert workflow is not None
        assert workflow.limits == WorkflowLimits(15, 60.0, 1200.0, 300.0)

    def test_without_changes_patch_and_tests_may_be_empty(self, dataset: Path, scenario: Path) -> None:
        (scenario / "reference.diff").write_text("")
        change(scenario / "conversation.toml", 'changes = ["calc/digits.py"]\n', "")
        change(scenario / "conversation.toml", 'changes = ["calc/sums.py"]\n', "")
        assert len(tasks(dataset)) == 3

    def test_all_changes_may_be_made_in_one_turn(self, dataset: Path, scenario: Path) -> None:
        change(scenario / "conversation.toml", '["calc/digits.py"]', '"all"')
        change(scenario / "conversation.toml", 'changes = ["calc/sums.py"]\n', "")
        workflow = tasks(dataset)["talk-negatives.default"].workflow
        assert workflow is not None
        assert workflow.turns[0].changes == ("calc/digits.py", "calc/sums.py")

    def test_a_turn_may_check_its_changes(self, dataset: Path, scenario: Path) -> None:
        change(
            scenario / "conversation.toml",
            'changes = ["calc/sums.py"]\n',
            'changes = ["calc/sums.py"]\nchecks = [{ name = "list_dir", arguments = { path = "calc" } }]\n',
        )
        workflow = tasks(dataset)["talk-negatives.default"].workflow
        assert workflow is not None
        assert [turn.checks for turn in workflow.turns] == [
            (),
            (ReferenceCall("list_dir", {"path": "calc"}),),
            (),
        ]

    def test_a_repository_of_workflows_needs_no_test_script(self, dataset: Path, scenario: Path) -> None:
        shutil.rmtree(scenario.parent / "add-negatives")
        (dataset / "calc/run_tests.sh").unlink()
        assert len(tasks(dataset)) == 2


class TestProofAndDigest:
    @pytest.mark.parametrize("name", ["workflow.toml", "verifiers.toml", "conversation.toml", "task.toml"])
    def test_every_file_changes_the_digest_of_all_personas(
        self, dataset: Path, scenario: Path, name: str
    ) -> None:
        before = {task.digest for task in tasks(dataset).values() if task.workflow}
        with (scenario / name).open("a") as file:
            file.write("# more\n")
        after = {task.digest for task in tasks(dataset).values() if task.workflow}
        assert (len(before), len(after)) == (1, 1)
        assert before != after

    @pytest.mark.usefixtures("scenario")
    def test_one_proof_admits_all_personas(self, dataset: Path) -> None:
        task = tasks(dataset)["talk-negatives.default"]
        write_proof(task, tiny_proof(task))
        assert {slug: one.admitted for slug, one in tasks(dataset).items()} == {
            "add-negatives": False,
            "talk-negatives.default": True,
            "talk-negatives.toxic": True,
        }

    @pytest.mark.usefixtures("scenario")
    def test_one_persona_is_loaded_alone(self, dataset: Path) -> None:
        digest = tasks(dataset)["talk-negatives.toxic"].digest
        repository, task = load_task(dataset, "calc", "talk-negatives.toxic", digest=digest)
        assert [one.slug for one in repository.tasks] == ["talk-negatives.toxic"]
        assert task.workflow is not None
        with pytest.raises(LookupError, match="holds no task"):
            load_task(dataset, "calc", "talk-negatives.helpful", digest=digest)
        with pytest.raises(LookupError, match="holds no task"):
            load_task(dataset, "calc", "talk-negatives", digest=digest)


class TestABrokenScenario:
    @pytest.mark.parametrize(
        ("name", "old", "new", "where", "reason"),
        [
            (
                "workflow.toml",
                'objective = "Numbers below zero are understood everywhere."\n',
                "",
                "objective",
                "is missing",
            ),
            (
                "workflow.toml",
                '["default", "toxic"]',
                '["default", "toxic", "rude"]',
                "personas",
                "names 'rude'; known are: default, toxic, helpful",
            ),
            (
                "workflow.toml",
                '["default", "toxic"]',
                '["default"]',
                "script.toxic",
                "is the script of a persona that `personas` does not name",
            ),
            (
                "workflow.toml",
                "[script]\n",
                "[limits]\nmessages = 2\n\n[script]\n",
                "script.default",
                "gives the user 3 messages; limits.messages is 2",
            ),
            (
                "workflow.toml",
                '"Is it finished at last?"',
                '" "',
                "script.toxic",
                "holds an empty message",
            ),
            (
                "conversation.toml",
                '["calc/sums.py"]',
                '["calc/other.py", "calc/sums.py"]',
                "turns[2].changes",
                "names 'calc/other.py', which reference.diff does not change",
            ),
            (
                "conversation.toml",
                '["calc/sums.py"]',
                '["calc/sums.py", "calc/digits.py"]',
                "turns",
                "2 turns make the change of 'calc/digits.py'; it must be one",
            ),
            (
                "conversation.toml",
                'name = "list_dir", ',
                "",
                "turns[1].calls[1].name",
                "is missing",
            ),
            ("conversation.toml", f"# {CANARY}\n", "", "", "does not contain the dataset's canary"),
            ("verifiers.toml", f"# {CANARY}\n", "", "", "does not contain the dataset's canary"),
        ],
    )
    def test_a_bad_field(  # noqa: PLR0917
        self, dataset: Path, scenario: Path, name: str, old: str, new: str, where: str, reason: str
    ) -> None:
        change(scenario / name, old, new)
        assert (name, where, reason) in problems(dataset)

    def test_a_problem_is_reported_once_for_all_personas(self, dataset: Path, scenario: Path) -> None:
        change(scenario / "verifiers.toml", CANARY, "a comment")
        assert problems(dataset) == [("verifiers.toml", "", "does not contain the dataset's canary")]

    def test_a_script_that_is_shorter_than_the_conversation(self, dataset: Path, scenario: Path) -> None:
        change(scenario / "workflow.toml", ', "Is it finished at last?"', "")
        assert problems(dataset) == [
            (
                "workflow.toml",
                "script.toxic",
                "gives the user 2 messages, too few for the 3 turns of conversation.toml",
            )
        ]

    @pytest.mark.parametrize("name", ["workflow.toml", "verifiers.toml", "conversation.toml"])
    def test_a_missing_file(self, dataset: Path, scenario: Path, name: str) -> None:
        (scenario / name).unlink()
        assert (name, "", "is missing") in problems(dataset)

    def test_a_missing_patch(self, dataset: Path, scenario: Path) -> None:
        (scenario / "reference.diff").unlink()
        reason = "is missing: the oracle applies it; it may be empty"
        assert ("reference.diff", "", reason) in problems(dataset)

    def test_a_workflow_without_its_mode(self, dataset: Path, scenario: Path) -> None:
        change(scenario / "task.toml", 'mode = "workflow"\n', "")
        reason = 'must be "workflow": there is a workflow.toml'
        assert ("task.toml", "mode", reason) in problems(dataset)

    def test_a_description_that_nobody_reads(self, dataset: Path, scenario: Path) -> None:
        (scenario / "description.md").write_text("x")
        assert problems(dataset) == [("description.md", "", "is not used by a workflow task")]

    def test_a_task_with_the_name_of_a_persona(self, dataset: Path, scenario: Path) -> None:
        shutil.copytree(scenario.parent / "add-negatives", scenario.parent / "talk-negatives.toxic")
        assert problems(dataset) == [("tasks", "talk-negatives.toxic", "is the name of two tasks")]

    def test_a_proof_without_tests(self, dataset: Path, scenario: Path) -> None:
        task = tasks(dataset)["talk-negatives.default"]
        path = write_proof(task, tiny_proof(task))
        path.write_text(json.dumps(json.loads(path.read_text()) | {"fail_to_pass": []}))
        reason = "is empty: an untouched workspace would resolve the task"
        assert problems(dataset) == [("proof.json", "fail_to_pass", reason)]
