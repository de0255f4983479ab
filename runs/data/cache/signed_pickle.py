"""Signed pickles: only a value that this code and this site wrote is read again."""

from __future__ import annotations

import hashlib
import hmac
import pickle
from typing import Any

from django.conf import settings

from runs.data.cache.digests import source_digest

_LENGTH = hashlib.sha256().digest_size


class SignedPickleSerializer:
    """For the Redis cache: pickles, each behind a signature made with the site's secret key and the source digest.

    Loading a pickle runs code, so the signature is checked first. A value that something else wrote is a miss, and so
    is one of another version of the code: a frozen dataclass with slots loads without a field that was added since,
    and fails when that field is read.
    """

    def dumps(self, value: Any) -> bytes:
        """The signature and the pickle of a value."""
        content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return _signature(content) + content

    def loads(self, data: bytes) -> Any:
        """The value; None for bytes that another site, another key or other code signed."""
        content = data[_LENGTH:]
        if not hmac.compare_digest(_signature(content), data[:_LENGTH]):
            return None
        return pickle.loads(content)  # noqa: S301 - the signature is ours


def _signature(content: bytes) -> bytes:
    key = f"runs.data.cache.signed_pickle/{settings.SECRET_KEY}/{source_digest()}"
    return hmac.digest(key.encode(), content, "sha256")
