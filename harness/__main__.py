"""`python -m harness`: validate and admit datasets, run agents, clean up the container engine."""

from __future__ import annotations

import sys

from harness.cli import main

if __name__ == "__main__":
    sys.exit(main())
