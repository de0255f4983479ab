"""Checks Mermaid diagrams as Mermaid 11.17 does, with the standard library alone.

Most kinds run on Mermaid's own grammars, read from `grammars/`; `pie` and `gitGraph` are parsed by hand. What Mermaid
checks after parsing (branches that exist, one root, participants that are active) is in `meaning`. Kinds that are only
known by name are said to be unchecked.
"""

from __future__ import annotations

from typing import NamedTuple

from . import gitgraph, meaning, pie
from .grammar import load
from .source import DiagramError, Source, prepare

__all__ = ["Diagram", "DiagramError", "check"]

# How a diagram begins → what it is called here, and the grammar that it is held to ('' for none).
_KINDS = (
    ("flowchart", "flowchart"),
    ("graph", "flowchart"),
    ("sequenceDiagram", "sequence"),
    ("classDiagram", "class"),
    ("stateDiagram", "state"),
    ("erDiagram", "er"),
    ("gantt", "gantt"),
    ("journey", "journey"),
    ("mindmap", "mindmap"),
    ("timeline", "timeline"),
    ("kanban", "kanban"),
    ("quadrantChart", "quadrant"),
    ("requirement", "requirement"),
    ("xychart", "xychart"),
    ("pie", "pie"),
    ("gitGraph", "gitgraph"),
)
_BY_NAME_ONLY = (
    "C4Context",
    "C4Container",
    "C4Component",
    "C4Dynamic",
    "C4Deployment",
    "architecture",
    "block",
    "cynefin-beta",
    "eventmodeling",
    "info",
    "ishikawa",
    "packet",
    "radar-beta",
    "railroad-beta",
    "railroad-abnf-beta",
    "railroad-ebnf-beta",
    "railroad-peg-beta",
    "sankey",
    "swimlane-beta",
    "treeView-beta",
    "treemap",
    "venn-beta",
    "wardley-beta",
    "zenuml",
)


class Diagram(NamedTuple):
    """A diagram that stands. `checked` False: its kind is known by name only, nothing but its name was looked at."""

    kind: str
    checked: bool


def check(text: str) -> Diagram:
    """Raises DiagramError with the line and what was expected there."""
    source = prepare(text)
    for word, kind in _KINDS:
        if source.text.startswith(word):
            _check_kind(kind, source)
            return Diagram(word, True)
    for word in _BY_NAME_ONLY:
        if source.text.startswith(word):
            return Diagram(word, False)
    first = source.text.split("\n", 1)[0].strip()
    if first.startswith("```"):
        raise DiagramError(source.line(0), "expected the diagram alone, without the fence of ``` around it")
    raise DiagramError(
        source.line(0),
        f"expected the kind of diagram ({', '.join(word for word, _ in _KINDS)}), found {first[:60]!r}"
        if first
        else "there is no diagram: the text is empty",
    )


def _check_kind(kind: str, source: Source) -> None:
    if kind == "pie":
        pie.check(source)
    elif kind == "gitgraph":
        gitgraph.check(source)
    else:
        tokens = load(kind).parse(source)
        meaning.check(kind, tokens, source)
