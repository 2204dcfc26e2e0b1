"""The script that takes the README's pictures."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.shoot import NARROW, SCHEMES, files, take
from tests.browser.small_png import size_of
from tests.conftest import require


@pytest.mark.timeout(400)
async def test_the_script_makes_the_pictures_it_names_of_the_running_page(tmp_path: Path) -> None:
    """It plays the journeys in the demo's page and leaves exactly the pictures it names, each as wide as it says; in
    one of the colour schemes, which tells as much of the script as both."""
    require("playwright", "program:chromium")
    await take(tmp_path, SCHEMES[1:])
    made = _widths(tmp_path)
    assert set(made) == files(SCHEMES[1:])
    for name, width in made.items():
        assert width == (390 if name.rpartition("-")[0] in NARROW else 1280)


def _widths(folder: Path) -> dict[str, int]:
    return {file.name: size_of(file.read_bytes())[0] for file in folder.iterdir()}
