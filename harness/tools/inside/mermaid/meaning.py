"""What Mermaid refuses although its grammar allows it, after the databases of mermaid/src/diagrams."""

from __future__ import annotations

import difflib
import re
from typing import Iterable

from .grammar import Token, data
from .source import DiagramError, Source

_ARROWS = frozenset(
    (
        "SOLID_OPEN_ARROW",
        "DOTTED_OPEN_ARROW",
        "SOLID_ARROW",
        "DOTTED_ARROW",
        "SOLID_CROSS",
        "DOTTED_CROSS",
        "SOLID_POINT",
        "DOTTED_POINT",
        "BIDIRECTIONAL_SOLID_ARROW",
        "BIDIRECTIONAL_DOTTED_ARROW",
    )
)
_LINES = frozenset(("LINE", "DOTTED_LINE"))


def check(kind: str, tokens: list[Token], source: Source) -> None:
    """Raises DiagramError for the first thing that cannot be drawn."""
    if kind == "sequence":
        _check_sequence(tokens, source)
    elif kind == "flowchart":
        _check_flowchart(tokens, source)
    elif kind == "class":
        _check_classes(tokens, source)
    elif kind in ("mindmap", "kanban"):
        _check_tree(kind, tokens, source)
    elif kind == "timeline":
        _check_timeline(tokens, source)


def _statements(tokens: Iterable[Token], *ends: str) -> Iterable[list[Token]]:
    held: list[Token] = []
    for token in tokens:
        if token.name in ends:
            if held:
                yield held
            held = []
        elif token.name != "SPACE":
            held.append(token)
    if held:
        yield held


def _check_sequence(tokens: list[Token], source: Source) -> None:
    """Participants are active before they are deactivated, and created ones get a message next."""
    active: dict[str, int] = {}
    known: set[str] = set()
    created = destroyed = ""
    for words in _statements(tokens, "NEWLINE"):
        names = [word.name for word in words]
        actors = [word.text.strip() for word in words if word.name == "ACTOR"]
        line = source.line(words[0].start)
        is_message = any(name in _ARROWS or "ARROW_" in name for name in names)
        if names[0] == "create" and actors:
            if actors[0] in known:
                raise DiagramError(
                    line, f"participant {actors[0]!r} cannot be created: the id is in use already"
                )
            created = actors[0]
        elif names[0] == "destroy" and actors:
            destroyed = actors[0]
        elif names[0] == "activate":
            active[actors[0]] = active.get(actors[0], 0) + 1
        elif names[0] == "deactivate":
            _end_activation(active, actors[0], line)
        elif is_message and len(actors) == 2:
            if created and actors[1] != created:
                raise DiagramError(line, f"expected a message to {created!r}, which was just created")
            if not created and destroyed and destroyed not in actors:
                raise DiagramError(
                    line, f"expected a message from or to {destroyed!r}, which was just destroyed"
                )
            destroyed = destroyed if created else ""
            created = ""
            if "+" in names:
                active[actors[1]] = active.get(actors[1], 0) + 1
            if "-" in names:
                _end_activation(active, actors[0], line)
        known.update(actors)


def _end_activation(active: dict[str, int], actor: str, line: int) -> None:
    if active.get(actor, 0) < 1:
        raise DiagramError(
            line, f"participant {actor!r} is not active: expected `activate {actor}` or ->>+ before"
        )
    active[actor] -= 1


def _check_flowchart(tokens: list[Token], source: Source) -> None:
    """linkStyle names edges that there are by then, and shapes are such as Mermaid knows."""
    for token in tokens:
        shape = re.search(r"\bshape:\s*[\"']?([\w-]+)", token.text) if token.name == "SHAPE_DATA" else None
        if shape and shape.group(1) not in data("shapes"):
            close = difflib.get_close_matches(shape.group(1), data("shapes"), 3, 0.5) or [
                "rect",
                "rounded",
                "circle",
            ]
            raise DiagramError(
                source.line(token.start),
                f"there is no shape {shape.group(1)!r}: expected one such as {', '.join(close)}",
            )
    edges = 0
    for words in _statements(tokens, "NEWLINE", "SEMI"):
        if words[0].name == "LINKSTYLE":
            for word in words[1:]:
                if word.name == "NUM" and int(word.text) >= edges:
                    raise DiagramError(
                        source.line(word.start),
                        f"linkStyle {word.text}: there are {edges} edges so far, counted from 0",
                    )
                if word.name not in ("NUM", "COMMA"):
                    break
            continue
        sizes = [1]
        for word in words:
            if word.name == "AMP":
                sizes[-1] += 1
            elif word.name == "LINK":
                sizes.append(1)
        edges += sum(left * right for left, right in zip(sizes, sizes[1:]))


def _check_classes(tokens: list[Token], source: Source) -> None:
    """An annotation on a line of its own goes to a class that was named before; a method has both its brackets."""
    known: set[str] = set()
    for words in _statements(tokens, "NEWLINE"):
        names = [word.name for word in words]
        if names[0] == "ANNOTATION_START" and "ANNOTATION_END" in names:
            target = "".join(word.text for word in words[names.index("ANNOTATION_END") + 1 :])
            if target and target not in known:
                raise DiagramError(
                    source.line(words[0].start), f"expected class {target!r} to be defined before"
                )
        for word in words:
            if word.name == "MEMBER" or (word.name == "LABEL" and not _LINES.intersection(names)):
                _check_member(word, source)
        known.update(word.text for word in words if word.name in ("ALPHA", "BQUOTE_STR", "UNICODE_TEXT"))


def _check_member(word: Token, source: Source) -> None:
    member = word.text.lstrip(":").strip()
    if member.find(")") > 0 and not re.search(r".\(.*\)", member):
        raise DiagramError(source.line(word.start), f"expected '(' before ')' in the method {member[:60]!r}")


def _check_timeline(tokens: list[Token], source: Source) -> None:
    """An event belongs to a period."""
    for token in tokens:
        if token.name == "period":
            return
        if token.name == "event":
            raise DiagramError(
                source.line(token.start), "expected a period before the first event, as in 2004 : event"
            )


def _check_tree(kind: str, tokens: list[Token], source: Source) -> None:
    """A mindmap has one root, left of everything else; nothing follows an item that stands left of the sections."""
    first: int | None = None
    level = 0
    strays = False
    for place, token in enumerate(tokens):
        if token.name == "SPACELIST":
            level = len(token.text)
        elif token.name in ("NEWLINE", "SPACELINE", "NL"):
            level = 0
        elif token.name in ("NODE_ID", "NODE_DSTART") and (place == 0 or tokens[place - 1].name != "NODE_ID"):
            if first is None:
                first = level
            elif kind == "mindmap" and level <= first:
                raise DiagramError(
                    source.line(token.start),
                    f"there can be only one root: expected {token.text.strip()!r} further right",
                )
            elif strays:
                raise DiagramError(source.line(token.start), "an item above stands left of the first section")
            strays = strays or level < first
        elif token.name in ("ICON", "CLASS") and first is None:
            raise DiagramError(source.line(token.start), f"expected a node before {token.text.strip()!r}")
