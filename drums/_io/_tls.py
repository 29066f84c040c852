"""Whom to trust over https: one rule for both transports. Certificates and host names are always verified."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ssl import SSLContext


def tls_context() -> SSLContext:
    """TLS 1.2 or later, trusting this system's authorities and what `SSL_CERT_FILE` or `SSL_CERT_DIR` name.

    Where a Python knows of none (as some standalone builds), the authorities that httpx brings are trusted instead.
    """
    import ssl  # noqa: PLC0415  # 16 ms, needed for https alone

    context = ssl.create_default_context()
    places = ssl.get_default_verify_paths()
    told = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
    if not (told or places.cafile or places.capath) and os.name == "posix":
        import certifi  # noqa: PLC0415  # comes with httpx

        context.load_verify_locations(certifi.where())
    return context
