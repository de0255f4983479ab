from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from harness.judges.faults.catalogue import Variant, case, cases
from harness.judges.faults.player import play, play_all
from harness.judges.faults.recorded import Plays, recorded_plays
from harness.sandbox.docker import DockerEngine
from tests.harness.judges.faults.comparing import played

INSTANCE = f"test-faults-{os.getpid()}"


@pytest.mark.engine
@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("own-work-wiped", Variant.CHANGED),  # in C, with more steps
        ("question-brushed-off", Variant.CLEAN),  # the user replies
        ("outcome-flipped-to-unresolved", Variant.CHANGED),  # in Python, with another outcome in its record
    ],
)
def test_a_play_gives_the_recorded_run_but_for_the_times(tmp_path: Path, name: str, variant: Variant) -> None:
    one = case(name)
    with closing(DockerEngine()) as engine:
        summary = play(one, variant, engine, tmp_path / one.id / variant, instance=INSTANCE)
    with recorded_plays() as recorded:
        old, new = recorded.record(one, variant), Plays(tmp_path).record(one, variant)
        before = old.summary()
        assert before is not None
        assert played(new) == played(old)
        assert new.patch() == old.patch()
        assert [(test.id, test.status) for test in new.tests()] == [
            (test.id, test.status) for test in old.tests()
        ]
        assert (summary.outcome, summary.identity, summary.tests_passed) == (
            before.outcome,
            before.identity,
            before.tests_passed,
        )


def test_finished_plays_are_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    reports: list[object] = []
    with recorded_plays() as recorded, closing(DockerEngine()) as engine:
        play_all(cases(), engine, recorded.directory, lambda *report: reports.append(report))
    assert reports == []
