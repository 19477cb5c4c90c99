"""Words about an exception that may be kept and logged."""

import traceback


def describe(fault: BaseException) -> str:
    """Which exception, raised where. Never its message, which may quote somebody's data."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [frame for frame in frames if "acredita" in frame.filename] or frames
    where = f" at {ours[-1].name}:{ours[-1].lineno}" if ours else ""
    return f"{type(fault).__module__}.{type(fault).__qualname__}{where}"
