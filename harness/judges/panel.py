"""Panels: which judges review which dimensions, how often, and how their models are called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from harness.errors import ConfigurationError
from harness.judges.dimensions import dimension_named
from harness.judges.questions import dimension_digest
from harness.llm.spec import CallSettings, ModelSpec

MIN_TEXT = 20_000
MAX_SAMPLES = 20


@dataclass(frozen=True, slots=True)
class JudgeParameters:
    """How a judge's model is called, and how much it reads. All of it is part of a review's key.

    `most_characters` limits the text of one run; a model with a small window reads less. `force_call`: whether the
    request forces the tool call. Some models refuse that together with reasoning; the prompt alone asks them for it.
    `seed`: sample n uses `seed` + n - 1.
    """

    temperature: float | None = 0.0
    max_output_tokens: int = 4000
    reasoning_effort: str | None = None
    seed: int | None = None
    most_characters: int = 400_000
    force_call: bool = True

    def __post_init__(self) -> None:
        if self.most_characters < MIN_TEXT:
            raise ConfigurationError(f"most_characters must be at least {MIN_TEXT:,}")
        if self.max_output_tokens < 1:
            raise ConfigurationError("max_output_tokens must be at least 1")

    def call_settings(self) -> CallSettings:
        """The settings of the client."""
        return CallSettings(
            temperature=self.temperature,
            max_output_tokens=self.max_output_tokens,
            reasoning_effort=self.reasoning_effort,
            seed=self.seed,
            refusal_retries=0,  # a refusal is a state of a review
        )

    def to_json(self) -> dict[str, Any]:
        """All values, for the key and the file of a review."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """One judge. `family` is the family of its model, such as `claude`: agents of the same family are its relatives."""

    name: str
    model: ModelSpec
    family: str = ""
    parameters: JudgeParameters = field(default_factory=JudgeParameters)

    def key_values(self) -> dict[str, Any]:
        """What of the judge decides its answers, and so is part of their keys."""
        model = self.model
        return {
            "model": model.litellm_id,
            "api_base": model.api_base,
            "parameters": self.parameters.to_json(),
        }


@dataclass(frozen=True, slots=True)
class Panel:
    """Judges × dimensions × samples. It does not change: another choice is another panel."""

    name: str
    dimensions: tuple[str, ...]
    judges: tuple[JudgeSpec, ...]
    samples: int = 1

    def __post_init__(self) -> None:
        """Raises ConfigurationError for unknown or repeated dimensions, repeated names, or a bad count of samples."""
        names = [judge.name for judge in self.judges]
        for what, values in (("dimension", self.dimensions), ("judge", names)):
            if not values:
                raise ConfigurationError(f"panel {self.name!r}: choose at least one {what}")
            if repeated := {value for value in values if list(values).count(value) > 1}:
                raise ConfigurationError(f"panel {self.name!r}: {what} {min(repeated)!r} is there twice")
        for name in self.dimensions:
            dimension_named(name)
        if not 1 <= self.samples <= MAX_SAMPLES:
            raise ConfigurationError(f"panel {self.name!r}: samples must be 1 to {MAX_SAMPLES}")

    @property
    def prompt_digest(self) -> str:
        """SHA-256 over the names and digests of its dimensions, in order of their names; 64 hexadecimal digits."""
        digests = {name: dimension_digest(dimension_named(name)) for name in sorted(self.dimensions)}
        return digest_of(digests)


def digest_of(values: Mapping[str, Any]) -> str:
    """SHA-256 of the values as canonical JSON; 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps(values, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
