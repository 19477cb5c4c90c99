"""Links: from the answer that names a resource's id to the operations that take it.

They follow from the manner of our paths and bodies. `POST /v1/workflows` answers with
`{"workflow": {"id": …}}`: that id is what `/v1/workflows/{id}` takes in its path, and what any body
or path with a `workflowId` means; so does an answer with a `workflowId` of its own. One
verification's answer has `{"documents": [{"id": …}]}`: those ids are what
`/v1/documents/{id}/image` takes. Lists are not linked from: a filter may leave them empty.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from acredita.api.openapi.examples import JSON, OF_FORMATS


def add_links(document: dict[str, Any]) -> None:
    """Link answers to operations, and promise `Location` where what was created can be had."""
    for path, method, operation in _operations(document):
        for status in {"get": ["200"], "post": ["200", "201"]}.get(method, []):
            answer = operation["responses"].get(status, {})
            links: dict[str, Any] = {}
            for name, pointer in _ids_in(answer, document):
                collection = path if status == "201" else f"/v1/{name}"
                if collection != path or status == "201":
                    links |= dict(_to_paths(document, collection, pointer))
                if status == "201":
                    links |= dict(_to_bodies(document, f"{name}Id", pointer))
                    links |= dict(_to_parameters(document, f"{name}Id", pointer))
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
    """What the answer's resources are called, and where their ids stand."""
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
    """Links to what lies below the collection and takes the id of one of its members alone."""
    for path, _, operation in _operations(document):
        if path.startswith(f"{collection}/{{id}}") and path.count("{") == 1:
            target = operation["operationId"]
            yield target, {"operationId": target, "parameters": {"id": pointer}}


def _to_parameters(
    document: Mapping[str, Any], name: str, pointer: str
) -> Iterator[tuple[str, Any]]:
    """Links to what takes the id in its path under this name."""
    for path, _, operation in _operations(document):
        if path.endswith(f"/{{{name}}}") and path.count("{") == 1:
            target = operation["operationId"]
            yield target, {"operationId": target, "parameters": {name: pointer}}


def _to_bodies(document: Mapping[str, Any], field: str, pointer: str) -> Iterator[tuple[str, Any]]:
    """Links to what takes the id in its body; the rest of that body is the caller's."""
    for _, _, operation in _operations(document):
        body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
        if field in _resolved(body.get("schema", {}), document).get("properties", {}):
            target = operation["operationId"]
            yield target, {"operationId": target, "requestBody": {field: pointer}}
