"""LIVENESS: the frames must show a living person."""

from typing import Final

from acredita.domain.liveness import light as lights
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, StepKind, Words
from acredita.domain.verification import DocumentRole, StepType

LIVENESS: Final = StepType("LIVENESS")


def judges_passively(config: Config) -> bool:
    """Whether frames without a challenge are judged."""
    return config.get("mode") == "passive"


def expects_speech(config: Config) -> bool:
    """Whether a film answers numbers that the person read aloud."""
    return config.get("mode") == "voice"


def light(config: Config) -> lights.Option:
    """What the colours that the screen shows are used for."""
    return lights.Option(config.get("light", lights.Option.SIGNAL))


table.register(
    StepKind(
        type=LIVENESS,
        name=Words(
            "Que eres una persona ante la cámara", "That you are a person before the camera"
        ),
        takes_face=True,
        needed_roles=lambda _config, _present, _lacking: (DocumentRole.LIVENESS,),
        judged_roles=(frozenset({DocumentRole.LIVENESS}), frozenset({DocumentRole.SELFIE})),
        roles_to_retake=lambda _code, _present: frozenset({DocumentRole.LIVENESS}),
        asks_challenge=lambda config: not judges_passively(config),
        options=(
            options.one_of(
                "mode",
                ("active", "passive", "voice"),
                "passive: the operator's passive model judges frames without a challenge; voice: a"
                " film in which the person reads numbers aloud goes to review, as no speech is"
                " recognized",
                "active",
            ),
            options.one_of(
                "light",
                list(lights.Option),
                "whether the step looks on the face for the colours that the screen shows. off:"
                " never; signal: a miss is a signal; required: a miss leads to review",
                "signal",
            ),
        ),
    )
)
