"""What all tests share: how many examples Hypothesis tries, and the signals that programs under test begin with.

`HYPOTHESIS_PROFILE=ci` asks for a thousand examples.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

settings.register_profile("default", max_examples=100, deadline=None)
settings.register_profile(
    "ci", max_examples=1000, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

for ignored in (signal.SIGHUP, signal.SIGTERM):
    # A program inherits what is ignored: under nohup, and under some CI, no child would end on SIGHUP.
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)
