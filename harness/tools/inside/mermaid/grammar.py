"""Runs the grammars that Mermaid's parsers are generated from: a lexer by rules and an LALR(1) table, as in Jison.

The files in `grammars/` say what to do; see the README there for how they were made.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from typing import Any, NamedTuple

from .source import DiagramError, Source
from .words import hint, said

_HERE = os.path.dirname(os.path.abspath(__file__))
_MOST_EXPECTED = 8
_CLOSERS = ("end", "PE", "SQE", "-)")
END = "$end"


class Token(NamedTuple):
    """One word of a diagram. `name` is what the grammar calls it."""

    name: str
    text: str
    start: int


@lru_cache(maxsize=None)
def data(name: str) -> Any:
    """What a file in `grammars/` holds."""
    with open(os.path.join(_HERE, "grammars", name + ".json"), encoding="utf-8") as file:
        return json.load(file)


@lru_cache(maxsize=None)
def load(kind: str) -> Grammar:
    """The grammar of a kind of diagram."""
    return Grammar(kind, data(kind))


class Grammar:
    """One kind's rules for words and for sentences."""

    def __init__(self, kind: str, held: dict[str, Any]) -> None:
        self._kind = kind
        flags = re.ASCII | (re.IGNORECASE if held["ignore_case"] else 0)
        self._rules = [(re.compile(pattern, flags), name, todo) for pattern, name, todo in held["rules"]]
        self._states: dict[str, list[int]] = held["states"]
        self._productions: list[tuple[str, int]] = held["productions"]
        self._defaults = {int(state): production for state, production in held["defaults"].items()}
        self._table: list[dict[str, Any]] = held["table"]

    def parse(self, source: Source) -> list[Token]:
        """The words of a sound diagram. Raises DiagramError at the first that does not fit."""
        words = _Lexer(self._rules, self._states, source)
        seen: list[Token] = []
        stack = [0]
        token: Token | None = None
        while True:
            state = stack[-1]
            action: Any
            if state in self._defaults:
                action = -self._defaults[state]
            else:
                if token is None:
                    token = words.next()
                    seen.append(token)
                action = self._table[state].get(token.name)
            if action == "accept":
                return seen
            if action is None:
                assert token is not None
                raise self._unexpected(source, stack, token, words.state)
            if action > 0:
                stack.append(action)
                token = None
                continue
            left, length = self._productions[-action]
            if length:
                del stack[-length:]
            stack.append(self._table[stack[-1]][left])

    def _unexpected(self, source: Source, stack: list[int], token: Token, state: str) -> DiagramError:
        names = [name for name in self._table[stack[-1]] if name != "INVALID" and self._is_next(stack, name)]
        if not token.text.strip():  # something is missing: what closes an open part comes first
            names.sort(key=lambda name: name not in _CLOSERS and not name.endswith(("END", "STOP")))
        expected = list(dict.fromkeys(said(name) for name in names))
        if len(expected) > _MOST_EXPECTED:
            expected = [*expected[:_MOST_EXPECTED], "..."]
        found = said(token.name) if not token.text.strip() else repr(token.text.strip()[:60])
        advice = hint(self._kind, state, token.name, token.text)
        return DiagramError(
            source.line(token.start),
            f"expected {' or '.join(expected) if len(expected) < 3 else 'one of ' + ', '.join(expected)}, "
            f"found {found}{advice}",
        )

    def _is_next(self, stack: list[int], name: str) -> bool:
        """Whether the grammar could go on with this word, and not only reduce what stands before it."""
        states = list(stack)
        while True:
            action = self._table[states[-1]].get(name)
            if action is None and states[-1] in self._defaults:
                action = -self._defaults[states[-1]]
            if action is None:
                return False
            if action == "accept":
                return True
            if action > 0:
                return name not in {left for left, _ in self._productions}
            left, length = self._productions[-action]
            if length:
                del states[-length:]
            states.append(self._table[states[-1]][left])


class _Lexer:
    """Cuts a text into words: the first rule of the present state that matches decides."""

    def __init__(self, rules: list[Any], states: dict[str, list[int]], source: Source) -> None:
        self._rules = rules
        self._states = states
        self._source = source
        self._text = source.text
        self._position = 0
        self._stack = ["INITIAL"]
        self._is_first = True
        self._done = False

    @property
    def state(self) -> str:
        """What kind of text the lexer takes itself to be in."""
        return self._stack[-1]

    def next(self) -> Token:
        """The next word; the end of the text comes again and again."""
        idle = 0
        while not self._done:
            before = self._position
            self._done = before >= len(self._text)
            token = self._match()
            if token is not None:
                return token
            idle = idle + 1 if self._position == before else 0
            if idle > 100:  # a rule that takes nothing and changes nothing: Mermaid would not end either
                break
        return Token(END, "", len(self._text))

    def _match(self) -> Token | None:
        for number in self._states.get(self._stack[-1], self._states["INITIAL"]):
            pattern, name, todo = self._rules[number]
            match = pattern.match(self._text, self._position)
            if match is None:
                continue
            start, text = self._position, match.group()
            self._position = match.end()
            for order in todo:
                if order == "cut":  # a comment at the end of a line, which its rule has taken along
                    place = text.find("%%")
                    if place == 0:
                        return None
                    if place > 0:
                        text = text[:place]
                        self._position = start + place
                else:
                    self._obey(order, start, text)
            if name == "*":  # any character is a word of its own
                name = text[0]
            return Token(name, text, start) if name else None
        if self._position >= len(self._text):
            return Token(END, "", self._position)
        rest = self._text[self._position :].split("\n", 1)[0].strip()
        raise DiagramError(self._source.line(self._position), f"{rest[:60]!r} is not understood here")

    def _obey(self, order: str, start: int, text: str) -> None:
        if order == "pop":
            if len(self._stack) > 1:
                self._stack.pop()
        elif order == "less":
            self._position = start
        elif order == "error":
            raise DiagramError(
                self._source.line(start), f"a name must be a single word, not {text.strip()[:60]!r}"
            )
        elif order.startswith("once+"):
            if self._is_first:
                self._stack.append(order[5:])
            self._is_first = False
        else:
            self._stack.append(order[1:])
