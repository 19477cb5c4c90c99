"""Why another server cannot be reached, in words for the operator."""

import socket
import ssl

WORDS = {
    ssl.SSLError: "TLS failed: the port or the protocol is not the server's",
    socket.gaierror: "its name has no address",
    ConnectionRefusedError: "nothing listens at its address",
    TimeoutError: "it does not answer in time",
}


def reason(fault: BaseException) -> str:
    """Say why a connection failed. It names no address, no key and nothing that was sent."""
    seen: BaseException | None = fault
    while seen is not None:
        if words := _words(seen):
            return words
        # aiohttp keeps the error of the operating system in an attribute, others as the cause.
        seen = getattr(seen, "os_error", None) or seen.__cause__ or seen.__context__
    return type(fault).__name__


def _words(fault: BaseException) -> str | None:
    if isinstance(fault, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {fault.verify_message}"
    for kind, words in WORDS.items():
        if isinstance(fault, kind):
            return words
    return fault.strerror if type(fault) is OSError else None
