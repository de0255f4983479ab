"""Gets one directory of a git repository at one commit, as a tar file, without running anything of it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from runs.intake.reported.fetching.public_source import PublicSource
from runs.intake.reported.reported_result import ResultsRefused

MAX_SECONDS = 6 * 3600.0
POLL_SECONDS = 0.5
_REASON_LENGTH = 600
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "credential.helper=",
    "fetch.recurseSubmodules=no",
    "gc.auto=0",
    "http.followRedirects=false",
    "http.lowSpeedLimit=100",
    "http.lowSpeedTime=60",
    "protocol.allow=never",
    "protocol.https.allow=always",
)


def cloned_directory(
    source: PublicSource, address: str, home: Path, progress: Callable[[str], None] = lambda _: None
) -> Path:
    """A tar file of the source's directory at its commit. Raises ResultsRefused, which says what git said.

    `address`: of the repository, or of a mirror of it: git takes a commit only if its content has that digest. `home`
    keeps the clone, so that nothing comes twice. `progress` gets what git reports of it, a line.
    """
    git = _Git(home / "clone", address, source.max_bytes)
    git.run("init", "--quiet", "--bare", ".")
    if not git.has(f"{source.commit}^{{commit}}"):
        git.fetch(source.commit, progress)
    if not git.has(f"{source.commit}:{source.directory}"):
        raise ResultsRefused(address, f"commit {source.commit[:12]} has no directory {source.directory!r}")
    target = home / "files.tar"
    git.run("archive", "--format=tar", f"--output={target}", f"{source.commit}:{source.directory}")
    return target


class _Git:
    """A bare repository of our own, into which commits of an address come."""

    def __init__(self, directory: Path, address: str, max_bytes: int) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._directory, self._address, self._max_bytes = directory, address, max_bytes
        local = ["protocol.file.allow=always"] if Path(address).is_dir() else []
        # Only a mirror that the operator named has such an address.
        plain = ["protocol.http.allow=always"] if address.startswith("http://") else []
        self._command = ["git", *(word for one in (*_SETTINGS, *local, *plain) for word in ("-c", one))]
        self._environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(directory),
            "GIT_DIR": str(directory),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "LC_ALL": "C",
        }

    def run(self, *arguments: str) -> None:
        """Raises ResultsRefused with git's message."""
        done = self._finished(*arguments)
        if done.returncode:
            raise self._refused(done.stderr)

    def has(self, name: str) -> bool:
        """Whether an object is there."""
        return self._finished("cat-file", "-e", name).returncode == 0

    def fetch(self, commit: str, progress: Callable[[str], None]) -> None:
        """Gets a commit without its history. Raises ResultsRefused; what is incomplete is removed."""
        log = self._directory / "fetch.log"
        command = [*self._command, "fetch", "--depth=1", "--no-tags", "--progress", self._address, commit]
        try:
            with log.open("wb") as errors, self._started(command, errors) as process:
                try:
                    self._watch(process, log, progress)
                finally:
                    process.kill()
            if process.returncode:
                raise self._refused(log.read_bytes())
        except BaseException:
            shutil.rmtree(self._directory / "objects", ignore_errors=True)
            raise

    def _watch(self, process: subprocess.Popen[bytes], log: Path, progress: Callable[[str], None]) -> None:
        deadline = time.monotonic() + MAX_SECONDS
        while process.poll() is None:
            if _size(self._directory) > self._max_bytes:
                raise ResultsRefused(
                    self._address, f"it has more than {self._max_bytes:,} bytes, its limit in the register"
                )
            if time.monotonic() > deadline:
                raise ResultsRefused(self._address, f"git took more than {MAX_SECONDS / 3600:.0f} hours")
            progress(_last_line(log.read_bytes()[-4096:]))
            try:
                process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue

    def _started(self, command: list[str], errors: IO[bytes]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=self._directory,
                env=self._environment,
            )
        except FileNotFoundError:
            raise ResultsRefused("git", "it is not installed on this host: install it") from None

    def _finished(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                [*self._command, *arguments],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=self._directory,
                env=self._environment,
                check=False,
            )
        except FileNotFoundError:
            raise ResultsRefused("git", "it is not installed on this host: install it") from None

    def _refused(self, errors: bytes) -> ResultsRefused:
        lines = errors.decode("utf-8", "replace").replace("\r", "\n").splitlines()
        reason = "; ".join(line.strip() for line in lines if line.startswith(("fatal:", "error:", "remote:")))
        plain = "".join(letter if letter.isprintable() else " " for letter in reason or "git failed")
        return ResultsRefused(self._address, plain[:_REASON_LENGTH])


def _size(directory: Path) -> int:
    """Bytes of the files below a directory, some of which may vanish meanwhile."""
    total = 0
    for home, _, names in os.walk(directory):
        for name in names:
            try:
                total += Path(home, name).lstat().st_size
            except OSError:
                continue
    return total


def _last_line(text: bytes) -> str:
    lines = [line for line in text.replace(b"\r", b"\n").splitlines() if line.strip()]
    line = lines[-1].decode("utf-8", "replace") if lines else ""
    return "".join(letter if letter.isprintable() else " " for letter in line)[:100]
