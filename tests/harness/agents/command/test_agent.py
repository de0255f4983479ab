"""The command agent: a program of its own in a real container, which reaches a scripted model through the relay."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from harness.agents.base import AgentSpec
from harness.agents.command.agent import retold
from harness.agents.registry import create_agent
from harness.dataset import digest_of
from harness.errors import ConfigurationError, InfrastructureError
from harness.limits import Ending, Limits
from harness.llm.provider import load
from harness.llm.scripted_server import ModelServer, Request
from harness.llm.spec import ModelSpec
from harness.records import Outcome, RunRecord, RunSummary, Step
from harness.sandbox.base import ContainerUse, ImageLayer, Owner
from harness.sandbox.docker import DockerEngine
from harness.session import Control
from tests.harness.arena import Arena
from tests.harness.talks import ASKED, SECOND, THIRD
from tests.harness.worlds import SOLUTION, write_tree

PARROT = Path(__file__).parents[2] / "parrot"
QUICK = {"call_timeout": 20, "patience": 2.0, "retry_delay": 0.01}
USAGE = {"prompt": 1000, "completion": 100, "cached": 400}
# 600 × $2 + 400 × $0.50 + 100 × $10 for a million tokens
PRICE = 0.0024
KEY = "sk-the-parrot-must-never-see-this"


def model(url: str, **more: Any) -> ModelSpec:
    return ModelSpec(
        "Scripted", "openai/scripted", url, input_price=2.0, output_price=10.0, cached_price=0.5, **more
    )


@dataclass
class Played:
    """One run of the parrot, or of another recipe."""

    summary: RunSummary
    record: RunRecord
    requests: Sequence[Request]
    steps: list[Step] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = list(self.record.steps())

    @property
    def said(self) -> list[tuple[str, str]]:
        return [(step.source, step.message) for step in self.steps]

    @property
    def heard(self) -> str:
        """The message of the parrot after the first piece of Python."""
        return str(self.requests[-1].messages[3]["content"])


def play(
    root: Path, script: Sequence[str | Mapping[str, Any]], recipe: str = str(PARROT), **more: Any
) -> Played:
    """A run with these responses of the model; a string is a response with that text and USAGE."""
    responses = [{"text": said, "usage": USAGE} if isinstance(said, str) else said for said in script]
    key = more.pop("key", {})
    settings = {"recipe": recipe, **QUICK, **more.pop("settings", {})}
    with ModelServer(responses) as server:
        summary, record = Arena.make(root).run("command", settings, model=model(server.url, **key), **more)
    return Played(summary, record, server.requests)


@pytest.mark.engine
class TestARun:
    def test_every_response_is_a_step_with_its_cost_and_changes(self, tmp_path: Path) -> None:
        code = "open('calc/new.py', 'w').write('x = 1\\n'); print('written')"
        played = play(tmp_path, [code, {"text": "Done.", "reasoning": "Enough.", "usage": USAGE}])
        task = "Numbers below zero\n\nNumbers below zero are not understood."
        (first, second, third, fourth, fifth, last) = played.steps
        assert (first.source, first.message) == ("system", "Say Python.")
        assert (second.source, second.message[: len(task)]) == ("user", task)
        assert (third.source, third.message) == ("agent", code)
        assert (fourth.source, fourth.message) == ("user", "written\n")
        assert (fifth.source, fifth.message, fifth.reasoning) == ("agent", "Done.", "Enough.")
        assert last.source == "system"
        assert re.match(r"The command of Parrot ended with exit code 0 after \d+\.\d s\.$", last.message)
        for step in (third, fifth):
            assert step.metrics is not None
            assert (step.metrics.prompt_tokens, step.metrics.completion_tokens) == (1000, 100)
            assert step.metrics.cost_usd == pytest.approx(PRICE)
        edits = dict(played.record.edits_by_step())
        assert {number: [file.path for file in edit.files] for number, edit in edits.items()} == {
            3: ["calc/new.py"]
        }
        summary = played.summary
        assert summary.ending is Ending.COMPLETED
        assert (summary.iterations, summary.steps) == (2, 6)
        assert (summary.prompt_tokens, summary.completion_tokens, summary.cached_tokens) == (2000, 200, 800)
        assert summary.cost_usd == pytest.approx(2 * PRICE)
        assert summary.environment["layer"] == {"name": "parrot", "digest": digest_of(PARROT)}

    def test_a_command_that_fails_is_the_agents_error(self, tmp_path: Path) -> None:
        played = play(tmp_path, ["sys.stderr.write('no more ideas'); sys.exit(3)"])
        assert played.summary.ending is Ending.AGENT_ERROR
        assert played.summary.detail == "Parrot ended with exit code 3. Its last words: no more ideas"
        assert played.steps[-1].message.endswith("Standard error:\n\nno more ideas")
        assert played.summary.grading_reason != "not graded"

    def test_endless_output_is_shortened(self, tmp_path: Path) -> None:
        code = "import os\nfor n in range(200_000): os.write(1, b'%07d\\n' % n)\nos._exit(0)"
        played = play(tmp_path, [code])
        text = played.steps[-1].message
        assert "0000001\n" in text
        assert text.endswith("0199999")
        assert len(text) < 20_000

    def test_ending_the_relay_ends_the_run(self, tmp_path: Path) -> None:
        code = (
            "import glob, os, time\n"
            "for name in glob.glob('/proc/[0-9]*/cmdline'):\n"
            "    if open(name, 'rb').read().endswith(b'relay\\0'): os.kill(int(name.split('/')[2]), 9)\n"
            "time.sleep(60)"
        )
        played = play(tmp_path, [code])
        assert played.summary.ending is Ending.AGENT_ERROR
        assert played.summary.detail == "the agent broke its container: a program of the harness was ended"
        assert played.steps[2].message == code

    def test_a_cancelled_run_ends_within_five_seconds(self, tmp_path: Path) -> None:
        class Canceller(Control):
            """Cancels after the first response was sent."""

            def __init__(self) -> None:
                self.since = 0.0

            def state(self, name: str) -> None:
                if name == "running":
                    self.since = time.monotonic()

            def cancelled(self) -> bool:
                return self.since > 0 and time.monotonic() - self.since > 3

        control = Canceller()
        played = play(tmp_path, ["import time\ntime.sleep(60)"], control=control)
        assert time.monotonic() - control.since < 3 + 5
        assert played.summary.ending is Ending.CANCELLED
        assert "was killed by SIGKILL" in played.steps[-1].message


@pytest.mark.engine
class TestLimits:
    def test_iterations(self, tmp_path: Path) -> None:
        played = play(tmp_path, ["1", "2", "3", "4"], limits=Limits(iterations=2))
        assert played.summary.ending is Ending.ITERATION_LIMIT
        assert len(played.requests) == played.summary.iterations == 2
        assert "403" in played.steps[-1].message
        assert "a limit of this run is reached: 2 iterations used" in played.steps[-1].message

    def test_tokens_and_cost_are_checked_before_each_call(self, tmp_path: Path) -> None:
        tokens = play(tmp_path / "tokens", ["1", "2", "3"], limits=Limits(tokens=2000))
        assert (tokens.summary.ending, len(tokens.requests)) == (Ending.TOKEN_LIMIT, 2)
        cost = play(tmp_path / "cost", ["1", "2", "3"], limits=Limits(cost_usd=0.0001))
        assert (cost.summary.ending, cost.summary.cost_usd, len(cost.requests)) == (Ending.COST_LIMIT, 0.0, 0)

    def test_time_limit_kills_every_process(self, tmp_path: Path) -> None:
        code = (
            "import subprocess, time\n"
            "subprocess.Popen(['sh', '-c', 'sleep 6; echo late >late.txt'], start_new_session=True)\n"
            "open('early.txt', 'w').write('x')\n"
            "time.sleep(60)"
        )
        played = play(tmp_path, [code], limits=Limits(wall_seconds=4))
        assert played.summary.ending is Ending.TIME_LIMIT
        assert played.summary.act_seconds < 4 + 5
        assert b"early.txt" in played.record.patch()
        assert b"late.txt" not in played.record.patch()
        assert [file.path for file in dict(played.record.edits_by_step())[3].files] == ["early.txt"]

    def test_time_limit_ends_a_container_in_which_nothing_responds(self, tmp_path: Path) -> None:
        load()  # takes a part of the wall time otherwise
        code = (
            "import glob, os, signal, time\n"
            "for name in glob.glob('/proc/[0-9]*/cmdline'):\n"
            "    if b'/opt/benchbench/inside' in open(name, 'rb').read():\n"
            "        os.kill(int(name.split('/')[2]), signal.SIGSTOP)\n"
            "time.sleep(60)"
        )
        played = play(tmp_path, [code], limits=Limits(wall_seconds=8))
        assert played.summary.ending is Ending.TIME_LIMIT
        assert played.summary.act_seconds < 8 + 15
        assert played.steps[2].message == code


@pytest.mark.engine
class TestTheRelay:
    def test_it_serves_two_addresses_and_refuses_the_rest(self, tmp_path: Path) -> None:
        code = """
print(ask(b'', '/models', 'GET'))
for method, path in (('POST', '/embeddings'), ('GET', '/chat/completions'), ('PUT', '/../../etc/passwd')):
    print(ask(b'{}', path, method)[0])
for garbage in (b'', b'\\xff\\xfe', b'[1]', b'{"messages": 1}', b'{"messages": [{"role": []}]}', b'[' * 100000,
                json.dumps({'messages': [{'role': 'user', 'content': [{'type': 'image_url'}]}]}).encode(),
                json.dumps({'n': 3, 'messages': [{'role': 'user', 'content': ''}]}).encode(),
                json.dumps({'tools': [{'type': 'web_search'}], 'messages': [{'role': 'user'}]}).encode()):
    print(ask(garbage)[0])
print(ask({'model': 'openai/better', 'messages': [{'role': 'user', 'content': 'Hi'}]}))
"""
        played = play(tmp_path, [code, "Done."])
        models, *refused, other, _ = played.heard.split("\n")
        assert models.startswith("(200, ")
        assert '"id": "openai/scripted"' in models
        assert refused == ["404"] * 3 + ["400"] * 9
        assert other.startswith("(404, ")
        assert "there is one model here, openai/scripted" in other
        assert len(played.requests) == 2

    def test_only_known_fields_are_passed_on(self, tmp_path: Path) -> None:
        fields = {
            "model": "openai/scripted",
            "temperature": 0.7,
            "stop": ["END"],
            "max_tokens": 50,
            "api_base": "http://127.0.0.1:9/v1",
            "base_url": "http://127.0.0.1:9/v1",
            "api_key": "mine",
            "extra_headers": {"X-Mine": "1"},
            "headers": {"X-Mine": "1"},
            "timeout": 1,
            "num_retries": 99,
            "mock_response": "for nothing",
            "messages": [{"role": "user", "content": "Hi"}],
        }
        played = play(tmp_path, [f"print(ask({fields!r})[0])", "Done."])
        assert played.heard == "200\n"
        sent = played.requests[1].body
        assert sent == {
            "model": "scripted",
            "messages": fields["messages"],
            "temperature": 0.7,
            "stop": ["END"],
            "max_tokens": 50,
        }

    def test_the_key_stays_outside(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PARROT_API_KEY", KEY)
        code = f"""
import glob, os, subprocess
needle = {KEY[:12]!r} + {KEY[12:]!r}
print(any(needle in value for value in os.environ.values()))
for name in glob.glob('/proc/[0-9]*/*'):
    try:
        if needle.encode() in open(name, 'rb').read(1 << 20) and not name.startswith('/proc/%d/' % os.getpid()):
            print(name)
    except OSError:
        pass
print(subprocess.run(['grep', '-rlsaF', '--exclude-dir=proc', '--exclude-dir=sys', needle, '/'],
                     stdout=subprocess.PIPE, timeout=60).stdout.decode())
"""
        played = play(tmp_path, [code, "Done."], key={"api_key_variable": "PARROT_API_KEY"})
        assert played.heard == "False\n\n"
        assert {request.authorization for request in played.requests} == {f"Bearer {KEY}"}
        for path in played.record.directory.rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes()

    def test_streamed_response_is_sent_as_events(self, tmp_path: Path) -> None:
        code = """
body = {'model': MODEL, 'stream': True, 'stream_options': {'include_usage': True},
        'messages': [{'role': 'user', 'content': 'Stream'}, {'role': 'assistant', 'content': ''},
                     {'role': 'user', 'content': 'more'}]}
print(ask(body)[1])
"""
        calls = [
            {"name": "bash", "arguments": {"command": "ls"}},
            {"name": "bash", "arguments": {"command": "pwd"}},
        ]
        played = play(tmp_path, [code, {"text": "Look.", "calls": calls, "usage": USAGE}, "Done."])
        lines = [line for line in played.heard.split("\n") if line]
        assert lines[-1] == "data: [DONE]"
        chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
        assert {chunk["object"] for chunk in chunks} == {"chat.completion.chunk"}
        content, finish, usage = chunks
        delta = content["choices"][0]["delta"]
        assert (delta["role"], delta["content"]) == ("assistant", "Look.")
        assert [(call["index"], call["function"]["arguments"]) for call in delta["tool_calls"]] == [
            (0, '{"command": "ls"}'),
            (1, '{"command": "pwd"}'),
        ]
        assert finish["choices"][0]["finish_reason"] == "tool_calls"
        assert usage["usage"]["prompt_tokens"] == 1000
        assert "stream" not in played.requests[1].body

    def test_parallel_requests_all_get_a_response_and_are_counted(self, tmp_path: Path) -> None:
        code = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    responses = list(pool.map(lambda number: say('Number', str(number)), range(8)))
print([status for status, _ in responses])
"""
        played = play(tmp_path, [code, "Done."])
        assert played.heard == f"{[200] * 8}\n"
        assert played.summary.iterations == 10
        assert played.summary.prompt_tokens == 10_000
        text = [message for source, message in played.said if message.startswith("Number ")]
        assert sorted(text) == [f"Number {number}" for number in range(8)]

    def test_a_request_of_twenty_megabytes_is_refused_and_the_run_goes_on(self, tmp_path: Path) -> None:
        code = "print(ask({'messages': [{'role': 'user', 'content': 'x' * 20_000_000}]}))"
        played = play(tmp_path, [code, "Done."])
        assert played.heard.startswith("(413, ")
        assert "a request may have 8,388,608 bytes" in played.heard
        assert played.summary.ending is Ending.COMPLETED

    def test_a_long_conversation_passes_whole(self, tmp_path: Path) -> None:
        code = "print(say('x' * 5_000_000)[0])"
        played = play(tmp_path, [code, "Done."], key={"context_window": 10_000_000})
        assert played.heard == "200\n"
        assert len(played.requests[1].messages[0]["content"]) == 5_000_000
        assert len((played.record.directory / "trajectory.jsonl").read_bytes()) < 500_000

    def test_client_that_hangs_up_does_not_affect_the_others(self, tmp_path: Path) -> None:
        code = """
import socket
from urllib.parse import urlsplit
place = urlsplit(ADDRESS)
body = json.dumps({'messages': [{'role': 'user', 'content': 'Nobody waits'}]}).encode()
for _ in range(3):
    with socket.create_connection((place.hostname, place.port)) as client:
        client.sendall(b'POST /v1/chat/completions HTTP/1.1\\r\\nContent-Length: %d\\r\\n\\r\\n' % len(body) + body)
print(say('Somebody waits')[0])
"""
        played = play(tmp_path, [code, "Done."])
        assert played.heard == "200\n"
        assert played.summary.ending is Ending.COMPLETED


@pytest.mark.engine
class TestProviders:
    def test_a_provider_that_fails_is_infrastructure(self, tmp_path: Path) -> None:
        failing = {"text": "Done.", "before": [{"status": 503}] * 40}
        played = play(tmp_path, [failing])
        assert played.summary.outcome is Outcome.INFRASTRUCTURE_FAILED
        assert played.summary.failure == "provider"

    def test_request_error_of_the_provider_is_sent_to_the_agent(self, tmp_path: Path) -> None:
        code = {"text": "print(say('Once'))", "usage": USAGE, "before": []}
        refused = {"text": "1", "before": [{"status": 400, "message": "temperature: too hot"}]}
        played = play(tmp_path, [code, refused])
        assert played.summary.ending is Ending.AGENT_ERROR
        assert "temperature: too hot" in played.summary.detail

    def test_full_window_is_the_reason_if_the_agent_fails_after_it(self, tmp_path: Path) -> None:
        full = {"before": [{"status": 400, "code": "context_length_exceeded", "message": "too long"}]}
        played = play(tmp_path, ["1", full])
        assert played.summary.ending is Ending.CONTEXT_LIMIT


@pytest.fixture
def owner() -> Owner:
    return Owner(f"command-{uuid4().hex[:8]}", "run-1")


def layer(root: Path, install: str) -> ImageLayer:
    write_tree(root / "recipe", {"install.sh": install})
    return ImageLayer("made", root / "recipe", digest_of(root / "recipe"))


@pytest.mark.engine
class TestTheLayer:
    def test_it_is_in_the_agents_container_alone_and_leaves_the_workspace(
        self, tmp_path: Path, owner: Owner
    ) -> None:
        repository = Arena.make(tmp_path).repository
        made = layer(tmp_path, "echo tool > tool; pwd > where\n")
        look = {"command": "cat /opt/benchbench/agent/tool /opt/benchbench/agent/where; git status --short"}
        with closing(DockerEngine()) as engine:
            for _ in range(2):
                with engine.workspace(repository, ContainerUse(owner), layer=made) as there:
                    seen = there.call("run_terminal_cmd", look, timeout=30).content
                    assert seen.split("\n")[1:] == ["tool", "/opt/benchbench/agent", ""]
                    assert there.changes().after == ()
            with engine.workspace(repository, ContainerUse(owner)) as plain:
                seen = plain.call("run_terminal_cmd", {"command": "ls /opt/benchbench"}, timeout=30).content
                assert seen.split("\n")[1:] == ["inside", "python3", ""]

    def test_one_that_touches_the_workspace_is_refused(self, tmp_path: Path, owner: Owner) -> None:
        repository = Arena.make(tmp_path).repository
        harm = "echo x >>/app/README.md; rm /app/calc/sums.py; echo x >/app/.git/more; chmod +x /app/calc/digits.py"
        made = layer(tmp_path, f"{harm}\n")
        refusal = (
            "installing made changes the workspace /app: .git/more, README.md, calc/digits.py, calc/sums.py. "
            "Install below /opt/benchbench/agent"
        )
        with (
            closing(DockerEngine()) as engine,
            pytest.raises(InfrastructureError, match=re.escape(refusal)),
            engine.workspace(repository, ContainerUse(owner), layer=made),
        ):
            pass

    def test_failed_installation_gives_the_reason(self, tmp_path: Path, owner: Owner) -> None:
        repository = Arena.make(tmp_path).repository
        made = layer(tmp_path, "echo the mirror is down >&2; false\n")
        with (
            closing(DockerEngine()) as engine,
            pytest.raises(InfrastructureError, match="the mirror is down"),
            engine.workspace(repository, ContainerUse(owner), layer=made),
        ):
            pass


class TestSettings:
    @pytest.mark.parametrize(
        ("stored", "message"),
        [
            ({}, "recipe: expected a name"),
            ({"recipe": "nobody"}, "shipped are claude-code, codex, mini-swe-agent"),
            ({"recipe": "./here"}, "'./here' is not an absolute path"),
            ({"recipe": "/nowhere"}, "/nowhere/recipe.toml: No such file or directory"),
            ({"recipe": str(PARROT), "speed": 1}, "unknown speed; known are recipe, temperature"),
            ({"recipe": str(PARROT), "patience": -1}, "patience: expected zero or more"),
        ],
    )
    def test_invalid_settings_are_refused(self, stored: Mapping[str, Any], message: str) -> None:
        with pytest.raises(ConfigurationError, match=re.escape(message)):
            create_agent(AgentSpec("mine", "command", stored, model("http://127.0.0.1:9/v1")))

    def test_a_model_is_needed(self) -> None:
        with pytest.raises(ConfigurationError, match="a command agent needs a model"):
            create_agent(AgentSpec("mine", "command", {"recipe": "mini-swe-agent"}))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (("command = [", "commands = ["), "unknown commands; known are command"),
            (('command = ["python3", ', 'command = [1, "python3", '), "command: expected a list of words"),
            (("{model}", "{models}"), "there is no {models}; there are task, task_file, workdir"),
            (('version = "1"', "version = 1"), "version: expected a text, not 1"),
            (("PARROT =", "'A B' ="), "environment: 'A B' is no name of a variable"),
            (('version = "1"', 'version = "1"\nstdin = "all"'), "stdin: expected one of nothing, task"),
            (('version = "1"', "version"), "is not TOML"),
        ],
    )
    def test_invalid_recipe_is_refused(self, tmp_path: Path, change: tuple[str, str], message: str) -> None:
        recipe = tmp_path / "parrot"
        shutil.copytree(PARROT, recipe)
        text = (recipe / "recipe.toml").read_text()
        assert change[0] in text
        (recipe / "recipe.toml").write_text(text.replace(*change))
        with pytest.raises(ConfigurationError, match=re.escape(message)) as refusal:
            create_agent(
                AgentSpec("mine", "command", {"recipe": str(recipe)}, model("http://127.0.0.1:9/v1"))
            )
        assert str(recipe / "recipe.toml") in str(refusal.value)


@pytest.mark.engine
def test_mini_swe_agent_resolves_a_task(tmp_path: Path) -> None:
    """The shipped recipe, installed from its package, without network or key in the container."""

    def bash(text: str, *commands: str) -> dict[str, Any]:
        calls = [{"name": "bash", "arguments": {"command": command}} for command in commands]
        return {"text": text, "calls": calls, "usage": USAGE}

    writes = [f"cat >{path} <<'EOF'\n{content}EOF" for path, content in SOLUTION.items()]
    script = [
        bash("Let me look.", "ls; cat calc/digits.py"),
        bash("Now I mend both.", *writes),
        bash("Does it work?", "python3 -m calc '-7 + 5'"),
        bash("Submit.", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"),
    ]
    played = play(tmp_path, script, recipe="mini-swe-agent")
    summary, steps = played.summary, played.steps
    assert (summary.outcome, summary.ending, summary.detail) == (Outcome.RESOLVED, Ending.COMPLETED, "")
    assert (summary.iterations, summary.tool_calls) == (4, 5)
    assert (summary.prompt_tokens, summary.completion_tokens, summary.cached_tokens) == (4000, 400, 1600)
    assert summary.cost_usd == pytest.approx(4 * PRICE)
    assert [step.source for step in steps] == ["system", "user", *["agent"] * 4, "system"]
    assert "Please solve this issue: Numbers below zero" in steps[1].message
    look, mend, check, submit = steps[2:6]
    assert look.message == "Let me look."
    assert [call.name for call in look.calls] == ["bash"]
    result = look.result(look.calls[0])
    assert result is not None
    assert '"returncode": 0' in result.content
    assert "calc" in result.content
    assert [result.ok for result in mend.results] == [True, True]
    assert {
        number: [file.path for file in edit.files]
        for number, edit in dict(played.record.edits_by_step()).items()
    } == {4: ["calc/digits.py", "calc/sums.py"]}
    assert '"output": "-2\\n"' in check.results[0].content
    assert (submit.message, submit.results) == ("Submit.", ())
    assert steps[6].message.startswith("The command of mini-swe-agent ended with exit code 0")
    assert [len(request.messages) for request in played.requests] == [2, 4, 7, 9]


@pytest.mark.engine
class TestWorkflows:
    COUNT = (
        "import os, pathlib; log = pathlib.Path(os.environ['PARROT'], 'log');"
        " log.write_text((log.read_text() if log.exists() else '') + 'x'); print(log.read_text())"
    )

    def played(self, root: Path, recipe: Path) -> Played:
        with ModelServer([{"text": self.COUNT}, {"text": "Done."}]) as server:
            settings = {"recipe": str(recipe), **QUICK}
            summary, record = Arena.of_workflow(root).run("command", settings, model=model(server.url))
        return Played(summary, record, server.requests)

    def test_a_resume_command_continues_in_the_same_home(self, tmp_path: Path) -> None:
        recipe = shutil.copytree(PARROT, tmp_path / "parrot")
        text = (recipe / "recipe.toml").read_text()
        command = next(line for line in text.splitlines() if line.startswith("command"))
        (recipe / "recipe.toml").write_text(text.replace(command, f"{command}\nresume_{command}"))
        played = self.played(tmp_path, recipe)
        heard = [str(request.messages[-1]["content"]).strip() for request in played.requests[1::2]]
        assert heard == ["x", "xx", "xxx"]
        asked = [str(request.messages[1]["content"]) for request in played.requests[::2]]
        assert asked == [ASKED, SECOND, THIRD]
        assert [
            message for source, message in played.said if source == "user" and "x" not in message[:2]
        ] == [
            ASKED,
            SECOND,
            THIRD,
        ]
        assert played.summary.user is not None
        assert (played.summary.user.messages, played.summary.user.restarted_each_turn) == (3, False)

    def test_without_one_it_starts_anew_with_the_messages_so_far(self, tmp_path: Path) -> None:
        played = self.played(tmp_path, PARROT)
        asked = [str(request.messages[1]["content"]) for request in played.requests[::2]]
        assert asked[1:] == [
            retold([(ASKED, "Done.")], SECOND),
            retold([(ASKED, "Done."), (SECOND, "Done.")], THIRD),
        ]
        assert played.summary.user is not None
        assert played.summary.user.restarted_each_turn
