"""Errors of the embedded servers. Their messages tell the user what to do."""


class EmbeddedError(RuntimeError):
    """An embedded server cannot run. The message says why and what to do."""


class FolderInUseError(EmbeddedError):
    """Another running server uses the same folder."""


class PortTakenError(EmbeddedError):
    """Another program listens on the port."""


class DiskFullError(EmbeddedError):
    """The folder's file system is full."""


class MissingBinariesError(EmbeddedError):
    """The package with a server's programs is not installed."""
