"""Why a provider cannot be used. Messages contain nothing that the provider sent."""


class ProviderUnreachable(Exception):
    """The provider gives no answer, or its address is forbidden."""


class ProviderInvalid(ProviderUnreachable):
    """The provider's answer is not as the standard demands."""


class SignInInvalid(Exception):
    """The provider's answer does not prove who signed in."""
