"""Arguments of methods as bodies of requests."""

from typing import Any


def given(**fields: Any) -> dict[str, Any]:
    """The fields that were given a value, under the API's names."""
    return {_camel(name): value for name, value in fields.items() if value is not None}


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)
