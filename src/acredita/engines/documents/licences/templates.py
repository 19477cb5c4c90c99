"""Load the built-in templates and parse others."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from pydantic import TypeAdapter

from acredita.domain.documents.licence_templates import LicenceTemplate, TemplateField

Fields = Mapping[str, TemplateField]
_TEMPLATE: Final = TypeAdapter(LicenceTemplate)
_TEMPLATES: Final = TypeAdapter(tuple[LicenceTemplate, ...])
_FIELDS: Final = TypeAdapter(dict[str, TemplateField])


def parse_template(text: str | bytes) -> LicenceTemplate:
    """Parse a template from JSON. Raise pydantic's ValidationError, which is a ValueError."""
    return _TEMPLATE.validate_json(text)


def dump_template(template: LicenceTemplate) -> bytes:
    return _TEMPLATE.dump_json(template)


@cache
def known_templates() -> tuple[LicenceTemplate, ...]:
    return _TEMPLATES.validate_json(_data("templates.json"))


@cache
def generic_fields() -> Fields:
    """The captions that licences commonly have, for a state without a template."""
    return _FIELDS.validate_json(_data("generic.json"))


def _data(name: str) -> bytes:
    return files(__package__).joinpath(name).read_bytes()
