"""What every container engine promises, in executable form.

A backend's test module subclasses `SandboxConformance`, gives it an `engine` fixture and says how its containers are
listed, removed and killed behind the harness's back. What a backend cannot promise is named in `exceptions`, by the
behaviour (a test's name without `test_`), with the reason.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from uuid import uuid4

import pytest

from harness.dataset import Repository, Task, Tree
from harness.errors import AgentError, HarnessError, InfrastructureError
from harness.sandbox.base import ContainerLimits, Engine, FileState, Owner, Workspace
from tests.harness.worlds import CANARY, SOLUTION, SOURCE, tiny_dataset

LIMITS = ContainerLimits(memory_mb=256, cpus=1.0, pids=64)
ROOT = Path(__file__).parents[2]
SMALL_DISK = replace(LIMITS, disk_mb=64)

# Prints each file and link of the tree it runs in: path, kind and executable bit, content.
LISTING = r"""python3 -I -c '
import os
for top, directories, files in os.walk("."):
    directories[:] = [d for d in directories if d not in (".git", "build", "__pycache__")]
    for name in files + [d for d in directories if os.path.islink(os.path.join(top, d))]:
        path = os.path.join(top, name)
        if os.path.islink(path):
            print("%r link %r" % (path, os.readlink(path)))
        else:
            content = open(path, "rb").read()
            print("%r %s %r" % (path, "x" if os.access(path, os.X_OK) else "-", content))
' | LC_ALL=C sort"""

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


# A process that acts in a workspace until it is killed.
HOLD = """
import sys, time
from pathlib import Path
from harness.dataset import load_dataset
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerLimits, Owner

repository = load_dataset(Path(sys.argv[1])).repository("calc")
with open_engine().workspace(repository, owner=Owner(sys.argv[2], "run-1"), limits=ContainerLimits()) as workspace:
    call = {"command": "setsid sleep 31428 >/dev/null 2>&1 &", "explanation": "x"}
    workspace.call("run_terminal_cmd", call, timeout=30)
    print("ready", flush=True)
    time.sleep(600)
"""


class SandboxConformance:
    """Subclasses provide the fixture `engine`, its name, and the three methods that stand for the world outside."""

    name = ""
    exceptions: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def behaviours(cls) -> set[str]:
        """Everything that is promised."""
        return {name.removeprefix("test_") for name in dir(cls) if name.startswith("test_")}

    @pytest.fixture(autouse=True)
    def _named_exceptions(self, request: pytest.FixtureRequest) -> None:
        """Before anything is started: some of these would do harm."""
        reason = self.exceptions.get(request.function.__name__.removeprefix("test_"))
        if reason is not None:
            pytest.skip(f"a named exception: {reason}")

    def containers(self, instance: str) -> list[str]:
        """The names of all containers of that instance, running or not."""
        raise NotImplementedError

    def remove_from_outside(self, name: str) -> None:
        """Removes a running container as an operator would."""
        raise NotImplementedError

    def kill_from_outside(self, name: str) -> None:
        """Kills a running container as an operator would, without removing it."""
        raise NotImplementedError

    @pytest.fixture
    def repository(self, tmp_path: Path) -> Repository:
        return tiny_dataset(tmp_path).repository("calc")

    @pytest.fixture
    def task(self, repository: Repository) -> Task:
        return repository.task("add-negatives")

    @pytest.fixture
    def owner(self, engine: Engine) -> Iterator[Owner]:
        owner = Owner(f"conformance-{uuid4().hex[:8]}", "run-1")
        yield owner
        left = engine.sweep(owner.instance)
        assert left == [], "a test left containers behind"

    @pytest.fixture
    def workspace(self, engine: Engine, repository: Repository, owner: Owner) -> Iterator[Workspace]:
        with engine.workspace(repository, owner=owner, limits=LIMITS) as workspace:
            yield workspace

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
            "sleep 3141 & setsid sleep 3142 & (setsid sh -c 'sleep 3143 & exec sleep 3144' &) ; "
            "sh -c \"trap '' TERM HUP INT; sleep 3145\" & nohup sleep 3146 & sleep 3147"
        )
        arguments = {"command": stay, "explanation": "conformance", "timeout": 1}
        reply = workspace.call("run_terminal_cmd", arguments, timeout=20)
        assert not reply.ok
        assert reply.content.startswith("timed out after 1 s")
        assert shell(workspace, sleepers("314")) == "0"

    def test_what_a_command_leaves_in_the_background_ends_with_the_workspace(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, owner=owner, limits=LIMITS) as workspace:
            raw(workspace, "setsid sleep 31418 >/dev/null 2>&1 & (sleep 31419 >/dev/null 2>&1 &)")
            assert shell(workspace, sleepers("3141[89]")) == "2"
        assert host_processes("sleep", "31418") == host_processes("sleep", "31419") == []

    def test_standard_input_is_empty(self, workspace: Workspace) -> None:
        assert shell(workspace, "cat; read -r line || echo nothing") == "nothing"

    def test_output_may_be_any_bytes(self, workspace: Workspace) -> None:
        assert shell(workspace, r"printf 'a\377\000b\r\033[1mc\n'").startswith("a\ufffd")

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
        with engine.workspace(repository, owner=owner, limits=LIMITS) as workspace:
            bomb = {"command": "bomb() { bomb | bomb & }; bomb; sleep 2", "explanation": "x", "timeout": 5}
            try:
                workspace.call("run_terminal_cmd", bomb, timeout=30)
                workspace.call("run_terminal_cmd", {"command": "echo here", "explanation": "x"}, timeout=30)
            except AgentError:
                pass  # it could not be stopped from inside: its run ends, by its own fault
            assert workspace.changes().after == ()
        assert self.containers(owner.instance) == []

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

    # The machine

    def test_proc_and_sys_give_nothing_of_the_host_away(self, workspace: Workspace) -> None:
        with subprocess.Popen(["sleep", "60"], env={"CONFORMANCE_SECRET": "abc"}) as of_the_host:
            listed = shell(workspace, "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; true")
            of_the_host.kill()
        assert "CONFORMANCE_SECRET" not in listed
        processes = shell(workspace, "ls -d /proc/[0-9]* | wc -l")
        assert int(processes) < 20
        probes = "/proc/kcore /proc/keys /proc/timer_list /proc/sched_debug /dev/mem /dev/kmem /proc/1/mem"
        assert (
            shell(workspace, f"for f in {probes}; do head -c 100 $f 2>/dev/null; done | tr -d '\\0' | wc -c")
            == "0"
        )
        sockets = "/var/run/docker.sock /run/docker.sock /run/containerd /run/user /sys/firmware/*"
        assert shell(workspace, f"ls {sockets} 2>/dev/null; true") == "[no output]"

    def test_what_only_the_host_may_do_is_refused(self, workspace: Workspace) -> None:
        for command in (
            "echo h > /proc/sysrq-trigger",
            "echo x > /proc/sys/kernel/core_pattern",
            "echo x > /sys/kernel/mm/ksm/run",
            "mknod /tmp/disk b 254 0",
            "mount -t tmpfs none /mnt",
            "mount --bind / /mnt",
            "unshare -r true",
            "unshare -m true",
            "unshare -n true",
            "nsenter -t 1 -n true",
            "chroot /proc/1/root true",
            "hostname other",
            "dmesg",
            "swapoff -a; false",
            "ip link add x type dummy",
            "renice -n -5 $$",
        ):
            said = shell(workspace, f"({command}) >/dev/null 2>&1 && echo allowed || echo refused")
            assert said == "refused", command
        calls = (("bpf", 321, 280), ("keyctl", 250, 219), ("kexec_load", 246, 104), ("init_module", 175, 105))
        number = 2 if os.uname().machine == "aarch64" else 1
        for call in calls:
            code = f"import ctypes; print(ctypes.CDLL(None).syscall({call[number]}, 16, 1, 0, 0, 0))"
            assert shell(workspace, f"python3 -I -c '{code}'") == "-1", call[0]

    def test_no_attempt_to_reach_a_network_succeeds(self, workspace: Workspace) -> None:
        code = (
            "import socket\n"
            "targets = [(2, (h, p)) for h in ('169.254.169.254', '172.17.0.1', '8.8.8.8') for p in (53, 80, 2375)]\n"
            "targets += [(10, ('2001:4860:4860::8888', 53)), (10, ('fe80::1', 80))]\n"
            "for family, address in targets:\n"
            "    for kind in (1, 2, 3):\n"
            "        try:\n"
            "            s = socket.socket(family, kind); s.settimeout(2); s.connect(address); s.send(b'x')\n"
            "            print('reached', address, kind)\n"
            "        except OSError:\n"
            "            pass\n"
            "try:\n    print('resolved', socket.getaddrinfo('example.org', 80))\nexcept OSError:\n    pass\n"
            "try:\n    socket.socket(17, 3); print('raw')\nexcept OSError:\n    print('over')\n"
        )
        assert shell(workspace, f'python3 -I -c "{code}"', 90) == "over"

    def test_the_clock_cannot_be_set_and_goes_on(self, workspace: Workspace) -> None:
        before = time.time()
        command = "date -s @1000000000 >/dev/null 2>&1 && echo set; date +%s; sleep 1.1; date +%s"
        said = shell(workspace, command).split()
        assert len(said) == 2
        assert before - 2 <= int(said[0]) < int(said[1]) <= time.time() + 2

    # Disk

    def test_a_file_bigger_than_the_disk_limit_cannot_be_made_and_the_run_goes_on(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, owner=owner, limits=SMALL_DISK) as workspace:
            written = "truncate -s 65M big.bin; echo $?; head -c 65M /dev/zero > big.bin; echo $?"
            by_signal = str(128 + signal.SIGXFSZ)
            assert [line for line in shell(workspace, written).splitlines() if line.isdigit()] == [
                by_signal
            ] * 2
            assert shell(workspace, "stat -c %s big.bin; rm big.bin") == str(64 << 20)

    def test_writing_more_than_the_disk_limit_ends_the_run_by_its_agents_fault(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        one = "head -c 1M /dev/urandom > build/$n; sleep .02"
        flood = f"echo kept > kept.txt; mkdir build; for n in $(seq 400); do {one}; done"
        with engine.workspace(repository, owner=owner, limits=SMALL_DISK) as workspace:
            with pytest.raises(
                AgentError, match=r"^\d+ MB were written to disk, more than the 64 MB that a run may"
            ):
                raw(workspace, f"{flood}; sleep 20", timeout=60)
            with pytest.raises(AgentError, match="more than the 64 MB"):
                shell(workspace, "true")
            assert [file.path for file in workspace.changes().after] == ["kept.txt"]

    def test_tests_that_write_more_than_the_disk_limit_are_stopped(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        text = "mkdir build; for n in $(seq 1 80); do head -c 1M /dev/urandom > build/$n; done; sleep 20"
        with (
            engine.grader(repository, owner=owner, limits=SMALL_DISK) as grader,
            pytest.raises(AgentError, match=r"the tests were stopped: .* more than the 64 MB"),
        ):
            grader.run(
                files=(),
                tests=hidden(tmp_path, {}),
                script=write(tmp_path / "s.sh", text),
                task="t",
                timeout=60,
            )

    # Blame

    def test_an_agent_that_kills_everything_is_to_blame_and_its_work_is_kept(
        self, workspace: Workspace
    ) -> None:
        with pytest.raises(AgentError, match="tool server ended"):
            shell(workspace, "echo kept > kept.txt; kill -9 -1")
        with pytest.raises(AgentError, match="tool server ended"):
            shell(workspace, "true")
        assert [file.path for file in workspace.changes().after] == ["kept.txt"]

    def test_a_container_removed_from_outside_is_not_the_agents_fault(
        self, workspace: Workspace, owner: Owner
    ) -> None:
        [name] = self.containers(owner.instance)
        with later(lambda: self.remove_from_outside(name)), pytest.raises(InfrastructureError):
            shell(workspace, "sleep 30", timeout=60)

    def test_a_container_killed_from_outside_is_not_the_agents_fault(
        self, workspace: Workspace, owner: Owner
    ) -> None:
        [name] = self.containers(owner.instance)
        with later(lambda: self.kill_from_outside(name)), pytest.raises(InfrastructureError):
            shell(workspace, "sleep 30", timeout=60)

    # What is left when it is over

    def test_nothing_is_left_when_the_context_ends(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, owner=owner, limits=LIMITS):
            assert len(self.containers(owner.instance)) == 1
        assert self.containers(owner.instance) == []

    @pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit, RuntimeError])
    def test_nothing_is_left_when_the_run_is_torn_down(
        self, engine: Engine, repository: Repository, owner: Owner, exception: type[BaseException]
    ) -> None:
        with pytest.raises(exception), engine.workspace(repository, owner=owner, limits=LIMITS):
            raise exception
        assert self.containers(owner.instance) == []

    def test_a_sweep_removes_what_nobody_keeps_and_nothing_else(
        self, engine: Engine, repository: Repository
    ) -> None:
        mine, other = f"sweep-{uuid4().hex[:8]}", f"other-{uuid4().hex[:8]}"

        def workspace(instance: str, try_number: int) -> AbstractContextManager[Workspace]:
            return engine.workspace(repository, owner=Owner(instance, "run-1", try_number), limits=LIMITS)

        with workspace(mine, 1):
            [lost] = self.containers(mine)
            with workspace(mine, 2) as kept, workspace(other, 1) as foreign:
                assert engine.sweep(mine, keep=[("run-1", 2)]) == [lost]
                assert shell(kept, "echo here") == shell(foreign, "echo here") == "here"
        assert self.containers(mine) == self.containers(other) == []

    def test_what_a_killed_process_left_behind_is_swept(
        self, engine: Engine, repository: Repository, tmp_path: Path
    ) -> None:
        instance = f"killed-{uuid4().hex[:8]}"
        environment = {**os.environ, "BENCHBENCH_ENGINE": self.name}
        command = [sys.executable, "-c", HOLD, str(tmp_path / "tiny"), instance]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, cwd=ROOT) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            process.kill()
        try:
            [name] = self.containers(instance)
        finally:
            removed = engine.sweep(instance)
        assert removed == [name]
        assert self.containers(instance) == []
        assert host_processes("sleep", "31428") == []

    def test_an_engine_that_was_dropped_leaves_its_containers_to_the_sweep(
        self, engine: Engine, repository: Repository
    ) -> None:
        instance = f"dropped-{uuid4().hex[:8]}"
        opened = type(engine)().workspace(repository, owner=Owner(instance, "run-1"), limits=LIMITS)
        opened.__enter__()
        [name] = self.containers(instance)
        assert engine.sweep(instance) == [name]
        assert engine.sweep(instance) == self.containers(instance) == []
        with contextlib.suppress(HarnessError):
            opened.__exit__(None, None, None)

    # What crosses from the agent to the grade

    def test_an_untouched_workspace_has_no_changes(self, workspace: Workspace) -> None:
        shell(workspace, "touch README.md; python3 -m calc '1 + 2'; git gc -q; cat calc/*.py")
        changes = workspace.changes()
        assert (changes.before, changes.after) == ((), ())
        assert changes.ignored == (".git", "calc/__pycache__")

    def test_changes_show_each_path_before_and_after(self, workspace: Workspace) -> None:
        shell(
            workspace,
            "printf 'x\\000\\377' > new.bin; rm README.md; chmod +x calc/digits.py; ln -s /etc there",
        )
        changes = workspace.changes()
        readme, digits = SOURCE["README.md"].encode(), SOURCE["calc/digits.py"].encode()
        assert changes.before == (
            FileState("README.md", readme),
            FileState("calc/digits.py", digits),
            FileState("new.bin", None),
            FileState("there", None),
        )
        assert changes.after == (
            FileState("README.md", None),
            FileState("calc/digits.py", digits, 0o755),
            FileState("new.bin", b"x\0\xff"),
            FileState("there", b"/etc", link=True),
        )

    def test_the_agents_own_ignore_rules_and_git_have_no_say(self, workspace: Workspace) -> None:
        shell(
            workspace,
            "echo '*' > .gitignore; rm -rf .git; echo 1 > hidden.txt; mkdir build; echo 2 > build/out",
        )
        changes = workspace.changes()
        assert [file.path for file in changes.after] == [".gitignore", "hidden.txt"]
        assert changes.ignored == ("build",)

    def test_reading_the_changes_ends_what_runs_and_refuses_what_follows(self, workspace: Workspace) -> None:
        raw(workspace, "(while :; do date >> clock.txt; sleep 0.01; done) & sleep 0.1")
        first = workspace.changes()
        assert [file.path for file in first.after] == ["clock.txt"]
        with pytest.raises(InfrastructureError, match="ended when its changes were read"):
            shell(workspace, "true")
        assert workspace.changes() == first

    def test_changes_too_big_to_keep_name_the_biggest_file(self, workspace: Workspace) -> None:
        shell(workspace, "truncate -s 3G huge.bin; echo small > small.txt")
        with pytest.raises(AgentError, match=r"huge\.bin with 3221225472 bytes"):
            workspace.changes()

    def test_a_workspace_arrives_in_the_grader_as_it_was_left(
        self, engine: Engine, repository: Repository, owner: Owner, workspace: Workspace, tmp_path: Path
    ) -> None:
        shell(
            workspace,
            "rm -r tests; echo file > tests; "  # a directory turns into a file
            "rm calc/digits.py; mkdir calc/digits.py; echo deep > calc/digits.py/deep; "  # and a file into a directory
            "mv calc/sums.py 'calc/a name'; ln -s . 'calc/lïnk'; printf '\\000\\001\\377' > bin; "
            "printf '#!/bin/sh\\n' > run; chmod 755 run; ln bin twin; printf x > \"$(printf 'two\\nlines')\"; "
            "rm -r calc/__main__.py; ln -s calc dir-link; : > empty; mkfifo pipe; rm pipe",
        )
        expected = shell(workspace, LISTING)
        script = write(tmp_path / "list.sh", LISTING)
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            result, _ = grader.run(
                files=workspace.changes().after,
                tests=hidden(tmp_path, {}),
                script=script,
                task="t",
                timeout=60,
            )
        assert (result.exit_code, result.output.strip()) == (0, expected)

    # The grade

    def test_hidden_tests_fail_untouched_and_pass_with_the_solution(
        self, engine: Engine, repository: Repository, task: Task, owner: Owner
    ) -> None:
        solution = [FileState(path, text.encode()) for path, text in SOLUTION.items()]
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            options = {"tests": task.tests, "script": repository.run_tests, "task": task.slug, "timeout": 60}
            untouched, _ = grader.run(files=(), **options)  # type: ignore[arg-type]
            solved, results = grader.run(files=solution, **options)  # type: ignore[arg-type]
        assert (untouched.exit_code, untouched.output) == (1, "8 tests, 1 failures, 4 errors\n")
        assert (solved.exit_code, solved.output) == (0, "8 tests, 0 failures, 0 errors\n")
        assert list(results) == ["junit.xml"]
        assert results["junit.xml"].count(b"<testcase ") == 8

    def test_hidden_tests_win_over_the_agents_files(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        left = [
            FileState("hidden", b"/etc", link=True),
            FileState("same.txt", b"agent's"),
            FileState("calc/sums.py", None),
            FileState("README.md", None),
        ]
        tests = hidden(tmp_path, {"hidden/passwd": "ours", "same.txt": "ours", "calc/sums.py": "ours"})
        script = write(
            tmp_path / "s.sh", "cat hidden/passwd same.txt calc/sums.py; ls; readlink hidden; exit 0"
        )
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            result, _ = grader.run(files=left, tests=tests, script=script, task="t", timeout=60)
        assert result.output == "oursoursourscalc\nhidden\nsame.txt\ntests\n"

    def test_a_test_run_past_its_time_is_killed_and_has_no_exit_code(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        script = write(tmp_path / "s.sh", "echo begun; echo partial > $RESULTS_DIR/a; sleep 60 & sleep 60")
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            result, results = grader.run(
                files=(), tests=hidden(tmp_path, {}), script=script, task="t", timeout=1.0
            )
        assert (result.exit_code, result.output, results) == (None, "begun\n", {"a": b"partial\n"})
        assert 1.0 <= result.seconds < 10.0

    def test_both_streams_are_told_in_the_order_in_which_they_were_written(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        text = "for i in $(seq 300); do echo out $i; echo error $i >&2; done"
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            result, _ = grader.run(
                files=(),
                tests=hidden(tmp_path, {}),
                script=write(tmp_path / "s.sh", text),
                task="t",
                timeout=60,
            )
        assert result.output.splitlines() == [
            f"{name} {i}" for i in range(1, 301) for name in ("out", "error")
        ]

    def test_endless_output_is_cut_in_the_middle_and_bad_bytes_are_replaced(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        text = "printf 'first \\377\\n'; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo last"
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            result, _ = grader.run(
                files=(),
                tests=hidden(tmp_path, {}),
                script=write(tmp_path / "s.sh", text),
                task="t",
                timeout=60,
            )
        assert result.output.startswith("first \ufffd\nxxx")
        assert result.output.endswith("xxx\nlast\n")
        assert "bytes left out]" in result.output
        assert len(result.output) < 1_100_000

    def test_results_are_regular_files_only(
        self, engine: Engine, repository: Repository, owner: Owner, tmp_path: Path
    ) -> None:
        text = "cd $RESULTS_DIR; ln -s /etc/passwd link; ln -s / root; mkfifo pipe; mkdir sub; echo 1 > sub/report.xml"
        with engine.grader(repository, owner=owner, limits=LIMITS) as grader:
            _, results = grader.run(
                files=(),
                tests=hidden(tmp_path, {}),
                script=write(tmp_path / "s.sh", text),
                task="t",
                timeout=60,
            )
        assert results == {"sub/report.xml": b"1\n"}


def sleepers(pattern: str) -> str:
    """A command that counts processes of `sleep` by their argument."""
    return f"grep -alE '^sleep.{pattern}' /proc/[0-9]*/cmdline 2>/dev/null | wc -l"


def host_processes(*words: str) -> list[str]:
    """Processes with exactly this command line, as the host sees them, after giving them time to go."""
    line = b"".join(word.encode() + b"\0" for word in words)
    deadline = time.monotonic() + 3
    while True:
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if path.read_bytes() == line:
                    found.append(path.parent.name)
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def memory_mb() -> int:
    """What this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def raw(workspace: Workspace, command: str, timeout: float = 30) -> str:
    """What the terminal tool answers."""
    arguments = {"command": command, "explanation": "conformance", "is_background": False}
    reply = workspace.call("run_terminal_cmd", arguments, timeout=timeout)
    assert reply.ok, reply.content
    return reply.content


def shell(workspace: Workspace, command: str, timeout: float = 30) -> str:
    """The output of a command that succeeds."""
    first, _, output = raw(workspace, command, timeout).partition("\n")
    assert first.startswith("exit code 0"), f"{first}\n{output}"
    return output.strip()


def write(path: Path, script: str) -> Path:
    """A script for bash."""
    path.write_text(f"{script}\n", encoding="utf-8")
    return path


def hidden(root: Path, files: dict[str, str]) -> Tree:
    """A tree of hidden tests."""
    tests = root / "hidden-tests"
    tests.mkdir()
    for name, text in files.items():
        (tests / name).parent.mkdir(parents=True, exist_ok=True)
        (tests / name).write_text(text, encoding="utf-8")
    return Tree(tests)


@contextmanager
def later(act: object, seconds: float = 0.7) -> Iterator[None]:
    """Does something on another thread while the block runs."""
    assert callable(act)
    timer = threading.Timer(seconds, act)
    timer.start()
    try:
        yield
    finally:
        timer.join()
