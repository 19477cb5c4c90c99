from acredita.models import Base
from acredita.resources.encryption.registry import SEALED_COLUMNS


def test_every_sealed_column_of_the_models_is_rotated():
    of_models = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if column.name.endswith("_sealed")
    }
    assert {column.name for column in SEALED_COLUMNS} == of_models
    assert len(SEALED_COLUMNS) == len(of_models)
    for column in SEALED_COLUMNS:
        assert column.key.name not in {column.column.name}
