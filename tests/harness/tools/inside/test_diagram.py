"""create_diagram through a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.tools.inside.diagram import MAX_LENGTH
from tests.harness.arena import Arena
from tests.harness.tools.tool_server import ToolServer

FLOW = "flowchart LR\n  A --> B\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ToolServer]:
    with ToolServer(tmp_path) as running:
        yield running


@pytest.mark.engine
def test_it_works_in_a_container(tmp_path: Path) -> None:
    _, record = Arena.make(tmp_path).play(
        [("create_diagram", {"diagram": FLOW})], [("create_diagram", {"diagram": FLOW + "  A -> C"})]
    )
    results = [result for step in record.steps() for result in step.results]
    assert [result.ok for result in results] == [True, False]
    assert "line 3: expected one of the arrows" in results[1].content


def test_a_diagram_without_mistakes_is_returned_and_no_file_is_written(server: ToolServer) -> None:
    reply = server.call("create_diagram", diagram=FLOW)
    assert (reply.ok, reply.edits) == (True, [])
    assert reply.content == f"flowchart: no mistake found\n```mermaid\n{FLOW}```\n"


def test_a_kind_without_rules_is_reported_as_not_checked(server: ToolServer) -> None:
    reply = server.call("create_diagram", diagram="block-beta\n  a b")
    assert reply.ok
    assert reply.content.startswith(
        "block: a known kind of diagram; its statements were not checked\n```mermaid\nblock-beta\n"
    )


def test_a_mistake_is_refused_with_its_line_and_nothing_is_written(server: ToolServer) -> None:
    reply = server.call("create_diagram", diagram="pie\n  Dogs : 3\n", path="a.mmd")
    assert (reply.ok, reply.edits) == (False, [])
    assert reply.content == (
        'the diagram is not valid Mermaid: line 2: expected a slice such as `"label" : 12`\n     2\t  Dogs : 3'
    )


def test_a_diagram_is_written_to_its_path(server: ToolServer) -> None:
    reply = server.call("create_diagram", diagram=FLOW, path="docs/flow.mmd")
    assert (server.workdir / "docs/flow.mmd").read_text() == FLOW
    assert "\ndocs/flow.mmd: created, 2 lines" in reply.content
    assert [edit["path"] for edit in reply.edits] == ["docs/flow.mmd"]
    assert server.call("create_diagram", diagram=FLOW, path="docs/flow.md").ok
    assert (server.workdir / "docs/flow.md").read_text() == f"```mermaid\n{FLOW}```\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("README.md", "'README.md' already exists; put the diagram into it with edit_file"),
        ("flow.svg", "'flow.svg' has to end in one of .mmd, .mermaid, .md, .markdown;"),
        ("../flow.md", "file tools write there only"),
    ],
)
def test_other_files_are_not_changed(server: ToolServer, path: str, reason: str) -> None:
    (server.workdir / "README.md").write_text("# Mine\n")
    reply = server.call("create_diagram", diagram=FLOW, path=path)
    assert not reply.ok
    assert reason in reply.content
    assert (server.workdir / "README.md").read_text() == "# Mine\n"


def test_a_diagram_that_mermaid_would_not_draw_for_its_length_is_refused(server: ToolServer) -> None:
    reply = server.call("create_diagram", diagram=FLOW + "%% " + "x" * MAX_LENGTH)
    assert (reply.ok, reply.content) == (
        False,
        "the diagram has 50,027 characters; Mermaid draws no more than 50,000",
    )
