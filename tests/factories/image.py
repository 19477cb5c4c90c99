"""What the image sets for every process: the variables of its last stage."""

import re

from tests.conftest import PROJECT


def image_environment() -> dict[str, str]:
    """The settings (`ACREDITA_…`) among them."""
    last_stage = (PROJECT / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    [variables] = re.findall(r"^ENV ((?:.*\\\n)*.*)$", last_stage, re.MULTILINE)
    return dict(re.findall(r"(ACREDITA_\w+)=(\S+)", variables))
