"""What the simulated user sees of the agent's turn, as text within limits.

Every line that the agent or the workspace wrote starts with "| ", so that none of them looks like a heading.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.records import FileEdit, Step
from harness.users.base import AgentTurn

# Characters. The limits of the paper's simulator, and one for all steps together.
MAX_ARGUMENTS = 5_000
MAX_RESULT = 10_000
MAX_FILE_DIFF = 60_000
MAX_DIFFS = 150_000
MAX_STEPS = 150_000
MAX_MESSAGE = 20_000
MAX_BRIEF = 300
MAX_ERRORS = 5  # for each changed file


def render(turn: AgentTurn, *, share: float = 1.0) -> str:
    """The turn: its steps in order, then the changes of files. `share`: of the limits for steps and diffs, up to 1.

    If the steps are too long, the earliest are shortened to the beginning of their message and the names of their
    calls, or left out.
    """
    parts = [*_steps([step for step, _ in turn.steps], int(MAX_STEPS * share))]
    edits = [edit for _, made in turn.steps for edit in made]
    parts += _changes(edits, int(MAX_DIFFS * share))
    return "\n\n".join(parts)


def quoted(text: str) -> str:
    """The text with a mark before each line."""
    return "\n".join(f"| {line}" for line in text.splitlines()) or "| (nothing)"


def cut(text: str, most: int) -> str:
    """At most `most` characters of the text, and a note about the rest."""
    if len(text) <= most:
        return text
    return f"{text[:most]}\n[{len(text) - most:,} more characters are not shown]"


def _steps(steps: Sequence[Step], most: int) -> list[str]:
    shown: list[str] = []
    left = most
    for number, step in reversed(list(enumerate(steps, 1))):
        full = _step(number, step)
        text = full if len(full) <= left else _brief(number, step)
        if len(text) > left:
            shown.append(f"[the first {number} steps are not shown]")
            break
        left -= len(text)
        shown.append(text)
    return shown[::-1]


def _step(number: int, step: Step) -> str:
    lines = [f"Step {number} of the agent"]
    if step.message.strip():
        lines.append(quoted(cut(step.message, MAX_MESSAGE)))
    for call in step.calls:
        arguments = cut(json.dumps(dict(call.arguments), ensure_ascii=False), MAX_ARGUMENTS)
        lines += ["It called a tool", quoted(f"{call.name} {arguments}")]
        if result := step.result(call):
            head = "The call failed" if result.ok is False else "The result"
            lines += [head, quoted(cut(result.content, MAX_RESULT))]
    return "\n".join(lines)


def _brief(number: int, step: Step) -> str:
    calls = ", ".join(call.name for call in step.calls)
    text = cut(step.message, MAX_BRIEF) + (f"\n[calls: {cut(calls, MAX_BRIEF)}]" if calls else "")
    return f"Step {number} of the agent, shortened\n{quoted(text)}"


def _changes(edits: Sequence[FileEdit], most: int) -> list[str]:
    """The changes of each file in order, then its errors, until the limit for all diffs."""
    by_path: dict[str, list[FileEdit]] = {}
    for edit in edits:
        by_path.setdefault(edit.path, []).append(edit)
    parts: list[str] = []
    for number, (path, made) in enumerate(by_path.items()):
        if most <= 0:
            parts.append(f"[the changes of {len(by_path) - number} more files are not shown]")
            break
        diff = cut(
            "\n".join(edit.diff.rstrip("\n") or f"({edit.change})" for edit in made),
            min(most, MAX_FILE_DIFF),
        )
        most -= len(diff)
        errors = ["it has a syntax error"] if made[-1].syntax_ok is False else []
        lines = [diff, *(f"[{error}]" for error in errors[:MAX_ERRORS])]
        parts.append(f"Changes of a file\n{quoted(path)}\n{quoted(chr(10).join(lines))}")
    return parts
