"""Why another server cannot be reached, in words for the operator."""

import socket
import ssl

WORDS = {
    ssl.SSLError: "TLS failed: the port or the protocol is not the server's",
    socket.gaierror: "its name has no address",
    ConnectionRefusedError: "nothing listens at its address",
    TimeoutError: "it does not answer in time",
}
# Of an error without a cause.
CLOSED = "it closes the connection: the port or the protocol (TLS) is not the server's"


def reason(fault: BaseException) -> str:
    """Say why a connection failed. It names no address, no key and nothing that was sent."""
    seen: BaseException | None = fault
    while seen is not None:
        if words := _words(seen):
            return words
        # aiohttp keeps the error of the operating system in an attribute, others as the cause.
        seen = getattr(seen, "os_error", None) or seen.__cause__ or seen.__context__
    return CLOSED if isinstance(fault, ConnectionError) else type(fault).__name__


def _words(fault: BaseException) -> str | None:
    if isinstance(fault, ssl.SSLCertVerificationError):
        # aiohttp's error is of this class, but has its message in another one.
        source = getattr(fault, "certificate_error", fault)
        return f"its certificate is not trusted: {source.verify_message}"
    for kind, words in WORDS.items():
        if isinstance(fault, kind):
            return words
    if type(fault) is not OSError:
        return None
    # asyncio joins the errors of several addresses of a name into one without a number.
    return fault.strerror or "there is no connection to any of its addresses"
