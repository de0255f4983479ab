"""Chooses traps: the candidates for admission, those that a proof still allows, and some of them for each test run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random

from harness.dataset import Trap
from harness.grading.traps.diffs import written_traps
from harness.grading.traps.grammars import text_of_file
from harness.grading.traps.result_ids import (
    every_name,
    has_name,
    holder_of,
    is_unique,
    may_report,
    original_of,
    test_of,
)
from harness.grading.traps.twins import twins_in
from harness.patches import FileState

MIN_COUNT, USUAL, MAX_COUNT = 3, 5, 6
SHARE = 0.1
_TESTS_PER_TRAP = 6


def candidates(files: Iterable[FileState], tests: Collection[str], diffs: Sequence[Path] = ()) -> list[Trap]:
    """The traps of the author's `diffs`; without any, those that tools can make of these files, the best first.

    `tests`: the ids of all tests in reports. Traps are made of tests that are reported, not of those in other files,
    nor of those that other files have under the same name.
    Only the reference patch shows which traps are good.
    """
    if diffs:
        return written_traps(diffs)
    made = {
        file.path: [twin for twin in twins_in(file.path, text) if twin.exclusive]
        for file in files
        if (text := text_of_file(file)) is not None
    }
    reported = {
        path: [test for test in tests if any(has_name(test, holder_of(path, twin.key)) for twin in twins)]
        for path, twins in made.items()
    }
    if not any(reported.values()):  # ids without files, as of mocha
        reported = {path: list(tests) for path in made}
    elsewhere = set(tests).difference(*reported.values())
    found = [
        (number, Trap(path, twin.key, twin.digest))
        for path, twins in made.items()
        for number, twin in enumerate(twins)
        if any(may_report(test, twin.test) for test in reported[path])
        and not any(has_name(test, twin.test) for test in elsewhere)
    ]
    return [trap for _, trap in sorted(found, key=lambda one: one[0])]


def still_made(
    files: Iterable[FileState], known: Sequence[Trap], diffs: Sequence[Path] = ()
) -> dict[Trap, bool]:
    """The `known` traps that this version still makes in the same way, each with whether code could tell it.

    Code could tell a trap that is telling (see `Twin`), or that is never swapped with its original (see `Placed`).
    """
    if diffs:
        written = written_traps(diffs)
        return {trap: False for trap in known if trap in written}
    files = list(files)
    every = every_name(files)
    wanted = {trap.file for trap in known}
    made = {
        Trap(file.path, twin.key, twin.digest): twin.telling or not is_unique(twin.test, every)
        for file in files
        if file.path in wanted and (text := text_of_file(file)) is not None
        for twin in twins_in(file.path, text)
    }
    return {trap: made[trap] for trap in known if trap in made}


def choose(
    known: Mapping[Trap, bool],
    tests: int,
    random: Random,
    unsolved: Collection[str] = (),
    *,
    seconds: float = inf,
) -> list[Trap]:
    """Some of the `known` traps for one run of `tests` tests: USUAL to MAX_COUNT of different originals.

    `known`: see `still_made`; traps that code could tell come last. Two traps of one original show which value is the
    right one: it is in the original and the other trap.
    `unsolved`: the ids of tests that fail without a solution. Their traps are preferred: of another test, the unchanged
    code or a published older version of the file shows what it expects.
    `seconds`: what the run takes without traps. The first trap may take any time, so that each test has its turn; the
    others together at most SHARE of these seconds, or they are the quickest. Without this rule, a starter task took
    1.6 times as long to grade.
    """
    shuffled = sorted(random.sample(list(known), len(known)), key=known.__getitem__)
    first: dict[tuple[str, str], Trap] = {}
    for trap in shuffled:
        first.setdefault((trap.file, test_of(trap.key)), trap)
    count = max(MIN_COUNT, min(max(USUAL, tests // _TESTS_PER_TRAP), MAX_COUNT, len(first)))
    preferred = sorted(
        first.values(),
        key=lambda trap: known[trap] or not any(may_report(test, original_of(trap)) for test in unsolved),
    )
    quick = _within(preferred[1:], seconds * SHARE)
    others = sorted((trap for trap in preferred[1:] if trap not in quick), key=lambda trap: trap.seconds)
    again = [trap for trap in shuffled if trap not in first.values()]
    chosen = [*preferred[:1], *quick][:count]
    return [*chosen, *[*others, *again][: max(0, MIN_COUNT - len(chosen))]]


def _within(traps: Iterable[Trap], seconds: float) -> list[Trap]:
    """Those of the traps that take at most these seconds together, the first ones first."""
    taken: list[Trap] = []
    for trap in traps:
        if trap.seconds <= seconds:
            taken.append(trap)
            seconds -= trap.seconds
    return taken
