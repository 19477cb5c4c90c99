"""The failure of something that this service depends on."""


class DependencyUnavailable(Exception):
    """A storage, server or provider does not answer, or cannot work now: retry later.

    It says nothing about the work that needed it. The text is safe to log. `retry_after`: seconds
    until a retry, if the dependency named them.
    """

    retry_after: float | None = None
