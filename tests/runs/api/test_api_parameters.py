"""The query parameters of the API: the filters of the pages, strictly read."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from runs.api import api_parameters
from runs.api.api_parameters import (
    BoardQuery,
    CellQuery,
    OfNearMisses,
    OfRuns,
    Paging,
    RunQuery,
    filter_of,
)
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.filters import CellFilter, RunFilter
from runs.views.result_pages.near_miss_page import NearMissQuery as AskedOfPage
from runs.views.site_pages.export_pages import PARAMETERS


def test_the_api_accepts_the_filters_of_the_pages() -> None:
    for query, page in ((BoardQuery, BoardFilter), (CellQuery, CellFilter)):
        assert set(query.model_fields) == {field.name for field in dataclasses.fields(page)}
    assert set(RunQuery.model_fields) == set(PARAMETERS)  # of the export, which has the list's
    filters = set(OfNearMisses.model_fields) - {"limit", "cursor"}
    assert filters == {field.name for field in dataclasses.fields(AskedOfPage)}


@pytest.mark.parametrize(
    ("kind", "value", "read"),
    [
        ("Whole", "50", 50),
        ("Whole", "-3", -3),
        ("Whole", "007", 7),
        ("Slug", "a-B_9", "a-B_9"),
        ("Slug", "x" * 100, "x" * 100),
        ("TaskName", "harbour/tide-1", "harbour/tide-1"),
        ("Name", "C++", "C++"),
        ("Name", "Python 3.11 é", "Python 3.11 é"),
        ("Day", "2026-01-31", "2026-01-31"),
        ("Cursor", "7" + "f" * 15, "7" + "f" * 15),
        ("Difficulty", "easy", "easy"),
        ("Flag", "1", "1"),
    ],
)
def test_a_valid_value_is_read(kind: str, value: str, read: object) -> None:
    assert TypeAdapter[Any](getattr(api_parameters, kind)).validate_python(value) == read


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(("Whole", value) for value in ("5.0", "1_000", "٣", "", " 5", "+5", "5\n", "9" * 19)),
        *(("Slug", value) for value in ("", "x" * 101, "a b", "a/b", "a\n", "é")),
        *(("TaskName", value) for value in ("tide-1", "/tide-1", "harbour/", "a/b/c", "a/b\n")),
        *(("Name", value) for value in ("", " C", "C ", "a\x00b", "a\nb", "漢", "x" * 201)),
        *(("Day", value) for value in ("", "2026-02-30", "20260131", "2026-W05-6", "2026-01-31T00:00")),
        *(("Cursor", value) for value in ("", "1", "8" + "0" * 15, "F" * 16, "0" * 17)),
        *(("Difficulty", value) for value in ("", "trivial", "Easy")),
        *(("Flag", value) for value in ("", "yes", "01")),
    ],
)
def test_an_invalid_value_is_refused(kind: str, value: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter[Any](getattr(api_parameters, kind)).validate_python(value)


def test_refusals_say_what_is_valid() -> None:
    with pytest.raises(ValidationError, match="must be a whole number in decimal digits"):
        Paging(limit="5.0")  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match="must be a day such as 2026-01-31"):
        BoardQuery(since="yesterday")


def test_words_are_listed_in_the_schema() -> None:
    assert TypeAdapter[Any](api_parameters.Flag).json_schema() == {"enum": ["1", "0"], "type": "string"}
    assert TypeAdapter[Any](api_parameters.Day).json_schema() == {"type": "string", "format": "date"}


def test_a_page_has_fifty_items_unless_one_to_two_hundred_are_wanted() -> None:
    assert Paging.model_validate({}).model_dump() == {"limit": 50, "cursor": None}
    assert [Paging(limit=limit).limit for limit in (1, 200)] == [1, 200]
    for limit in (0, 201):
        with pytest.raises(ValidationError):
            Paging(limit=limit)


def test_parameters_become_the_filter_of_the_page() -> None:
    assert filter_of(BoardFilter, BoardQuery(kind="ide", since="2026-01-31")) == BoardFilter(
        kind="ide", since="2026-01-31"
    )
    assert filter_of(RunFilter, OfRuns(agent="alice", q="tide", limit=3)) == RunFilter(agent="alice")
    assert filter_of(CellFilter, CellQuery()).empty
