"""What `import drums` adds to a bare Python, beside what HTTP libraries add."""

from __future__ import annotations

import resource
import subprocess
import sys
from typing import TYPE_CHECKING

from benchmarks.table import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAMS = {
    "bare": "pass",
    "drums": "import drums",
    "drums.aio": "import drums.aio",
    "Client": "import drums; drums.Client",
    "httpx": "import httpx",
    "aiohttp": "import aiohttp",
}


def _cpu_ms(program: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def rows(*, quick: bool) -> Iterator[Row]:
    """Milliseconds of CPU over bare Python, the least of several starts."""
    least = dict.fromkeys(PROGRAMS, float("inf"))
    for _ in range(5 if quick else 15):
        for name, program in PROGRAMS.items():
            least[name] = min(least[name], _cpu_ms(program))
    over = {name: ms - least["bare"] for name, ms in least.items()}
    yield Row("import drums, over bare Python", over["drums"], "ms", most=40)
    yield Row("import drums", over["drums"], "ms", "import httpx", over["httpx"])
    yield Row("import drums; drums.Client", over["Client"], "ms", "import httpx", over["httpx"])
    yield Row("import drums.aio", over["drums.aio"], "ms", "import aiohttp", over["aiohttp"])
