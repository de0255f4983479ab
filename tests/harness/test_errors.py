"""What errors carry beside their message."""

from __future__ import annotations

import pytest

from harness.errors import (
    AgentError,
    ContentRefused,
    DiskFull,
    EngineFull,
    EngineUnavailable,
    ImageBuildFailed,
    InfrastructureError,
    ModelError,
)


def test_an_engine_that_is_not_there_says_where_and_what_to_do() -> None:
    error = EngineUnavailable("nothing responds at unix:///x", "start Docker")
    assert (error.reason, error.remedy) == ("nothing responds at unix:///x", "start Docker")
    assert str(error) == "nothing responds at unix:///x: start Docker"
    assert str(EngineUnavailable("nothing responds")) == "nothing responds"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (InfrastructureError("x"), "engine"),
        (EngineUnavailable("x"), "engine"),
        (EngineFull("x"), "engine's disk full"),
        (ImageBuildFailed("x"), "image build"),
        (DiskFull("x"), "disk full"),
    ],
)
def test_a_failure_of_the_infrastructure_names_the_part_that_failed(
    error: InfrastructureError, kind: str
) -> None:
    assert error.kind == kind


def test_a_refusal_by_a_provider_has_no_status_unless_it_says_so() -> None:
    error = ModelError("no")
    assert (str(error), error.status) == ("no", 0)
    error = ModelError("no", status=400)
    assert (str(error), error.status) == ("no", 400)


def test_refused_content_is_the_agents_failure() -> None:
    assert isinstance(ContentRefused("no"), AgentError)
