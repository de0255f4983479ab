"""Runs one coding agent on one task in a container, records every step, and grades the result.

Knows nothing of Django: `python -m harness --help` works from a shell, with no database and no Redis.
"""

__version__ = "0.1.0"
