"""The system calls that programs in containers may use, tried in real containers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

import pytest
from docker import APIClient

from harness.patches import FileState
from harness.sandbox.engine.archive import pack
from harness.sandbox.engine.containers import Recipe, created
from harness.sandbox.engine.seccomp import profile

# Numbers and constants of x86-64 and AArch64; each call is tried with the arguments of an honest program.
PROBE = """
import ctypes, errno, json, mmap, os, platform, signal, socket, subprocess, threading

LIBC = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"
memory = mmap.mmap(-1, 4096)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
found = {}


def attempt(name, numbers, *arguments):
    values = [ctypes.c_long(value) for value in (numbers[0 if X86 else 1], *arguments)]
    result = LIBC.syscall(*values)
    found[name] = "allowed" if result >= 0 else errno.errorcode[ctypes.get_errno()]
    return result


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


child = subprocess.Popen(["/bin/sleep", "60"])
ours, theirs = Vector(address, 8), Vector(address, 8)
pair = (ctypes.addressof(ours), 1, ctypes.addressof(theirs), 1, 0)
# EFAULT: the call was made, and the other process has nothing at this address.
attempt("process_vm_readv", (310, 270), child.pid, *pair)
attempt("process_vm_writev", (311, 271), child.pid, *pair)
attempt("kcmp", (312, 272), os.getpid(), child.pid, 2, 0, 0)
pidfd = attempt("pidfd_open", (434, 434), child.pid, 0)
attempt("pidfd_getfd", (438, 438), pidfd, 1, 0)
attempt("ptrace", (101, 117), 16, child.pid, 0, 0)  # PTRACE_ATTACH
attempt("io_uring_setup", (425, 425), 8, address)
attempt("bpf", (321, 280), 0, address, 8)
attempt("userfaultfd", (323, 282), 0)
attempt("perf_event_open", (298, 241), address, 0, -1, -1, 0)
attempt("keyctl", (250, 219), 0, -3, 0)
attempt("mount", (165, 40), 0, 0, 0, 0, 0)
bits = {"NEWNS": 17, "NEWCGROUP": 25, "NEWUTS": 26, "NEWIPC": 27, "NEWUSER": 28, "NEWPID": 29, "NEWNET": 30}
for name, bit in bits.items():
    attempt("unshare " + name, (272, 97), 1 << bit)
    attempt("clone " + name, (56, 220), 1 << bit | signal.SIGCHLD, 0, 0, 0, 0)
attempt("clone3", (435, 435), address, 64)
for name, family in (("unix", 1), ("inet", 2), ("inet6", 10), ("netlink", 16), ("alg", 38), ("vsock", 40)):
    for high in (0, 1 << 32):
        kind = "socket " + name + (" with high bits" if high else "")
        attempt(kind, (41, 198), high | family, 3 if family == 16 else 2, 0)
attempt("personality query", (135, 92), 0xFFFFFFFF)
attempt("personality read implies exec", (135, 92), 0x0400000)
child.kill()
thread = threading.Thread(target=found.setdefault, args=("thread", "allowed"))
thread.start()
thread.join()
pid = os.fork()
if pid == 0:
    os._exit(0)
found["fork"] = "allowed" if os.waitpid(pid, 0)[1] == 0 else "failed"
with open("/found.json", "w") as file:
    json.dump(found, file)
"""
REFUSED = {
    "io_uring_setup",
    "bpf",
    "userfaultfd",
    "perf_event_open",
    "keyctl",
    "mount",
    *(
        f"{call} {name}"
        for call in ("unshare", "clone")
        for name in ("NEWNS", "NEWUSER", "NEWPID", "NEWNET", "NEWIPC", "NEWUTS", "NEWCGROUP")
    ),
    *(f"socket {name}{high}" for name in ("alg", "vsock") for high in ("", " with high bits")),
    "personality read implies exec",
}
TRACING = {"process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "ptrace"}


def probed(api: APIClient, recipe: Recipe, *, tracing: bool) -> dict[str, str]:
    """What each call of the probe gave: 'allowed' or the name of an error."""
    command = ["/usr/bin/python3", "/probe.py"]
    with created(api, replace(recipe, command=command, tracing=tracing)) as container:
        container.put(pack([FileState("probe.py", PROBE.encode())]))
        container.start()
        container.state_at_rest(30)
        found = container.file(PurePosixPath("/found.json"))
        answers: dict[str, str] = json.loads((found and found.content) or b"{}")
        return answers


@pytest.mark.engine
class TestInAContainer:
    def test_graders_have_no_tracing_no_namespaces_and_only_four_kinds_of_sockets(
        self, api: APIClient, recipe: Recipe
    ) -> None:
        found = probed(api, recipe, tracing=False)
        assert {name for name, answer in found.items() if answer == "EPERM"} == REFUSED | TRACING
        assert found.pop("clone3") == "ENOSYS"  # so that C libraries use clone
        allowed = {name for name in found if name not in REFUSED | TRACING}
        assert {found[name] for name in allowed} == {"allowed"}
        assert {"thread", "fork", "pidfd_open", "socket netlink"} <= allowed

    def test_debuggers_work_in_workspaces(self, api: APIClient, recipe: Recipe) -> None:
        found = probed(api, recipe, tracing=True)
        assert {name for name, answer in found.items() if answer == "EPERM"} == REFUSED
        assert (found["ptrace"], found["pidfd_getfd"], found["process_vm_writev"]) == (
            "allowed",
            "allowed",
            "EFAULT",
        )


def test_a_call_is_allowed_only_by_a_rule_that_names_it() -> None:
    rules = json.loads(profile(tracing=False))
    assert rules["defaultAction"] == "SCMP_ACT_ERRNO"
    names: dict[str, list[dict[str, Any]]] = {}
    for rule in rules["syscalls"]:
        for name in rule["names"]:
            names.setdefault(name, []).append(rule)
    conditional = {name for name, found in names.items() if any(rule.get("args") for rule in found)}
    assert conditional == {"socket", "clone", "personality"}
    assert all(rule["args"] for name in conditional for rule in names[name])
    assert {"ptrace", "io_uring_setup", "setns", "unshare", "mount", "socketcall"}.isdisjoint(names)
