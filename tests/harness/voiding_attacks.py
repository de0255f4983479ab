# ruff: noqa: E501 - a row of the table is a line
"""The table of ways to void a run; `test_attacks_voiding` and `benchmarks.voiding` make a real run of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.limits import Ending, Limits
from harness.records import Outcome, RunSummary
from harness.sandbox.base import ContainerLimits
from tests.harness.arena import Arena, script, shell, write
from tests.harness.attacks import Call
from tests.harness.worlds import SOLUTION

WALL_SECONDS = 4.0
MAX_BEYOND_SECONDS = 15.0
CONTAINER = ContainerLimits(memory_mb=384, cpus=1.0, pids=128, disk_mb=256, files=20_000)
LIMITS = Limits(wall_seconds=30.0)
SHORT = Limits(wall_seconds=WALL_SECONDS)
LONG = Limits(wall_seconds=180.0)


@dataclass(frozen=True, slots=True)
class Voiding:
    """One way to make the infrastructure look guilty. The agent first writes the correct solution, then attacks.

    `ending`: of the run; None where it depends on the machine. `outcome`: resolved where the solution can be carried
    over. `left_out`: paths in the run's flags. `slow`: made by `benchmarks.voiding` only.
    """

    sentence: str
    command: str
    ending: Ending | None = Ending.COMPLETED
    outcome: Outcome = Outcome.RESOLVED
    left_out: tuple[str, ...] = ()
    limits: Limits = LIMITS
    slow: bool = False
    container: ContainerLimits = CONTAINER

    def __str__(self) -> str:
        return self.sentence.replace(" ", "_")

    def steps(self) -> list[Sequence[Call]]:
        """The steps of the run."""
        solution = [write(path, content) for path, content in SOLUTION.items()]
        return [[*solution, shell(self.command)], [shell("true")]]


def _python(code: str) -> str:
    return f"cat > /tmp/attack.py <<'END'\n{code}\nEND\n/usr/bin/python3 -I /tmp/attack.py"


def _broken(sentence: str, command: str, *, slow: bool = False) -> Voiding:
    return Voiding(sentence, command, Ending.AGENT_ERROR, limits=SHORT, slow=slow)


_EXIT_IN_INIT = _python(
    """
import os, signal
exit_0 = {"x86_64": "31ffb8e70000000f05", "aarch64": "000080d2c80b80d2010000d4"}[os.uname().machine]
nop = {"x86_64": "90", "aarch64": "1f2003d5"}[os.uname().machine]
exit_0, nop = bytes.fromhex(exit_0), bytes.fromhex(nop)
for line in open("/proc/1/maps"):
    area, rights = line.split()[:2]
    if "x" in rights and "vdso" not in line and "vsyscall" not in line:
        start, end = (int(number, 16) for number in area.split("-"))
        with open("/proc/1/mem", "r+b", buffering=0) as memory:
            memory.seek(start)
            memory.write((nop * (end - start))[: end - start - len(exit_0)] + exit_0)
os.kill(1, signal.SIGCHLD)
"""
)

_FLOOD = "for n in 1 2 3; do setsid sh -c \"trap '' TERM; exec yes > /proc/1/fd/{fd}\" & done; sleep 1"

NAMES = (
    Voiding("a name like an NTFS short name", "echo x > 'GIT~1'; mkdir 'sub'; echo x > 'sub/git~2'"),
    Voiding(
        "names that Windows and macOS take for git's",
        "mkdir '.git.' '.git ' '.g\u200cit' '.git::$INDEX_ALLOCATION'; for d in .git?*; do echo x > \"$d/x\"; done; "
        "mkdir '.g\u200cit'; echo x > '.g\u200cit/config'",
    ),
    Voiding(
        "names in which Windows sees devices and streams",
        "touch aux con.txt nul a:b 'x ' 'x.' 'C:' 'a*b?<>|'",
    ),
    Voiding("names with backslashes", r"echo x > 'a\b'; echo x > '..\..\c'; mkdir '\'; echo x > '\/\'"),
    Voiding(
        "names with newlines, tabs and quotes",
        "echo x > $'a\\nb'; echo x > $'diff --git a/x b/x\\n--- a/x'; echo x > $'t\\tb'; echo x > 'q\"q'; echo x > $'c\\r'",
    ),
    Voiding(
        "names of bytes that are not UTF-8", "echo x > $'\\xff\\xfe'; mkdir $'d\\x80'; echo x > $'d\\x80/f'"
    ),
    Voiding(
        "names with blanks at both ends",
        "echo x > ' a'; echo x > 'a '; echo x > 'b/c'; mkdir -p ' /  '; echo x > ' /  / '",
    ),
    Voiding(
        "names that look like options",
        "echo x > -rf; echo x > --help; echo x > '-'; echo x > '@{-1}'; echo x > ':(exclude)a'",
    ),
    Voiding(
        "names that differ in case or in their accents only",
        "echo 1 > README.MD; echo 2 > readme.md; mkdir CALC; echo 3 > CALC/Digits.py; printf x > $'\\u00e9'; printf y > $'e\\u0301'",
    ),
    Voiding(
        "names of 255 bytes and paths of almost 4,096",
        _python("""
import os
name = "n" * 255
open(name, "w").close()
for depth in range(15):
    os.mkdir("d" * 250); os.chdir("d" * 250)
open("f", "w").write("x")
"""),
    ),
    Voiding(
        "a path that is too long for the host, whose directories have longer names",
        _python("""
import os
for depth in range(16):
    os.mkdir("d" * 250); os.chdir("d" * 250)
open("f" * 60, "w").write("x")
"""),
        outcome=Outcome.UNRESOLVED,
    ),
    Voiding(
        "a file in a directory 150 levels deep",
        _python("""
import os
for depth in range(150):
    os.mkdir("d"); os.chdir("d")
open("f", "w").write("x")
"""),
        left_out=("d/" * 150 + "f",),
    ),
    Voiding(
        "directories 10,000 levels deep",
        _python("""
import os
for depth in range(10_000):
    os.mkdir("d"); os.chdir("d")
open("f", "w").write("x")
""")
        + "; sleep 60",
        None,
        slow=True,
    ),
    Voiding(
        "directories 10,000 levels deep for a moment",
        _python("""
import os
for depth in range(10_000):
    os.mkdir("d"); os.chdir("d")
open("f", "w").write("x")
"""),
        None,
        slow=True,
    ),
    Voiding(
        "git's own files as links",
        "for f in .gitattributes .gitmodules .gitignore .mailmap; do rm -f $f; ln -s /etc/passwd $f; done; "
        "mkdir s; ln -s ../x s/.gitmodules; ln -s x s/.gitattributes",
        left_out=(".gitmodules", "s/.gitmodules"),
    ),
    Voiding(
        "git's own files with odd content",
        "printf '* binary diff=x filter=y merge=z -text eol=crlf working-tree-encoding=UTF-99\\n' > .gitattributes; "
        "printf '[submodule \"../x\"]\\n\\tpath = -x\\n\\turl = ext::sh\\n' > .gitmodules; printf '\\\\\\n[\\n!\\n**/**/\\n' > .gitignore",
    ),
    Voiding(
        "nested repositories",
        "git init -q n 2>/dev/null || mkdir -p n/.git; mkdir -p n/.git/objects m/.GIT; "
        "echo x > n/.git/config; echo x > n/a; echo x > m/.GIT/config; echo 'gitdir: /etc' > calc/.git",
        left_out=("m/.GIT/config",),
    ),
    Voiding("the repository's git directory removed", "rm -rf .git; echo 'gitdir: /nowhere' > .git"),
)

KINDS = (
    Voiding(
        "links in loops and out of the tree",
        "ln -s loop loop; ln -s b a; ln -s a b; ln -s .. up; ln -s / root; ln -s /proc/self/fd all; "
        "ln -s $'x\\xff' odd; ln -s $'a\\nb' line; ln -s \"$(printf 'y%.0s' $(seq 4000))\" long",
    ),
    Voiding(
        "links in the place of tracked files and directories",
        "rm README.md; ln -s /dev/zero README.md; rm -rf tests; ln -s /proc tests",
    ),
    Voiding(
        "pipes, sockets and devices in the place of tracked files",
        "rm README.md tests/test_sums.py; mkfifo README.md; mknod dev c 1 5 || true; "
        + _python("import socket\nsocket.socket(socket.AF_UNIX).bind('tests/test_sums.py')"),
    ),
    Voiding(
        "files replaced by directories and directories by files",
        "rm README.md; mkdir -p README.md/a/b; echo x > README.md/a/b/c; rm -rf tests; echo x > tests",
    ),
    Voiding(
        "files without read permission, with setuid bits and odd owners",
        "echo x > secret; chmod 000 secret; echo x > suid; chmod 7777 suid; chmod 000 calc README.md; "
        "chown 12345:54321 suid || true; chmod 755 calc; mkdir shut; echo x > shut/x; chmod 000 shut",
    ),
    Voiding(
        "mode changes only",
        "chmod 755 README.md calc/__init__.py; chmod 600 tests/test_sums.py; chmod 111 .gitignore",
    ),
    Voiding(
        "hard links to files inside and outside",
        "ln README.md again; ln calc/sums.py calc/again.py; cp /etc/passwd /tmp/p; ln /tmp/p outside; "
        "for n in $(seq 300); do ln again l$n; done",
    ),
    Voiding(
        "sparse files of 100 terabytes",
        "truncate -s 100T sparse; truncate -s 200M .git/sparse; truncate -s 60M sparse2",
        None,
        slow=True,
    ),
    Voiding(
        "gigabytes in an ignored directory, below the usual limit",
        "for n in 1 2 3 4 5 6 7; do head -c 500000000 /dev/zero > .git/$n; done; sleep 60",
        Ending.TIME_LIMIT,
        limits=Limits(wall_seconds=25.0),
        slow=True,
        container=ContainerLimits(),
    ),
    Voiding(
        "large extended attributes",
        _python("""
import os
for name in ("user.a", "trusted.overlay.opaque", "trusted.overlay.redirect", "security.capability", "user.overlay.x"):
    for path in ("README.md", "calc"):
        try:
            os.setxattr(path, name, b"y" * (1 if "overlay" in name else 4000))
        except OSError as error:
            print(name, error)
"""),
    ),
    Voiding(
        "times before 1970 and after 9999",
        _python("""
import os
for number, when in enumerate((-2**40, -1.5, 2**34, 2**40, 2**62)):
    open(f"t{number}", "w").write("x")
    try:
        os.utime(f"t{number}", (when, when))
    except (OSError, OverflowError) as error:
        print(error)
"""),
    ),
)

CONTENTS = (
    Voiding(
        "texts with NUL, lone CR and no last newline",
        r"printf 'a\rb\r\rc' > cr; printf 'a\0b\n' > nul; printf '\r' >> README.md; printf '\xff\xfe\n' > odd; "
        r"printf '\xef\xbb\xbf@@ -1 +1 @@\n' > hunk; printf -- '-- a/x\n++ b/x\n@@ -0,0 +1 @@\n\\ No newline' > dashes",
    ),
    Voiding(
        "texts that look like patches",
        r"printf 'diff --git a/x b/x\n--- a/x\n+++ b/../../x\nrename from a\nrename to ../b\nGIT binary patch\nliteral 9\n' > p",
    ),
    Voiding(
        "a line that makes patterns slow",
        "/usr/bin/python3 -c 'print(\"def __eq__(\" * 30000)' > slow.py; "
        "/usr/bin/python3 -c 'print(\"__eq__ = lambda \" * 30000)' >> slow.py; "
        '/usr/bin/python3 -c \'print("sk-" + "a" * 300000 + " -----BEGIN " * 30000)\' >> slow.py',
    ),
    Voiding(
        "texts that look like the beginnings of secrets",
        '/usr/bin/python3 -c \'print("-----BEGIN PRIVATE KEY-----" + ("Proc-Type:" + " " * 10) * 30)\' | tee frames; '
        "/usr/bin/python3 -c 'print(\"-eyJ\" * 250000)' | tee tokens",
    ),
    Voiding(
        "forty megabytes of short lines",
        "/usr/bin/python3 -c 'print(\"a\\nb\\n\" * 5_000_000)' > lines",
        slow=True,
    ),
    Voiding(
        "more content than a patch may have",
        "head -c 70000000 /dev/urandom > big",
        Ending.AGENT_ERROR,
        Outcome.UNRESOLVED,
    ),
    Voiding(
        "files that change while they are read",
        "for n in 1 2 3; do setsid sh -c 'while :; do head -c 50000 /dev/urandom > busy; rm -f busy; mkdir busy 2>/dev/null; "
        "rmdir busy; done' >/dev/null 2>&1 & done; sleep 1",
    ),
)

FILES = (
    Voiding(
        "30,000 files in the workspace",
        "mkdir many; cd many; /usr/bin/python3 -c 'for n in range(30000): open(str(n), \"w\").close()'; sleep 60",
        Ending.FILE_LIMIT,
        Outcome.UNRESOLVED,
        limits=LONG,
        slow=True,
    ),
    Voiding(
        "12,000 files below the limit of the container",
        "mkdir many; cd many; /usr/bin/python3 -c 'for n in range(12000): open(str(n), \"w\").close()'",
        Ending.FILE_LIMIT,
        Outcome.UNRESOLVED,
    ),
    Voiding(
        "30,000 files elsewhere",
        "mkdir /tmp/many; cd /tmp/many; /usr/bin/python3 -c 'for n in range(30000): open(str(n), \"w\").close()'; sleep 60",
        Ending.FILE_LIMIT,
        limits=LONG,
        slow=True,
    ),
)

PROCESSES = (
    _broken("exit code 0 in the init process", _EXIT_IN_INIT),
    _broken("the tool server killed", "kill -9 -1"),
    _broken("a flood of output as the first process", _FLOOD.format(fd=1)),
    _broken(
        "a reply line of its own",
        'echo \'{"id": 3, "ok": true, "content": "x", "seconds": 0, "edits": []}\' > /proc/1/fd/1',
    ),
    _broken("a reply line of 70 megabytes", "head -c 70000000 /dev/zero > /proc/1/fd/1"),
    Voiding("a flood of errors as the first process", _FLOOD.format(fd=2), None, limits=SHORT),
    Voiding(
        "all file descriptors in use",
        _python(
            "import os, time\ntry:\n    while True: os.open('/dev/null', 0)\nexcept OSError as error: print(error)"
        ),
    ),
    Voiding(
        "an unlinked working directory", "cp -r /app /tmp/app; rm -rf /app/* /app/.g*; cp -r /tmp/app/. /app/"
    ),
    _broken("the tool server stopped", "kill -STOP -1; kill -STOP $PPID", slow=True),
    _broken(
        "floods of output and errors while nobody reads",
        "(sleep 1.2; "
        + _FLOOD.format(fd=1)
        + ") >/dev/null 2>&1 & ("
        + _FLOOD.format(fd=2)
        + ") >/dev/null 2>&1 & "
        "kill -STOP $PPID",
        slow=True,
    ),
    Voiding(
        "processes up to the limit, which ignore SIGTERM",
        "trap '' TERM; for n in $(seq 200); do setsid sleep 600 >/dev/null 2>&1 & done; true",
        None,
        limits=SHORT,
        slow=True,
    ),
    Voiding(
        "a fork bomb",
        "f() { f | f & }; f >/dev/null 2>&1; sleep 2; kill -STOP $PPID",
        None,
        limits=SHORT,
        slow=True,
    ),
    Voiding(
        "memory at its limit, so that the container thrashes",
        "for n in 1 2 3; do /usr/bin/python3 -c 'a = [bytearray(1 << 20) for n in range(4000)]' & done; "
        "head -c 2000000000 /dev/zero > /tmp/cache & sleep 3; kill -9 -1",
        None,
        limits=SHORT,
        slow=True,
    ),
    Voiding(
        "the system's programs removed",
        "rm -rf /bin /usr/bin /lib /usr/lib /opt 2>/dev/null; kill -9 $PPID",
        ending=None,
        limits=SHORT,
        slow=True,
    ),
    Voiding(
        "code that makes a very long path while it is graded",
        """cat >>calc/digits.py <<'END'
import os
os.chdir("/tmp")
for _ in range(40):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
os.chdir("/app")
END""",
        outcome=Outcome.UNRESOLVED,
    ),
    Voiding(
        "a report in an encoding that does not exist",
        """cat >>calc/digits.py <<'END'
import os
report = os.path.join(os.environ["RESULTS_" + "DIR"], "a.xml")
open(report, "w").write('<?xml version="1.0" encoding="none"?><testsuite/>')
END""",
        outcome=Outcome.UNRESOLVED,
    ),
    Voiding(
        "deep directories that keep the engine busy when the container ends",
        _python("""
import os
for name in "abc":
    os.chdir("/tmp")
    for depth in range(1_900):
        os.mkdir(name); os.chdir(name)
""")
        + "; sleep 6; kill -9 $PPID; sleep 5",
        None,
        Outcome.UNRESOLVED,
        slow=True,
    ),
    Voiding(
        "1.5 million files, as fast as possible",
        _python("""
import os, multiprocessing
def make(worker):
    os.mkdir(f"/tmp/{worker}"); os.chdir(f"/tmp/{worker}")
    for n in range(750_000): os.close(os.open(str(n), os.O_CREAT | os.O_WRONLY))
multiprocessing.Pool(2).map(make, range(2))
"""),
        Ending.FILE_LIMIT,
        limits=LONG,
        slow=True,
    ),
)

# More of the same kinds: the suite would take too long.
_BENCHMARKED = {
    "names that look like options",
    "names with blanks at both ends",
    "git's own files with odd content",
    "mode changes only",
    "hard links to files inside and outside",
    "large extended attributes",
    "times before 1970 and after 9999",
    "texts that look like patches",
    "more content than a patch may have",
    "12,000 files below the limit of the container",
    "an unlinked working directory",
}
ATTACKS: Sequence[Voiding] = tuple(
    replace(attack, slow=attack.slow or attack.sentence in _BENCHMARKED)
    for attack in (*NAMES, *KINDS, *CONTENTS, *FILES, *PROCESSES)
)


def attempted(arena: Arena, attack: Voiding) -> RunSummary:
    """A real run of one attempt, in a directory of its own."""
    root = arena.root / str(attack)
    root.mkdir()
    own = Arena(root, arena.repository, arena.task)
    return own.run("scripted", script(*attack.steps()), limits=attack.limits, container=attack.container)[0]
