"""The facts that a report states before any result: agents, tasks, settings, versions, and what is missing."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Max, Min, Model, QuerySet

from harness.limits import Limits
from harness.records import SUMMARY
from runs.analysis.facts import RunFacts
from runs.data.run_facts.count_trajectory import uncounted_runs
from runs.models import Agent, Evaluation, Run
from runs.operations.evaluations.agent_settings import profile_of
from runs.operations.evaluations.limits_form import in_words
from tasks.models import Dataset, Task

UNKNOWN = "not recorded"
MAX_SUMMARY = 1 << 20


@dataclass(frozen=True, slots=True)
class NamedRuns:
    """Runs with something in common."""

    what: str
    runs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """`unfinished`: runs by state. `lost`: runs that the infrastructure failed, by what failed.

    `odd`: runs by the invalid field of their record; `flagged`: runs with a flagged patch, by the kind of flag.
    `harness`, `datasets_at_run` and `limits_at_run` count runs by their own records. `uncounted`: how many trajectories
    are not counted yet. `data`: a digest of the runs as the analysis reads them. `run_counts`: how many runs of each
    evaluation, by its number, are in the report.
    """

    evaluations: tuple[Evaluation, ...]
    run_counts: Mapping[int, int]
    agents: tuple[Agent, ...]
    tasks: tuple[Task, ...]
    datasets: tuple[Dataset, ...]
    first_started: datetime | None
    last_finished: datetime | None
    unfinished: tuple[NamedRuns, ...]
    lost: tuple[NamedRuns, ...]
    odd: tuple[NamedRuns, ...]
    flagged: tuple[NamedRuns, ...]
    harness: Mapping[str, int]
    datasets_at_run: Mapping[str, int]
    limits_at_run: Mapping[str, int]
    uncounted: int
    data: str

    @property
    def title(self) -> str:
        """The evaluations' titles."""
        return ", ".join(evaluation.title for evaluation in self.evaluations)

    def calibrates(self, slug: str) -> bool:
        """Whether this is a calibration agent."""
        return any(agent.slug == slug and agent.is_calibration for agent in self.agents)


def head_of(evaluations: Sequence[Evaluation], runs: QuerySet[Run], facts: Sequence[RunFacts]) -> Head:
    """`runs` are those of these evaluations that the report is about, `facts` the finished ones of them."""
    tasks = Task.objects.filter(runs__in=runs).distinct().select_related("repository__dataset")
    times = runs.aggregate(first=Min("started_at"), last=Max("finished_at"))
    agents = Agent.objects.filter(runs__in=runs).distinct().select_related("model").order_by("slug")
    datasets = Dataset.objects.filter(repositories__tasks__in=tasks).distinct().order_by("slug")
    return Head(
        evaluations=tuple(evaluations),
        run_counts=Counter(runs.order_by().values_list("evaluation", flat=True)),
        agents=tuple(agents),
        tasks=tuple(sorted(tasks, key=str)),
        datasets=tuple(datasets),
        first_started=times["first"],
        last_finished=times["last"],
        unfinished=_named(runs.exclude(state=Run.State.FINISHED).values_list("state", "pk")),
        lost=_named(
            (failure or "unnamed", pk)
            for failure, pk in runs.filter(
                state=Run.State.FINISHED, outcome=Run.Outcome.INFRASTRUCTURE_FAILED
            ).values_list("failure", "pk")
        ),
        odd=_named(
            (name, pk) for odd, pk in runs.exclude(odd="").values_list("odd", "pk") for name in odd.split()
        ),
        flagged=_named(
            (str(flag.get("kind", "unnamed")), pk)
            for flags, pk in runs.exclude(flags=[]).values_list("flags", "pk")
            for flag in flags
        ),
        **_records(runs),
        uncounted=uncounted_runs().filter(pk__in=runs.order_by().values("pk")).count(),
        data=hashlib.sha256(
            repr(sorted(facts, key=lambda run: run.run)).encode("utf-8", "replace")
        ).hexdigest()[:16],
    )


def is_priced(agent: Agent) -> bool | None:
    """Whether the model of an agent has a price; None without a model."""
    model = agent.model
    return None if model is None else None not in (model.input_price, model.output_price)


def differing_settings(agent: Agent) -> dict[str, Any]:
    """The settings that differ from the agent's profile; all of them without a profile."""
    profile = profile_of(agent)
    return {each.name: each.value for each in (profile.differing if profile.name else profile.settings)}


def head_json(head: Head) -> dict[str, object]:
    """The head for report.json."""
    own = {field.name: getattr(head, field.name) for field in fields(head) if field.name != "run_counts"}
    return {
        **own,
        "evaluations": [
            {
                **_values(each, "slug", "title", "state", "listed", "attempts"),
                **_values(each, "budget_usd", "created_at", "finished_at"),
                "number": each.pk,
                "limits": dict(in_words(each.limits)),
                "runs": head.run_counts[each.pk],
            }
            for each in head.evaluations
        ],
        "agents": [_agent(each) for each in head.agents],
        "tasks": [
            {
                "name": str(each),
                **_values(each, "title", "category", "difficulty", "admitted"),
                "tests": each.tests_total,
            }
            for each in head.tasks
        ],
        "datasets": [_values(each, "slug", "title", "version", "licence") for each in head.datasets],
    }


def _values(found: Model, *names: str) -> dict[str, object]:
    return {name: getattr(found, name) for name in names}


def _agent(each: Agent) -> dict[str, object]:
    profile = profile_of(each)
    return {
        **_values(each, "slug", "name", "kind"),
        "model": each.model.litellm_id if each.model else "",
        "priced": is_priced(each),
        "calibration": each.is_calibration,
        "profile": profile.name,
        "settings": {setting.name: setting.value for setting in profile.settings},
        "differing": list(differing_settings(each)),
    }


def _named(pairs: Iterable[tuple[str, int]]) -> tuple[NamedRuns, ...]:
    runs: dict[str, set[int]] = defaultdict(set)
    for what, pk in pairs:
        runs[what].add(pk)
    return tuple(NamedRuns(what, tuple(sorted(found))) for what, found in sorted(runs.items()))


def _records(runs: QuerySet[Run]) -> dict[str, Mapping[str, int]]:
    """The number of finished runs by harness version, dataset version and limits in their records."""
    harness, datasets, limits = Counter[str](), Counter[str](), Counter[str]()
    root = Path(settings.RUNS_ROOT)
    for directory in runs.filter(state=Run.State.FINISHED).values_list("directory", flat=True):
        summary = _summary(root / directory) if directory else {}
        identity, environment = _object(summary, "identity"), _object(summary, "environment")
        harness[str(summary.get("harness_version") or UNKNOWN)] += 1
        named = f"{identity.get('dataset')} {identity.get('dataset_version')}"
        datasets[named if identity.get("dataset") and identity.get("dataset_version") else UNKNOWN] += 1
        limits[_limits(_object(environment, "limits"))] += 1
    counts = {"harness": harness, "datasets_at_run": datasets, "limits_at_run": limits}
    return {name: dict(sorted(count.items())) for name, count in counts.items()}


def _limits(recorded: Mapping[str, Any]) -> str:
    """The limits in words. A limit that an older record lacks was the default."""
    whole = {**Limits().stored(), **recorded} if recorded else {}
    written = {
        name: "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in sorted(whole.items())
    }
    return ", ".join(f"{name} {value}" for name, value in written.items()) or UNKNOWN


def _object(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = record.get(name)
    return found if isinstance(found, dict) else {}


def _summary(directory: Path) -> dict[str, Any]:
    try:
        with (directory / SUMMARY).open("rb") as file:
            found = json.loads(file.read(MAX_SUMMARY))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
