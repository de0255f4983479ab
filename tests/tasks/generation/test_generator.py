"""A whole plan: what is made, screened and admitted, and that nothing is lost or done twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.patches import FileState
from tasks.generation.corrupting.candidates import Candidate, CandidateStore, Kind, Reason
from tasks.generation.generation_request import Plan
from tasks.generation.generator import Generator
from tasks.generation.maps.code_map import FunctionKey
from tasks.generation.suite.hidden_suite import SuiteRun
from tasks.generation.suite.screening import Screener, Thresholds, measure_baseline
from tests.tasks.generation.small import MODULE, Suite, source_in, tree_of

ALL = (Kind.REMOVE, Kind.CORRUPT, Kind.MULTI)
LOOSE = Thresholds(removal=2, corruption=1)
CALLS: list[tuple[FunctionKey, FunctionKey]] = [
    ((MODULE, "fill", 0), (MODULE, "Shelf.add", 0)),
    ((MODULE, "fill", 0), (MODULE, "Shelf.free", 0)),
    ((MODULE, "heaviest", 0), (MODULE, "fill", 0)),
    ((MODULE, "fill", 0), (MODULE, "Shelf.__init__", 0)),
]


class Killed(BaseException):
    """The process ends here, as by kill -9."""


class World:
    """A source, its tests, and a store. `killed_at`: the number of the step at which the process ends."""

    def __init__(self, root: Path, store: str) -> None:
        self.source = source_in(root / "source")
        self.suite = Suite(self.source)
        self.store = CandidateStore(root / store)
        self.admitted: list[str] = []
        self.steps = 0
        self.killed_at = 0

    def step(self) -> None:
        self.steps += 1
        if self.steps == self.killed_at:
            raise Killed

    def run_suite(self, changed: list[FileState], timeout: float) -> SuiteRun:
        self.step()
        return self.suite(changed, timeout)

    def admit(self, candidate: Candidate) -> Candidate:
        self.step()
        self.admitted.append(candidate.key)
        return replace(candidate, task=f"task-{candidate.key}")

    def generate(
        self,
        plan: Plan,
        admit: Callable[[Candidate], Candidate] | None = None,
        thresholds: Thresholds = LOOSE,
    ) -> list[Candidate]:
        baseline = measure_baseline(self.suite, thresholds)
        self.suite.runs.clear()
        screener = Screener(self.source, self.run_suite, baseline, thresholds)  # type: ignore[arg-type]
        generator = Generator(
            self.store, tree_of(self.source), screener, admit=admit or self.admit, calls=CALLS
        )
        with self.store.locked():
            return generator.run(plan)

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.store.directory.glob("*.json")}


PLAN = Plan(ALL, seed=5, per_function=2, least_lines=1)


def test_each_candidate_becomes_a_task_or_is_refused_with_a_reason(tmp_path: Path) -> None:
    world = World(tmp_path, "store")
    finished = world.generate(PLAN)
    assert {one.key for one in finished} == {one.key for one in world.store.all()}
    assert all(bool(one.task) != bool(one.refusal) for one in finished)
    kinds = {kind: [one for one in finished if one.kind is kind] for kind in ALL}
    assert len(kinds[Kind.REMOVE]) == 7
    removed = {one.targets[0].name: one for one in kinds[Kind.REMOVE]}
    assert {name for name, one in removed.items() if one.task} == {
        "Shelf.__init__", "Shelf.add", "Shelf.free", "fill", "heaviest",
    }  # fmt: skip
    reasons = {name: one.refusal.reason for name, one in removed.items() if one.refusal}
    assert reasons == {"Shelf.abstract": Reason.NO_SITE, "unused": Reason.SURVIVED}
    assert any(one.task for one in kinds[Kind.CORRUPT])
    groups = [one for one in kinds[Kind.MULTI] if one.task]
    assert groups
    tasks = {one.key for one in kinds[Kind.CORRUPT] if one.task}
    assert all(set(group.parts) <= tasks and len(group.targets) in (2, 4) for group in groups)


def test_functions_with_few_code_lines_are_left_out(tmp_path: Path) -> None:
    found = World(tmp_path, "store").generate(replace(PLAN, kinds=(Kind.REMOVE, Kind.CORRUPT), least_lines=5))
    names = {target.name for one in found for target in one.targets}
    assert names == {"Shelf.add", "fill"}


def test_the_same_plan_again_runs_no_test_and_changes_no_file(tmp_path: Path) -> None:
    world = World(tmp_path, "store")
    first = world.generate(PLAN)
    files, admitted = world.files(), list(world.admitted)
    assert world.generate(PLAN) == first
    assert world.suite.runs == []
    assert world.admitted == admitted
    assert world.files() == files


def test_lower_thresholds_screen_again_what_higher_ones_refused(tmp_path: Path) -> None:
    plan = replace(PLAN, kinds=(Kind.REMOVE,))
    world, fresh = World(tmp_path, "store"), World(tmp_path, "fresh")
    high = world.generate(plan, thresholds=Thresholds(removal=3))
    refused = {one.key for one in high if one.refusal and one.refusal.reason is Reason.TOO_FEW_FAILING}
    assert refused
    fresh.generate(plan)
    low = {one.key: one for one in world.generate(plan)}
    assert {key: low[key] for key in refused} == {key: fresh.store.get(key) for key in refused}
    assert refused <= set(world.admitted)
    assert len(world.suite.runs) == len(refused)


@pytest.mark.parametrize("every", [1, 7])
def test_a_plan_that_is_killed_again_and_again_ends_with_the_same_files(tmp_path: Path, every: int) -> None:
    whole = World(tmp_path, "whole")
    whole.generate(PLAN)
    broken = World(tmp_path, "broken")
    deaths = 0
    while True:
        broken.killed_at = broken.steps + every + 1
        try:
            broken.generate(PLAN)
            break
        except Killed:
            deaths += 1
    assert deaths > 2
    assert broken.files() == whole.files()
    assert sorted(broken.admitted) == sorted(whole.admitted)


def test_several_jobs_make_the_same_files(tmp_path: Path) -> None:
    one, three = World(tmp_path, "one"), World(tmp_path, "three")
    one.generate(PLAN)
    three.generate(replace(PLAN, jobs=3))
    assert one.files() == three.files()


def test_a_limit_holds_for_each_kind_and_begins_with_the_same_candidates(tmp_path: Path) -> None:
    world = World(tmp_path, "store")
    few = world.generate(replace(PLAN, kinds=(Kind.REMOVE, Kind.CORRUPT), limit=3))
    assert [one.kind for one in few] == [Kind.REMOVE] * 3 + [Kind.CORRUPT] * 3
    more = world.generate(replace(PLAN, kinds=(Kind.CORRUPT,), limit=5))
    assert more[:3] == few[3:]


def test_another_seed_draws_other_candidates(tmp_path: Path) -> None:
    world = World(tmp_path, "store")
    plan = replace(PLAN, kinds=(Kind.CORRUPT,))
    keys = {one.key for one in world.generate(plan)}
    assert keys.isdisjoint(one.key for one in world.generate(replace(plan, seed=6)))


def test_an_error_of_one_candidate_leaves_the_others_stored(tmp_path: Path) -> None:
    world = World(tmp_path, "store")

    def fail(candidate: Candidate) -> Candidate:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        world.generate(PLAN, admit=fail)
    assert world.store.all()
    assert world.generate(PLAN)
