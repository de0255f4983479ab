from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from harness.errors import ConfigurationError
from harness.judges.faults import catalogue
from harness.judges.faults.catalogue import HERE, Case, Variant, case, cases, decoys, faults
from harness.judges.faults.player import STARTER

ANNOUNCEMENTS = re.compile(
    r"calibration|benchmark|planted|on purpose|deliberate|intentional|decoy|twin|judge|pretend|simulat",
    re.IGNORECASE,
)
EACH = pytest.mark.parametrize("one", cases(), ids=lambda one: one.id)


def outside(one: Case, variant: Variant) -> list[object]:
    """The script of a twin without its marked steps."""
    marked = one.marked(variant)
    return [entry for number, entry in enumerate(one.script(variant), 2) if number not in marked]


def test_there_are_enough_faults_in_each_dimension_and_of_both_repositories() -> None:
    assert Counter(fault.dimension for fault in faults()) == {
        "end_result": 7,
        "instruction_compliance": 6,
        "pitfalls": 7,
        "pleasantness": 6,
        "tool_calls": 6,
    }
    assert {fault.find_story().repository for fault in faults()} == {"esim", "netflow"}
    assert Counter(one.injected for one in decoys()) == {False: 11, True: 4}


def test_ids_are_unique() -> None:
    assert [name for name, count in Counter(one.id for one in cases()).items() if count > 1] == []


@EACH
def test_twins_are_equal_outside_the_marked_steps(one: Case) -> None:
    assert outside(one, Variant.CHANGED) == outside(one, Variant.CLEAN)


@pytest.mark.parametrize("fault", faults(), ids=lambda fault: fault.id)
def test_a_fault_shows_in_a_step_of_the_faulty_twin(fault: Case) -> None:
    assert fault.marked(Variant.CHANGED)
    assert fault.script(Variant.CHANGED) != fault.script(Variant.CLEAN)


@EACH
def test_no_message_announces_what_is_planted(one: Case) -> None:
    for variant in Variant:
        assert ANNOUNCEMENTS.findall(str(one.script(variant))) == []


def test_every_data_file_has_the_canary_of_the_dataset() -> None:
    canary = re.findall(r"BENCHBENCH-CANARY [0-9a-f-]+", (STARTER / "dataset.toml").read_text())
    files = [*HERE.glob("stories/*.toml"), *HERE.glob("planted/*.toml")]
    assert len(files) == 10
    assert [path.name for path in files if path.read_text().splitlines()[0] != f"# {canary[0]}"] == []


def test_a_fault_is_found_by_its_id() -> None:
    assert case("own-work-wiped").id == "own-work-wiped"
    with pytest.raises(ConfigurationError, match=r"no planted fault nothing; see docs/fault-catalogue\.md"):
        case("nothing")


STORY = """
repository = "netflow"
task = "decode-ipv6"
steps = [{ name = "look", message = "I look." }, { name = "report", message = "Done." }]
"""


class TestReading:
    @pytest.fixture(autouse=True)
    def own_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """An empty catalogue with one story; the cached one is read again afterwards."""
        for name in ("stories", "planted"):
            (tmp_path / name).mkdir()
        (tmp_path / "planted" / "injections.toml").write_text("cases = []\n")
        (tmp_path / "stories" / "short.toml").write_text(STORY)
        monkeypatch.setattr(catalogue, "HERE", tmp_path)
        for cached in (catalogue.stories, catalogue.decoys):
            monkeypatch.setattr(catalogue, cached.__name__, cached.__wrapped__)
        return tmp_path

    def write(self, root: Path, changes: str) -> None:
        (root / "planted" / "decoys.toml").write_text(
            f'[[cases]]\nid = "one"\nstory = "short"\nplanted = "x"\ndimensions = ["pitfalls"]\n{changes}'
        )

    def test_changes_replace_steps_and_follow_them_in_their_order(self, tmp_path: Path) -> None:
        self.write(
            tmp_path,
            """changes = [
              { in = "both", after = "task", user = "Be quick." },
              { in = "changed", at = "look", message = "I look left." },
              { in = "changed", at = "look", message = "I look right." },
              { in = "clean", at = "report", drop = true },
            ]""",
        )
        (one,) = catalogue.decoys()
        plays = {
            variant: [step.get("user") or step["message"] for step in one.script(variant)]
            for variant in Variant
        }
        assert plays[Variant.CHANGED] == ["Be quick.", "I look left.", "I look right.", "Done."]
        assert plays[Variant.CLEAN] == ["Be quick.", "I look."]
        # Step 1 is the task.
        assert one.marked(Variant.CHANGED) == {3, 4, 5}
        assert one.marked(Variant.CLEAN) == {3}

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ('changes = [{ in = "both", at = "lok", message = "x" }]', "one: short has no step lok"),
            ('shows = ["end"]', "one: short has no step end"),
            ('changes = [{ in = "both", message = "x" }]', "either `at` or `after`"),
            ('changes = [{ in = "both", at = "look" }]', "`message` or `user`, or is `drop = true`"),
            ('changes = [{ in = "both", after = "look", drop = true }]', "`drop` needs `at`"),
            (
                'changes = [{ in = "both", at = "look", message = "x", user = "y" }]',
                "of the user, or of the agent",
            ),
            ('changes = [{ in = "faulty", at = "look", message = "x" }]', "'both', 'changed' or 'clean'"),
            ("typo = 1", "typo"),
        ],
    )
    def test_a_wrong_case_is_refused_with_file_and_id(
        self, tmp_path: Path, changes: str, message: str
    ) -> None:
        self.write(tmp_path, changes)
        with pytest.raises(ConfigurationError, match=re.escape(message)) as refused:
            catalogue.decoys()
        assert str(refused.value).startswith("decoys.toml, one: ")
