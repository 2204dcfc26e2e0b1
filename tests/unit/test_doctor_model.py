"""The doctor's look at the embedding model."""

from __future__ import annotations

import pytest

from sliceway.doctor.model import look_at_model
from sliceway.embed.minilm import MiniLm
from sliceway.settings import EmbedSettings


async def test_fr7_the_doctor_says_whether_the_model_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """FR7: a model that runs is well; none is no fault; one that is not installed, or not to be reached, is named with
    the cure."""
    assert (await look_at_model(EmbedSettings(model="minilm"))).ok
    assert (await look_at_model(EmbedSettings(model="none"))).ok
    away = EmbedSettings(model="openai:some", url="http://127.0.0.1:9/v1")
    unreached = await look_at_model(away)
    assert (unreached.ok, "127.0.0.1:9" in unreached.says) == (False, True)
    monkeypatch.setattr(MiniLm, "installed", staticmethod(lambda: False))
    missing = await look_at_model(EmbedSettings(model="minilm"))
    assert (missing.ok, "not installed" in missing.says, "semantic" in missing.cure) == (False, True, True)
    assert "semantic" in (await look_at_model(EmbedSettings())).cure
