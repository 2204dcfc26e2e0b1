"""The OpenAPI document."""

from __future__ import annotations

import json
from functools import cache


@cache
def openapi_bytes() -> bytes:
    """Return the document as JSON."""
    return json.dumps({"openapi": "3.1.0"}).encode()
