"""What each caller may do with each slice, written by hand from the rules. The tests hold the product to it.

Read: `r` its page, `.` as if nothing ever was there. Write: `w` written, `a` asked for, `d` a draft of the owner's,
`n` not_permitted, `f` slice_forbidden: the kind of slice alone decides. `x` there is no such name. Audit: `r` acts,
`.` none, `e` none, and it was looked for. Denials: `+` recorded. Erase: `r` something would be
erased, `e` nothing, and it was looked for.
"""

from __future__ import annotations

from collections.abc import Mapping

_READ = """
                        own older corner mind ben xen shared public kb kb-off prior legacy never system
agent                   r   r     .      .    .   .   r      r      r  .      .     .      .     x
in private              r   r     r      .    .   .   r      r      r  .      .     .      .     x
in a channel            r   r     .      .    .   .   r      r      r  .      .     .      .     x
in an unknown place     .   .     .      .    .   .   .      r      .  .      .     .      .     x
from nowhere            .   .     .      .    .   .   .      r      .  .      .     .      .     x
in the background       r   r     .      .    .   .   r      r      r  .      .     .      .     x
a manager aside         r   r     .      .    .   .   r      r      r  .      .     .      .     x
a stranger              .   .     .      .    .   .   .      r      .  .      .     .      .     x
another team's place    .   .     .      .    .   .   .      r      .  .      .     .      .     x
another team's person   .   .     .      .    .   .   .      r      .  .      .     .      .     x
Ann without acts_for    .   .     .      .    .   .   .      r      .  .      .     .      .     x
private w/o acts_for    .   .     .      .    .   .   .      r      .  .      .     .      .     x
nobody w/o acts_for     r   r     .      .    .   .   r      r      r  .      .     .      .     x
reads shared            .   .     .      .    .   .   r      .      .  .      .     .      .     x
reads kb                .   .     .      .    .   .   .      .      .  r      .     .      .     x
admin                   .   .     .      .    .   .   r      r      r  r      .     .      .     x
"""  # SC1-SC9, BR2: who reads what; GT1: outside it, as if it did not exist

_WRITE = """
                        own older corner mind ben xen shared public kb kb-off prior legacy never system
agent                   w   n     f      n    f   f   a      a      f  f      n     f      n     x
in private              n   n     w      n    n   n   d      d      f  f      n     f      n     x
in a channel            w   n     w      n    n   n   a      a      f  f      n     f      n     x
in an unknown place     n   n     n      n    n   n   n      n      f  f      n     f      n     x
from nowhere            n   n     f      n    f   f   n      n      f  f      n     f      n     x
in the background       w   n     f      n    f   f   a      a      f  f      n     f      n     x
a manager aside         n   n     n      n    n   n   n      n      f  f      n     f      n     x
a stranger              n   n     n      n    n   n   n      n      f  f      n     f      n     x
another team's place    n   n     n      n    n   n   n      n      f  f      n     f      n     x
another team's person   n   n     n      n    n   n   n      n      f  f      n     f      n     x
Ann without acts_for    n   n     n      n    n   n   n      n      f  f      n     f      n     x
private w/o acts_for    n   n     n      n    n   n   n      n      f  f      n     f      n     x
nobody w/o acts_for     w   n     f      n    f   f   a      a      f  f      n     f      n     x
reads shared            n   n     f      n    f   f   n      n      f  f      n     f      n     x
reads kb                n   n     f      n    f   f   n      n      f  f      n     f      n     x
admin                   n   n     f      n    f   f   n      n      f  f      n     f      n     x
"""  # GT2-GT6, AP23: what lands, what is asked for; SC9: never what is another's

_REMOVE = _WRITE.replace(
    "in private              n ", "in private              w "
)  # GT7: what the speaker caused may be taken back from the agent's mind in private too

_AUDIT = """
                        own older corner mind ben xen shared public kb kb-off prior legacy never system
agent                   r   .     .      .    .   .   r      r      .  .      .     .      .     r
in a channel            r   .     .      .    .   .   r      r      .  .      .     .      .     r
nobody w/o acts_for     r   .     .      .    .   .   r      r      .  .      .     .      .     r
reads shared            .   .     .      .    .   .   .      .      .  .      .     .      .     .
reads kb                .   .     .      .    .   .   .      .      .  .      .     .      .     .
admin                   r   r     r      r    r   r   r      r      r  r      r     r      e     r
"""  # OP1: an agent's own acts; everybody's for who administers, without content

_DENIALS = """
                        own older corner mind ben xen shared public kb kb-off prior legacy never system
agent                   n   n     n      n    n   n   n      n      n  n      n     n      n     n
in private              +   +     +      +    +   +   +      +      +  +      +     +      +     x
in a channel            +   +     +      +    +   +   +      +      +  +      +     +      +     x
from nowhere            +   +     +      +    +   +   +      +      +  +      +     +      +     x
reads shared            n   n     n      n    n   n   n      n      n  n      n     n      n     n
admin                   n   n     n      n    n   n   n      n      n  n      n     n      n     n
"""  # OP1: a gateway tells what it refused, whatever that was aimed at

_ERASE = """
                        own older corner mind ben xen shared public kb kb-off prior legacy never system
agent                   n   n     n      n    n   n   n      n      n  n      n     n      n     x
in a channel            n   n     n      n    n   n   n      n      n  n      n     n      n     x
reads shared            n   n     n      n    n   n   n      n      n  n      n     n      n     x
admin                   r   r     r      r    r   r   r      r      r  r      r     r      e     x
"""  # GT9: what an admin would erase; to everybody else each slice is as one that never was

Grid = Mapping[str, Mapping[str, str]]


def grid_of(text: str) -> Grid:
    """Return what stands for each caller in each column."""
    first, *rows = text.strip("\n").splitlines()
    at = len(rows[0]) - len(rows[0][24:])
    return {row[:at].strip(): dict(zip(first.split(), row[at:].split(), strict=True)) for row in rows}


READ, WRITE, REMOVE, AUDIT, DENIALS, ERASE = (
    grid_of(text) for text in (_READ, _WRITE, _REMOVE, _AUDIT, _DENIALS, _ERASE)
)
