"""edit_notebook through a real server; the package nbformat checks the notebooks that it writes."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import nbformat
import pytest

from tests.harness.tools.tool_server import Reply, ToolServer


def code(source: str, **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 3,
        "metadata": {},
        "outputs": [OUTPUT],
        "source": [source],
        **more,
    }


OUTPUT = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
RESULT = {
    "output_type": "execute_result",
    "execution_count": 1,
    "metadata": {},
    "data": {"text/plain": ["1"], "application/json": {"a": 1}, "application/vnd.x+json": 2},
}
ERROR = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": ["a"]}
MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "größe"]}
RAW = {"cell_type": "raw", "metadata": {"format": "text/x"}, "source": "raw text"}


def notebook(minor: int, *cells: dict[str, Any]) -> dict[str, Any]:
    held = [copy.deepcopy(cell) for cell in cells]
    if minor >= 5:
        held = [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(held)]
    return {"cells": held, "metadata": {"scale": 1e100}, "nbformat": 4, "nbformat_minor": minor}


def written(content: dict[str, Any], indent: int | str | None = 1, ending: str = "\n") -> str:
    return json.dumps(content, indent=indent, ensure_ascii=False) + ending


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToolServer]:
    """One for all tests: each writes the notebook that it works on."""
    with ToolServer(tmp_path_factory.mktemp("notebooks")) as running:
        yield running


def edit(server: ToolServer, before: str, **arguments: Any) -> tuple[Reply, str]:
    file = server.workdir / "n.ipynb"
    file.write_bytes(before.encode())
    reply = server.call("edit_notebook", path="n.ipynb", **arguments)
    return reply, file.read_bytes().decode()


def done(server: ToolServer, before: dict[str, Any], **arguments: Any) -> list[dict[str, Any]]:
    """The cells after an edit that has to succeed and to leave a valid notebook, everything else untouched."""
    reply, after = edit(server, written(before), **arguments)
    assert reply.ok, reply.content
    parsed = json.loads(after)
    nbformat.validate(copy.deepcopy(parsed))
    assert {**parsed, "cells": []} == {**before, "cells": []}
    cells: list[dict[str, Any]] = parsed["cells"]
    return cells


class TestInsert:
    def test_a_code_cell_gets_what_code_cells_need(self, server: ToolServer) -> None:
        cells = done(server, notebook(5, MARKDOWN), action="insert", content="a = 1\nb = 2")
        new = cells[1]
        assert list(new) == ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]
        assert {**new, "id": ""} == {
            "cell_type": "code",
            "execution_count": None,
            "id": "",
            "metadata": {},
            "outputs": [],
            "source": ["a = 1\n", "b = 2"],
        }
        assert len(new["id"]) == 8

    def test_before_minor_5_cells_have_no_id(self, server: ToolServer) -> None:
        cells = done(
            server, notebook(4, MARKDOWN), action="insert", index=0, cell_type="markdown", content="hi\n"
        )
        assert cells == [{"cell_type": "markdown", "metadata": {}, "source": ["hi\n"]}, MARKDOWN]

    def test_it_comes_where_the_cell_with_that_id_is(self, server: ToolServer) -> None:
        before = notebook(5, MARKDOWN, RAW)
        cells = done(server, before, action="insert", cell_id="cell-1", cell_type="raw", content="")
        assert [cell.get("id") for cell in (cells[0], cells[2])] == ["cell-0", "cell-1"]
        assert (cells[1]["cell_type"], cells[1]["source"]) == ("raw", [])

    def test_into_a_notebook_without_cells(self, server: ToolServer) -> None:
        assert len(done(server, notebook(5), action="insert", index=0, content="x")) == 1

    def test_ids_differ_even_for_equal_cells(self, server: ToolServer) -> None:
        (server.workdir / "n.ipynb").write_text(written(notebook(5)))
        for _ in range(4):
            assert server.call("edit_notebook", path="n.ipynb", action="insert", index=0, content="x").ok
        read = nbformat.read(server.workdir / "n.ipynb", as_version=4)  # type: ignore[no-untyped-call]
        assert len({cell["id"] for cell in read["cells"]}) == 4
        nbformat.validate(read)


class TestReplace:
    def test_the_outputs_and_the_count_of_a_code_cell_are_cleared(self, server: ToolServer) -> None:
        before = notebook(5, code("old", metadata={"tags": ["a"]}))
        cells = done(server, before, action="replace", index=0, content="new")
        assert cells == [
            {**before["cells"][0], "source": ["new"], "outputs": [], "execution_count": None},
        ]

    @pytest.mark.parametrize("kind", ["code", "markdown", "raw"])
    @pytest.mark.parametrize("cell", [code("x"), {**MARKDOWN, "attachments": {"a": {"image/png": "x"}}}, RAW])
    @pytest.mark.parametrize("minor", [0, 4, 5])
    def test_any_type_becomes_any_other(
        self, server: ToolServer, minor: int, cell: dict[str, Any], kind: str
    ) -> None:
        (new,) = done(server, notebook(minor, cell), action="replace", index=0, cell_type=kind)
        assert (new["cell_type"], new["source"]) == (kind, cell["source"])
        assert ("outputs" in new) is (kind == "code")

    def test_unknown_fields_of_a_newer_format_stay(self, server: ToolServer) -> None:
        before = {**notebook(6, {"cell_type": "song", "metadata": {}}, {**RAW, "mood": 1}), "more": True}
        cells = done(server, before, action="replace", index=1, content="x")
        assert cells == [before["cells"][0], {**before["cells"][1], "source": ["x"]}]

    def test_a_fault_in_another_cell_does_not_matter(self, server: ToolServer) -> None:
        before = notebook(4, {**RAW, "metadata": 1}, RAW)
        reply, after = edit(server, written(before), action="replace", index=1, content="x")
        assert reply.ok
        assert json.loads(after)["cells"] == [before["cells"][0], {**RAW, "source": ["x"]}]

    def test_by_id(self, server: ToolServer) -> None:
        before = notebook(5, MARKDOWN, code("x"))
        cells = done(server, before, action="replace", cell_id="cell-0", content="new")
        assert (cells[0]["source"], cells[0]["id"], cells[1]) == (["new"], "cell-0", before["cells"][1])


class TestDelete:
    @pytest.mark.parametrize("index", [0, 1, 2])
    def test_one_of_three(self, server: ToolServer, index: int) -> None:
        before = notebook(5, MARKDOWN, code("x"), RAW)
        rest = [cell for place, cell in enumerate(before["cells"]) if place != index]
        assert done(server, before, action="delete", index=index) == rest

    def test_the_last_one(self, server: ToolServer) -> None:
        assert done(server, notebook(5, MARKDOWN), action="delete", cell_id="cell-0") == []


class TestLayout:
    @pytest.mark.parametrize("indent", [1, 2, 4, "\t", 0, None])
    @pytest.mark.parametrize("ending", ["", "\n"])
    @pytest.mark.parametrize(
        ("arguments", "cells"),
        [
            (
                {"action": "replace", "index": 1, "content": "a\nb"},
                [MARKDOWN, {**RAW, "source": ["a\n", "b"]}, RAW],
            ),
            ({"action": "delete", "index": 0}, [RAW, RAW]),
            ({"action": "delete", "index": 2}, [MARKDOWN, RAW]),
            (
                {"action": "insert", "index": 1, "cell_type": "markdown", "content": "é"},
                [MARKDOWN, {"cell_type": "markdown", "metadata": {}, "source": ["é"]}, RAW, RAW],
            ),
            (
                {"action": "insert", "cell_type": "markdown", "content": "é"},
                [MARKDOWN, RAW, RAW, {"cell_type": "markdown", "metadata": {}, "source": ["é"]}],
            ),
        ],
    )
    def test_the_formatting_of_the_file_is_unchanged(
        self,
        server: ToolServer,
        indent: int | str | None,
        ending: str,
        arguments: dict[str, Any],
        cells: list[dict[str, Any]],
    ) -> None:
        before = written(notebook(4, MARKDOWN, RAW, RAW), indent, ending)
        reply, after = edit(server, before, **arguments)
        assert reply.ok, reply.content
        assert after == written(notebook(4, *cells), indent, ending)

    def test_line_ends_stay(self, server: ToolServer) -> None:
        before = written(notebook(4, MARKDOWN, RAW)).replace("\n", "\r\n")
        _, after = edit(server, before, action="replace", index=1, content="x")
        assert after == written(notebook(4, MARKDOWN, {**RAW, "source": ["x"]})).replace("\n", "\r\n")

    def test_what_is_not_touched_stays_byte_for_byte(self, server: ToolServer) -> None:
        odd = (
            '{"nbformat":4,"metadata":{"a":1.50,"a":2E3},"nbformat_minor" : 4,\n"cells":[ '
            '{"cell_type":"raw","metadata":{},"source":"\\u00e9"} ,{"cell_type":"raw","metadata":{},"source":[]}]}'
        )
        reply, after = edit(server, odd, action="replace", index=1, content="é")
        assert reply.ok, reply.content
        assert after.startswith(odd[: odd.rindex('{"cell')])
        assert json.loads(after)["cells"][1]["source"] == ["é"]
        assert "é" not in after  # as the rest of this file escapes it


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "is not a notebook: it is not JSON"),
            ("[1]", "the file must hold a JSON object"),
            ("{}", "nbformat must be 4 and nbformat_minor a whole number, not None and None"),
            (
                written({**notebook(4), "nbformat": 3}),
                "nbformat must be 4 and nbformat_minor a whole number, not 3 and 4",
            ),
            (written({**notebook(4), "nbformat_minor": "5"}), "not 4 and '5'"),
            (written({**notebook(4), "cells": {}}), "cells must be a list"),
            (written({**notebook(4), "cells": [1]}), "cell 0 must be an object with a cell_type"),
            (
                written(notebook(4, {**RAW, "source": 1})),
                "cell 0: source must be a string or a list of strings",
            ),
            ("\ufeff" + written(notebook(4, RAW)), "it is not JSON (Unexpected UTF-8 BOM"),
        ],
    )
    def test_an_invalid_notebook_is_refused_and_stays_unchanged(
        self, server: ToolServer, text: str, reason: str
    ) -> None:
        reply, after = edit(server, text, action="insert", index=0, content="x")
        assert (reply.ok, after, reply.edits) == (False, text, reply.edits)
        assert reason in reply.content

    def test_a_missing_cell_is_refused_with_the_list_of_cells(self, server: ToolServer) -> None:
        text = written(notebook(5, MARKDOWN, code("x = 1")))
        outline = "   0 markdown [cell-0]: # Title\n   1 code [cell-1]: x = 1"
        for arguments, reason in (
            ({"index": 2}, "n.ipynb has 2 cells, counted from 0; there is no place 2:\n"),
            ({"cell_id": "gone"}, "n.ipynb has no cell with id 'gone':\n"),
        ):
            reply, after = edit(server, text, action="delete", **arguments)
            assert (reply.ok, reply.content, after) == (False, reason + outline, text)

    def test_an_id_that_two_cells_have_is_refused(self, server: ToolServer) -> None:
        text = written({**notebook(5), "cells": [{**RAW, "id": "a"}, {**RAW, "id": "a"}]})
        reply, after = edit(server, text, action="delete", cell_id="a")
        assert (reply.ok, reply.content) == (False, "n.ipynb has 2 cells with id 'a': give `index` instead")
        assert after == text

    def test_half_a_character_is_not_written(self, server: ToolServer) -> None:
        text = written(notebook(4, RAW))
        reply, after = edit(server, text, action="replace", index=0, content="\udc80")
        assert (reply.ok, after) == (False, text)
        assert "half of a character" in reply.content

    def test_a_file_that_is_not_there_or_outside_is_refused(self, server: ToolServer) -> None:
        reply = server.call("edit_notebook", path="gone.ipynb", action="delete", index=0)
        assert not reply.ok
        assert reply.content.startswith("there is no file 'gone.ipynb'")
        reply = server.call("edit_notebook", path="../x.ipynb", action="delete", index=0)
        assert "file tools write there only" in reply.content
