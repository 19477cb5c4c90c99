"""Reading documents: an upload's bytes become page readings, plain data for the domain to judge."""

from acredita.engines.documents.accepted_types import Undecodable
from acredita.engines.documents.process import ENGINE_VERSION, read_pages, warm_up

__all__ = ["ENGINE_VERSION", "Undecodable", "read_pages", "warm_up"]
