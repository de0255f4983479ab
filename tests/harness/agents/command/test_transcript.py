"""A trajectory from relayed requests: each message once, each result with its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.agents.command.transcript import Transcript
from harness.limits import Limits, Spending
from harness.llm.replies import Reply
from harness.patches import FileState
from harness.records import FileEdit, Metrics, RunRecord, RunRecorder, Step, ToolCall
from harness.sandbox.base import Changes, ToolReply
from harness.session import Control, Session
from tests.harness.arena import Arena

SYSTEM = {"role": "system", "content": "Be brief."}
TASK = {"role": "user", "content": "Mend it."}


class CountingWorkspace:
    """A workspace in memory where every call adds one changed file."""

    workdir = PurePosixPath("/app")

    def __init__(self) -> None:
        self.calls_made = 0

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        self.calls_made += 1
        return ToolReply(True, "", 0.0, (FileEdit(f"{self.calls_made}.txt", "added", 1, 0),))

    def restore(self, files: Sequence[FileState]) -> None:
        raise NotImplementedError

    def peek(self) -> Changes:
        return Changes()

    def changes(self) -> Changes:
        return Changes()


class Table:
    """A transcript and its recorded steps."""

    def __init__(self, root: Path, limits: Limits | None = None) -> None:
        arena = Arena.make(root)
        recorder = RunRecorder(root / "run", arena.identity(AgentSpec("command", "command")))
        self.spending = Spending(limits or Limits())
        self.session = Session(
            repository=arena.repository,
            task=arena.task,
            attempt=1,
            workspace=CountingWorkspace(),
            recorder=recorder,
            spending=self.spending,
            control=Control(),
        )
        self.transcript = Transcript(self.session)
        self.record = RunRecord(root / "run")

    def request(self, *messages: Mapping[str, Any]) -> None:
        self.transcript.add_request(messages)

    def respond(self, text: str, *calls: str) -> dict[str, Any]:
        """Adds a response of the model; returns the message as an agent repeats it."""
        made = tuple(ToolCall(call, "bash", {"command": call}) for call in calls)
        self.transcript.add_response(Reply(text, "", made, {}, Metrics(prompt_tokens=7), 7, {}))
        repeated: dict[str, Any] = {"role": "assistant", "content": text or None}
        if calls:
            repeated["tool_calls"] = [{"id": call, "type": "function", "function": {}} for call in calls]
        return repeated

    @property
    def steps(self) -> list[Step]:
        return list(self.record.steps())

    @property
    def messages(self) -> list[tuple[str, str]]:
        return [(step.source, step.message) for step in self.steps]


def result(call: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_response_is_recorded_with_its_results_before_the_next_model_call(table: Table) -> None:
    table.request(SYSTEM, TASK)
    response = table.respond("Look.", "a", "b")
    assert table.messages == [("system", "Be brief."), ("user", "Mend it.")]
    table.request(SYSTEM, TASK, response, result("a", "1 file"), result("b", "2 files"))
    step = table.steps[2]
    assert (step.source, step.message) == ("agent", "Look.")
    assert [(each.call_id, each.content, each.ok) for each in step.results] == [
        ("a", "1 file", True),
        ("b", "2 files", True),
    ]
    assert step.metrics == Metrics(prompt_tokens=7)
    assert [file.path for file in dict(table.record.edits_by_step())[3].files] == ["1.txt"]
    assert table.spending.iterations == 1


def test_results_that_the_agent_marked_as_failures_are_failures(table: Table) -> None:
    table.request(TASK)
    response = table.respond("Look.", "a", "b")
    table.transcript.add_request([TASK, response, result("a", "no file"), result("b", "there")], {"a"})
    assert [(each.call_id, each.ok) for each in table.steps[1].results] == [("a", False), ("b", True)]


def test_result_of_an_id_with_a_signature_belongs_to_its_call(table: Table) -> None:
    table.request(TASK)
    response = table.respond("Look.", "a")
    response["tool_calls"][0]["id"] = "a__thought__c2ln"
    table.request(TASK, response, result("a__thought__c2ln", "there"))
    assert [(each.call_id, each.content) for each in table.steps[1].results] == [("a", "there")]


def test_last_response_is_recorded_when_the_run_ends(table: Table) -> None:
    table.request(SYSTEM, TASK)
    table.respond("Submit.", "a")
    table.transcript.close()
    table.transcript.close()
    assert table.messages[2:] == [("agent", "Submit.")]
    assert table.steps[2].results == ()


def test_observations_of_an_agent_without_tool_calls_are_messages(table: Table) -> None:
    table.request(SYSTEM, TASK)
    first = table.respond("```bash\nls\n```")
    table.request(SYSTEM, TASK, first, user("a.py"))
    second = table.respond("```bash\nls\n```")
    table.request(SYSTEM, TASK, first, user("a.py"), second, user("a.py"))
    assert table.messages[2:] == [
        ("agent", "```bash\nls\n```"),
        ("user", "a.py"),
        ("agent", "```bash\nls\n```"),
        ("user", "a.py"),
    ]


def test_dropped_response_is_followed_by_its_replacement(table: Table) -> None:
    table.request(SYSTEM, TASK)
    table.respond("No call here.")
    table.request(SYSTEM, TASK, user("Call a tool."))
    assert table.messages[2:] == [("agent", "No call here."), ("user", "Call a tool.")]


def test_repeated_request_records_nothing_twice(table: Table) -> None:
    table.request(SYSTEM, TASK)
    table.request(SYSTEM, TASK)
    marked = {
        "role": "user",
        "content": [{"type": "text", "text": "Mend it.", "cache_control": {"type": "x"}}],
    }
    table.request(SYSTEM, marked)
    assert table.messages == [("system", "Be brief."), ("user", "Mend it.")]


def test_shortened_conversation_records_only_new_messages(table: Table) -> None:
    table.request(SYSTEM, TASK)
    first = table.respond("One.", "a")
    table.request(SYSTEM, TASK, first, result("a", "long output"))
    second = table.respond("Two.", "b")
    table.request(SYSTEM, user("In short: one was done."), second, result("b", "done"))
    assert table.messages[2:] == [("agent", "One."), ("agent", "Two."), ("user", "In short: one was done.")]
    assert [each.content for each in table.steps[3].results] == ["done"]


def test_parallel_responses_stay_in_order_and_late_results_are_messages(table: Table) -> None:
    table.request(SYSTEM, TASK)
    main = table.respond("Look.", "a")
    table.request(SYSTEM, user("A helper's errand."))
    errand = table.respond("Errand done.")
    assert errand["content"] == "Errand done."
    table.request(SYSTEM, TASK, main, result("a", "found"))
    assert table.messages[2:] == [
        ("agent", "Look."),
        ("user", "A helper's errand."),
        ("agent", "Errand done."),
        ("user", "[result of the call a]\nfound"),
    ]


def test_examples_in_the_first_prompt_are_agent_messages_without_cost(table: Table) -> None:
    table.request(SYSTEM, user("Example?"), {"role": "assistant", "content": "Example."}, TASK)
    assert table.messages[1:] == [("user", "Example?"), ("agent", "Example."), ("user", "Mend it.")]
    assert table.steps[2].metrics is None
    assert table.spending.iterations == 0


def test_pictures_are_named_and_long_texts_are_shortened(table: Table) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    table.request(
        {"role": "user", "content": [{"type": "text", "text": "See:"}, picture]}, user("x" * 300_000)
    )
    assert table.messages[0] == ("user", "See:\n[image_url]")
    assert len(table.messages[1][1]) < 101_000
    assert "[... 200,000 characters left out here ...]" in table.messages[1][1]


def test_the_users_message_that_is_recorded_already_is_not_recorded_again(table: Table) -> None:
    table.request(SYSTEM, TASK)
    table.respond("Done.")
    table.transcript.close()
    table.transcript.expect("And the rest?\n")
    table.request(SYSTEM, TASK, {"role": "assistant", "content": "Done."}, user("And the rest?"))
    table.respond("Done.")
    table.transcript.close()
    assert table.messages[2:] == [("agent", "Done."), ("agent", "Done.")]


def test_what_an_agent_adds_to_the_users_message_is_recorded(table: Table) -> None:
    table.transcript.expect("And the rest?")
    table.request(SYSTEM, user("And the rest?\n<reminder>Be brief.</reminder>"), user("And the rest?"))
    assert table.messages[1:] == [("user", "<reminder>Be brief.</reminder>"), ("user", "And the rest?")]
