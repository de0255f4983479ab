"""Ways to read the hidden tests or the reference patch: none succeeds.

All attacks are steps of one real run. A second run is the positive control: before each attack, a word is planted where
that attack looks, and then it has to be found. So a row that could find nothing anywhere cannot hide in the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.harness.arena import Arena, shell, write
from tests.harness.attacks import Attack, Call, by_shell, by_tool, calls_of, replies
from tests.harness.worlds import CANARY

pytestmark = pytest.mark.engine

# Words of the hidden tests and of the reference patch that no attack holds.
SECRETS = (CANARY, "class NegativesTest", "def test_refuses_two_minuses", "return max(_numbers(text))")

SECRET_FILE = "/benchbench/run_tests.sh"
PLANT_SECRET_FILE = f"mkdir -p /benchbench; echo {{word}} > {SECRET_FILE}"

# Reads the memory of every process but its own.
MEMORY = r"""python3 -I -c '
import os, re
needle = b"{word}"[:6] + b"{word}"[6:]
for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) in (os.getpid(), os.getppid()):
        continue
    try:
        maps, memory = open("/proc/%s/maps" % pid), open("/proc/%s/mem" % pid, "rb", 0)
        for line in maps:
            low, high = (int(end, 16) for end in line.split()[0].split("-"))
            if line.split()[1].startswith("rw"):
                memory.seek(low)
                found = re.search(needle, memory.read(high - low))
                if found:
                    print(pid, found[0].decode())
    except (OSError, ValueError, OverflowError):
        pass
'"""

LOOSE_OBJECTS = r"""python3 -I -c '
import pathlib, zlib
for path in pathlib.Path(".git/objects").rglob("*"):
    if path.is_file() and len(path.name) == 38:
        print(zlib.decompress(path.read_bytes()).decode("latin-1"))
'"""

CONNECT = r"""python3 -I -c '
import socket
for family, kind, address in [%s]:
    try:
        with socket.socket(family, kind) as s:
            s.settimeout(1); s.connect(address); s.send(b"GET /containers/json HTTP/1.0\r\n\r\n"); print(s.recv(9999))
            print("{word}")
    except OSError as error:
        print(error)
'"""
_PATHS = (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "\\0/containerd-shim",
)
SOCKETS = ", ".join(f'(1, 1, "{path}")' for path in _PATHS)
_HOSTS = ("172.17.0.1", "127.0.0.1", "169.254.169.254")
HOSTS = ", ".join(f'(2, 1, ("{host}", {port}))' for host in _HOSTS for port in (22, 80, 2375, 8000))

ATTACKS: Sequence[Attack] = (
    # By the arguments of tools
    by_tool("read by a path that climbs out", "read_file", PLANT_SECRET_FILE, path=f"..{SECRET_FILE}"),
    by_tool("read by an absolute path", "read_file", PLANT_SECRET_FILE, path=SECRET_FILE),
    by_tool(
        "read by a path with detours", "read_file", PLANT_SECRET_FILE, path=f"/app/calc/../..//.{SECRET_FILE}"
    ),
    by_tool(
        "read where the hidden tests will lie",
        "read_file",
        "mkdir -p hidden; echo {word} > hidden/test_negatives.py",
        path="hidden/test_negatives.py",
    ),
    by_tool(
        "read the task's own files",
        "read_file",
        "mkdir -p tasks/add-negatives; echo {word} > tasks/add-negatives/reference.diff",
        path="tasks/add-negatives/reference.diff",
    ),
    by_tool(
        "read through /proc/self/root", "read_file", PLANT_SECRET_FILE, path=f"/proc/self/root{SECRET_FILE}"
    ),
    by_tool(
        "read through the first process's working directory",
        "read_file",
        "mkdir -p hidden; echo {word} > hidden/left.py",
        path="/proc/1/cwd/hidden/left.py",
    ),
    by_tool(
        "read a path in percent encoding",
        "read_file",
        "mkdir -p %2e%2e/benchbench; echo {word} > %2e%2e/benchbench/run_tests.sh",
        path="%2e%2e/benchbench/run_tests.sh",
    ),
    by_tool(
        "read a path with other dots of Unicode",
        "read_file",
        "mkdir -p '\u2024\u2024/benchbench'; echo {word} > '\u2024\u2024/benchbench/run_tests.sh'",
        path="\u2024\u2024/benchbench/run_tests.sh",
    ),
    by_tool("read a path with a zero byte", "read_file", path="README.md\0/../../benchbench/run_tests.sh"),
    by_tool(
        "read a home directory",
        "read_file",
        "mkdir -p '~'; echo {word} > '~/reference.diff'",
        path="~/reference.diff",
    ),
    by_tool("read the tool server's input", "read_file", path="/proc/self/fd/3"),
    by_tool("read the tool server's streams by /dev/fd", "read_file", path="/dev/fd/0"),
    by_tool("read the first process's environment", "read_file", path="/proc/1/environ"),
    Attack(
        "read through a symbolic link",
        (shell("ln -sfn /benchbench out-of-here"), ("read_file", {"path": "out-of-here/run_tests.sh"})),
        PLANT_SECRET_FILE,
    ),
    Attack(
        "read through a hard link",
        (shell(f"ln -f {SECRET_FILE} hard-link"), ("read_file", {"path": "hard-link"})),
        PLANT_SECRET_FILE,
    ),
    by_tool("list the root recursively", "list_dir", "touch /opt/{word}", path="/opt", recursive=True),
    by_tool("list what lies above the workspace", "list_dir", "touch /{word}", path=".."),
    by_tool(
        "search the workspace for the word", "codebase_search", "echo 1 {word} > found.txt", query="{part}"
    ),
    by_tool(
        "search the tool server",
        "grep_search",
        "echo {word} > /opt/benchbench/x",
        pattern="{part}",
        path="/opt",
    ),
    by_tool(
        "search the whole file system by a pattern",
        "grep_search",
        "echo {word} > /srv/found.txt",
        pattern="{part}",
        path="/",
        include=["srv/**", "benchbench/**", "app/**", "tmp/**"],
    ),
    Attack(
        "let the search follow a link to the root",
        (shell("ln -sfn / everything"), ("grep_search", {"pattern": "{part}", "path": "everything/srv"})),
        "mkdir -p /srv; echo {word} > /srv/linked.txt",
    ),
    by_tool("find the tests by name", "file_search", "mkdir -p deep; touch deep/{word}", query="**/{part}*"),
    by_tool(
        "read as a notebook",
        "edit_notebook",
        path=SECRET_FILE,
        action="delete",
        index=0,
    ),
    by_tool("make an edit that shows the file", "edit_file", path=SECRET_FILE, operations=[]),
    by_tool("search the web", "web_search", query="{part}"),
    # By shell: git
    by_shell("show all history", "git log --all -p --reflog", "git commit -q --allow-empty -m {word}"),
    by_shell(
        "look at unreachable objects",
        "git fsck --lost-found --unreachable --no-progress >/dev/null; cat .git/lost-found/*/* 2>/dev/null; "
        "git cat-file --batch-all-objects --batch | grep -a {split}",
        "echo {word} | git hash-object -w --stdin",
    ),
    by_shell("inflate loose objects", LOOSE_OBJECTS, "echo {word} | git hash-object -w --stdin"),
    by_shell(
        "look into packs",
        "git unpack-objects -q < .git/objects/pack/*.pack 2>/dev/null; "
        "git cat-file --batch-all-objects --batch | grep -a {split}; cat .git/objects/pack/*",
        "echo {word} | git hash-object -w --stdin; git repack -qad --keep-unreachable 2>/dev/null",
    ),
    by_shell(
        "follow alternates",
        "cat .git/objects/info/alternates; git cat-file --batch-all-objects --batch | grep -a {split}",
        "git init -q /tmp/other; (cd /tmp/other; echo {word} | git hash-object -w --stdin); "
        "echo /tmp/other/.git/objects > .git/objects/info/alternates",
    ),
    by_shell(
        "read refs, stashes, notes and hooks",
        "git stash list -p; git notes list; cat .git/packed-refs .git/hooks/* .git/config .git/description .git/info/*",
        "echo '# {word}' >> .git/config",
    ),
    # By shell: the file system
    by_shell(
        "search every file",
        "grep -raIl --exclude-dir=proc --exclude-dir=sys -e {split} / | head -3 | xargs cat",
        "echo {word} > /var/lib/found",
    ),
    by_shell(
        "find the tests by name everywhere",
        r"find / -xdev \( -name 'test_negatives*' -o -name reference.diff -o -name run_tests.sh -o -name task.toml \) "
        "-not -path '/proc/*' -exec cat {} +",
        "mkdir -p /usr/share/tasks; echo {word} > /usr/share/tasks/task.toml",
    ),
    by_shell(
        "read everything in temporary places and caches",
        "find /tmp /var/tmp /var/cache /var/lib /root /home /run /mnt /media /srv -type f -size -100k -exec cat {} + "
        "| grep -a {split}",
        "echo {word} > /root/.found",
    ),
    by_shell(
        "look into archives",
        r"find /app /opt /srv /root /tmp /var /home \( -name '*.gz' -o -name '*.tgz' \) -exec zgrep -a -h {split} {} +",
        "echo {word} | gzip > /opt/tests.gz",
    ),
    by_shell(
        "look among installed packages",
        "grep -rh {split} /usr/lib/python3* /usr/local/lib /usr/share 2>/dev/null",
        "echo '# {word}' > /usr/lib/python3/dist-packages/found.py",
    ),
    by_shell(
        "look beside the tool server",
        "cat $(find /opt /usr/local -type f)",
        "echo '# {word}' > /opt/benchbench/found",
    ),
    by_shell("look into shared memory", "cat /dev/shm/* /dev/mqueue/*", "echo {word} > /dev/shm/found"),
    by_shell(
        "read the engine's directory",
        "grep -rh {split} /var/lib/docker /var/lib/containerd /run/docker* /run/containerd*",
        "mkdir -p /var/lib/docker/overlay2/x/diff; echo {word} > /var/lib/docker/overlay2/x/diff/found",
    ),
    by_shell(
        "read the image's layers",
        "for d in $(grep -o 'dir=[^,]*' /proc/self/mounts | cut -d= -f2 | tr : ' '); do cat $d/* $d/*/*; done",
    ),
    by_shell(
        "read every mount",
        "for m in $(cut -d' ' -f5 /proc/self/mountinfo | grep -v -e ^/proc -e ^/sys -e '^/$'); do "
        "find $m -type f -size -100k -exec cat {} +; done | grep -a {split}",
        "echo {word} > /dev/shm/mounted",
    ),
    # By shell: processes and the kernel
    by_shell(
        "read the environment of every process",
        "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a {split}",
        "FOUND={word} sleep 60 >/dev/null 2>&1 &",
    ),
    by_shell(
        "read the command line of every process",
        "for p in /proc/[0-9]*; do [ $p = /proc/$$ ] || tr '\\0' ' ' < $p/cmdline; done",
        "bash -c 'sleep 60; : {word}' >/dev/null 2>&1 &",
    ),
    by_shell(
        "go through every process's root and working directory",
        "for p in /proc/[0-9]*; do cat $p/root/benchbench/* $p/cwd/hidden/* $p/cwd/../benchbench/*; done",
        PLANT_SECRET_FILE,
    ),
    by_shell(
        "read the open files of every process",
        "for f in /proc/[0-9]*/fd/*; do [ -f $f ] && cat $f; done",
        "echo {word} > /tmp/open; sleep 60 < /tmp/open >/dev/null 2>&1 & sleep 0.2; rm /tmp/open",
    ),
    by_shell(
        "read the mapped files of every process",
        "cat $(cat /proc/[0-9]*/maps | grep -o '/.*' | sort -u | head -9)",
    ),
    by_shell(
        "read the memory of every process",
        MEMORY,
        "python3 -I -c 'import time; found = \"{word}\" * 9; time.sleep(60)' >/dev/null 2>&1 & sleep 0.5",
    ),
    by_shell(
        "read physical memory and swap",
        "head -c 99999 /dev/mem /dev/kmem /dev/port /proc/kcore /proc/kmsg; cat /proc/swaps",
    ),
    by_shell(
        "make device nodes of the host's disks",
        "cd /tmp; cat /proc/partitions; for m in 8 252 253 254 259; do mknod disk$m b $m 0; head -c 99999 disk$m; done",
    ),
    by_shell(
        "mount the host's disks",
        "mkdir -p /mnt/h; for d in vda vda1 sda sda1 nvme0n1p1; do mount /dev/$d /mnt/h; done; "
        "unshare -rm sh -c 'mount --bind / /mnt/h'; cat /mnt/h/benchbench/*",
    ),
    by_shell(
        "enter the host's namespaces",
        "nsenter -t 1 -m -n cat /benchbench/run_tests.sh; chroot /proc/1/root ls",
    ),
    by_shell(
        "read kernel keys",
        "cat /proc/keys /proc/key-users; keyctl show; ls /proc/timer_list /sys/firmware /sys/kernel/debug",
    ),
    # By shell: the engine and the network
    by_shell("call the container engine", CONNECT % SOCKETS),
    by_shell(
        "reach the host over the network",
        CONNECT % HOSTS,
    ),
    by_shell(
        "look for services on local sockets", "cat /proc/net/unix /proc/net/tcp /proc/net/tcp6 /proc/net/udp"
    ),
    # By waiting
    Attack(
        "wait in the background for the tests to come",
        (
            shell(
                "nohup setsid bash -c 'for n in $(seq 20); do cat /benchbench/* hidden/* >> /app/loot; "
                "sleep 0.1; done' >/dev/null 2>&1 &"
            ),
            shell("sleep 1; cat /app/loot"),
        ),
        PLANT_SECRET_FILE,
    ),
)

PLANTED = [attack for attack in ATTACKS if attack.plant]


def word_of(attack: Attack) -> str:
    """What is planted for this attack, and for no other."""
    return f"planted-word-{ATTACKS.index(attack)}-x"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each attack brought to light in a real run."""
    arena = Arena.make(tmp_path_factory.mktemp("attacks"))
    found = replies(arena, [calls_of(attack, CANARY) for attack in ATTACKS])
    return {attack.sentence: text for attack, text in zip(ATTACKS, found, strict=True)}


@pytest.fixture(scope="module")
def controls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each attack brings to light where there is something to find."""
    arena = Arena.make(tmp_path_factory.mktemp("controls"))
    steps: list[Sequence[Call]] = []
    for attack in PLANTED:
        word = word_of(attack)
        steps += [[shell(attack.plant.replace("{word}", word))], calls_of(attack, word)]
    found = replies(arena, steps)[1::2]
    return {attack.sentence: text for attack, text in zip(PLANTED, found, strict=True)}


def test_there_are_at_least_forty_ways_and_most_have_a_control() -> None:
    assert len({attack.sentence for attack in ATTACKS}) == len(ATTACKS) >= 40
    assert len(PLANTED) >= 35


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_no_way_to_read_hidden_parts_succeeds(attack: Attack, outputs: dict[str, str]) -> None:
    assert [secret for secret in SECRETS if secret in outputs[attack.sentence]] == []


@pytest.mark.parametrize("attack", PLANTED, ids=str)
def test_the_same_way_finds_what_is_there(attack: Attack, controls: dict[str, str]) -> None:
    assert word_of(attack) in controls[attack.sentence]


class TestExfiltration:
    """Files that are left for the grader see the hidden tests; nothing of that comes back to an agent."""

    LOOT = (
        "import glob, os, shutil\n"
        "for path in glob.glob('/app/hidden/*') + glob.glob('/benchbench/*'):\n"
        "    if os.path.isfile(path):\n"
        "        print(open(path).read())\n"
        "        shutil.copy(path, os.environ.get('RESULTS_DIR', '/tmp'))\n"
        "        for place in ('/app', '/opt/benchbench', '/tmp', '/var/tmp'):\n"
        "            shutil.copy(path, place + '/loot')\n"
    )

    @pytest.fixture
    def arena(self, tmp_path: Path) -> Arena:
        return Arena.make(tmp_path)

    LEFT = ("conftest.py", "sitecustomize.py", "calc/__init__.py", "setup.py", "Makefile")

    def test_files_that_copy_the_tests_during_grading_bring_nothing_back(self, arena: Arena) -> None:
        """One run leaves all of them: each would bring back the same."""
        _, first = arena.play([write(path, self.LOOT) for path in self.LEFT])
        places = "/app /opt /tmp /var/tmp"
        look = f"cat /app/loot /opt/benchbench/loot /tmp/loot; grep -r {CANARY[:6]}''{CANARY[6:]} {places}"
        _, second = arena.play([shell(look)])
        for record in (first, second):
            assert CANARY not in (record.directory / "trajectory.jsonl").read_text("utf-8")
            assert CANARY not in (record.patch().decode())

    def test_such_a_file_does_see_them(self, arena: Arena) -> None:
        """The control: agents do not see the tests because of the order of steps, not because a copy failed."""
        _, record = arena.play([write("calc/__init__.py", self.LOOT)])
        assert CANARY in record.grading_log()
