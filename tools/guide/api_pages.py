"""Renders the API reference and the list of errors from openapi.json, as Markdown."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

Json = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
# Deeper objects are in the example alone.
DEEPEST = 3
API_FOLDER = "reference/api"


def render_api(description: Json) -> dict[str, str]:
    """Return the pages of the reference by their path: one for each tag, in the tags' order."""
    by_tag: dict[str, list[str]] = defaultdict(list)
    for path, item in description["paths"].items():
        for method in METHODS:
            if operation := item.get(method):
                text = "\n".join(_operation(description, path, method, operation))
                by_tag[operation["tags"][0]].append(text)
    # Webhooks have a separate tag; the page of events describes them.
    tags = [tag for tag in description["tags"] if tag["name"] in by_tag]
    pages = {
        f"{API_FOLDER}/index.md": f"# The API\n\n{description['info']['description']}\n"
        + "\n".join(
            f"- [{tag['name']}]({_slug(tag['name'])}.md): {tag['description']}" for tag in tags
        )
        + "\n"
    }
    for tag in tags:
        name = tag["name"]
        body = "\n".join(by_tag.pop(name))
        pages[f"{API_FOLDER}/{_slug(name)}.md"] = f"# {name}\n\n{tag['description']}\n\n{body}"
    if by_tag:
        raise ValueError(f"operations have tags without a description: {sorted(by_tag)}")
    return pages


def render_errors(description: Json) -> str:
    """Return the page of all codes of errors, each with its status and its body."""
    found: dict[str, tuple[int, str]] = {}
    for item in description["paths"].values():
        for method in METHODS:
            for status, response in item.get(method, {}).get("responses", {}).items():
                for body in _examples(_resolved(description, response)):
                    error = body.get("error") if isinstance(body, dict) else None
                    if isinstance(error, dict):
                        found[error["code"]] = (int(status), error["message"])
    rows = [
        f"| `{code}` | {status} {HTTPStatus(status).phrase} | {_cell(message)} |"
        for code, (status, message) in sorted(found.items())
    ]
    example = {
        "code": "NOT_FOUND",
        "message": found["NOT_FOUND"][1],
        "requestId": "1f8b2c6a90e14d3f",
    }
    return (
        "# Errors of requests\n\n"
        "A request that fails has this body. Programs use `code`; `message` is for people.\n\n"
        f"{_fence({'error': example})}\n"
        "The codes of [steps that do not pass](reasons.md) are others. MetaMap's API has"
        " [errors of its own](../integrators/metamap.md).\n\n"
        "| code | status | meaning |\n|---|---|---|\n" + "\n".join(rows) + "\n"
    )


def _operation(description: Json, path: str, method: str, operation: Json) -> Iterator[str]:
    yield f"## {operation['summary']}\n"
    yield f"`{method.upper()} {path}`\n"
    if text := operation.get("description"):
        yield f"{_prose(text)}\n"
    if not operation.get("security"):
        yield "Without authentication.\n"
    if parameters := operation.get("parameters"):
        yield "| parameter | in | type | meaning |\n|---|---|---|---|"
        for given in parameters:
            parameter = _resolved(description, given)
            yield _row(
                f"`{parameter['name']}`" + (" *" if parameter.get("required") else ""),
                parameter["in"],
                _type(description, parameter["schema"]),
                parameter.get("description", ""),
            )
        yield ""
    if body := operation.get("requestBody"):
        yield from _body(description, _resolved(description, body))
    yield "**Responses**\n"
    for status, response in operation["responses"].items():
        yield from _response(description, status, _resolved(description, response))


def _body(description: Json, body: Json) -> Iterator[str]:
    for media_type, content in body["content"].items():
        yield f"**Body** `{media_type}`\n"
        if text := body.get("description"):
            yield f"{_prose(text)}\n"
        yield from _fields(description, content.get("schema", {}))
        for example in list(_examples(body))[:1]:
            yield _fence(example)


def _response(description: Json, status: str, response: Json) -> Iterator[str]:
    number = int(status)
    yield f"- **{status}** {_prose(response['description'], indent='    ')}\n"
    if number >= HTTPStatus.BAD_REQUEST:
        return
    for content in response.get("content", {}).values():
        yield from _fields(description, content.get("schema", {}))
    for example in list(_examples(response))[:1]:
        yield _fence(example)


def _fields(description: Json, schema: Json) -> Iterator[str]:
    rows = list(_properties(description, schema, "", 1))
    if rows:
        yield "| field | type | meaning |\n|---|---|---|"
        yield from rows
        yield "\n\\* required\n" if any("` \\* |" in row for row in rows) else ""


def _properties(description: Json, schema: Json, prefix: str, depth: int) -> Iterator[str]:
    schema = _plain(description, schema)
    if schema.get("type") == "array":
        yield from _properties(description, schema.get("items", {}), f"{prefix}[]", depth)
        return
    required = schema.get("required", ())
    for name, inner in schema.get("properties", {}).items():
        shown = f"{prefix}.{name}" if prefix else name
        resolved = _plain(description, inner)
        text = inner.get("description") or resolved.get("description", "")
        mark = " \\*" if name in required else ""
        yield _row(f"`{shown}`{mark}", _type(description, inner), text)
        if depth < DEEPEST:
            yield from _properties(description, inner, shown, depth + 1)


def _plain(description: Json, schema: Json) -> Json:
    """Return the schema without reference, and the first alternative that is not null."""
    schema = _resolved(description, schema)
    for word in ("anyOf", "oneOf", "allOf"):
        if alternatives := schema.get(word):
            first: Json = next((one for one in alternatives if one.get("type") != "null"), {})
            return {**_plain(description, first), **_without(schema, word)}
    return schema


def _type(description: Json, schema: Json) -> str:
    schema = _resolved(description, schema)
    for word in ("anyOf", "oneOf"):
        if alternatives := schema.get(word):
            return " or ".join(dict.fromkeys(_type(description, one) for one in alternatives))
    if "allOf" in schema:
        return _type(description, schema["allOf"][0])
    if values := schema.get("enum"):
        return ", ".join(f"`{value}`" for value in values)
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {_type(description, schema.get('items', {}))}"
    return f"{kind} ({schema['format']})" if "format" in schema else str(kind)


def _examples(message: Json) -> Iterator[Any]:
    for content in message.get("content", {}).values():
        if "example" in content:
            yield content["example"]
        for example in content.get("examples", {}).values():
            yield example["value"]


def _resolved(description: Json, value: Json) -> Json:
    while "$ref" in value:
        target: Any = description
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = {**target, **_without(value, "$ref")}
    return value


def _without(schema: Json, key: str) -> Json:
    return {name: value for name, value in schema.items() if name != key}


def _fence(example: Any) -> str:
    if isinstance(example, str):
        return f"```text\n{example}\n```\n"
    return f"```json\n{json.dumps(example, indent=2, ensure_ascii=False)}\n```\n"


def _row(*cells: str) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", _prose(text)).replace("|", "\\|").strip()


def _prose(text: str, indent: str = "") -> str:
    """Return the text with what Markdown would take for HTML spelled out."""
    return re.sub(r"<(?=\w)", "&lt;", text.strip()).replace("\n", f"\n{indent}")


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")
