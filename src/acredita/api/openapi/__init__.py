"""The machine-readable description of the API, derived from its routes."""

from acredita.api.openapi.document import describe
