from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from harness import __version__
from harness.dataset import DatasetError, Origin, Proof, Repository, Task, load_dataset, started
from harness.errors import ConfigurationError
from harness.patches import FileState, make_patch
from tasks.generation.pulls.changes import MergedChange, Reason, Refusal
from tasks.generation.pulls.collecting import Collection, Outcome, yield_of
from tasks.generation.pulls.filters import ChangeFilter
from tasks.generation.pulls.measuring import Screened, Unfit
from tasks.generation.pulls.writing import TaskSettings
from tests.harness.worlds import CANARY, write_tiny_dataset

SOURCE = {path: FileState(path, b"0\n") for path in ("a.py", "tests/test_a.py")}
RULES = ChangeFilter(issue=False, least_lines=1)


def change_of(name: str, before: bytes = b"0\n", after: bytes = b"1\n") -> MergedChange:
    """A change of source and tests."""
    base = {path: FileState(path, before) for path in SOURCE}
    diff = make_patch(base.values(), [FileState(path, after) for path in SOURCE])
    return MergedChange(name, f"Change {name}", diff, "base", lambda: base)


@dataclass
class Measured:
    """Stands for runs in containers: what a screening and a proof say, by the slug of the task."""

    screened: dict[str, Screened | Unfit] = field(default_factory=dict)
    refused: dict[str, Unfit] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    before_proof: Callable[[Task], None] = lambda task: None
    allow_missing: bool = False

    def screen(self, repository: Repository, task: Task) -> Screened | Unfit:
        self.seen.append(task.slug)
        assert started(repository, task).source.read("a.py") == FileState("a.py", b"0\n")
        return self.screened.get(task.slug, Screened(("t",), ("u", "v"), ("t",)))

    def prove(self, repository: Repository, task: Task) -> Proof | Unfit:
        self.before_proof(task)
        if task.slug in self.refused:
            return self.refused[task.slug]
        return Proof(task.digest, ("t",), ("u", "v"), 3, "2025-01-01T00:00:00Z", __version__, 2, 0.1)


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    """An empty repository `calc`."""
    dataset = write_tiny_dataset(tmp_path)
    for name in ("source", "tasks"):
        (dataset / "calc" / name).rename(tmp_path / name)
    return Collection(dataset, "calc", RULES, TaskSettings(CANARY), Measured())


def collect(collection: Collection, *changes: MergedChange | Refusal) -> list[Outcome]:
    """The outcomes of these changes."""
    return list(collection.collect(changes, SOURCE))


def reasons(outcomes: Iterable[Outcome]) -> list[Reason | None]:
    """Why each change was refused."""
    return [outcome.reason for outcome in outcomes]


def test_a_change_becomes_an_admitted_task_of_the_dataset(collection: Collection) -> None:
    (outcome,) = collect(collection, change_of("fix.patch"))
    assert (outcome.task, outcome.fail_to_pass, outcome.pass_to_pass, outcome.missing_before) == (
        "fix",
        1,
        2,
        1,
    )
    ((repository, task),) = load_dataset(collection.dataset).tasks()
    assert (task.slug, task.mode, task.origin, task.admitted) == (
        "fix",
        "pull_request",
        Origin.PULL_REQUEST,
        True,
    )
    assert {file.path for file in repository.source.files()} == set(SOURCE)
    assert sorted(path.name for path in collection.directory.iterdir()) == [
        *("Dockerfile", "collected", "repository.toml", "run_tests.sh", "source", "tasks"),
    ]


def test_files_that_no_agent_gets_are_not_in_the_source(collection: Collection) -> None:
    kept = replace(collection, settings=replace(collection.settings, without=("tests/",)))
    assert collect(kept, change_of("fix.patch"))[0].task == "fix"
    ((repository, task),) = load_dataset(collection.dataset).tasks()
    assert [file.path for file in repository.source.files()] == ["a.py"]
    assert (task.directory / "tests/tests/test_a.py").read_bytes() == b"1\n"


def test_every_refusal_is_recorded_with_its_reason(collection: Collection) -> None:
    measured = Measured(
        {"empty": Unfit(Reason.EMPTY, "none")}, {"flaky": Unfit(Reason.FLAKY, "repeats 1 and 2 do not agree")}
    )
    outcomes = collect(
        replace(collection, measurement=measured),
        Refusal("old", "Old", Reason.UNREADABLE, "no parent"),
        replace(change_of("one"), merged=False),
        replace(change_of("other"), diff=make_patch(*([FileState(path, text)] for path, text in _OTHER))),
        replace(change_of("stale"), files=dict),
        change_of("empty"),
        change_of("flaky"),
        change_of("good"),
    )
    assert reasons(outcomes) == [
        *(
            Reason.UNREADABLE,
            Reason.NOT_MERGED,
            Reason.NO_TESTS,
            Reason.NOT_APPLYING,
            Reason.EMPTY,
            Reason.FLAKY,
        ),
        None,
    ]
    assert measured.seen == ["empty", "flaky", "good"]
    assert yield_of(outcomes) == {
        "tasks": 1,
        **{str(reason): 1 for reason in reasons(outcomes) if reason},
    }
    records = [json.loads(path.read_text()) for path in (collection.directory / "collected").iterdir()]
    assert sorted(record["identifier"] for record in records) == sorted(one.identifier for one in outcomes)
    assert [path.name for path in (collection.directory / "tasks").iterdir()] == ["good"]


_OTHER = (("a.py", b"0\n"), ("a.py", b"1\n"))


def test_a_collection_goes_on_where_it_was_stopped(collection: Collection) -> None:
    changes = (change_of("a"), change_of("b"), change_of("c"))
    measured = Measured({"b": Unfit(Reason.EMPTY, "none")})

    def stop(task: Task) -> None:
        if task.slug == "c":
            raise KeyboardInterrupt

    stopped = replace(collection, measurement=replace(measured, before_proof=stop))
    with pytest.raises(KeyboardInterrupt):
        collect(stopped, *changes)
    assert [path.name for path in (collection.directory / "tasks").iterdir()] == ["a"]
    assert measured.seen == ["a", "b", "c"]
    again = Measured()
    outcomes = collect(replace(collection, measurement=again), *changes)
    assert again.seen == ["c"]
    assert [(one.task, one.again) for one in outcomes] == [("a", True), ("", True), ("c", False)]
    assert not list((collection.directory / "collected").glob("staging-*"))


def test_what_a_killed_collection_left_is_replaced(collection: Collection) -> None:
    collect(collection, change_of("a"))
    (record,) = (collection.directory / "collected").iterdir()
    record.write_text("{")
    (collection.directory / "collected/staging-1/calc").mkdir(parents=True)
    (outcome,) = collect(collection, change_of("a"))
    assert (outcome.task, outcome.again) == ("a", False)
    assert [path.name for path in (collection.directory / "tasks").iterdir()] == ["a"]


def test_refusals_are_tried_again_with_other_rules_and_tasks_are_not(collection: Collection) -> None:
    changes = (change_of("a"), change_of("b"))
    measured = Measured({"b": Unfit(Reason.EMPTY, "none")})
    collect(replace(collection, measurement=measured), *changes)
    other = Measured()
    outcomes = collect(replace(collection, measurement=other, rules=replace(RULES, most_files=9)), *changes)
    assert other.seen == ["b"]
    assert reasons(outcomes) == [None, None]


def test_two_changes_of_one_name_get_two_tasks(collection: Collection) -> None:
    first, second = collect(collection, change_of("a"), change_of("a", after=b"2\n"))
    assert first.task == "a"
    assert second.task == f"a-{second.key[:8]}"


def test_tests_that_do_not_run_are_left_out_by_name(collection: Collection) -> None:
    measured = Measured({"a": Screened(("t",), ("u",), (), ("skipped test",))})
    collect(replace(collection, measurement=measured), change_of("a"))
    ((_, task),) = load_dataset(collection.dataset).tasks()
    assert (task.leave_out, task.admitted) == (("skipped test",), True)


def test_missing_parts_of_the_repository_are_named(collection: Collection) -> None:
    (collection.directory / "Dockerfile").unlink()
    with pytest.raises(ConfigurationError, match=r"write .*/calc/Dockerfile first: see docs/datasets.md"):
        collect(collection)


def test_refusals_are_tried_again_on_request(collection: Collection) -> None:
    collect(replace(collection, measurement=Measured({"a": Unfit(Reason.FLAKY, "")})), change_of("a"))
    assert reasons(collect(collection, change_of("a"))) == [Reason.FLAKY]
    assert reasons(collect(replace(collection, retry=True), change_of("a"))) == [None]


def test_two_processes_do_not_collect_into_one_repository(collection: Collection) -> None:
    running = collection.collect([change_of("a"), change_of("b")], SOURCE)
    next(running)
    with pytest.raises(ConfigurationError, match=r"another process collects into .*/calc: wait for it"):
        collect(collection, change_of("c"))
    next(running)


def test_a_task_that_no_dataset_takes_is_refused_and_a_bad_repository_is_an_error(
    collection: Collection,
) -> None:
    base = {path: FileState(path, b"0\n") for path in SOURCE}
    linked = [
        FileState("a.py", b"1\n"),
        FileState("out", b"/etc", link=True),
        FileState("tests/test_a.py", b"1\n"),
    ]
    change = replace(change_of("out"), diff=make_patch(base.values(), linked))
    (outcome,) = collect(collection, change)
    assert outcome.reason is Reason.UNREADABLE
    assert outcome.detail == "reference.diff, out: is a link that leads out of the tree: /etc"
    (collection.directory / "repository.toml").write_text('title = "Calc"\n')
    with pytest.raises(DatasetError, match=r"repository.toml, description: is missing"):
        collect(collection, change_of("a"))
    assert len(list((collection.directory / "collected").glob("*.json"))) == 1
