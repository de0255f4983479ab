"""The prompts of the ide agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePosixPath

from harness.agents.prompt import budget, system_prompt, task_prompt
from harness.dataset import OPTIONAL_TOOLS
from harness.limits import Limits
from harness.tools.schema import TOOLS, offered, prompt_section
from harness.tools.selection import selected
from tests.harness.arena import Arena, test_id
from tests.harness.repairs import repair_task
from tests.harness.talks import ASKED
from tests.harness.worlds import CORRUPTED, REMOVED, tiny_dataset


def test_the_system_prompt_names_the_workdir_and_the_tools_of_the_task() -> None:
    prompt = system_prompt(PurePosixPath("/srv/{code}"), ["ui_test"])
    assert "The code lies in /srv/{code}; relative paths start there." in prompt
    assert f"\nTOOLS\n{prompt_section(['ui_test'])}\n\n" in prompt
    listed = [line for line in prompt.splitlines() if line.startswith("- `")]
    assert len(listed) == len(offered(["ui_test"]))


def test_without_optional_tools_none_is_in_the_prompt() -> None:
    prompt = system_prompt(PurePosixPath("/app"))
    assert "`run_terminal_cmd(" in prompt
    assert "ui_test" not in prompt


class TestThePapersPrompt:
    def test_it_has_the_papers_five_categories_on_full_stack_tasks(self) -> None:
        lines = system_prompt(PurePosixPath("/app"), OPTIONAL_TOOLS, name="paper").splitlines()
        assert [line for line in lines if line.isupper() or line.startswith("FOR ")] == [
            "SEARCH & DISCOVERY:",
            "FILE OPERATIONS:",
            "EXECUTION & AUTOMATION:",
            "SPECIALIZED TOOLS:",
            "MERN STACK TOOLS:",
            "WORKFLOW GUIDELINES:",
            "FOR MERN STACK APPLICATIONS:",
        ]
        listed = [line.split(":")[0].removeprefix("- ") for line in lines if line.startswith("- ")]
        assert sorted(listed) == sorted(name for name, tool in TOOLS.items() if not tool.only_in_sets)

    def test_on_other_tasks_it_is_silent_about_full_stacks(self) -> None:
        prompt = system_prompt(PurePosixPath("/app"), name="paper")
        assert not any(word in prompt for word in ("MERN", "api_call", "ui_test"))
        assert "\n\nWORKFLOW GUIDELINES:\n1. " in prompt
        assert "\n\n\n" not in prompt


def test_in_a_prompt_of_the_operators_own_directory_and_tools_are_put_in() -> None:
    prompt = system_prompt(PurePosixPath("/srv"), name="Work in {workdir} with:\n{tools}\nand {braces}.")
    assert prompt == f"Work in /srv with:\n{prompt_section()}\nand {{braces}}."


class TestThePromptsOfTheProfiles:
    BREAKPOINT = Limits(iterations=None, wall_seconds=None, tool_uses=16, submissions=4)

    def test_in_remove_the_function_is_submitted_and_elsewhere_one_is_replaced(self) -> None:
        for mode, submits in (
            ("remove", "submit_attempt"),
            ("discovery", "replace_function"),
            ("code", "replace_function"),
        ):
            only = selected("by_mode", mode)
            prompt = system_prompt(
                PurePosixPath("/app"), (), only, "breakpoint", mode=mode, limits=self.BREAKPOINT
            )
            assert f"with `{submits}`" in prompt
            assert prompt_section((), only) in prompt
            assert "You may call tools 16 times." in prompt
            assert "Code may be submitted 4 times;" in prompt
            assert not any(place in prompt for place in ("{workdir}", "{tools}", "{budget}"))

    def test_the_prompt_for_pull_requests_names_steps_and_seconds(self) -> None:
        limits = Limits(iterations=20, wall_seconds=600.0)
        only = selected("pull_request")
        prompt = system_prompt(PurePosixPath("/app"), (), only, "pull-request", limits=limits)
        assert "\nBUDGET\nYou may answer 20 times. The work ends after 600 seconds.\n" in prompt
        assert "call `submit_patch`" in prompt

    def test_without_a_limit_the_budget_says_so(self) -> None:
        assert budget(Limits(iterations=None, wall_seconds=None)) == "There is no limit."


def test_the_task_is_given_as_its_author_wrote_it(tmp_path: Path) -> None:
    _, task = next(tiny_dataset(tmp_path).tasks())
    assert task_prompt(task) == (
        "Numbers below zero\n\n"
        "Numbers below zero are not understood. `parse`, `spell` and `largest` have to handle them;\n"
        "a lone minus, or two, is no number.\n"
    )


class TestRepairs:
    """What the mode of a task adds to its description."""

    def test_in_remove_the_function_is_named_and_no_test(self, tmp_path: Path) -> None:
        _, task = repair_task(tmp_path, REMOVED)
        assert task_prompt(task) == (
            "Repair\n\nSome tests fail. Repair the code.\n\nWrite the body of:\n- `spell` in `calc/digits.py`\n"
        )

    def test_in_discovery_three_failing_tests_are_shown_and_no_place(self, tmp_path: Path) -> None:
        _, task = repair_task(tmp_path, CORRUPTED)
        assert task.proof is not None
        many = replace(task.proof, fail_to_pass=("a", "b", "c", "d", "e"))
        shown = task_prompt(replace(task, proof=many))
        assert shown == (
            "Repair\n\nSome tests fail. Repair the code.\n\n"
            "These tests fail:\n- `a`\n- `b`\n- `c`\n- and 2 more\n"
        )
        own = task_prompt(task)
        assert own.endswith(
            f"\n- `{test_id('test_adds_two_numbers')}`\n- `{test_id('test_reads_a_negative_number')}`\n"
        )
        assert not any(word in own for word in ("parse", "digits", "more"))

    def test_what_the_description_says_is_not_repeated(self, tmp_path: Path) -> None:
        for slug, description in (
            (REMOVED, "Write `spell` in `calc/digits.py`."),
            (CORRUPTED, f"`{test_id('test_adds_two_numbers')}` fails."),
        ):
            _, task = repair_task(tmp_path / slug, slug)
            assert task_prompt(replace(task, description=description)) == f"Repair\n\n{description}\n"

    def test_a_description_that_begins_with_the_title_is_alone(self, tmp_path: Path) -> None:
        _, task = next(tiny_dataset(tmp_path).tasks())
        for description in ("Numbers", "Numbers\n\nBelow zero."):
            assert task_prompt(replace(task, title="Numbers", description=description)) == f"{description}\n"


def test_in_a_workflow_the_prompt_speaks_of_a_user_and_the_task_is_the_first_message(tmp_path: Path) -> None:
    alone, talking = (system_prompt(PurePosixPath("/app"), mode=mode) for mode in ("code", "workflow"))
    assert "Nobody can answer questions" in alone
    assert "That answer ends the work." in alone
    assert "You work for a user, who reads your answers" in talking
    assert "The user then writes the next message." in talking
    assert not {"{questions}", "{ending}"} & {*alone.split(), *talking.split()}
    assert task_prompt(Arena.of_workflow(tmp_path).task) == ASKED
