"""The text that judges see, in steps and parts for a page."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from harness.judges.lookup import PREFIX
from harness.judges.rendering import Rendered
from runs.presentation.formatting.text import clean

_SHOWN_MARK = re.compile(r"⟨U\+[0-9A-F]{4,6}⟩")
_HEADER = re.compile(r"\[(\d{1,9})\] (.*)")


@dataclass(slots=True)
class ShownPart:
    """A message, a call, a result, …, or a notice about what is left out. What follows a notice has no title."""

    title: str
    notice: bool = False
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Its content. Characters that hide are shown as ⟨U+200B⟩; `as_written` takes such marks out of a quote."""
        return clean("\n".join(self.lines))


@dataclass(slots=True)
class ShownStep:
    """A step. `source`: user, agent, system, or `final changes`."""

    number: int
    source: str
    parts: list[ShownPart] = field(default_factory=list)


def shown_steps(rendered: Rendered) -> list[ShownStep]:
    """The steps of the text, with every character that a judge sees.

    Every line of content has a prefix, and no other line has it. So no content can look like a step or a notice.
    """
    steps: list[ShownStep] = []
    for line in rendered.text.split("\n")[1:-1]:  # without the lines that begin and end the text
        if header := _HEADER.fullmatch(line):
            steps.append(ShownStep(int(header[1]), header[2]))
            continue
        if not steps:  # the first steps are left out
            steps.append(ShownStep(0, "left out"))
        parts = steps[-1].parts
        if line.startswith(PREFIX):
            if parts[-1].notice:
                parts.append(ShownPart(""))
            parts[-1].lines.append(line.removeprefix(PREFIX))
        elif line.startswith("["):
            parts.append(ShownPart(line, notice=True))
        else:
            parts.append(ShownPart(line))
    return steps


def as_written(quote: str) -> str:
    """A quote that was copied from the page, without marks of characters that hide; such characters never count."""
    return _SHOWN_MARK.sub("", quote)
