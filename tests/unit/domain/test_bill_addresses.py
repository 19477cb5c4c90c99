"""Addresses and dates as bills print them: taken apart, and compared with those of a card."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.documents.spelled_dates import MONTHS, spelled
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.proof_of_address.addresses import compare_addresses, parse_address
from acredita.domain.proof_of_address.dates import latest_day, months_before
from acredita_synthetic import places
from acredita_synthetic.bills import as_companies_write
from acredita_synthetic.people import make_person

DAYS = st.dates(date(2001, 1, 1), date(2099, 12, 31))
CARD = parse_address(
    ["AV INSURGENTES SUR 1234 INT 5", "COL DEL VALLE 03100", "BENITO JUÁREZ, CDMX"]
)


def likeness(*lines: str) -> Likeness:
    return compare_addresses(CARD, parse_address(lines)).likeness


@pytest.mark.parametrize(
    ("lines", "street", "number", "inner", "quarter", "code", "town", "state"),
    [
        (
            ["CALLE REFORMA 115", "COL CENTRO 06000", "CUAUHTÉMOC, CDMX"],
            "REFORMA", "115", "", "CENTRO", "06000", "CUAUHTEMOC", "DF",
        ),
        (
            ["C. 5 DE MAYO No. 12 B DEPTO 4", "FRACC. LAS PEÑAS C.P. 76000", "QUERÉTARO, QRO."],
            "5 DE MAYO", "12B", "4", "LAS PEÑAS", "76000", "QUERETARO", "QT",
        ),
        (
            ["CJON JESÚS GARCÍA MZ 4 LT 12", "COL GUERRERO", "06300 CUAUHTEMOC", "D.F."],
            "JESUS GARCIA", "MZ 4 LT 12", "", "GUERRERO", "06300", "CUAUHTEMOC", "DF",
        ),
        (
            ["PRIV PINO S/N", "CENTRO", "LEÓN, GTO. C.P. 37100"],
            "PINO", "S/N", "", "CENTRO", "37100", "LEON", "GT",
        ),
        (
            ["PRIV PINO SIN", "CENTRO", "LEÓN, GTO. C.P. 37100"],  # S/N, misread
            "PINO", "S/N", "", "CENTRO", "37100", "LEON", "GT",
        ),
        (
            ["CALLE SIN NOMBRE 12", "CENTRO", "LEÓN, GTO. C.P. 37100"],
            "SIN NOMBRE", "12", "", "CENTRO", "37100", "LEON", "GT",
        ),
        (
            ["CALLE 16 NO. EXT. 23 COL. OBRERA", "NAUCALPAN DE JUÁREZ EDO. DE MÉX. CP 53000"],
            "16", "23", "", "OBRERA", "53000", "NAUCALPAN DE JUAREZ", "MC",
        ),
        (
            ["SUR 128, 115", "COL. ÁLAMOS, 03400 CIUDAD DE MÉXICO, MÉXICO"],
            "SUR 128", "115", "", "ALAMOS", "03400", "", "DF",
        ),
    ],
)  # fmt: skip
def test_an_address_is_taken_apart(lines, street, number, inner, quarter, code, town, state):
    parts = parse_address(lines)
    assert (parts.street, parts.number, parts.inner) == (street, number, inner)
    assert (parts.neighbourhood, parts.postal_code) == (quarter, code)
    assert (parts.municipality, parts.state and parts.state.code) == (town, state)
    assert parts.is_consistent


@pytest.mark.parametrize(
    "lines",
    [
        ["INSURGENTES SUR #1234", "C.P. 03100"],
        ["AVENIDA INSURGENTES SUR NUM 1234 DEPTO 5", "COLONIA DEL VALLE", "03100 CIUDAD DE MEXICO"],
        ["AV. INSURGENTES SUR, 1234", "DEL VALLE, BENITO JUAREZ", "CDMX, C.P. 03100"],
        ["BLVD. INSURJENTES SUR 1234", "COL. DEL VALLE C.P. 03100"],
    ],
)
def test_the_same_address_in_another_form_is_the_same(lines):
    assert likeness(*lines) is Likeness.SAME


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["AV INSURGENTES SUR 1236", "COL DEL VALLE 03100"], Likeness.DIFFERENT),
        (["AV UNIVERSIDAD 1234", "COL DEL VALLE 03100"], Likeness.DIFFERENT),
        (["AV INSURGENTES SUR 1234", "COL NOCHE BUENA 03720"], Likeness.DIFFERENT),
        (["AV INSURGENTES SUR 1234", "COL DEL VALLE 03103"], Likeness.CLOSE),
        (["AV INSURGENTES SUR 1234 INT 7", "COL DEL VALLE 03100"], Likeness.CLOSE),
        (["CERRADA INSURGENTES SUR 1234", "COL DEL VALLE 03100"], Likeness.CLOSE),
        (["AV INSURGENTES 1234", "COL DEL VALLE 03100"], Likeness.CLOSE),
        (["AV INSURGENTES SUR 1234"], Likeness.CLOSE),
    ],
)
def test_another_address_is_different_and_a_doubtful_one_close(lines, expected):
    assert likeness(*lines) is expected


@given(st.integers(0, 400), st.randoms(use_true_random=False))
def test_what_a_company_makes_of_a_cards_address_is_the_same_address(seed, rng):
    card = make_person(seed).voter_card
    if not card.model.issued_abroad:
        printed = parse_address(as_companies_write(card.address, rng))
        assert compare_addresses(parse_address(card.address), printed).likeness is Likeness.SAME


@given(
    st.sampled_from(places.STREET_KINDS),
    st.sampled_from(places.STREETS),
    st.integers(1, 2999),
    st.integers(1, 2999),
)
def test_two_house_numbers_of_a_street_are_two_addresses(kind, street, one, other):
    first, second = (
        parse_address([f"{kind} {street} {number}", "COL CENTRO 06000", "CUAUHTEMOC, CDMX"])
        for number in (one, other)
    )
    expected = Likeness.SAME if one == other else Likeness.DIFFERENT
    assert compare_addresses(first, second).likeness is expected


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_comparison(one, other):
    parts = parse_address([one, other])
    assert compare_addresses(parts, parts).differing == ()


@given(DAYS)
def test_a_date_is_read_in_each_form(day):
    month = MONTHS[day.month - 1]
    forms = [
        spelled(day), f"{day:%d} {month[:3]} {day:%y}", f"{day:%d}-{month[:3]}-{day.year}",
        f"{day:%d/%m/%Y}", f"{day:%d.%m.%y}", f"{day:%Y-%m-%d}",
        f"{day.day} de {month.lower()} del {day.year}",
        f"{month.title()} {day.day}, {day.year}", f"{day.day}de{month.lower()}de{day.year}",
    ]  # fmt: skip
    for form in forms:
        found = latest_day(f"Fecha: {form} Total")
        assert found is not None, form
        assert found.day == day, form
        assert latest_day(f"Fecha: {form} Total"[found.start : found.end]).day == day


@given(DAYS, st.integers(1, 90), st.integers(0, 24), st.sampled_from([" - ", "-", " al ", " "]))
def test_of_a_period_the_end_counts(start, days, chosen, between):
    end = start + timedelta(days=days)
    forms = [
        [
            f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}",
            spelled(day),
            *(format(day, form) for form in ("%d/%m/%Y", "%d-%m-%Y", "%Y-%m-%d")),
        ]
        for day in (start, end)
    ]
    text = f"Del {forms[0][chosen // 5]}{between}{forms[1][chosen % 5]}"
    assert latest_day(text).day == end, text


def test_a_month_alone_ends_on_its_last_day_and_other_figures_are_no_date():
    assert latest_day("Mes de facturación: Febrero 2028").day == date(2028, 2, 29)
    assert latest_day("SETIEMBRE 2026").day == date(2026, 9, 30)
    for text in ("No. 123456789012", "55 1234 5678", "31/02/2026", "MARTINEZ 2026", "$ 1,234.50"):
        assert latest_day(text) is None


@given(DAYS, st.integers(0, 24))
def test_months_earlier_is_the_same_day_or_the_last_of_the_month(day, months):
    before = months_before(day, months)
    assert (day.year * 12 + day.month) - (before.year * 12 + before.month) == months
    assert before.day == day.day or (before + timedelta(days=1)).day == 1
