"""What is wrong with a value that a model refused, in our words: a validator's own are for programmers. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_WHOLE, _TEXT, _YES_OR_NO, _TABLE = "a whole number", "text", "true or false", "a table of named fields"

_WORDS = {
    "extra_forbidden": "there is no such field",
    "missing": "it is missing",
    "string_type": f"it must be {_TEXT}",
    "string_unicode": "it holds half of a character (a lone surrogate)",
    "string_too_short": "it needs at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
    "string_pattern_mismatch": "it has characters or a form that are not taken here",
    "secret_type": f"it must be {_TEXT}",
    "int_type": f"it must be {_WHOLE}",
    "int_parsing": f"it must be {_WHOLE}",
    "int_parsing_size": "it is larger than any number taken here",
    "int_from_float": f"it must be {_WHOLE}",
    "float_type": "it must be a number",
    "float_parsing": "it must be a number",
    "finite_number": "it must be a number, and a finite one",
    "bool_type": f"it must be {_YES_OR_NO}",
    "bool_parsing": f"it must be {_YES_OR_NO}",
    "greater_than": "it must be more than {gt}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than": "it must be less than {lt}",
    "less_than_equal": "it must be at most {le}",
    "literal_error": "it must be {expected}",
    "enum": "it must be {expected}",
    "list_type": "it must be a list",
    "tuple_type": "it must be a list",
    "set_type": "it must be a list",
    "too_short": "it needs at least {min_length} of them",
    "too_long": "at most {max_length} of them",
    "dict_type": f"it must be {_TABLE}",
    "mapping_type": f"it must be {_TABLE}",
    "model_type": f"it must be {_TABLE}",
    "model_attributes_type": f"it must be {_TABLE}",
    "path_type": "it must be a path",
    "time_delta_type": "write a duration with its unit: 4s, 15m, 72h or 7d",
    "time_delta_parsing": "write a duration with its unit: 4s, 15m, 72h or 7d",
}
OTHERWISE = "it is not a value of the right kind"
"""What is said of a kind of refusal that has no words of its own."""


def has_words(kind: str) -> bool:
    """Say whether a kind of refusal has words of its own."""
    return kind in _WORDS


def words_of(kind: str, context: Mapping[str, Any]) -> str:
    """Return what is wrong with a value, as the end of a sentence about its field.

    :param kind: a validator's name for the refusal, such as `string_too_long`; `value_error` is one of our own checks,
        whose words are in the context.
    :param context: the limits that were passed over, by the validator's names for them; never the value itself.
    """
    if kind == "value_error":
        return str(context.get("error", OTHERWISE))
    try:
        return _WORDS.get(kind, OTHERWISE).format_map(context)
    except KeyError:
        return OTHERWISE
