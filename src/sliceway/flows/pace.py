"""How fast one speaker may have things changed: a person can hardly be too fast, a loop of a model's is (AP25)."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta

from sliceway.core.turns import Person

WINDOW = timedelta(minutes=1)
"""The stretch of time in which a speaker's changes are counted."""


class SpeakerPace:
    """Counts the changes that each speaker asked for lately. It lives as long as the gateway and is in no file: a
    restart begins anew."""

    def __init__(self) -> None:
        """Begin with nobody counted."""
        self._lately: dict[tuple[str, str], deque[datetime]] = {}

    def allows(self, who: Person, now: datetime, at_most: int) -> bool:
        """Count one more change of a speaker's, unless there were `at_most` in the last minute; say whether it may be.

        :param at_most: changes a minute, over all of the speaker's turns; 1 or more.
        """
        for key, times in list(self._lately.items()):
            while times and times[0] <= now - WINDOW:
                times.popleft()
            if not times:
                del self._lately[key]
        mine = self._lately.setdefault(who.key, deque())
        if len(mine) >= at_most:
            return False
        mine.append(now)
        return True
