"""Reviews and comparisons as files: `reviews/<key>.json` and `comparisons/<key>.json` in a run directory.

A file is written at once or not at all. Its key names everything that decides the answer, so a file with the same key
is the same question, and its review is used again instead of being paid for again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from harness.errors import HarnessError
from harness.judges.answer import Category, Frequency, Severity, exact_score, problems
from harness.judges.panel import JudgeSpec, digest_of
from harness.records import write_json

REVIEWS, COMPARISONS = "reviews", "comparisons"
SCHEMA: Literal[1] = 1
KEY = re.compile(r"[0-9a-f]{32}")
MAX_FILE_BYTES = 1 << 20

Status = Literal["verified", "relocated", "unverified"]
Winner = Literal["A1", "A2", "tie"]
Level = Literal["low", "medium", "high"]
Score = Annotated[float, BeforeValidator(exact_score)]
_Count = Annotated[int, Field(ge=0)]
_Dollars = Annotated[float, Field(ge=0)] | None
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)


class ReviewState(StrEnum):
    """What became of a review or a comparison. Only `done` has a score."""

    DONE = "done"
    REFUSED = "refused"  # the model or its provider's filter refused
    MALFORMED = "malformed"  # the answer did not fit, twice
    TOO_LONG = "too_long"  # the transcript exceeds the model's window
    UNPAID = "unpaid"  # the budget does not allow the call
    FAILED = "failed"  # the provider failed, or the call took too long


class ReviewFileError(HarnessError):
    """A file of a review or comparison is not valid. The message names the file and the field."""


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """The judge as it was asked. `model` is the id that the request was sent with, `parameters` all call parameters."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    model: str
    family: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, judge: JudgeSpec) -> JudgeIdentity:
        """The identity of a judge of a panel."""
        return cls(judge.name, judge.model.litellm_id, judge.family, judge.parameters.to_json())


@dataclass(frozen=True, slots=True)
class Evidence:
    """One line of evidence, looked up in the text that the judge was shown.

    `step` is what the judge said, `found_step` where the quote stands; None if it was not found, or in the final
    changes. `part` is `message`, `reasoning`, `call:N`, `result:N` or `patch`, '' if it was not found. `start` and
    `end` count characters of that part's text in the records (`rendering.call_text` for a call).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    aspect: str
    severity: Severity
    quote: str
    step: int
    status: Status
    found_step: int | None = None
    part: str = ""
    start: _Count | None = None
    end: _Count | None = None
    frequency: Frequency | None = None
    category: Category | None = None
    mechanism: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """The content of `reviews/<key>.json`: one dimension of one run, by one judge.

    `reason`: why there is no score; '' if `state` is done. `burden`: points of the pitfalls, only for that dimension.
    `cost_usd` None: unknown, not zero. `seconds`: waiting for the model. `asks`: 2 if the first answer did not fit.
    `shown_share`: the part of the trajectory's characters that the judge saw, 0 to 1.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    DIRECTORY: ClassVar[str] = REVIEWS

    key: str
    run_id: str
    try_number: int
    trajectory_digest: str
    judge: JudgeIdentity
    dimension: str
    dimension_digest: str
    sample: Annotated[int, Field(ge=1)]
    state: ReviewState
    reason: str
    score: Score | None
    text: str
    evidence: tuple[Evidence, ...]
    burden: _Count | None
    answered_model: str
    prompt_tokens: _Count
    completion_tokens: _Count
    cached_tokens: _Count
    cost_usd: _Dollars
    seconds: Annotated[float, Field(ge=0)]
    asks: _Count
    shown_share: Annotated[float, Field(ge=0, le=1)]
    rendering_version: int
    created_at: str
    schema_version: Literal[1] = SCHEMA

    def __post_init__(self) -> None:
        _check_state(self.key, self.state, self.score, self.reason)


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two runs of a comparison. `review`: the key of its review, '' without one."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    run_id: str
    try_number: int
    trajectory_digest: str
    review: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonAspect:
    """One aspect of a comparison. `winner` and `severity` are relative: how far the two runs are apart.

    A1 is the first of the comparison's `runs`, whatever the order in which the judge saw them. `run` says which run is
    quoted, 1 or 2; the other fields of the quote are those of `Evidence`.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    aspect: str
    winner: Winner
    severity: Level
    quote: str
    run: Literal[1, 2]
    step: int
    status: Status
    found_step: int | None = None
    part: str = ""
    start: _Count | None = None
    end: _Count | None = None


@dataclass(frozen=True, slots=True)
class OrderedAnswer:
    """A judge's answer for one order. `first`: which of the two runs it was shown first, as Agent 1.

    `score` is −5 to 5 for `runs` in their own order, so both orders can be compared: negative if the first of them is
    better.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    first: Literal[1, 2]
    state: ReviewState
    reason: str
    score: Annotated[int, Field(ge=-5, le=5)] | None
    text: str
    aspects: tuple[ComparisonAspect, ...]
    answered_model: str
    prompt_tokens: _Count
    completion_tokens: _Count
    cached_tokens: _Count
    cost_usd: _Dollars
    seconds: Annotated[float, Field(ge=0)]
    asks: _Count


@dataclass(frozen=True, slots=True)
class Comparison:
    """The content of `comparisons/<key>.json`, in the directory of the first run.

    `score` is −5 to 5, negative if the first run is better. `flipped`: the two orders disagree about who is better; the
    score is 0. `computed`: the score follows from two burdens, and no model was asked; `orders` is empty.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT
    DIRECTORY: ClassVar[str] = COMPARISONS

    key: str
    runs: tuple[ComparedRun, ComparedRun]
    judge: JudgeIdentity
    dimension: str
    dimension_digest: str
    sample: Annotated[int, Field(ge=1)]
    state: ReviewState
    reason: str
    score: Annotated[int, Field(ge=-5, le=5)] | None
    flipped: bool
    computed: bool
    orders: tuple[OrderedAnswer, ...]
    shown_shares: tuple[float, float]
    rendering_version: int
    created_at: str
    schema_version: Literal[1] = SCHEMA

    def __post_init__(self) -> None:
        _check_state(self.key, self.state, self.score, self.reason)


class _Keyed(Protocol):
    """What a file holds: a frozen dataclass with the key that is its name, and the directory of its kind.

    Reviews are below the directory of their run, comparisons and summaries below that of their first run.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    DIRECTORY: ClassVar[str]

    @property
    def key(self) -> str: ...


Stored = TypeVar("Stored", bound=_Keyed)


def review_key(
    judge: JudgeSpec, dimension_digest: str, rendering_version: int, trajectory_digest: str, sample: int
) -> str:
    """32 hexadecimal digits of a SHA-256 over all that decides a review.

    These are the model's id and address, the parameters, the dimension's digest, the version of the rendering, the
    digest of the text that the judge is shown, and the number of the sample.
    """
    return digest_of(
        {
            **judge.key_values(),
            "dimension": dimension_digest,
            "rendering": rendering_version,
            "trajectory": trajectory_digest,
            "sample": sample,
        }
    )[:32]


def _check_state(key: str, state: ReviewState, score: float | None, reason: str) -> None:
    if not KEY.fullmatch(key):
        raise ValueError("key must be 32 hexadecimal digits")
    if (state is ReviewState.DONE) != (score is not None):
        raise ValueError("score must be set if state is done, and only then")
    if (state is ReviewState.DONE) == bool(reason):
        raise ValueError("reason must be set unless state is done")


def write_stored(directory: Path, stored: _Keyed) -> Path:
    """Writes `<key>.json` below a run directory, where its kind is; replaces one with the same key. Raises DiskFull."""
    path = directory / stored.DIRECTORY / f"{stored.key}.json"
    write_json(path, asdict(stored))
    return path


def read_stored(directory: Path, key: str, kind: type[Stored]) -> Stored | None:
    """The file of this kind and key below a run directory; None without one. Raises ReviewFileError."""
    if not KEY.fullmatch(key):
        raise ReviewFileError(f"{key!r} is not a key: expected 32 hexadecimal digits")
    return _read(directory / kind.DIRECTORY / f"{key}.json", kind)


def all_stored(directory: Path, kind: type[Stored]) -> Iterator[Stored]:
    """All files of this kind below a run directory, by key. Raises ReviewFileError at the first that is not valid."""
    for path in sorted((directory / kind.DIRECTORY).glob("*.json")):
        stored = _read(path, kind)
        if stored is not None:
            yield stored


def _read(path: Path, kind: type[Stored]) -> Stored | None:
    if path.is_symlink() or path.parent.is_symlink():
        raise ReviewFileError(f"{path}: must be a file, not a link")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return None
    if len(content) > MAX_FILE_BYTES:
        raise ReviewFileError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes")
    try:
        stored: Stored = TypeAdapter(kind).validate_json(content, strict=True)
    except ValidationError as error:
        raise ReviewFileError(f"{path}: {problems(error)}") from None
    if stored.key != path.stem:
        raise ReviewFileError(f"{path}: holds the key {stored.key}")
    return stored
