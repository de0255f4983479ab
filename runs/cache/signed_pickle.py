"""What is kept in Redis is sealed: only what a process of this site wrote is read again."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from typing import Any

from django.conf import settings

_LENGTH = hashlib.sha256().digest_size


class SealedSerializer:
    """For Django's Redis cache: pickles behind a seal that is made with the site's secret key.

    Reading a pickle runs what it says. Redis may hold anybody's bytes, so the seal is looked at first, and what has
    none of ours counts as not there: no code in it is run, and no error of it reaches a reader.
    """

    def dumps(self, value: Any) -> bytes:
        """The sealed bytes of a value."""
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return _seal(content) + content

    def loads(self, data: bytes) -> Any:
        """The value; None for bytes that this site did not seal, or sealed with another key."""
        content = data[_LENGTH:]
        if not hmac.compare_digest(_seal(content), data[:_LENGTH]):
            return None
        return pickle.loads(content)  # noqa: S301 - ours, as the seal says


def _seal(content: bytes) -> bytes:
    return hmac.digest(f"runs.cache.signed_pickle/{settings.SECRET_KEY}".encode(), content, "sha256")
