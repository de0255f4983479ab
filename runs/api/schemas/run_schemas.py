"""Runs and what lies in their directories."""

from __future__ import annotations

from typing import Any

from pydantic import Field, create_model

from runs.api.schemas.common_schemas import ApiObject, Moment, page_of
from runs.transfer.export_columns import COLUMNS, ExportColumn

_TYPES: dict[str, Any] = {
    "whole": int,
    "number": float,
    "text": str,
    "texts": list[str],
    "flag": bool,
    "moment": Moment,
}


def _field(column: ExportColumn) -> tuple[Any, Any]:
    kind = _TYPES[column.kind]
    return (kind | None if column.null else kind, Field(description=column.told))


# The same fields as an exported row, made of the same list.
_fields: dict[str, Any] = {column.name: _field(column) for column in COLUMNS}
RunShape: Any = create_model(
    "Run",
    __base__=ApiObject,
    __doc__="One attempt of one agent on one task. What is unknown is null.",
    **_fields,
    url=(str, Field(description="Its replay, for people.")),
)
RunPage = page_of("RunPage", RunShape)


class CallResult(ApiObject):
    """What a tool gave back."""

    content: str
    ok: bool = Field(description="False: the tool refused or failed. A command's exit code is no failure.")
    seconds: float
    artifacts: list[str] = Field(description="Names of pictures: /runs/{id}/artifacts/{name}.")


class Call(ApiObject):
    """One tool call; `result` is null where the run ended before it came."""

    id: str
    tool: str
    arguments: dict[str, Any]
    result: CallResult | None


class StepMetrics(ApiObject):
    """One answer of a model. Null: unknown."""

    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    seconds: float | None
    finish_reason: str


class FileChange(ApiObject):
    """One file that a step changed, by whatever means."""

    path: str
    change: str = Field(description="added, modified or deleted.")
    added: int
    removed: int
    binary: bool
    syntax_ok: bool | None = Field(description="Null: nobody checked.")
    diff: str = Field(description="Unified; it may be cut.")


class StepShape(ApiObject):
    """One message of the conversation; an agent's comes with its calls, their results and what they changed."""

    number: int = Field(description="From 1, over all sources.")
    source: str = Field(description="system, user or agent.")
    timestamp: str | None
    message: str
    reasoning: str
    calls: list[Call]
    metrics: StepMetrics | None = Field(description="Null where no model was asked.")
    edits: list[FileChange]


class TestShape(ApiObject):
    """One hidden test, and what became of it."""

    id: str
    status: str = Field(description="passed, failed, error, skipped, expected_failure or missing.")
    seconds: float | None
    message: str
    message_is_cut: bool


class EditShape(ApiObject):
    """What one step changed in the workspace."""

    step: int
    files: list[FileChange]


class PatchShape(ApiObject):
    """The final patch of a run."""

    run: int
    bytes: int = Field(description="Length of the whole patch.")
    patch: str = Field(
        description="Git's format; bytes that are no UTF-8 are replaced. Empty: nothing changed."
    )
    is_cut: bool = Field(description="Whether it goes on: “raw” has all of it, byte for byte.")
    raw: str


StepPage = page_of("StepPage", StepShape)
TestPage = page_of("TestPage", TestShape)
EditPage = page_of("EditPage", EditShape)
