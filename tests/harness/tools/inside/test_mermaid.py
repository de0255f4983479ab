"""The check of Mermaid diagrams, against a corpus that Mermaid itself has judged (see mermaid/README.md)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from harness.tools.inside.mermaid import KINDS, RULES, DiagramError, check

CORPUS = json.loads((Path(__file__).parent / "mermaid" / "corpus.json").read_text(encoding="utf-8"))
VALID: list[dict[str, Any]] = [diagram for diagram in CORPUS["diagrams"] if diagram["valid"]]
INVALID: list[dict[str, Any]] = [diagram for diagram in CORPUS["diagrams"] if not diagram["valid"]]
FLOW = "flowchart LR\n  A --> B\n"


def mistake(text: str) -> str:
    """What the check refuses in a diagram; '' for nothing."""
    try:
        check(text)
    except DiagramError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("diagram", VALID, ids=[diagram["name"] for diagram in VALID])
def test_a_valid_diagram_passes(diagram: dict[str, Any]) -> None:
    assert mistake(diagram["text"]) == ""


def test_most_invalid_diagrams_are_refused() -> None:
    refused = [diagram for diagram in INVALID if mistake(diagram["text"])]
    assert (len(refused), len(INVALID)) == (117, 184)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (FLOW, "flowchart"),
        ("---\ntitle: x\n---\n%% why\n" + FLOW, "flowchart"),
        (FLOW.replace("\n", "\r\n"), "flowchart"),
        ("stateDiagram-v2\n  a --> b\n", "stateDiagram"),
        ('C4Context\n  Person(a, "A")\n', "C4Context"),
        ("sankey-beta\n\nA,B,10\n", "sankey"),
    ],
)
def test_the_kind_is_returned(text: str, kind: str) -> None:
    assert check(text) == kind
    assert kind in KINDS


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("\n", "line 2: expected the kind of diagram"),
        ("flowdiagram\n  A --> B\n", "line 1: expected the kind of diagram"),
        ("```mermaid\n" + FLOW + "```\n", "line 1: expected the diagram without the ``` fence around it"),
        ("---\ntitle: x\n" + FLOW, "line 1: front matter begins with ---"),
        ("flowchart XY\n  A --> B\n", "line 1: expected a direction: TB, TD, BT, LR or RL"),
        (
            "flowchart TD\n  A --> B\n  B[f(x)] --> C\n",
            "line 3: a label is not closed, or has brackets or quotes",
        ),
        ('flowchart TD\n  A[say "hi"] --> B\n', "line 2: a label is not closed, or has brackets or quotes"),
        ("flowchart TD\n  A -> B\n", "line 2: expected one of the arrows -->, ---, -.-> and ==>"),
        ("flowchart TD\n  A -->\n", "line 2: expected a name after the arrow"),
        (
            "%% why\n\nflowchart TD\n  %% a\n  A --> end\n",
            "line 5: `end` closes a subgraph; as a name, write it End",
        ),
        (
            "---\ntitle: x\n---\nflowchart TD\n  subgraph one\n    A --> B\n",
            "line 5: this block is not closed",
        ),
        ("flowchart TD\n  A --> B\n  end\n", "line 3: this closes a block that is not open"),
        ("sequenceDiagram\n  A->>B\n", "line 2: expected a message like `A->>B: text`"),
        ("sequenceDiagram\n  A->>B: x\n  Note A: y\n", "line 3: expected `Note over A: text`"),
        ("sequenceDiagram\n  loop x\n  A->>B: end\n", "line 2: this block is not closed"),
        ("classDiagram\n  class A {\n    int x\n", "line 2: this block is not closed"),
        ("classDiagram\n  A -> B\n", "line 2: expected an arrow such as"),
        ("stateDiagram-v2\n  A -> B\n", "line 2: expected the arrow -->"),
        ("stateDiagram-v2\n  note right of A\n   text\n", "line 2: expected `: text`, or `end note` later"),
        ("erDiagram\n  A ||--o{ B\n", "line 2: expected `: label` after the relationship"),
        ("erDiagram\n  A --> B : x\n", "line 2: expected a relationship such as ||--o{"),
        ("gantt\n  section A\n  a task\n", "line 3: expected a task such as"),
        ("pie\n  Dogs : 3\n", 'line 2: expected a slice such as `"label" : 12`'),
        ("gitGraph\n  commit\n  push origin\n", "line 3: expected commit, branch, merge, checkout, switch"),
    ],
)
def test_a_mistake_is_refused_with_its_line(text: str, error: str) -> None:
    assert mistake(text).startswith(error)


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize(
    "piece", ["-- ", "->", "a", "\n", " ", '"', "class ", "%%{", "@{", "A --", "direction "]
)
def test_a_long_diagram_is_checked_in_little_time(kind: str, piece: str) -> None:
    began = time.monotonic()
    mistake(f"{kind}\n{piece * (10_000 // len(piece))}x")
    assert time.monotonic() - began < 2
