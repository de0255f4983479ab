"""Searches a container for the original code of functions that its task changed: texts, git, bytecode, layers.

The search runs inside a workspace as an agent could run it, but as root and knowing what to look for. Files of Debian's
packages share single lines with most programs by chance, so there three lines in a row are a find.
"""

from __future__ import annotations

import base64
import difflib
import json
import tarfile
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docker import APIClient

from harness.dataset import Repository, Task, started
from harness.patches import FileState, apply_patch
from harness.sandbox.base import Workspace

SHORTEST = 12  # characters of a line that is searched for
PASSAGE = 3  # lines in a row
# Reads {"lines": [...], "passages": [...], "files": {path: text}, "functions": [...]} and prints one place a line.
# Standard library only.
SEARCH = r"""
import glob, gzip, io, json, marshal, os, subprocess, sys, tarfile, types, zipfile, zlib
wanted = json.loads(sys.argv[1])
lines = [line.encode() for line in wanted["lines"]]
passages = [text.encode() for text in wanted["passages"]]
owned = set()
for name in glob.glob("/var/lib/dpkg/info/*.list"):
    with open(name, encoding="utf-8", errors="replace") as file:
        owned.update(file.read().splitlines())
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
    if any(text in content for text in (passages if place.partition("!")[0] in owned else lines)):
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

# The original, in every way in which a careless image could hold it.
_PLANT = """
set -e
mkdir -p /tmp/plant/sub && cd /tmp/plant
echo {text} | base64 -d > installed.py
python3 -c "import py_compile; py_compile.compile('installed.py', 'cached.pyc', dfile={path!r})"
python3 -c "import zipfile; zipfile.ZipFile('wheel.whl', 'w', zipfile.ZIP_DEFLATED).write('installed.py')"
gzip -k installed.py && tar -cf archive.tar installed.py
git init -q sub && cd sub && cp ../installed.py . && git add . && git -c user.name=a -c user.email=a@b commit -q -m a
git rm -q installed.py && git -c user.name=a -c user.email=a@b commit -q -m b
cd /app
"""
PLANTED = frozenset({
    "text /tmp/plant/installed.py",
    "bytecode /tmp/plant/cached.pyc",
    "text /tmp/plant/wheel.whl!installed.py",
    "text /tmp/plant/installed.py.gz!gz",
    "text /tmp/plant/archive.tar!installed.py",
    "git /tmp/plant/sub",
})  # fmt: skip


def planting(path: str, text: str) -> str:
    """Shell commands that plant the original of a file at the places PLANTED."""
    return _PLANT.format(path=path, text=base64.b64encode(text.encode()).decode())


@dataclass(frozen=True, slots=True)
class Original:
    """What the search looks for: lines of the original that the agent's tree does not have, and its whole files.

    `passages`: lines in a row of which at least one was changed.
    """

    lines: tuple[str, ...]
    passages: tuple[str, ...]
    files: Mapping[str, str]
    functions: tuple[str, ...]

    def argument(self) -> str:
        """For the search program."""
        return json.dumps(
            {"lines": self.lines, "passages": self.passages, "files": self.files, "functions": self.functions}
        )


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
    passages = sorted(
        {
            passage
            for path, text in files.items()
            for passage in _passages((source.read(path) or FileState(path, b"")).content or b"", text)
        }
    )
    python = {path: text for path, text in files.items() if path.endswith(".py")}
    return Original(tuple(hidden), tuple(passages), python, names)


def _passages(start: bytes, original: str) -> Iterator[str]:
    """All lines in a row of the original that the start does not have, with a line around them."""
    lines, before = original.splitlines(), start.decode().splitlines()
    for tag, _, _, first, last in difflib.SequenceMatcher(None, before, lines, autojunk=False).get_opcodes():
        if tag in ("insert", "replace"):
            begin, end = max(0, first - 1), min(len(lines), last + 1)
            for at in range(begin, max(begin + 1, end - PASSAGE + 1)):
                yield "\n".join(lines[at : at + PASSAGE])


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


def places_in_layers(
    api: APIClient, image: str, original: Original, *, below: Collection[str] = ()
) -> list[str]:
    """The members of the layers of an image that hold lines of the original.

    `below`: the layers of what Debian's packages are in, as `layers_of` gives them; there passages are looked for.
    """
    found = []
    with tempfile.TemporaryFile() as packed:
        for chunk in api.get_image(image):
            packed.write(chunk)
        packed.seek(0)
        with tarfile.open(fileobj=packed) as whole:
            (manifest,) = json.load(whole.extractfile("manifest.json"))  # type: ignore[arg-type]
            for digest, name in zip(layers_of(api, image), manifest["Layers"], strict=True):
                wanted = original.passages if digest in below else original.lines
                with tarfile.open(fileobj=whole.extractfile(name)) as members:
                    found += [f"layer {name[:12]}: {member}" for member in _with_texts(members, wanted)]
    return found


def layers_of(api: APIClient, image: str) -> list[str]:
    """The digests of the layers of an image, from the lowest up."""
    return list(api.inspect_image(image)["RootFS"]["Layers"])  # type: ignore[no-untyped-call]


def _with_texts(members: tarfile.TarFile, texts: Iterable[str]) -> Iterator[str]:
    needles = [text.encode() for text in texts]
    for member in members:
        file = members.extractfile(member) if member.isfile() else None
        content = file.read() if file is not None else b""
        if any(needle in content for needle in needles):
            yield member.name
