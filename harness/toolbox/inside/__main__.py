"""Imports this directory as a package, whatever its name is, and starts the server."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    sys.path.insert(0, str(here.parent))
    main = importlib.import_module(f"{here.name}.server").main
    del sys.path[0]
    main()
