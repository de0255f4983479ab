"""Signs the records of runs that this site executed, so that it recognizes them when they are imported again.

Reviews are made later, one by one, so each of their files has a signature of its own beside it.

The signature is an HMAC with the site's SECRET_KEY over the run directory's files, in a file of its own. The log of
grading is left out, because public downloads may lack it. SECRET_KEY_FALLBACKS are accepted, too.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from enum import Enum
from pathlib import Path

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from harness.records import ARTIFACTS, EDITS, PATCH, SUBMISSIONS, SUMMARY, TESTS, TRAJECTORY, USER, RunRecord

SIGNATURE = "signature.json"
FILE_SIGNATURE = ".sig"  # the suffix of the signature of a single file
_VERSION = 1
_SIGNED = (SUMMARY, TRAJECTORY, EDITS, PATCH, TESTS, USER, SUBMISSIONS)
_CONTENT_SALT, _KEY_SALT = "runs.execution.run_signature", "runs.execution.run_signature.key"
_FILE_SALT = "runs.execution.run_signature.file"
_MAX_BYTES = 4096
_log = logging.getLogger(__name__)


class Proof(Enum):
    """What a run directory's signature shows."""

    VALID = "this site signed exactly these records"
    FOREIGN = "there is no signature, or it is one of another site or of a key that this site no longer has"
    BROKEN = "this site signed other records than these"


def sign_run(directory: Path) -> None:
    """Writes the signature of a complete run directory. Never raises: a run without one settles, too."""
    try:
        signed = {
            "version": _VERSION,
            "key": _key_name(settings.SECRET_KEY),
            "signature": _signature(directory, settings.SECRET_KEY),
        }
        partial = directory / f"{SIGNATURE}.partial"
        partial.write_text(json.dumps(signed) + "\n")
        partial.replace(directory / SIGNATURE)
    except OSError as error:
        _log.warning("%s: the run could not be signed: %s", directory, error)


def check_signature(directory: Path) -> Proof:
    """Whether this site signed the records in a directory as they are now."""
    stored = _stored(directory)
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        if stored.get("version") == _VERSION and stored.get("key") == _key_name(secret):
            same = constant_time_compare(str(stored.get("signature")), _signature(directory, secret))
            return Proof.VALID if same else Proof.BROKEN
    return Proof.FOREIGN


def sign_file(path: Path) -> None:
    """Writes the signature of one file beside it. Never raises, as `sign_run`."""
    try:
        partial = path.with_suffix(f".{os.getpid()}.partial")
        partial.write_text(_file_signature(path, settings.SECRET_KEY) + "\n")
        partial.replace(path.with_suffix(FILE_SIGNATURE))
    except OSError as error:
        _log.warning("%s could not be signed: %s", path, error)


def is_signed(path: Path) -> bool:
    """Whether this site signed the file as it is now."""
    with suppress(OSError, ValueError), path.with_suffix(FILE_SIGNATURE).open("rb") as file:
        stored = file.read(_MAX_BYTES).decode("ascii").strip()
        return any(
            constant_time_compare(stored, _file_signature(path, secret))
            for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
        )
    return False


def _file_signature(path: Path, secret: str) -> str:
    """Of the content and the names of the file and its directory."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    what = f"{path.parent.name}/{path.name} {digest}"
    return salted_hmac(_FILE_SALT, what, secret=secret, algorithm="sha256").hexdigest()


def _stored(directory: Path) -> dict[str, object]:
    with suppress(OSError, ValueError, RecursionError), (directory / SIGNATURE).open("rb") as file:
        stored = json.loads(file.read(_MAX_BYTES))
        if isinstance(stored, dict) and all(isinstance(value, str | int) for value in stored.values()):
            return stored
    return {}


def _key_name(secret: str) -> str:
    """Names a key without revealing it."""
    return salted_hmac(_KEY_SALT, "", secret=secret, algorithm="sha256").hexdigest()[:16]


def _signature(directory: Path, secret: str) -> str:
    listing = "\n".join(_digests(directory))
    return salted_hmac(_CONTENT_SALT, listing, secret=secret, algorithm="sha256").hexdigest()


def _digests(directory: Path) -> Iterator[str]:
    names = (*_SIGNED, *(f"{ARTIFACTS}/{name}" for name in RunRecord(directory).artifacts()))
    for name in names:
        with suppress(FileNotFoundError):
            descriptor = os.open(directory / name, os.O_RDONLY | os.O_NOFOLLOW)
            with os.fdopen(descriptor, "rb") as file:
                yield f"{name} {hashlib.file_digest(file, 'sha256').hexdigest()}"
