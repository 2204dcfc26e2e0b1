"""The README shows pictures that are there, made by the script that says so, each with words for who cannot see it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.browser.shoot import FILES, FOLDER, NARROW
from tests.browser.small_png import size_of
from tests.conftest import require

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
MOST_BYTES = 150 * 1024


def test_the_readme_the_folder_and_the_script_name_the_same_pictures() -> None:
    """What the README names is what the script makes, and nothing else lies there."""
    named = set(re.findall(r"docs/images/([\w.-]+)", README))
    assert named == FILES
    assert {file.name for file in FOLDER.iterdir()} == FILES


@pytest.mark.parametrize("name", sorted(FILES))
def test_each_picture_is_small_and_as_wide_as_it_says(name: str) -> None:
    """A picture is a PNG of 1280 pixels, or of 390 for the phone, in at most 150 KB."""
    picture = (FOLDER / name).read_bytes()
    width, _ = size_of(picture)
    assert width == (390 if name.rpartition("-")[0] in NARROW else 1280)
    assert len(picture) <= MOST_BYTES


def test_each_picture_has_words_and_a_dark_twin() -> None:
    """Every `img` has an alternative text that says something, and stands in a `picture` with its dark twin."""
    pictures = re.findall(r"<picture>(.*?)</picture>", README, re.DOTALL)
    assert len(pictures) == README.count("<img ") == len(FILES) // 2
    for picture in pictures:
        (light,) = re.findall(r'<img src="docs/images/([\w-]+)-light\.png"', picture)
        assert f'(prefers-color-scheme: dark)" srcset="docs/images/{light}-dark.png"' in picture
        (words,) = re.findall(r' alt="([^"]+)"', picture)
        assert len(words.split()) > 5


@pytest.mark.parametrize(("target", "installed"), [("demo", "'.[semantic]'"), ("test", "'.[test]'")])
def test_the_demo_waits_for_no_tool_of_the_tests(target: str, installed: str, tmp_path: Path) -> None:
    """`make demo` installs the package and its model alone; `make test` its tools too."""
    require("program:make")
    command = ["make", "--dry-run", target, f"VENV={tmp_path}"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"--editable (\S+?)[;\s]", said)) == {installed}
