"""Tables whose cells are all of one kind: agents by agents, modes by repositories."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runs.topics.answer import AnswerTable, Form, TableColumn, Term, Value


def matrix(
    name: str,
    title: str,
    rows: Sequence[str | Term],
    columns: Sequence[tuple[str, str]],
    cell: Callable[[str, str], Value],
    *,
    head: TableColumn,
    form: Form = "shade",
) -> AnswerTable:
    """A row for each of `rows` under `head`, and a column for each (name, title) of `columns`.

    `cell` gets the name of the row and that of the column.
    """
    return AnswerTable(
        name,
        title,
        (head, *(TableColumn(each, shown, form) for each, shown in columns)),
        tuple(
            (row, *(cell(row.name if isinstance(row, Term) else row, each) for each, _ in columns))
            for row in rows
        ),
        matrix=True,
    )
