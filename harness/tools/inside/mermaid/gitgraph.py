"""Git graphs, after packages/parser/src/language/gitGraph/gitGraph.langium and gitGraphAst.ts of Mermaid."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from .source import DiagramError, Source

_HEAD = re.compile(r"gitGraph(?:[ \t]*:|[ \t]+(?:LR|TB|BT)[ \t]*:)?", re.ASCII)
_TITLE = re.compile(
    r"[ \t]*(?:title(?:[ \t][^\n]*|(?![ \t]))|accTitle[ \t]*:[^\n]*|accDescr[ \t]*(?::[^\n]*|\{[^}]*\}))",
    re.ASCII,
)
_WORD = re.compile(
    r"(?P<key>(?:id|msg|tag|type|order|parent):)|(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<name>\w(?:[-./\w]*[-\w])?)|(?P<other>\S)",
    re.ASCII | re.DOTALL,
)
_BLANK = re.compile(r"[ \t]*(?:%%[^\n]*)?")
_TYPES = ("NORMAL", "REVERSE", "HIGHLIGHT")
_OPTIONS = {
    "commit": ("id:", "msg:", "tag:", "type:"),
    "branch": ("order:",),
    "merge": ("id:", "tag:", "type:"),
    "checkout": (),
    "switch": (),
    "cherry-pick": ("id:", "tag:", "parent:"),
}
_NAMED = ("branch", "merge", "checkout", "switch")


class _Word(NamedTuple):
    kind: str
    text: str
    start: int


class _Commit(NamedTuple):
    id: str
    branch: str
    parents: tuple[str, ...]
    is_merge: bool


@dataclass
class _History:
    """The graph so far. A branch without commits has the id ''."""

    commits: dict[str, _Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=lambda: {"main": ""})
    current: str = "main"

    def add(self, name: str, *, merged: str = "") -> None:
        """A commit on the current branch."""
        head = self.branches[self.current]
        made = _Commit(
            name or f"#{len(self.commits)}", self.current, tuple(filter(None, (head, merged))), bool(merged)
        )
        self.commits[made.id] = made
        self.branches[self.current] = made.id


def check(source: Source) -> None:
    """Raises DiagramError for what is no git graph, or one that git could not have made."""
    head = _HEAD.match(source.text)
    assert head is not None
    position = head.end()
    history = _History()
    while position < len(source.text):
        title = _TITLE.match(source.text, position)
        position = title.end() if title else position
        words, position = _line(source, position)
        if words and not title:
            _statement(source, words, history)
        elif words:
            raise _expected(source, words[0], "the end of the line")


def _line(source: Source, position: int) -> tuple[list[_Word], int]:
    words: list[_Word] = []
    while True:
        blank = _BLANK.match(source.text, position)
        assert blank is not None
        position = blank.end()
        if position >= len(source.text) or source.text[position] == "\n":
            return words, position + 1
        match = _WORD.match(source.text, position)
        assert match is not None
        words.append(_Word(str(match.lastgroup), match.group(), position))
        position = match.end()


def _statement(source: Source, words: list[_Word], history: _History) -> None:
    first, rest = words[0], words[1:]
    if first.text not in _OPTIONS:
        raise _expected(source, first, "one of " + ", ".join(_OPTIONS))
    name = ""
    if first.text in _NAMED:
        if not rest or rest[0].kind not in ("name", "string"):
            raise _expected(source, rest[0] if rest else None, "the name of a branch", first)
        name = _value(rest[0])
        rest = rest[1:]
    options = _options(source, first, rest)
    reason = _happen(history, first.text, name, options)
    if reason:
        raise DiagramError(source.line(first.start), reason)


def _options(source: Source, first: _Word, words: list[_Word]) -> dict[str, str]:
    """The options of one statement; the last of each name counts."""
    options: dict[str, str] = {}
    place = 0
    while place < len(words):
        word = words[place]
        if first.text == "commit" and word.kind == "string":
            place += 1
            continue
        if word.kind != "key" or word.text not in _OPTIONS[first.text]:
            allowed = ", ".join(_OPTIONS[first.text]) or "the end of the line"
            raise _expected(source, word, f"one of {allowed}" if "," in allowed else allowed)
        value = words[place + 1] if place + 1 < len(words) else None
        if word.text == "type:":
            fits, what = value is not None and value.text in _TYPES, "one of " + ", ".join(_TYPES)
        elif word.text == "order:":
            fits, what = (
                value is not None and re.fullmatch(r"0|[1-9][0-9]*", value.text) is not None,
                "a whole number",
            )
        else:
            fits, what = value is not None and value.kind == "string", "a text in quotes"
        if not fits or value is None:
            raise _expected(source, value, f"{what} behind {word.text}", word)
        options[word.text] = _value(value)
        place += 2
    return options


def _happen(history: _History, what: str, name: str, options: dict[str, str]) -> str:
    """Makes it happen; what is wrong with it, or ''."""
    if what == "commit":
        history.add(options.get("id:", ""))
    elif what == "branch":
        if name in history.branches:
            return f"there is a branch {name!r} already: use another name, or checkout {name}"
        history.branches[name] = history.branches[history.current]
        history.current = name
    elif what in ("checkout", "switch"):
        if name not in history.branches:
            return f"there is no branch {name!r} yet: expected one of {', '.join(history.branches)}"
        history.current = name
    elif what == "merge":
        return _merge(history, name, options)
    else:
        return _cherry_pick(history, options)
    return ""


def _merge(history: _History, name: str, options: dict[str, str]) -> str:
    mine = history.commits.get(history.branches[history.current])
    other = history.commits.get(history.branches.get(name, ""))
    reason = ""
    if history.current == name or (mine and other and mine.branch == name):
        reason = f"branch {name!r} cannot be merged into itself"
    elif mine is None:
        reason = f"the current branch {history.current!r} has no commits to merge into"
    elif name not in history.branches:
        reason = f"there is no branch {name!r} to merge: expected one of {', '.join(history.branches)}"
    elif other is None:
        reason = f"branch {name!r} has no commits to merge"
    elif mine is other:
        reason = f"there is nothing to merge: {name!r} and {history.current!r} have the same head"
    elif options.get("id:") in history.commits:
        reason = f"there is a commit with id {options['id:']!r} already"
    else:
        history.add(options.get("id:", ""), merged=other.id)
    return reason


def _cherry_pick(history: _History, options: dict[str, str]) -> str:
    picked = history.commits.get(options.get("id:", ""))
    if picked is None:
        return "cherry-pick needs the id: of a commit that was made before"
    parent = options.get("parent:", "")
    if parent and parent not in picked.parents:
        return f"{parent!r} is no immediate parent of {picked.id!r}"
    if picked.is_merge and not parent:
        return f"{picked.id!r} is a merge: cherry-pick needs the parent: to take it from"
    if picked.branch == history.current:
        return f"{picked.id!r} is on the current branch {history.current!r} already"
    if not history.branches[history.current]:
        return f"the current branch {history.current!r} has no commits"
    history.add("")
    return ""


def _value(word: _Word) -> str:
    return word.text[1:-1] if word.kind == "string" else word.text


def _expected(source: Source, word: _Word | None, what: str, before: _Word | None = None) -> DiagramError:
    at = word or before
    assert at is not None
    found = repr(word.text[:60]) if word else "the end of the line"
    return DiagramError(source.line(at.start), f"expected {what}, found {found}")
