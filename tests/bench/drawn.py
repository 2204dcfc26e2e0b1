"""Plots as SVG: bars with their names and values beside them, readable on light and on dark, with words for who sees
none of it. Nothing is fetched and nothing runs in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _NAMES, _VALUES, _EDGE = 380, 132, 56, 16
_BAR, _STEP, _GROUP, _TITLE = 13, 19, 26, 40
_COLOURS = ("#2f81f7", "#d29922", "#a371f7", "#8b949e", "#3fb950", "#f85149")
"""Strong enough on white and on black."""
_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}}"
)


@dataclass(frozen=True, slots=True)
class Panel:
    """Bars on one scale. `groups` holds names and values, by what they are of."""

    title: str
    groups: Mapping[str, Sequence[tuple[str, float]]]


def plot(says: str, panels: Sequence[Panel]) -> str:
    """Return panels side by side; each name has one colour in all of them.

    :param says: the plot in words.
    """
    names = dict.fromkeys(name for panel in panels for bars in panel.groups.values() for name, _ in bars)
    colours = {name: _COLOURS[at % len(_COLOURS)] for at, name in enumerate(names)}
    height = max(_TITLE + sum(_GROUP + _STEP * len(bars) for bars in one.groups.values()) for one in panels) + _EDGE
    width = _WIDTH * len(panels)
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="says">',
        f'<title id="says">{escape(says)}</title>',
        f"<style>{_STYLE}</style>",
    ]
    for at, panel in enumerate(panels):
        lines += _panel(panel, at * _WIDTH + _EDGE, colours)
    return "\n".join([*lines, "</svg>", ""])


def _panel(panel: Panel, left: int, colours: Mapping[str, str]) -> Iterator[str]:
    most = max((value for bars in panel.groups.values() for _, value in bars), default=0) or 1
    room = _WIDTH - _NAMES - _VALUES - 2 * _EDGE
    yield f'<text class="h" x="{left}" y="22">{escape(panel.title)}</text>'
    top = _TITLE
    for group, bars in panel.groups.items():
        yield f'<text x="{left}" y="{top + 16}">{escape(group)}</text>'
        top += _GROUP
        for name, value in bars:
            length = max(room * value / most, 1)
            yield f'<text x="{left + _NAMES - 8}" y="{top + 11}" text-anchor="end">{escape(name)}</text>'
            yield (
                f'<rect x="{left + _NAMES}" y="{top}" width="{length:.1f}" height="{_BAR}" rx="2" '
                f'fill="{colours[name]}"/>'
            )
            yield f'<text x="{left + _NAMES + length + 6:.1f}" y="{top + 11}">{value:,}</text>'
            top += _STEP
