"""Makes the directory that holds this file importable as a package, whatever it is called, and serves.

`relay` as the only argument starts the relay of an agent that runs in the container; anything else the tool server.
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
