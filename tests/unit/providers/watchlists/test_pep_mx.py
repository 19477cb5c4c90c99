"""Mexican politically exposed persons, as an operator uploads them."""

import pytest

from acredita.providers.watchlists.catalogue import BY_ID
from acredita.providers.watchlists.formats import BY_NAME
from acredita.providers.watchlists.protocol import ListFault, Name

HEADER = (
    "nombres,primer_apellido,segundo_apellido,otros_nombres,curp,fecha_nacimiento,sexo,cargo,"
    "institucion,entidad,fecha_inicio,fecha_fin,parentesco,pep_relacionada,fuente"
)
CURP = "CURA900505MDFRZN03"
ROWS = (
    (
        f"Ana María,Cruz,Ruiz,Ana Cruz|La Diputada,{CURP},05/05/1990,M,Diputada federal,"
        "Cámara de Diputados,Sonora,2021-09-01,2024-08-31,,,https://registro.example/1"
    ),
    f"Ana María,Cruz,Ruiz,,{CURP},,M,Senadora,Senado de la República,,2024-09-01,,,,",
    "Luis,Peña,,,,1988,H,,,,,,Cónyuge,Ana María Cruz Ruiz,",
)


def test_rows_of_one_person_are_one_entry_with_several_positions(read):
    person, related = read(peps__csv="\n".join([HEADER, *ROWS]))
    assert person.source_id == CURP
    assert person.names == (
        Name("Ana María Cruz Ruiz", "primary", "Cruz Ruiz", "Ana María"),
        Name("Ana Cruz", "alias"),
        Name("La Diputada", "alias"),
    )
    assert (person.dates_of_birth, person.identifiers) == (("1990-05-05",), (("curp", CURP),))
    assert person.details.positions == (
        "Diputada federal, Cámara de Diputados, Sonora (2021-09-01 – 2024-08-31)",
        "Senadora, Senado de la República (2024-09-01 – …)",
    )
    assert (person.programs, person.details.genders) == (("PEP",), ("female",))
    assert person.details.url == "https://registro.example/1"
    assert (related.programs, related.details.genders) == (("PEP-RELACIONADA",), ("male",))
    assert related.details.remarks == ("Cónyuge: Ana María Cruz Ruiz",)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (ROWS[0].replace("Ana María,Cruz,Ruiz", ",Cruz,Ruiz"), "no given names"),
        (ROWS[0].replace("05/05/1990", "ayer"), "invalid date of birth"),
        (ROWS[0].replace(",M,", ",X,"), "unknown sex"),
        (ROWS[0] + ",", "16 columns instead of 15"),
    ],
    ids=["name", "birth", "sex", "columns"],
)
def test_a_row_that_cannot_be_right_is_refused_with_its_line(read, row, what):
    with pytest.raises(ListFault, match=f"line 2.*{what}"):
        read(peps__csv=f"{HEADER}\n{row}")


def test_an_unknown_column_is_refused_and_the_list_is_known_by_its_format(read):
    with pytest.raises(ListFault, match="unknown column"):
        read(peps__csv=f"{HEADER},saldo\n{ROWS[0]},1")
    assert BY_ID["pep-mx"].formats == ("pep-mx-csv",)
    assert "pep-mx-csv" in BY_NAME
