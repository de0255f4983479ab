"""The documented table of results: its columns, and what each of their values may be.

Every value is checked before anything is stored. An empty value means that the source does not say.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from harness.limits import Ending
from runs.analysis.facts import INFRASTRUCTURE_FAILED, LARGEST, RESOLVED, UNRESOLVED
from runs.reported.reported_result import LONGEST_NAME, ReportedResult, ResultsRefused

MOST_COLUMNS = 100
MOST_ROWS = 2_000_000
MOST_ATTEMPT = 100_000
LONGEST_DETAIL = 200
MOST_TESTS = 20_000  # names of one attempt
LONGEST_TEST = 1_000
_OUTCOMES = {
    **dict.fromkeys(("1", "1.0", "true", "True", "TRUE", RESOLVED), RESOLVED),
    **dict.fromkeys(("0", "0.0", "false", "False", "FALSE", UNRESOLVED), UNRESOLVED),
    INFRASTRUCTURE_FAILED: INFRASTRUCTURE_FAILED,
}
_ENDINGS = frozenset(ending.value for ending in Ending)
_DIGITS = re.compile(r"[0-9]{1,16}(?:\.0)?")

Row = Sequence[Any]
Parse = Callable[[Any], Any]


class Invalid(Exception):
    """A value is invalid. The message says what is allowed."""


@dataclass(frozen=True, slots=True)
class TableField:
    """One column. `parse` takes a text, or a value as JSON and Parquet have it, and raises Invalid."""

    name: str
    parse: Parse
    description: str
    required: bool = False


def _text(longest: int) -> Parse:
    def parse(value: Any) -> str:
        if not isinstance(value, str):
            raise Invalid("a text")
        if len(value) > longest or not value.isprintable() or value != value.strip():
            raise Invalid(f"at most {longest} characters that can be printed, without spaces at the ends")
        return value

    return parse


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value or value != value.strip():
        raise Invalid("a name, without spaces at its ends")
    if len(value) > LONGEST_NAME or not value.isprintable():
        raise Invalid(f"a name of at most {LONGEST_NAME} characters that can be printed")
    return value


def _outcome(value: Any) -> str:
    known = _OUTCOMES.get(str(value)) if isinstance(value, str | bool | int | float) else None
    if known is None:
        raise Invalid(f"1 or {RESOLVED}, 0 or {UNRESOLVED}, or {INFRASTRUCTURE_FAILED}")
    return known


def _whole(value: Any) -> int:
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value.removesuffix(".0"))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        raise Invalid("a whole number of at least 0")
    return value


def _attempt(value: Any) -> int:
    number = _whole(value)
    if not 1 <= number <= MOST_ATTEMPT:
        raise Invalid(f"a whole number from 1 to {MOST_ATTEMPT:,}")
    return number


def _amount(value: Any) -> float:
    try:
        number = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else -1
    except (ValueError, OverflowError):
        number = -1
    if not 0 <= number <= LARGEST or not math.isfinite(number):
        raise Invalid("a number of at least 0, without signs of a currency or of thousands")
    return number


def _moment(value: Any) -> datetime:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            value = None
    if not isinstance(value, datetime) or not 1970 < value.year < 9999:
        raise Invalid("a time such as 2026-01-31T12:00:00Z")
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _tests(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, list | tuple) or len(value) > MOST_TESTS:
        raise Invalid(f'a list of at most {MOST_TESTS:,} names in JSON: ["test_a", "test_b"]')
    names = tuple(value)
    if not all(isinstance(name, str) and 0 < len(name) <= LONGEST_TEST for name in names):
        raise Invalid(f"a list of names of at most {LONGEST_TEST:,} characters")
    if "\x00" in "".join(names):
        raise Invalid("names without NUL characters")
    if len(set(names)) < len(names):
        raise Invalid("a list that names each test once")
    return names


def _ending(value: Any) -> str:
    if value not in _ENDINGS:
        raise Invalid("one of " + ", ".join(sorted(_ENDINGS)))
    return str(value)


TABLE_FIELDS = (
    TableField("agent", _name, "The name of the agent, as readers see it.", required=True),
    TableField("task", _name, "The name of the task.", required=True),
    TableField("attempt", _attempt, "The number of the attempt, from 1; without this column, 1."),
    TableField("outcome", _outcome, "1 or resolved, 0 or unresolved, infrastructure_failed.", required=True),
    TableField("repository", _name, "The repository of the task; without it, all tasks are in one."),
    TableField("ending", _ending, "Why the attempt ended, in a word of BenchBench's."),
    TableField("detail", _text(LONGEST_DETAIL), "Why it ended, in a word of the source's."),
    TableField("tests_passed", _whole, "Tests that passed."),
    TableField("tests_total", _whole, "Tests that were run."),
    TableField("failed_tests", _tests, "The names of failed tests, a list in JSON."),
    TableField("passed_tests", _tests, "The names of passed tests, a list in JSON."),
    TableField("iterations", _whole, "Responses of the model."),
    TableField("tool_calls", _whole, "Tool calls."),
    TableField("prompt_tokens", _whole, "Tokens sent, cached ones included."),
    TableField("completion_tokens", _whole, "Tokens received."),
    TableField("cached_tokens", _whole, "Those of the tokens sent that came from a cache."),
    TableField("cost_usd", _amount, "US dollars."),
    TableField("seconds", _amount, "Seconds in which the agent acted."),
    TableField("started_at", _moment, "When it began, in ISO 8601; UTC where no zone is given."),
    TableField("finished_at", _moment, "When it ended."),
)
FIELD_NAMES = tuple(field.name for field in TABLE_FIELDS)
_PLACE = {name: place for place, name in enumerate(ReportedResult._fields)}
_DEFAULTS: list[Any] = [ReportedResult._field_defaults.get(name) for name in ReportedResult._fields]
_DEFAULTS[_PLACE["attempt"]] = 1


def parse_table(place: str, header: Sequence[Any], rows: Iterable[tuple[int, Row]]) -> list[ReportedResult]:
    """The results of a table. `rows` are numbered as a reader finds them. Raises ResultsRefused.

    Equal texts of a column are parsed once, which takes half of the time.
    """
    columns = [(at, field, _PLACE[field.name], _Known(field.parse)) for at, field in _columns(place, header)]
    width, found = len(header), []
    for number, row in rows:
        if len(row) != width:
            raise ResultsRefused(place, f"row {number} has {len(row)} values, and the header {width} columns")
        values = _DEFAULTS.copy()
        for at, field, target, known in columns:
            value = row[at]
            if value is None or value == "":
                if field.required:
                    raise _refusal(place, number, field, value, "a value in each row")
                continue
            try:
                values[target] = known[value] if value.__class__ is str else field.parse(value)
            except Invalid as error:
                raise _refusal(place, number, field, value, str(error)) from error
        found.append(_checked(place, number, ReportedResult._make(values)))
        if len(found) > MOST_ROWS:
            raise ResultsRefused(place, f"it has more than {MOST_ROWS:,} rows: divide it by agents")
    if not found:
        raise ResultsRefused(place, "it has no row of results")
    return found


class _Known(dict[str, Any]):
    """Parsed values by their text, up to a number that fits into memory."""

    MOST = 100_000

    def __init__(self, parse: Parse) -> None:
        super().__init__()
        self._parse = parse

    def __missing__(self, text: str) -> Any:
        value = self._parse(text)
        if len(self) < self.MOST and len(text) <= LONGEST_NAME:
            self[text] = value
        return value


def _columns(place: str, header: Sequence[Any]) -> Iterator[tuple[int, TableField]]:
    known = {field.name: field for field in TABLE_FIELDS}
    if len(header) > MOST_COLUMNS:
        raise ResultsRefused(place, f"it has {len(header):,} columns; at most {MOST_COLUMNS} are read")
    names = [name if isinstance(name, str) else repr(name) for name in header]
    for name in names:
        if name not in known:
            raise ResultsRefused(
                place, f"row 1, column {name[:80]!r}: no such column; known are {', '.join(FIELD_NAMES)}"
            )
        if names.count(name) > 1:
            raise ResultsRefused(place, f"row 1, column {name!r}: it is there {names.count(name)} times")
    for field in TABLE_FIELDS:
        if field.required and field.name not in names:
            raise ResultsRefused(place, f"row 1: the column {field.name!r} is missing")
    return ((at, known[name]) for at, name in enumerate(names))


def _checked(place: str, number: int, result: ReportedResult) -> ReportedResult:
    """The result, if its values fit each other."""
    total, passed = result.tests_total, result.tests_passed
    if total is None or passed is None:
        if total is not passed:
            missing = "tests_total" if total is None else "tests_passed"
            raise ResultsRefused(place, f"row {number}, column {missing!r}: empty, but the other one is not")
    elif passed > total:
        raise ResultsRefused(place, f"row {number}, column 'tests_passed': {passed} of only {total} tests")
    elif not total:
        result = result._replace(tests_total=None, tests_passed=None)  # no test was counted: unknown
    else:
        for name, names, most in (
            ("failed_tests", result.failed_tests, total - passed),
            ("passed_tests", result.passed_tests, passed),
        ):
            if len(names) > most:
                raise ResultsRefused(
                    place, f"row {number}, column {name!r}: {len(names)} names of only {most} tests"
                )
    if result.cached_tokens is not None and result.cached_tokens > (result.prompt_tokens or 0):
        raise ResultsRefused(place, f"row {number}, column 'cached_tokens': more than prompt_tokens")
    return result


def _refusal(place: str, number: int, field: TableField, value: object, allowed: str) -> ResultsRefused:
    shown = "empty" if value in (None, "") else f"{str(value)[:80]!r} is invalid"
    return ResultsRefused(place, f"row {number}, column {field.name!r}: {shown}; allowed: {allowed}")


def as_row(result: ReportedResult) -> Mapping[str, Any]:
    """A result as a row of the table: only what is known."""
    values = result._asdict()
    return {name: value for name, value in values.items() if value not in (None, "", ())}
