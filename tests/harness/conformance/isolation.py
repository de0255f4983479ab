"""What keeps an agent in its container: the machine, the disk, and who is to blame when it breaks."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from harness.dataset import Repository
from harness.errors import AgentError, InfrastructureError
from harness.sandbox.base import ContainerUse, Engine, Owner, Workspace
from tests.harness.conformance.rig import SMALL_DISK, Grade, Promises, raw, shell


class Isolation(Promises):
    """What an agent cannot reach, and how much it cannot take."""

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

    def test_setting_the_clock_fails_and_it_goes_on(self, workspace: Workspace) -> None:
        before = time.time()
        command = "date -s @1000000000 >/dev/null 2>&1 && echo set; date +%s; sleep 1.1; date +%s"
        said = shell(workspace, command).split()
        assert len(said) == 2
        assert before - 2 <= int(said[0]) < int(said[1]) <= time.time() + 2

    # Disk

    def test_a_file_above_the_disk_limit_fails_and_the_run_goes_on(
        self, engine: Engine, repository: Repository, owner: Owner
    ) -> None:
        with engine.workspace(repository, ContainerUse(owner, SMALL_DISK)) as workspace:
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
        with engine.workspace(repository, ContainerUse(owner, SMALL_DISK)) as workspace:
            with pytest.raises(
                AgentError, match=r"^\d+ MB were written to disk, more than the 64 MB that a run may"
            ):
                raw(workspace, f"{flood}; sleep 20", timeout=60)
            with pytest.raises(AgentError, match="more than the 64 MB"):
                shell(workspace, "true")
            assert [file.path for file in workspace.changes().after] == ["kept.txt"]

    def test_tests_that_write_more_than_the_disk_limit_are_stopped(self, grade: Grade) -> None:
        text = "mkdir build; for n in $(seq 1 80); do head -c 1M /dev/urandom > build/$n; done; sleep 20"
        with pytest.raises(AgentError, match=r"the tests were stopped: .* more than the 64 MB"):
            grade(text, limits=SMALL_DISK)

    # Blame

    def test_an_agent_that_kills_everything_is_to_blame_and_its_work_is_graded(
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


@contextmanager
def later(act: Callable[[], None], seconds: float = 0.7) -> Iterator[None]:
    """Does something on another thread while the block runs."""
    timer = threading.Timer(seconds, act)
    timer.start()
    try:
        yield
    finally:
        timer.join()
