"""The list of failure modes."""

from __future__ import annotations

from runs.analysis.failures.modes import FRAMEWORK_MODES, IDE_MODES, MODES, TEXT_MODES
from runs.analysis.failures.signs import DETECTORS


def test_each_mode_is_described_once_and_can_be_looked_for() -> None:
    assert (len(IDE_MODES), len(FRAMEWORK_MODES), len(TEXT_MODES)) == (12, 7, 2)
    assert [mode.slug for mode in MODES] == list(DETECTORS)
    assert len({mode.title for mode in MODES}) == len(MODES)
    assert all(mode.criterion and mode.description and mode.source for mode in MODES)
    assert {mode.taxonomy for mode in IDE_MODES} == {"ide-bench"}
