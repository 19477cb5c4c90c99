"""What must hold of the settings of every process, also one that no command starts."""

from acredita.settings import Settings
from acredita.settings_check import keys, provider_choices
from acredita.settings_check.faults import ConfigurationError


def require_sound(settings: Settings) -> None:
    """Check the secrets and the choices. Raise ConfigurationError. Opens no file or provider."""
    if faults := [*keys.check(settings), *provider_choices.check(settings)]:
        raise ConfigurationError(faults)
