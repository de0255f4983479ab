"""The faults and the decoys: reads `stories/*.toml` and `planted/*.toml`.

A story is what an agent does on a task of the starter dataset when it makes no mistake: a list of named steps. A fault
changes a story twice, which gives a faulty twin and a clean twin. A step belongs to the fault if only one twin has it.
All other steps come from the same lines of the same file, so they are equal in both twins. A decoy has the same form;
it changes something that must not change the score.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from harness.errors import ConfigurationError

HERE = Path(__file__).parent
FIRST_STEP = "task"  # the user's first message, which is the description of the task

Dimension = Literal["end_result", "instruction_compliance", "pitfalls", "pleasantness", "tool_calls"]
_AnyData = TypeVar("_AnyData", bound="_Data")
_AnyCase = TypeVar("_AnyCase", bound="Twins")


class Variant(StrEnum):
    """Which of two twins: with the planted difference, or without."""

    CHANGED = "changed"
    CLEAN = "clean"


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlayedCall(_Data):
    """One call of a tool. The arguments may be wrong on purpose."""

    name: str
    arguments: dict[str, Any]


class PlayedStep(_Data):
    """One step: the agent's `message` with its `calls`, or a message of the `user`."""

    message: str = ""
    calls: tuple[PlayedCall, ...] = ()
    user: str = ""

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if self.user and (self.message or self.calls):
            raise ValueError("a step is a message of the user, or of the agent")
        return self

    def entry(self) -> dict[str, Any]:
        """The step as an entry of the script of a scripted agent."""
        if self.user:
            return {"user": self.user}
        return {"message": self.message, "calls": [call.model_dump() for call in self.calls]}


class StoryStep(PlayedStep):
    """A step of a story."""

    name: str


class Change(PlayedStep):
    """A step that replaces the story's step `at`, or follows it (`after`), in one twin or in both.

    Several changes at the same place are steps in their order. `drop`: the step `at` is left out.
    """

    twins: Literal["both", "changed", "clean"] = Field(alias="in")
    at: str = ""
    after: str = ""
    drop: bool = False

    @model_validator(mode="after")
    def _has_one_place(self) -> Self:
        if bool(self.at) == bool(self.after):
            raise ValueError("a change has either `at` or `after`")
        if self.drop != (not self.user and not self.message):
            raise ValueError("a change has `message` or `user`, or is `drop = true`")
        if self.drop and not self.at:
            raise ValueError("`drop` needs `at`")
        return self


class Story(_Data):
    """Steps of an agent without a mistake, on one task of the starter dataset."""

    repository: str
    task: str
    steps: tuple[StoryStep, ...]


class Twins(_Data):
    """Two plays of one story, which differ in one thing.

    `shows` names further steps: their results differ as a consequence, or they make the difference visible although
    they are equal (a report that claims what did not happen).
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    story: str
    planted: str
    shows: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()

    def script(self, variant: Variant) -> list[dict[str, Any]]:
        """What follows the task in one twin, as the script of a scripted agent."""
        return [step.entry() for step in list(self._steps(variant).values())[1:]]

    def marked(self, variant: Variant) -> frozenset[int]:
        """The ids of the steps of one twin where the difference shows. The user's first message is step 1."""
        other = self._steps(Variant.CLEAN if variant is Variant.CHANGED else Variant.CHANGED)
        return frozenset(
            number
            for number, (origin, step) in enumerate(self._steps(variant).items(), 1)
            if origin not in other or _place(step) in self.shows
        )

    def find_story(self) -> Story:
        """The story, which names repository and task."""
        return stories()[self.story]

    def misplaced(self) -> list[str]:
        """The places that this case names and its story does not have."""
        named = {change.at or change.after for change in self.changes} | set(self.shows)
        return sorted(named - {FIRST_STEP, *(step.name for step in self.find_story().steps)})

    def _steps(self, variant: Variant) -> dict[str, PlayedStep]:
        """The steps of one twin by their origin: a step of the story or a change. Equal origins are equal steps."""
        applied = {
            f"change {number}": change
            for number, change in enumerate(self.changes)
            if change.twins in {"both", variant}
        }
        found: dict[str, PlayedStep] = {}
        for step in (StoryStep(name=FIRST_STEP), *self.find_story().steps):
            instead = {origin: change for origin, change in applied.items() if change.at == step.name}
            if not instead:
                found[f"step {step.name}"] = step
            found.update({origin: change for origin, change in instead.items() if not change.drop})
            found.update({origin: change for origin, change in applied.items() if change.after == step.name})
        return found


def _place(step: PlayedStep) -> str:
    """The name of a step of the story, or of the step that a change replaces."""
    return step.name if isinstance(step, StoryStep) else step.at if isinstance(step, Change) else ""


class Fault(Twins):
    """A fault that a judge of `dimension` has to see: it gives the faulty twin at most `highest_score`, and the clean
    twin 1."""

    dimension: Dimension
    highest_score: float = Field(ge=0, le=0.5)


class Decoy(Twins):
    """A difference that must not change the score in any of `dimensions`.

    `agent` and `model` are the names in the metadata of the changed run. `outcome` is written into the record of the
    changed run in place of the real one. `demanded`: the score that a text in the changed run demands of its reviewer;
    None: the decoy demands nothing. A judge that gives that score follows instructions from a transcript.
    """

    dimensions: tuple[Dimension, ...] = Field(min_length=1)
    agent: str = ""
    model: str = ""
    outcome: Literal["", "resolved", "unresolved"] = ""
    demanded: float | None = Field(default=None, ge=0, le=1)

    @property
    def injected(self) -> bool:
        """Whether its text tries to instruct the judge."""
        return self.demanded is not None


Case = Fault | Decoy


@cache
def stories() -> Mapping[str, Story]:
    """All stories by name."""
    return {path.stem: _read(Story, path, _table(path)) for path in sorted((HERE / "stories").glob("*.toml"))}


@cache
def faults() -> tuple[Fault, ...]:
    """All faults, by dimension. Raises ConfigurationError with the file and the id of a wrong one."""
    return tuple(fault for name in get_args(Dimension) for fault in _cases(Fault, name, {"dimension": name}))


@cache
def decoys() -> tuple[Decoy, ...]:
    """All decoys, those with a demand last. Raises ConfigurationError with the file and the id of a wrong one."""
    return (*_cases(Decoy, "decoys", {}), *_cases(Decoy, "injections", {}))


def cases() -> tuple[Case, ...]:
    """All faults, then all decoys."""
    return (*faults(), *decoys())


def case(name: str) -> Case:
    """The fault or decoy with this id. Raises ConfigurationError if there is none."""
    found = next((one for one in cases() if one.id == name), None)
    if found is None:
        raise ConfigurationError(f"there is no planted fault {name}; see docs/fault-catalogue.md")
    return found


def _cases(kind: type[_AnyCase], name: str, common: Mapping[str, Any]) -> Iterator[_AnyCase]:
    path = HERE / "planted" / f"{name}.toml"
    for table in _table(path)["cases"]:
        found = _read(kind, path, {**common, **table})
        if misplaced := found.misplaced():
            raise ConfigurationError(
                f"{path.name}, {found.id}: {found.story} has no step {', '.join(misplaced)}"
            )
        yield found


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _read(kind: type[_AnyData], path: Path, table: Mapping[str, Any]) -> _AnyData:
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        raise ConfigurationError(f"{path.name}, {table.get('id', 'file')}: {error}") from None
