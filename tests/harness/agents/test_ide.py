"""The ide agent against a scripted model over real HTTP; in the end with a real container and a real verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from harness.agents.base import AgentSpec
from harness.agents.ide import CUT_OFF, GO_ON, UNREADABLE, IdeAgent
from harness.agents.registry import create_agent
from harness.agents.shown_pictures import picture_message
from harness.errors import AgentError, Cause, ConfigurationError, ContextLimitReached, ModelError
from harness.execute import execute_run
from harness.limits import Ending, LimitReached, Limits, Spending
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import ModelSpec
from harness.patches import FileState
from harness.records import Outcome, RunRecord, RunRecorder, RunSummary, Step
from harness.sandbox.base import Changes, ToolReply
from harness.sandbox.docker import DockerEngine
from harness.session import Control, Session
from tests.harness.arena import INSTANCE, Arena
from tests.harness.talks import ASKED, SECOND, THIRD, Talk
from tests.harness.worlds import SOLUTION, png

QUICK = {"call_timeout": 2, "retry_delay": 0.01, "patience": 4.0}


def model(url: str, **more: Any) -> ModelSpec:
    return ModelSpec(
        "Scripted", "openai/scripted", url, input_price=2.0, output_price=10.0, cached_price=0.5, **more
    )


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": {"explanation": "As the script says.", **arguments}}


class Notebook:
    """A workspace in memory that returns the name of every call."""

    workdir = PurePosixPath("/app")

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Any], float]] = []
        self.pictures: tuple[bytes, ...] = ()

    def call(self, tool: str, arguments: Mapping[str, Any], *, timeout: float) -> ToolReply:
        self.calls.append((tool, arguments, timeout))
        return ToolReply(True, f"{tool} was here\ud800", 0.001, pictures=self.pictures)

    def restore(self, files: Sequence[FileState]) -> None:
        raise NotImplementedError

    def peek(self) -> Changes:
        return Changes()

    def changes(self) -> Changes:
        return Changes()


class Play:
    """One run of the ide agent over a notebook."""

    def __init__(
        self,
        arena: Arena,
        script: Sequence[Mapping[str, Any]],
        *,
        limits: Limits | None = None,
        settings: Mapping[str, Any] = QUICK,
        pictures: tuple[bytes, ...] = (),
        **more: Any,
    ) -> None:
        self.notebook = Notebook()
        self.notebook.pictures = pictures
        self.spending = Spending(limits or Limits())
        self.error: Exception | None = None
        self.ending: Ending | None = None
        directory = arena.root / "run"
        with ModelServer(script) as server:
            spec = AgentSpec("ide", "ide", settings, model(server.url, **more))
            session = Session(
                repository=arena.repository,
                task=arena.task,
                attempt=1,
                workspace=self.notebook,
                recorder=RunRecorder(directory, arena.identity(spec)),
                spending=self.spending,
                control=Control(),
            )
            try:
                self.ending = IdeAgent(spec).run(session)
            except (LimitReached, ModelError, ContextLimitReached, AgentError) as error:
                self.error = error
        self.requests = server.requests
        self.steps: list[Step] = list(RunRecord(directory).steps())


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    return Arena.make(tmp_path)


class TestTheLoop:
    def test_it_ends_with_a_response_without_a_call(self, arena: Arena) -> None:
        play = Play(arena, [{"calls": [call("read_file", path="a.py")]}, {"text": "Finished."}])
        assert play.ending is Ending.COMPLETED
        assert [(step.source, step.message) for step in play.steps[2:]] == [
            ("agent", ""),
            ("agent", "Finished."),
        ]
        assert play.spending.iterations == 2

    def test_the_model_first_sees_the_prompt_and_the_task(self, arena: Arena) -> None:
        play = Play(arena, [])
        system, user = play.requests[0].messages
        assert (system["role"], user["role"]) == ("system", "user")
        assert "The code lies in /app;" in system["content"]
        assert "`search_replace(" in system["content"]
        assert user["content"].startswith("Numbers below zero\n\nNumbers below zero are not understood.")
        assert play.requests[0].body["tools"][0]["function"]["name"] == "read_file"
        assert [(step.source, step.message) for step in play.steps[:2]] == [
            ("system", system["content"]),
            ("user", user["content"]),
        ]

    def test_results_are_sent_to_the_model_with_their_calls(self, arena: Arena) -> None:
        calls = [call("read_file", path="a.py"), call("list_dir", path=".")]
        play = Play(arena, [{"text": "Look.", "calls": calls}])
        response, *results = play.requests[1].messages[2:]
        assert [call["id"] for call in response["tool_calls"]] == ["call_1_1", "call_1_2"]
        assert results == [
            {"role": "tool", "tool_call_id": "call_1_1", "content": "read_file was here?"},
            {"role": "tool", "tool_call_id": "call_1_2", "content": "list_dir was here?"},
        ]

    def test_unknown_tools_and_bad_arguments_are_explained_to_the_model(self, arena: Arena) -> None:
        calls = [
            call("read_fil", path="a.py"),
            {"name": "read_file", "arguments": {"path": "a.py"}},
            {"name": "read_file", "arguments": '{"path": "a.py"'},
        ]
        play = Play(arena, [{"calls": calls}])
        unknown, missing, broken = (message["content"] for message in play.requests[1].messages[3:])
        assert unknown.startswith("There is no tool 'read_fil'. Did you mean read_file?")
        assert "explanation" in missing
        assert broken.startswith("No tool was run: the arguments are not valid JSON")
        assert broken.endswith('You sent: {"path": "a.py"')
        assert play.notebook.calls == []
        assert [result.ok for result in play.steps[2].results] == [False, False, False]
        assert play.steps[2].results[2].content == broken

    def test_a_call_that_the_server_left_in_the_text_is_made_and_the_records_say_so(
        self, arena: Arena
    ) -> None:
        wanted = json.dumps(call("read_file", path="a.py"))
        play = Play(arena, [{"text": f"I look.\n<tool_call>\n{wanted}\n</tool_call>"}, {"text": "Finished."}])
        assert [tool for tool, _, _ in play.notebook.calls] == ["read_file"]
        step = play.steps[2]
        assert (step.message, step.metrics and step.metrics.repairs) == (
            "I look.",
            ("the server left the calls in the text",),
        )
        assert play.ending is Ending.COMPLETED

    def test_unreadable_call_in_the_text_is_requested_again(self, arena: Arena) -> None:
        play = Play(
            arena, [{"text": "<function=read_file>\n<parameter=path>\n</function>"}, {"text": "Finished."}]
        )
        assert play.requests[1].messages[-1] == {"role": "user", "content": UNREADABLE}
        assert play.steps[-1].message == "Finished."

    def test_a_command_may_take_as_long_as_the_settings_say(self, arena: Arena) -> None:
        script = [{"calls": [call("run_terminal_cmd", command="make")]}]
        assert Play(arena, script, settings={"command_timeout": 7}).notebook.calls[0][2] == 7.0

    def test_empty_response_gets_three_reminders(self, arena: Arena) -> None:
        play = Play(arena, [{"text": ""}] * 9)
        assert play.ending is Ending.COMPLETED
        assert len(play.requests) == 4
        assert [step.message for step in play.steps if step.source == "user"][1:] == [GO_ON] * 3

    def test_response_that_was_cut_off_is_continued(self, arena: Arena) -> None:
        play = Play(arena, [{"text": "I would", "finish_reason": "length"}, {"text": "Finished."}])
        assert play.ending is Ending.COMPLETED
        assert play.requests[1].messages[-1] == {"role": "user", "content": CUT_OFF}
        assert play.steps[-1].message == "Finished."

    def test_answers_that_are_cut_off_before_they_say_anything_end_the_run_at_the_output_limit(
        self, arena: Arena
    ) -> None:
        silent = {"text": "", "finish_reason": "length", "reasoning": "Hm."}
        play = Play(arena, [silent] * 6)
        assert isinstance(play.error, LimitReached)
        assert play.error.ending is Ending.OUTPUT_LIMIT
        assert str(play.error) == (
            "4 answers in a row were cut off at 4000 tokens, before they said anything"
        )
        assert len(play.requests) == 4

    def test_a_long_conversation_is_cut_to_the_window(self, arena: Arena) -> None:
        script = [{"text": "x" * 4000, "calls": [call("list_dir", path=".")]} for _ in range(20)]
        play = Play(arena, script, limits=Limits(iterations=16), context_window=19_000)
        sizes = [len(request.messages) for request in play.requests]
        assert sizes[:12] == list(range(2, 26, 2))
        assert max(sizes) < 26
        last = play.requests[-1].messages
        assert [message["role"] for message in last[:3]] == ["system", "user", "assistant"]


class TestEndings:
    def test_the_iteration_limit(self, arena: Arena) -> None:
        play = Play(arena, [{"calls": [call("list_dir", path=".")]}] * 9, limits=Limits(iterations=3))
        assert isinstance(play.error, LimitReached)
        assert play.error.ending is Ending.ITERATION_LIMIT
        assert len(play.requests) == 3

    def test_the_cost_limit(self, arena: Arena) -> None:
        reply = {"calls": [call("list_dir", path=".")], "usage": {"prompt": 5000, "completion": 1000}}
        play = Play(arena, [reply] * 9, limits=Limits(cost_usd=0.1))
        # each response costs 5000 * $2 + 1000 * $10 for a million = $0.02, and may cost 4000 * $10 for its text alone
        assert isinstance(play.error, LimitReached)
        assert play.error.ending is Ending.COST_LIMIT
        assert len(play.requests) == 3
        assert play.spending.cost_usd == pytest.approx(0.06, rel=1e-12)

    def test_a_refused_key(self, arena: Arena) -> None:
        play = Play(arena, [{"before": [{"status": 401}]}])
        assert isinstance(play.error, ModelError)
        assert [step.source for step in play.steps] == ["system", "user"]

    def test_a_conversation_that_alone_is_refused_is_an_agent_failure(self, arena: Arena) -> None:
        refused = {"status": 400, "message": "Invalid unicode in messages[3]."}
        play = Play(arena, [{"calls": [call("list_dir", path=".")]}, {"before": [refused]}])
        assert isinstance(play.error, AgentError)
        assert str(play.error) == (
            "the provider refuses this conversation: Scripted: 400 Bad Request: Invalid unicode in messages[3]."
        )
        assert [len(request.messages) for request in play.requests] == [2, 4, 1]
        # A model that supports no tools fails on the plain request, too.
        assert play.requests[2].body["tools"] == play.requests[0].body["tools"]

    def test_a_conversation_that_always_breaks_the_server_is_an_agent_failure(self, arena: Arena) -> None:
        broken = {"before": [{"status": 500}] * 20}
        play = Play(arena, [{"calls": [call("list_dir", path=".")]}, broken])
        assert isinstance(play.error, AgentError)
        assert str(play.error) == (
            "the provider refuses this conversation: Scripted: gave up after 6 tries: "
            "500 Internal Server Error: Scripted 500."
        )
        assert [len(request.messages) for request in play.requests] == [2, *[4] * 6, 1, *[4] * 6]

    def test_a_server_that_recovers_after_the_last_try_goes_on(self, arena: Arena) -> None:
        late = {"text": "Finished.", "before": [{"status": 500}] * 6}
        play = Play(arena, [{"calls": [call("list_dir", path=".")]}, late])
        assert play.error is None
        assert [len(request.messages) for request in play.requests] == [2, *[4] * 6, 1, 4]

    def test_a_full_window(self, arena: Arena) -> None:
        fault = {
            "status": 400,
            "code": "context_length_exceeded",
            "message": "Too long.",
        }
        assert isinstance(Play(arena, [{"before": [fault]}]).error, ContextLimitReached)

    def test_a_conversation_that_the_provider_finds_too_long_loses_its_older_half_and_goes_on(
        self, arena: Arena
    ) -> None:
        fault = {"status": 400, "code": "context_length_exceeded", "message": "Too long."}
        turns = [{"calls": [call("list_dir", path=".")]}] * 4
        play = Play(arena, [*turns, {"text": "Never said.", "before": [fault]}, {"text": "Finished."}])
        long, short = play.requests[4:6]
        assert (len(long.messages), len(short.messages)) == (10, 6)
        assert short.messages == [*long.messages[:2], *long.messages[6:]]

    def test_a_conversation_that_is_served_when_shorter_was_too_long_whatever_the_provider_says(
        self, arena: Arena
    ) -> None:
        fault = {"status": 400, "message": "Ungültige Anfrage."}
        turns = [{"calls": [call("list_dir", path=".")]}] * 4
        play = Play(arena, [*turns, {"text": "Never said.", "before": [fault]}, {"text": "Finished."}])
        assert play.error is None
        assert [len(request.messages) for request in play.requests[4:7]] == [10, 1, 6]

    def test_content_that_stays_in_the_shortest_conversation_is_an_agent_failure(self, arena: Arena) -> None:
        fault = {"status": 400, "message": "messages: invalid"}
        listing = {"calls": [call("list_dir", path=".")]}
        play = Play(arena, [listing, {**listing, "before": [fault]}, {**listing, "before": [fault]}])
        assert isinstance(play.error, AgentError)
        assert str(play.error).startswith("the provider refuses this conversation: Scripted: 400 Bad Request")

    @pytest.mark.parametrize(
        ("fault", "cause"),
        [
            ({"status": 402, "message": "You can only afford 3919 tokens."}, Cause.ACCOUNT),
            ({"status": 403, "message": "Your key may not use this model."}, Cause.ACCOUNT),
            ({"status": 429, "message": "Request too large for gpt-9: tokens per min"}, Cause.ACCOUNT),
            ({"status": 504, "message": "upstream request timeout"}, Cause.GATEWAY),
        ],
    )
    def test_what_the_account_or_the_gateway_did_is_not_blamed_on_the_agent(
        self, arena: Arena, fault: dict[str, Any], cause: Cause
    ) -> None:
        settings = {**QUICK, "patience": 0.5}
        play = Play(
            arena, [{"calls": [call("list_dir", path=".")]}, {"before": [fault] * 40}], settings=settings
        )
        assert isinstance(play.error, ModelError)
        assert play.error.cause is cause

    def test_refusal_ends_the_run_as_an_agent_failure(self, arena: Arena) -> None:
        refused = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "refusal": "I won't."},
        }
        usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
        play = Play(arena, [{"body": {"object": "chat.completion", "choices": [refused], "usage": usage}}])
        assert isinstance(play.error, AgentError)
        assert str(play.error) == "the model refused to go on: I won't."
        assert [step.source for step in play.steps] == ["system", "user", "agent"]
        assert play.spending.completion_tokens == 2

    def test_content_policy_error_is_an_agent_failure(self, arena: Arena) -> None:
        fault = {"status": 400, "code": "content_policy_violation", "message": "Not this."}
        play = Play(arena, [{"before": [fault] * 2}])
        assert isinstance(play.error, AgentError)
        assert str(play.error) == "Scripted refuses this conversation: 400 Bad Request: Not this."

    def test_a_window_too_small_for_the_task_ends_the_run_before_money_is_spent(self, arena: Arena) -> None:
        play = Play(arena, [{"text": "Finished."}], context_window=5000)
        assert isinstance(play.error, ContextLimitReached)
        assert str(play.error).startswith("The system prompt, the task and the newest turn alone take about ")
        assert str(play.error).endswith(" tokens; the model reads 1,000.")
        assert (play.requests, play.spending.cost_usd) == ([], 0.0)

    def test_retries_are_recorded_and_sums_are_exact(self, arena: Arena) -> None:
        usage = {"prompt": 1000, "completion": 100, "cached": 600, "reasoning": 40}
        faults = [
            {"status": 429, "headers": {"Retry-After": "0"}},
            {"status": 500},
            {"empty_choices": True, "usage": {"prompt": 50, "completion": 5}},
        ]
        script: list[dict[str, Any]] = [
            {"calls": [call("list_dir", path=".")], "usage": usage, "before": faults},
            {"text": "Finished.", "usage": usage},
        ]
        play = Play(arena, script)
        # twice 400 * $2 + 600 * $0.5 + 100 * $10 = 2100, once 50 * $2 + 5 * $10 = 150 millionths
        spent = play.spending
        assert (spent.prompt_tokens, spent.completion_tokens, spent.cached_tokens) == (2050, 205, 1200)
        assert spent.cost_usd == pytest.approx(0.00435, rel=1e-12)
        assert spent.reasoning_tokens == 80
        metrics = [step.metrics for step in play.steps if step.metrics]
        assert [entry.reasoning_tokens for entry in metrics] == [40, 40]
        assert [len(entry.retries) for entry in metrics] == [3, 0]
        assert sum(entry.prompt_tokens or 0 for entry in metrics) == 2050
        assert sum(entry.cost_usd or 0 for entry in metrics) == pytest.approx(0.00435, rel=1e-12)


class TestSettings:
    def test_the_model_sees_the_prompt_of_the_setting(self, arena: Arena) -> None:
        own = Play(arena, [], settings={**QUICK, "system_prompt": "Mend what is in {workdir}."})
        assert own.requests[0].messages[0]["content"] == "Mend what is in /app."
        assert own.steps[0].message == "Mend what is in /app."

    def test_an_agent_may_have_fewer_iterations_than_the_run_allows_but_not_more(self, arena: Arena) -> None:
        script = [{"calls": [call("list_dir", path=".")]}] * 9
        fewer = Play(arena, script, settings={**QUICK, "iterations": 2})
        assert str(fewer.error) == "2 iterations used"

    @pytest.mark.parametrize("reject", [False, True])
    def test_editing_tools_reject_syntax_errors_if_the_agent_is_set_so(
        self, arena: Arena, reject: bool
    ) -> None:
        script = [{"calls": [call("write_file", path="a.py", content="x"), call("delete_file", path="a.py")]}]
        play = Play(arena, script, settings={**QUICK, "reject_syntax_errors": reject})
        (_, written, _), (_, deleted, _) = play.notebook.calls
        assert ("reject_syntax_errors" in written) is reject
        assert "reject_syntax_errors" not in deleted
        assert all("reject_syntax_errors" not in made.arguments for made in play.steps[2].calls)

    def test_an_agent_may_have_fewer_tools_than_the_task_offers(self, arena: Arena) -> None:
        script = [{"calls": [call("read_file", path="a"), call("run_terminal_cmd", command="ls")]}]
        shell = Play(arena, script, settings={**QUICK, "tools": "shell"})
        offered = [tool["function"]["name"] for tool in shell.requests[0].body["tools"]]
        assert offered == ["run_terminal_cmd"]
        assert "read_file" not in shell.requests[0].messages[0]["content"]
        assert [name for name, _, _ in shell.notebook.calls] == ["run_terminal_cmd"]
        refused, made = shell.steps[2].results
        assert (refused.ok, refused.content, made.ok) == (
            False,
            "This run does not offer read_file. The tools are: run_terminal_cmd.",
            True,
        )

    @pytest.mark.parametrize("sees", [True, False])
    def test_a_model_that_reads_pictures_gets_them_after_the_results(self, arena: Arena, sees: bool) -> None:
        script: list[dict[str, Any]] = [{"calls": [call("read_file", path="a.py")]}, {"text": "I see."}]
        play = Play(arena, script, settings={**QUICK, "pictures": sees}, pictures=(png(), png(2)))
        results, shown = play.requests[1].body["messages"][3:4], play.requests[1].body["messages"][4:]
        assert [message["role"] for message in results] == ["tool"]
        assert shown == ([picture_message([png(), png(2)])] if sees else [])
        assert play.steps[2].results[0].artifacts == ("step-3-1.png", "step-3-2.png")
        assert [step.source for step in play.steps[2:]] == ["agent", "agent"]

    @pytest.mark.parametrize(
        ("own", "limit", "expected"), [(None, 100, 100), (7, 100, 7), (200, 100, 100), (7, None, 7)]
    )
    def test_all_settings_in_effect_are_returned(
        self, own: int | None, limit: int | None, expected: int
    ) -> None:
        agent = IdeAgent(AgentSpec("ide", "ide", {"iterations": own}, model("http://127.0.0.1:9/v1")))
        assert agent.effective_settings(Limits(iterations=limit)) == {
            "profile": "ide-bench",
            "temperature": 0.1,
            "max_output_tokens": 4000,
            "call_timeout": 600.0,
            "patience": 1800.0,
            "retry_delay": 10.0,
            "refusal_retries": 1,
            "prompt_caching": True,
            "reasoning_effort": None,
            "seed": None,
            "messages_kept_whole": 25,
            "share_of_window": 0.8,
            "command_timeout": 120.0,
            "iterations": expected,
            "system_prompt": "default",
            "tools": "all",
            "reject_syntax_errors": False,
            "pictures": False,
            "input_window": 124_000,
            "input_window_is": "assumed",
        }

    def test_of_an_agents_own_limits_and_those_of_its_run_the_smaller_ones_are_in_effect(self) -> None:
        def effective(profile: str, limits: Limits, **own: int) -> list[float | None]:
            spec = AgentSpec("ide", "ide", {"profile": profile, **own}, model("http://127.0.0.1:9/v1"))
            found = IdeAgent(spec).effective_settings(limits)
            assert found["profile"] == profile
            return [found.get(name) for name in ("iterations", "wall_seconds", "tool_uses", "submissions")]

        assert effective("breakpoint", Limits()) == [100, None, 16, 4]
        assert effective("breakpoint", Limits(tool_uses=8, submissions=9)) == [100, None, 8, 4]
        assert effective("pull-request", Limits()) == [20, 600, None, None]
        assert effective("pull-request", Limits(wall_seconds=60.0), iterations=5) == [5, 60, None, None]

    @pytest.mark.parametrize(
        ("stored", "reason"),
        [
            ({"temprature": 1}, r"unknown temprature; known are profile, temperature, .*command_timeout"),
            ({"profile": "mine"}, "profile: unknown 'mine'; known are ide-bench, breakpoint, pull-request"),
            ({"refusal_retries": 1.5}, "refusal_retries: expected a whole number, not 1.5"),
            ({"refusal_retries": True}, "refusal_retries: expected a whole number, not True"),
            ({"patience": -1}, "patience: expected zero or more, not -1"),
            ({"temperature": "hot"}, "temperature: expected a number, not 'hot'"),
            ({"call_timeout": 0}, "call_timeout: expected more than zero, not 0"),
            ({"retry_delay": -1}, "retry_delay: expected zero or more, not -1"),
            ({"temperature": float("nan")}, "temperature: expected zero or more, not nan"),
            ({"share_of_window": 1.1}, "share_of_window: expected at most 1, not 1.1"),
            ({"reasoning_effort": "much"}, "reasoning_effort: expected one of none, minimal, .*, not 'much'"),
            ({"seed": 1.5}, "seed: expected a whole number, not 1.5"),
            ({"prompt_caching": 1}, "prompt_caching: expected true or false, not 1"),
        ],
    )
    def test_invalid_settings_are_refused(self, stored: Mapping[str, Any], reason: str) -> None:
        with pytest.raises(ConfigurationError, match=reason):
            create_agent(AgentSpec("ide", "ide", stored, model("http://127.0.0.1:9/v1")))

    def test_window_without_room_for_input_is_refused(self) -> None:
        small = model("http://127.0.0.1:9/v1", context_window=4000)
        with pytest.raises(
            ConfigurationError, match="a context window of 4000 tokens leaves no room for input"
        ):
            create_agent(AgentSpec("ide", "ide", {}, small))

    def test_it_needs_a_model(self) -> None:
        with pytest.raises(ConfigurationError, match="needs a model"):
            create_agent(AgentSpec("ide", "ide"))


def solution() -> list[dict[str, Any]]:
    """A solution of `add-negatives` by a model, with every possible error of a provider."""
    usage = {"prompt": 1000, "completion": 100, "cached": 600}
    write = [call("write_file", path=path, content=content) for path, content in SOLUTION.items()]
    return [
        {"text": "I look around.", "calls": [call("list_dir", path="calc")], "before": [{"status": 500}]},
        {
            "calls": [{"name": "read_file", "arguments": '{"path": "calc/dig'}, call("look", path="calc")],
            "before": [{"status": 429, "headers": {"Retry-After": "1"}}],
        },
        {"calls": write[:1], "before": [{"hang": 30}], "usage": usage},
        {"calls": write[1:], "before": [{"empty_choices": True, "usage": usage}], "usage": usage},
        {"calls": [call("run_terminal_cmd", command="python3 -m calc '-1 + -2'")], "usage": usage},
        {"text": "Numbers below zero are understood.", "usage": usage},
    ]


@pytest.mark.engine
class TestARealRun:
    def run(self, arena: Arena, script: list[dict[str, Any]]) -> tuple[RunSummary, RunRecord]:
        directory = arena.root / "run"
        with ModelServer(script) as server, closing(DockerEngine()) as engine:
            spec = AgentSpec("ide", "ide", QUICK, model(server.url))
            summary = execute_run(
                repository=arena.repository,
                task=arena.task,
                agent=spec,
                identity=arena.identity(spec),
                directory=directory,
                engine=engine,
                limits=Limits(),
                instance=INSTANCE,
            )
        return summary, RunRecord(directory)

    def test_a_model_that_mends_the_code_resolves_the_task(self, arena: Arena) -> None:
        script = solution()
        for entry in script[:2]:
            entry["usage"] = {"prompt": 10, "completion": 1}
        summary, record = self.run(arena, script)
        assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
        assert (summary.tests_passed, summary.tests_total) == (8, 8)
        assert (summary.iterations, summary.tool_calls, summary.failed_calls) == (6, 6, 2)
        # two small responses, four large ones, and an empty one that was billed like a large one
        assert (summary.prompt_tokens, summary.completion_tokens, summary.cached_tokens) == (5020, 502, 3000)
        # 5 * (400 * $2 + 600 * $0.5 + 100 * $10) + 2 * (10 * $2 + 1 * $10) = 10560 millionths
        assert summary.cost_usd == pytest.approx(0.01056, rel=1e-12)
        steps = [step for step in record.steps() if step.metrics]
        assert [len(step.metrics.retries) for step in steps if step.metrics] == [1, 1, 1, 1, 0, 0]
        effective = {**QUICK, "temperature": 0.1, "iterations": 100, "input_window_is": "assumed"}
        assert effective.items() <= summary.identity.effective.items()
        assert record.header()["agent"]["extra"]["effective"] == summary.identity.effective
        assert "-3" in steps[4].results[0].content
        assert json.dumps(steps[1].results[0].content).endswith('calc/dig"')

    def test_a_provider_that_stays_down_is_not_the_agents_fault(self, arena: Arena) -> None:
        summary, _ = self.run(arena, [{"before": [{"status": 500}] * 40}])
        assert (summary.outcome, summary.ending) == (Outcome.INFRASTRUCTURE_FAILED, Ending.INFRASTRUCTURE)
        assert re.match(r"Scripted: gave up after \d+ tries: 500 Internal Server Error", summary.detail)
        assert summary.failure == "provider"


class TestWorkflows:
    def test_a_response_without_a_call_ends_a_turn(self, tmp_path: Path) -> None:
        script: list[Mapping[str, Any]] = [
            {"text": "I look.", "calls": [call("list_dir")], "usage": {"prompt": 10, "completion": 1}},
            {"text": "Sums work.", "usage": {"prompt": 20, "completion": 1}},
            {"text": "All works.", "usage": {"prompt": 30, "completion": 1}},
            {"text": "Finished.", "usage": {"prompt": 40, "completion": 1}},
        ]
        talk = Talk(tmp_path)
        with ModelServer(script) as server:
            agent = IdeAgent(AgentSpec("ide", "ide", QUICK, model(server.url)))
            assert agent.run(talk.session) is Ending.COMPLETED
        assert talk.messages[1:] == [
            ("user", ASKED),
            ("agent", "I look."),
            ("agent", "Sums work."),
            ("user", SECOND),
            ("agent", "All works."),
            ("user", THIRD),
            ("agent", "Finished."),
        ]
        sent = [(one["role"], one.get("content")) for one in server.requests[-1].messages]
        assert sent[-3:] == [("user", SECOND), ("assistant", "All works."), ("user", THIRD)]
        assert (talk.spending.iterations, talk.spending.prompt_tokens) == (4, 100)

    def test_a_model_that_stays_silent_gets_the_users_next_message(self, tmp_path: Path) -> None:
        talk = Talk(tmp_path)
        with ModelServer([{"text": ""} for _ in range(20)]) as server:
            IdeAgent(AgentSpec("ide", "ide", QUICK, model(server.url))).run(talk.session)
        users = [message for source, message in talk.messages if source == "user"]
        assert users == [ASKED, *[GO_ON] * 3, SECOND, *[GO_ON] * 3, THIRD, *[GO_ON] * 3]
