"""What can go wrong when the embedded servers start, each said so that the reader can act on it."""


class EmbeddedError(RuntimeError):
    """An embedded server can't run; the message says why and what to do."""


class FolderInUseError(EmbeddedError):
    """Another live stack runs its server in the same folder."""


class PortTakenError(EmbeddedError):
    """Another program listens at the port."""


class DiskFullError(EmbeddedError):
    """The folder's file system has no room left."""


class MissingBinariesError(EmbeddedError):
    """The package that brings a server's programs is not installed."""
