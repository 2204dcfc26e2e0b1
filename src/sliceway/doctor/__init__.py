"""The doctor: it looks at every part from outside, each by itself: one that is down hides none of the others."""

from sliceway.doctor.examination import examine

__all__ = ["examine"]
