"""Workflow tasks: a simulated user and the agent talk until the user is satisfied, and verifiers check the result.

    tasks/<scenario>/task.toml   with `mode = "workflow"`
      workflow.toml              what the simulated user knows: objective, instructions, first_message, personas, limits
      verifiers.toml             what is checked at the end; hidden
      conversation.toml          the reference conversation: the turns of an agent that does everything right; hidden
      reference.diff             all changes of the reference conversation; may be empty
      tests/                     optional: hidden files
      proof.json                 one proof for all personas

A scenario is one task for each of its personas: `<scenario>.<persona>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from harness.dataset.verifier_kinds import Verifier

WORKFLOW, VERIFIERS, CONVERSATION = "workflow.toml", "verifiers.toml", "conversation.toml"


class Mode(StrEnum):
    """How a task is worked on.

    `code`: one description, no questions. `remove`: the description names the functions to write, and only they may
    change. `discovery`: functions have to be found by failing tests. `pull_request`: a change that was merged.
    `workflow`: a conversation with a user.
    """

    CODE = "code"
    REMOVE = "remove"
    DISCOVERY = "discovery"
    PULL_REQUEST = "pull_request"
    WORKFLOW = "workflow"


class Persona(StrEnum):
    """How the simulated user behaves. It never changes what the user wants."""

    DEFAULT = "default"
    TOXIC = "toxic"
    HELPFUL = "helpful"


@dataclass(frozen=True, slots=True)
class WorkflowLimits:
    """The limits of one conversation. `messages`: those of the user, with the first one.

    `turn_seconds` is for one turn of the agent, `scenario_seconds` for all turns of agent and user, `verifier_seconds`
    for each verifier that runs a command.
    """

    messages: int = 10
    turn_seconds: float = 900.0
    scenario_seconds: float = 1200.0
    verifier_seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class ReferenceCall:
    """A tool call of the reference conversation."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReferenceTurn:
    """One turn of the agent in the reference conversation: calls, changes, checks, and the message that ends the turn.

    `changes`: the paths of the reference patch whose hunks are made in this turn, after the `calls`. `checks`: calls
    after the changes.
    """

    message: str
    calls: tuple[ReferenceCall, ...] = ()
    changes: tuple[str, ...] = ()
    checks: tuple[ReferenceCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Workflow:
    """A scenario with one persona.

    `objective` and `instructions` are known to the simulated user only. `script`: the scripted user's messages after
    the first one. `turns` and `verifiers` are hidden from agents.
    """

    scenario: str
    persona: Persona
    objective: str
    instructions: tuple[str, ...]
    first_message: str
    limits: WorkflowLimits
    script: tuple[str, ...]
    turns: tuple[ReferenceTurn, ...]
    verifiers: tuple[Verifier, ...]


def scenario_of(slug: str) -> tuple[str, Persona] | None:
    """The scenario and the persona that the slug of a workflow task may stand for; None if it stands for none."""
    scenario, _, persona = slug.rpartition(".")
    return (scenario, Persona(persona)) if scenario and persona in set(Persona) else None
