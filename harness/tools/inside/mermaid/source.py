"""A diagram's text as Mermaid's grammars get it: without front matter, directives and comments, lines remembered."""

from __future__ import annotations

import re
from typing import Callable

from . import frontmatter

# The expressions of mermaid/src/diagram-api/regexes.ts, comments.ts and utils.ts (encodeEntities).
_FRONT_MATTER = re.compile(r"([^\S\n\r]*)-{3}\s*[\n\r](.*?)[\n\r]\1-{3}\s*[\n\r]+", re.DOTALL)
_DIRECTIVE = re.compile(
    r"%{2}{\s*(?:(\w+)\s*:|(\w+))\s*(?:(\w+)|((?:(?!}%{2}).|\r?\n)*))?\s*(?:}%{2})?", re.ASCII
)
_COMMENT = re.compile(r"^\s*%%(?!{)[^\n]+\n?", re.MULTILINE)
_TAG = re.compile(r"<(\w+)([^>]*)>", re.ASCII)
_STYLE_END = re.compile(r"(?:style|classDef).*:\S*#.*;")
_ENTITY = re.compile(r"#\w+;", re.ASCII)


class DiagramError(Exception):
    """What is wrong with a diagram, and in which line (counted from 1) of the text as it was given."""

    def __init__(self, line: int, reason: str) -> None:
        self.line = line
        self.reason = reason
        super().__init__(f"line {line}: {reason}")


class Source:
    """Text of which every character knows the line that it came from."""

    def __init__(self, text: str, lines: list[int]) -> None:
        self.text = text
        self._lines = lines

    @classmethod
    def of(cls, text: str) -> Source:
        """The text as it was given."""
        lines, number = [], 1
        for character in text:
            lines.append(number)
            number += character == "\n"
        return cls(text, lines)

    def line(self, position: int) -> int:
        """The line of the character at `position`; past the end, of the last one that is not white space."""
        if position >= len(self.text):
            position = len(self.text.rstrip()) - 1
        return self._lines[position] if 0 <= position < len(self._lines) else 1

    def replaced(
        self, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str], most: int = 0
    ) -> Source:
        """With every match (`most` of them, unless 0) in other words, which count as standing where it began."""
        pieces: list[str] = []
        lines: list[int] = []
        position = 0
        for number, match in enumerate(pattern.finditer(self.text)):
            if most and number >= most:
                break
            made = make(match)
            pieces += [self.text[position : match.start()], made]
            lines += self._lines[position : match.start()]
            lines += [self._lines[match.start()] if match.start() < len(self._lines) else 1] * len(made)
            position = match.end()
        pieces.append(self.text[position:])
        lines += self._lines[position:]
        return Source("".join(pieces), lines)

    def from_position(self, position: int) -> Source:
        """Everything from there on."""
        return Source(self.text[position:], self._lines[position:])


def prepare(text: str) -> Source:
    """What Mermaid makes of a text before its grammars see it. Raises DiagramError for unsound front matter."""
    source = Source.of(re.sub(r"\r\n?", "\n", text))
    source = source.replaced(_TAG, lambda tag: re.sub(r'="([^"]*)"', r"='\1'", tag.group()))
    front = _FRONT_MATTER.match(source.text)
    if front:
        wrong = frontmatter.problem(front.group(2))
        if wrong:
            raise DiagramError(source.line(front.start(2)) + wrong[0], wrong[1])
        source = source.from_position(front.end())
    elif source.text.lstrip().startswith("---"):
        raise DiagramError(
            source.line(0), "front matter begins with --- and has to end with another --- on its own line"
        )
    source = source.replaced(_DIRECTIVE, lambda _: "")
    source = source.replaced(_COMMENT, lambda _: "")
    source = source.from_position(len(source.text) - len(source.text.lstrip()))
    source = source.replaced(_STYLE_END, lambda match: match.group()[:-1])
    source = source.replaced(_ENTITY, lambda match: f"\ufb02\xb0{match.group()[1:-1]}\xb6\xdf")
    return Source(source.text + "\n", source._lines + source._lines[-1:])
