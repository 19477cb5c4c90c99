"""PROOF_OF_ADDRESS: a bill or a bank statement proves where the person lives."""

from typing import Final

from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, StepKind, Words
from acredita.domain.verification import DocumentRole, StepType

PROOF_OF_ADDRESS: Final = StepType("PROOF_OF_ADDRESS")
DEFAULT_MONTHS: Final = 3
MOST_MONTHS: Final = 24
_ROLES: Final = frozenset({DocumentRole.PROOF_OF_ADDRESS})


def max_age_months(config: Config) -> int:
    """How many months old a proof may be."""
    return int(config.get("maxAgeMonths", DEFAULT_MONTHS))


def compares_address(config: Config) -> bool:
    """Whether the address must be that of the identity document, if that document shows one."""
    return config.get("compareAddress") is not False


table.register(
    StepKind(
        type=PROOF_OF_ADDRESS,
        name=Words("Tu comprobante de domicilio", "Your proof of address"),
        needed_roles=lambda _config, _present, _lacking: (DocumentRole.PROOF_OF_ADDRESS,),
        judged_roles=(_ROLES,),
        roles_to_retake=lambda _code, _present: _ROLES,
        options=(
            options.Option(
                "maxAgeMonths",
                f"whole number, 1 to {MOST_MONTHS}",
                f"a whole number from 1 to {MOST_MONTHS}",
                lambda value: type(value) is int and 1 <= value <= MOST_MONTHS,
                "how many months old the proof may be",
                f"{DEFAULT_MONTHS}",
            ),
            options.boolean(
                "compareAddress",
                "whether another address than that of the identity document leads to review",
                "true",
            ),
        ),
    )
)
