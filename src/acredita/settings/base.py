"""The base of the groups of settings, and how lists are written."""

from typing import Annotated, TypeVar

from pydantic import BeforeValidator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

# The value of a provider's setting that turns its feature off.
NONE = "none"
Item = TypeVar("Item")


class SettingsGroup(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="ACREDITA_",
        env_file=".env",
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        # `ACREDITA_X=` means the default.
        env_ignore_empty=True,
    )


def _split_at_commas(value: object) -> object:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


CommaSeparated = Annotated[tuple[Item, ...], NoDecode, BeforeValidator(_split_at_commas)]
