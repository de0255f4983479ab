"""What an agent looked at, and how much of it mattered."""

from __future__ import annotations

from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.features.made_features import counted
from tests.runs.analysis.made_traces import (
    call,
    read,
    shell,
)


def test_exploration_is_what_was_shown() -> None:
    run = counted(
        call("list_dir", path="src"),
        call("grep_search", pattern="x", path="README.md"),
        read("src/b.py"),
        call("read_file", ok=False, path="src/a.py"),
        shell("cat src/a.py README.md nothing.py"),
        read("src/a.py"),
    )
    assert run["files_explored"] == 3  # b, a, README; a failed read and a file that is not there show nothing
    assert run["directories_explored"] == 2  # src and the root
    assert run["relevant_file_discovery_step"] == 5
    # The reference's files that could be read: a. 1 of 3; 3 − 1 = 2 wasted.
    assert run["exploration_efficiency"] == 1 / 3
    assert run["wasted_explorations"] == 2
    assert run["search_to_read_ratio"] == 1 / 4  # one search; four calls that read, the failed one too
    assert run["read_relevant_files"] == 1


def test_exploring_nothing_has_no_efficiency() -> None:
    run = counted(call("list_dir"), shell("find . -name '*.py'"))
    assert [run[name] for name in ("files_explored", "directories_explored", "wasted_explorations")] == [
        0,
        1,
        0,
    ]
    assert [run[name] for name in ("exploration_efficiency", "search_to_read_ratio")] == [None, None]
    assert [run[name] for name in ("relevant_file_discovery_step", "read_relevant_files")] == [None, 0]


def test_a_reference_that_only_adds_files_makes_none_relevant() -> None:
    adding = b"--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+z\n"
    run = counted(read("src/a.py"), exercise=Exercise("", adding, b"", ("src/a.py",)))
    assert run["exploration_efficiency"] is None
    assert run["read_relevant_files"] is None
    assert run["optimal_length"] == 3
