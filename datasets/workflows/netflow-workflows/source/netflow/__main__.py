"""`python3 -m netflow`."""

import sys

from netflow.cli import main

sys.exit(main())
