"""Searches a container for the original code of functions that its task changed: texts, git, bytecode, layers.

The search runs inside a workspace as an agent could run it, but as root and knowing what to look for. Where the
repository and the agent's own files are, a single line is a find. Elsewhere programs share single lines by chance, so
there two passages of three lines are one, or the only one.
"""

from __future__ import annotations

import base64
import difflib
import json
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from docker import APIClient

from harness.dataset import Repository, Task, started
from harness.patches import apply_patch
from harness.sandbox.base import Workspace

MIN_LENGTH = 12  # characters of a line that is searched for
PASSAGE = 3  # lines in a row, of which two are not shorter than that
OWN = ("/app/", "/tmp/", "/home/", "/root/")  # directories in which a single line is a find
PIECE = 60_000  # characters of a command
# Reads the fields of an Original, and "own", from a file, and prints one place a line.
# Standard library only.
SEARCH = r"""
import gzip, io, json, marshal, os, subprocess, sys, tarfile, types, zipfile, zlib
with open("/tmp/wanted.json") as file:
    wanted = json.load(file)
os.remove("/tmp/wanted.json")
lines = [line.encode() for line in wanted["lines"]]
passages = [text.encode() for text in wanted["passages"]]
MAX_COUNT = 64 << 20

def codes(code):
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from codes(one)

def form(code):
    plain = [repr(one) for one in code.co_consts if not isinstance(one, types.CodeType)]
    return code.co_name, code.co_names, tuple(plain), code.co_code

def forms(files):
    return {
        form(code)
        for path, text in files.items()
        for optimise in (0, 1, 2)
        for code in codes(compile(text, path, "exec", dont_inherit=True, optimize=optimise))
        if code.co_name in wanted["functions"]
    }

originals = forms(wanted["files"]) - forms(wanted["before"])

def look(place, content, depth=0):
    few, texts = (1, lines + passages) if place.startswith(tuple(wanted["own"])) else (2, passages)
    if texts and sum(text in content for text in texts) >= min(few, len(texts)):
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
            if os.path.islink(path) or not os.path.isfile(path) or os.path.getsize(path) > MAX_COUNT:
                continue
            with open(path, "rb") as file:
                look(path, file.read())
        except OSError:
            continue
    if ".git" in directories or os.path.exists(os.path.join(top, "HEAD")):
        for command in ("--batch-all-objects --batch", ):
            found = subprocess.run(["git", "-c", "safe.directory=*", "-C", top, "cat-file", *command.split()],
                                   capture_output=True, check=False).stdout
            if any(text in found for text in lines + passages):
                print("git", top)
"""

# The original, in every way in which a careless image could hold it.
_PLANT = """
set -e
mkdir -p /tmp/plant/sub && cd /tmp/plant
mv /tmp/original.py installed.py
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


def plant(workspace: Workspace, path: str, text: str) -> None:
    """Plants the original of a file at the places PLANTED."""
    _send(workspace, text, "/tmp/original.py")
    _run(workspace, _PLANT.format(path=path))


@dataclass(frozen=True, slots=True)
class Original:
    """What the search looks for: lines of the original that the agent's tree does not have, and its whole files.

    `passages`: lines in a row that the tree does not have so. `before`: the files that the agent has.
    """

    lines: tuple[str, ...]
    passages: tuple[str, ...]
    files: Mapping[str, str]
    before: Mapping[str, str]
    functions: tuple[str, ...]

    def request(self) -> str:
        """For the search program."""
        return json.dumps({**asdict(self), "own": OWN})


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
    hidden = sorted(line for line in lines if len(line) >= MIN_LENGTH and line not in visible)
    names = tuple(target.name.rpartition(".")[2] for target in task.targets)
    before = {path: (state.content or b"").decode() for path in files if (state := source.read(path))}
    passages = sorted(
        {
            passage
            for path, text in files.items()
            for passage in _passages(before.get(path, ""), text)
            if passage not in visible and _is_telling(passage)
        }
    )
    python, python_before = (
        {path: text for path, text in some.items() if path.endswith(".py")} for some in (files, before)
    )
    return Original(tuple(hidden), tuple(passages), python, python_before, names)


def _is_telling(passage: str) -> bool:
    """Whether it is long enough not to be elsewhere by chance."""
    return sum(len(line.strip()) >= MIN_LENGTH for line in passage.splitlines()) > 1


def _passages(start: str, original: str) -> Iterator[str]:
    """All lines in a row of the original where the start differs, with a line around them."""
    lines, before = original.splitlines(), start.splitlines()
    for tag, _, _, first, last in difflib.SequenceMatcher(None, before, lines, autojunk=False).get_opcodes():
        if tag != "equal":
            begin, end = max(0, first - 1), min(len(lines), last + 1)
            for at in range(begin, max(begin + 1, end - PASSAGE + 1)):
                yield "\n".join(lines[at : at + PASSAGE])


def places_in(workspace: Workspace, original: Original) -> list[str]:
    """Where the original is found inside a workspace, `kind place` each."""
    _send(workspace, SEARCH, "/tmp/search.py")
    _send(workspace, original.request(), "/tmp/wanted.json")
    # The program is removed while it runs: it quotes nothing, but it need not find itself.
    printed = _run(workspace, "python3 -I -c 'exec(open(\"/tmp/search.py\").read())'; rm /tmp/search.py")
    kinds = ("text ", "bytecode ", "git ")
    return [line for line in printed.splitlines() if line.startswith(kinds)]


def _send(workspace: Workspace, text: str, path: str) -> None:
    """Writes a file in a workspace: in pieces, since a command has a longest argument."""
    packed = base64.b64encode(text.encode()).decode()
    for start in range(0, len(packed), PIECE):
        _run(workspace, f"echo {packed[start : start + PIECE]} {'>>' if start else '>'} {path}.packed")
    _run(workspace, f"base64 -di {path}.packed > {path} && rm {path}.packed")


def _run(workspace: Workspace, command: str) -> str:
    arguments: Mapping[str, Any] = {"explanation": "Search.", "command": command, "timeout": 300}
    reply = workspace.call("run_terminal_cmd", arguments, timeout=300)
    assert "exit code 0" in reply.content.splitlines()[0], reply.content
    return reply.content


def places_in_layers(api: APIClient, image: str, original: Original) -> list[str]:
    """The members of the layers of an image that hold lines of the original."""
    found = []
    with tempfile.TemporaryFile() as packed:
        for chunk in api.get_image(image):
            packed.write(chunk)
        packed.seek(0)
        with tarfile.open(fileobj=packed) as whole:
            (manifest,) = json.load(whole.extractfile("manifest.json"))  # type: ignore[arg-type]
            for name in manifest["Layers"]:
                with tarfile.open(fileobj=whole.extractfile(name)) as members:
                    found += [f"layer {name[:12]}: {member}" for member in _with_texts(members, original)]
    return found


def _with_texts(members: tarfile.TarFile, original: Original) -> Iterator[str]:
    lines, passages = ([text.encode() for text in some] for some in (original.lines, original.passages))
    for member in members:
        file = members.extractfile(member) if member.isfile() else None
        content = file.read() if file is not None else b""
        few, texts = (1, lines + passages) if f"/{member.name}".startswith(OWN) else (2, passages)
        if texts and sum(text in content for text in texts) >= min(few, len(texts)):
            yield member.name
