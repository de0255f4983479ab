"""One step in full: diffs, highlighted source and limits."""

from __future__ import annotations

import pytest
from django.test import Client

from harness.records import FileEdit, ToolCall, ToolResult
from runs.models import Run
from runs.views.replay_pages.step_view import output, source, step_view
from runs.views.source_display.spans import text_of
from runs.views.source_display.syntax import Painter
from tests.markup import compact
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
    return compact(response.content.decode())


def test_diffs_are_unified_or_side_by_side(client: Client, run: Run) -> None:
    address = f"/runs/{run.pk}/steps/5/"

    assert '<table class="diff">' in page(client, address)
    assert '<table class="diff">' in page(client, f"{address}?diff=unified")
    split = page(client, f"{address}?diff=split")
    assert '<table class="diff split">' in split
    assert 'data-shown="split"' in split
    assert '<table class="diff split">' in page(client, f"{run.get_absolute_url()}?step=5&diff=split")
    assert client.get(f"{address}?diff=sideways").status_code == 400


def test_the_switch_changes_no_other_parameter(client: Client, run: Run) -> None:
    shown = page(client, f"{run.get_absolute_url()}?step=5&tool=edit_file&diff=unified")

    assert 'href="?step=5&amp;tool=edit_file&amp;diff=split#changes" data-diff-mode="split"' in shown
    assert 'href="?step=5&amp;tool=edit_file&amp;diff=split#patch" data-diff-mode="split"' in shown


def test_source_is_highlighted_by_file_name(client: Client, run: Run) -> None:
    shown = page(client, f"/runs/{run.pk}/steps/5/")

    assert '<span class="t-key">return</span>' in shown
    assert '<span class="t-num changed">0</span>' in shown


def test_invalid_arguments_and_long_commands_are_handled() -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    step = recorder_of(run).step(
        "agent",
        "",
        calls=[
            ToolCall("a", "bash", {"command": "cat '" + "x;" * 2_000_000}),
            ToolCall("b", "bash", {"command": ["x"] * 100_000}),
            ToolCall("c", "apply_patch", {"input": "*** Update File: a\n" * 100_000}),
            ToolCall("d", "view", {"path": 7}),
        ],
        results=[ToolResult("d", "text", True, 0.0)],
    )

    assert [call.kind for call in step_view(step, None).calls] == ["run", "run", "edit", "read"]


def test_numbered_lines_are_read_as_one_source() -> None:
    text = "tide.py\n     1\t'''Two\n     2\tlines'''\n[lines 1-2 of 9]"
    found = output("r", "result", text, "python", Painter())

    assert text_of(found.pieces) == text
    marked = [(piece.classes, piece.marked) for piece in found.pieces if piece.classes]
    assert marked == [
        ("t-line", "     1\t"),
        ("t-str", "'''Two"),
        ("t-line", "     2\t"),
        ("t-str", "lines'''"),
    ]
    assert found.pieces[-1].plain == "\n[lines 1-2 of 9]"


def test_source_is_cut_and_cleaned_before_highlighting() -> None:
    part = source("a", "content", "x = '\x1b[31m'\u202e" + "#" * 30_000, "python", Painter())

    assert part.text.is_cut
    assert text_of(part.pieces) == part.text.shown
    assert "\x1b" not in part.text.shown
    assert "⟨U+202E⟩" in part.text.shown
