"""Searches a container for the original code of functions that its task changed: texts, git, bytecode, layers.

The search runs inside a workspace as an agent could run it, but as root and knowing what to look for.
"""

from __future__ import annotations

import base64
import io
import json
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docker import APIClient

from harness.dataset import Repository, Task, started
from harness.patches import apply_patch
from harness.sandbox.base import Workspace

SHORTEST = 12  # characters of a line that is searched for
# Reads {"lines": [...], "files": {path: text}, "functions": [...]} and prints one place a line. Standard library only.
SEARCH = r"""
import gzip, io, json, marshal, os, subprocess, sys, tarfile, types, zipfile, zlib
wanted = json.loads(sys.argv[1])
lines = [line.encode() for line in wanted["lines"]]
MOST = 64 << 20

def codes(code):
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from codes(one)

def form(code):
    plain = [repr(one) for one in code.co_consts if not isinstance(one, types.CodeType)]
    return code.co_name, code.co_names, tuple(plain), code.co_code

originals = set()
for path, text in wanted["files"].items():
    for optimise in (0, 1, 2):
        for code in codes(compile(text, path, "exec", dont_inherit=True, optimize=optimise)):
            if code.co_name in wanted["functions"]:
                originals.add(form(code))

def look(place, content, depth=0):
    if any(line in content for line in lines):
        print("text", place)
    if depth > 2:
        return
    if content[:4] == b"PK\3\4":
        try:
            for one in zipfile.ZipFile(io.BytesIO(content)).infolist():
                look(place + "!" + one.filename, zipfile.ZipFile(io.BytesIO(content)).read(one), depth + 1)
        except Exception:
            pass
    elif content[:2] == b"\x1f\x8b":
        try:
            look(place + "!gz", gzip.decompress(content), depth + 1)
        except Exception:
            pass
    elif content[257:262] == b"ustar":
        try:
            archive = tarfile.open(fileobj=io.BytesIO(content))
            for one in archive:
                if one.isfile():
                    look(place + "!" + one.name, archive.extractfile(one).read(), depth + 1)
        except Exception:
            pass
    elif place.endswith((".pyc", ".pyo")):
        try:
            if any(form(code) in originals for code in codes(marshal.loads(content[16:]))):
                print("bytecode", place)
        except Exception:
            pass

for top, directories, names in os.walk("/"):
    if top == "/":
        directories[:] = [one for one in directories if one not in ("proc", "sys", "dev")]
    for name in names:
        path = os.path.join(top, name)
        try:
            if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > MOST:
                continue
            with open(path, "rb") as file:
                look(path, file.read())
        except OSError:
            continue
    if ".git" in directories or os.path.exists(os.path.join(top, "HEAD")):
        for command in ("--batch-all-objects --batch", ):
            found = subprocess.run(["git", "-c", "safe.directory=*", "-C", top, "cat-file", *command.split()],
                                   capture_output=True, check=False).stdout
            if any(line in found for line in lines):
                print("git", top)
"""


@dataclass(frozen=True, slots=True)
class Original:
    """What the search looks for: lines of the original that the agent's tree does not have, and its whole files."""

    lines: tuple[str, ...]
    files: Mapping[str, str]
    functions: tuple[str, ...]

    def argument(self) -> str:
        """For the search program."""
        return json.dumps({"lines": self.lines, "files": self.files, "functions": self.functions})


def original_of(repository: Repository, task: Task) -> Original:
    """The original of a task: its start with the reference patch."""
    source = started(repository, task).source
    files = {
        state.path: (state.content or b"").decode()
        for state in apply_patch(task.reference_diff.read_bytes(), source.read)
        if state.content is not None
    }
    visible = "\n".join((file.content or b"").decode("utf-8", "replace") for file in source.files())
    lines = {line.strip() for text in files.values() for line in text.splitlines()}
    hidden = sorted(line for line in lines if len(line) >= SHORTEST and line not in visible)
    names = tuple(target.name.rpartition(".")[2] for target in task.targets)
    return Original(
        tuple(hidden), {path: text for path, text in files.items() if path.endswith(".py")}, names
    )


def places_in(workspace: Workspace, original: Original, before: str = "") -> list[str]:
    """Where the original is found inside a workspace, `kind place` each. `before`: a shell command to run first."""
    program = base64.b64encode(SEARCH.encode()).decode()
    argument = base64.b64encode(original.argument().encode()).decode()
    command = (
        f'{before}\npython3 -I -c "import base64, sys; sys.argv[1] = base64.b64decode(sys.argv[1]).decode(); '
        f"exec(base64.b64decode('{program}'))\" {argument}"
    )
    arguments: Mapping[str, Any] = {"explanation": "Search.", "command": command, "timeout": 300}
    reply = workspace.call("run_terminal_cmd", arguments, timeout=300)
    assert "exit code 0" in reply.content.splitlines()[0], reply.content
    kinds = ("text ", "bytecode ", "git ")
    return [line for line in reply.content.splitlines() if line.startswith(kinds)]


def places_in_layers(api: APIClient, image: str, original: Original) -> list[str]:
    """The members of the layers of an image that hold lines of the original."""
    packed = io.BytesIO(b"".join(api.get_image(image)))
    found = []
    with tarfile.open(fileobj=packed) as whole:
        for layer, content in _layers(whole):
            with tarfile.open(fileobj=io.BytesIO(content)) as members:
                found += [f"layer {layer}: {name}" for name in _with_lines(members, original.lines)]
    return found


def _layers(whole: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in whole:
        file = whole.extractfile(member) if member.name.endswith("layer.tar") and member.isfile() else None
        if file is not None:
            yield member.name[:12], file.read()


def _with_lines(members: tarfile.TarFile, lines: Iterable[str]) -> Iterator[str]:
    needles = [line.encode() for line in lines]
    for member in members:
        file = members.extractfile(member) if member.isfile() else None
        content = file.read() if file is not None else b""
        if any(needle in content for needle in needles):
            yield member.name
