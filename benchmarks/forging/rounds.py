"""One round: a patch is graded as a competitor's run is, and on request also run without a defence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.forging.attempts import Attempt
from benchmarks.forging.control import forges_without_defence
from benchmarks.forging.worlds.datasets import Place
from harness.errors import HarnessError
from harness.grading.grade import grade
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.docker import DockerEngine


@dataclass(frozen=True, slots=True)
class Round:
    """`kind`: the attempt's class, or 'honest'. `result`: clean, flagged, unresolved or error.

    `control`: whether it forges without a defence; None if that was not tried. `note`: why not.
    """

    kind: str
    name: str
    world: str
    language: str
    layout: str
    says: str
    result: str
    reason: str
    flags: tuple[str, ...]
    seconds: float
    control: bool | None = None
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        return asdict(self)


def attempt_round(
    engine: DockerEngine, place: Place, attempt: Attempt, instance: str, *, control: bool
) -> Round:
    """Grades an attempt."""
    patch = place.world.patch(attempt.files)
    forged, note = None, ""
    if control:
        forged, note = forges_without_defence(
            place.repository, place.task, engine.image(place.repository), patch
        )
    return _graded(
        engine, place, patch, instance, kind=attempt.kind, name=attempt.name, says=attempt.says,
        control=forged, note=note,
    )  # fmt: skip


def honest_rounds(engine: DockerEngine, place: Place, instance: str) -> Iterator[Round]:
    """Grades every honest solution of a world."""
    for name, files in place.world.solutions().items():
        yield _graded(
            engine, place, place.world.patch(files), instance,
            kind="honest", name=name, says="A solution of the task.",
        )  # fmt: skip


def _graded(engine: DockerEngine, place: Place, patch: bytes, instance: str, **known: Any) -> Round:
    began = time.monotonic()
    flags: tuple[str, ...] = ()
    try:
        owner = Owner(instance, known["name"])
        done = grade(engine, place.repository, place.task, patch, use=ContainerUse(owner), confirm=True)
    except HarnessError as error:
        result, reason = "error", f"{type(error).__name__}: {error}"
    else:
        flags = tuple(f"{flag.kind} {flag.path}: {flag.note}" for flag in done.flags)
        result = ("flagged" if flags else "clean") if done.resolved else "unresolved"
        reason = done.reason
    return Round(
        world=place.world.name,
        language=place.world.language,
        layout=place.world.layout,
        result=result,
        reason=reason,
        flags=flags,
        seconds=round(time.monotonic() - began, 2),
        **known,
    )
