"""What must hold of the settings of every process, also one that no command starts."""

from acredita.configuration import choices, keys
from acredita.configuration.faults import ConfigurationError
from acredita.settings import Settings


def require_sound(settings: Settings) -> None:
    """Check the secrets and the choices. Raise ConfigurationError. Opens no file or provider."""
    if faults := [*keys.check(settings), *choices.check(settings)]:
        raise ConfigurationError(faults)
