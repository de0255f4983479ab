"""What objects of the API are made of."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema, create_model

from runs.analysis.estimate import Estimate as Result
from runs.transfer.run_rows import moment

Moment = Annotated[
    datetime,
    PlainSerializer(moment, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class ApiObject(BaseModel):
    """An object with exactly these fields: one too many is our mistake, and a test finds it."""

    model_config = ConfigDict(extra="forbid")


class Figure(ApiObject):
    """A number with what it rests on, or the reason why there is none. `low` to `high` is its 95 % interval."""

    value: float | None = Field(
        description="Null where it is undefined: “reason” says why. Never 0 for that."
    )
    low: float | None = Field(description="Lower end of the interval; null where there is none.")
    high: float | None = Field(description="Upper end of the interval; null where there is none.")
    n: int = Field(description="How many observations it rests on.")
    reason: str | None = Field(description="Why it has no value; null where it has one.")
    method: str = Field(description="Address of what it means and how it is made.")


class Problem(BaseModel):
    """What went wrong (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str = "about:blank"
    title: str = Field(description="The status in words.")
    status: int
    detail: str = Field(description="What is wrong, in a sentence.")


def figure(request: HttpRequest, found: Result, anchor: str) -> dict[str, Any]:
    """A result as the API writes it."""
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
    """Where the methods page tells of it."""
    return request.build_absolute_uri(f"/methods/#{anchor}")


def page_of(name: str, item: Any) -> Any:
    """The shape of a page of such items."""
    made: Any = create_model(
        name,
        __base__=ApiObject,
        __doc__="One page of a list.",
        items=(list[item], ...),
        next=(str | None, Field(description="Address of the next page; null on the last one.")),
    )
    return made
