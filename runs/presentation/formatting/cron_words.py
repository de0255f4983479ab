"""The usual forms of cron expressions in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_HOURS_OF_DAY = 24


def times_in_words(expression: str) -> str:
    """When a cron expression is due, as "every day at 03:00 UTC"; '' for one that is not of a usual form.

    The minute is one number, the month is any, and not both a day of the month and a weekday are chosen.
    """
    match expression.lower().split():
        case [minute, hour, "*", "*", weekday] if minute.isdecimal():
            days = "every day" if weekday == "*" else _weekdays(weekday)
        case [minute, hour, day, "*", "*"] if minute.isdecimal() and day.isdecimal():
            days = f"on day {int(day)} of every month"
        case _:
            return ""
    if days == "every day" and (often := _often(hour, int(minute))):
        return often
    hours = hour.split(",")
    if not days or not all(map(str.isdecimal, hours)):
        return ""
    return f"{days} at {_listed([f'{int(one):02}:{int(minute):02}' for one in hours])} UTC"


def _often(hour: str, minute: int) -> str:
    """Several times a day, as "every 6 hours, first at 00:30 UTC"; '' if the hour says none."""
    if hour == "*":
        return f"every hour at minute {minute}"
    step = re.fullmatch(r"\*/(\d+)", hour)
    if step is None or not 1 < int(step[1]) < _HOURS_OF_DAY or _HOURS_OF_DAY % int(step[1]):
        return ""
    return f"every {int(step[1])} hours, first at 00:{minute:02} UTC"


def _weekdays(field: str) -> str:
    """Weekdays as "Mondays and Thursdays" or "Mondays to Fridays"; '' if they are written in another way."""
    if span := re.fullmatch(r"(\w+)-(\w+)", field):
        ends = list(map(_weekday, span.groups()))
        return " to ".join(ends) if all(ends) else ""
    named = list(map(_weekday, field.split(",")))
    return _listed(named) if all(named) else ""


def _weekday(written: str) -> str:
    """The plural of one day, which is a number from 0 (Sunday) to 7 (Sunday) or three letters; ''."""
    if re.fullmatch("[0-7]", written):
        return f"{_DAYS[int(written) % 7]}s"
    return next((f"{day}s" for day in _DAYS if day[:3].lower() == written), "")


def _listed(parts: Sequence[str]) -> str:
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last
