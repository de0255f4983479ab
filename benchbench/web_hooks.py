"""Hooks that gunicorn calls between requests: `gunicorn --config python:benchbench.web_hooks`."""

from __future__ import annotations

from benchbench.garbage import collect


def post_request(_worker: object, _request: object, _environ: object, _response: object) -> None:
    """Runs after a response was sent."""
    collect()
