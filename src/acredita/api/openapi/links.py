"""Adds OpenAPI links from responses with a resource's id to the operations that take the id.

They follow from the naming of paths and bodies. `POST /v1/workflows` answers
`{"workflow": {"id": …}}`: `/v1/workflows/{id}` takes this id in its path, as do other paths with a
`workflowId`. A `workflowId` in a response is linked in the same way. A verification's response has
`{"documents": [{"id": …}]}`: `/v1/documents/{id}/image` takes these ids. Lists have no links,
because a filter may leave them empty.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from acredita.api.openapi.examples import JSON, OF_FORMATS


def add_links(document: dict[str, Any], *, to_bodies: bool = False) -> None:
    """Link responses to operations; describe `Location` if a created resource has a path.

    `to_bodies`: also to operations that take the id in their body. The published document has no
    such links: openapi-generator refuses a document with an object as a link's `requestBody`.
    """
    for path, method, operation in _operations(document):
        for status in {"get": ["200"], "post": ["200", "201"]}.get(method, []):
            answer = operation["responses"].get(status, {})
            links: dict[str, Any] = {}
            for name, pointer in _ids_in(answer, document):
                collection = path if status == "201" else f"/v1/{name}"
                if collection != path or status == "201":
                    links |= dict(_to_paths(document, collection, pointer))
                if status == "201":
                    links |= dict(_to_parameters(document, f"{name}Id", pointer))
                if status == "201" and to_bodies:
                    links |= dict(_to_bodies(document, f"{name}Id", pointer))
            if links:
                answer["links"] = links | answer.get("links", {})
            is_made = status == "201" and bool(answer)
            if is_made and "get" in document["paths"].get(f"{path}/{{id}}", {}):
                answer["headers"]["Location"] = {
                    "description": "The path of the created resource.",
                    "required": True,
                    "schema": {"type": "string", "format": "uri-reference"},
                    "example": f"{path}/{OF_FORMATS['uuid']}",
                }


def _operations(document: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


def _ids_in(answer: Mapping[str, Any], document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names of the response's resources, and the runtime expressions of their ids."""
    schema = answer.get("content", {}).get(JSON, {}).get("schema", {})
    for name, member in _resolved(schema, document).get("properties", {}).items():
        if name.endswith("Id"):
            yield name.removesuffix("Id"), f"$response.body#/{name}"
        is_list = member.get("type") == "array"
        shape = _resolved(member["items"] if is_list else member, document)
        if "id" in shape.get("properties", {}):
            yield name, f"$response.body#/{f'{name}/0' if is_list else name}/id"


def _resolved(schema: Mapping[str, Any], document: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _to_paths(
    document: Mapping[str, Any], collection: str, pointer: str
) -> Iterator[tuple[str, Any]]:
    """Yield links to operations below the collection whose only parameter is the id."""
    for path, _, operation in _operations(document):
        if path.startswith(f"{collection}/{{id}}") and path.count("{") == 1:
            target = operation["operationId"]
            yield target, {"operationId": target, "parameters": {"id": pointer}}


def _to_parameters(
    document: Mapping[str, Any], name: str, pointer: str
) -> Iterator[tuple[str, Any]]:
    """Yield links to operations that take the id under this name in the path."""
    for path, _, operation in _operations(document):
        if path.endswith(f"/{{{name}}}") and path.count("{") == 1:
            target = operation["operationId"]
            yield target, {"operationId": target, "parameters": {name: pointer}}


def _to_bodies(document: Mapping[str, Any], field: str, pointer: str) -> Iterator[tuple[str, Any]]:
    """Yield links to operations that take the id in the body."""
    for _, _, operation in _operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
        if field in _resolved(body.get("schema", {}), document).get("properties", {}):
            target = operation["operationId"]
            yield target, {"operationId": target, "requestBody": {field: pointer}}
