"""A step as Markdown."""

from __future__ import annotations

import pytest

from harness.records import FileEdit, Step, StepEdits, ToolCall, ToolResult
from runs.views.replay_pages.step_markdown import fenced, inline, step_markdown


def test_fences_are_longer_than_any_inside() -> None:
    assert fenced("a\n````\nb\n") == "`````\na\n````\nb\n`````"
    assert fenced("", "diff") == "```diff\n\n```"
    assert inline("a`b``c") == "```a`b``c```"
    assert inline("`") == "`` ` ``"


def test_a_step_has_a_block_for_each_of_its_parts() -> None:
    step = Step(
        5,
        "",
        "agent",
        "I mend it.",
        "It ebbs.",
        (ToolCall("c", "edit_file", {"path": "a.py", "text": "one\ntwo"}),),
        (ToolResult("c", "done", True, 0.5),),
    )
    edits = StepEdits(
        5, (FileEdit("a.py", "modified", 2, 1, diff="-a\n+b\n"), FileEdit("b.png", "added", 0, 0))
    )

    assert step_markdown(step, edits, "Alice on Tide 1", "http://site/runs/1/?step=5").split("\n\n") == [
        "### Step 5: `Alice on Tide 1`",
        "<http://site/runs/1/?step=5>",
        "**Thinks**",
        "```\nIt ebbs.\n```",
        "**Says**",
        "```\nI mend it.\n```",
        "**Calls** `edit_file`",
        "`path`: `a.py`",
        "`text`",
        "```\none\ntwo\n```",
        "**Result**",
        "```\ndone\n```",
        "**Changes `a.py` (+2 −1)**",
        "```diff\n-a\n+b\n```",
        "**Changes `b.png` (+0 −0)**",
        "(empty)\n",
    ]


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((), "**Result**: none, the run ended before it came."),
        ((ToolResult("other", "x", True, 0.0),), "**Result**: none, the run ended before it came."),
        ((ToolResult("c", "No.", False, 0.0),), "**Result (failed)**\n\n```\nNo.\n```"),
        ((ToolResult("c", "", True, 0.0),), "**Result**\n\n(empty)"),
    ],
)
def test_a_result_may_be_missing_failed_or_empty(results: tuple[ToolResult, ...], expected: str) -> None:
    step = Step(1, "", "agent", "", calls=(ToolCall("c", "stop", {"id": "7"}),), results=results)
    written = step_markdown(step, None, "T", "/")
    assert written == f"### Step 1: `T`\n\n</>\n\n**Calls** `stop`\n\n`id`: `7`\n\n{expected}\n"


@pytest.mark.parametrize(
    ("number", "source", "heading"),
    [
        (1, "user", "The task"),
        (2, "user", "The task"),
        (3, "user", "The user"),
        (1, "system", "Instructions"),
        (1, "odd", "Says"),
    ],
)
def test_a_message_is_headed_by_its_author(number: int, source: str, heading: str) -> None:
    step = Step(number, "", source, "Mend it.")  # type: ignore[arg-type]
    assert step_markdown(step, None, "T", "/").endswith(f"**{heading}**\n\n```\nMend it.\n```\n")


def test_a_long_text_is_cut_with_a_note() -> None:
    written = step_markdown(Step(1, "", "agent", "x" * 1_000_000), None, "T", "/")
    assert len(written) < 500_000
    assert written.endswith("x\n```\n\n(1,000,000 characters, cut here)\n")


def test_an_empty_text_is_still_inline_code() -> None:
    assert inline("") == "`   `"
    assert inline("a b") == "`a b`"
