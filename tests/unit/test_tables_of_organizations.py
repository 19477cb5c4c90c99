"""docs/operators/scale.md says which tables a sharded installation has to change."""

import re
from pathlib import Path

from acredita.models.base import Base

SCALE = Path(__file__).parents[2] / "docs" / "operators" / "scale.md"


def test_the_page_about_scale_names_every_table_without_an_organization():
    tables = Base.metadata.tables
    without = {name for name, table in tables.items() if "organization_id" not in table.columns}
    named = set(re.findall(r"`(\w+)`", SCALE.read_text().partition("## Scaling out")[2]))
    assert without <= named
