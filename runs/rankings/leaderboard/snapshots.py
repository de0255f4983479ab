"""Permanent links: the counts of one moment, stored to be shown again later.

A snapshot is compressed JSON of one dataset: cells as rows of numbers; agents, models, tasks and repositories with the
names of that moment; printed numbers that the results do not give. The format has a number: snapshots of older versions
of the site, which may hold several datasets, stay readable, and an unreadable one raises Broken.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Any

from django.db.models import Count
from django.utils import timezone
from django.utils.crypto import salted_hmac

from runs.analysis.outcomes.standings import CellFacts
from runs.data.cache.results import data_version
from runs.data.cells.filtered_cells import filtered_facts
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.queries.competitors import Competitor, ModelName, competitors
from runs.data.queries.printed_numbers import Findings, PrintedFinding, findings_of
from runs.data.queries.too_many import TooMany
from runs.models import Snapshot
from runs.rankings.leaderboard.board_source import correction_rule, people_of
from tasks.models import Task

FORMAT = 2
OLDER = (1,)
MAX_AN_HOUR = 30  # links from one address
MAX_COUNT = 2_000  # links of all readers
MAX_READ = 100  # links that are read to count those of a dataset
HOUR = timedelta(hours=1)
MAX_SIZE = 256 * 1024 * 1024  # bytes of JSON
_DIGITS = 20
# Of a cell, in the order they are stored; the repository is that of its task, and all have one origin.
_NUMBERS = tuple(name for name in CellFacts._fields if name not in {"repository", "origin"})

_UNJUDGED = tuple(name for name in _NUMBERS if name not in {"judged", "corrected"})


class Broken(Exception):
    """A snapshot is unreadable. The message gives the reason for readers."""


@dataclass(frozen=True, slots=True)
class FrozenTask:
    """A task at that moment, with the values that filters use."""

    slug: str
    title: str
    category: str
    difficulty: str
    repository: str
    repository_title: str
    stack: str
    languages: tuple[str, ...]
    dataset: str
    dataset_title: str
    reported_by: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a snapshot. `since` and `until`: the days of the counted runs, '' for no limit.

    `people`: of agents that stand for people, how many these are. `flagged`: "without" if flagged runs do not count.
    `judged_by`: the rule by which verdicts were judged.
    """

    since: str
    until: str
    cells: tuple[CellFacts, ...]
    agents: Mapping[int, Competitor]
    tasks: Mapping[int, FrozenTask]
    findings: Findings
    people: Mapping[int, int]
    flagged: str = ""
    judged_by: str = ""


def freeze(
    dataset: str,
    since: str = "",
    until: str = "",
    *,
    flagged: str = "",
    by_reader: bool = True,
    address: str = "",
) -> Snapshot:
    """A snapshot of the current board of a dataset; the existing one when nothing has changed. Raises TooMany.

    `flagged`: that of `BoardFilter`. `by_reader`: a reader requested it, from this network address, so the limits
    apply.
    """
    version = data_version()
    payload = json.dumps(
        _payload(BoardFilter(dataset=dataset, since=since, until=until, flagged=flagged)),
        ensure_ascii=True,
        sort_keys=True,
        separators=(",", ":"),
    ).encode()
    digest = hashlib.sha256(payload).hexdigest()[:_DIGITS]
    known = Snapshot.objects.filter(digest=digest).first()
    if known is not None:
        return known
    asker = salted_hmac("snapshot", address, algorithm="sha256").hexdigest()[:32] if by_reader else ""
    if by_reader:
        _check_rate(asker)
    values = {
        "data_version": version,
        "payload": zlib.compress(payload, 9),
        "asked": by_reader,
        "asker": asker,
    }
    found = Snapshot.objects.get_or_create(digest=digest, defaults=values)[0]
    if by_reader:
        _drop_surplus(found)
    return found


def content_of(snapshot: Snapshot) -> Content:
    """Its content. Raises Broken."""
    return _read(snapshot.digest, bytes(snapshot.payload))


def links_by_dataset() -> Counter[str]:
    """How many of the newest MAX_READ permanent links show each dataset, by its slug. Unreadable ones are left out."""
    found: Counter[str] = Counter()
    for snapshot in Snapshot.objects.order_by("-pk")[:MAX_READ]:
        with suppress(Broken):
            tasks = content_of(snapshot).tasks
            found.update({task.dataset for task in tasks.values()})
    return found


@lru_cache(maxsize=8)
def _read(digest: str, payload: bytes) -> Content:
    try:
        unpacked = zlib.decompressobj().decompress(payload, MAX_SIZE)
        if hashlib.sha256(unpacked).hexdigest()[:_DIGITS] != digest:
            raise Broken("the stored data do not match the link")
        return _content(json.loads(unpacked))
    except (zlib.error, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise Broken(f"the stored data are damaged ({type(error).__name__})") from error


def _check_rate(asker: str) -> None:
    """Raises TooMany when readers of this address have made MAX_AN_HOUR links within an hour."""
    now = timezone.now()
    made = Snapshot.objects.filter(asked=True, asker=asker, created_at__gt=now - HOUR).order_by("created_at")
    times = list(made.values_list("created_at", flat=True))
    if len(times) >= MAX_AN_HOUR:
        wait = (times[len(times) - MAX_AN_HOUR] + HOUR - now).total_seconds()
        raise TooMany(f"{MAX_AN_HOUR} permanent links were made from your address within the last hour", wait)


def _drop_surplus(new: Snapshot) -> None:
    """With more than MAX_COUNT links of readers, deletes the oldest of the address with the most of them."""
    made = Snapshot.objects.filter(asked=True).order_by()
    if made.count() <= MAX_COUNT:
        return
    most = made.values("asker").annotate(links=Count("pk")).order_by("-links", "asker")[0]["asker"]
    oldest = made.filter(asker=most).exclude(pk=new.pk).order_by("created_at", "pk").first()
    if oldest is not None:
        oldest.delete()


def _payload(chosen: BoardFilter) -> dict[str, Any]:
    name = BoardName.of(chosen.dataset)
    cells = sorted(filtered_facts(chosen))
    columns = (
        *("pk", "slug", "title", "category", "difficulty"),
        *("repository__slug", "repository__title", "repository__stack", "repository__languages"),
        *("repository__dataset__slug", "repository__dataset__title", "repository__dataset__reported_by"),
    )
    tasks = Task.objects.filter(pk__in={cell.task for cell in cells}).order_by("pk")
    agents = sorted(competitors({cell.agent for cell in cells}).items())
    people = people_of(chosen) if any(agent.is_person for _, agent in agents) else {}
    rule = correction_rule(chosen.dataset) if any(cell.judged for cell in cells) else None
    numbers = _NUMBERS if rule else _UNJUDGED
    return {
        "format": FORMAT,
        "since": chosen.since,
        "until": chosen.until,
        "agents": [
            [
                *(pk, agent.slug, agent.name, agent.kind),
                model and [model.name, model.provider, model.open_weights],
                agent.reported_by,
                # Only where it is true, so that other tables have the links that they had.
                *([True] if agent.graded_here else []),
            ]
            for pk, agent, model in ((pk, agent, agent.model) for pk, agent in agents)
        ],
        "findings": [
            [agent, one.reported_by, one.metric, one.printed, one.own, one.gross]
            for agent, theirs in sorted(findings_of(chosen.dataset).items())
            for one in theirs
        ],
        # With the name and the title of the board in the place of those of the dataset.
        "tasks": [
            [*own, str(name), name.title(title), reported_by]
            for *own, _, title, reported_by in tasks.values_list(*columns)
        ],
        "cells": [[getattr(cell, name) for name in numbers] for cell in cells],
        "numbers": list(numbers),
        # Only where there are some, so that other tables have the links that they had.
        **({"people": sorted(people.items())} if people else {}),
        **({"flagged": chosen.flagged} if chosen.flagged else {}),
        **({"judged_by": rule.sentence} if rule else {}),
    }


def _content(stored: dict[str, Any]) -> Content:
    if stored["format"] not in (FORMAT, *OLDER):
        raise Broken(f"it is of format {stored['format']}, and this version of the site reads {FORMAT}")
    tasks = {}
    for pk, slug, title, category, difficulty, *place in stored["tasks"]:
        repository, repository_title, stack, languages, *dataset = place
        tasks[pk] = FrozenTask(
            *(slug, title, category, difficulty, repository, repository_title, stack),
            *(tuple(languages), *dataset),
        )
    agents = {
        pk: Competitor(slug, name, kind, model and ModelName(*model), *more)
        for pk, slug, name, kind, model, *more in stored["agents"]
    }
    findings: dict[int, list[PrintedFinding]] = defaultdict(list)
    for agent, *finding in stored.get("findings", ()):
        findings[agent].append(PrintedFinding(*finding))
    # By name: a later version may count more of a cell, or less, than this one did.
    known = [name for name in stored["numbers"] if name in _NUMBERS]
    rows = [dict(zip(stored["numbers"], row, strict=True)) for row in stored["cells"]]
    cells = [
        CellFacts(repository=tasks[row["task"]].repository, **{name: row[name] for name in known})
        for row in rows
    ]
    by_agent = {agent: tuple(theirs) for agent, theirs in findings.items()}
    people = dict(stored.get("people", ()))
    flagged = stored.get("flagged", "")
    period, judged_by = (stored["since"], stored["until"]), stored.get("judged_by", "")
    return Content(*period, tuple(cells), agents, tasks, by_agent, people, flagged, judged_by)
