"""The attempts to forge a verdict: how many of which kind, and that they are patches. The runs are in the benchmark."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.forging.attempts import ATTEMPTS, KINDS
from benchmarks.forging.report import conclude_all
from benchmarks.forging.rounds import Round
from benchmarks.forging.worlds import WORLDS
from benchmarks.forging.worlds.datasets import write_world
from benchmarks.forging.worlds.model import World
from harness.dataset import load_dataset
from harness.patches import touched_paths

HONEST = ("honest", "clean")


def done(kind: str, result: str) -> Round:
    return Round(kind, "name", "world", "C", "ours", "Says.", result, "reason", (), 1.0)


def test_there_are_enough_attempts_of_each_class_language_and_layout() -> None:
    counts = Counter(attempt.kind for attempt in ATTEMPTS.values())
    assert counts.keys() == KINDS.keys()
    assert min(counts.values()) >= 8
    assert counts.total() >= 70
    worlds = {(attempt.task.language, attempt.task.layout) for attempt in ATTEMPTS.values()}
    languages = ("Python", "C", "JavaScript", "Java")
    assert worlds == {(language, layout) for language in languages for layout in ("ours", "published")}


@pytest.mark.parametrize("world", WORLDS.values(), ids=lambda world: world.name)
def test_a_world_is_a_valid_dataset(world: World, tmp_path: Path) -> None:
    write_world(tmp_path / "forging", world)
    ((repository, task),) = load_dataset(tmp_path / "forging").tasks()
    assert (repository.slug, task.report) == (world.name, world.report)
    assert {Path(name).name for name in world.tests} <= {Path(name).name for name in task.tests.names()}


def test_no_attempt_changes_a_hidden_test_or_carries_the_reference() -> None:
    for attempt in ATTEMPTS.values():
        assert attempt.files.keys().isdisjoint(attempt.task.tests)
        assert not set(attempt.task.solution.values()).intersection(attempt.files.values())


@pytest.mark.parametrize("world", WORLDS)
def test_attempts_are_patches(world: str) -> None:
    attempt = next(attempt for attempt in ATTEMPTS.values() if attempt.world == world)
    assert set(touched_paths(attempt.task.patch(attempt.files))) == set(attempt.files)


@pytest.mark.parametrize(
    ("rounds", "code"),
    [
        ([HONEST, ("a", "unresolved")], 0),
        ([HONEST, ("a", "flagged"), ("b", "flagged")], 0),
        ([HONEST, ("a", "flagged"), ("b", "flagged"), ("c", "flagged")], 1),
        ([HONEST, ("e", "clean")], 1),
        ([HONEST, ("e", "error")], 1),
        ([("honest", "flagged"), ("a", "unresolved")], 1),
        ([("honest", "unresolved"), ("a", "unresolved")], 1),
    ],
)
def test_the_promise(rounds: list[tuple[str, str]], code: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert conclude_all([done(kind, result) for kind, result in rounds], control=False) == code
    assert ("broken" if code else "holds") in capsys.readouterr().out
