"""Agents that follow a script: a recorded one, or one built from the reference patch and a seed.

The latter are *calibration agents*: their true success rate is known, so the results of the benchmark can be checked
against it. Every message names them, so that no one takes them for a model; in workflows, where verifiers read the
messages, they say what the reference conversation says.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import count
from typing import Any, TypeVar

from harness.agents.base import AgentSpec
from harness.agents.reference import (
    Change,
    Draft,
    PlannedStep,
    check_succeeded,
    conversation,
    reference_changes,
    talk,
)
from harness.dataset import Repository, Task
from harness.errors import ConfigurationError
from harness.limits import Ending
from harness.records import ToolCall
from harness.session import Session

_Item = TypeVar("_Item")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{3,}")
_NAME = "Calibration agent"


class Style(StrEnum):
    """How much it reads and searches, and how often it makes mistakes. Has no effect on the result."""

    THOROUGH = "thorough"
    STEADY = "steady"
    HASTY = "hasty"


@dataclass(frozen=True, slots=True)
class Calibration:
    """With probability `success_rate` all changes of the reference patch are made; otherwise a part of them.

    The part is `hunk_fraction` of the changes, rounded half up, and at least one less than all. An attempt that leaves
    out only changes that no hidden test checks is still resolved: `success_rate` is exact where each change is needed.
    """

    seed: int
    success_rate: float
    hunk_fraction: float
    style: Style = Style.STEADY

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Calibration:
        """Raises ConfigurationError with the name of the setting and its valid values."""
        unknown = settings.keys() - {"seed", "success_rate", "hunk_fraction", "style"}
        if unknown:
            raise ConfigurationError(
                f"a scripted agent has the settings seed, success_rate, hunk_fraction and style (or script alone), "
                f"not {', '.join(sorted(unknown))}"
            )
        seed = settings.get("seed")
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise ConfigurationError(f"seed must be a whole number, not {seed!r}")
        try:
            style = Style(settings.get("style", Style.STEADY))
        except ValueError:
            raise ConfigurationError(
                f"style must be one of {', '.join(Style)}; not {settings['style']!r}"
            ) from None
        return cls(seed, _share(settings, "success_rate"), _share(settings, "hunk_fraction"), style)


class ScriptedAgent:
    """Plays a script, or is a calibration agent.

    A script is `{"script": [{"message", "calls": [{"name", "arguments"}]}, {"user": "a message of the user"}]}`.
    """

    def __init__(self, spec: AgentSpec) -> None:
        self._script: list[PlannedStep] | None = None
        self._calibration: Calibration | None = None
        if "script" in spec.settings:
            self._script = _recorded(spec.settings)
        else:
            self._calibration = Calibration.from_settings(spec.settings)

    def run(self, session: Session) -> Ending:
        """Takes every step of the script, regardless of the results of the tools.

        In a workflow, a step without calls ends a turn; after the script, the agent goes on talking.
        """
        if session.task.workflow:
            return talk(session, self._turns(session))
        session.say("user", session.task.description)
        for planned in self._steps(session):
            session.checkpoint()
            if planned.source == "user":
                session.say("user", planned.message)
                continue
            check_succeeded(planned, session.act(planned.message, planned.calls))
        return Ending.COMPLETED

    def _turns(self, session: Session) -> Iterable[Sequence[PlannedStep]]:
        if self._calibration is None:
            return _split(self._script or [])
        return plan_turns(
            session.task, session.repository, self._calibration, session.attempt, session.evaluation
        )

    def _steps(self, session: Session) -> list[PlannedStep]:
        if self._calibration is None:
            return self._script or []
        return plan(session.task, session.repository, self._calibration, session.attempt, session.evaluation)


def plan(
    task: Task, repository: Repository, calibration: Calibration, attempt: int, evaluation: str = ""
) -> list[PlannedStep]:
    """All steps of one attempt: look around, search, read, edit, check, report. Deterministic."""
    chance = random_numbers(task, repository, calibration, attempt, evaluation)
    return list(_Attempt(task, repository, calibration, chance).steps())


def plan_turns(
    task: Task, repository: Repository, calibration: Calibration, attempt: int, evaluation: str = ""
) -> Iterator[list[PlannedStep]]:
    """The turns of one attempt at a workflow: those of the reference conversation, or a part of them. Deterministic.

    Without success, changes are left out as in other tasks; without changes in the reference, messages.
    """
    chance = random_numbers(task, repository, calibration, attempt, evaluation)
    succeeds = chance.random() < calibration.success_rate
    changes, turns = (
        reference_changes(repository, task),
        range(len(task.workflow.turns if task.workflow else ())),
    )
    left_out: list[Change] = []
    silent: list[int] = []
    if not succeeds and changes:
        left_out = _others(changes, calibration.hunk_fraction, chance)
    elif not succeeds:
        silent = _others(turns, calibration.hunk_fraction, chance)
    return conversation(repository, task, left_out, silent)


def _made(number: int, fraction: float, chance: random.Random) -> list[int]:
    """The indexes of the part of so many changes that an attempt without success makes."""
    made = min(number - 1, int(fraction * number + 0.5))
    return sorted(chance.sample(range(number), made))


def _others(items: Sequence[_Item], fraction: float, chance: random.Random) -> list[_Item]:
    made = _made(len(items), fraction, chance)
    return [item for index, item in enumerate(items) if index not in made]


def _split(script: Iterable[PlannedStep]) -> Iterator[list[PlannedStep]]:
    """The steps of each turn: up to and with a step without calls."""
    turn: list[PlannedStep] = []
    for planned in script:
        turn.append(planned)
        if not planned.calls:
            yield turn
            turn = []
    if turn:
        yield turn


class _Attempt:
    """One attempt of a calibration agent, decided by its own random numbers."""

    def __init__(
        self, task: Task, repository: Repository, calibration: Calibration, chance: random.Random
    ) -> None:
        self.source = repository.source
        self.repository = repository
        self.style = calibration.style
        self.random = chance
        succeeds = self.random.random() < calibration.success_rate
        self.changes = reference_changes(repository, task)
        self.made = list(self.changes)
        if not succeeds:
            made = _made(len(self.changes), calibration.hunk_fraction, self.random)
            self.made = [self.changes[index] for index in made]
        self.draft = Draft()

    def steps(self) -> Iterator[PlannedStep]:
        yield self._step("I look around first.", self.draft.call("list_dir", "See what is here.", path="."))
        yield from self._searches()
        yield from self._readings()
        for change in self.made:
            if self._chance(0.05, 0.15, 0.35):
                yield from self._slip(change)
            yield self._step(f"I change {change.path}.", *self.draft.carry_out(change), must_succeed=True)
            if self._chance(0.6, 0.25, 0.05) and change.after.content is not None:
                yield self._step("I look at what I did.", self._read(change.path))
        yield self._step(
            "I run what can be run.",
            self.draft.call("run_terminal_cmd", "See whether it still works.", command=self._check()),
        )
        yield self._step(f"I made {len(self.made)} of {len(self.changes)} changes of the reference patch.")

    def _searches(self) -> Iterator[PlannedStep]:
        lines = [line for change in self.changes if change.hunk for line in change.hunk.old_lines]
        words = sorted({word for line in lines for word in _IDENTIFIER.findall(line)}) or ["main"]
        number = min(len(words), {Style.THOROUGH: 4, Style.STEADY: 2, Style.HASTY: 1}[self.style])
        for word in self.random.sample(words, number):
            if self.random.random() < 0.5:
                call = self.draft.call("grep_search", "Find its uses.", pattern=rf"\b{word}\b")
            else:
                call = self.draft.call("codebase_search", "Find its uses.", query=word)
            yield self._step(f"I look for {word}.", call)

    def _readings(self) -> Iterator[PlannedStep]:
        paths = [change.path for change in self.changes if change.before and not change.before.link]
        for path in dict.fromkeys(paths):
            yield self._step(f"I read {path}.", self._read(path))
            if self._chance(0.4, 0.2, 0.1):
                yield self._step(f"I read {path} once more.", self._read(path))

    def _slip(self, change: Change) -> Iterator[PlannedStep]:
        """An edit of text that is not in the file, so the tool refuses."""
        lines = [line.strip() for line in change.hunk.old_lines if line.strip()] if change.hunk else []
        if not lines:
            return
        remembered = f"{self.random.choice(lines)} as I remember it {self.random.random()}"
        yield self._step(
            f"I change {change.path} from memory.",
            self.draft.call(
                "search_replace", "Replace the old text.", path=change.path, old=remembered, new="\n"
            ),
        )

    def _read(self, path: str) -> ToolCall:
        return self.draft.call("read_file", "See the code before changing it.", path=path)

    def _check(self) -> str:
        """A command that runs the visible tests of the repository, if it has any."""
        for name in ("Makefile", "makefile"):
            makefile = self.source.read(name)
            if makefile is not None and makefile.content is not None:
                text = makefile.content.decode("utf-8", "replace")
                targets = set(re.findall(r"^(\w+):", text, re.MULTILINE))
                return next(
                    (f"make -s {target}" for target in ("check", "test") if target in targets), "make -s"
                )
        names = self.source.names()
        if any(fnmatchcase(name, "tests/test_*.py") for name in names):
            top = " -t ." if "tests/__init__.py" in names else ""
            return f"PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover -s tests{top}"
        return "ls -R"

    def _chance(self, thorough: float, steady: float, hasty: float) -> bool:
        odds = {Style.THOROUGH: thorough, Style.STEADY: steady, Style.HASTY: hasty}
        return self.random.random() < odds[self.style]

    def _step(self, message: str, *calls: ToolCall, must_succeed: bool = False) -> PlannedStep:
        return PlannedStep(f"{_NAME}: {message}", calls, must_succeed)


def random_numbers(
    task: Task, repository: Repository, calibration: Calibration, attempt: int, evaluation: str
) -> random.Random:
    """The random numbers of one attempt. The first one decides whether it makes every change.

    The first attempts of two evaluations are as independent as two attempts of one: they can be counted together.
    """
    return random.Random(f"{calibration.seed}/{repository.slug}/{task.slug}/{attempt}/{evaluation}")


def _share(settings: Mapping[str, Any], name: str) -> float:
    value = settings.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise ConfigurationError(f"{name} must be a number from 0 to 1, not {value!r}")


def _recorded(settings: Mapping[str, Any]) -> list[PlannedStep]:
    """Checks a script. The calls are not checked: they may be wrong on purpose."""
    script = settings["script"]
    if settings.keys() != {"script"} or not isinstance(script, list):
        raise ConfigurationError("script must be a list of steps, and the only setting")
    ids = count(1)
    steps = []
    for number, entry in enumerate(script, 1):
        match entry:
            case {"user": str(message), **rest} if not rest:
                steps.append(PlannedStep(message, source="user"))
            case {"message": str(message), **rest} if rest.keys() <= {"calls"}:
                calls = _recorded_calls(number, rest.get("calls", []), ids)
                steps.append(PlannedStep(message, calls))
            case _:
                raise ConfigurationError(
                    f"script, step {number}: must have a message, and may have calls; or user alone"
                )
    return steps


def _recorded_calls(step: int, calls: object, ids: Iterator[int]) -> tuple[ToolCall, ...]:
    found = []
    for call in calls if isinstance(calls, Iterable) else [None]:
        match call:
            case {"name": str(name), "arguments": dict(arguments), **rest} if not rest:
                found.append(ToolCall(f"call_{next(ids)}", name, arguments))
            case _:
                raise ConfigurationError(f"script, step {step}: a call is {{name, arguments}}, not {call!r}")
    return tuple(found)
