"""When a schedule is due: times of a cron expression, in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from croniter import CroniterError, croniter

FIELDS = 5
MIN_PAUSE = timedelta(hours=1)
_WORD = re.compile("l|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun")
LOOKED_AT = 30  # times between which the pause is checked


class CronError(ValueError):
    """The expression cannot be used. The message says why."""


def check_cron(expression: str, now: datetime) -> None:
    """Raises CronError for an expression that is no five fields, has no time, or has two within an hour."""
    if len(expression.split()) != FIELDS:
        raise CronError("A cron expression has five fields: minute, hour, day, month, weekday.")
    # croniter knows more words: R is a random time, another one whenever it is asked.
    for word in re.findall("[a-z]+", expression.lower()):
        if not _WORD.fullmatch(word):
            raise CronError(f"No cron expression: {word} is no month, weekday or L.")
    try:
        times = croniter(expression, now)
        found = [times.get_next(datetime) for _ in range(LOOKED_AT)]
    except (CroniterError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise CronError(f"No cron expression: {error}.") from error
    if min(later - earlier for earlier, later in pairwise(found)) < MIN_PAUSE:
        raise CronError("Choose times that are at least an hour apart.")


def latest_due(expression: str, now: datetime, *, after: datetime) -> datetime | None:
    """The newest time of the expression that is not in the future and later than `after`; None without one.

    Only the newest counts, so of all times that were missed one is made up for. Raises CronError.
    """
    if not expression:
        return None
    try:
        # The time itself is before the next second.
        start = now.astimezone(UTC).replace(microsecond=0) + timedelta(seconds=1)
        found: datetime = croniter(expression, start).get_prev(datetime)
    except (CroniterError, ValueError, KeyError, TypeError, OverflowError) as error:
        raise CronError(f"No cron expression: {error}.") from error
    return found if found > after else None
