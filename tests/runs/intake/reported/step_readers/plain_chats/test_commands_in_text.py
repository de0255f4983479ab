"""Commands in the texts of models."""

from __future__ import annotations

import pytest

from harness.records import ToolCall
from runs.intake.reported.step_readers.plain_chats.commands_in_text import calls_in_text, is_result

EXAMPLE = "Run this:\n\n```bash\nmake test\n```\n\nThen tell me."


def bash(command: str) -> tuple[ToolCall, ...]:
    return (ToolCall("", "bash", {"command": command}),)


def test_a_block_that_may_be_an_example_stays_text() -> None:
    assert calls_in_text(EXAMPLE, answered=False, usual=False) == (EXAMPLE, ())


@pytest.mark.parametrize("known", [{"answered": True, "usual": False}, {"answered": False, "usual": True}])
def test_a_block_with_a_result_or_after_others_with_results_is_a_command(known: dict[str, bool]) -> None:
    assert calls_in_text(EXAMPLE, **known) == ("Run this:\n\n\n\nThen tell me.", bash("make test"))


def test_of_several_blocks_the_last_one_was_run_if_there_is_a_result() -> None:
    text = "Not `a`:\n```\nold\n```\n```python\nx\n```\nbut\n```sh\nls \\\n  -l\n```"
    assert calls_in_text(text, answered=True, usual=False)[1] == bash("ls \\\n  -l")
    assert calls_in_text(text, answered=False, usual=True) == (text, ())


def test_a_block_of_mini_swe_agent_is_a_command_also_without_a_result() -> None:
    text = "THOUGHT: look.\n\n```mswea_bash_command\nls\n```"
    assert calls_in_text(text, answered=False, usual=False) == ("THOUGHT: look.", bash("ls"))
    assert calls_in_text(f"{text}\n{text}", answered=False, usual=False)[1] == ()


def test_functions_in_tags_are_calls_with_their_parameters() -> None:
    text = (
        "I change it.\n\n<function=edit>\n<parameter=path>/app/a.py</parameter>\n"
        "<parameter=text>\n  a\n\n</parameter>\n</function>\n<function=finish></function>"
    )
    assert calls_in_text(text, answered=False, usual=False) == (
        "I change it.",
        (
            ToolCall("", "edit", {"path": "/app/a.py", "text": "  a\n"}),
            ToolCall("", "finish", {}),
        ),
    )


@pytest.mark.parametrize(
    "text",
    ["```bash\nls", "<function=ls>", "</function>", "<function=a b></function>", "```ls```", "", "\n```"],
)
def test_what_is_not_closed_is_text(text: str) -> None:
    assert calls_in_text(text, answered=True, usual=True) == (text, ())


@pytest.mark.parametrize("part", ["```bash\n", "a```bash\n", "<function=a>", "<parameter=a>", "\n```x", "`"])
def test_megabytes_of_open_blocks_take_no_time(part: str) -> None:
    text = part * (3_000_000 // len(part)) + "</function>"
    assert len(calls_in_text(text, answered=True, usual=True)[1]) <= 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<returncode>0</returncode>\n<output>\n</output>", True),
        ("\nOBSERVATION:\na", True),
        ("EXECUTION RESULT of [execute_bash]:\na", True),
        ("I get an error: <returncode>1</returncode>", False),
        ("", False),
    ],
)
def test_results_begin_as_agents_write_them(text: str, expected: bool) -> None:
    assert is_result(text) is expected
