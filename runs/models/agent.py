"""Agents and their language models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePath
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.db import models
from django.urls import reverse

from harness.agents.registry import TRUSTED_KINDS
from tasks.models import MAX_SLUG_LENGTH

# Permanent links of older versions have agents with the mark "imported", and "reported" for recorded ones.
_MARK = re.compile(r" \((?:reported|recorded|graded here|imported)(?: \d+)?\)$")
CALIBRATION_KINDS = tuple(sorted(TRUSTED_KINDS))  # of agents whose success rate is known
PERSON = "person"  # the kind of the agent that stands for all people
REPORTED = "reported"  # the kind of agents that others ran; they have reported runs only
COMMAND = "command"  # the kind of agents that a recipe starts
KIND_TEXTS: Mapping[str, str] = {
    COMMAND: "command-line agent",
    "ide": "model with this site's tools",
    "null": "changes nothing (null)",
    "oracle": "reference patch (oracle)",
    "scripted": "fixed script",
    PERSON: "person",
    REPORTED: "reported by others",
}
"""What readers choose kinds by; the names stand in addresses and records."""
UNRANKED_KINDS = (*CALIBRATION_KINDS, PERSON)  # of agents without a rank, in no number over several agents
IDE_HARNESS = "BenchBench"  # of agents of the kind "ide"
UNKNOWN_MODEL = "unknown model"  # the name of the model of reported agents whose source does not say it


class LanguageModel(models.Model):
    """A language model. Prices are US dollars for a million tokens; empty: unknown."""

    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    name = models.CharField(max_length=200)
    provider = models.CharField(max_length=100)
    litellm_id = models.CharField(
        max_length=200,
        blank=True,
        help_text="As LiteLLM spells it: openai/gpt-5.2. Empty: known from reported results only.",
    )
    api_base = models.URLField(blank=True, help_text="Only for a server of your own.")
    api_key_variable = models.CharField(
        max_length=100,
        blank=True,
        help_text="Name of the workers' environment variable that holds the key; never the key.",
    )
    context_window = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Tokens of input and output together; empty: as LiteLLM knows it, else 128,000.",
    )
    input_price = models.FloatField(null=True, blank=True)
    output_price = models.FloatField(null=True, blank=True)
    cached_price = models.FloatField(
        null=True, blank=True, help_text="Read from the provider's cache; empty: as input."
    )
    cache_write_price = models.FloatField(
        null=True, blank=True, help_text="Written to the provider's cache; empty: as input."
    )
    open_weights = models.BooleanField(default=False, null=True, help_text="Empty: unknown.")
    paused_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="Its runs wait since then; empty: they do not wait."
    )
    pause_reason = models.TextField(blank=True, editable=False)

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class Agent(models.Model):
    """A competitor: a kind, a model if it has one, frozen settings. A row of the leaderboard."""

    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=40)  # a name of harness.agents.registry, or REPORTED
    model = models.ForeignKey(LanguageModel, models.PROTECT, null=True, blank=True)
    settings: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, blank=True)
    description = models.TextField(blank=True)
    harness = models.CharField(
        max_length=200,
        blank=True,
        help_text="The program that calls the model, of agents from elsewhere; empty: unknown, or said by the kind.",
    )
    enabled = models.BooleanField(
        default=True,
        help_text="Offered when an evaluation is started. An agent that has runs is not deleted but switched off here.",
    )
    origin = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text="Where all of its runs come from; empty: an agent of this site.",
    )
    graded_here = models.BooleanField(
        default=False,
        editable=False,
        help_text="Of an agent from elsewhere: this site graded each of its runs that has a verdict.",
    )
    trajectories_url = models.URLField(
        max_length=500,
        blank=True,
        editable=False,
        help_text="Where the source of a reported agent has its trajectories; never opened by this site.",
    )

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The page of this agent."""
        return reverse("agent", args=[self.slug])

    @property
    def shown_harness(self) -> str:
        """The program that calls the model: what a source says, else what kind and recipe say; '' if unknown."""
        return self.harness or harness_of(self.kind, self.settings)

    @property
    def trajectories_host(self) -> str:
        """The host of `trajectories_url`."""
        return urlsplit(self.trajectories_url).hostname or ""

    @property
    def is_calibration(self) -> bool:
        """Whether it is a calibration agent, which is not a competitor."""
        return self.kind in CALIBRATION_KINDS

    @property
    def is_person(self) -> bool:
        """Whether it stands for people, who are compared with no agent."""
        return self.kind == PERSON


def harness_of(kind: str, settings: Mapping[str, Any]) -> str:
    """The harness of agents that run in this project's containers; '' for all others, and for those without a model."""
    recipe = settings.get("recipe")
    if kind == COMMAND:
        return PurePath(recipe).name if isinstance(recipe, str) else ""
    return IDE_HARNESS if kind == "ide" else ""


class NameMark(StrEnum):
    """What stands behind a name from elsewhere, in brackets: who executed and graded the runs.

    Others report results of theirs; or another site executed the runs with this harness, and sent its records, whose
    patches this site may have graded again.
    """

    REPORTED = "reported"
    RECORDED = "recorded"
    GRADED_HERE = "graded here"


def marked_name(name: str, mark: NameMark, number: int = 1) -> str:
    """A name from elsewhere with its mark, which every table, chart and file shows."""
    return f"{name} ({mark})" if number == 1 else f"{name} ({mark} {number})"


def report_origin(reported_by: str, dataset: str) -> str:
    """The origin of agents whose results in a dataset were reported. `reporter` finds the first part again."""
    return f"{reported_by} ({dataset})"


def reporter(origin: str) -> str:
    """Who reported, from the origin of such an agent."""
    return origin.rpartition(" (")[0]


def signed_name(name: str) -> str:
    """An agent's name with a sign for its mark, for charts and sentences, see `sign_of`."""
    plain = plain_name(name)
    return name if plain == name else f"{plain}\u00a0{sign_of(name[len(plain) :])}"


def sign_of(mark: str) -> str:
    """The sign for a mark behind a name: † graded here, § recorded elsewhere, ‡ reported by others."""
    return "†" if NameMark.GRADED_HERE in mark else "§" if NameMark.RECORDED in mark else "‡"


def plain_name(name: str) -> str:
    """An agent's name without the mark of one from elsewhere."""
    return _MARK.sub("", name)
