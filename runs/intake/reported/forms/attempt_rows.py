"""What all forms share: rows of attempts become checked results, and a file's own words become its source."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.redaction import Redactor
from runs.intake.reported.parquet_lines import MAX_ROWS
from runs.intake.reported.reported_result import (
    MAX_NAME_LENGTH,
    PrintedNumber,
    ReportedAgent,
    ReportedResult,
    ReportedSet,
    ResultsRefused,
)
from runs.intake.reported.result_table import (
    FIELD_NAMES,
    MAX_DETAIL_LENGTH,
    Invalid,
    parse_moment,
    parse_table,
)
from runs.intake.reported.source_file import MAX_SLUG_LENGTH, printed_number, source_of
from runs.intake.reported.trajectory import Trajectory

_REDACTOR = Redactor()
_DIGITS = 12  # of the digest in a shortened name
_FREE = ":free"  # how the names of models end that a provider gives away
_SWE_BENCH_TASK = re.compile(r"([A-Za-z0-9.-]{1,60})__([A-Za-z0-9._-]{1,60})-[0-9]{1,10}")


class AttemptRows:
    """The attempts of a file, which are numbered for each agent and task in the order in which they are added.

    `left_out`: files without anything to store. If all are, there are no results; otherwise none are refused.
    `stray`: lines between others that are no JSON, and are left out.
    """

    def __init__(self, place: str) -> None:
        self._place = place
        self._rows: list[tuple[str, list[Any]]] = []
        self._trajectories: list[Trajectory | None] = []
        self._free: list[bool] = []  # whether a price of 0 is one
        self._keys: set[str] = set()
        self._counts: Counter[tuple[Any, Any]] = Counter()
        self.agents: dict[str, ReportedAgent] = {}
        self._printed: dict[tuple[str, str], PrintedNumber] = {}
        self._runs: Counter[str] = Counter()
        self.days: set[str] = set()
        self.left_out = self.stray = 0

    def add(
        self, where: str, agent: ReportedAgent, trajectory: Trajectory | None = None, **values: Any
    ) -> None:
        """One attempt; `values` are columns of the table. `where`: its place, for messages."""
        if len(self._rows) >= MAX_ROWS:
            raise ResultsRefused(self._place, f"it has more than {MAX_ROWS:,} attempts")
        self.agents.setdefault(agent.name, agent)
        task = "" if values.get("task") is None else str(values["task"])
        task = values["task"] = task[: MAX_NAME_LENGTH + 1] if trajectory is None else shortened(task)
        self._counts[agent.name, task] += 1
        values["agent"], values["attempt"] = agent.name, self._counts[agent.name, task]
        values["detail"] = _detail(values.get("detail"))
        self._rows.append((where, [values.get(name) for name in FIELD_NAMES]))
        is_free = agent.model.endswith(_FREE) or (trajectory is not None and trajectory.is_free)
        self._free.append(is_free)
        self._trajectories.append(trajectory and replace(trajectory, is_free=is_free))
        if trajectory is not None:
            self._keys.add(trajectory.key)
        self.add_day(values.get("started_at"))

    def has(self, trajectory: Trajectory) -> bool:
        """Whether an attempt has a trajectory with equal contents: people copy what their tools store."""
        return trajectory.key in self._keys

    def add_day(self, moment: Any) -> None:
        """A day or time of the file. The last one is the day of the report, if the file has no other."""
        if isinstance(moment, str) and re.match(r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}", moment):
            self.days.add(moment[:10])

    def begin_run(self, agent: ReportedAgent) -> None:
        """Says that what follows is a run of its own of this agent."""
        self._runs[agent.name] += 1

    def add_printed(self, where: str, agent: ReportedAgent, metric: str, digits: str | None) -> None:
        """A number that the file prints about an agent, or about one run of it; nothing if `digits` is None."""
        if digits is not None:
            self.agents.setdefault(agent.name, agent)
            self._printed[agent.name, metric] = printed_number(where, agent.name, metric, digits)

    def finish(self, stated: Mapping[str, Any], given: Mapping[str, str], *options: str) -> ReportedSet:
        """Everything, with a source of what the file says (`stated`) and the options (`given`), which go first.

        `options`: those that the form itself has used, such as 'board'. Others must be values of a source.
        The day is that of the last attempt. Raises ResultsRefused, also for a value that neither says.
        """
        results = [
            result._replace(trajectory=trajectory).without_false_price(is_free=is_free)
            for result, trajectory, is_free in zip(
                self._parsed(), self._trajectories, self._free, strict=True
            )
        ]
        day = max(self.days, default=None)
        known = {
            "version": day,
            "reported_on": day,
            **{name: value for name, value in stated.items() if value},
            **{name: value for name, value in given.items() if name not in options},
        }
        source = source_of({name: value for name, value in known.items() if value}, self._place)
        # What is printed about one of several runs says nothing about all attempts.
        printed = tuple(number for number in self._printed.values() if self._runs[number.agent] <= 1)
        agents = tuple(self._known_agents(results))
        return ReportedSet(source, results, agents, printed, left_out=self.left_out, stray=self.stray)

    def _parsed(self) -> Sequence[ReportedResult]:
        if self.left_out and not self._rows:
            return ()
        return parse_table(self._place, FIELD_NAMES, self._rows)

    def _known_agents(self, results: Sequence[ReportedResult]) -> list[ReportedAgent]:
        for agent in self.agents.values():
            words = (agent.name, agent.model, agent.provider, agent.description, agent.harness)
            if not agent.name or any(len(word) > MAX_NAME_LENGTH or not word.isprintable() for word in words):
                allowed = f"its names have at most {MAX_NAME_LENGTH} characters that can be printed"
                raise ResultsRefused(self._place, f"agent {agent.name[:80]!r}: {allowed}")
        names = {result.agent for result in results}
        return [agent for agent in self.agents.values() if agent.name in names]


def shortened(name: str) -> str:
    """A name of any length in at most 150 characters: a long one ends in its digest, so that others differ from it."""
    if len(name) <= MAX_NAME_LENGTH:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    return f"{name[: MAX_NAME_LENGTH - _DIGITS - 1]}-{digest}"


def agent_with(name: Any, model: Any, provider: Any = None, version: Any = None) -> ReportedAgent:
    """An agent that is named by its program, its model, or both. `model` may begin with its provider.

    `version`: of the program; what is no text is unknown.
    """
    made_by, _, short = (model if isinstance(model, str) else "").rpartition("/")
    program = name if isinstance(name, str) else ""
    both = f"{program} with {short}" if program and short else program or short
    provider = provider if isinstance(provider, str) else made_by
    description = f"Version {version}" if isinstance(version, str) and version else ""
    return ReportedAgent(both or "unknown agent", short, provider, None, description, program)


def seconds_between(where: str, begin: Any, end: Any) -> float | None:
    """Seconds from one time to another; None if one is missing. Raises ResultsRefused for an invalid time."""
    if begin is None or end is None:
        return None
    try:
        return (parse_moment(end) - parse_moment(begin)).total_seconds()
    except Invalid as error:
        raise ResultsRefused(where, f"a time is invalid; allowed: {error}") from error


def _detail(value: Any) -> str:
    """What a tool says of an attempt, maybe an error with a key in it: without secrets."""
    if not isinstance(value, str):
        return ""
    return plain(_REDACTOR.text(value[: MAX_DETAIL_LENGTH * 8]), MAX_DETAIL_LENGTH)


def plain(value: Any, longest: int) -> str:
    """A text in one line that can be printed, and cut; '' for anything else."""
    if not isinstance(value, str):
        return ""
    # Only the beginning: the text may be long.
    line = "".join(letter if letter.isprintable() else " " for letter in value[: longest * 4])
    return " ".join(line.split())[:longest].rstrip()


def names_of_tests(names: Sequence[str]) -> list[str]:
    """Names of tests, each once, with characters that cannot be printed as escapes."""
    return list(dict.fromkeys(name if name.isprintable() else ascii(name)[1:-1] for name in names))


def slug_of(*words: Any) -> str:
    """A name for addresses, of what is known of these words."""
    joined = "-".join(word for word in words if isinstance(word, str))
    return re.sub(r"[^a-z0-9]+", "-", joined[:500].lower()).strip("-")[:MAX_SLUG_LENGTH].strip("-")


def repository_of(directory: str) -> str:
    """The repository that a tool worked on, by the name of its directory; '' if that says nothing."""
    return slug_of(re.split(r"[/\\]", directory.rstrip("/\\"))[-1])


def swe_bench_repository(task: str) -> str:
    """The repository in the name of a task of SWE-bench: 'django/django' of 'django__django-11099'."""
    match = _SWE_BENCH_TASK.fullmatch(task)
    return f"{match[1]}/{match[2]}" if match else ""
