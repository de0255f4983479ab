"""What the workplace shows of a record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import RequestFactory

from harness.records import FileEdit, RunRecorder, Submission, ToolCall, ToolResult
from runs.models import PlaySession
from runs.operations.evaluations.harness_specs import identity
from runs.play.play_sessions import open_session
from runs.views.play_pages.workplace_view import MAX_STEPS, Workplace
from runs.views.source_display.prose import blocks
from tasks.models import Task
from tests.conftest import RedisServer
from tests.runs.tiny import Tiny, claimed

pytestmark = [pytest.mark.django_db, pytest.mark.redis]
DIFF = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-old\n+new\n"


@pytest.fixture
def session(tmp_path: Path, redis: RedisServer) -> PlaySession:
    return open_session(User.objects.create_user("ada"), Tiny(tmp_path).task, consent=True)


@pytest.fixture
def recorder(session: PlaySession) -> RunRecorder:
    """Of the session's run, with the two messages at its beginning."""
    run = claimed(session.run)
    made = RunRecorder(run.path, identity(run, 1))
    made.step("system", "A person works on this task.")
    made.step("user", f"{session.run.task.title}\n\nThe function `parse` is broken.")
    return made


def act(recorder: RunRecorder, name: str, content: str, **arguments: Any) -> int:
    call = ToolCall("1", name, arguments)
    result = ToolResult("1", content, True, 0.5)
    return recorder.step("agent", "", calls=[call], results=[result]).step_id


def test_steps_come_newest_first_without_the_task(session: PlaySession, recorder: RunRecorder) -> None:
    number = act(recorder, "run_terminal_cmd", "exit code 0\nok", command="make", explanation="Build it.")
    recorder.edits(number, [FileEdit("x.py", "modified", 1, 1, diff=DIFF)])
    place = Workplace.of(session, "")
    assert [(step.number, step.is_own) for step in place.steps()] == [(3, True), (1, False)]
    (call,) = place.steps()[0].calls
    assert (call.name, call.kind, call.about, call.ok) == ("run_terminal_cmd", "run", "make", True)
    assert [argument.name for argument in call.arguments] == ["command", "explanation"]
    (change,) = place.steps()[0].changes
    assert [row.kind for row in change.diff.rows if row.kind != "heading"] == ["removed", "added"]
    assert place.steps(after=3) == []
    assert place.task_text == blocks("The function `parse` is broken.")  # the title stands over the page


def test_a_submission_shows_what_the_hidden_tests_wrote(session: PlaySession, recorder: RunRecorder) -> None:
    number = act(recorder, "submit_attempt", "1 of 2 tests passed", code="def f(): pass")
    recorder.submission(Submission(1, number, "submit_attempt", 1, 1, "AssertionError: 7", resolved=False))
    (call,) = Workplace.of(session, "").steps()[0].calls
    assert (call.result.shown, call.aside.shown) == ("1 of 2 tests passed", "AssertionError: 7")


def test_only_the_newest_steps_are_shown(session: PlaySession, recorder: RunRecorder) -> None:
    for number in range(MAX_STEPS + 3):
        act(recorder, "list_dir", "", path=str(number))
    assert len(Workplace.of(session, "").steps()) == MAX_STEPS


def test_a_script_gets_an_editor_only_with_another_text(session: PlaySession, recorder: RunRecorder) -> None:
    number = act(recorder, "read_file", "     1\told", path="x.py")
    request = RequestFactory().get("/")
    place = Workplace.of(session, "./x.py")
    assert "editor" in place.json(request, number, 0)["parts"]
    assert "editor" not in place.json(request, number, number)["parts"]
    assert "steps" not in place.json(request, number, number)["parts"]
    assert place.address.endswith("/?file=x.py")
    later = act(recorder, "run_terminal_cmd", "", command="fix")
    recorder.edits(later, [FileEdit("x.py", "modified", 1, 1, diff=DIFF)])
    changed = Workplace.of(session, "x.py").json(request, later, number)
    assert (changed["changed_in"], "Read the file" in changed["parts"]["editor"]) == (later, True)


def test_a_session_without_a_record_shows_the_description(session: PlaySession) -> None:
    place = Workplace.of(session, "")
    assert (place.steps(), place.file, place.address) == ([], None, f"/play/{session.run_id}/")
    assert place.task_text
    assert place.context()["forms"][0][0] in place.tools.tools


@pytest.mark.parametrize(
    ("origin", "fields"), [(Task.Origin.REMOVED, ["code"]), (Task.Origin.MULTIPLE, ["code", "name"])]
)
def test_a_function_to_write_is_named_only_among_several(
    session: PlaySession, origin: Task.Origin, fields: list[str]
) -> None:
    session.run.task.mode, session.run.task.origin = "remove", origin
    place = Workplace.of(session, "")
    assert place.tools.submitting == "submit_attempt"
    assert [field.name for field in place.submission_fields()] == fields
