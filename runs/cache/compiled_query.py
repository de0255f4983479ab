"""Queries that Django writes once: writing one takes it longer than the database takes to answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

_PLACE = 2_000_000_000  # stands where a number will be; every column of whole numbers could hold it


class Written:
    """`make` gives the query, with `values_list`; its arguments are whole numbers, each used once, as a value.

    Its columns have to be numbers and texts, which every database gives as they are: nothing of Django's stands
    between. A truth value may come as 0 or 1.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Any]]) -> None:
        self._make = make
        self._written: tuple[str, tuple[Any, ...]] | None = None

    def rows(self, *numbers: int) -> list[tuple[Any, ...]]:
        """What the database answers for these arguments, in one query."""
        places = [_PLACE + number for number in range(len(numbers))]
        if self._written is None:
            self._written = self._make(*places).query.sql_with_params()
        statement, values = self._written
        given = dict(zip(places, numbers, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(statement, [given.get(value, value) for value in values])
            return list(cursor.fetchall())
