"""The type of a step's result, which has keys of its own for each type of step."""

from typing import Any, TypeAlias

StepResult: TypeAlias = dict[str, Any]
