"""Tables that are refused, and what the refusal says."""

from __future__ import annotations

import gzip
import json
import lzma
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

HEADER = "agent,task,outcome"
ROW = "ada,sum,1"
GOOD = f"{HEADER}\n{ROW}\n"


class HostileTable(NamedTuple):
    """A file, its name, and a part of the message that refuses it."""

    name: str
    write: Callable[[Path], object]
    message: str

    def at(self, message: str) -> HostileTable:
        """The same file, refused with this message."""
        return self._replace(message=message)


def _text(content: str, message: str, name: str = "results.csv") -> HostileTable:
    return HostileTable(name, lambda path: path.write_bytes(content.encode()), message)


def _bytes(content: bytes, message: str, name: str = "results.csv") -> HostileTable:
    return HostileTable(name, lambda path: path.write_bytes(content), message)


def _value(column: str, value: str, message: str) -> HostileTable:
    """A second row with this value, in quotes."""
    quoted = '"' + value.replace('"', '""') + '"'
    return _text(f"{HEADER},{column}\n{ROW},\nada,max,0,{quoted}\n", f"row 3, column {column!r}: {message}")


def _object(fields: str, message: str) -> HostileTable:
    """A second object with these fields."""
    good = '{"agent": "ada", "task": "sum", "outcome": 1}'
    bad = f'{{"agent": "ada", "task": "max", "outcome": 0, {fields}}}'
    return _text(f"{good}\n{bad}\n", f"row 2{message}", "results.jsonl")


def _parquet(columns: Mapping[str, Any], message: str) -> HostileTable:
    """Columns beside two rows of names."""

    def write(path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(
            pa.table({"agent": ["ada"] * 2, "task": ["sum", "max"], "outcome": [1, 0], **columns}), path
        )

    return HostileTable("results.parquet", write, message)


def _dictionary(values: list[str], rows: int) -> Callable[[Path], object]:
    """A small Parquet file whose rows point at a few values."""

    def write(path: Path) -> None:
        import numpy as np
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = pa.schema(
            [(name, pa.dictionary(pa.int32(), pa.string())) for name in ("agent", "task", "outcome")]
        )
        with pq.ParquetWriter(path, schema, compression="zstd", write_statistics=False) as file:
            for start in range(0, rows, 10_000_000):
                places = pa.array(np.zeros(min(10_000_000, rows - start), np.int32))
                column = pa.DictionaryArray.from_arrays(places, pa.array(values))
                file.write_table(pa.table([column] * 3, schema))

    return write


def _packed(content: Callable[[], bytes], pack: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(pack(content()))


def _cut_parquet(path: Path) -> None:
    _parquet({}, "").write(path)
    path.write_bytes(path.read_bytes()[:-40])


def _xz_of_2_gb(data: bytes) -> bytes:
    """Compressed so that unpacking it needs 1.5 GB at once."""
    packed = lzma.LZMACompressor(
        lzma.FORMAT_XZ, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 4096, "preset": 0}]
    )
    found = bytearray(packed.compress(data) + packed.flush())
    # The size of the dictionary is one byte of the header of the block; then follows its checksum.
    import zlib

    at = 12
    length = (found[at] + 1) * 4
    place = found.index(b"\x21\x01", at) + 2
    found[place] = 39
    found[at + length - 4 : at + length] = zlib.crc32(found[at : at + length - 4]).to_bytes(4, "little")
    return bytes(found)


def _unreadable(path: Path) -> None:
    """Even for root: reading this file of the kernel fails."""
    path.symlink_to("/proc/self/mem")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


LINES = 3_000_000  # empty ones, in a file of 3 KB
WRONG: Mapping[str, HostileTable] = {
    "a text for tokens": _value("prompt_tokens", "many", "'many' is invalid"),
    "a negative number": _value("completion_tokens", "-1", "'-1' is invalid"),
    "a negative cost": _value("cost_usd", "-0.5", "'-0.5' is invalid"),
    "NaN": _value("cost_usd", "nan", "'nan' is invalid"),
    "infinity": _value("seconds", "inf", "'inf' is invalid"),
    "a number beyond all floats": _value("cost_usd", "1e400", "'1e400' is invalid"),
    "a number with signs of thousands": _value("cost_usd", "1_000", "'1_000' is invalid"),
    "Arabic digits": _value("seconds", "١٢", "'١٢' is invalid"),
    "half a token": _value("prompt_tokens", "0.5", "'0.5' is invalid"),
    "a million digits": _value("tests_total", "9" * 1_000_000, "'9999"),
    "an outcome that is unknown": _text(
        f"{HEADER}\nada,sum,maybe\n", "row 2, column 'outcome': 'maybe' is invalid"
    ),
    "an outcome between": _text(f"{HEADER}\nada,sum,0.5\n", "row 2, column 'outcome': '0.5' is invalid"),
    "no outcome": _text(
        f"{HEADER}\nada,sum,\n", "row 2, column 'outcome': empty; allowed: a value in each row"
    ),
    "an ending that is unknown": _value("ending", "tired", "'tired' is invalid; allowed: one of agent_error"),
    "attempt 0": _value("attempt", "0", "'0' is invalid; allowed: a whole number from 1"),
    "the same row twice": _text(f"{GOOD}{ROW}\n", "row 3: the same agent, task and attempt as row 2"),
    "the same column twice": _text(
        "agent,task,outcome,task\na,b,1,b\n", "column 'task': it is there 2 times"
    ),
    "a column that is unknown": _text(
        f"{HEADER},colour\n{ROW},red\n", "column 'colour': unknown; known are agent"
    ),
    "a column that is missing": _text("agent,outcome\nada,1\n", "column 'task': missing"),
    "a million columns": _text(HEADER + "," * 1_000_000 + "\n", "it has 1,000,003 columns; at most 100"),
    "a line without an end": _text(
        HEADER + "\n" + "a" * 100_000_000, "row 2 has more than 2,000,000 characters"
    ),
    "a quote that never closes": _text(GOOD + '"ada,max,1\n' * 3, "row 3 is not one line of CSV"),
    "a NUL character": _text(GOOD + "a\0da,max,1\n", "row 3 has a NUL character"),
    "no UTF-8": _bytes(
        GOOD.encode() + b"ada,\xff\xfe,1\n", "unreadable: 'utf-8' codec can't decode byte 0xff"
    ),
    "UTF-16": _bytes(GOOD.encode("utf-16"), "unreadable: 'utf-8' codec can't decode byte 0xff"),
    "a control character": _text(
        GOOD + "ada,m\x1b[2Jax,1\n", r"row 3, column 'task': 'm\x1b[2Jax' is invalid"
    ),
    "a name that runs backwards": _text(
        GOOD + "\u202eada,max,1\n", r"row 3, column 'agent': '\u202eada' is invalid"
    ),
    "a name of a million letters": _text(
        GOOD + "a" * 1_000_000 + ",max,1\n", "allowed: a name of at most 150"
    ),
    "a name of spaces": _text(GOOD + "  ,max,1\n", "row 3, column 'agent': '  ' is invalid"),
    "a row too short": _text(GOOD + "ada,max\n", "row 3 has 2 values, and the header 3 columns"),
    "a row too long": _text(GOOD + "ada,max,1,1\n", "row 3 has 4 values, and the header 3 columns"),
    "no row": _text(HEADER + "\n", "it has no row of results"),
    "nothing": _text("", "it is empty"),
    "no object in JSON lines": _text("", "it has no row of results", "results.jsonl"),
    "tests that are no list": _value("failed_tests", "test_a", "'test_a' is invalid; allowed: a list"),
    "tests that are numbers": _value(
        "failed_tests", "[1, 2]", "'[1, 2]' is invalid; allowed: a list of names"
    ),
    "200,000 tests": _value("failed_tests", json.dumps(["a"] * 200_000), '\'["a",'),
    "a million tests": _value("failed_tests", json.dumps(["a"] * 1_000_000), "").at(
        "row 3 has more than 2,000,000"
    ),
    "a test twice": _value(
        "failed_tests", '["a", "a"]', '\'["a", "a"]\' is invalid; allowed: a list that names each'
    ),
    "a test that is half a letter": _value("passed_tests", '["\\ud800"]', "'[\"\\\\ud800\"]' is invalid"),
    "a list that is deep": _value("failed_tests", "[" * 100_000, "'[[["),
    "more tests passed than run": _text(
        f"{HEADER},tests_passed,tests_total\n{ROW},3,2\n", "row 2, column 'tests_passed': 3 of only 2 tests"
    ),
    "more tests named than failed": _text(
        f'{HEADER},tests_passed,tests_total,failed_tests\nada,sum,0,1,2,"[""a"", ""b""]"\n',
        "row 2, column 'failed_tests': 2 names of 1 tests",
    ),
    "tests passed of an unknown number": _text(
        f"{HEADER},tests_passed\n{ROW},3\n",
        "row 2, columns 'tests_passed' and 'tests_total': one of them is empty",
    ),
    "more tokens cached than sent": _text(
        f"{HEADER},cached_tokens,prompt_tokens\n{ROW},3,2\n", "row 2, column 'cached_tokens': more than"
    ),
    "a day before all days": _value("started_at", "0000-01-01", "'0000-01-01' is invalid; allowed: a time"),
    "a day after all days": _value(
        "started_at", "9999-12-31T23:59:59-12:00", "'9999-12-31T23:59:59-12:00' is"
    ),
    "an end before the beginning": _text(
        f"{HEADER},started_at,finished_at\n{ROW},2026-01-02,2026-01-01\n",
        "row 2, column 'finished_at': before",
    ),
    "true for tokens": _object('"prompt_tokens": true', ", column 'prompt_tokens': 'True' is invalid"),
    "a list for an ending": _object('"ending": ["completed"]', ", column 'ending': a list is invalid"),
    "an object for a name": _object('"repository": {}', ", column 'repository': a dict is invalid"),
    "NaN in JSON": _object('"cost_usd": NaN', " is not JSON: NaN is not a number of JSON"),
    "infinity in JSON": _object('"cost_usd": 1e400', ", column 'cost_usd': 'inf' is invalid"),
    "a number of 100,000 digits": _object(
        f'"tests_total": {"9" * 100_000}', " is not JSON: Exceeds the limit"
    ),
    "the same name twice": _object(
        '"cost_usd": 1, "cost_usd": 2', " is not JSON: an object has the same name twice"
    ),
    "JSON that is deep": _object(f'"failed_tests": {"[" * 100_000}', " is not JSON: maximum recursion"),
    "a list that is just not too deep": _object(
        f'"failed_tests": {"[" * 900}{"]" * 900}', ", column 'failed_tests': a list is invalid"
    ),
    "a name in JSON that is unknown": _object('"colour": "red"', ", column 'colour': unknown"),
    "a list in JSON lines": _text("[1, 2]\n", "row 1 is not an object", "results.jsonl"),
    "a bomb in gzip": HostileTable(
        "results.csv.gz",
        _packed(lambda: GOOD.encode() + b"\n" * LINES, gzip.compress),
        "it has more than 2,000,000 rows",
    ),
    "a bomb in xz": HostileTable(
        "results.csv.xz",
        _packed(lambda: GOOD.encode() + b"a" * 200_000_000, lambda data: lzma.compress(data, preset=0)),
        "row 3 has more than 2,000,000 characters",
    ),
    "a file of xz that needs much memory": HostileTable(
        "results.csv.xz",
        _packed(GOOD.encode, _xz_of_2_gb),
        "unreadable: cannot be decompressed: Memory usage limit",
    ),
    "a cut file of gzip": HostileTable(
        "results.csv.gz",
        _packed(GOOD.encode, lambda data: gzip.compress(data)[:-9]),
        "unreadable: is cut off",
    ),
    "a cut file of xz": HostileTable(
        "results.csv.xz",
        _packed(GOOD.encode, lambda data: lzma.compress(data)[:-9]),
        "unreadable: is cut off",
    ),
    "a cut Parquet file": HostileTable(
        "results.parquet", _cut_parquet, "it is not a Parquet file, is damaged"
    ),
    "no Parquet file": _text(GOOD, "it is not a Parquet file, is damaged", "results.parquet"),
    "an empty Parquet file": _text("", "it is not a Parquet file, is damaged", "results.parquet"),
    "a small Parquet file of many rows": HostileTable(
        "results.parquet",
        _dictionary(["a"], 20_000_000),
        "results.parquet: it has 20,000,000 rows; at most 2,000,000 are read",
    ),
    "a Parquet file that points at large values": HostileTable(
        "results.parquet", _dictionary(["a" * 10_000_000], 1_000_000), "unpacking it needs too much memory"
    ),
    "nested types in Parquet": _parquet(
        {"detail": [{"a": 1}] * 2}, "row 1, column 'detail': a dict is invalid"
    ),
    "bytes in Parquet": _parquet({"detail": [b"a", b"b"]}, "row 1, column 'detail': a dict is invalid"),
    "NaN in Parquet": _parquet(
        {"cost_usd": [1.5, float("nan")]}, "row 2, column 'cost_usd': 'nan' is invalid"
    ),
    "true in Parquet": _parquet(
        {"prompt_tokens": [True, False]}, "row 1, column 'prompt_tokens': 'True' is invalid"
    ),
    "a directory": HostileTable("results.csv", Path.mkdir, "its form is unknown"),
    "a link to itself": HostileTable("results.csv", _loop, "there is no such file"),
    "no file": HostileTable("results.csv", lambda _: None, "there is no such file"),
    "a pipe": HostileTable("results.csv", os.mkfifo, "its form is unknown"),
    "a file that cannot be read": HostileTable("results.csv", _unreadable, "unreadable: [Errno 5]"),
    "a name too long for a file": HostileTable("a" * 300 + ".csv", lambda _: None, "there is no such file"),
}
