"""Inserts many rows of a model in a fraction of the time that model instances take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import Any

from django.db import connection
from django.db.models import Model

MAX_VALUES = 60_000  # of one statement; PostgreSQL takes 65,535


def insert_rows(
    model: type[Model], fixed: Mapping[str, Any], varying: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """One row for each of `rows`, which hold the values of the fields `varying`, as the database stores them.

    `fixed`: fields that are the same in all rows. Other fields get their defaults. Call it in a transaction.

    Of 100,000 runs it takes 1.6 s of CPU time. `bulk_create` takes 13 s: it makes an instance for each row.
    """
    fields = [each for each in model._meta.concrete_fields if not each.primary_key or each.is_relation]
    by_name = {each.attname: each for each in fields}
    unknown = {*fixed, *varying} - by_name.keys()
    if unknown:
        raise ValueError(f"{model.__name__} has no fields {sorted(unknown)}")
    others = {
        name: each.get_db_prep_save(fixed[name] if name in fixed else each.get_default(), connection)
        for name, each in by_name.items()
        if name not in varying
    }
    constant = {name: value for name, value in others.items() if value is not None}
    quote = connection.ops.quote_name
    columns = [quote(by_name[name].column or name) for name in (*constant, *varying)]
    target = f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(columns)})"
    insert = _insert_from_table if connection.vendor == "sqlite" else _insert_values
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        insert(cursor, target, tuple(constant.values()), varying, rows)


def _insert_from_table(
    cursor: Any, target: str, same: tuple[Any, ...], varying: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """One INSERT for all rows, from a temporary table without indexes.

    SQLite prepares each INSERT to be undone alone: one for each row takes 1.4 times as long, and one for each 800 rows
    1.3 times.
    """
    columns, marks = ", ".join(varying), ", ".join("?" * len(varying))
    cursor.execute(f"CREATE TEMPORARY TABLE waiting_rows ({columns})")
    cursor.executemany(f"INSERT INTO waiting_rows VALUES ({marks})", rows)  # noqa: S608
    constants = "".join("?, " for _ in same)
    cursor.execute(f"{target} SELECT {constants}{columns} FROM waiting_rows", same)  # noqa: S608
    cursor.execute("DROP TABLE waiting_rows")


def _insert_values(
    cursor: Any, target: str, same: tuple[Any, ...], varying: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """One INSERT for as many rows as a statement takes."""
    width = len(same) + len(varying)
    row_marks = f"({', '.join(['%s'] * width)})"
    waiting = iter(rows)
    while batch := list(islice(waiting, MAX_VALUES // width)):
        values = chain.from_iterable((*same, *row) for row in batch)
        cursor.execute(f"{target} VALUES {', '.join([row_marks] * len(batch))}", tuple(values))
