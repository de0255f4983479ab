"""Odd requests, the same for the same seed: valid addresses of the site, with parts that programs stumble over."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, quote_from_bytes

NUMBERS = (
    *("0", "-1", "1", "2", "007", "+1", " 1", "1_000", "1.5", "1e400", "NaN", "inf", "0x10", "٣", "½"),
    *(str(2**31), str(2**63 - 1), str(2**63), str(-(2**63) - 1), str(2**64), "9" * 30, "9" * 400, "9" * 5000),
)
TEXTS: tuple[bytes, ...] = (
    *(
        b"",
        b" ",
        b"\0",
        b"a\0b",
        b"\n",
        b"\r\n",
        b"\x7f",
        b"%",
        b"%00",
        b"%zz",
        b"\xff\xfe",
        b"\xc3\x28",
        b"\xed\xa0\x80",
    ),
    *(
        b"None",
        b"null",
        b"true",
        b"[]",
        b"{}",
        b"{{7*7}}",
        b"' OR 1=1 --",
        b"<script>",
        b"../../etc/passwd",
        b"//",
        b".",
    ),
    *(
        b"a" * 201,
        b"a" * 3000,
        "ü".encode() * 300,
        "\u202e".encode(),
        "\U0001f600".encode(),
        b"[" * 500,
        b"a,b,,c",
    ),
    *(
        b"2026-02-30",
        b"9999-12-31",
        b"0000-01-01",
        b"2026-01-01",
        b"alice",
        b"harbour",
        b"tide-1",
        b"easy",
        b"-name",
    ),
)
# Parameters that pages, API and admin read; others are unknown.
PARAMETERS = (
    *(
        "agent",
        "repository",
        "task",
        "dataset",
        "evaluation",
        "model",
        "stack",
        "language",
        "difficulty",
        "category",
    ),
    *(
        "kind",
        "weights",
        "outcome",
        "ending",
        "state",
        "since",
        "until",
        "sign",
        "exploit",
        "q",
        "page",
        "sort",
        "columns",
    ),
    *(
        "against",
        "a",
        "b",
        "order",
        "show",
        "threshold",
        "rate",
        "step",
        "first",
        "last",
        "diff",
        "path",
        "limit",
    ),
    *(
        "cursor",
        "after",
        "begin",
        "near",
        "count",
        "tool",
        "role",
        "text",
        "failed",
        "edits",
        "format",
        "unknown",
    ),
    *(
        "o",
        "p",
        "all",
        "e",
        "_to_field",
        "_popup",
        "_changelist_filters",
        "next",
        "id__exact",
        "pk__in",
        "id",
    ),
    *(
        "state__exact",
        "agent__id__exact",
        "agent__isnull",
        "created_at__year",
        "created_at__gte",
        "pk__range",
    ),
    *("object_id", "app_label", "model_name", "field_name", "term", "action", "attempts", "agents", "tasks"),
)
HEADERS: Mapping[bytes, Sequence[bytes]] = {
    b"If-None-Match": (
        b"*",
        b'"',
        b'W/"',
        b'W/"a"',
        b'"a", "b',
        b"\xff",
        b'"' + b"a" * 5000 + b'"',
        b",,,",
        b"\x01",
    ),
    b"If-Match": (b"*", b'"a"', b"\xff"),
    b"If-Modified-Since": (
        *(b"yesterday", b"Mon, 99 Foo 2026 99:99:99 GMT", b"Mon, 01 Jan 99999 00:00:00 GMT", b"\xff", b"0"),
        *(b"Mon, 01 Jan 0000 00:00:00 GMT", b"Thu, 01-Jan-70 00:00:00 GMT", b"Sun Nov  6 08:49:37 9999"),
    ),
    b"If-Unmodified-Since": (b"Mon, 31 Feb 2026 00:00:00 GMT", b"-1"),
    b"If-Range": (b"*", b'"a"'),
    b"Range": (
        b"bytes=0-",
        b"bytes=-1",
        b"bytes=9-1",
        b"bytes=" + b"9" * 400 + b"-",
        b"lines=1-2",
        b"bytes=a-b",
        b"\xff",
    ),
    b"Accept": (
        b"*/*",
        b"",
        b";",
        b"text/html;q=9",
        b"a/b;q=\xff",
        b"application/json;q=nan",
        b"/" * 999,
        b"text/*,*;q=",
    ),
    b"Accept-Encoding": (
        b"gzip",
        b"identity;q=0",
        b"*;q=0",
        b"gzip;q=",
        b"br, zstd, \xff",
        b"gzip" * 900,
        b"gzip;q=1e999",
    ),
    b"Accept-Language": (
        b"de",
        b"*",
        b"a" * 600,
        b"\xff\xfe",
        b"../../en",
        b"en;q=\0",
        b"zz-ZZ-zz;q=nan",
        b"-",
    ),
    b"Host": (
        b"",
        b"localhost:99999",
        b"localhost:abc",
        b"[::1",
        b"a" * 400,
        b"\xff",
        b"localhost,evil",
        b"[::1]:-1",
        b"@",
    ),
    b"Content-Length": (b"-1", b"abc", b"9" * 30, b"9" * 5000, b"1, 2", b"", b"\xd9\xa3", b"0x1"),
    b"Transfer-Encoding": (b"chunked", b"gzip, chunked", b"identity", b"\xff"),
    b"Content-Type": (
        *(
            b"",
            b";",
            b"application/x-www-form-urlencoded; charset=utf-7",
            b"text/html; charset=nonsense",
            b"a/b/c",
        ),
        *(b"application/x-www-form-urlencoded; charset=\xff", b"application/json", b"multipart/form-data"),
        *(
            b"multipart/form-data; boundary=",
            b"multipart/form-data; boundary=\xff",
            b"application/x-www-form-urlencoded",
        ),
        *(b"multipart/form-data; boundary=" + b"b" * 300, b"application/json; charset=utf-16", b"text/xml"),
        *(
            b"application/x-www-form-urlencoded; charset=utf-16",
            b"application/x-www-form-urlencoded; charset=idna",
        ),
        *(
            b"application/x-www-form-urlencoded; charset=base64",
            b"multipart/form-data; boundary=x; charset=rot13",
        ),
    ),
    b"Content-Encoding": (b"gzip", b"\xff"),
    b"Cookie": (
        *(
            b"sessionid=",
            b"sessionid=\0",
            b"sessionid=a\xffb",
            b"sessionid=" + b"a" * 5000,
            b"=",
            b";;;",
            b"csrftoken=\xff",
        ),
        *(
            b'sessionid="\\000\\377"',
            b"messages=\xff",
            b"messages=W1tdXQ:1:x",
            b"csrftoken=" + b"a" * 32,
            b"$Version=1",
        ),
    ),
    b"X-Forwarded-For": (b"", b"nonsense", b"1.2.3.4, \xff", b"::1%25lo", b"," * 999, b"fe80::1%eth0"),
    b"X-Forwarded-Proto": (b"https", b"\xff"),
    b"X-Partial": (b"1", b"\xff", b"a" * 3000),
    b"X-CSRFToken": (b"", b"\xff", b"a" * 64),
    b"X-Requested-With": (b"XMLHttpRequest", b"\xff"),
    b"Authorization": (b"Bearer", b"Bearer \xff", b"Basic \xff", b"Basic " + b"a" * 999, b"Bearer  "),
    b"Origin": (b"null", b"http://[", b"\xff", b"https://localhost:99999999", b"http://localhost"),
    b"Referer": (b"http://[", b"\xff", b"http://a:b", b"https://localhost:99999999/", b"http://localhost/\0"),
    b"Expect": (b"100-continue", b"nonsense"),
    b"Upgrade": (b"h2c", b"websocket"),
    b"Connection": (b"close", b"upgrade", b"\xff"),
    b"User-Agent": (b"", b"\xff" * 99, b"a" * 7000),
    b"X-Odd-\xff": (b"1",),
    b"Traceparent": (b"00-\xff",),
}
METHODS = (
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "get",
    "A" * 30,
    "G-T",
)
BODIES: tuple[tuple[bytes, bytes], ...] = (
    (b"application/x-www-form-urlencoded", b"a=%00&b=%ff&=&&c"),
    (b"application/x-www-form-urlencoded", b"a=" + b"9" * 5000),
    (b"application/x-www-form-urlencoded", b"&".join(b"f%d=1" % number for number in range(10_001))),
    (b"application/x-www-form-urlencoded", b"a=" + b"a" * 2_700_000),
    (b"application/json", b"[" * 5000),
    (b"application/json", b'{"a": 1e999, "b": "\\ud800", "c": \xff}'),
    (b"multipart/form-data; boundary=x", b"--x"),
    (
        b"multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a\0"\r\n\r\n\xff\r\n--x--\r\n',
    ),
    (
        b"multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="\0../\xff"'
        b"\r\nContent-Type: \xff\r\n\r\n1\r\n--x--\r\n",
    ),
    (
        b"multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%\r\n--x--\r\n',
    ),
    (
        b"multipart/form-data; boundary=x",
        b"--x\r\nContent-Disposition: form-data; name*=utf-9''%ff\r\n\r\n1\r\n--x--\r\n",
    ),
)


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """One request: its bytes, and as whom it is sent."""

    number: int
    role: str
    raw: bytes

    def __str__(self) -> str:
        shown = self.raw if len(self.raw) < 1500 else self.raw[:1500] + b"..."
        return f"request {self.number} as {self.role}: {shown!r}"


@dataclass(frozen=True, slots=True)
class Places:
    """Where requests go. `paths`: each with parameters as `<name>`; `values`: sets of their valid values.

    `fields`: names of fields that forms have. `logins`: role → name and value of its cookies.
    """

    paths: Sequence[str]
    values: Sequence[Mapping[str, str]]
    fields: Sequence[str]
    logins: Mapping[str, Mapping[str, str]]


class Fuzzer:
    """Makes requests for these places."""

    def __init__(self, places: Places, seed: int) -> None:
        self._places, self._seed = places, seed

    def request(self, number: int) -> Fuzzed:
        """The request of this number, the same for the same seed and places. All paths follow one another."""
        chance = random.Random(f"{self._seed}/{number}")
        role = chance.choice(sorted(self._places.logins))
        path = self._places.paths[number % len(self._places.paths)]
        target = self._path(chance, path) + self._query(chance)
        method = chance.choice(METHODS) if chance.random() < 0.25 else "GET"
        headers: list[tuple[bytes, bytes]] = [(b"Host", b"localhost")]
        cookies = dict(self._places.logins[role])
        kind, body = self._body(chance, cookies) if method not in ("GET", "HEAD") else (b"", b"")
        if body:
            headers += [(b"Content-Type", kind), (b"Content-Length", b"%d" % len(body))]
        if cookies:
            headers.append((b"Cookie", "; ".join("=".join(pair) for pair in cookies.items()).encode()))
            headers.append((b"X-CSRFToken", cookies.get("csrftoken", "").encode()))
        for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
            name = chance.choice(sorted(HEADERS))
            if chance.random() < 0.9:  # else a second one of the same name
                headers = [pair for pair in headers if pair[0] != name]
            headers.append((name, chance.choice(HEADERS[name])))
        lines = [f"{method} ".encode() + target + b" HTTP/1.1", *(b": ".join(pair) for pair in headers)]
        return Fuzzed(number, role, b"\r\n".join(lines) + b"\r\n\r\n" + body)

    def _path(self, chance: random.Random, path: str) -> bytes:
        valid = chance.choice(self._places.values)
        found = b""
        for part in path.replace("<", "\n<").replace(">", ">\n").split("\n"):
            if not part.startswith("<"):
                found += quote(part).encode()
            elif chance.random() < 0.6:
                found += quote(valid.get(part[1:-1], "1"), safe="/").encode()
            else:
                found += self._value(chance)
        return b"/" + found

    def _query(self, chance: random.Random) -> bytes:
        pairs = []
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            name = chance.choice(PARAMETERS).encode()
            if chance.random() < 0.05:
                name = self._value(chance)
            pairs.append(name + b"=" + self._value(chance))
        return b"?" + b"&".join(pairs) if pairs else b""

    def _value(self, chance: random.Random) -> bytes:
        """A number or a text, mostly quoted as in an address."""
        if chance.random() < 0.5:
            return quote(chance.choice(NUMBERS)).encode()
        found = chance.choice(TEXTS)
        raw = chance.random() < 0.05 and not set(found) & set(b" \0\r\n\x7f#?")
        return found if raw else quote_from_bytes(found, safe="").encode()

    def _body(self, chance: random.Random, cookies: Mapping[str, str]) -> tuple[bytes, bytes]:
        """A content type and a body: one of BODIES, or a form with odd values."""
        if chance.random() < 0.3:
            return chance.choice(BODIES)
        pairs = [b"csrfmiddlewaretoken=" + cookies.get("csrftoken", "").encode()]
        for _ in range(chance.randrange(8)):
            name = quote(chance.choice(self._places.fields)).encode()
            pairs.append(name + b"=" + self._value(chance))
        return b"application/x-www-form-urlencoded", b"&".join(pairs)
