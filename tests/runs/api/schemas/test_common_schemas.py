"""Types that several objects of the API share."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.test import RequestFactory
from pydantic import ValidationError

from runs.analysis.estimate import Estimate, Interval
from runs.api.schemas.common_schemas import ApiObject, Figure, Moment, figure, method_address, page_of

REQUEST = RequestFactory().get("/api/v1/leaderboard")


class Event(ApiObject):
    """Something at a time."""

    at: Moment


def test_a_figure_has_a_value_with_its_interval_or_a_reason() -> None:
    method = "http://testserver/methods/pass-rates/#pass-rate"

    assert figure(REQUEST, Estimate(0.5, 8, interval=Interval(0.25, 0.75)), "pass-rate") == {
        "value": 0.5,
        "low": 0.25,
        "high": 0.75,
        "n": 8,
        "reason": None,
        "method": method,
    }
    unknown = figure(REQUEST, Estimate.unknown("no price", 3), "pass-rate")
    assert unknown == {
        "value": None,
        "low": None,
        "high": None,
        "n": 3,
        "reason": "no price",
        "method": method,
    }
    assert Figure(**unknown).model_dump() == unknown
    assert method_address(REQUEST, "pass-rate") == method


def test_a_time_is_in_utc_with_a_z() -> None:
    noon = datetime(2026, 3, 10, 12, 30, tzinfo=timezone(timedelta(hours=2)))

    assert Event(at=noon).model_dump() == {"at": "2026-03-10T10:30:00Z"}
    assert Event(at=datetime(2026, 3, 10, tzinfo=UTC)).model_dump() == {"at": "2026-03-10T00:00:00Z"}
    assert Event.model_json_schema(mode="serialization")["properties"]["at"]["format"] == "date-time"


def test_an_object_has_exactly_its_fields() -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Event(at=datetime(2026, 3, 10, tzinfo=UTC), secret=1)  # type: ignore[call-arg]


def test_a_page_has_items_and_the_next_page() -> None:
    page: Any = page_of("EventPage", Event)
    event = {"at": "2026-03-10T00:00:00Z"}

    assert page.__name__ == "EventPage"
    assert page(items=[event], next=None).model_dump() == {"items": [event], "next": None}
    assert set(page.model_json_schema()["required"]) == {"items", "next"}
    with pytest.raises(ValidationError):
        page(items=[{"at": "noon"}], next=None)
