"""Work in containers: what keeps it from beginning, and what is left when a worker dies."""

from __future__ import annotations

import pytest

from runs.intake.submissions.regrading import RegradingWork
from runs.jobs import swept_work
from runs.jobs.swept_work import engine_trouble
from runs.work.generation.generation_jobs import GenerationWork
from tests.runs.work.generation.made_jobs import Engine


class AwayEngine(Engine):
    """Does not respond."""

    available = False
    reason = "Docker does not respond."
    remedy = "Start it."


def test_containers_are_labelled_by_the_kind_and_the_row() -> None:
    assert GenerationWork().instance_of(7).endswith("-generation-7")
    assert RegradingWork().instance_of(7).endswith("-regrading-7")


def test_what_a_dead_worker_left_is_removed_if_the_engine_responds(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, away = Engine(), AwayEngine()
    for each in (engine, away):
        monkeypatch.setattr(swept_work, "open_engine", lambda each=each: each)
        GenerationWork().remove_containers(7)
    assert (engine.swept, away.swept) == ([GenerationWork().instance_of(7)], [])


def test_work_in_containers_needs_an_engine_and_space(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_trouble(AwayEngine()) == "Docker does not respond. Start it."  # type: ignore[arg-type]
    assert engine_trouble(Engine()) == ""  # type: ignore[arg-type]
    monkeypatch.setattr(swept_work, "no_space", lambda: "the disk is full")
    assert engine_trouble(Engine()) == "the disk is full"  # type: ignore[arg-type]
