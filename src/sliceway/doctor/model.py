"""The embedding model, looked at by having it embed one word."""

from __future__ import annotations

from sliceway.core.checks import Check
from sliceway.errors import SettingsError, SlicewayError
from sliceway.settings import EmbedSettings
from sliceway.wiring.embedding import make_embedder

_NAME = "embedding"
_WITHOUT = "To find what is said in other words: pip install 'sliceway[semantic]'"


async def look_at_model(settings: EmbedSettings) -> Check:
    """Say whether the model that the settings name answers; that there is none is no fault."""
    try:
        model = make_embedder(settings)
    except SettingsError as error:
        return Check(_NAME, False, "; ".join(problem.detail for problem in error.problems), _WITHOUT)
    if model is None:
        chosen = settings.model is not None
        return Check(
            _NAME, True, "There is no embedding model: recall goes by words alone.", "" if chosen else _WITHOUT
        )
    try:
        await model.embed_query("sliceway")
    except SlicewayError as error:
        cure = "Until then recall goes by words alone, and says so."
        return Check(_NAME, False, error.detail, cure)
    finally:
        await model.close()
    return Check(_NAME, True, f"The embedding model {model.name} answers.")
