"""Prepares an image for grading: `prepare.py WORKDIR`, as root, when the image is built.

Afterwards two users exist, TESTER for the tests and CODE for programs under test, and neither can write anything but
the scratch places: temporary directories and, TESTER only, the workspace and new files in the home directory and its
caches. Installed packages, also those below the workspace, belong to root.

Python 3.8 or newer, standard library only.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from typing import Iterator

TESTER, CODE = 64101, 64102
# Users and groups of files: the tests may add files to a directory of the second kind that is sticky.
OF_ROOT, SHARED, OF_TESTS = (0, 0), (0, TESTER), (TESTER, TESTER)
HOME = "/root"
RESULTS = "/benchbench/results"
LAUNCHER = "/opt/benchbench/python3"
USERS = (("benchbench-tests", TESTER, HOME), ("benchbench-code", CODE, "/tmp"))
TEMPORARY = ("/tmp", "/var/tmp", "/run/lock", "/dev", "/proc", "/sys")
# What these directories hold in a workspace is installed, not built by tests.
INSTALLED = frozenset(("node_modules", "site-packages", "dist-packages", "venv", ".venv", "virtualenv"))
# Tools write into these directories of installed packages.
TOOL_CACHES = (".cache", ".vite", ".vite-temp")
HOME_CACHES = (
    ".cache",
    ".cargo",
    ".config",
    ".dotnet",
    ".gradle",
    ".ivy2",
    ".local",
    ".m2",
    ".npm",
    ".nuget",
    ".sbt",
)
PROGRAMS = ("bin", "lib", "lib64", "node_modules")
PLUGIN = "benchbench_results"
MODULES = (PLUGIN + ".py", "benchbench_code.py")
FIND_PYTEST = "import os, pytest; print(os.path.dirname(os.path.dirname(os.path.abspath(pytest.__file__))))"


def add_users() -> None:
    """Names the two users, because some programs ask for the names and homes of their users."""
    for name, number, home in USERS:
        _append("/etc/passwd", "{0}:x:{1}:{1}:BenchBench:{2}:/bin/sh\n".format(name, number, home))
        _append("/etc/group", "{}:x:{}:\n".format(name, number))


def _append(path: str, line: str) -> None:
    """Adds a line to a file, whose last line may have no end and which may be missing."""
    with open(path, "a+b") as file:
        file.seek(0)
        text = file.read()
        file.write((b"\n" if text and not text.endswith(b"\n") else b"") + line.encode())


def change(path: str, remove: int = 0, add: int = 0, owner: tuple[int, int] | None = None) -> None:
    """Changes permissions and owner, only if they differ: each change copies the file into this layer."""
    state = os.lstat(path)
    if owner is not None and (state.st_uid, state.st_gid) != owner:
        os.chown(path, *owner, follow_symlinks=False)
    mode = stat.S_IMODE(state.st_mode)
    if not stat.S_ISLNK(state.st_mode) and mode != (mode & ~remove) | add:
        os.chmod(path, (mode & ~remove) | add)


def unlink_names(path: str) -> None:
    """Gives a file with further names a copy of its own: those names may be a program of the system."""
    state = os.lstat(path)
    if stat.S_ISREG(state.st_mode) and state.st_nlink > 1:
        copy = path + ".benchbench"
        shutil.copy2(path, copy)
        os.replace(copy, path)


def paths(root: str) -> Iterator[tuple[str, bool]]:
    """Every directory (with True) and other file below and including `root`, on its file system."""
    device = os.lstat(root).st_dev
    yield root, True
    for top, directories, files in os.walk(root):
        for name in files:
            yield os.path.join(top, name), False
        for name in list(directories):
            path = os.path.join(top, name)
            link = os.path.islink(path)
            if link or os.lstat(path).st_dev != device:
                directories.remove(name)
            yield path, not link


def close_system(workdir: str) -> None:
    """Lets all users read what root can, and write nothing, outside the workspace and temporary directories."""
    left_out = (workdir, *TEMPORARY)
    for top, directories, files in os.walk("/"):
        for name in list(directories):
            path = os.path.join(top, name)
            if path in left_out:
                directories.remove(name)
            elif not os.path.islink(path):
                _close(path)
        for name in files:
            _close(os.path.join(top, name))


def _close(path: str) -> None:
    state = os.lstat(path)
    if stat.S_ISLNK(state.st_mode):
        return
    owned = state.st_uid in (TESTER, CODE) or state.st_gid in (TESTER, CODE)
    # Install scripts sometimes make files of root 0700. Tests may need them, and are not root.
    readable = 0
    if state.st_uid == 0 and not path.startswith("/etc/"):
        readable = stat.S_IROTH | (stat.S_IXOTH if state.st_mode & stat.S_IXUSR else 0)
    change(path, remove=stat.S_IWOTH, add=readable, owner=OF_ROOT if owned else None)


def open_workspace(workdir: str) -> None:
    """Gives the workspace to the tests, but not its top, nor what is installed there."""
    parent = os.path.dirname(workdir)
    while parent != "/":
        change(parent, add=0o005)
        parent = os.path.dirname(parent)
    for path, directory in paths(workdir):
        if path == workdir:
            change(path, remove=0o002, add=0o1775, owner=SHARED)
        elif _installed(os.path.relpath(path, workdir)):
            change(path, remove=0o022, add=0o555 if directory else 0o444, owner=OF_ROOT)
        else:
            unlink_names(path)
            change(path, remove=0o002, add=0o755 if directory else 0o444, owner=OF_TESTS)
    for path, directory in list(paths(workdir)):
        if directory and os.path.basename(path) == "node_modules":
            for name in TOOL_CACHES:
                os.makedirs(os.path.join(path, name), exist_ok=True)
                change(os.path.join(path, name), owner=OF_TESTS)


def _installed(path: str) -> bool:
    parts = path.split(os.sep)
    return not INSTALLED.isdisjoint(parts) and set(parts).isdisjoint(TOOL_CACHES)


def open_home(workdir: str) -> None:
    """Lets everybody read the home directory. The tests may add files to it and to its caches, and change no other."""
    os.makedirs(HOME, exist_ok=True)
    for path, directory in paths(HOME):
        if path == workdir or path.startswith(workdir + os.sep):
            continue
        parts = os.path.relpath(path, HOME).split(os.sep)
        cache = parts == ["."] or (parts[0] in HOME_CACHES and set(parts).isdisjoint(PROGRAMS))
        if directory:
            if cache:
                change(path, remove=0o002, add=0o1775, owner=SHARED)
            else:
                change(path, remove=0o022, add=0o555)
        elif not os.path.islink(path):
            change(path, add=0o444)
            if cache and path.endswith((".lock", ".package-cache")):
                unlink_names(path)
                change(path, owner=OF_TESTS)


def fix_interpreter() -> None:
    """Makes the launcher of the supervisor's Python start this one, whatever the path of the environment finds later.

    Its path can lead through the workspace, for example to a virtual environment there, where agents leave files.
    """
    if not os.path.islink(LAUNCHER):
        with open(LAUNCHER, "w") as file:
            file.write('#!/bin/sh\nexec "{}" "$@"\n'.format(os.path.realpath(sys.executable)))


def install_modules(source: str, workdir: str) -> None:
    """Copies the plugin and the module for tests beside each pytest that is on the path, or in the workspace."""
    for place in sorted(set(filter(None, map(_packages, _interpreters(workdir))))):
        for name in MODULES:
            shutil.copyfile(os.path.join(source, name), os.path.join(place, name))
            os.chmod(os.path.join(place, name), 0o644)
        information = os.path.join(place, PLUGIN + "-1.dist-info")
        os.makedirs(information, exist_ok=True)
        for name, text in (
            ("METADATA", "Metadata-Version: 2.1\nName: benchbench-results\nVersion: 1\n"),
            ("entry_points.txt", "[pytest11]\n{0} = {0}\n".format(PLUGIN)),
        ):
            with open(os.path.join(information, name), "w") as file:
                file.write(text)


def _interpreters(workdir: str) -> Iterator[str | None]:
    """The Pythons on the path, those of virtual environments, and the one that the command `pytest` uses."""
    for name in ("python3", "python", "/usr/bin/python3"):
        yield shutil.which(name)
    for name in ("venv", ".venv", "virtualenv"):
        yield shutil.which(os.path.join(workdir, name, "bin", "python"))
    script = shutil.which("pytest")
    if script:
        with open(script, "rb") as file:
            line = file.readline(200).decode("utf-8", "replace")
        if line.startswith("#!") and "python" in line:
            words = line[2:].split()
            yield shutil.which(words[-1] if os.path.basename(words[0]) == "env" else words[0])


def _packages(interpreter: str | None) -> str | None:
    """The directory with this interpreter's pytest, or None."""
    if not interpreter:
        return None
    done = subprocess.run(
        [interpreter, "-I", "-c", FIND_PYTEST], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return done.stdout.decode("utf-8", "replace").strip() or None


def main(workdir: str) -> None:
    """Prepares this image."""
    fix_interpreter()
    install_modules(os.path.dirname(os.path.abspath(__file__)), workdir)
    add_users()
    close_system(workdir)
    open_workspace(workdir)
    open_home(workdir)
    os.makedirs(RESULTS, exist_ok=True)
    os.chmod(RESULTS, 0o700)
    os.chown(RESULTS, TESTER, TESTER)


if __name__ == "__main__":
    main(*sys.argv[1:])
