"""`python -m drums.local up` and `down`: the same as `drums up` and `drums down`."""

from __future__ import annotations

import sys

from drums.local.command import main

if __name__ == "__main__":
    sys.exit(main())
