"""Summaries as files: `summaries/<key>.json` in the directory of their first run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from harness.judges.review_file import (
    KEY,
    SCHEMA,
    JudgeIdentity,
    ReviewState,
)

SUMMARIES = "summaries"
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)
_Count = Annotated[int, Field(ge=0)]
_Number = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class SummarySource:
    """A run, or a pair of runs, that a summary refers to by its number.

    `answers`: keys of the reviews, or of the comparisons, of which the model was shown something; empty: none has a
    score. `step`: that of the first quote that was found. `score`: the mean of the comparisons' scores, −5 to 5.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    number: _Number
    run_id: str
    try_number: int
    answers: tuple[str, ...] = ()
    other_run_id: str = ""
    other_try: int = 0
    step: _Number | None = None
    score: Annotated[float, Field(ge=-5, le=5)] | None = None


@dataclass(frozen=True, slots=True)
class SummaryGroup:
    """What the sources with these numbers have in common."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    title: str
    claim: str
    numbers: tuple[_Number, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The content of `summaries/<key>.json`: of one dimension with `groups`, or with '' of the whole with `text`.

    `sources`: all runs or pairs, also those without an answer. `parts`: of the whole, the keys of the summaries that it
    was made from. `alert`: of comparisons, whether the model calls the difference alarming. `reason`: why there is no
    summary; '' if `state` is done. `cost_usd` None: unknown, not zero.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    DIRECTORY: ClassVar[str] = SUMMARIES

    key: str
    judge: JudgeIdentity
    dimension: str
    prompt_digest: str
    sources: tuple[SummarySource, ...]
    parts: tuple[str, ...]
    state: ReviewState
    reason: str
    groups: tuple[SummaryGroup, ...]
    text: str
    alert: bool | None
    answered_model: str
    prompt_tokens: _Count
    completion_tokens: _Count
    cached_tokens: _Count
    cost_usd: Annotated[float, Field(ge=0)] | None
    seconds: Annotated[float, Field(ge=0)]
    asks: _Count
    created_at: str
    schema_version: Literal[1] = SCHEMA

    def __post_init__(self) -> None:
        if not KEY.fullmatch(self.key):
            raise ValueError("key must be 32 hexadecimal digits")
        if not self.sources:
            raise ValueError("sources must name a run")
        done = self.state is ReviewState.DONE
        if done != bool(self.groups or self.text):
            raise ValueError("groups or text must be set if state is done, and only then")
        if done == bool(self.reason):
            raise ValueError("reason must be set unless state is done")

    @property
    def shown(self) -> tuple[SummarySource, ...]:
        """The sources with an answer. A count "k of n" has their number as n."""
        return tuple(source for source in self.sources if source.answers)
