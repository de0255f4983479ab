"""What is taken out of text before it is written down, and what is left alone."""

from __future__ import annotations

import base64
import json
import random
import re
import string
import time
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from harness.redaction import MARK, MIN_MATCH_LENGTH, SHAPES, Redactor
from tests.test_architecture import ROOT

ALNUM = string.ascii_letters + string.digits
SEED = 20260301


def random_text(length: int, letters: str = ALNUM, seed: int = SEED) -> str:
    """Made at run time: no text of a key's shape is ever stored in the project."""
    return "".join(random.Random(seed + length).choices(letters, k=length))


def part(claims: dict[str, object]) -> str:
    """One of the parts of a JSON web token."""
    return base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")


def pem(kind: str = "RSA ") -> str:
    """A private key in its frame."""
    body = base64.b64encode(random_text(900).encode()).decode()
    lines = "\n".join(body[start : start + 64] for start in range(0, len(body), 64))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----\n"


def keys() -> dict[str, str]:
    """A key of each provider's shape."""
    return {
        "OpenAI": "sk-" + random_text(48),
        "OpenAI project": "sk-proj-" + random_text(74, ALNUM + "-_"),
        "DeepSeek": "sk-" + random_text(32, "0123456789abcdef"),
        "OpenRouter": "sk-or-v1-" + random_text(64, "0123456789abcdef"),
        "Anthropic": "sk-ant-api03-" + random_text(93, ALNUM + "-_") + "AA",
        "Google": "AIza" + random_text(35, ALNUM + "-_"),
        "AWS": "AKIA" + random_text(16, string.ascii_uppercase + "234567"),
        "AWS session": "ASIA" + random_text(16, string.ascii_uppercase + "234567"),
        "GitHub": "ghp_" + random_text(36),
        "GitHub, by chance without a digit": "ghp_" + random_text(36, string.ascii_letters),
        "GitHub fine-grained": "github_pat_" + random_text(22) + "_" + random_text(59),
        "GitLab": "glpat-" + random_text(20),
        "Slack": "xoxb-" + random_text(12, string.digits) + "-" + random_text(24),
        "Hugging Face": "hf_" + random_text(34),
        "Groq": "gsk_" + random_text(52),
        "Stripe": "sk_live_" + random_text(24),
        "npm": "npm_" + random_text(36),
        "Google of today": "AQ.Ab8" + random_text(44, ALNUM + "-_"),
        "Google OAuth": "ya29.a0" + random_text(120, ALNUM + "-_"),
        "SendGrid": "SG." + random_text(22) + "." + random_text(43),
        "Docker Hub": "dckr_pat_" + random_text(27),
        "a JSON web token": ".".join(
            [
                part({"alg": "HS256", "typ": "JWT"}),
                part({"sub": "1234567890", "iat": 1516239022}),
                random_text(43),
            ]
        ),
    }


AROUND: dict[str, Callable[[str], str]] = {
    "alone": lambda key: key,
    "in a sentence": lambda key: f"Incorrect API key provided: {key}. Find yours elsewhere.",
    "in JSON": lambda key: json.dumps({"key": key}),
    "in JSON in JSON": lambda key: json.dumps(json.dumps({"key": key})),
    "after an equals sign": lambda key: f"KEY={key}\nNEXT=1",
    "on a line of a diff": lambda key: f"+{key}\n",
    "in quotes": lambda key: f"'{key}'",
    "in an address": lambda key: f"https://example.org/v1?k={key}&x=1",
}

HEADERS: dict[str, Callable[[str], str]] = {
    "bearer": lambda key: f"Authorization: Bearer {key}",
    "bearer in lower case": lambda key: f"authorization: bearer {key}",
    "bearer in JSON": lambda key: json.dumps({"Authorization": f"Bearer {key}"}),
    "bearer in JSON in JSON": lambda key: json.dumps(json.dumps({"Authorization": f"Bearer {key}"})),
    "bearer alone": lambda key: f"curl -H 'Bearer {key}'",
    "basic": lambda key: f"Authorization: Basic {base64.b64encode(f'me:{key}'.encode()).decode()}",
    "x-api-key": lambda key: f"x-api-key: {key}",
    "X-Api-Key in Python": lambda key: f"{{'X-Api-Key': '{key}'}}",
    "x-goog-api-key": lambda key: f"x-goog-api-key: {key}",
    "api_key in TOML": lambda key: f'api_key = "{key}"',
    "api_key in Python's repr": lambda key: f"('api_key', '{key}')",
    "a variable of the environment": lambda key: f"MY_PROVIDER_API_KEY={key}",
    "a parameter": lambda key: f"GET /models?key={key} HTTP/1.1",
}


def takes_white_space(expression: Any) -> bool:
    """Whether a match of a parsed expression may have white space in it."""
    for kind, value in expression:
        match str(kind):
            case "LITERAL":
                found = chr(value).isspace()
            case "IN":
                found = one_takes_white_space(value)
            case "SUBPATTERN" | "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found = takes_white_space(value[-1])
            case "BRANCH":
                found = any(map(takes_white_space, value[1]))
            case "ATOMIC_GROUP":
                found = takes_white_space(value)
            case "AT" | "ASSERT" | "ASSERT_NOT":  # no part of the match
                found = False
            case _:
                found = True
        if found:
            return True
    return False


def one_takes_white_space(letters: Any) -> bool:
    """Whether one of these letters of an expression is white space."""
    kinds = {(str(kind), str(value)) for kind, value in letters}
    if ("NEGATE", "None") in kinds:
        return ("CATEGORY", "CATEGORY_SPACE") not in kinds
    return ("CATEGORY", "CATEGORY_SPACE") in kinds or ("LITERAL", str(ord(" "))) in kinds


class TestShapes:
    @pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
    def test_a_private_key_leaves_its_frame_alone(self, kind: str) -> None:
        frame = f"-----BEGIN {kind}PRIVATE KEY-----"
        service_account = json.dumps({"type": "service_account", "private_key": pem(kind)})
        diff = "".join(f"+{line}\n" for line in pem(kind).splitlines())
        for text in (pem(kind), service_account, json.dumps(service_account), diff, pem(kind)[:400]):
            redacted = Redactor().text(text)
            assert frame in redacted
            assert pem(kind)[60:100] not in redacted

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\\n", "\n+", " "])
    def test_the_lines_of_an_encrypted_key_are_no_part_of_it(self, end: str) -> None:
        start = [
            "-----BEGIN RSA PRIVATE KEY-----",
            "Proc-Type: 4,ENCRYPTED",
            "DEK-Info: AES-256-CBC,0123456789AB",
        ]
        key = pem("RSA ").splitlines()[1:-1]
        redacted = Redactor().text(end.join([*start, "", *key]))
        assert redacted.startswith(end.join(start))
        assert key[3] not in redacted

    @pytest.mark.parametrize("before", ["", "a ", "token-", "a_b-", "a.", "a.eyJhead."])
    def test_a_signed_token_is_found_behind_other_words(self, before: str) -> None:
        part = "0123456789abcdef"
        assert Redactor().text(f"{before}eyJ{part}.eyJ{part}.{part}") == f"{before}[redacted]"

    @pytest.mark.parametrize(
        "template",
        [
            "DefaultEndpointsProtocol=https;AccountName=me;AccountKey={};EndpointSuffix=core.windows.net",
            "Endpoint=sb://me.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
            "AZURE_CLIENT_SECRET={}",
            '{{"client_secret": "{}"}}',
            '{{"SecretAccessKey": "{}"}}',
            "aws_secret_access_key = {}",
            "postgres://me:{}@db.example.org:5432/app",
            "git clone https://x-access-token:{}@example.org/me/app.git",
        ],
    )
    def test_a_secret_beside_its_name_is_found(self, template: str) -> None:
        secret = random_text(40)
        assert Redactor().text(template.format(secret)) == template.format(MARK)

    @pytest.mark.parametrize(
        "text",
        [
            "postgres://user:password@localhost:5432/app",
            "http://[::1]:8000/a:b@c",
            'if text.startswith("-----BEGIN PRIVATE KEY-----"): raise ValueError("a private key is not taken here")',
            "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJRTES",
            'token = header + "." + payload  # eyJhbGciOiJIUzI1NiJ9',
            "client_secret = settings.OAUTH_CLIENT_SECRET_FROM_FILE",
        ],
    )
    def test_ordinary_code_about_keys_is_left_alone(self, text: str) -> None:
        assert Redactor().text(text) == text

    @pytest.mark.parametrize("around", AROUND)
    @pytest.mark.parametrize("provider", keys())
    def test_a_key_is_found_by_its_shape_alone(self, provider: str, around: str) -> None:
        key = keys()[provider]
        written = Redactor().text(AROUND[around](key))
        assert written == AROUND[around](MARK)

    @pytest.mark.parametrize("header", HEADERS)
    def test_what_follows_the_name_of_a_header_is_found_whatever_its_shape(self, header: str) -> None:
        key = random_text(40)
        written = Redactor().text(HEADERS[header](key))
        assert key not in written
        assert base64.b64encode(f"me:{key}".encode()).decode() not in written
        assert MARK in written

    @pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.hints[0])
    def test_no_key_is_shorter_than_what_is_searched(self, shape: Any) -> None:
        expression = re._parser.parse(shape.pattern.pattern, shape.pattern.flags & ~re.UNICODE)
        assert expression.getwidth()[0] >= MIN_MATCH_LENGTH

    @pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.hints[0])
    def test_white_space_is_in_those_keys_alone_that_say_so(self, shape: Any) -> None:
        expression = re._parser.parse(shape.pattern.pattern, shape.pattern.flags & ~re.UNICODE)
        assert takes_white_space(expression) is shape.spaced

    @pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.hints[0])
    def test_each_hint_has_one_of_its_parts(self, shape: Any) -> None:
        assert all(any(part in hint for part in shape.parts) for hint in shape.hints)

    def test_the_shortest_key_is_found(self) -> None:
        assert Redactor().text("://:abcdef1234@") == f"://:{MARK}@"

    def test_the_name_of_the_header_stays(self) -> None:
        assert (
            Redactor().text(f"x-api-key: {random_text(40)}\nAccept: */*") == f"x-api-key: {MARK}\nAccept: */*"
        )

    def test_two_keys_in_one_text_are_both_found(self) -> None:
        one, two = keys()["OpenAI"], keys()["GitHub"]
        assert Redactor().text(f"{one} {two} {one}") == f"{MARK} {MARK} {MARK}"

    @pytest.mark.parametrize(
        "harmless",
        [
            "commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "sha512-" + base64.b64encode(bytes(range(64))).decode(),
            str(uuid.UUID(int=2**100 + 12345)),
            '<div class="sk-folding-cube sk-fading-circle sk-circle-fade-dot-12">',
            ".sk-cube-grid .sk-cube9 { animation-delay: 0.0s }",
            "risk-assessment-2026-with-many-words-in-it, task-1234567890abcdef12",
            "disk-0123456789abcdef, desk-a1b2c3d4e5f6g7h8",
            "Authorization: Bearer <token>",
            "Authorization: Bearer ${OPENAI_API_KEY}",
            'headers = {"Authorization": "Bearer valid-token-for-tests"}',
            "x-api-key: YOUR_API_KEY_GOES_HERE",
            'api_key = os.environ["PROVIDER_API_KEY"]',
            "api_key=settings.provider_configuration.api_key",
            "def authorization_bearer(request): return request.headers.get_all()",
            "http://localhost:8000/ at 12:00, mail to me@example.org",
            "git@github.com:owner/repository.git",
            "AKIA is how these begin; AIza, too",
            "ghp_ and sk- are prefixes",
            "tests/test_calc.py::test_adds[sk-1]",
            "if key == other_key and token != access_token_for_user: pass",
            "postgres://user:password@localhost/test",
        ],
    )
    def test_what_only_looks_alike_is_left_alone(self, harmless: str) -> None:
        assert Redactor().text(harmless) == harmless

    @pytest.mark.parametrize(
        "piece",
        [
            "a-",
            "sk-",
            "api_key ",
            "apikey\\",
            "Authorization: ",
            "bearer \\n",
            "AIza",
            "://:",
            "secret_key=,",
            "-eyJ",
            "-eyJ-eyJ-eyJ-eyJ.eyJ",
            "-----BEGIN PRIVATE KEY-----Proc-Type:",
            "-----BEGIN PRIVATE KEY-----" + "Proc-Type:          " * 12,
        ],
    )
    def test_a_hostile_text_costs_no_more_than_its_length(self, piece: str) -> None:
        redactor = Redactor({"abcdefgh1": "[KEY]"})
        began = time.process_time()
        redactor.text(piece * (2_000_000 // len(piece)))
        assert time.process_time() - began < 5

    def test_encoded_images_are_left_alone(self) -> None:
        for seed in range(40):
            image = base64.b64encode(random.Random(seed).randbytes(50_000)).decode()
            assert Redactor().text(image) == image

    def test_the_projects_own_words_are_left_alone(self) -> None:
        """Every text file of the harness and of the pages: what agents write is like this."""
        for folder in ("harness", "runs", "templates", "static", "datasets/starter", "datasets/workflows"):
            for path in (ROOT / folder).rglob("*"):
                if path.suffix in {".py", ".html", ".css", ".js", ".c", ".h", ".md", ".sh", ".toml"}:
                    text = path.read_text(encoding="utf-8")
                    assert Redactor().text(text) == text, path


class TestValues:
    SECRET = 'one "two" thrée/four+five'
    SPELLINGS: dict[str, Callable[[str], str]] = {
        "as it is": str,
        "escaped": lambda value: json.dumps(value, ensure_ascii=False),
        "escaped to ASCII": json.dumps,
        "escaped twice": lambda value: json.dumps(json.dumps(value, ensure_ascii=False), ensure_ascii=False),
        "percent-encoded": lambda value: quote(value, safe=""),
        "hexadecimal": lambda value: value.encode().hex(),
        "base64": lambda value: base64.b64encode(value.encode()).decode(),
        "base64 behind one letter": lambda value: base64.b64encode(f"u{value}".encode()).decode(),
        "base64 behind two letters": lambda value: base64.b64encode(f"u:{value}".encode()).decode(),
        "base64 in the middle": lambda value: base64.b64encode(f"user:{value}, and more".encode()).decode(),
        "broken into lines": lambda value: "\n".join(value[at : at + 7] for at in range(0, len(value), 7)),
        "broken into lines, escaped": lambda value: json.dumps(
            "\n".join(value[:9]) + value[9:], ensure_ascii=False
        ),
        "spaced out": " ".join,
    }

    @pytest.mark.parametrize("spelling", SPELLINGS)
    @pytest.mark.parametrize("value", [SECRET, "abcdefgh", "0123456789abcdef0123", random_text(51)])
    def test_a_known_value_is_found_in_every_spelling(self, spelling: str, value: str) -> None:
        if spelling in ("escaped twice", "broken into lines, escaped"):
            value = value.replace('"', "'")  # quotes in more than one layer are beyond what is promised
        spelled = self.SPELLINGS[spelling](value)
        written = Redactor({value: "[KEY]"}).text(f"before {spelled} after")
        assert "[KEY]" in written
        assert self.SPELLINGS[spelling](value) not in written
        assert written.startswith("before ")
        assert written.endswith(" after")

    def test_the_longest_value_wins(self) -> None:
        redactor = Redactor({"abcdefgh": "[SHORT]", "abcdefghijkl": "[LONG]"})
        assert redactor.text("abcdefghijkl abcdefgh") == "[LONG] [SHORT]"

    def test_bytes_that_are_no_text_stay_as_they_are(self) -> None:
        assert Redactor({"abcdefgh": "[KEY]"}).data(b"\xff\0abcdefgh\xfe") == b"\xff\0[KEY]\xfe"

    def test_everything_in_a_structure_is_redacted_names_too(self) -> None:
        redactor = Redactor({"abcdefgh": "[KEY]"})
        before = {"abcdefgh": ["abcdefgh", {"a": ("abcdefgh", 1, None, 2.5, True)}]}
        assert redactor.value(before) == {"[KEY]": ["[KEY]", {"a": ["[KEY]", 1, None, 2.5, True]}]}


class TestEnvironment:
    def test_variables_that_are_named_like_secrets_count(self) -> None:
        names = (
            *("OPENAI_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "SECRET_KEY"),
            *("PGPASSWORD", "github_token", "CLIENT_SECRET"),
        )
        for name in names:
            redactor = Redactor.from_environment({name: "correct horse"})
            assert redactor.text("it is correct horse!") == f"it is [{name}]!"

    def test_other_variables_and_short_values_do_not(self) -> None:
        redactor = Redactor.from_environment(
            {"HOME": "/home/somebody", "DEBUG_TOKEN": "on", "KEYBOARD": "english-uk"}
        )
        assert redactor.text("/home/somebody on english-uk") == "/home/somebody on english-uk"

    def test_a_variable_that_is_named_counts_however_short_it_is(self) -> None:
        redactor = Redactor.from_environment({"MY_PASS": "abc"}, named=["MY_PASS"])
        assert redactor.text("abc") == "[MY_PASS]"

    def test_the_password_in_an_address_counts(self) -> None:
        redactor = Redactor.from_environment({"DATABASE_URL": "postgres://me:correct-horse@db/name"})
        assert redactor.text("password is correct-horse") == "password is [password of DATABASE_URL]"
