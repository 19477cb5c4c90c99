"""Many processes on one PostgreSQL, each part in turn.

    python -m acredita.embedded run -- python -m benchmarks.fleet

Exits with 1 when a bar is missed.
"""

import sys

from benchmarks import ageing, ledger
from benchmarks.fleet import connections, tenants

if __name__ == "__main__":
    sys.exit(connections.main() | tenants.main([]) | ledger.main() | ageing.main([]))
