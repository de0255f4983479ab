"""edit_notebook: changing one cell of a Jupyter notebook, and leaving every other byte of the file as it is."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from .edit import write_back
from .nbformat4 import CELL_TYPES, problem
from .text import ToolError, clip, count
from .workspace import Workspace

_SPACE = re.compile(r"[ \t\r\n]*")
_PREVIEW = 60
_REMEDY = "read the file to see them"


@dataclass(frozen=True)
class _Layout:
    """Where a notebook's cells stand in its text, and how that text is laid out.

    `opened` and `closed` lie behind the bracket that opens the list and before the one that closes it; `spans` are
    the cells. `unit` is one step of indentation, None when the file has no line breaks to indent.
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
    """Inserts, replaces or deletes one cell. Whatever is not a valid notebook is refused, before and after."""
    located = workspace.locate_content(path)
    text = _decode(path, workspace.read(path))
    notebook = _parse(path, text)
    cells = notebook["cells"]
    layout = _layout(text)
    if action == "insert":
        place = len(cells) if index is None and cell_id is None else _find(path, cells, index, cell_id, 1)
        cell = _fresh(notebook, place, cell_type or "code", _wanted(action, content))
        changed = _inserted(text, layout, place, cell)
        done = f"{cell['cell_type']} cell inserted at index {place}"
    elif action == "replace":
        place = _find(path, cells, index, cell_id, 0)
        cell = _revised(cells[place], cell_type, content)
        changed = _replaced(text, layout, place, cell)
        done = f"{cell['cell_type']} cell {place} replaced"
        if cells[place].get("outputs"):
            done += ", its outputs cleared"
    elif action == "delete":
        place = _find(path, cells, index, cell_id, 0)
        changed = _deleted(text, layout, place)
        done = f"{cells[place]['cell_type']} cell {place} deleted"
    else:
        raise ToolError(f"action must be insert, replace or delete, not {action!r}")
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
            f"the notebook cannot be written: {text[error.start]!r} is half of a character"
        ) from None


def _parse(path: str, text: str) -> dict[str, Any]:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ToolError(f"{path!r} is not a notebook: it is not JSON ({error})") from None
    wrong = problem(notebook)
    if wrong:
        raise ToolError(
            f"{path!r} is not a valid notebook of format 4, nothing was changed: {wrong}. "
            "Mend that first, with edit_file"
        )
    assert isinstance(notebook, dict)
    return notebook


def _find(path: str, cells: list[Any], index: int | None, cell_id: str | None, beyond: int) -> int:
    if (index is None) == (cell_id is None):
        raise ToolError("give either `index` (the first cell has 0) or `cell_id`")
    if cell_id is not None:
        places = [place for place, cell in enumerate(cells) if cell.get("id") == cell_id]
        if not places:
            raise ToolError(f"{path} has no cell with id {cell_id!r}:\n{_outline(cells)}")
        return places[0]
    assert index is not None
    if not 0 <= index < len(cells) + beyond:
        raise ToolError(
            f"{path} has {count(len(cells), 'cell')}, counted from 0; "
            f"there is no place {index}:\n{_outline(cells)}"
        )
    return index


def _wanted(action: str, content: str | None) -> str:
    if content is None:
        raise ToolError(f"{action} needs content")
    return content


def _fresh(notebook: dict[str, Any], place: int, cell_type: str, content: str) -> dict[str, Any]:
    """A new cell with what its type needs, in the order in which Jupyter writes the fields."""
    _check_type(cell_type)
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
    """An id that no other cell has. The same edit of the same notebook gives the same one."""
    salt = 0
    while True:
        seed = "\n".join([*taken, str(place), str(salt), content])
        made = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        if made not in taken:
            return made
        salt += 1


def _revised(cell: dict[str, Any], cell_type: str | None, content: str | None) -> dict[str, Any]:
    """The cell with another source, another type or both. What a run had left in it is gone: it no longer fits."""
    if cell_type is None and content is None:
        raise ToolError("replace needs content, cell_type or both")
    kind = cell_type or cell["cell_type"]
    _check_type(kind)
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


def _check_type(cell_type: str) -> None:
    if cell_type not in CELL_TYPES:
        raise ToolError(f"cell_type must be one of {', '.join(CELL_TYPES)}, not {cell_type!r}")


def _layout(text: str) -> _Layout:
    """Walks over the outermost object. The text is known to be a notebook."""
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
    """The cell as it stands in the file, but for its own indentation in the first line."""
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
