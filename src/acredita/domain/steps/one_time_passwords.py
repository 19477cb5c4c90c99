"""OTP: the person confirms a one-time password, by SMS or e-mail."""

from typing import Final

from acredita.domain.phone_and_email import Channel
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Act, Config, StepKind, Words
from acredita.domain.verification import StepType

OTP: Final = StepType("OTP")
ANY, METADATA = "any", "metadata"
DEFAULT_MOST_MISTAKES = 10


def channels(config: Config) -> frozenset[Channel]:
    """The channels whose codes count."""
    named = config.get("channel")
    return frozenset(Channel) if named is None else frozenset({Channel(named)})


def confirms_metadata(config: Config) -> bool:
    """Whether only the phone or address in the metadata of your server counts."""
    return config.get("destination") == METADATA


def most_mistakes(config: Config) -> int:
    """The number of wrong codes after which a person looks."""
    return int(config.get("mostMistakes", DEFAULT_MOST_MISTAKES))


table.register(
    StepKind(
        type=OTP,
        name=Words("Un código de confirmación", "A confirmation code"),
        act=lambda _config: Act.CODE,
        options=(
            options.one_of(
                "channel", list(Channel), "the channel whose codes count", "either of them"
            ),
            options.one_of(
                "destination",
                (ANY, METADATA),
                "metadata: only a code sent to `phone` or `email` of the metadata counts",
                ANY,
            ),
            options.number(
                "mostMistakes",
                1,
                100,
                "wrong codes after which the step goes to review",
                str(DEFAULT_MOST_MISTAKES),
            ),
        ),
    )
)
