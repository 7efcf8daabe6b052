"""`python -m eristic.cli`."""

import sys

from eristic.cli.entry import main

sys.exit(main())
