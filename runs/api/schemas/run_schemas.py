"""Runs, and the contents of their directories."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import Field, create_model

from runs.api.schemas.common_schemas import ApiObject, Moment, page_of
from runs.transfer.export_columns import COLUMNS, ExportColumn
from runs.transfer.export_tables.behaviour_rows import BEHAVIOUR_COLUMNS, SIGN_COLUMNS

_TYPES: dict[str, Any] = {
    "whole": int,
    "number": float,
    "text": str,
    "texts": list[str],
    "wholes": list[int],
    "flag": bool,
    "moment": Moment,
}


def _field(column: ExportColumn) -> tuple[Any, Any]:
    kind = _TYPES[column.kind]
    return (kind | None if column.null else kind, Field(description=column.description))


def _fields(columns: Iterable[ExportColumn]) -> dict[str, Any]:
    """The same fields as in an exported row, from the same list."""
    return {column.name: _field(column) for column in columns}


RunShape: Any = create_model(
    "Run",
    __base__=ApiObject,
    __doc__="One attempt of one agent at one task. Unknown values are null.",
    **_fields(COLUMNS),
    url=(str, Field(description="URL of its replay page.")),
)
RunPage = page_of("RunPage", RunShape)
BehaviourShape: Any = create_model(
    "Behaviour",
    __base__=ApiObject,
    __doc__="What was counted in the trajectory of a run. A feature that is undefined is null.",
    **_fields(BEHAVIOUR_COLUMNS),
)
BehaviourPage = page_of("BehaviourPage", BehaviourShape)
SignShape: Any = create_model(
    "Sign",
    __base__=ApiObject,
    __doc__="A failure mode that a run shows, or for which this cannot be decided.",
    **_fields(SIGN_COLUMNS),
)
SignPage = page_of("SignPage", SignShape)


class CallResult(ApiObject):
    """The result of a tool call."""

    content: str
    ok: bool | None = Field(
        description="False if the tool refused or failed; null if the record of another harness does not say. The "
        "exit code of a command does not matter."
    )
    seconds: float | None
    started_at: str | None = Field(description="When the call started; null if that was not recorded.")
    artifacts: list[str] = Field(description="Names of pictures, at /runs/{id}/artifacts/{name}.")


class Call(ApiObject):
    """One tool call; `result` is null if the run ended before it came."""

    id: str
    tool: str
    arguments: dict[str, Any]
    result: CallResult | None


class StepMetrics(ApiObject):
    """One response of a model. Unknown values are null."""

    prompt_tokens: int | None
    completion_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    seconds: float | None
    finish_reason: str


class FileChange(ApiObject):
    """One file that a step changed, by any means."""

    path: str
    change: str = Field(description="added, modified or deleted.")
    added: int
    removed: int
    binary: bool
    syntax_ok: bool | None = Field(description="Null: not checked.")
    diff: str = Field(description="Unified diff; it may be cut.")


class StepShape(ApiObject):
    """One message of the conversation; one of the agent includes its calls, their results and edits."""

    number: int = Field(description="Counted from 1, over all sources.")
    source: str = Field(description="system, user or agent.")
    timestamp: str | None
    message: str
    reasoning: str
    calls: list[Call]
    metrics: StepMetrics | None = Field(description="Null without a model call.")
    edits: list[FileChange]


class TestShape(ApiObject):
    """One hidden test and its status. What a test wrote itself may quote the hidden tests, and is for operators."""

    id: str
    status: str = Field(description="passed, failed, error, skipped, expected_failure or missing.")
    seconds: float | None = Field(description="Always null.")
    message: str = Field(description="Always empty.")
    message_is_cut: bool = Field(description="Always false.")


class EditShape(ApiObject):
    """The workspace changes of one step."""

    step: int
    files: list[FileChange]


class NoteShape(ApiObject):
    """What a person wrote about one step."""

    id: int
    step: int = Field(description="Number of the step.")
    author: str = Field(description="A pseudonym.")
    text: str = Field(description="Plain text, at most 2,000 characters.")
    created_at: Moment
    changed_at: Moment | None = Field(description="Null: as it was written.")
    url: str


class PatchShape(ApiObject):
    """The final patch of a run."""

    run: int
    bytes: int = Field(description="Length of the whole patch.")
    patch: str = Field(
        description="In Git's format; bytes that are not UTF-8 are replaced. Empty: nothing changed."
    )
    is_cut: bool = Field(description="Whether it is cut; “raw” has all of it, byte for byte.")
    raw: str


StepPage = page_of("StepPage", StepShape)
TestPage = page_of("TestPage", TestShape)
EditPage = page_of("EditPage", EditShape)
NotePage = page_of("NotePage", NoteShape)
