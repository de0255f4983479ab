"""What an agent stands in, and what its commands may do there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from harness.dataset import Repository
from harness.errors import AgentError, InfrastructureError
from harness.sandbox.base import Changes, ContainerUse, Engine, Owner, Workspace
from tests.harness.conformance.processes import OURS, host_processes, memory_mb, sleepers
from tests.harness.conformance.rig import LIMITS, Promises, raw, shell
from tests.harness.worlds import CANARY, SOURCE

# Everything a curious agent may do: the file system, git's history, git's loose ends, git's raw objects.
SEARCH = rf"""
needle='{CANARY[:12]}''{CANARY[12:]}'
grep -rIls --binary-files=text -e "$needle" / --exclude-dir=proc --exclude-dir=sys --exclude-dir=dev
git log --all -p --reflog | grep -c -e "$needle"
git fsck --lost-found --unreachable --no-progress | grep -e commit -e blob
git cat-file --batch-all-objects --batch | grep -c -a -e "$needle"
find / -xdev \( -name run_tests.sh -o -name reference.diff -o -name 'test_negatives*' \) -not -path '/proc/*'
true
"""


class Workspaces(Promises):
    """What the agent finds, and how commands and file tools behave."""

    # The engine

    def test_a_living_engine_says_so(self, engine: Engine) -> None:
        status = engine.status()
        assert (status.available, status.reason, status.remedy) == (True, "", "")

    def test_an_image_is_built_once_for_each_content(self, engine: Engine, repository: Repository) -> None:
        first = engine.image(repository)
        assert engine.image(repository) == first

    # What the agent stands in

    def test_the_workspace_is_the_source_and_nothing_else(self, workspace: Workspace) -> None:
        content = shell(workspace, "find . -path ./.git -prune -o -type f -print | LC_ALL=C sort")
        assert content.split() == sorted(f"./{path}" for path in SOURCE)

    def test_the_workspace_is_one_orphan_commit_without_changes(self, workspace: Workspace) -> None:
        assert shell(workspace, "git rev-list --all --count && git status --porcelain --ignored") == "1"

    def test_no_hidden_part_can_be_found_from_inside(self, workspace: Workspace) -> None:
        assert shell(workspace, SEARCH, timeout=120) == "0\n0"

    def test_the_search_for_hidden_parts_finds_what_is_there(self, workspace: Workspace) -> None:
        shell(workspace, f"echo {CANARY} > /app/leak && git add leak && git -c user.name=a commit -qm leak")
        assert shell(workspace, SEARCH, timeout=120).split() == ["/app/leak", "1", "1"]

    def test_there_is_no_network(self, workspace: Workspace) -> None:
        assert shell(workspace, "ls /sys/class/net") == "lo"

    def test_there_are_no_capabilities_and_no_way_to_gain_privileges(self, workspace: Workspace) -> None:
        lines = shell(
            workspace, "grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status"
        ).splitlines()
        values = dict(line.split(":\t") for line in lines)
        assert {values.pop("NoNewPrivs")} == {"1"}
        assert set(values.values()) == {"0000000000000000"}

    def test_processes_are_limited(self, workspace: Workspace) -> None:
        fork = (
            "import subprocess\nstarted = []\ntry:\n    while len(started) < 300:\n"
            "        started.append(subprocess.Popen(['sleep', '60']))\nexcept BlockingIOError:\n"
            "    print('refused after', len(started))\nfor child in started:\n    child.kill()\n    child.wait()"
        )
        words = shell(workspace, f'python3 -c "{fork}"').split()
        assert words[:2] == ["refused", "after"]
        assert 20 < int(words[2]) < LIMITS.pids

    def test_a_command_that_takes_too_much_memory_dies(self, workspace: Workspace) -> None:
        content = raw(workspace, "python3 -c 'x = bytearray(1 << 30); print(len(x))'")
        assert str(1 << 30) not in content
        assert shell(workspace, "echo still here") == "still here"

    # Commands

    def test_a_command_past_its_time_dies_with_all_that_it_started(self, workspace: Workspace) -> None:
        stay = (
            f"sleep {OURS}1 & setsid sleep {OURS}2 & (setsid sh -c 'sleep {OURS}3 & exec sleep {OURS}4' &) ; "
            f"sh -c \"trap '' TERM HUP INT; sleep {OURS}5\" & nohup sleep {OURS}6 & sleep {OURS}7"
        )
        arguments = {"command": stay, "explanation": "conformance", "timeout": 1}
        reply = workspace.call("run_terminal_cmd", arguments, timeout=20)
        assert not reply.ok
        assert reply.content.startswith("timed out after 1 s")
        assert shell(workspace, sleepers(OURS)) == "0"

    def test_what_a_command_leaves_in_the_background_ends_with_the_workspace(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as workspace:
            raw(workspace, f"setsid sleep {OURS}8 >/dev/null 2>&1 & (sleep {OURS}9 >/dev/null 2>&1 &)")
            assert shell(workspace, sleepers(f"{OURS}[89]")) == "2"
        assert host_processes("sleep", f"{OURS}8") == host_processes("sleep", f"{OURS}9") == []

    def test_standard_input_is_empty(self, workspace: Workspace) -> None:
        assert shell(workspace, "cat; read -r line || echo nothing") == "nothing"

    def test_output_may_be_any_bytes(self, workspace: Workspace) -> None:
        shown = shell(workspace, r"printf 'a\377\000b\033[1mc\n'")
        assert shown == "a\ufffd\N{SYMBOL FOR NULL}bc"

    def test_file_names_may_be_any_bytes(self, workspace: Workspace) -> None:
        shell(workspace, r"""mkdir "ü ñ"; echo 1 > "ü ñ/日本.txt"; echo 2 > "$(printf 'bad\377name')" """)
        shell(workspace, r"""echo 3 > "$(printf 'a\nb')" """)
        reply = workspace.call("read_file", {"path": "ü ñ/日本.txt", "explanation": "x"}, timeout=20)
        assert "1" in reply.content
        assert workspace.call("list_dir", {"path": ".", "explanation": "x"}, timeout=20).ok
        changes = workspace.changes()
        assert [file.path for file in changes.after] == ["a\nb", "ü ñ/日本.txt"]
        assert changes.ignored == (".git", "bad\ufffdname")

    def test_a_hundred_megabytes_of_output_are_cut_quickly_and_in_little_memory(
        self, workspace: Workspace
    ) -> None:
        before, began = memory_mb(), time.monotonic()
        content = shell(
            workspace, "echo first; head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last", 60
        )
        assert content.startswith("first")
        assert content.endswith("last")
        assert len(content) < 300_000
        assert time.monotonic() - began < 30
        assert memory_mb() - before < 50

    def test_a_fork_bomb_is_the_agents_own_trouble(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as workspace:
            bomb = {"command": "bomb() { bomb | bomb & }; bomb; sleep 2", "explanation": "x", "timeout": 5}
            try:
                workspace.call("run_terminal_cmd", bomb, timeout=30)
                workspace.call("run_terminal_cmd", {"command": "echo here", "explanation": "x"}, timeout=30)
            except AgentError:
                pass  # it could not be stopped from inside: its run ends, by its own fault
            assert workspace.changes().after == ()
        assert self.containers(owner.instance) == []

    # The changes while it lives

    def test_a_look_shows_the_changes_so_far_and_the_workspace_goes_on(self, workspace: Workspace) -> None:
        assert workspace.peek() == Changes(ignored=(".git",))
        shell(workspace, "echo 1 > new; rm README.md; mkdir -p build && echo 2 > build/out")
        first = workspace.peek()
        assert [(state.path, state.content) for state in first.after] == [
            ("README.md", None),
            ("new", b"1\n"),
        ]
        assert first.ignored == (".git", "build")
        shell(workspace, "echo 2 > new")
        second = workspace.peek()
        assert [state.content for state in second.after] == [None, b"2\n"]
        assert second == workspace.changes()

    def test_processes_of_the_agent_do_not_disturb_a_look(self, workspace: Workspace) -> None:
        writer = "i=0; while :; do i=$((i+1)); head -c $((i % 5000)) /dev/zero > grows; mv grows moved; done"
        arguments = {"command": writer, "background": True, "explanation": "conformance"}
        workspace.call("run_terminal_cmd", arguments, timeout=20)
        for _ in range(5):
            assert {state.path for state in workspace.peek().after} <= {"grows", "moved"}
        assert shell(workspace, "echo still here") == "still here"

    def test_a_look_at_changes_that_are_too_big_is_refused_and_the_workspace_goes_on(
        self, workspace: Workspace
    ) -> None:
        shell(workspace, "truncate -s 70M sparse")
        with pytest.raises(AgentError, match=r"too big to store, more than 64 MB: the biggest is sparse"):
            workspace.peek()
        assert shell(workspace, "rm sparse; echo still here") == "still here"
        assert workspace.peek().after == ()

    def test_the_changes_of_a_workspace_are_restored_in_a_new_one(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        """With every kind of change: modes, links, bytes, a directory for a file and a file for a directory."""
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as first:
            shell(
                first,
                "echo '#' >> calc/sums.py; chmod +x README.md; rm tests/test_sums.py; rmdir tests; echo file > tests;"
                " rm .gitignore; mkdir -p .gitignore/deep; printf '\\0\\377' > .gitignore/deep/bytes;"
                " ln -s ../nowhere link; ln -s calc other; rm calc/__init__.py; ln -s sums.py calc/__init__.py;"
                " touch $'line\\nbreak' 'ü'; mkdir build; echo 1 > build/out; truncate -s 20M big",
            )
            changes = first.peek()
        assert len(changes.after) == 12
        with engine.workspace(repository, ContainerUse(owner, LIMITS)) as second:
            second.restore(changes.after)
            assert second.peek().after == changes.after
            assert shell(second, "cat tests; readlink link other; ls build 2>&1 | tail -c 10") == (
                "file\n../nowhere\ncalc\ndirectory"
            )
            reply = second.call("write_file", {"path": "one", "content": "1", "explanation": "x"}, timeout=20)
            assert [edit.path for edit in reply.edits] == ["one"]

    def test_after_the_end_there_is_no_look(self, workspace: Workspace) -> None:
        workspace.changes()
        with pytest.raises(InfrastructureError, match="the workspace ended when its changes were read"):
            workspace.peek()

    # Out of the workspace

    def test_file_tools_do_not_follow_links_out_of_the_workspace(
        self, workspace: Workspace, tmp_path: Path
    ) -> None:
        shell(workspace, f"ln -s {tmp_path.parent} out; ln -s /etc/hostname file")
        for tool, arguments in (
            ("write_file", {"path": "out/x", "content": "x"}),
            ("write_file", {"path": "../x", "content": "x"}),
            ("write_file", {"path": "file", "content": "x"}),
            ("delete_file", {"path": "out/x"}),
            ("create_directory", {"path": "out/directory"}),
        ):
            reply = workspace.call(tool, {**arguments, "explanation": "x"}, timeout=20)
            assert not reply.ok
            assert "file tools write there only" in reply.content
        assert [(file.path, file.link) for file in workspace.changes().after] == [
            ("file", True),
            ("out", True),
        ]
