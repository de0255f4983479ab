"""The runs of all faults and decoys, as they ship with the project: judges are measured without a container."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.judges.faults.catalogue import HERE, Case, Decoy, Fault, Variant, cases, decoys, faults
from harness.records import EDITS, PATCH, SUMMARY, TESTS, TRAJECTORY, RunRecord
from harness.records.packing import pack, unpack
from harness.scratch import scratch

ARCHIVE = HERE / "recorded.tar.xz"
_FILES = (SUMMARY, TRAJECTORY, EDITS, PATCH, TESTS)  # judges do not see the log of the grading


class Plays:
    """A directory with the runs of all faults and decoys, as `player.play_all` makes it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def record(self, case: Case, variant: Variant) -> RunRecord:
        """The run of one twin."""
        return RunRecord(self.directory / case.id / variant)

    def pairs(self) -> Iterator[tuple[Fault, RunRecord, RunRecord]]:
        """Each fault with the faulty run and the clean run."""
        for fault in faults():
            yield fault, self.record(fault, Variant.CHANGED), self.record(fault, Variant.CLEAN)

    def decoys(self) -> Iterator[tuple[Decoy, RunRecord, RunRecord]]:
        """Each decoy with the changed run and the clean run."""
        for decoy in decoys():
            yield decoy, self.record(decoy, Variant.CHANGED), self.record(decoy, Variant.CLEAN)

    def pack(self, archive: Path) -> None:
        """Writes the runs to an archive such as the shipped one."""
        pack(
            archive,
            (
                (self.record(case, variant).directory / name, f"{case.id}/{variant}/{name}")
                for case in cases()
                for variant in Variant
                for name in _FILES
                if (self.record(case, variant).directory / name).is_file()
            ),
        )


@contextmanager
def recorded_plays(archive: Path = ARCHIVE) -> Iterator[Plays]:
    """The shipped runs, in a temporary directory that is removed afterwards."""
    with scratch("faults") as directory:
        unpack(archive, directory)
        yield Plays(directory)
