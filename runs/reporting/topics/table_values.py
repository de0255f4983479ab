"""Values of topic tables as text for pages and reports, for CSV and for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.urls import NoReverseMatch, reverse

from runs.analysis.estimate import Estimate
from runs.presentation.formatting.numbers import (
    DASH,
    NO_BREAK,
    count,
    decimal,
    dollars,
    duration,
    fixed,
    heat,
    percent,
    points,
    signed,
    typeset,
)
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.topic_result import (
    AgentName,
    Form,
    Minor,
    ResultTable,
    TableColumn,
    Term,
    TopicResult,
    Value,
)

ENDS = ("low", "high", "n", "why")
# Of values in CSV and JSON; those of other forms have none, or are counts.
UNITS: Mapping[Form, str] = {
    "percent": "share",
    "shade": "share",
    "points": "percentage points",
    "dollars": "US dollars",
    "duration": "seconds",
}
MAX_LENGTH, MAX_PROSE_LENGTH = 160, 2000
BELOW_ZERO = "less"  # the colour steps of values below 0
MINOR = "minor"  # the class of cells without a colour


class TableValue(NamedTuple):
    """One table cell on a page. Below the value: its interval and n (`small`), or the reason for its absence (`why`).

    `hint`: the tooltip of a small cell. `parts`: of a cell with several links, each of them.
    """

    text: str
    small: str = ""
    why: str = ""
    hint: str = ""
    href: str = ""
    shade: str = ""
    chip: str = ""
    parts: tuple[TableValue, ...] = ()


def shown(value: Value, column: TableColumn, result: TopicResult, *, n: bool = True) -> TableValue:
    """The cell for a reader. Without `n` where the head of the column has it."""
    if isinstance(value, Estimate | Minor):
        return _figure(value, column.form, n=n)
    if value is None:
        return TableValue(DASH)
    if column.form in _LINKED:
        return _LINKED[column.form](value, result)
    if isinstance(value, bool):
        return TableValue("yes" if value else "no")
    if isinstance(value, (int, float)):
        return TableValue(_WRITE.get(column.form, str)(value), shade=_shade(value, column.form))
    longest = MAX_PROSE_LENGTH if column.form == "prose" else MAX_LENGTH
    return TableValue(one_line(value.title if isinstance(value, Term) else str(value), longest))


def _agent(value: Value, result: TopicResult) -> TableValue:
    named = result.agents.get(str(value), AgentName(one_line(str(value), MAX_LENGTH), calibration=False))
    chip = "calibration" if named.calibration else ""
    href = address("agent", value) if str(value) in result.agents else ""  # "all agents" has no page
    return TableValue(named.name, href=href, chip=chip)


def _task(value: Value, _result: TopicResult) -> TableValue:
    repository, _, task = str(value).partition("/")
    return TableValue(one_line(str(value), MAX_LENGTH), href=address("task", repository, task))


def _repository(value: Value, result: TopicResult) -> TableValue:
    text = one_line(str(value), MAX_LENGTH)
    return TableValue(result.repositories.get(text, text), href=address("repository", value))


def _references(places: Iterable[object]) -> TableValue:
    parts = tuple(_reference(*place) for place in places if isinstance(place, tuple))
    return TableValue(", ".join(part.text for part in parts) or DASH, parts=parts)


def _reference(run: int, step: int | None = None) -> TableValue:
    page = address("run", run)
    if step is None:
        return TableValue(f"R{run}", href=page)
    return TableValue(f"R{run} step {step}", href=f"{page}?step={step}")


def expands(table: ResultTable, place: int) -> bool:
    """Whether a column of this table holds estimates."""
    return any(isinstance(row[place], Estimate | Minor) for row in table.rows)


def in_units(table: ResultTable) -> ResultTable:
    """The table for programs: its values in the units of its columns (`UNITS`), as a page writes them."""
    forms = [column.form for column in table.columns]
    if "points" not in forms:
        return table
    rows = tuple(
        tuple(
            _in_points(value) if form == "points" else value for value, form in zip(row, forms, strict=True)
        )
        for row in table.rows
    )
    return replace(table, rows=rows)


def _in_points(value: Value) -> Value:
    """A difference of shares, in percentage points."""
    if isinstance(value, Estimate):
        return value.mapped(_hundredfold)
    return _hundredfold(value) if isinstance(value, float | int) else value


def _hundredfold(share: float) -> float:
    return round(100 * share, 12)  # 7, not 7.000000000000001


def header(table: ResultTable) -> list[str]:
    """The names of the columns in CSV: five for a column of estimates."""
    names = []
    for place, column in enumerate(table.columns):
        names.append(column.name)
        if expands(table, place):
            names += [f"{column.name}_{end}" for end in ENDS]
    return names


def records(table: ResultTable) -> Iterator[list[Any]]:
    """The rows in CSV, with None for missing values."""
    wide = [expands(table, place) for place in range(len(table.columns))]
    for row in table.rows:
        yield [part for value, more in zip(row, wide, strict=True) for part in _parts(value, more)]


def as_json(value: Value) -> Any:
    """The value for JSON: an estimate is an object."""
    if isinstance(value, Estimate | Minor):
        return dict(zip(("value", *ENDS), _parts(value, True), strict=True))
    if isinstance(value, Term):
        return value.name
    if isinstance(value, tuple):
        return [list(each) if isinstance(each, tuple) else each for each in value]
    return value


def _parts(value: Value, wide: bool) -> list[Any]:
    value = _estimate(value)
    if not isinstance(value, Estimate):
        plain = value.name if isinstance(value, Term) else value
        return [plain, *([None] * len(ENDS) if wide else [])]
    ends = value.interval
    return [value.value, ends and ends.low, ends and ends.high, value.n, value.reason or None]


def common_n(table: ResultTable, place: int) -> int | None:
    """The n of all estimates of a column, where it is the same."""
    values = [_estimate(row[place]) for row in table.rows]
    found = {value.n if isinstance(value, Estimate) else None for value in values}
    return found.pop() if len(found) == 1 else None


def _estimate(value: Value) -> Value:
    return value.figure if isinstance(value, Minor) else value


def _figure(value: Estimate | Minor, form: Form, *, n: bool) -> TableValue:
    figure = value.figure if isinstance(value, Minor) else value
    shade = MINOR if isinstance(value, Minor) else _shade(figure.value, form)
    if figure.value is None:
        why = f"{figure.reason} (n {figure.n:,})"
        return TableValue(DASH, hint=why, shade=shade) if shade else TableValue(DASH, why=why)
    write = _WRITE.get(form, str)
    details = [f"n {figure.n:,}"] if n else []
    span = ""
    if (ends := figure.interval) is not None:
        # The unit is written once, after both ends.
        span = f"{write(ends.low).removesuffix(f'{NO_BREAK}%')} to {write(ends.high)}"
    if shade:
        return TableValue(write(figure.value), ", ".join(details), hint=span, shade=shade)
    if span:
        details.insert(0, span)
    return TableValue(write(figure.value), ", ".join(details))


def _shade(value: float | None, form: Form) -> str:
    if form not in ("shade", "correlation", "difference"):
        return ""
    if value is None or value >= 0:
        return heat(value)
    # The same strength as the positive value, in another hue.
    return heat(-value).replace("h", BELOW_ZERO)


def address(name: str, *arguments: object) -> str:
    """The address of a page; '' for a name that no address can have, as in imported records."""
    try:
        return reverse(name, args=arguments)
    except NoReverseMatch:
        return ""


def _fixed(digits: int) -> Callable[[float], str]:
    return lambda value: typeset(decimal(value, digits))


_LINKED: Mapping[Form, Callable[[Value, TopicResult], TableValue]] = {
    "agent": _agent,
    "task": _task,
    "repository": _repository,
    "run": lambda value, _: TableValue(f"#{value}", href=address("run", value)),
    "place": lambda value, _: _references((value,)),
    "places": lambda value, _: _references(value if isinstance(value, tuple) else ()),
}
_WRITE: Mapping[Form, Callable[[float], str]] = {
    "count": count,
    "percent": percent,
    "points": points,
    "number1": _fixed(1),
    "number": _fixed(2),
    "number3": _fixed(3),
    "number4": _fixed(4),
    "dollars": dollars,
    "duration": duration,
    "shade": lambda value: fixed(value, 2),
    "correlation": lambda value: signed(value, 2),
    "difference": points,
}
