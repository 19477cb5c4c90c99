"""Descriptions of exceptions that are safe to store and log."""

import traceback


def describe(fault: BaseException) -> str:
    """The exception's class and where it was raised. Its message may contain personal data."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [frame for frame in frames if "acredita" in frame.filename] or frames
    where = f" at {ours[-1].name}:{ours[-1].lineno}" if ours else ""
    return f"{type(fault).__module__}.{type(fault).__qualname__}{where}"
