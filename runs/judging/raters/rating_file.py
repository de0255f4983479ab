"""Ratings as files: `ratings/<key>.json` in the run directory, one for each person, run and round, signed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from harness.errors import HarnessError
from harness.judges.answer import MAX_QUOTE_LENGTH
from harness.judges.review_file import KEY, Score, Status
from harness.records import write_json
from runs.work.execution.run_signature import sign_file

RATINGS = "ratings"
MAX_FILE_BYTES = 1 << 18
MAX_FILES = 1000
MAX_TEXT_LENGTH = 2000
MAX_DIMENSIONS = 20
_STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)
_Name = Annotated[str, Field(min_length=1, max_length=100)]
_Count = Annotated[int, Field(ge=0, lt=2**31)]


class RatingFileError(HarnessError):
    """The file of a rating is not valid. The message names the file and the field."""


@dataclass(frozen=True, slots=True)
class RatedQuote:
    """A quote that a person gave, looked up in the text that was shown; the fields are those of a judge's evidence."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    quote: Annotated[str, Field(max_length=MAX_QUOTE_LENGTH)]
    step: _Count
    status: Status
    found_step: _Count | None
    part: Annotated[str, Field(max_length=40)]
    start: _Count | None
    end: _Count | None


@dataclass(frozen=True, slots=True)
class RatedDimension:
    """The score of one dimension: 0, 0.5 or 1. `text` may be empty."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    dimension: _Name
    score: Score
    text: Annotated[str, Field(max_length=MAX_TEXT_LENGTH)] = ""
    evidence: Annotated[tuple[RatedQuote, ...], Field(max_length=MAX_DIMENSIONS)] = ()


@dataclass(frozen=True, slots=True)
class StoredRating:
    """The content of the file. `rater`: the pseudonym. `seconds`: from opening the form to saving it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    key: Annotated[str, Field(pattern=KEY)]
    run_id: str
    try_number: Annotated[int, Field(ge=1)]
    rater: Annotated[str, Field(min_length=1, max_length=40)]
    round: Annotated[int, Field(ge=1, le=1000)]
    dimensions: Annotated[tuple[RatedDimension, ...], Field(min_length=1, max_length=MAX_DIMENSIONS)]
    seconds: Annotated[float, Field(ge=0)]
    trajectory_digest: _Name
    rendering_version: int
    created_at: str
    schema_version: Literal[1] = 1


def rating_key(run_id: str, try_number: int, rater: str, number: int) -> str:
    """The name of the file: 32 hexadecimal digits of a SHA-256 over run, try, person and round."""
    return hashlib.sha256(json.dumps([run_id, try_number, rater, number]).encode()).hexdigest()[:32]


def write_rating(directory: Path, stored: StoredRating) -> None:
    """Writes and signs the file, at once or not at all; replaces one with the same key.

    Raises DiskFull and OSError.
    """
    path = directory / RATINGS / f"{stored.key}.json"
    write_json(path, asdict(stored))
    sign_file(path)


def rating_files(directory: Path) -> Iterator[Path]:
    """The files of the ratings in a run directory, by key. Raises RatingFileError if they are too many."""
    for number, path in enumerate(sorted((directory / RATINGS).glob("*.json"))):
        if number >= MAX_FILES:
            raise RatingFileError(f"{path.parent}: more than {MAX_FILES} ratings")
        yield path


def read_rating(path: Path) -> StoredRating:
    """The content of a file. Raises RatingFileError."""
    if path.is_symlink() or path.parent.is_symlink():
        raise RatingFileError(f"{path}: must be a file, not a link")
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise RatingFileError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes")
    try:
        stored = TypeAdapter(StoredRating).validate_json(content, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise RatingFileError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if stored.key != rating_key(stored.run_id, stored.try_number, stored.rater, stored.round):
        raise RatingFileError(f"{path}: key: must be that of its run, try, person and round")
    if stored.key != path.stem:
        raise RatingFileError(f"{path}: key: must be the name of the file")
    if len({each.dimension for each in stored.dimensions}) < len(stored.dimensions):
        raise RatingFileError(f"{path}: dimensions: must name each dimension once")
    return stored
