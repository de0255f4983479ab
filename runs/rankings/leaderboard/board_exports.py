"""The leaderboard in other formats: the rows of the page in its order.

Markdown and LaTeX have the columns of the page. CSV and JSON also have those that it leaves out because no row has a
value, so that programs find the same fields on every board.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urljoin

from django.http import HttpResponse

from runs.presentation.formatting import markdown_text
from runs.presentation.formatting.csv_cells import harmless
from runs.presentation.formatting.numbers import DASH, fixed, whole_percent
from runs.presentation.formatting.text import one_line
from runs.rankings.leaderboard import latex
from runs.rankings.leaderboard.board import Board
from runs.rankings.leaderboard.column import BoardRow, CellText, Column
from runs.rankings.leaderboard.columns import CLAIMS

FORMATS: Mapping[str, str] = {"csv": "CSV", "json": "JSON", "md": "Markdown", "tex": "LaTeX"}
MAX_CELL_LENGTH = 480  # an agent's name with the text below it
MAX_UNDER_LENGTH = 320
MAX_CAPTION_LENGTH = 1_200
_TYPES = {
    "csv": "text/csv",
    "json": "application/json",
    "md": "text/markdown",
    "tex": "text/x-tex",
}


def export_response(board: Board, suffix: str, page: str) -> HttpResponse:
    """The board as a file. `suffix` is one of FORMATS; `page` is the absolute address without its query."""
    write: dict[str, Callable[[Board, str], str]] = {
        "csv": as_csv,
        "json": as_json,
        "md": as_markdown,
        "tex": as_latex,
    }
    response = HttpResponse(write[suffix](board, page), content_type=f"{_TYPES[suffix]}; charset=utf-8")
    where = "inline" if suffix == "json" else "attachment"
    response["Content-Disposition"] = f'{where}; filename="leaderboard.{suffix}"'
    return response


def records(board: Board, page: str) -> list[dict[str, Any]]:
    """The rows with the fields of the shown columns, and the address of each agent."""
    return [_record(board, row, page) for row in board.shown]


def as_json(board: Board, page: str) -> str:
    """The parameters, and the rows."""
    return json.dumps(
        {
            "query": board.parameters.state(),
            "origin": board.entry and board.entry.origin,
            "correction": board.rule and {"rule": board.rule.name, "sentence": board.rule.sentence},
            "claims": dict(CLAIMS),
            "rows": records(board, page),
        },
        ensure_ascii=False,
        allow_nan=False,
    )


def as_csv(board: Board, page: str) -> str:
    """One line for each row, below the names of the fields."""
    rows = records(board, page)
    target = io.StringIO(newline="")
    if rows:
        writer = csv.writer(target)
        writer.writerow([harmless(name) for name in rows[0]])
        writer.writerows([harmless(value) for value in row.values()] for row in rows)
    return target.getvalue()


def as_markdown(board: Board, page: str) -> str:
    """A table like the one on the page."""
    heads = [markdown_text.text(" ".join(filter(None, head))) for head in _heads(board)]
    aligned = ["---:" if right else ":---" for right in _aligned(board)]
    rows = [
        [markdown_text.text(cell.on_one_line, MAX_CELL_LENGTH) for cell in _cells(board, row)]
        for row in board.shown
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in [heads, aligned, *rows]]
    caption = markdown_text.text(_caption(board), MAX_CAPTION_LENGTH)
    return "\n".join([*lines, "", f"{caption} {markdown_text.address(_address(board, page))}", ""])


def as_latex(board: Board, page: str) -> str:
    """A table for booktabs, with intervals in brackets and a rule between tie groups."""
    heads = list(zip(*_heads(board), strict=True))
    groups: list[list[list[str]]] = []
    for row in board.shown:
        if not groups or (board.grouped and (row.leads or not row.standing.place)):
            groups.append([])
        groups[-1].append([_latex(cell) for cell in _cells(board, row)])
    lines = [
        latex.comment(_address(board, page)),
        r"% needs \usepackage{booktabs}; names beyond Latin letters need XeLaTeX or LuaLaTeX",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex.text(_caption(board), MAX_CAPTION_LENGTH)}}}",
        *latex.tabular(
            "".join("r" if right else "l" for right in _aligned(board)),
            [list(map(latex.text, head)) for head in heads if any(head)],
            groups,
        ),
        r"\end{table}",
        "",
    ]
    return "\n".join(lines)


def _record(board: Board, row: BoardRow, page: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column in board.columns:
        found |= column.values(row)
    model = row.agent.model
    return {
        **found,
        "provider": model and model.provider,
        "open_weights": model and model.open_weights,
        "url": urljoin(page, row.agent.get_absolute_url()),
    }


def _spread(column: Column) -> bool:
    """Whether it is exported as one column for each repository."""
    return column.kind == "strip"


def _heads(board: Board) -> list[tuple[str, str]]:
    heads: list[tuple[str, str]] = []
    for column in board.shown_columns:
        if _spread(column):
            heads += [(name, column.under) for name in board.standings.repositories]
        else:
            heads.append((column.title, column.under))
    return heads


def _aligned(board: Board) -> list[bool]:
    """Of each column, whether it is aligned to the right."""
    found: list[bool] = []
    for column in board.shown_columns:
        found += (
            [True] * len(board.standings.repositories)
            if _spread(column)
            else [column.kind not in {"agent", "word"}]
        )
    return found


def _cells(board: Board, row: BoardRow) -> list[CellText]:
    found: list[CellText] = []
    for column in board.shown_columns:
        if _spread(column):
            found += [
                CellText(DASH if one.value is None else whole_percent(one.value))
                for one in row.standing.repositories
            ]
        elif column.kind == "agent":
            found.append(CellText(one_line(row.agent.name), one_line(row.agent.under, MAX_UNDER_LENGTH)))
        else:
            found.append(column.cell(row))
    return found


def _latex(cell: CellText) -> str:
    if cell.interval is not None and cell.value is not None:
        ends = [fixed(100 * end, 1) for end in (cell.value, cell.interval.low, cell.interval.high)]
        warning = rf" {{\scriptsize {latex.text(cell.warning, MAX_CELL_LENGTH)}}}" if cell.warning else ""
        return rf"{ends[0]} {{\scriptsize [{ends[1]}, {ends[2]}]}}{warning}"
    small = rf" {{\scriptsize {latex.text(cell.small, MAX_CELL_LENGTH)}}}" if cell.small else ""
    return latex.text(cell.text) + small


def _caption(board: Board) -> str:
    tasks = board.most_tasks
    chosen = "; ".join(f"{chip.label}: {chip.value}" for chip in board.chips)
    return (
        f"{board.entry.title if board.entry else 'No dataset'}, {board.entry.origin if board.entry else 'empty'}: "
        f"{len(board.shown)} agents on {tasks} task{'' if tasks == 1 else 's'}{f' ({chosen})' if chosen else ''}. "
        "Rates in percent with 95 % intervals; a rank is a range, as only significant differences separate agents. "
        "Both are about tasks of these repositories."
        f"{f' Corrected: {board.rule.sentence}' if board.rule else ''}"
    )


def _address(board: Board, page: str) -> str:
    query = board.parameters.query()
    return f"{page}?{query}" if query else page
