"""What gunicorn calls between requests: `gunicorn --config python:benchbench.web_hooks`."""

from __future__ import annotations

from benchbench.garbage import look


def post_request(_worker: object, _request: object, _environ: object, _response: object) -> None:
    """After an answer has gone out."""
    look()
