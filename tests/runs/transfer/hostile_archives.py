"""Archives that were made to do harm, one of each form, and what an import has to say of it.

Small ones are whole files. Large ones are compressed, or files with holes: none needs more than a few MB of disk.
"""

from __future__ import annotations

import io
import json
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.runs.transfer.made_records import Elsewhere

Change = Callable[[dict[str, bytes]], None]
SUMMARY, TRAJECTORY, TESTS = "run/run_summary.json", "run/trajectory.jsonl", "run/tests.json"
GB = 1 << 30


@dataclass(frozen=True, slots=True)
class Hostile:
    """One form: what writes the archive, a part of the error, and whether it is `large` when unpacked."""

    name: str
    error: str
    write: Callable[[Elsewhere, Path], object]
    large: bool = False


def tarred(path: Path, members: Iterable[tuple[str, bytes]], mode: str = "w") -> Path:
    """A tar file of these members, in this order."""
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            file.addfile(entry, io.BytesIO(content))
    return path


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    """A zip file of these members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return path


def claiming(error: str, name: str, *, passed: int = 8, **claims: Any) -> Hostile:
    """A summary that says something else than the records."""
    return Hostile(
        name,
        error,
        lambda site, path: tarred(path, site.files(passed=passed, summary=claims).items()),
    )


def named(error: str, name: str, **identity: Any) -> Hostile:
    """A run of another identity, consistent in itself."""
    return Hostile(name, error, lambda site, path: tarred(path, site.files(**identity).items()))


def changed(error: str, name: str, change: Change) -> Hostile:
    """A valid run in which `change` changes the files."""

    def write(site: Elsewhere, path: Path) -> None:
        files = site.files(passed=3)
        change(files)
        tarred(path, files.items())

    return Hostile(name, error, write)


def replacing(name: str, old: bytes, new: bytes) -> Change:
    """Replaces a text in a file, which must hold it."""

    def change(files: dict[str, bytes]) -> None:
        assert old in files[name], (name, old)
        files[name] = files[name].replace(old, new, 1)

    return change


def lines(change: Callable[[list[bytes]], list[bytes]]) -> Change:
    """Changes the lines of the trajectory."""

    def apply(files: dict[str, bytes]) -> None:
        files[TRAJECTORY] = b"".join(change(files[TRAJECTORY].splitlines(keepends=True)))

    return apply


def adding(name: str, content: bytes) -> Change:
    """Adds or replaces a file."""
    return lambda files: files.update({name: content})


def removing(name: str) -> Change:
    """Removes a file."""

    def change(files: dict[str, bytes]) -> None:
        del files[name]

    return change


def in_step(field: bytes) -> Change:
    """Adds a field to the first step."""
    return lines(
        lambda all: [all[0], all[1].replace(b'{"step_id"', b"{" + field + b', "step_id"', 1), *all[2:]]
    )


CLAIMS = (
    claiming(
        "tests_passed is 8, but tests.json gives 3",
        "forged verdict",
        passed=3,
        tests_passed=8,
        outcome="resolved",
    ),
    claiming("tests_passed is 500, but tests.json gives 8", "500 of 8 tests", tests_passed=500),
    claiming("tests_total is 3, but tests.json gives 8", "fewer tests", passed=3, tests_total=3),
    claiming(
        "outcome is 'resolved', but tests.json gives 'unresolved'", "outcome", passed=3, outcome="resolved"
    ),
    claiming("cost_usd is 0.01, but trajectory.jsonl gives 0.25", "a lower cost", cost_usd=0.01),
    claiming("steps is 2, but trajectory.jsonl gives 3", "fewer steps", steps=2),
    claiming("prompt_tokens is 1, but trajectory.jsonl gives 200", "fewer tokens", prompt_tokens=1),
    claiming("act_seconds is 0.0, but trajectory.jsonl gives 1.5", "no time", act_seconds=0.0),
    claiming("lines_added is 900, but patch.diff gives", "other lines", lines_added=900),
    claiming(
        "similarity.lines is 1.0, but patch.diff gives",
        "a reference patch",
        similarity={"lines": 1.0, "file_precision": 1.0, "file_recall": 0.5, "file_f1": 2 / 3},
    ),
    claiming("failed_calls: Input should be greater than or equal to 0", "a negative count", failed_calls=-1),
    claiming(
        "grade_seconds: Input should be greater than or equal to 0", "a negative time", grade_seconds=-1.0
    ),
    claiming("act_seconds: Input should be a finite number", "NaN", act_seconds=float("nan")),
    claiming(
        "cost_usd: Input should be less than or equal to 1000000",
        "a cost that overflows sums",
        cost_usd=1e308,
    ),
    claiming("prompt_tokens: Input should be", "a number beyond 2^63", prompt_tokens=2**70),
    claiming(
        "cost_usd is 1000000.0, but trajectory.jsonl gives 0.25",
        "a made-up bill of a run that was stopped",
        ending="time_limit",
        cost_usd=1e6,
    ),
    claiming(
        "flags is 'redacted', but patch.diff gives 'no [redacted]'",
        "a flag that would switch checks off",
        flags=[{"kind": "redacted", "path": "", "note": ""}],
        lines_added=900,
    ),
    claiming("failure is 'disk', but its ending gives", "a failure of a completed run", failure="disk"),
    claiming("grade_seconds is 0.0, but tests.json gives 1.0", "no time of grading", grade_seconds=0.0),
    claiming("finished_at: Value error", "the year 99999", finished_at="99999-01-01T00:00:00Z"),
    claiming(
        "started_at: Value error, must be a time from 1970", "before 1970", started_at="1969-12-31T23:59:59Z"
    ),
)

NAMES = (
    named("identity.run_id: String should have at most 300", "an id of 5,000 characters", run_id="a" * 5000),
    named("identity.run_id: String should match pattern", "an id with path parts", run_id="../../escape"),
    named(
        "identity.agent: String should match pattern", "an id with a control character", agent="visi\x07tor"
    ),
    named("identity.evaluation: String should match", "an id from right to left", evaluation="\u202eelse"),
    named("mixes letters", "a name with a letter of another alphabet", agent_name="\u0555racle"),
    named("mixes letters", "a name with a small capital", agent_name="O\u0280acle"),
    named("a character that is not seen", "a name with a selector of variants", agent_name="Oracle\ufe0f"),
    named("identity.model: String should match", "a model's id with blanks", model=" openai/gpt-4o"),
    named("is not loaded", "an unknown dataset", dataset="nowhere"),
    named("is not loaded", "an unknown task", task="nothing"),
    named("was made on another version of the task", "an unknown digest", task_digest="0" * 64),
    named("looks like that of the agent 'Oracle'", "a name of other letters", agent_name="Or\u0430cle"),
    named("holds needless blanks", "a name with a blank behind it", agent_name="Oracle "),
    named("calibration is False, but agents of the kind oracle are", "a hidden oracle", agent_kind="oracle"),
    named("there is no kind of agent 'magic'", "an unknown kind", agent_kind="magic"),
)


def _both_say(reason: str) -> Change:
    """The same reason in summary and tests."""

    def change(files: dict[str, bytes]) -> None:
        for name, field in ((SUMMARY, "grading_reason"), (TESTS, "reason")):
            files[name] = json.dumps({**json.loads(files[name]), field: reason}).encode()

    return change


def _ungraded(files: dict[str, bytes]) -> None:
    """A run that was cancelled, and claims two billion tests."""
    summary = json.loads(files[SUMMARY])
    summary |= {"ending": "cancelled", "tests_passed": 0, "tests_total": 2**31 - 1}
    files[SUMMARY] = json.dumps(summary).encode()
    del files[TESTS]


def _in_charset(name: str, charset: str) -> Change:
    """A file in another encoding."""
    return lambda files: files.update({name: files[name].decode().encode(charset)})


RECORDS = (
    changed("tests_total is 2147483647, but an ungraded run", "an ungraded run with tests", _ungraded),
    changed(
        "tests.json: reason is 'all 8 expected tests passed', but 3 of 8",
        "a reason that contradicts the tests",
        _both_say("all 8 expected tests passed"),
    ),
    changed(
        "tests.json: reason is '500 of 8 expected",
        "a reason with other numbers",
        _both_say("500 of 8 expected tests did not pass: a (failed)"),
    ),
    changed("run_summary.json: is no JSON", "a summary in UTF-16", _in_charset(SUMMARY, "utf-16")),
    changed("line 1: is no JSON", "a trajectory in UTF-16", _in_charset(TRAJECTORY, "utf-16-be")),
    changed("tests.json: is no JSON", "a byte order mark", _in_charset(TESTS, "utf-8-sig")),
    changed(
        "the name 'outcome' comes twice",
        "a name that comes twice",
        replacing(SUMMARY, b'"outcome": "', b'"outcome": "resolved", "outcome": "'),
    ),
    changed(
        "resolved is True, but 3 of 8",
        "a forged grade",
        replacing(TESTS, b'"resolved": false', b'"resolved": true'),
    ),
    changed("tests.json: is missing", "no evidence", removing(TESTS)),
    changed(
        "schema_version: Input should be 1",
        "another schema",
        replacing(SUMMARY, b'_version": 1', b'_version": 9'),
    ),
    changed("rank: Extra inputs", "an unknown field", replacing(SUMMARY, b"{\n", b'{"rank": 1,\n')),
    changed("line 2: html: Extra inputs", "an unknown field of a step", in_step(b'"html": "<script>"')),
    changed("line 2: extra.x", "a number beyond floats", in_step(b'"extra": {"x": 1e999}')),
    changed(
        "line 3: is no JSON that can be read: \"'utf-8' codec",
        "invalid UTF-8",
        replacing(TRAJECTORY, b"I look", b"I \xff\xfe look"),
    ),
    changed(
        "line 3: is no JSON that can be read: \"'utf-8' codec",
        "a lone surrogate",
        replacing(TRAJECTORY, b"I look", b"\\ud800"),
    ),
    changed(
        "line 3: step_id is 3, but it is step 2",
        "steps out of order",
        lines(lambda all: [*all[:2], *all[:1:-1]]),
    ),
    changed(
        "line 3: step_id is 3, but it is step 2", "a missing step", lines(lambda all: [*all[:2], *all[3:]])
    ),
    changed("line 4: is cut off", "a step that is cut off", lines(lambda all: [*all[:-1], all[-1][:-1]])),
    changed(
        "it is the trajectory of another run: run_id is 'elsewhere-0a1b2c3d/other/1'",
        "a trajectory of another run",
        replacing(
            TRAJECTORY, b"elsewhere-0a1b2c3d/visitor/calc/add-negatives/1", b"elsewhere-0a1b2c3d/other/1"
        ),
    ),
    changed(
        "run_summary.json: is no JSON that can be read: it is nested too deep",
        "deep JSON",
        replacing(SUMMARY, b'"temperature": 0.1', b'"a": ' + b"[" * 100_000 + b"]" * 100_000),
    ),
    changed(
        "is not a picture of a run",
        "a picture that is none",
        adding("run/artifacts/step-1-1.png", b"<script>"),
    ),
    changed(
        "patch.diff: is no patch of git's format",
        "a patch that is none",
        adding("run/patch.diff", b"hello\n"),
    ),
    changed(
        "patch.diff: is no patch of git's format",
        "a patch that leads out",
        adding("run/patch.diff", b"--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n"),
    ),
)


def _same_attempt(site: Elsewhere, path: Path) -> None:
    other = site.files(run_id="elsewhere-0a1b2c3d/visitor/calc/add-negatives/again", passed=3)
    renamed = [(f"other/{name}", content) for name, content in other.items()]
    tarred(path, [*site.files().items(), *renamed])


def _link(kind: bytes) -> Callable[[Elsewhere, Path], None]:
    def write(site: Elsewhere, path: Path) -> None:
        tarred(path, [])
        with tarfile.open(path, "w") as file:
            entry = tarfile.TarInfo(TRAJECTORY)
            entry.type, entry.linkname = kind, "/etc/passwd"
            file.addfile(entry)

    return write


def _with(*names: str) -> Callable[[Elsewhere, Path], object]:
    """A valid archive with these members behind it."""
    return lambda site, path: tarred(path, [*site.files().items(), *((name, b"{}") for name in names)])


def _cut(mode: str, share: float) -> Callable[[Elsewhere, Path], None]:
    def write(site: Elsewhere, path: Path) -> None:
        tarred(path, site.files().items(), mode)
        content = path.read_bytes()
        path.write_bytes(content[: int(len(content) * share)])

    return write


def _behind(mode: str) -> Callable[[Elsewhere, Path], None]:
    def write(site: Elsewhere, path: Path) -> None:
        tarred(path, site.files().items(), mode)
        with path.open("ab") as file:
            file.write(b"#!/bin/sh\n")

    return write


def _pax(record: bytes) -> Callable[[Elsewhere, Path], None]:
    """An extended header with one record before a summary."""

    def write(_site: Elsewhere, path: Path) -> None:
        header = _header("pax", len(record), tarfile.XHDTYPE)
        path.write_bytes(header + record.ljust(512, b"\0") + _header(SUMMARY, 512) + bytes(512 * 3))

    return write


def _header(name: str, size: int, kind: bytes = tarfile.REGTYPE) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size, entry.type = size, kind
    return entry.tobuf(tarfile.GNU_FORMAT)


def _long_header(_site: Elsewhere, path: Path) -> None:
    """A PAX header of 6 GB: a file with a hole."""
    with path.open("wb") as file:
        file.write(_header("pax", 6 * GB, tarfile.XHDTYPE))
        file.truncate(6 * GB)


def _lying_zip(site: Elsewhere, path: Path) -> None:
    """A member that is longer than the list of members says."""
    zipped(path, {SUMMARY: b"{}" * 1000})
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<L", 2000), struct.pack("<L", 20)))


def _damaged_zip(site: Elsewhere, path: Path) -> None:
    """The first member's compressed data are noise."""
    content = bytearray(zipped(path, site.files()).read_bytes())
    start = 30 + int.from_bytes(content[26:28], "little")
    content[start : start + 20] = b"\xff" * 20
    path.write_bytes(content)


def _nul_in_zip(site: Elsewhere, path: Path) -> None:
    """A member whose name goes on behind a NUL."""
    content = zipped(path, {**site.files(), "run/notes.txt": b""}).read_bytes()
    path.write_bytes(content.replace(b"run/notes.txt", b"run/notes\0txt"))


def _short_count(site: Elsewhere, path: Path) -> None:
    """A zip file whose end says that it has one member."""
    content = bytearray(zipped(path, site.files()).read_bytes())
    end = content.rindex(b"PK\5\6")
    content[end + 8 : end + 12] = struct.pack("<HH", 1, 1)
    path.write_bytes(content)


ARCHIVES = (
    Hostile("a zip file that hides members", "says that it has 1 members, but lists", _short_count),
    Hostile("noise in a zip file", "cannot be unpacked: error: Error -3", _damaged_zip),
    Hostile("a NUL in a zip file's name", "control character in its name", _nul_in_zip),
    Hostile("the same attempt twice", "is the same attempt as the run", _same_attempt),
    Hostile("the same member twice", "is there twice", _with(SUMMARY)),
    Hostile("names that differ by case", "differ only by case", _with("run/Run_Summary.json")),
    Hostile("a symbolic link", "is neither a file nor a directory", _link(tarfile.SYMTYPE)),
    Hostile("a hard link", "is neither a file nor a directory", _link(tarfile.LNKTYPE)),
    Hostile("a device", "is neither a file nor a directory", _link(tarfile.CHRTYPE)),
    Hostile("an absolute name", "points out of the archive", _with("/etc/cron.d/run_summary.json")),
    Hostile("a name with two dots", "points out of the archive", _with("run/../../tests.json")),
    Hostile("a name from right to left", "control character in its name", _with("run/\u202egnp.exe")),
    Hostile("a cut tar file", "is cut off", _cut("w", 0.2)),
    Hostile("a cut gzip file", "is cut off", _cut("w:gz", 0.9)),
    Hostile("a cut xz file", "is cut off", _cut("w:xz", 0.5)),
    Hostile("bytes behind a tar file", "other bytes behind", _behind("w")),
    Hostile("bytes behind an xz file", "other bytes behind", _behind("w:xz")),
    Hostile(
        "another compression",
        "is neither",
        lambda _, path: path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(600)),
    ),
    Hostile("a sparse file", "holds a sparse file", _pax(b"22 GNU.sparse.major=1\n")),
    Hostile("a size that is none", "is no size", _pax(b"11 size=-5\n")),
    Hostile("a size that lies", "is too large: an archive may hold", _pax(b"19 size=6442450944\n")),
    Hostile("a zip file that lies", "cannot be unpacked", _lying_zip),
    Hostile("no run", "holds no run", lambda _, path: tarred(path, [("notes.txt", b"hello")])),
    Hostile("a header of 6 GB", "the header of 6442450944 bytes", _long_header, large=True),
)


def _repeated(path: Path, head: bytes, block: bytes, times: int) -> None:
    """A gzip file of `head` and so many times the block, of which only one is compressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    with path.open("wb") as file:
        file.write(packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH))
        packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
        for _ in range(times):
            file.write(packed)


def _long_line(site: Elsewhere, path: Path) -> None:
    header = _header(TRAJECTORY, 1536 << 20)
    _repeated(path, header + b'{"message": "', b"a" * (1 << 20), 1536)


def _long_line_in_bounds(site: Elsewhere, path: Path) -> None:
    """One line of 190 MB, which is as long as a whole trajectory may be."""
    files = site.files()
    line = files[TRAJECTORY].splitlines(keepends=True)[0] + b'{"message": "'
    block = b"a" * (1 << 20)
    head = b"".join(_member(name, content) for name, content in files.items() if name != TRAJECTORY)
    size = len(line) + 190 * len(block)
    padding = bytes(-(len(line)) % 512)
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    with path.open("wb") as file:
        file.write(packer.compress(head + _header(TRAJECTORY, size) + line))
        for _ in range(190):
            file.write(packer.compress(block))
        file.write(packer.compress(padding + bytes(1024)) + packer.flush())


def _member(name: str, content: bytes) -> bytes:
    return _header(name, len(content)) + content + bytes(-len(content) % 512)


def _many_members(_site: Elsewhere, path: Path) -> None:
    """150,000 empty files of different names."""
    packer = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    with path.open("wb") as file:
        for number in range(150_000):
            file.write(packer.compress(_header(f"run/{number}", 0)))
        file.write(packer.flush())


def _many_in_zip(_site: Elsewhere, path: Path) -> None:
    """A list of 200,000 members, all of the same empty content."""
    entry = struct.pack("<4s4B4H3L5H2L", b"PK\1\2", 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0)
    count = 200_000
    with path.open("wb") as file:
        file.write(b"PK\3\4" + bytes(26))
        for number in range(count):
            file.write(entry + f"{number:08}".encode())
        size = count * (len(entry) + 8)
        file.write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, size, 30, 0))


def _bomb(_site: Elsewhere, path: Path) -> None:
    """5 GB of zeros in a member that no import reads."""
    _repeated(path, _header("notes.txt", 0o77777777777), bytes(1 << 20), 5 * 1024)


def _xz_memory(site: Elsewhere, path: Path) -> None:
    """An xz file whose header requests a dictionary of 1.5 GB."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4096}]
    packed = bytearray(lzma.compress(tarred(path, site.files().items()).read_bytes(), filters=filters))
    packed[16] = 40  # 4 GB
    packed[20:24] = struct.pack("<L", zlib.crc32(bytes(packed[12:20])))
    path.write_bytes(packed)


def _zip_bomb(_site: Elsewhere, path: Path) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file,
        file.open(SUMMARY, "w") as member,
    ):
        for _ in range(500):
            member.write(bytes(1 << 20))


def _dense(site: Elsewhere, path: Path) -> None:
    """A step of four million brackets."""
    files = site.files()
    head, first, *rest = files[TRAJECTORY].splitlines(keepends=True)
    dense = b'"extra": {"results": [' + b",".join([b"{}"] * 1_300_000) + b"]}, "
    files[TRAJECTORY] = head + first.replace(b"{", b"{" + dense, 1) + b"".join(rest)
    tarred(path, files.items(), "w:gz")


def _many_fields(site: Elsewhere, path: Path) -> None:
    """A step with 120,000 unknown fields, each of which is an error."""
    files = site.files()
    fields = b",".join(b'"%d":1' % number for number in range(120_000))
    replacing(TRAJECTORY, b'{"step_id"', b"{" + fields + b', "step_id"')(files)
    tarred(path, files.items(), "w:gz")


def _dense_tests(site: Elsewhere, path: Path) -> None:
    """Hundreds of thousands of tests."""
    files = site.files()
    stored = json.loads(files[TESTS])
    stored["tests"] = []
    tests = b",".join(b'{"id":"%d","status":"passed"}' % number for number in range(240_000))
    files[TESTS] = json.dumps(stored).encode().replace(b'"tests": []', b'"tests": [' + tests + b"]")
    tarred(path, files.items(), "w:gz")


def _dense_patch(site: Elsewhere, path: Path) -> None:
    files = site.files()
    files["run/patch.diff"] += b"\n" * (7 << 20)
    tarred(path, files.items(), "w:gz")


def _headers_without_end(_site: Elsewhere, path: Path) -> None:
    """A gzip file of a few MB with extended headers of 20 GB, and no member."""
    block = _header("pax", 9, tarfile.XHDTYPE) + b"9 a=bcde\n".ljust(512, b"\0")
    _repeated(path, b"", block * 1024, 20 * 1024)


LARGE = (
    Hostile("headers without end", "its extended headers have more than", _headers_without_end, large=True),
    Hostile("120,000 unknown fields", "line 2: 0: Extra inputs", _many_fields, large=True),
    Hostile("a line of 1.5 GB", "has 1610612736 bytes; at most", _long_line, large=True),
    Hostile("a line of 190 MB", "line 2: is longer than", _long_line_in_bounds, large=True),
    Hostile("150,000 tiny members", "holds more than 100000 files", _many_members, large=True),
    Hostile("200,000 members in a zip file", "its list of members has", _many_in_zip, large=True),
    Hostile("a gzip bomb", "is too large: an archive may hold", _bomb, large=True),
    Hostile("a zip bomb", "has 524288000 bytes; at most", _zip_bomb, large=True),
    Hostile("an xz file that needs 4 GB of memory", "cannot be decompressed", _xz_memory, large=True),
    Hostile(
        "a step of a million results",
        "line 2: is no JSON that can be read: 'it has more than 600000 commas",
        _dense,
        large=True,
    ),
    Hostile(
        "240,000 tests",
        "tests.json: is no JSON that can be read: 'it has more than",
        _dense_tests,
        large=True,
    ),
    Hostile("a patch of empty lines", "patch.diff: has more than 400000 lines", _dense_patch, large=True),
)
FORMS = (*CLAIMS, *NAMES, *RECORDS, *ARCHIVES, *LARGE)
