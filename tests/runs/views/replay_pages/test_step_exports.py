"""One step as JSON and as Markdown."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from harness.records import FileEdit, Step, StepEdits, ToolCall, ToolResult
from runs.models import Run
from runs.views.replay_pages.step_exports import fenced, inline, step_markdown
from tests.runs.cast import Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db


EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x ```\n~~~ [a](javascript:x)"


@pytest.fixture
def run() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


@pytest.fixture
def hostile() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    edit = FileEdit(f"{EVIL}.py", "modified", 1, 1, diff=f"@@ -1 +1 @@\n-x = 1 {EVIL}\n+x = 2 {EVIL}\n")
    arguments = {"path": "a.py", "content": EVIL, EVIL: [{EVIL: EVIL}]}
    act(recorder_of(run), "edit_file", arguments, f"\x1b[31m{EVIL}\x1b[0m", message=EVIL, edits=[edit])
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:500]
    return response.content.decode()


def test_a_step_is_available_as_json(client: Client, run: Run) -> None:
    response = client.get(f"/runs/{run.pk}/steps/5/raw.json")

    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"
    found = response.json()
    assert found["step"]["tool_calls"][0]["function_name"] == "edit_file"
    assert found["edits"]["files"][0]["path"] == "tide.py"
    assert client.get(f"/runs/{run.pk}/steps/3/raw.json").json()["edits"] is None


def test_a_step_is_available_as_markdown_with_its_url(client: Client, run: Run) -> None:
    response = client.get(f"/runs/{run.pk}/steps/5.md")

    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert text.startswith("### Step 5: `Alice on Tide 1, attempt 1`\n\n<http://testserver/runs/")
    assert "**Calls** `edit_file`" in text
    assert "`path`: `tide.py`" in text
    assert "**Changes `tide.py` (+1 −1)**\n\n```diff\n--- a/tide.py" in text


def test_missing_steps_are_not_found(client: Client, run: Run) -> None:
    for form in ["/raw.json", ".md"]:
        assert client.get(f"/runs/{run.pk}/steps/99{form}").status_code == 404
        assert client.get(f"/runs/{run.pk + 1}/steps/5{form}").status_code == 404


def test_markup_stays_text_in_every_format(client: Client, hostile: Run) -> None:
    for address in ["/", "/?diff=split"]:
        shown = page(client, f"/runs/{hostile.pk}/steps/1{address}")
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert "' onmouseover='" not in shown
        assert "&lt;script&gt;" in shown
    text = page(client, f"/runs/{hostile.pk}/steps/1.md")
    outside = []
    fence = ""
    for line in text.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.rstrip("abcdefghijklmnopqrstuvwxyz")
        else:
            outside.append(line)
    assert "<script>" not in " ".join(part for line in outside for part in line.split("`")[::2])
    assert json.loads(page(client, f"/runs/{hostile.pk}/steps/1/raw.json"))["step"]["message"] == EVIL


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
