"""``python -m bgnet``: the same as the command ``bgnet``."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
