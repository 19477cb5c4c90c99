"""The machine-readable description: OpenAPI 3.1, security schemes and our error envelope."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

DESCRIPTION = """\
Identity verification for the Mexican market. Create a verification against a workflow, upload the
documents, and learn the result by polling or by webhook.
"""
SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of POST /v1/auth/token, valid for an hour.",
    },
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "A raw API key, in place of a token.",
    },
}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once."""
    if app.openapi_schema is None:
        document = get_openapi(
            title="Identity Verification API",
            version="1.0.0",
            openapi_version="3.1.0",
            description=DESCRIPTION,
            routes=app.routes,
        )
        document.setdefault("components", {})["securitySchemes"] = SECURITY_SCHEMES
        app.openapi_schema = document
    return app.openapi_schema
