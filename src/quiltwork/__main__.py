"""`python -m quiltwork` is the command line."""

import sys

from quiltwork.cli.main import main

sys.exit(main())
