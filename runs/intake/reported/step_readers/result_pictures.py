"""Pictures that a file holds in the results of calls: PNG and JPEG files as base64. No address is followed.

Readers put the data into `ToolResult.artifacts`; they are checked by their content and stored as those of our own runs.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from harness.pictures import JPEG_START, MAX_PICTURE_BYTES, PICTURE_SUFFIXES, PNG_START, picture_type
from harness.records import ARTIFACTS, MAX_ARTIFACTS, Step, ToolResult
from runs.intake.reported.report_document import pick, pick_list

MAX_OF_RESULT = 20
# Without the last letter, in which the next byte begins.
_STARTS = (base64.b64encode(PNG_START).decode()[:10], base64.b64encode(JPEG_START).decode())
_MAX_ENCODED = MAX_PICTURE_BYTES * 4 // 3 + 4


def pictures_of(content: Any) -> tuple[str, ...]:
    """The pictures in the parts of a result's content, as base64, at most 20. Others are only named in its text."""
    return tuple(islice(filter(None, map(_encoded, pick_list(content))), MAX_OF_RESULT))


def _encoded(part: Any) -> str:
    for names in (("source", "data"), ("image",), ("image_url",), ("image_url", "url"), ("data",)):
        value = pick(part, *names)
        if isinstance(value, str):
            data = value.partition(";base64,")[2] if value.startswith("data:") else value
            if data.startswith(_STARTS) and len(data) <= _MAX_ENCODED:
                return data
    return ""


class StoredPictures:
    """The pictures of a run directory, at most 200."""

    def __init__(self, directory: Path) -> None:
        self._home = directory / ARTIFACTS
        self._count = 0

    def named(self, step: Step) -> Step:
        """Stores the pictures of a step. Its results then have their names; invalid ones are dropped."""
        if not any(result.artifacts for result in step.results):
            return step
        results = (
            replace(result, artifacts=tuple(self._names(step.step_id, result))) for result in step.results
        )
        return replace(step, results=tuple(results))

    def _names(self, number: int, result: ToolResult) -> Iterator[str]:
        for data in result.artifacts:
            if not data.startswith(_STARTS):
                yield data  # the name of a picture of our own
            elif self._count < MAX_ARTIFACTS and (picture := _decoded(data)):
                content, suffix = picture
                self._count += 1
                self._home.mkdir(exist_ok=True)
                name = f"step-{number}-{self._count}{suffix}"
                (self._home / name).write_bytes(content)
                yield name


def _decoded(data: str) -> tuple[bytes, str] | None:
    """A picture, and how the name of its file ends; None if the data are none that may be stored."""
    try:
        content = base64.b64decode(data, validate=True)
        return content, PICTURE_SUFFIXES[picture_type(content)]
    except ValueError:
        return None
