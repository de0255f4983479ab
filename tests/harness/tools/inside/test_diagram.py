"""create_diagram: Mermaid itself has judged the corpus (tests/harness/tools/inside/mermaid/README.md); we have to agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.tools.inside.diagram import LONGEST
from harness.tools.inside.mermaid import DiagramError, check
from tests.harness.arena import Arena
from tests.harness.tools.tool_server import ToolServer

CORPUS = json.loads((Path(__file__).parent / "mermaid" / "corpus.json").read_text(encoding="utf-8"))
DIAGRAMS: list[dict[str, Any]] = CORPUS["diagrams"]
FLOW = "flowchart LR\n  A --> B\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    with ToolServer(tmp_path) as running:
        yield running


def wrong(text: str) -> str:
    with pytest.raises(DiagramError) as caught:
        check(text)
    return str(caught.value)


class TestTheVerdict:
    @pytest.mark.parametrize("diagram", DIAGRAMS, ids=[diagram["name"] for diagram in DIAGRAMS])
    def test_it_is_the_one_of_mermaid(self, diagram: dict[str, Any]) -> None:
        try:
            check(diagram["text"])
            verdict = ""
        except DiagramError as error:
            verdict = str(error)
        assert (verdict == "") is diagram["valid"], f"{verdict} / Mermaid: {diagram.get('error')}"

    def test_the_corpus_has_many_of_both(self) -> None:
        assert len(DIAGRAMS) >= 300
        assert 0.4 < sum(diagram["valid"] for diagram in DIAGRAMS) / len(DIAGRAMS) < 0.6

    @pytest.mark.parametrize(
        ("text", "kind", "checked"),
        [
            (FLOW, "flowchart", True),
            ("stateDiagram-v2\n  a --> b\n", "stateDiagram", True),
            ("pie\n  'a' : 1\n", "pie", True),
            ('C4Context\n  Person(a, "A")\n', "C4Context", False),
            ("sankey-beta\n\nA,B,10\n", "sankey", False),
        ],
    )
    def test_it_says_which_kind_it_is_and_whether_it_was_checked(
        self, text: str, kind: str, checked: bool
    ) -> None:
        assert check(text) == (kind, checked)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "flowchart TD\n  A --> B\n  B[f(x)] --> C\n",
            "line 3: expected one of the bracket that closes the label, a label in brackets, an id, a text, found '(': "
            'a label that holds brackets or quotes goes into double quotes, as in A["f(x)"], with #quot; for "',
        ),
        (
            "flowchart TD\n  A -> B\n",
            "line 2: expected one of ';', the end of the line, the end of the text, '&', an arrow, found '-': "
            "arrows are -->, ---, -.-> or ==>",
        ),
        (
            "%% why\n\nflowchart TD\n  %% a comment\n  A --> end\n",
            "line 5: expected one of '&', ':', '|', an id, a number, ',', '-', found 'end': "
            "in lower case, end closes a subgraph; as an id it has to be written End",
        ),
        (
            "---\ntitle: x\n---\nflowchart TD\n  subgraph one\n    A --> B\n",
            "line 6: expected one of 'end', ';', the end of the line, a space, the end of the text, 'subgraph', "
            "accTitle, accDescr, ..., found the end of the text",
        ),
        (
            "flowchart LR\n A-->B\n linkStyle 1 stroke:#f00\n",
            "line 3: linkStyle 1: there are 1 edges so far, counted from 0",
        ),
        (
            "flowchart LR\n A@{ shape: cylindre }\n",
            "line 2: there is no shape 'cylindre': expected one such as cylinder, lined-cylinder, lin-rect",
        ),
        ("sequenceDiagram\n  A->>B\n", "line 2: expected ':' and a text, found the end of the line"),
        (
            "sequenceDiagram\n  A->>B: x\n  deactivate B\n",
            "line 3: participant 'B' is not active: expected `activate B` or ->>+ before",
        ),
        (
            "classDiagram\n  class A {\n    int x\n",
            "line 3: expected '}' or a member, found the end of the text",
        ),
        ("erDiagram\n  A ||--o{ B\n", "line 2: expected ':' or ':::', found the end of the line"),
        ("gantt\n  a task\n", "line 2: expected ':' and its data, found the end of the line"),
        (
            "pie\n  Dogs : 3\n",
            "line 2: expected a slice such as \"label\" : 12, its label in quotes, found 'Dogs : 3'",
        ),
        ("mindmap\n  one\n  two\n", "line 3: there can be only one root: expected 'two' further right"),
        ("gitGraph\n  commit\n  checkout x\n", "line 3: there is no branch 'x' yet: expected one of main"),
        ("timeline\n  : event\n", "line 2: expected a period before the first event, as in 2004 : event"),
        (
            "---\ntitle: a: b\n---\n" + FLOW,
            "line 2: front matter: a value that holds a colon goes into quotes: 'a: b'",
        ),
        (
            "```mermaid\n" + FLOW + "```\n",
            "line 1: expected the diagram alone, without the fence of ``` around it",
        ),
        ("\n", "line 1: there is no diagram: the text is empty"),
    ],
)
def test_an_error_names_the_line_and_what_was_expected(text: str, error: str) -> None:
    assert wrong(text) == error


@pytest.mark.engine
def test_the_grammars_are_in_the_containers_too(tmp_path: Path) -> None:
    _, record = Arena.make(tmp_path).play(
        [("create_diagram", {"diagram": FLOW})], [("create_diagram", {"diagram": FLOW + "  A -> C"})]
    )
    results = [result for step in record.steps() for result in step.results]
    assert [result.ok for result in results] == [True, False]
    assert "line 3: expected one of ';'" in results[1].content


class TestTheTool:
    def test_a_sound_diagram_comes_back_and_no_file_is_written(self, server: ToolServer) -> None:
        reply = server.call("create_diagram", diagram=FLOW)
        assert (reply.ok, reply.edits) == (True, [])
        assert reply.content == (
            f"flowchart: valid, held to the grammar of Mermaid 11.17\n```mermaid\n{FLOW}```\n"
        )

    def test_a_kind_that_is_known_by_name_only_is_said_to_be_unchecked(self, server: ToolServer) -> None:
        reply = server.call("create_diagram", diagram="block-beta\n  a b")
        assert reply.ok
        assert reply.content.startswith(
            "block: not checked, this kind of diagram is known here by its name only\n```mermaid\nblock-beta\n"
        )

    def test_a_broken_one_is_refused_with_its_line_and_nothing_is_written(self, server: ToolServer) -> None:
        reply = server.call("create_diagram", diagram="pie\n  Dogs : 3\n", path="a.mmd")
        assert (reply.ok, reply.edits) == (False, [])
        assert reply.content == (
            'the diagram is not valid Mermaid: line 2: expected a slice such as "label" : 12, its label in quotes, '
            "found 'Dogs : 3'\n     2\t  Dogs : 3"
        )

    def test_it_is_written_where_it_is_wanted(self, server: ToolServer) -> None:
        reply = server.call("create_diagram", diagram=FLOW, path="docs/flow.mmd")
        assert (server.workdir / "docs/flow.mmd").read_text() == FLOW
        assert "\ndocs/flow.mmd: created, 2 lines" in reply.content
        assert [edit["path"] for edit in reply.edits] == ["docs/flow.mmd"]
        assert server.call("create_diagram", diagram=FLOW, path="docs/flow.md").ok
        assert (server.workdir / "docs/flow.md").read_text() == f"```mermaid\n{FLOW}```\n"

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("README.md", "'README.md' is there already; put the diagram into it with edit_file"),
            ("flow.svg", "'flow.svg' has to end in one of .mmd, .mermaid, .md, .markdown;"),
            ("../flow.md", "file tools write there only"),
        ],
    )
    def test_no_other_file_is_touched(self, server: ToolServer, path: str, reason: str) -> None:
        (server.workdir / "README.md").write_text("# Mine\n")
        reply = server.call("create_diagram", diagram=FLOW, path=path)
        assert not reply.ok
        assert reason in reply.content
        assert (server.workdir / "README.md").read_text() == "# Mine\n"

    def test_what_mermaid_would_not_draw_for_its_length_is_refused(self, server: ToolServer) -> None:
        reply = server.call("create_diagram", diagram=FLOW + "%% " + "x" * LONGEST)
        assert (reply.ok, reply.content) == (
            False,
            "the diagram has 50,027 characters; Mermaid draws no more than 50,000",
        )
