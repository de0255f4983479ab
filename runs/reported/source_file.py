"""The description of a source, `source.toml`, beside a table of results; numbers that the source prints are in
`printed.csv`, and what it says about agents in `agents.csv`."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from runs.analysis.outcomes.printed_claims import METRICS
from runs.reported.reported_result import (
    LONGEST_NAME,
    PrintedNumber,
    ReportedAgent,
    ReportedSet,
    ResultSource,
    ResultsRefused,
)
from runs.reported.table_files import is_table, lines, read_table

SOURCE = "source.toml"
AGENTS = "agents.csv"
PRINTED = "printed.csv"
LARGEST = 1024 * 1024
LONGEST_SLUG = 50
_SLUG = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")
_TEXTS = {
    "slug": LONGEST_SLUG,
    "title": 150,
    "reported_by": 100,
    "version": 150,
    "description": 5_000,
    "benchmark_version": 40,
    "url": 500,
    "licence": 40,
}
_REQUIRED = ("slug", "title", "reported_by", "version")
_OPEN = {"": None, "1": True, "0": False, "true": True, "false": False}


def read_directory(directory: Path) -> ReportedSet:
    """The source and all tables of results in a directory. Raises ResultsRefused."""
    source = read_source(directory / SOURCE)
    tables = sorted(path for path in directory.glob("results*") if is_table(path))
    if not tables:
        raise ResultsRefused(directory, "it has no table results.csv, .jsonl or .parquet")
    results = [result for path in tables for result in read_table(path)]
    return ReportedSet(source, results, tuple(_agents(directory)), tuple(_printed(directory)))


def read_source(path: Path) -> ResultSource:
    """What a description says. Raises ResultsRefused."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise ResultsRefused(path, f"it has more than {LARGEST:,} bytes")
        return source_of(tomllib.loads(text.decode()), path)
    except (OSError, ValueError, RecursionError) as error:
        raise ResultsRefused(path, f"unreadable: {error}") from error


def source_of(values: Mapping[str, Any], place: str | Path) -> ResultSource:
    """A source from these values. Raises ResultsRefused for an invalid one."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name in _TEXTS:
            found[name] = _text(place, name, value)
        elif name == "reported_on":
            found[name] = _day(place, value)
        elif name == "unknown":
            if not isinstance(value, list):
                raise ResultsRefused(place, f"{name} is not a list of sentences")
            found[name] = tuple(_text(place, name, each, 500) for each in value)
        else:
            known = ", ".join([*_TEXTS, "reported_on", "unknown"])
            raise ResultsRefused(place, f"{name!r} is unknown; known are {known}")
    for name in _REQUIRED:
        if not found.get(name):
            raise ResultsRefused(place, f"{name} is missing")
    if not _SLUG.fullmatch(found["slug"]):
        raise ResultsRefused(place, f"slug {found['slug']!r}: small letters, digits and hyphens")
    if urlsplit(found.get("url", "")).scheme not in ("", "http", "https"):
        raise ResultsRefused(place, f"url {found['url']!r}: an address that begins with https://")
    found["slug"] = found["slug"].replace(".", "-")
    return ResultSource(**found)


def _text(place: str | Path, name: str, value: Any, longest: int = 0) -> str:
    longest = longest or _TEXTS[name]
    if not isinstance(value, str) or len(value) > longest:
        raise ResultsRefused(place, f"{name} is not a text of at most {longest:,} characters")
    text = " ".join(value.split())
    if not text.isprintable():
        raise ResultsRefused(place, f"{name} has characters that cannot be printed")
    return text


def _day(place: str | Path, value: Any) -> date:
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            value = None
    if type(value) is not date:
        raise ResultsRefused(place, "reported_on is not a day such as 2026-01-31")
    return value


def _agents(directory: Path) -> Iterator[ReportedAgent]:
    fields = ("agent", "model", "provider", "open_weights", "description")
    for number, row in _rows(directory / AGENTS, fields):
        if row["open_weights"] not in _OPEN:
            raise ResultsRefused(
                AGENTS,
                f"row {number}, column 'open_weights': {row['open_weights'][:40]!r}; allowed: 1, 0, empty",
            )
        yield ReportedAgent(
            row["agent"], row["model"], row["provider"], _OPEN[row["open_weights"]], row["description"]
        )


def _printed(directory: Path) -> Iterator[PrintedNumber]:
    for number, row in _rows(directory / PRINTED, ("agent", "metric", "printed")):
        yield printed_number(f"{PRINTED}, row {number}", row["agent"], row["metric"], row["printed"])


def printed_number(place: str, agent: str, metric: str, printed: str) -> PrintedNumber:
    """A number that a source prints. Raises ResultsRefused for an unknown metric, or what is not a number."""
    if metric not in METRICS:
        raise ResultsRefused(place, f"column 'metric': {metric[:40]!r}; known are {', '.join(METRICS)}")
    try:
        finite = Decimal(printed).is_finite() and len(printed) <= 40
    except InvalidOperation:
        finite = False
    if not finite:
        raise ResultsRefused(place, f"column 'printed': {printed[:40]!r} is not a number")
    return PrintedNumber(agent, metric, printed)


def _rows(path: Path, fields: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a small table with these columns, the first of which is a name; none if it is missing."""
    if not path.is_file():
        return
    try:
        for number, row in enumerate(csv.reader(lines(path), strict=True), 1):
            if number == 1:
                if tuple(row) != fields:
                    raise ResultsRefused(path.name, f"row 1: the columns are not {', '.join(fields)}")
                continue
            if len(row) != len(fields):
                raise ResultsRefused(path.name, f"row {number} has {len(row)} values, not {len(fields)}")
            for name, value in zip(fields, row, strict=True):
                if (
                    len(value) > LONGEST_NAME * (10 if name == "description" else 1)
                    or not value.isprintable()
                ):
                    raise ResultsRefused(
                        path.name, f"row {number}, column {name!r}: too long, or not printable"
                    )
            if not row[0]:
                raise ResultsRefused(path.name, f"row {number}, column {fields[0]!r}: empty")
            yield number, dict(zip(fields, row, strict=True))
    except csv.Error as error:
        raise ResultsRefused(path.name, f"not CSV: {error}") from error
