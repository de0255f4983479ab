"""What the two attack suites share: an attack as a row of a table, and a real run that carries out all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.records import Step
from tests.harness.arena import Arena, script

Call = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to break the rules: a sentence, and the tool calls that make it.

    `{word}` in a call stands for the text that is looked for or written. `plant` is a command for the positive control:
    it puts the word where the attack looks for it, to show that the attack would find it there; '' where no attack can.
    """

    sentence: str
    calls: tuple[Call, ...]
    plant: str = ""

    def __str__(self) -> str:
        return self.sentence.replace(" ", "_")


def by_shell(sentence: str, command: str, plant: str = "") -> Attack:
    """An attack by one command."""
    return Attack(sentence, (("run_terminal_cmd", {"command": command, "timeout": 20}),), plant)


def by_tool(sentence: str, tool: str, plant: str = "", **arguments: Any) -> Attack:
    """An attack by the arguments of one tool."""
    return Attack(sentence, ((tool, arguments),), plant)


def filled(value: Any, word: str) -> Any:
    """`value` with the word in every text; `{split}` and `{part}` are for commands whose own text must not match."""
    if isinstance(value, str):
        split, part = f"{word[:6]}''{word[6:]}", word[:-2]
        return value.replace("{word}", word).replace("{split}", split).replace("{part}", part)
    if isinstance(value, Mapping):
        return {name: filled(part, word) for name, part in value.items()}
    return [filled(part, word) for part in value] if isinstance(value, list) else value


def calls_of(attack: Attack, word: str) -> list[Call]:
    """Its calls with the word filled in."""
    return [(tool, filled(arguments, word)) for tool, arguments in attack.calls]


def replies(arena: Arena, attempts: Sequence[Sequence[Call]]) -> list[str]:
    """A real run that makes one step of each; what the tools returned for each. All of them were carried out."""
    summary, record = arena.run("scripted", script(*attempts))
    steps = [step for step in record.steps() if step.source == "agent"]
    assert len(steps) == len(attempts), (summary.ending, summary.detail, output(steps[-1]))
    return [output(step) for step in steps]


def output(step: Step) -> str:
    """Everything that the tools said in one step."""
    return "\n".join(result.content for result in step.results)
