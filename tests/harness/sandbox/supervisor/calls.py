# mypy: ignore-errors
"""Runs in a grading container: compares `benchbench_code.run` with `subprocess.run`, and prints the differences."""

import os
import subprocess
import tempfile
from pathlib import Path

import benchbench_code
from benchbench_code import run

PIPE, STDOUT, DEVNULL = subprocess.PIPE, subprocess.STDOUT, subprocess.DEVNULL
TEXT = {"capture_output": True, "text": True}
BOTH = {"capture_output": True}
SPEAK = ["sh", "-c", "echo out; echo err >&2; exit 3"]
COPY = "cat; echo $?"
BIG = os.urandom(3 << 20)
closed = benchbench_code.directory() + "/closed"
shared = benchbench_code.directory()
Path(closed).mkdir(0o700)
Path(shared, "not-a-program").write_text("neither")
Path(shared, "broken").write_text("#!/nonexistent\n")
Path(shared, "broken").chmod(0o755)
Path(shared, "here").write_text("#!/bin/sh\npwd\n")
Path(shared, "here").chmod(0o755)

CALLS = {
    "success": (["true"], {}),
    "exit code": (SPEAK, BOTH),
    "text": (SPEAK, TEXT),
    "encoding": (["printf", "caf\\351\\r\\nx\\ry"], {"stdout": PIPE, "encoding": "latin-1"}),
    "errors": (["printf", "\\377"], {"stdout": PIPE, "errors": "replace"}),
    "not text": (["printf", "\\377"], TEXT),
    "signal": (["sh", "-c", "kill -9 $$"], {}),
    "out only": (SPEAK, {"stdout": PIPE, "stderr": DEVNULL}),
    "together": (SPEAK, {"stdout": PIPE, "stderr": STDOUT}),
    "err only": (SPEAK, {"stdout": DEVNULL, "stderr": PIPE}),
    "nothing": (SPEAK, {"stdin": DEVNULL, "stdout": DEVNULL, "stderr": DEVNULL}),
    "input": (["sh", "-c", COPY], {"input": b"a\0b", **BOTH}),
    "text input": (["sh", "-c", COPY], {"input": "ä\n", **TEXT}),
    "empty input": (["cat"], {"input": b"", **BOTH}),
    "empty pipe": (["cat"], {"stdin": PIPE, **BOTH}),
    "input of the wrong type": (["cat"], {"input": "text", **BOTH}),
    "text input of the wrong type": (["cat"], {"input": b"bytes", **TEXT}),
    "input nobody reads": (["true"], {"input": BIG, **BOTH}),
    "big input and output": (["cat"], {"input": BIG, **BOTH}),
    "big output on both": (["sh", "-c", "head -c 999999 /dev/zero | tee /dev/stderr"], BOTH),
    "input twice": (["cat"], {"input": b"", "stdin": PIPE}),
    "captured twice": (["cat"], {"stdout": PIPE, **BOTH}),
    "check": (SPEAK, {"check": True, **TEXT}),
    "check passes": (["true"], {"check": True}),
    "environment": (["env"], {"env": {"A": "1", "PATH": "/usr/bin", b"B": b"2"}, **TEXT}),
    "no environment": (["/usr/bin/env"], {"env": {}, **TEXT}),
    "path of the environment": (["here"], {"env": {"PATH": shared}, "cwd": "/", **TEXT}),
    "name with =": (["true"], {"env": {"A=B": "1"}}),
    "environment of numbers": (["true"], {"env": {"A": 1}}),
    "directory": (["pwd"], {"cwd": Path(shared), **TEXT}),
    "relative directory": (["pwd"], {"cwd": "..", **TEXT}),
    "relative program": (["./here"], {"cwd": shared, **TEXT}),
    "no directory": (["true"], {"cwd": "/nonexistent"}),
    "file as directory": (["true"], {"cwd": "/etc/passwd"}),
    "no program": (["nonexistent"], BOTH),
    "no program by path": (["/nonexistent/x"], BOTH),
    "no permission": ([shared + "/not-a-program"], BOTH),
    "no interpreter": ([shared + "/broken"], BOTH),
    "directory as program": (["/etc"], BOTH),
    "null byte": (["echo", "a\0b"], BOTH),
    "lone surrogate": (["echo", "\ud800"], BOTH),
    "bytes": ([b"echo", b"\377", Path("x")], BOTH),
    "one word": ("true", {}),
    "one path": (Path("/bin/true"), {}),
    "odd words": (["printf", "%s|", "", " ", "\n", "'", "ü"], BOTH),
    "many words": (["sh", "-c", "echo $#", *["x" * 50] * 9999], TEXT),
    "one too long word": (["true", "x" * 200_000], BOTH),
    "umask": (["sh", "-c", "umask"], TEXT),
    "names of streams": (
        ["sh", "-c", "echo o > /dev/stdout; echo e > /dev/stderr; cat /dev/stdin"],
        {"input": b"i", **BOTH},
    ),
    "time-out": (["sh", "-c", "echo early; exec sleep 60"], {"timeout": 0.3, **TEXT}),
    "silent time-out": (["sleep", "60"], {"timeout": 0.1, **BOTH}),
    "in time": (["true"], {"timeout": 60}),
    "restored signals": (["sh", "-c", "kill -PIPE $$; echo lives"], TEXT),
    "ignored signals": (["sh", "-c", "kill -PIPE $$; echo lives"], {"restore_signals": False, **TEXT}),
}


def outcome(call, arguments, options):
    """What a call gives: the fields of its result or of its error."""
    try:
        done = call(arguments, **options)
        return done.args, done.returncode, done.stdout, done.stderr
    except subprocess.SubprocessError as error:
        return type(error), vars(error)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        fields = (error.errno, error.filename) if isinstance(error, OSError) else str(error)
        return type(error), fields


def to_a_file(call):
    with tempfile.TemporaryFile() as file:
        code = call(SPEAK, stdout=file, stderr=file, stdin=file).returncode
        file.seek(0)
        return code, file.read()


def runs(process):
    """Whether a process runs: it may end between two looks at it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def compared(name, ours, theirs):
    if ours != theirs:
        print(name, repr(ours)[:400], repr(theirs)[:400], sep="\n  ")


os.umask(0o027)
os.chdir(tempfile.mkdtemp(dir=benchbench_code.directory()))
Path().chmod(0o755)
for name, (arguments, options) in CALLS.items():
    compared(name, outcome(run, arguments, options), outcome(subprocess.run, arguments, options))
compared("file", to_a_file(run), to_a_file(subprocess.run))
refused = outcome(run, ["true"], {"cwd": closed})
compared("a directory of the tests' own", refused, (PermissionError, (13, closed)))
left = len(list(Path("/proc/self/fd").iterdir()))
run(["true"], capture_output=True)
compared("descriptors", len(list(Path("/proc/self/fd").iterdir())), left)
try:
    run(["sh", "-c", "echo $$; sleep 60"], stdout=PIPE, timeout=0.3)
except subprocess.TimeoutExpired as late:
    group = int(late.stdout)
compared("killed at the time-out", runs(group), False)
command = benchbench_code.outside("sh", "-c", "id -u; cat; exit 5")
with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as program:
    compared("outside", program.communicate("in"), ("64102\nin", None))
compared("its exit code", program.returncode, 5)
compared("a signal outside", subprocess.call(benchbench_code.outside("sh", "-c", "kill -9 $$")), 137)
with subprocess.Popen(benchbench_code.outside("sh", "-c", "echo $$; exec sleep 60"), stdout=PIPE) as program:
    pid = int(program.stdout.readline())
    program.terminate()
gone = Path(f"/proc/{pid}")
for _ in range(100):
    if not gone.exists():
        break
    run(["sleep", "0.02"])
compared("ends with its client", gone.exists(), False)
compared("shared", oct(Path(shared).stat().st_mode)[-3:], "777")
run(["touch", shared + "/made"], check=True)
compared("its files", Path(shared, "made").stat().st_uid, 64102)
print("compared", len(CALLS))
