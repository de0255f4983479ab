"""edit_notebook: changes one cell of a Jupyter notebook and leaves every other byte of the file as it is.

Checked before and after: only what an edit needs (`_problem`). The rest of the file, such as outputs and metadata, is
not this tool's business: a notebook with a fault there can still be edited.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from .edit import write_back
from .text import ToolError, clip, count
from .workspace import Workspace

_SPACE = re.compile(r"[ \t\r\n]*")
_PREVIEW = 60
_REMEDY = "read the file to see them"


@dataclass(frozen=True)
class _Layout:
    """Where the cells are in the text of a notebook, and how the text is formatted.

    `opened`: the position after the bracket that opens the list of cells; `closed`: that of the closing bracket;
    `spans`: start and end of each cell. `unit`: one step of indentation; None if the file has no line breaks.
    """

    opened: int
    closed: int
    spans: list[tuple[int, int]]
    unit: str | None
    newline: str
    ascii_only: bool


def edit_notebook(  # noqa: PLR0917
    workspace: Workspace,
    path: str,
    action: str,
    index: int | None = None,
    cell_id: str | None = None,
    cell_type: str | None = None,
    content: str | None = None,
) -> str:
    """Inserts, replaces or deletes one cell. The host has checked that the arguments fit together (`EditNotebook`)."""
    located = workspace.locate_content(path)
    text = _decode(path, workspace.read(path))
    notebook = _parse(path, text)
    cells = notebook["cells"]
    layout = _layout(text)
    if action == "insert":
        place = len(cells) if index is None and cell_id is None else _find(path, cells, index, cell_id, 1)
        cell = _fresh(notebook, place, cell_type or "code", content or "")
        changed = _inserted(text, layout, place, cell)
        done = f"{cell['cell_type']} cell inserted at index {place}"
    elif action == "replace":
        place = _find(path, cells, index, cell_id, 0)
        cell = _revised(cells[place], cell_type, content)
        changed = _replaced(text, layout, place, cell)
        done = f"{cell['cell_type']} cell {place} replaced"
        if cells[place].get("outputs"):
            done += ", its outputs cleared"
    else:
        place = _find(path, cells, index, cell_id, 0)
        changed = _deleted(text, layout, place)
        done = f"{cells[place]['cell_type']} cell {place} deleted"
    after = _parse(path, changed)["cells"]
    write_back(located, _encode(changed))
    return f"{path}: {done}; it now has {count(len(after), 'cell')}\n{_outline(after)}"


def _decode(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ToolError(f"{path!r} is not a notebook: byte {error.start} is not UTF-8") from None


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ToolError(
            f"the notebook was not written: {text[error.start]!r} is half of a character"
        ) from None


def _parse(path: str, text: str) -> dict[str, Any]:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"{path!r} is not a notebook: it is not JSON ({error})") from None
    wrong = _problem(notebook)
    if wrong:
        raise ToolError(
            f"{path!r} is not a valid notebook of format 4, nothing was changed: {wrong}. "
            "Correct that first, with edit_file"
        )
    assert isinstance(notebook, dict)
    return notebook


def _problem(notebook: Any) -> str:
    """Why cells of this notebook cannot be edited; '' if they can."""
    if not isinstance(notebook, dict):
        return "the file must hold a JSON object"
    version, minor, cells = (notebook.get(name) for name in ("nbformat", "nbformat_minor", "cells"))
    if version != 4 or not isinstance(minor, int):
        return f"nbformat must be 4 and nbformat_minor a whole number, not {version!r} and {minor!r}"
    if not isinstance(cells, list):
        return "cells must be a list"
    return next(filter(None, map(_cell_problem, range(len(cells)), cells)), "")


def _cell_problem(place: int, cell: Any) -> str:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        return f"cell {place} must be an object with a cell_type"
    source = cell.get("source", "")
    if not all(isinstance(line, str) for line in (source if isinstance(source, list) else [source])):
        return f"cell {place}: source must be a string or a list of strings"
    return ""


def _find(path: str, cells: list[Any], index: int | None, cell_id: str | None, beyond: int) -> int:
    if cell_id is not None:
        places = [place for place, cell in enumerate(cells) if cell.get("id") == cell_id]
        if not places:
            raise ToolError(f"{path} has no cell with id {cell_id!r}:\n{_outline(cells)}")
        if len(places) > 1:
            raise ToolError(f"{path} has {len(places)} cells with id {cell_id!r}: give `index` instead")
        return places[0]
    assert index is not None
    if not 0 <= index < len(cells) + beyond:
        raise ToolError(
            f"{path} has {count(len(cells), 'cell')}, counted from 0; "
            f"there is no place {index}:\n{_outline(cells)}"
        )
    return index


def _fresh(notebook: dict[str, Any], place: int, cell_type: str, content: str) -> dict[str, Any]:
    """A new cell with the fields of its type, in the order in which Jupyter writes them."""
    cell: dict[str, Any] = {"cell_type": cell_type}
    if cell_type == "code":
        cell["execution_count"] = None
    if notebook["nbformat_minor"] >= 5:
        cell["id"] = _new_id([str(other.get("id")) for other in notebook["cells"]], place, content)
    cell["metadata"] = {}
    if cell_type == "code":
        cell["outputs"] = []
    cell["source"] = content.splitlines(True)
    return cell


def _new_id(taken: list[str], place: int, content: str) -> str:
    """An id that no other cell has. The same edit of the same notebook gives the same id."""
    salt = 0
    while True:
        seed = "\n".join([*taken, str(place), str(salt), content])
        made = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        if made not in taken:
            return made
        salt += 1


def _revised(cell: dict[str, Any], cell_type: str | None, content: str | None) -> dict[str, Any]:
    """The cell with another source, another type or both, without the outputs of an earlier run."""
    kind = cell_type or cell["cell_type"]
    new = dict(cell)
    new["cell_type"] = kind
    if content is not None:
        new["source"] = content.splitlines(True)
    if kind == "code":
        new.pop("attachments", None)
        new.update(execution_count=None, outputs=[])
    else:
        new.pop("execution_count", None)
        new.pop("outputs", None)
    return new


def _layout(text: str) -> _Layout:
    """Walks over the outermost JSON object of a text that `_parse` has accepted."""
    decode = json.JSONDecoder().raw_decode
    position = _skip(text, 0) + 1
    opened = closed = 0
    spans: list[tuple[int, int]] = []
    while True:
        position = _skip(text, position)
        if text[position] == "}":
            break
        if text[position] == ",":
            position = _skip(text, position + 1)
        key, position = decode(text, position)
        position = _skip(text, _skip(text, position) + 1)
        if key != "cells":
            _, position = decode(text, position)
            continue
        spans = []
        opened = position = position + 1
        while True:
            position = _skip(text, position)
            if text[position] == "]":
                break
            if text[position] == ",":
                position = _skip(text, position + 1)
            _, end = decode(text, position)
            spans.append((position, end))
            position = end
        closed = position
        position += 1
    unit = re.match(r"\s*\{[ \t]*\r?\n([ \t]*)", text)
    return _Layout(
        opened=opened,
        closed=closed,
        spans=spans,
        unit=unit.group(1) if unit else None,
        newline="\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n",
        ascii_only=text.isascii() and "\\u" in text,
    )


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found is not None
    return found.end()


def _written(layout: _Layout, cell: dict[str, Any]) -> str:
    """The cell formatted as in the file, without the indentation of its first line."""
    if layout.unit is None:
        return json.dumps(cell, ensure_ascii=layout.ascii_only)
    text = json.dumps(cell, ensure_ascii=layout.ascii_only, indent=layout.unit)
    return text.replace("\n", layout.newline + layout.unit * 2)


def _inserted(text: str, layout: _Layout, place: int, cell: dict[str, Any]) -> str:
    written = _written(layout, cell)
    gap = "" if layout.unit is None else layout.newline + layout.unit * 2
    if not layout.spans:
        end = "" if layout.unit is None else layout.newline + layout.unit
        return text[: layout.opened] + gap + written + end + text[layout.closed :]
    if place < len(layout.spans):
        start = layout.spans[place][0]
        return text[:start] + written + "," + (gap or " ") + text[start:]
    end_of_last = layout.spans[-1][1]
    return text[:end_of_last] + "," + (gap or " ") + written + text[end_of_last:]


def _replaced(text: str, layout: _Layout, place: int, cell: dict[str, Any]) -> str:
    start, end = layout.spans[place]
    return text[:start] + _written(layout, cell) + text[end:]


def _deleted(text: str, layout: _Layout, place: int) -> str:
    if len(layout.spans) == 1:
        return text[: layout.opened] + text[layout.closed :]
    if place + 1 < len(layout.spans):
        return text[: layout.spans[place][0]] + text[layout.spans[place + 1][0] :]
    return text[: layout.spans[place - 1][1]] + text[layout.spans[place][1] :]


def _outline(cells: list[Any]) -> str:
    """One line a cell: index, type, id, and how it begins."""
    lines = []
    for place, cell in enumerate(cells):
        source = "".join(cell.get("source", "")).strip()
        first = source.split("\n", 1)[0]
        shown = first if len(first) <= _PREVIEW else first[:_PREVIEW] + "..."
        name = f" [{cell['id']}]" if "id" in cell else ""
        lines.append(f"{place:>4} {cell['cell_type']}{name}: {shown}")
    return clip("\n".join(lines), _REMEDY, 6_000)
