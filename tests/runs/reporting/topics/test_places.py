"""One address waits for few results at a time."""

from __future__ import annotations

import pytest

from runs.data.queries.too_many import TooMany
from runs.reporting.topics import places
from tests.conftest import RedisServer


@pytest.mark.redis
def test_an_address_has_so_many_places_and_others_have_theirs(redis: RedisServer) -> None:
    for _ in range(places.MAX_COUNT):
        places.take("192.0.2.1", 60)

    with pytest.raises(TooMany) as refused:
        places.take("192.0.2.1", 60)
    assert refused.value.wait == 60
    assert places.take("192.0.2.2", 60)
    assert places.take("", 60) == ""


@pytest.mark.redis
def test_a_place_is_free_after_the_computation(redis: RedisServer) -> None:
    for _ in range(2 * places.MAX_COUNT):
        with places.one_of("192.0.2.1", 60):
            pass
    with places.one_of("192.0.2.1", 60):
        held = [places.take("192.0.2.1", 60) for _ in range(places.MAX_COUNT - 1)]
        assert len(held) == places.MAX_COUNT - 1
        with pytest.raises(TooMany):
            places.take("192.0.2.1", 60)


def test_without_redis_there_is_no_limit() -> None:
    for _ in range(2 * places.MAX_COUNT):
        with places.one_of("192.0.2.1", 60):
            pass
