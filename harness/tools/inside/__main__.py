"""Imports this directory as a package, whatever its name is, and starts a server.

The single argument `relay` starts the relay of a command-line agent; any other arguments start the tool server.
"""

from __future__ import annotations

import importlib
import os
import sys

if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(here))
    module = ".relay" if sys.argv[1:] == ["relay"] else ".server"
    main = importlib.import_module(os.path.basename(here) + module).main
    del sys.path[0]
    main()
