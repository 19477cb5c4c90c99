"""What a check of the settings finds."""

from collections.abc import Iterable
from dataclasses import dataclass

PREFIX = "ACREDITA_"


def variable(setting: str) -> str:
    """The name of a setting's environment variable."""
    return PREFIX + setting.upper()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that keeps a process from starting. It contains no value of a secret."""

    # The environment variable to change.
    variable: str
    # What is wrong, and what to do.
    message: str

    def __str__(self) -> str:
        return f"{self.variable}: {self.message}"


class ConfigurationError(ValueError):
    """The settings have faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(map(str, self.faults)))
