"""How a call names a mind, and what acts on agents are called (ID12). Pure."""

from __future__ import annotations

from sliceway.core.ids import check_agent_id
from sliceway.core.slices import agent_slice, is_aliasable, kind_of
from sliceway.errors import FieldError, InvalidRequest

BECAME = {"rename": "renamed", "merge": "merged", "retire": "retired"}
"""What an agent is, after an act that ends its acting by that id."""


def mind_named(text: str, field: str) -> str:
    """Return the mind that a call names: a slice in full (`agent`, `agent-…`), or an agent's id for its own. An id that
    is spelt as a slice of any kind is named by its slice.

    :raises InvalidRequest: no mind has such a name. :raises InvalidAgentId: it is neither.
    """
    if kind_of(text) is not None:
        if not is_aliasable(text):
            raise InvalidRequest(errors=[FieldError(field, "invalid_request", "no agent's mind has that name")])
        return text
    return agent_slice(check_agent_id(text, allow_default=True))
