# ruff: noqa: E501 - a row of the table is a line
"""The table of ways to write outside the workspace; `test_attacks_writing` goes them and looks what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import uuid4

from tests.harness.arena import shell
from tests.harness.attacks import Attack, by_shell, by_tool

SESSION = uuid4().hex[:12]
WORD = re.compile(rf"word-[a-z0-9]+-{SESSION}")
SPLIT = f"{SESSION[:6]}''{SESSION[6:]}"

PASS_ALL = (
    "#!/bin/sh\\n# {word}\\nmkdir -p /benchbench/results\\n"
    'printf "<testsuite><testcase classname=x name=y/></testsuite>" > /benchbench/results/junit.xml\\nexit 0\\n'
)

# Linux's system calls, called directly: x86-64 and arm64 have different numbers.
SYSCALLS = r"""/usr/bin/python3 -I -c '
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, numbers, *arguments):
    number = numbers[os.uname().machine == "aarch64"]
    print(name, number, *arguments, libc.syscall(number, *arguments), os.strerror(ctypes.get_errno()), flush=True)
%s
'"""

KEYRING = 'call("add_key", (248, 217), b"user", b"{word}", b"{word}", 6, -4)'
SHARED_MEMORY = 'call("shmget", (29, 194), 0x5AFE, 65536, 0o1666)'
PTRACE = """
for pid in filter(str.isdigit, os.listdir("/proc")):
    if b"benchbench" in open("/proc/%s/cmdline" % pid, "rb").read():
        call("ptrace", (101, 117), 16, int(pid), 0, 0)
        call("process_vm_writev", (311, 271), int(pid), 0, 0, 0, 0, 0)
        try:
            open("/proc/%s/mem" % pid, "wb", 0).write(b"{word}")
        except OSError as error:
            print(error)
"""
BPF = 'call("bpf", (321, 280), 0, 0, 0)'

SEND = r"""/usr/bin/python3 -I -c '
import socket
targets = [(2, "172.17.0.1"), (2, "127.0.0.1"), (2, "255.255.255.255"), (10, "::1"), (10, "ff02::1")]
for family, host in targets:
    for kind in (1, 2, 3):
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(1); s.setsockopt(1, 6, 1); s.connect((host, {port})); s.send(b"{word}")
        except OSError as error:
            print(host, kind, error)
'"""
SEND_LOCAL = r"""/usr/bin/python3 -I -c '
import socket
with socket.socket(1, 2) as s:
    try:
        s.connect("\0{abstract}"); s.send(b"{word}")
    except OSError as error:
        print(error)
'"""

NOTEBOOK = "/srv/n.ipynb"
BY_TOOL: Sequence[Attack] = (
    by_tool("write by a path that climbs out", "write_file", path="../srv/a", content="{word}"),
    by_tool("write by an absolute path", "write_file", path="/etc/cron.d/b", content="{word}"),
    by_tool("write by a path with detours", "write_file", path="/app/calc/.././../srv/c", content="{word}"),
    by_tool("write where the host has its files", "write_file", path="{host}/canary", content="{word}"),
    by_tool(
        "write over the tool server", "write_file", path="/opt/benchbench/inside/edit.py", content="{word}"
    ),
    by_tool("write into the tool server's streams", "write_file", path="/proc/self/fd/4", content="{word}"),
    by_tool("write into the first process's streams", "write_file", path="/proc/1/fd/1", content="{word}"),
    by_tool(
        "write a setting of the kernel", "write_file", path="/proc/sys/kernel/core_pattern", content="{word}"
    ),
    by_tool(
        "write to a path with a zero byte", "write_file", path="README.md\0/../../srv/d", content="{word}"
    ),
    by_tool("make a directory outside", "create_directory", path="/srv/{word}"),
    by_tool("make a directory above", "create_directory", path="../{word}"),
    by_tool("delete outside", "delete_file", path="/etc/profile"),
    by_tool(
        "insert lines outside",
        "edit_file",
        path="/etc/profile",
        operations=[{"type": "INSERT", "start_line": 1, "content": "# {word}"}],
    ),
    by_tool(
        "replace a text outside",
        "search_replace",
        path="../etc/profile",
        old="PATH",
        new="{word}",
        replace_all=True,
    ),
    by_tool(
        "edit a notebook outside",
        "edit_notebook",
        path=NOTEBOOK,
        action="insert",
        source="{word}",
        cell_type="raw",
    ),
    Attack(
        "write through a link to a directory",
        (shell("ln -sfn /srv link-1"), ("write_file", {"path": "link-1/e", "content": "{word}"})),
    ),
    Attack(
        "write through a link to a file",
        (shell("ln -sfn /etc/profile link-2"), ("write_file", {"path": "link-2", "content": "{word}"})),
    ),
    Attack(
        "write through a chain of links",
        (
            shell("ln -sfn link-4 link-3; ln -sfn .. link-4"),
            ("write_file", {"path": "link-3/srv/f", "content": "{word}"}),
        ),
    ),
    Attack(
        "delete through a link",
        (shell("ln -sfn /etc link-5"), ("delete_file", {"path": "link-5/profile"})),
    ),
    Attack(
        "make a directory through a link",
        (shell("ln -sfn /srv link-6"), ("create_directory", {"path": "link-6/{word}"})),
    ),
)

# Those that change their own container, which is theirs to change.
LANDING: Sequence[Attack] = (
    by_shell(
        "write where the hidden tests' script goes",
        "mkdir -p /benchbench; printf '" + PASS_ALL + "' > /benchbench/run_tests.sh",
    ),
    by_shell(
        "write where the results go",
        "mkdir -p /benchbench/results; echo '<!--{word}-->' > /benchbench/results/junit.xml",
    ),
    by_shell(
        "write the list of what grading deletes",
        "mkdir -p /benchbench; printf '/etc/profile\\0{word}' > /benchbench/deleted",
    ),
    by_shell(
        "customise the site's Python", "echo '# {word}' > /usr/lib/python3/dist-packages/sitecustomize.py"
    ),
    by_shell("leave a .pth file", "echo 'import os # {word}' > /usr/lib/python3/dist-packages/evil.pth"),
    by_shell(
        "customise the user's Python",
        "d=$(python3 -c 'import site; print(site.getusersitepackages())'); mkdir -p $d; echo '# {word}' > $d/usercustomize.py",
    ),
    by_shell(
        "patch the standard library",
        "echo 'TestCase.run = lambda self, result=None: result  # {word}' >> "
        "$(python3 -c 'import unittest.case as c; print(c.__file__)')",
    ),
    by_shell(
        "poison compiled modules", "echo {word} >> $(find /usr/lib/python3* -name 'argparse*.pyc' | head -1)"
    ),
    by_shell(
        "put programs first on the path",
        "for p in xargs rm bash env; do echo '# {word}' > /usr/local/bin/$p.x; done",
    ),
    by_shell("replace a program that grading runs", "printf '" + PASS_ALL + "' > /usr/bin/xargs"),
    by_shell(
        "leave a job for cron", "mkdir -p /etc/cron.d; echo '* * * * * root touch /{word}' > /etc/cron.d/job"
    ),
    by_shell(
        "edit what shells read at their start",
        "echo '# {word}' | tee -a /etc/profile /root/.bashrc /etc/environment /etc/bash.bashrc",
    ),
    by_shell("configure git for everybody", "git config --system core.fsmonitor 'touch /{word}'"),
    by_shell("add a user", "echo '{word}::0:0::/root:/bin/bash' >> /etc/passwd"),
    by_shell("write where the host has its files", "mkdir -p {host}; echo {word} > {host}/canary"),
    by_shell("climb out of the root", "cd /; cd ../../..; echo {word} > ../../../srv/climbed"),
    by_shell("write through a process's root", "echo {word} > /proc/1/root/srv/rooted"),
    by_shell(
        "write where the image's layers lie",
        "for d in $(grep -o 'dir=[^,]*' /proc/self/mounts | cut -d= -f2 | tr : ' '); do mkdir -p /var/lib/docker/overlay2/$d; echo {word} > /var/lib/docker/overlay2/$d/layer; done",
    ),
    by_shell("change the tool server's code", "echo '# {word}' | tee -a /opt/benchbench/inside/*.py"),
    by_shell(
        "put a module where the tool server would find it",
        "echo '# {word}' | tee /opt/benchbench/inside/numbers.py /opt/benchbench/colorsys.py",
    ),
    by_shell(
        "leave a program with the rights of its owner", "echo '# {word}' > /srv/suid; chmod 4777 /srv/suid"
    ),
    by_shell("fill shared memory", "echo {word} > /dev/shm/word"),
    by_shell("write where a socket of the engine would be", "echo {word} > /run/docker.sock"),
    by_shell("preload a library everywhere", "echo /srv/{word}.so > /etc/ld.so.preload"),
    by_shell(
        "replace Python",
        "printf '"
        + PASS_ALL
        + "' > /usr/bin/python3.shim; chmod +x /usr/bin/python3.shim; mv /usr/bin/python3.shim $(readlink -f /usr/bin/python3)",
    ),
)

# Those that the kernel refuses, or that aim at the host's own tools.
REFUSED: Sequence[Attack] = (
    by_shell("write the kernel's settings", "for f in kernel/core_pattern kernel/hostname kernel/modprobe kernel/panic vm/drop_caches net/ipv4/ip_forward; do echo {word} > /proc/sys/$f; done"),
    by_shell("press the magic key", "echo h > /proc/sysrq-trigger; echo {word} > /proc/sysrq-trigger"),
    by_shell("write to the kernel's log", "[ -c /dev/kmsg ] && echo {word} > /dev/kmsg; [ -w /proc/kmsg ] && echo {word} > /proc/kmsg"),
    by_shell("set a release agent", "for f in $(find /sys/fs/cgroup -maxdepth 3 -name release_agent -o -name cgroup.procs -o -name memory.limit_in_bytes); do echo {word} > $f; echo 1 > $f; done"),
    by_shell("mount a control group to escape", "mkdir -p /srv/cg; mount -t cgroup -o rdma cgroup /srv/cg && echo {word} > /srv/cg/release_agent; unshare -UrmC sh -c 'mount -t cgroup2 none /srv/cg && echo {word} > /srv/cg/cgroup.procs'"),
    by_shell("rename the host", "hostname {word}; unshare -u hostname {word}"),
    by_shell("set the clock", "date -s '2001-01-01 00:00:00'"),
    by_shell("write to the host's disks", "cat /proc/partitions; for m in 8 252 253 254 259; do mknod /srv/disk$m b $m 0 && echo {word} > /srv/disk$m; done"),
    by_shell("write to physical memory", "for d in mem kmem port; do [ -c /dev/$d ] && echo {word} > /dev/$d; mknod /srv/$d c 1 1 && echo {word} > /srv/$d; done"),
    by_shell("remount the root", "mount -o remount,rw / && mount -o remount,rw /proc/sys && echo {word} > /proc/sys/kernel/core_pattern"),
    by_shell("send to the host over the network", SEND),
    by_shell("send to the host over a local socket", SEND_LOCAL),
    by_shell("store a key in the kernel", SYSCALLS % KEYRING),
    by_shell("leave shared memory in the kernel", SYSCALLS % SHARED_MEMORY),
    by_shell("write into the tool server's memory", SYSCALLS % PTRACE),
    by_shell("load a program into the kernel", SYSCALLS % BPF + "; insmod /srv/{word}.ko; modprobe {word}"),
    by_shell("kill a process of the host", "kill -9 {pid}; kill -9 -{pid}"),
    by_shell("let the host's git run a program", "git config core.fsmonitor 'touch {host}/pwned'; git config diff.external 'touch {host}/pwned'; git config filter.x.clean 'touch {host}/pwned'; echo '* filter=x diff=x' > .gitattributes"),
    by_shell("name files like commands", "touch -- '$(touch {host}/pwned)' '; touch {host}/pwned' '-rf' \"$(printf 'a\\nb')\" '|touch x'".replace("{host}", "$HOST_SLASHES")),
    by_shell("link the workspace's names to the outside", "rm -rf tests; ln -s /etc tests; ln -s /benchbench hidden; ln -s /benchbench/run_tests.sh run_tests.sh"),
    by_shell("go on after the end", "setsid nohup sh -c 'while sleep 0.5; do : {word}; done' >/dev/null 2>&1 &"),
)  # fmt: skip

BY_SHELL = (*REFUSED, *LANDING)
ATTACKS = (*BY_TOOL, *BY_SHELL)


def word_of(attack: Attack) -> str:
    """What this attack writes, and no other."""
    return f"word-{ATTACKS.index(attack)}-{SESSION}"
