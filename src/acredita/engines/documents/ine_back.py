"""The back of the voter card: the CIC in print; the rest stands in its machine-readable zone."""

from acredita.engines.documents.captions import captioned
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.spots import Spot


def spots(layout: Layout) -> list[Spot]:
    """The printed fields found."""
    return captioned(layout, "cic", "999999999", "CIC", repeated=True)
