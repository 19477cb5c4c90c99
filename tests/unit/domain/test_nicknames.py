import pytest

from acredita.domain.screening.nicknames import familiar_forms


@pytest.mark.parametrize(
    ("familiar", "name"),
    [
        ("pepe", "jose"),
        ("paco", "francisco"),
        ("chuy", "jesus"),
        ("lupe", "guadalupe"),
        ("nacho", "ignacio"),
        ("beto", "roberto"),
        ("beto", "heriberto"),
        ("bibi", "benjamin"),
        ("sasha", "aleksandr"),
    ],
)
def test_a_familiar_form_and_its_name_lead_to_each_other(familiar, name):
    assert name in familiar_forms(familiar)
    assert familiar in familiar_forms(name)


def test_another_name_has_no_familiar_form():
    assert familiar_forms("zebulon") == ()
    assert "juan" not in familiar_forms("pepe")
