"""Makes the directory that holds this file importable as a package, whatever it is called, and serves."""

from __future__ import annotations

import importlib
import os
import sys

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(here))
    main = importlib.import_module(os.path.basename(here) + ".server").main
    del sys.path[0]
    main()
