"""Reads the files of a workflow task; `harness.dataset.workflow` says which there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path

from harness.dataset.tables import Reporter, Table
from harness.dataset.verifiers import read_verifiers
from harness.dataset.workflow import (
    CONVERSATION,
    VERIFIERS,
    WORKFLOW,
    Persona,
    ReferenceCall,
    ReferenceTurn,
    Workflow,
    WorkflowLimits,
)

ALL_CHANGES = "all"


def read_workflows(reporter: Reporter, directory: Path, changed: Collection[str]) -> tuple[Workflow, ...]:
    """The workflows of the scenario in `directory`, one for each persona; reports each problem with file and field.

    `changed`: the paths that the reference patch changes.
    """
    table = Table(reporter, directory / WORKFLOW)
    turns = tuple(_turns(Table(reporter, directory / CONVERSATION), tuple(changed)))
    verifiers = read_verifiers(reporter, directory / VERIFIERS)
    objective, first_message = table.text("objective"), table.text("first_message")
    instructions = table.texts("instructions")
    personas = table.members("personas", list(Persona), required=True)
    limits = _limits(table.inner("limits"))
    scripts = _scripts(table.inner("script"), personas, instructions)
    table.close()
    for persona, script in scripts.items():
        _check_length(table, persona, 1 + len(script), len(turns), limits.messages)
    return tuple(
        Workflow(
            directory.name,
            persona,
            objective,
            instructions,
            first_message,
            limits,
            script,
            turns,
            verifiers,
        )
        for persona, script in scripts.items()
    )


def _limits(table: Table) -> WorkflowLimits:
    default = WorkflowLimits()
    limits = WorkflowLimits(
        table.count("messages", default.messages),
        table.seconds("turn_seconds", default.turn_seconds),
        table.seconds("scenario_seconds", default.scenario_seconds),
        table.seconds("verifier_seconds", default.verifier_seconds),
    )
    table.close()
    return limits


def _scripts(
    table: Table, personas: Collection[str], instructions: tuple[str, ...]
) -> dict[Persona, tuple[str, ...]]:
    """The script of each persona. One without its own has that of the default persona: the instructions, unless it
    is written."""
    usual = table.texts(Persona.DEFAULT, instructions)
    scripts = {persona: table.texts(persona, usual) for persona in Persona if persona in personas}
    for persona in Persona:
        if persona in table.values and persona not in {*personas, Persona.DEFAULT}:
            table.problem(persona, "is the script of a persona that `personas` does not name")
    for persona, script in scripts.items():
        if not all(map(str.strip, script)):
            table.problem(persona, "holds an empty message")
    table.known.update(Persona)
    table.close()
    return scripts


def _check_length(table: Table, persona: Persona, messages: int, turns: int, most: int) -> None:
    """Reports a script that is too short for the reference conversation, or too long for the limit."""
    if turns > messages:
        table.problem(
            f"script.{persona}",
            f"gives the user {messages} messages, too few for the {turns} turns of {CONVERSATION}",
        )
    if messages > most:
        table.problem(f"script.{persona}", f"gives the user {messages} messages; limits.messages is {most}")


def _turns(table: Table, changed: tuple[str, ...]) -> Iterator[ReferenceTurn]:
    """The turns of the reference conversation. Together they make each change of the reference patch once."""
    made: Counter[str] = Counter()
    for each in table.array("turns"):
        message = each.text("message")
        calls, checks = _calls(each, "calls"), _calls(each, "checks")
        everything = each.get("changes", ()) == ALL_CHANGES
        changes = changed if everything else each.texts("changes", ())
        for path in changes:
            if path not in changed:
                each.problem("changes", f"names {path!r}, which reference.diff does not change")
        each.close()
        made.update(changes)
        yield ReferenceTurn(message, calls, changes, checks)
    for path in changed:
        if made[path] != 1:
            table.problem("turns", f"{made[path]} turns make the change of {path!r}; it must be one")
    table.close()


def _calls(table: Table, name: str) -> tuple[ReferenceCall, ...]:
    table.known.add(name)
    return tuple(map(_call, table.array(name))) if name in table.values else ()


def _call(table: Table) -> ReferenceCall:
    name, arguments = table.text("name"), dict(table.inner("arguments").values)
    table.close()
    return ReferenceCall(name, arguments)
