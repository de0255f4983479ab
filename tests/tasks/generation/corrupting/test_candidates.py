"""Candidates as files: whole, named by what they are, and counted by what became of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from tasks.generation.corrupting.candidates import (
    Candidate,
    CandidateError,
    CandidateStore,
    Kind,
    Reason,
    Refusal,
    candidate_key,
    yields,
)
from tasks.generation.corrupting.removal import removed
from tests.tasks.generation.small import place_of, source_in, tree_of


@pytest.fixture
def made(tmp_path: Path) -> Candidate:
    tree = tree_of(source_in(tmp_path / "source"))
    return removed(tree, place_of(tree, "fill"), seed=1)


def test_a_candidate_is_read_as_it_was_written(made: Candidate, tmp_path: Path) -> None:
    store = CandidateStore(tmp_path, "CANARY 1")
    rich = replace(
        made,
        parts=("a", "b"),
        model={"prompt": "größer", "replies": []},
        screening={"failing": ["t"], "cpu_seconds": 0.5},
        refusal=Refusal(Reason.SURVIVED, "0 of 5"),
    )
    assert store.get(made.key) is None
    assert store.put(rich) == store.get(made.key) == rich
    assert store.all() == [rich]
    assert [path.name for path in tmp_path.glob("*.json")] == [f"{made.key}.json"]
    assert json.loads((tmp_path / f"{made.key}.json").read_text())["canary"] == "CANARY 1"


def test_the_name_depends_on_everything_that_makes_the_change(tmp_path: Path) -> None:
    places = tree_of(source_in(tmp_path)).places
    keys = [
        candidate_key("source", places[:1], ["operator"], 1, Kind.CORRUPT),
        candidate_key("other", places[:1], ["operator"], 1, Kind.CORRUPT),
        candidate_key("source", places[1:2], ["operator"], 1, Kind.CORRUPT),
        candidate_key("source", places[:1], ["other"], 1, Kind.CORRUPT),
        candidate_key("source", places[:1], ["operator"], 2, Kind.CORRUPT),
        candidate_key("source", places[:1], ["operator"], 1, Kind.ADVERSARIAL),
    ]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 24 for key in keys)


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"schema_version": 2}', '{"schema_version": 1, "key": "a"}']
)
def test_a_file_that_is_no_candidate_is_named(made: Candidate, tmp_path: Path, content: str) -> None:
    path = tmp_path / f"{made.key}.json"
    path.write_text(content)
    with pytest.raises(CandidateError, match=f"{made.key}.json is no candidate.*Remove it"):
        CandidateStore(tmp_path).all()


def test_two_runs_do_not_write_at_the_same_time_and_a_killed_one_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "a.1234.partial").write_text("half")
    store = CandidateStore(tmp_path)
    with store.locked():
        assert not list(tmp_path.glob("*.partial"))
        with pytest.raises(ConfigurationError, match="another run"), CandidateStore(tmp_path).locked():
            pass
    with store.locked():
        pass


def test_a_run_that_is_killed_at_any_moment_loses_nothing(made: Candidate, tmp_path: Path) -> None:
    """A process writes candidates without end, and is killed; what is there can be read, and the rest follows."""
    (tmp_path / "one.json").write_text(json.dumps(made.to_json()))
    program = (
        "import json, sys\n"
        "from dataclasses import replace\n"
        "from pathlib import Path\n"
        "from tasks.generation.corrupting.candidates import Candidate, CandidateStore\n"
        "one = Candidate.from_json(json.loads(Path('one.json').read_text()))\n"
        "store = CandidateStore(Path('store'))\n"
        "with store.locked():\n"
        "    print(flush=True)\n"
        "    for number in range(10 ** 6):\n"
        "        store.put(replace(one, key=f'{number % 40:024x}', seed=number % 40))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", program], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        while not (tmp_path / "store" / f"{5:024x}.json").exists():
            pass
        process.kill()
        process.wait()
        process.stdout.close()
        found = CandidateStore(tmp_path / "store").all()
        assert len(found) >= 6
        assert all(one == replace(made, key=one.key, seed=int(one.key, 16)) for one in found)


def test_the_yield_counts_each_candidate_once(made: Candidate) -> None:
    def one(number: int, **values: object) -> Candidate:
        return replace(made, key=f"{number:024x}", **values)  # type: ignore[arg-type]

    found = yields([
        one(1, task="remove-fill"),
        one(2),
        one(3, refusal=Refusal(Reason.SURVIVED)),
        one(4, refusal=Refusal(Reason.SURVIVED)),
        one(5, refusal=Refusal(Reason.NO_SITE)),
        one(6, kind=Kind.CORRUPT, refusal=Refusal(Reason.CLUE)),
    ])  # fmt: skip
    assert [(each.kind, each.made, each.tasks, each.waiting, dict(each.refused)) for each in found] == [
        (Kind.REMOVE, 5, 1, 1, {Reason.NO_SITE: 1, Reason.SURVIVED: 2}),
        (Kind.CORRUPT, 1, 0, 0, {Reason.CLUE: 1}),
    ]
