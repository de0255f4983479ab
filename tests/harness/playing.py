"""Sessions of people: in this process with requests that are known before, and in processes of their own."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from harness.agents.base import AgentSpec
from harness.agents.mailbox import Answer, Mailbox, Request
from harness.agents.person import PersonAgent
from harness.dataset import load_dataset
from harness.execute import execute_run
from harness.limits import Limits
from harness.records import RunRecord, RunSummary
from harness.sandbox.base import Engine
from harness.sandbox.docker import DockerEngine
from harness.sandbox.local import LocalEngine
from harness.session import Control
from tests.harness.arena import Arena

INSTANCE = "play"
ROOT = Path(__file__).parents[2]


class TrustedEngine(LocalEngine):
    """The local engine, for people who are this test: they run nothing that harms this host."""

    isolated = True


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """A call as a page sends it."""
    return {"name": name, "arguments": {"explanation": "As the test says.", **arguments}}


def ask(kind: str, *calls: Mapping[str, Any], message: str = "") -> Request:
    """A request as a page sends it."""
    return Request.from_json({"id": kind, "kind": kind, "message": message, "calls": list(calls)})


@dataclass(slots=True)
class Script:
    """A mailbox with these requests, each after so many seconds; after the last one, the person is silent."""

    requests: list[Request]
    answers: list[Answer] = field(default_factory=list)
    seconds: float = 0.0

    def receive(self, timeout: float) -> Request | None:
        time.sleep(self.seconds)
        return self.requests.pop(0) if self.requests else None

    def send(self, answer: Answer) -> None:
        self.answers.append(answer)


def play(
    arena: Arena,
    requests: Sequence[Request],
    *,
    settings: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    control: Control | None = None,
    answers: list[Answer] | None = None,
    seconds: float = 0.0,
) -> RunSummary:
    """One process of the session of this task in this place; `answers` receives what it says."""
    script = Script(list(requests), [] if answers is None else answers, seconds)
    return _execute(arena, TrustedEngine(), script, settings=settings or {}, limits=limits, control=control)


def record(arena: Arena) -> RunRecord:
    """What the session left behind."""
    return RunRecord(arena.root / "played")


def _execute(
    arena: Arena,
    engine: Engine,
    mailbox: Mailbox,
    *,
    settings: Mapping[str, Any] = {},
    limits: Limits | None = None,
    control: Control | None = None,
) -> RunSummary:
    spec = AgentSpec("person", "person", settings)
    return execute_run(
        repository=arena.repository,
        task=arena.task,
        agent=spec,
        identity=arena.identity(spec),
        directory=arena.root / "played",
        engine=engine,
        limits=limits or Limits(),
        control=control,
        instance=INSTANCE,
        competitor=PersonAgent(spec, mailbox, arena.task.mode),
    )


class Streams:
    """A mailbox over the standard streams of this process."""

    def __init__(self) -> None:
        self._read = b""

    def receive(self, timeout: float) -> Request | None:
        if b"\n" not in self._read:
            ready, _, _ = select.select([0], [], [], timeout)
            if not ready:
                return None
            self._read += os.read(0, 1 << 20)
        line, _, self._read = self._read.partition(b"\n")
        return Request.from_json(json.loads(line))

    def send(self, answer: Answer) -> None:
        print(json.dumps(answer.to_json()), flush=True)


class Played:
    """A process of a session, which can be killed at any moment, and is killed when the context ends."""

    def __init__(self, arena: Arena, engine: str) -> None:
        (dataset,) = arena.root.glob("*/dataset.toml")
        command = [sys.executable, "-m", __name__, str(arena.root), dataset.parent.name]
        self.process = subprocess.Popen(
            [*command, arena.task.slug, engine],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def hear(self) -> dict[str, Any]:
        """What the process says next; an empty object when it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return dict(json.loads(line)) if line else {}

    def ask(self, kind: str, *calls: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        assert self.process.stdin is not None
        request = {"id": kind, "kind": kind, "message": "", "calls": list(calls)}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.hear()
        assert answer["id"] == kind, answer
        return answer

    def shell(self, command: str) -> str:
        """What a command writes."""
        answer = self.ask("act", call("run_terminal_cmd", command=command))
        return str(answer["results"][0]["content"]).partition("\n")[2]

    def end(self) -> str:
        """Waits for the end. What it wrote to standard error."""
        _, errors = self.process.communicate(timeout=120)
        return errors

    def kill(self) -> None:
        """Kills it, so that it can store and remove nothing."""
        self.process.kill()
        self.process.wait(timeout=10)


def main(root: str, dataset: str, slug: str, engine: str) -> None:
    """One process of a session: requests and answers are lines of the standard streams."""
    repository = load_dataset(Path(root) / dataset).repository("calc")
    arena = Arena(Path(root), repository, repository.task(slug))
    with closing(DockerEngine() if engine == "docker" else TrustedEngine()) as opened:
        summary = _execute(arena, opened, Streams())
    print(json.dumps({"outcome": summary.outcome, "act_seconds": summary.act_seconds}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
