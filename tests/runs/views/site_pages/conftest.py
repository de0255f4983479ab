"""Exports and the feed pass the API's rate limit: each test starts with a fresh limiter."""

from tests.runs.api.conftest import _fresh_limiter  # noqa: F401
