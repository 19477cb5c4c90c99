"""Examples of parameters and whole bodies, composed from the examples of their fields."""

from collections.abc import Mapping
from typing import Any

JSON = "application/json"
MULTIPART = "multipart/form-data"
# Media types whose bodies have fields.
STRUCTURED = (JSON, MULTIPART, "application/x-www-form-urlencoded")
FILE = "(the bytes of the file)"
# Of an operation, until the description is whole: the example of the member `data` of its body.
EXAMPLE_OF_DATA = "x-example-of-data"
OF_MEDIA_TYPES = {
    "application/x-ndjson": '{"id":"0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"}\n',
    "text/csv": "id,createdAt\n0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11,2026-01-31T18:05:09.120Z\n",
    "text/event-stream": 'event: verification.updated\ndata: {"status":"IN_PROGRESS"}\n\n',
    "text/html": "<!doctype html><title>…</title>",
    "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
}
OF_FORMATS = {
    "uuid": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11",
    "date-time": "2026-01-31T18:05:09.120Z",
    "uri": "https://app.banco.example/result",
    "binary": FILE,
}
OF_TYPES: dict[str, Any] = {"string": "text", "boolean": True, "null": None}
Schemas = Mapping[str, Mapping[str, Any]]


def add_examples(operation: dict[str, Any], schemas: Schemas) -> None:
    """Add an example to each body and each path parameter of the operation that has none."""
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "path" and "example" not in parameter:
            parameter["example"] = example_of(parameter["schema"], schemas)
    for body in (operation.get("requestBody", {}), *operation["responses"].values()):
        for media_type, media in body.get("content", {}).items():
            if not {"example", "examples"} & media.keys():
                is_structured = media_type in STRUCTURED
                media["example"] = (
                    example_of(media["schema"], schemas)
                    if is_structured
                    else OF_MEDIA_TYPES.get(media_type, FILE)
                )


def example_of(schema: Mapping[str, Any], schemas: Schemas) -> Any:
    """Return a value that fits the schema: its first example, if it has any."""
    stated = [*schema.get("examples", []), *schema.get("enum", [])]
    stated += [schema[word] for word in ("const", "default") if schema.get(word) is not None]
    if stated:
        return stated[0]
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas)
    return _of_type(schema, schemas)


def _of_type(schema: Mapping[str, Any], schemas: Schemas) -> Any:
    kind = schema.get("type", "object")
    if kind == "object":
        return {
            name: example_of(member, schemas)
            for name, member in schema.get("properties", {}).items()
        }
    if kind == "array":
        return [example_of(schema["items"], schemas)] if "items" in schema else []
    if kind in {"integer", "number"}:
        return max(schema.get("minimum", 1), 1) if "maximum" not in schema else schema["maximum"]
    return OF_FORMATS.get(schema.get("format", ""), OF_TYPES[kind])
