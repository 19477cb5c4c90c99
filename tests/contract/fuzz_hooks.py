"""What schemathesis is taught of us: how files and addresses look that we accept."""

import io
from typing import Any

import schemathesis
from hypothesis import strategies as st
from PIL import Image

from acredita.api.openapi.links import add_links


def picture(form: str, shade: int) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (320, 200), (shade, 120, 200)).save(content, form)
    return content.getvalue()


for media_type, form in {
    "image/jpeg": "JPEG",
    "image/png": "PNG",
    "image/webp": "WEBP",
    "application/pdf": "PDF",
}.items():
    schemathesis.openapi.media_type(
        media_type, st.sampled_from([picture(form, shade) for shade in (0, 128, 255)])
    )

# Labels and their number are bounded in host names, which no schema says.
schemathesis.openapi.format(
    "uri",
    st.text("abcdefghijklmnopqrstuvwxyz0123456789-._~/", max_size=2000).map(
        "https://hooks.example.com/{}".format
    ),
)


@schemathesis.hook
def before_load_schema(_context: Any, raw_schema: dict[str, Any]) -> None:
    """Let chains of requests also use a new id in bodies: a workflow's in a verification.

    Leave out the examples of forms, whose files are no files.
    """
    add_links(raw_schema, to_bodies=True)
    for item in raw_schema["paths"].values():
        for operation in item.values():
            form = operation.get("requestBody", {}).get("content", {}).get("multipart/form-data")
            if form is not None:
                form.pop("example", None)


@schemathesis.hook
def filter_body(_context: Any, body: Any) -> bool:
    """Leave out free-form members with integers beyond 64 bits, which we refuse.

    No schema can say so: to JSON Schema such an integer is a number as good as 1e300, which we
    take. That they are refused is tested in unit/api/test_json_body.py.
    """
    return all(_fits(member) for member in _free_form_members(body))


def _free_form_members(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [found for item in value for found in _free_form_members(item)]
    if not isinstance(value, dict):
        return []
    named = [value[name] for name in ("metadata", "config", "values") if name in value]
    return named + [found for item in value.values() for found in _free_form_members(item)]


def _fits(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_fits(item) for item in value.values())
    if isinstance(value, list):
        return all(_fits(item) for item in value)
    return not isinstance(value, int) or -(2**63) <= value < 2**63
