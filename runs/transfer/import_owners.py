"""Finds or creates the agents and evaluations of imported runs.

Runs of this site return to the agent and the evaluation that they name. Runs from elsewhere get an evaluation of their
own for each import, and agents that only runs of the same origin share.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self

from django.utils import timezone

from harness.agents.registry import AGENTS, TRUSTED_KINDS
from harness.records import Identity
from runs.models import Agent, Evaluation, LanguageModel
from runs.models.agent import NameMark, marked_name, plain_name
from runs.transfer.imported_names import (
    NameRefused,
    agent_slug,
    check_agent_name,
    evaluation_title,
    free_slug,
    imported_slug,
    skeleton,
)
from runs.transfer.run_directories import CompleteRun, ImportRefused, time_of

ORIGIN = "origin.json"
UNKNOWN = "unknown"
_SLUG = re.compile(r"[A-Za-z0-9_-]{1,50}")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where runs come from, and when they were imported. `slug`: of their evaluation, if it had one before."""

    text: str
    imported_at: datetime
    slug: str = ""

    @classmethod
    def new(cls, text: str) -> Self:
        """The origin of runs that are imported now."""
        plain = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
        return cls(plain[:200] or UNKNOWN, timezone.now())

    @classmethod
    def stored(cls, group: Path) -> Self:
        """The origin of runs that were imported before, from the directory of their evaluation."""
        slug = group.name if _SLUG.fullmatch(group.name) else ""
        with suppress(OSError, ValueError, KeyError, TypeError):
            stored = json.loads((group / ORIGIN).read_text())
            moment = datetime.fromisoformat(stored["imported_at"])
            return cls(cls.new(str(stored["origin"])).text, moment.astimezone(UTC), slug)
        return cls(UNKNOWN, datetime.fromtimestamp(group.stat().st_mtime, UTC), slug)


@dataclass(frozen=True, slots=True)
class Owners:
    """The agents and evaluations of runs with one origin; None: this site executed them.

    `graded_here`: this site graded each of the runs that has a verdict. They have agents of their own.
    """

    origin: Origin | None
    graded_here: bool = False

    def agents(self, found: Sequence[CompleteRun]) -> Mapping[str, Agent]:
        """The agents by the slug in the runs' records. Raises ImportRefused."""
        agents: dict[str, Agent] = {}
        first: dict[str, CompleteRun] = {}
        for one in found:
            slug = one.identity.agent
            if _agent_part(first.setdefault(slug, one).identity) != _agent_part(one.identity):
                raise ImportRefused(
                    one.directory, f"the agent {slug!r} is another one than in {first[slug].directory}"
                )
            if slug not in agents:
                agents[slug] = (
                    _own_agent(one) if self.origin is None else self._imported_agent(one, self.origin)
                )
        return agents

    def evaluations(self, found: Sequence[CompleteRun]) -> Mapping[str, Evaluation]:
        """The evaluations by the slug in the runs' records. Missing ones are created, finished."""
        by_slug: dict[str, list[CompleteRun]] = defaultdict(list)
        for one in found:
            by_slug[one.identity.evaluation].append(one)
        return {slug: self._evaluation(slug, members) for slug, members in by_slug.items()}

    def write_origins(self, imported: Path, evaluations: Iterable[Evaluation]) -> None:
        """Stores the origin beside the runs, so that an import of the site's own directory finds it again."""
        if self.origin is None:
            return
        stored = {"origin": self.origin.text, "imported_at": self.origin.imported_at.isoformat()}
        for evaluation in evaluations:
            if (imported / evaluation.slug).is_dir():
                (imported / evaluation.slug / ORIGIN).write_text(json.dumps(stored) + "\n")

    @property
    def _mark(self) -> NameMark:
        return NameMark.GRADED_HERE if self.graded_here else NameMark.RECORDED

    def _imported_agent(self, found: CompleteRun, origin: Origin) -> Agent:
        """An agent whose runs all have this origin."""
        identity = found.identity
        _check_agent(found)
        values = _values(identity)
        same = {"kind": identity.agent_kind, "model": values["model"], "graded_here": self.graded_here}
        for agent in Agent.objects.filter(origin=origin.text, **same):
            if plain_name(agent.name) == identity.agent_name and agent.settings == values["settings"]:
                return agent
        names = set(Agent.objects.values_list("name", flat=True))
        slugs = set(Agent.objects.values_list("slug", flat=True))
        return Agent.objects.create(
            slug=agent_slug(identity.agent, slugs),
            name=next(
                name
                for name in map(partial(marked_name, identity.agent_name, self._mark), count(1))
                if name not in names
            ),
            enabled=False,
            origin=origin.text,
            graded_here=self.graded_here,
            **values,
        )

    def _evaluation(self, slug: str, members: Sequence[CompleteRun]) -> Evaluation:
        title = evaluation_title(slug)
        values: dict[str, Any] = {
            "title": title,
            "state": Evaluation.State.FINISHED,
            "attempts": max(one.identity.attempt for one in members),
            "finished_at": max(time_of(one, one.summary.finished_at) for one in members),
        }
        if self.origin is None:
            evaluation, created = Evaluation.objects.get_or_create(slug=slug, defaults=values)
            if evaluation.origin:
                raise ImportRefused(
                    members[0].directory, f"the evaluation {slug!r} was imported from elsewhere"
                )
        else:
            values |= {
                "title": marked_name(title, self._mark),
                "graded_here": self.graded_here,
                "origin": self.origin.text,
                "imported_at": self.origin.imported_at,
            }
            evaluation, created = _imported_evaluation(slug, self.origin, values)
        if created:
            began = min(time_of(one, one.summary.started_at) for one in members)
            Evaluation.objects.filter(pk=evaluation.pk).update(created_at=began)
        return evaluation


def _imported_evaluation(slug: str, origin: Origin, values: Mapping[str, Any]) -> tuple[Evaluation, bool]:
    """A new evaluation; after a loss of the database, the one that the same import made before."""
    if origin.slug:
        evaluation, created = Evaluation.objects.get_or_create(slug=origin.slug, defaults=values)
        if evaluation.origin == origin.text:
            return evaluation, created
    return Evaluation.objects.create(slug=imported_slug(slug), **values), True


def _agent_part(identity: Identity) -> tuple[object, ...]:
    return identity.agent_name, identity.agent_kind, identity.model, identity.settings


def _own_agent(found: CompleteRun) -> Agent:
    identity = found.identity
    values = _values(identity)
    agent, created = Agent.objects.get_or_create(
        slug=identity.agent, defaults={"name": identity.agent_name, "enabled": False, **values}
    )
    if not created and (agent.origin or any(getattr(agent, name) != value for name, value in values.items())):
        raise ImportRefused(
            found.directory, f"the agent {identity.agent!r} exists here with another kind, model or settings"
        )
    return agent


def _check_agent(found: CompleteRun) -> None:
    identity = found.identity
    if identity.agent_kind not in AGENTS:
        raise ImportRefused(found.directory, f"there is no kind of agent {identity.agent_kind!r}")
    if identity.calibration != (identity.agent_kind in TRUSTED_KINDS):
        raise ImportRefused(
            found.directory,
            f"calibration is {identity.calibration}, but agents of the kind {identity.agent_kind} "
            f"{'are' if not identity.calibration else 'are not'} calibration agents",
        )
    try:
        check_agent_name(identity.agent_name, map(plain_name, Agent.objects.values_list("name", flat=True)))
    except NameRefused as error:
        raise ImportRefused(found.directory, str(error)) from error


def _values(identity: Identity) -> dict[str, Any]:
    return {
        "kind": identity.agent_kind,
        "settings": dict(identity.settings),
        "model": model_of(identity.model),
    }


def model_of(litellm_id: str) -> LanguageModel | None:
    """The model with this id, which is created if it is unknown; None for ''."""
    if not litellm_id:
        return None
    known = LanguageModel.objects.filter(litellm_id=litellm_id).first()
    if known is not None:
        return known
    provider, _, name = litellm_id.rpartition("/")
    # Names have no mark: one that looks like that of another model is the whole id instead.
    if skeleton(name) in map(skeleton, LanguageModel.objects.values_list("name", flat=True)):
        name = litellm_id
    slugs = set(LanguageModel.objects.values_list("slug", flat=True))
    base = re.sub(r"[^a-z0-9]+", "-", litellm_id.lower()).strip("-")[:40] or "model"
    return LanguageModel.objects.create(
        slug=free_slug(base, slugs),
        name=name or litellm_id,
        provider=provider[:100] or "unknown",
        litellm_id=litellm_id,
    )
