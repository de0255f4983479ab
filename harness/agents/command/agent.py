"""Any command-line agent: runs in the container, supervised from outside; its model calls are relayed."""

from __future__ import annotations

import base64
import json
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import PurePosixPath
from typing import Any

from harness.agents.base import AgentSpec
from harness.agents.command.recipe import Recipe, find_recipe
from harness.agents.command.relay import Relay, RelayResponse
from harness.agents.command.transcript import Transcript, shortened
from harness.agents.profile import check_setting
from harness.agents.prompt import task_prompt
from harness.background import POLL_SECONDS
from harness.errors import AgentError, ConfigurationError, HarnessError, InfrastructureError
from harness.limits import Ending, LimitReached, Limits
from harness.llm.client import Client
from harness.llm.spec import FORMER_SETTINGS, CallSettings
from harness.sandbox.base import ImageLayer, Program, ProgramHost
from harness.sandbox.engine.image_recipes import INSIDE
from harness.sandbox.engine.interpreter import PYTHON
from harness.session import Session

RELAY = (str(PYTHON), "-I", "-B", str(INSIDE), "relay")
READY_SECONDS = 60.0
# How long an agent may take to exit after it was notified of the end, and how long killing it may take.
GRACE_SECONDS = 2.0
KILL_SECONDS = 4.0
SEND_SECONDS = 60.0
OUTPUT_CHARACTERS = 16_000
LAST_WORDS = 500
CALL_SETTINGS = tuple(setting.name for setting in fields(CallSettings))


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """Which recipe, and the call settings that apply where the agent sets none. The agent sets its temperature."""

    recipe: Recipe
    calls: CallSettings

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> CommandSettings:
        """Raises ConfigurationError for unknown or invalid settings, and for an invalid recipe."""
        calls = {name: value for name, value in stored.items() if name not in ("recipe", *FORMER_SETTINGS)}
        if unknown := sorted(set(calls) - set(CALL_SETTINGS)):
            raise ConfigurationError(
                f"unknown {', '.join(unknown)}; known are recipe, {', '.join(CALL_SETTINGS)}"
            )
        for name, value in calls.items():
            check_setting(name, value)
        return cls(find_recipe(stored.get("recipe")), CallSettings(**{"temperature": None, **calls}))


@dataclass(frozen=True, slots=True)
class Ended:
    """How the agent's process ended. `exit_code` is negative for a signal; the outputs are head and tail."""

    exit_code: int
    seconds: float
    stdout: str
    stderr: str


class CommandAgent:
    """Runs a recipe's command beside the tool server, until it ends or must be ended."""

    def __init__(self, spec: AgentSpec) -> None:
        if spec.model is None:
            raise ConfigurationError(f"agent {spec.name!r}: a command agent needs a model")
        self.settings = CommandSettings.read(spec.settings)
        self.client = Client(spec.model, self.settings.calls)

    @property
    def layer(self) -> ImageLayer:
        """What is installed in the image of its workspaces."""
        return self.settings.recipe.layer

    def effective_settings(self, limits: Limits) -> dict[str, Any]:  # noqa: ARG002 - the run's limits are its own
        """The recipe with its version, and the call settings."""
        recipe = self.settings.recipe
        return {"recipe": recipe.name, "version": recipe.version, **asdict(self.settings.calls)}

    def run(self, session: Session) -> Ending:
        """Works until the command ends. Exit code 0 is completion; any other is the agent's failure.

        In a workflow, the command runs once for each message of the user.
        """
        if not isinstance(session.workspace, ProgramHost):
            raise InfrastructureError("this container engine cannot run a program beside its tool server")
        transcript, resumes = Transcript(session), bool(self.settings.recipe.resume_command)
        prompt, home = task_prompt(session.task), ""
        while True:
            with session.workspace.program(RELAY) as program:
                run = _CommandRun(self, session, program, transcript)
                ending = run.execute(prompt, home)
            answer = session.reply()
            if answer is None or session.dialogue is None:
                return ending
            session.dialogue.restarted_each_turn = not resumes
            home = run.home if resumes else ""
            prompt = answer if resumes else retold(session.dialogue.history, answer)
            transcript.expect(prompt)


def retold(history: Sequence[tuple[str, str]], message: str) -> str:
    """The prompt of an agent that is started anew: all messages of user and agent so far, and the user's new one."""
    told = [f"The user wrote:\n{said}\n\nYou answered:\n{answered}" for said, answered in history]
    told = ["You have worked on this code base before. These are the messages so far.", *told]
    return "\n\n".join([*told, f"Now the user writes:\n{message}"])


class _CommandRun:
    """One run of the command. `home`: its HOME, once it has started."""

    def __init__(
        self, agent: CommandAgent, session: Session, program: Program, transcript: Transcript
    ) -> None:
        self.recipe = agent.settings.recipe
        self.session = session
        self.program = program
        self.transcript = transcript
        self.client = agent.client
        self.relay = Relay(agent.client, session, self.transcript)
        self.notified = False
        self.home = ""

    def execute(self, prompt: str, home: str = "") -> Ending:
        """Starts the command, serves its requests, records how it ended. `home`: of the run that it continues."""
        self.start(prompt, home)
        try:
            ended = self.serve()
        except HarnessError:
            self.stop()
            raise
        try:
            self.transcript.close()
        finally:
            self.record(ended)
        if ended.exit_code == 0:
            return Ending.COMPLETED
        if self.relay.full is not None:
            raise self.relay.full
        raise AgentError(f"{self.recipe.title} {_manner(ended)}. {_last_words(ended)}".strip())

    def start(self, task: str, resumed: str) -> None:
        """Waits for the relay in the container, which then starts the command. A failure is an InfrastructureError."""
        try:
            line = self.program.receive(timeout=READY_SECONDS)
            ready = json.loads(line or b"")
            home, port = PurePosixPath(ready["home"]), int(ready["port"])
        except (AgentError, KeyError, TypeError, ValueError) as error:
            raise InfrastructureError(f"the relay in the container is not ready: {error}") from None
        self.home = resumed or str(home)
        workdir = str(self.session.workspace.workdir)
        values = {
            "task": task,
            "task_file": str(home / "task.md"),
            "workdir": workdir,
            "home": self.home,
            "address": f"http://127.0.0.1:{port}",
            "api_base": f"http://127.0.0.1:{port}/v1",
            "model": self.relay.model,
            "window": str(self.client.window.tokens),
            "max_output_tokens": str(self.client.settings.max_output_tokens),
        }
        started = self.recipe.start(values, resumes=bool(resumed))
        if resumed:
            started["environment"]["HOME"] = resumed
        self.send({"start": {**started, "workdir": workdir, "task": task}})

    def serve(self) -> Ended:
        """Responds to requests until the command has ended. Raises the error that ends the run earlier."""
        while True:
            self.check()
            message = self.receive(POLL_SECONDS)
            if message is None:
                continue
            if "ended" in message:
                return _ended(message)
            try:
                number, method, path = message["request"], str(message["method"]), str(message["path"])
                body = base64.b64decode(message["body"])
            except (KeyError, TypeError, ValueError) as error:
                raise AgentError(f"the relay's stream is corrupt: {error!r}") from None
            response = self.relay.respond(method, path, body)
            self.send_response(number, response)
            if response.error is not None:
                self.notified = True
                raise response.error

    def check(self) -> None:
        """Raises when the run is cancelled or its time is over.

        Other limits are checked at the next model call: the calls of the last response may still run.
        """
        with suppress(LimitReached):
            self.session.checkpoint()
        self.session.spending.check_time()

    def stop(self) -> None:
        """Ends the command and all its processes; records what is known about them. Suppresses harness errors.

        A command that was notified of the end gets GRACE_SECONDS to exit.
        """
        ended = None
        with suppress(HarnessError):
            ended = self.wait(GRACE_SECONDS) if self.notified else None
            if ended is None:
                self.send({"stop": True}, KILL_SECONDS)
                ended = self.wait(KILL_SECONDS)
        with suppress(HarnessError):
            # Where the relay does not respond, the tool server need not either: waiting for both takes too long.
            self.transcript.close(look=ended is not None)
        with suppress(HarnessError):
            if ended is not None:
                self.record(ended)

    def wait(self, seconds: float) -> Ended | None:
        """How the command ended; None if it is still running after `seconds`. Ignores requests."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            message = self.receive(left)
            if message is not None and "ended" in message:
                return _ended(message)
        return None

    def record(self, ended: Ended) -> None:
        """Records the output of the command as the last step."""
        parts = [f"The command of {self.recipe.title} {_manner(ended)} after {ended.seconds:.1f} s."]
        for name, text in (("Standard output", ended.stdout), ("Standard error", ended.stderr)):
            if text.strip():
                parts.append(f"{name}:\n\n{shortened(text, OUTPUT_CHARACTERS).rstrip()}")
        self.session.say("system", "\n\n".join(parts))

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """The next message of the relay in the container; None when none arrived in time."""
        line = self.program.receive(timeout=seconds)
        if line is None:
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise AgentError(f"the relay's stream is corrupt: {line[:200]!r}")
        return message

    def send_response(self, number: object, response: RelayResponse) -> None:
        """Sends the response to request `number` into the container."""
        body = base64.b64encode(response.body).decode()
        self.send({"answer": number, "status": response.status, "type": response.type, "body": body})

    def send(self, message: Mapping[str, Any], seconds: float = SEND_SECONDS) -> None:
        """Sends one message into the container."""
        self.program.send(json.dumps(message).encode(), timeout=self.session.at_most(seconds))


def _ended(message: Mapping[str, Any]) -> Ended:
    try:
        ended = message["ended"]
        return Ended(
            int(ended["exit_code"]), float(ended["seconds"]), str(ended["stdout"]), str(ended["stderr"])
        )
    except (KeyError, TypeError, ValueError) as error:
        raise AgentError(f"the relay's stream is corrupt: {error!r}") from None


def _manner(ended: Ended) -> str:
    if ended.exit_code >= 0:
        return f"ended with exit code {ended.exit_code}"
    try:
        return f"was killed by {signal.Signals(-ended.exit_code).name}"
    except ValueError:
        return f"was killed by signal {-ended.exit_code}"


def _last_words(ended: Ended) -> str:
    words = (ended.stderr.strip() or ended.stdout.strip())[-LAST_WORDS:]
    return f"Its last words: {words}" if words else ""
