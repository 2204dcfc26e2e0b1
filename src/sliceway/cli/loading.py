"""Loading the program quickly, and keeping what was loaded out of the way of what is collected later."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage while modules are loaded, a tenth of the time it takes, and take them as there for good.

    Later looks, which hold up every call, leave them out.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
