"""Types that several schemas share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema, create_model

from runs.analysis.estimate import Estimate as Result
from runs.presentation.analysis_docs import method_path
from runs.transfer.run_rows import moment

Moment = Annotated[
    datetime,
    PlainSerializer(moment, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class ApiObject(BaseModel):
    """An object with exactly these fields; an extra field is an error."""

    model_config = ConfigDict(extra="forbid")


class Figure(ApiObject):
    """A number with its sample size, or the reason why there is none. `low` to `high` is its 95 % interval."""

    value: float | None = Field(description="Null if it is undefined; “reason” says why.")
    low: float | None = Field(description="Lower end of the interval; null without one.")
    high: float | None = Field(description="Upper end of the interval; null without one.")
    n: int = Field(description="Number of observations.")
    reason: str | None = Field(description="Why it has no value; null if it has one.")
    method: str = Field(description="URL of its definition.")


class Problem(BaseModel):
    """An error (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str = Field(description="The name of the status.")
    status: int
    detail: str = Field(description="What went wrong, in a sentence.")


def figure(request: HttpRequest, found: Result, anchor: str) -> dict[str, Any]:
    """The JSON object of an estimate."""
    interval = found.interval
    return {
        "value": found.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
        "n": found.n,
        "reason": found.reason or None,
        "method": method_address(request, anchor),
    }


def method_address(request: HttpRequest, anchor: str) -> str:
    """The URL of a method on the page of its group."""
    return request.build_absolute_uri(method_path(anchor))


def page_of(name: str, item: Any) -> Any:
    """The schema of a page of such items."""
    made: Any = create_model(
        name,
        __base__=ApiObject,
        __doc__="One page of a list.",
        items=(list[item], ...),
        next=(str | None, Field(description="URL of the next page; null on the last page.")),
    )
    return made
