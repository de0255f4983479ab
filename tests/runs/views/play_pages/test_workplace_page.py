"""The page on which a person plays: every action is a form, and no one else has access."""

from __future__ import annotations

import html
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from harness.records import RunRecorder, ToolCall, ToolResult
from runs.models import PlaySession, Run, Try
from runs.operations.evaluations.harness_specs import identity
from runs.operations.evaluations.lifecycle import cancel_evaluation
from runs.play import asking
from runs.play.play_sessions import ask_for_process, open_session
from runs.views.play_pages import workplace_page
from runs.views.play_pages.workplace_page import Done
from runs.work.execution.settling import give_up
from tasks.models import Task
from tests.conftest import RedisServer
from tests.harness.playing import TrustedEngine
from tests.harness.worlds import SOLUTION
from tests.runs.played import player, playing
from tests.runs.roles import OPERATORS, member
from tests.runs.tiny import Tiny, claimed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]
HOSTILE = "<script>alert(1)</script>.py"


@pytest.fixture
def session(
    tmp_path: Path, redis: RedisServer, monkeypatch: pytest.MonkeyPatch, client: Client
) -> PlaySession:
    """Ada's open session at the tiny task. She is signed in; no process executes it."""
    monkeypatch.setattr("runs.play.play_process.open_engine", TrustedEngine)
    ada = player("ada")
    client.force_login(ada)
    return open_session(ada, Tiny(tmp_path).task, consent=True)


class Person:
    """One who uses the forms of the page, without scripts."""

    def __init__(self, client: Client, session: PlaySession) -> None:
        self.client, self.address = client, f"/play/{session.run_id}/"

    def page(self, **query: str) -> str:
        return str(self.client.get(self.address, query).content.decode())

    def send(self, act: str, **fields: Any) -> str:
        """The page after an action."""
        return str(self.client.post(self.address, {"act": act, **fields}, follow=True).content.decode())

    def json(self, act: str, **fields: Any) -> dict[str, Any]:
        """What a script gets."""
        sent = self.client.post(self.address, {"act": act, **fields}, headers={"Accept": "application/json"})
        return dict(sent.json())

    def save(self, path: str, text: str) -> str:
        """The page after the text field was changed and sent."""
        step = re.search(r'name="file_step" value="(\d+)"', self.page(file=path))
        assert step
        return self.send("save", file=path, file_step=step[1], content=text.replace("\n", "\r\n"))


def text_of(page: str) -> str:
    """The text of the open file."""
    found = re.search(r'<textarea id="editor-text".*?>\n(.*?)</textarea>', page, re.DOTALL)
    assert found, page
    return html.unescape(found[1])


def test_a_task_is_solved_by_forms_alone_and_the_record_is_that_of_an_agent(
    session: PlaySession, client: Client
) -> None:
    person = Person(client, session)
    with playing(session) as process:
        assert "the clock stands still" in person.page()
        assert "The clock stands still, or no process" in person.send("open", file="calc/digits.py")
        assert "the clock goes" in person.send("resume")
        listed = person.send("call", tool="list_dir", arg_path=".", arg_recursive="yes")
        assert 'value="calc/digits.py"' in listed
        for path, text in SOLUTION.items():
            opened = person.send("open", file=path)
            assert text_of(opened) != text
            assert f"{path} is saved." in person.save(path, text)
        assert 'class="added"' in person.page()
        assert text_of(person.page(file="calc/sums.py")) == SOLUTION["calc/sums.py"]
        assert "hello there" in person.send("call", tool="run_terminal_cmd", arg_command="echo hello there")
        assert "the clock stands still" in person.send("pause")
        assert "Your work is finished" in person.send("finish")
    assert process.result == "resolved, completed"
    ended = person.page()
    assert "✓ resolved" in ended
    assert f'href="/runs/{session.run_id}/"' in ended
    assert "not answered" in ended
    marks = Run.objects.get().path / "sessions"
    shutil.rmtree(marks)
    marks.write_text("no directory can be made here")
    assert "The site cannot write files now" in person.send("assistant", used_assistant="no")
    session.refresh_from_db()
    assert session.used_assistant is None
    marks.unlink()
    assert "Your answer is saved" in person.send("assistant", used_assistant="no")
    session.refresh_from_db()
    assert session.used_assistant is False
    run = Run.objects.get()
    from harness.records import RunRecord

    calls = [call.name for step in RunRecord(run.path).steps() for call in step.calls]
    assert calls == ["list_dir", "read_file", "edit_file", "read_file", "edit_file", "run_terminal_cmd"]


def test_hostile_names_and_contents_are_text(session: PlaySession, client: Client) -> None:
    person = Person(client, session)
    with playing(session):
        person.send("resume")
        command = (
            f"printf '%s\\n' '</textarea>{HOSTILE}' > x.py; cp x.py '{HOSTILE.replace('/', '-')}'; cat x.py"
        )
        person.send("call", tool="run_terminal_cmd", arg_command=command)
        person.send("call", tool="list_dir", arg_path=".")
        page = person.send("open", file="x.py")
        assert "<script>alert" not in page
        assert text_of(page) == f"</textarea>{HOSTILE}\n"
        assert html.escape(HOSTILE.replace("/", "-")) in page
        answer = person.json("open", file="x.py")
        assert "<script>alert" not in "".join(answer["parts"].values())
        person.send("call", tool="read_file", arg_path="<b>none</b>", arg_explanation="<i>why</i>")
        assert "<b>none" not in person.page()
        assert "<i>why" not in person.page()


def test_a_file_that_changed_since_it_was_opened_is_not_overwritten(
    session: PlaySession, client: Client
) -> None:
    person = Person(client, session)
    with playing(session):
        person.send("resume")
        person.send("open", file="README.md")
        person.send("call", tool="run_terminal_cmd", arg_command="echo more >> README.md")
        refused = person.save("README.md", "mine\n")
        assert "changed this file" in refused
        assert text_of(refused) == "mine\n"
        assert "more" in text_of(person.send("open", file="README.md"))
        stale = person.client.post(
            person.address, {"act": "save", "file": "README.md", "file_step": "3", "content": "mine\n"}
        )
        assert (stale.status_code, text_of(stale.content.decode())) == (409, "mine\n")
        assert "Nothing is changed" in person.save("README.md", text_of(person.page(file="README.md")))


def test_new_files_and_mistakes_of_arguments(session: PlaySession, client: Client) -> None:
    person = Person(client, session)
    with playing(session):
        person.send("resume")
        assert text_of(person.send("create", file="notes/new.md")) == ""
        person.save("notes/new.md", "a note\n")
        assert text_of(person.page(file="notes/new.md")) == "a note\n"
        assert "is there already" in person.send("create", file="notes/new.md")
        wrong = person.send("call", tool="read_file", arg_path="README.md", arg_offset="first")
        assert "read_file was not called" in wrong
        assert client.post(person.address, {"act": "call", "tool": "rm"}).status_code == 400
        assert client.post(person.address, {"act": "win"}).status_code == 400
        for act in ("open", "save", "create"):
            assert "Name a file." in person.send(act)


def test_a_script_gets_the_parts_that_changed(session: PlaySession, client: Client) -> None:
    person = Person(client, session)
    with playing(session):
        answer = person.json("resume")
        assert (answer["stage"], answer["refused"], answer["sent"]) == ("running", "", False)
        opened = person.json("open", file="README.md", after=answer["last"], file_step=0)
        assert set(opened["parts"]) == {"bar", "files", "editor", "steps"}
        assert opened["parts"]["steps"].count("<article") == 1
        query = {"after": opened["last"], "file": "README.md", "file_step": opened["file_step"]}
        later = client.get(f"{person.address}state", query).json()
        assert set(later["parts"]) == {"bar", "files"}
        assert 'data-goes="yes"' in later["parts"]["bar"]


def test_a_slow_call_holds_no_web_worker_and_shows_up_later(
    session: PlaySession, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(client, session)
    monkeypatch.setattr(asking.ask, "__kwdefaults__", {"seconds": 0.2})
    with playing(session) as process:
        for _ in range(100):
            if "the clock goes" in person.send("resume"):
                break
        sent = person.json("call", tool="run_terminal_cmd", arg_command="sleep 1; echo slow is done")
        assert (sent["sent"], sent["pending"], sent["brief"]) == (True, "act", True)
        assert "works on your request" in person.page()
        while client.get(f"{person.address}state").json()["pending"]:
            threading.Event().wait(0.1)
        assert "slow is done" in person.page()
        process.person.ask({"kind": "leave"})


def test_no_one_else_has_access(session: PlaySession, client: Client) -> None:
    addresses = (f"/play/{session.run_id}/", f"/play/{session.run_id}/state")
    others = {"anonymous": 302, "bob": 404, "operator": 403, "reader": 403}
    player("bob")
    member("operator", OPERATORS)
    User.objects.create_user("reader")
    for name, status in others.items():
        other = Client()
        if name != "anonymous":
            other.force_login(User.objects.get(username=name))
        for address in addresses:
            assert other.get(address).status_code == status
            assert other.post(address, {"act": "start"}).status_code == status
    session.refresh_from_db()
    assert session.asked_at is None
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="ada"))
    assert strict.post(addresses[0], {"act": "start"}).status_code == 403


def test_the_page_says_what_a_session_waits_for(session: PlaySession, client: Client) -> None:
    person = Person(client, session)
    assert "not started" in person.page()
    assert "waiting for its start" in person.send("start")
    assert "it starts already" in person.send("start")
    assert "No process executes this session" in person.send("pause")
    claimed(session.run)
    assert "the container is being prepared" in person.page()
    Run.objects.update(state="grading")
    assert "being graded" in person.page()


def test_a_lost_process_is_said_with_the_time_until_the_session_can_be_resumed(
    session: PlaySession, client: Client
) -> None:
    person = Person(client, session)
    run = claimed(session.run)
    Try.objects.update(heartbeat_at="2026-01-01T00:00Z")
    page = person.page()
    assert "process lost" in page
    assert "can be resumed in about 1 s" in page.replace("\n", " ")
    person.send("start")
    give_up(run, 1, "Its worker gave no sign of life for 20 s.")
    session.refresh_from_db()
    assert session.asked_at is not None


def test_a_session_that_was_left_says_why_and_can_be_started_again(
    session: PlaySession, client: Client
) -> None:
    person = Person(client, session)
    with playing(session):
        person.send("resume")
        person.send("open", file="README.md")
        assert "You left the session" in person.send("leave")
    page = person.page(file="README.md")
    assert "the session can be resumed" in page
    assert "# calc" in text_of(page)
    assert "99" in page  # iterations that are left, from the record
    with playing(session):
        person.send("resume")
        assert "# calc" in text_of(person.page(file="README.md"))


def test_an_operator_cancels_it_as_any_run(session: PlaySession, client: Client) -> None:
    person = Person(client, session)
    ask_for_process(session)
    cancel_evaluation(session.run.evaluation)
    page = person.page()
    assert "The session has ended" in page
    assert "cancelled" in page
    assert "it starts already" in person.send("start")


def test_without_redis_the_page_shows_the_record_and_refuses(
    session: PlaySession, client: Client, settings: Any
) -> None:
    person = Person(client, session)
    with playing(session):
        person.send("resume")
        person.send("open", file="README.md")
        address, settings.REDIS_URL = settings.REDIS_URL, "unix:///nowhere/redis.sock"
        page = person.page(file="README.md")
        assert "Redis does not respond" in page
        assert "# calc" in text_of(page)
        assert "let it go first" in person.send("open", file="calc/sums.py")
        settings.REDIS_URL = address


def test_a_function_of_a_long_file_is_read_by_its_place_in_the_list(
    session: PlaySession, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[dict[str, Any]] = []

    def made_calls(_session: PlaySession, _place: object, calls: list[dict[str, Any]]) -> Done:
        sent.extend(calls)
        return Done()

    monkeypatch.setattr(workplace_page, "_made", made_calls)
    Task.objects.update(mode=Task.Mode.DISCOVERY)
    run = claimed(session.run)
    made = RunRecorder(run.path, identity(run, 1))
    call = ToolCall("1", "read_file", {"path": "a.py"})
    listed = "a.py is too long\n2 definitions in a.py:\n     1-2      f\n     3-4      f  [occurrence 1]"
    made.step("agent", "", calls=[call], results=[ToolResult("1", listed, True, 0.0)])
    person = Person(client, session)

    page = person.page(file="a.py")
    assert "2 functions and classes" in page
    assert "Read the file" not in page
    person.send("open", file="a.py")
    person.send("function", file="a.py", function="0")
    person.send("function", file="a.py", function="1")
    for wrong in ("2", "-1", "x", ""):
        assert "choose again" in person.send("function", file="a.py", function=wrong)
    assert "no tool that reads a function" in person.send("function", function="0")

    assert [(one["name"], one["arguments"]["path"], one["arguments"]["name"]) for one in sent] == [
        ("read_function", "a.py", "f"),
        ("read_function", "a.py", "f"),
    ]
    assert [one["arguments"].get("occurrence") for one in sent] == [None, 1]


def test_the_function_that_was_read_is_the_one_to_submit(session: PlaySession, client: Client) -> None:
    Task.objects.update(mode=Task.Mode.DISCOVERY)
    run = claimed(session.run)
    made = RunRecorder(run.path, identity(run, 1))
    call = ToolCall("1", "read_function", {"path": "a.py", "name": "f"})
    number = made.step(
        "agent", "", calls=[call], results=[ToolResult("1", "     3\tdef f(): <x>", True, 0.0)]
    ).step_id
    page = Person(client, session).page(file="a.py")
    form = page[page.index('id="submit-title"') :]
    assert 'value="a.py"' in form
    assert 'value="f"' in form
    assert "def f(): &lt;x&gt;\n</textarea>" in form
    state = client.get(f"/play/{session.run_id}/state", {"file": "a.py"}).json()
    assert state["function"] == {
        "step": number,
        "path": "a.py",
        "name": "f",
        "occurrence": 0,
        "code": "def f(): <x>\n",
    }
