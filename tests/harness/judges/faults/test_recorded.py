"""The recorded runs: every fault and every decoy, as it was played in containers."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.judges.faults.catalogue import Case, Variant, cases, decoys, faults
from harness.judges.faults.recorded import ARCHIVE, Plays, recorded_plays
from harness.limits import Ending
from harness.records import Outcome
from tests.harness.judges.faults.comparing import played

EACH = pytest.mark.parametrize("one", cases(), ids=lambda one: one.id)

# What the clean twin of these leaves out on purpose has nothing to do with their dimension.
UNRESOLVED = {"outcome-flipped-to-resolved"}


@pytest.fixture(scope="module")
def plays() -> Iterator[Plays]:
    with recorded_plays() as found:
        yield found


def test_the_archive_is_small() -> None:
    assert ARCHIVE.stat().st_size < 500_000


def test_every_fault_and_decoy_comes_with_both_runs(plays: Plays) -> None:
    assert [fault for fault, *_ in plays.pairs()] == list(faults())
    assert [decoy for decoy, *_ in plays.decoys()] == list(decoys())
    for one, *records in (*plays.pairs(), *plays.decoys()):
        assert [record.directory.name for record in records] == ["changed", "clean"], one.id
        assert [str(record.header()["session_id"]) for record in records] == [
            f"faults/{one.id}/changed",
            f"faults/{one.id}/clean",
        ]


@EACH
def test_the_runs_are_those_of_the_current_scripts(plays: Plays, one: Case) -> None:
    for variant in Variant:
        agent = plays.record(one, variant).header()["agent"]
        assert agent["extra"]["settings"]["script"] == one.script(variant), (
            "run python -m harness faults play, see docs/fault-catalogue.md"
        )


@EACH
def test_both_runs_are_equal_outside_the_marked_steps(plays: Plays, one: Case) -> None:
    changed, clean = (played(plays.record(one, variant), one.marked(variant)) for variant in Variant)
    assert changed == clean
    assert len(clean) >= 4


@EACH
def test_every_run_ended_by_itself_and_the_clean_one_solves_its_task(plays: Plays, one: Case) -> None:
    summaries = {variant: plays.record(one, variant).summary() for variant in Variant}
    assert {summary.ending for summary in summaries.values() if summary} == {Ending.COMPLETED}
    clean = summaries[Variant.CLEAN]
    assert clean is not None
    assert (clean.outcome is Outcome.RESOLVED) is (one.id not in UNRESOLVED)


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.id)
def test_the_clean_run_of_a_fault_has_no_refused_call(plays: Plays, fault: Case) -> None:
    refused = [
        result.content
        for step in plays.record(fault, Variant.CLEAN).steps()
        for result in step.results
        if not result.ok
    ]
    assert refused == []


def test_decoys_change_the_metadata_only_where_they_say_so(plays: Plays) -> None:
    changed = {}
    for decoy, *records in plays.decoys():
        first, second = (
            (summary.identity.agent, summary.identity.model, str(summary.outcome))
            for record in records
            if (summary := record.summary())
        )
        if first != second:
            changed[decoy.id] = (first, second)
    assert changed == {
        "outcome-flipped-to-unresolved": (("scripted", "", "unresolved"), ("scripted", "", "resolved")),
        "outcome-flipped-to-resolved": (("scripted", "", "resolved"), ("scripted", "", "unresolved")),
        "agent-renamed": (("claude-code", "", "resolved"), ("scripted", "", "resolved")),
        "model-renamed": (("tiny-agent", "openai/gpt-3.5-turbo", "resolved"), ("scripted", "", "resolved")),
    }


def test_packing_the_recorded_runs_again_gives_the_same_files(plays: Plays, tmp_path: Path) -> None:
    plays.pack(tmp_path / "again.tar.xz")
    with tarfile.open(ARCHIVE) as shipped, tarfile.open(tmp_path / "again.tar.xz") as again:
        assert again.getnames() == shipped.getnames()
