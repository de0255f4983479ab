"""A trajectory read off relayed requests: each message told once, each result beside its call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.agents.command.transcript import Transcript
from harness.limits import Limits, Spending
from harness.llm.replies import Reply
from harness.records import FileEdit, Metrics, RunRecord, RunRecorder, Step, ToolCall
from harness.sandbox.base import Changes, ToolReply
from harness.session import RunSession, Uncontrolled
from tests.harness.arena import Arena

SYSTEM = {"role": "system", "content": "Be brief."}
TASK = {"role": "user", "content": "Mend it."}


class Desk:
    """A workspace in memory in which every look finds one more change."""

    workdir = PurePosixPath("/app")

    def __init__(self) -> None:
        self.looks = 0

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        self.looks += 1
        return ToolReply(True, "", 0.0, (FileEdit(f"{self.looks}.txt", "added", 1, 0),))

    def changes(self) -> Changes:
        return Changes()


class Table:
    """A transcript and what it has written."""

    def __init__(self, root: Path, limits: Limits | None = None) -> None:
        arena = Arena.make(root)
        recorder = RunRecorder(root / "run", arena.identity(AgentSpec("command", "command")))
        self.spending = Spending(limits or Limits())
        self.session = RunSession(
            repository=arena.repository,
            task=arena.task,
            attempt=1,
            workspace=Desk(),
            recorder=recorder,
            spending=self.spending,
            control=Uncontrolled(),
        )
        self.transcript = Transcript(self.session)
        self.record = RunRecord(root / "run")

    def ask(self, *messages: Mapping[str, Any]) -> None:
        self.transcript.asked(messages)

    def answer(self, text: str, *calls: str) -> dict[str, Any]:
        """The model says this and calls these; returns the message as an agent repeats it."""
        made = tuple(ToolCall(call, "bash", {"command": call}) for call in calls)
        self.transcript.answered(Reply(text, "", made, {}, Metrics(prompt_tokens=7), 7, {}))
        repeated: dict[str, Any] = {"role": "assistant", "content": text or None}
        if calls:
            repeated["tool_calls"] = [{"id": call, "type": "function", "function": {}} for call in calls]
        return repeated

    @property
    def steps(self) -> list[Step]:
        return list(self.record.steps())

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(step.source, step.message) for step in self.steps]


def result(call: str, text: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": text}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def test_an_answer_is_written_with_its_results_before_the_model_is_asked_again(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    answer = table.answer("Look.", "a", "b")
    assert table.told == [("system", "Be brief."), ("user", "Mend it.")]
    table.ask(SYSTEM, TASK, answer, result("a", "1 file"), result("b", "2 files"))
    step = table.steps[2]
    assert (step.source, step.message) == ("agent", "Look.")
    assert [(each.call_id, each.content, each.ok) for each in step.results] == [
        ("a", "1 file", True),
        ("b", "2 files", True),
    ]
    assert step.metrics == Metrics(prompt_tokens=7)
    assert [file.path for file in table.record.edits()[3].files] == ["1.txt"]
    assert table.spending.iterations == 1


def test_results_that_the_agent_marked_as_failures_are_failures(table: Table) -> None:
    table.ask(TASK)
    answer = table.answer("Look.", "a", "b")
    table.transcript.asked([TASK, answer, result("a", "no file"), result("b", "there")], {"a"})
    assert [(each.call_id, each.ok) for each in table.steps[1].results] == [("a", False), ("b", True)]


def test_a_signature_that_is_hidden_in_an_id_keeps_no_result_from_its_call(table: Table) -> None:
    table.ask(TASK)
    answer = table.answer("Look.", "a")
    answer["tool_calls"][0]["id"] = "a__thought__c2ln"
    table.ask(TASK, answer, result("a__thought__c2ln", "there"))
    assert [(each.call_id, each.content) for each in table.steps[1].results] == [("a", "there")]


def test_the_last_answer_is_written_when_the_run_ends(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    table.answer("Submit.", "a")
    table.transcript.close()
    table.transcript.close()
    assert table.told[2:] == [("agent", "Submit.")]
    assert table.steps[2].results == ()


def test_observations_of_an_agent_without_tool_calls_are_messages(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    first = table.answer("```bash\nls\n```")
    table.ask(SYSTEM, TASK, first, user("a.py"))
    second = table.answer("```bash\nls\n```")
    table.ask(SYSTEM, TASK, first, user("a.py"), second, user("a.py"))
    assert table.told[2:] == [
        ("agent", "```bash\nls\n```"),
        ("user", "a.py"),
        ("agent", "```bash\nls\n```"),
        ("user", "a.py"),
    ]


def test_an_answer_that_the_agent_dropped_is_followed_by_what_it_says_instead(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    table.answer("No call here.")
    table.ask(SYSTEM, TASK, user("Call a tool."))
    assert table.told[2:] == [("agent", "No call here."), ("user", "Call a tool.")]


def test_a_repeated_request_tells_nothing_twice(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    table.ask(SYSTEM, TASK)
    marked = {
        "role": "user",
        "content": [{"type": "text", "text": "Mend it.", "cache_control": {"type": "x"}}],
    }
    table.ask(SYSTEM, marked)
    assert table.told == [("system", "Be brief."), ("user", "Mend it.")]


def test_a_conversation_that_was_tidied_tells_only_what_is_new(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    first = table.answer("One.", "a")
    table.ask(SYSTEM, TASK, first, result("a", "long output"))
    second = table.answer("Two.", "b")
    table.ask(SYSTEM, user("In short: one was done."), second, result("b", "done"))
    assert table.told[2:] == [("agent", "One."), ("agent", "Two."), ("user", "In short: one was done.")]
    assert [each.content for each in table.steps[3].results] == ["done"]


def test_answers_side_by_side_keep_their_order_and_late_results_are_messages(table: Table) -> None:
    table.ask(SYSTEM, TASK)
    main = table.answer("Look.", "a")
    table.ask(SYSTEM, user("A helper's errand."))
    errand = table.answer("Errand done.")
    assert errand["content"] == "Errand done."
    table.ask(SYSTEM, TASK, main, result("a", "found"))
    assert table.told[2:] == [
        ("agent", "Look."),
        ("user", "A helper's errand."),
        ("agent", "Errand done."),
        ("user", "[result of the call a]\nfound"),
    ]


def test_examples_in_the_first_prompt_are_told_as_the_agents_but_cost_nothing(table: Table) -> None:
    table.ask(SYSTEM, user("Example?"), {"role": "assistant", "content": "Example."}, TASK)
    assert table.told[1:] == [("user", "Example?"), ("agent", "Example."), ("user", "Mend it.")]
    assert table.steps[2].metrics is None
    assert table.spending.iterations == 0


def test_pictures_are_named_and_very_long_texts_lose_their_middle(table: Table) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    table.ask({"role": "user", "content": [{"type": "text", "text": "See:"}, picture]}, user("x" * 300_000))
    assert table.told[0] == ("user", "See:\n[image_url]")
    assert len(table.told[1][1]) < 101_000
    assert "[... 200,000 characters left out here ...]" in table.told[1][1]
