"""Pictures in results of calls are checked by their content and stored as those of our own runs."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from harness.records import MAX_ARTIFACTS, RunRecord, Step, ToolCall, ToolResult
from runs.intake.reported.importing_files import import_files
from runs.intake.reported.step_readers.result_pictures import MAX_OF_RESULT, StoredPictures, pictures_of
from runs.models import Run
from tests.harness.worlds import jpeg
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    claude_code_session,
    lines_file,
    returned,
    said,
    text,
    use,
)


def png(width: int = 1, height: int = 1, padding: int = 0) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + pixels + b"\0" * padding


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


DATA = encoded(png())
PART = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}


@pytest.mark.parametrize(
    "part",
    [
        PART,
        {"type": "image", "image": f"data:image/png;base64,{DATA}"},
        {"type": "input_image", "image_url": f"data:image/png;base64,{DATA}"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}},
        {"type": "image", "mimeType": "image/png", "data": DATA},
        {"type": "image", "mimeType": "image/jpeg", "data": DATA},  # the content counts
    ],
)
def test_a_picture_is_found_however_a_tool_writes_it(part: dict[str, Any]) -> None:
    assert pictures_of([{"type": "text", "text": "seen"}, part]) == (DATA,)


@pytest.mark.parametrize(
    "content",
    [
        "text",
        None,
        [DATA],
        [{"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}],
        [{"type": "image", "image": "https://example.org/a.png"}],
        [{"type": "image", "image": "file:///etc/passwd"}],
        [{"type": "image", "source": {"media_type": "image/png", "data": encoded(b"<svg onload=alert(1)>")}}],
        [{"type": "image", "data": DATA + "A" * 6_000_000}],
    ],
)
def test_addresses_other_formats_and_what_is_too_large_are_none(content: Any) -> None:
    assert pictures_of(content) == ()


def test_a_jpeg_file_is_found_too() -> None:
    data = encoded(jpeg())
    assert pictures_of([{"type": "image", "source": {"media_type": "image/jpeg", "data": data}}]) == (data,)
    assert pictures_of([{"type": "image", "image": f"data:image/png;base64,{data}"}]) == (data,)


def test_a_result_has_at_most_twenty() -> None:
    assert len(pictures_of([PART] * 30)) == MAX_OF_RESULT


def stored(directory: Path, *data: str, number: int = 1) -> tuple[str, ...]:
    step = Step(number, "", "agent", "", calls=(ToolCall("c", "look", {}),), results=(result(*data),))
    return StoredPictures(directory).named(step).results[0].artifacts


def result(*data: str) -> ToolResult:
    return ToolResult("c", "[image]", True, None, data)


def test_valid_pictures_get_names_and_invalid_ones_are_dropped(tmp_path: Path) -> None:
    large, long = encoded(png(100_000, 100_000)), encoded(png(padding=4 << 20))
    broken = DATA[:16] + "!" + DATA[16:]
    page = encoded(b"\xff\xd8\xff<script>")
    data = (DATA, large, long, broken, DATA[:12], page, "of-our-own.png", encoded(jpeg()), DATA)
    assert stored(tmp_path, *data, number=3) == (
        "step-3-1.png",
        "of-our-own.png",
        "step-3-2.jpg",
        "step-3-3.png",
    )
    record = RunRecord(tmp_path)
    assert [record.artifact(f"step-3-{name}") for name in ("1.png", "2.jpg")] == [png(), jpeg()]
    assert record.artifacts() == ("step-3-1.png", "step-3-2.jpg", "step-3-3.png")


def test_a_run_has_at_most_so_many(tmp_path: Path) -> None:
    names = stored(tmp_path, *[DATA] * (MAX_ARTIFACTS + 1))
    assert len(names) == len(RunRecord(tmp_path).artifacts()) == MAX_ARTIFACTS


@pytest.mark.django_db
def test_the_replay_shows_the_picture_of_a_session(client: Client, tmp_path: Path) -> None:
    photo = {"type": "image", "source": {"media_type": "image/png", "data": encoded(jpeg())}}
    content = [{"type": "text", "text": "a screen"}, PART, photo]
    lines = [*claude_code_session()[:3], said("m1", use("t1", "Read", file_path="/a.png"), (1, 1, 0, 1))]
    lines_file(
        tmp_path / "s.jsonl", [*lines, returned("t1", content), said("m2", text("Done."), (1, 1, 0, 1))]
    )
    import_files(tmp_path / "s.jsonl", {})
    run = Run.objects.get()
    shown = [step.results[0] for step in RunRecord(run.path).steps() if step.results]
    assert [(one.content, one.artifacts) for one in shown] == [
        ("a screen\n[image]\n[image]", ("step-2-1.png", "step-2-2.jpg"))
    ]
    page = client.get(f"{run.get_absolute_url()}?step=2").content.decode()
    for name, picture, kind in (("1.png", png(), "image/png"), ("2.jpg", jpeg(), "image/jpeg")):
        address = f"/runs/{run.pk}/artifacts/step-2-{name}"
        assert f'src="{address}"' in page
        response = client.get(address)
        assert (response.content, response.headers["Content-Type"]) == (picture, kind)
        assert response.headers["X-Content-Type-Options"] == "nosniff"
