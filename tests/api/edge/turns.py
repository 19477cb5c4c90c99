import pytest


def in_turns(share: int) -> pytest.MarkDecorator:
    """Give a test its `share`: of the routes, it asks each way of asking one in so many, and the
    next way the next ones. With 1, each way is asked of all.
    """
    return pytest.mark.parametrize(
        "share",
        [share, pytest.param(1, marks=pytest.mark.thorough)],
        ids=["in turns", "each of each"],
    )
