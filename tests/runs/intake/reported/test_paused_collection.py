"""The garbage collector during an import."""

from __future__ import annotations

import contextlib
import gc

from runs.intake.reported.paused_collection import paused_collection


def test_the_collector_pauses_and_goes_on_also_after_an_error() -> None:
    with contextlib.suppress(ValueError), paused_collection():
        assert not gc.isenabled()
        raise ValueError
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
