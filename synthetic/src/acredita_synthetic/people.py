"""People who do not exist, with consistent identifiers.

The same seed is always the same person. Hard cases of names, places and dates are common: Ñ,
accents, particles, one surname, surnames of two letters, long names, births abroad.
"""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum
from random import Random

from acredita.domain.identifiers import clave_elector, curp, rfc
from acredita.domain.identifiers.clave_elector import ClaveElector
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.rfc import Rfc
from acredita.domain.identifiers.states import BORN_ABROAD, STATES, State
from acredita.domain.names import PersonName, fold
from acredita_synthetic import mrz_zones, name_lists, places

REFERENCE_DATE = date(2026, 6, 1)
"""The default day on which these people are adults and their documents valid."""


class CardModel(StrEnum):
    """Voter card models: C and D are IFE's and have expired, F and H are issued abroad."""

    C = "C"
    D = "D"
    E = "E"
    F = "F"
    G = "G"
    H = "H"

    @property
    def issued_abroad(self) -> bool:
        return self in (CardModel.F, CardModel.H)

    @property
    def by_ife(self) -> bool:
        return self in (CardModel.C, CardModel.D)

    @property
    def has_zone(self) -> bool:
        return self is not CardModel.C

    @property
    def has_qr(self) -> bool:
        """Since December 2019 the back has QR codes, before PDF417."""
        return self in (CardModel.G, CardModel.H)


@dataclass(frozen=True, slots=True)
class VoterCard:
    model: CardModel
    address: tuple[str, str, str]
    state: int
    municipality: int
    locality: int
    section: int
    registration_year: int
    emission_number: int
    issued_year: int
    expires_year: int
    cic: str
    citizen_id: str
    mrz: tuple[str, str, str]

    @property
    def expires(self) -> date:
        return date(self.expires_year, 12, 31)

    @property
    def ocr(self) -> str:
        """The 13 digits of the back: section, then the citizen's identifier."""
        return f"{self.section:04}{self.citizen_id}"


@dataclass(frozen=True, slots=True)
class PassportBook:
    number: str
    issued: date
    expires: date
    birth_place: str
    authority: str
    mrz: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Person:
    seed: int
    name: PersonName
    sex: Sex
    birth_date: date
    birth_state: State
    curp: Curp
    rfc: Rfc
    clave_elector: ClaveElector
    voter_card: VoterCard
    passport: PassportBook

    def age_on(self, day: date) -> int:
        before_birthday = (day.month, day.day) < (self.birth_date.month, self.birth_date.day)
        return day.year - self.birth_date.year - before_birthday


def make_person(seed: int, *, on: date = REFERENCE_DATE) -> Person:
    """Return the person of a seed: an adult with documents that are valid on the day `on`.

    Raise ValueError for a day before 1993: a CURP cannot express births before 1900.
    """
    rng = Random(f"person {seed}")
    return _with_documents(rng, seed, _registered(rng, on), on)


def known_person(
    name: PersonName,
    birth_date: date,
    sex: Sex,
    birth_state: State,
    *,
    cic: str | None = None,
    on: date = REFERENCE_DATE,
) -> Person:
    """Return the person with these data, and with the CURP that RENAPO's rule gives them.

    `cic`: nine digits, of the voter card; None: any. The rest depends on the data alone. Raise
    ValueError without a given name and a first surname.
    """
    curp_text = curp.compose(name, birth_date, sex, birth_state)
    rng = Random(f"known {curp_text.text}")
    who = _Registered(name, sex, birth_date, birth_state, with_accents=False)
    person = _with_documents(rng, rng.randrange(1_000_000), who, on)
    if cic is not None:
        person = replace(person, voter_card=replace(person.voter_card, cic=cic))
    # Composes the lines of the card's back again, which have the CIC.
    return with_model(replace(person, curp=curp_text), CardModel.G)


def _with_documents(rng: Random, seed: int, who: "_Registered", on: date) -> Person:
    differentiator = rng.choices(_DIFFERENTIATORS[who.birth_date.year >= 2000], (85, 9, 4, 2))[0]
    assigned = f"{rng.randint(0, 9)}{_homonymy(rng):02}"
    return Person(
        seed=seed,
        name=who.name,
        sex=who.sex,
        birth_date=who.birth_date,
        birth_state=who.birth_state,
        curp=curp.compose(
            who.name, who.birth_date, who.sex, who.birth_state, differentiator=differentiator
        ),
        rfc=rfc.compose_person(who.name, who.birth_date),
        clave_elector=clave_elector.compose(
            who.name, who.birth_date, who.sex, who.birth_state, assigned=assigned
        ),
        voter_card=_voter_card(rng, who, on),
        passport=_passport(rng, who, on),
    )


_DIFFERENTIATORS = {False: "0123", True: "ABCD"}


@dataclass(frozen=True, slots=True)
class _Registered:
    """A person as the civil registry knows them."""

    name: PersonName
    sex: Sex
    birth_date: date
    birth_state: State
    with_accents: bool

    def spelt(self, text: str) -> str:
        """Registries print capitals with or without accents. Ñ stays."""
        return _spelt(text, accents=self.with_accents)


def _spelt(text: str, *, accents: bool) -> str:
    return text if accents else fold(text, enye="Ñ")


def _registered(rng: Random, on: date) -> _Registered:
    sex = rng.choices((Sex.FEMALE, Sex.MALE, Sex.UNSPECIFIED), (50, 48, 2))[0]
    with_accents = rng.random() < 0.45
    birth_state = rng.choice((*STATES, BORN_ABROAD))
    name = _name(rng, sex, accents=with_accents)
    # Ages 19 to 92, so that a card may have been issued after the eighteenth birthday.
    age = timedelta(days=rng.randint(round(19.5 * 365.25), round(92 * 365.25)))
    return _Registered(name, sex, on - age, birth_state, with_accents)


def _name(rng: Random, sex: Sex, *, accents: bool) -> PersonName:
    given_names = {
        Sex.FEMALE: name_lists.WOMEN,
        Sex.MALE: name_lists.MEN,
        Sex.UNSPECIFIED: name_lists.WOMEN + name_lists.MEN,
    }[sex]
    paterno, materno = (
        rng.choice(
            name_lists.COMMON_SURNAMES if rng.random() < 0.5 else name_lists.INSTRUCTIVE_SURNAMES
        )
        for _ in range(2)
    )
    has_one_surname = rng.random() < 0.04
    return PersonName(
        given=_spelt(rng.choice(given_names), accents=accents),
        paterno=_spelt(paterno, accents=accents),
        materno="" if has_one_surname else _spelt(materno, accents=accents),
    )


def _homonymy(rng: Random) -> int:
    return 0 if rng.random() < 0.9 else rng.randint(1, 12)


def _digits(rng: Random, count: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(count))


def _voter_card(rng: Random, who: _Registered, on: date) -> VoterCard:
    of_age = who.birth_date.year + 18
    issued_year = rng.randint(max(of_age, on.year - 8), on.year - 1)
    abroad = rng.random() < 0.06
    if issued_year >= 2020:
        model = CardModel.H if abroad else CardModel.G
    else:
        model = CardModel.F if abroad else CardModel.E
    home = (
        who.birth_state if who.birth_state in STATES and rng.random() < 0.7 else rng.choice(STATES)
    )
    section = rng.randint(1, 6999)
    emission_number = rng.choices(range(6), (30, 25, 20, 12, 8, 5))[0]
    cic = str(rng.randint(100_000_000, 299_999_999))
    citizen_id = f"{rng.randint(1, 140_000_000):09}"
    expires_year = issued_year + 10
    return VoterCard(
        model=model,
        address=_address(rng, who, home, abroad=abroad),
        state=home.number or 0,
        municipality=rng.randint(1, 125),
        locality=rng.choices((1, rng.randint(2, 320)), (70, 30))[0],
        section=section,
        registration_year=rng.randint(max(of_age, 1991), issued_year),
        emission_number=emission_number,
        issued_year=issued_year,
        expires_year=expires_year,
        cic=cic,
        citizen_id=citizen_id,
        mrz=mrz_zones.compose_ine(
            who.name,
            who.birth_date,
            who.sex,
            cic=cic,
            ocr=f"{section:04}{citizen_id}",
            expiry=date(expires_year, 12, 31),
            emission=f"{emission_number:02}",
            serial=_digits(rng, 5),
        ),
    )


def _address(rng: Random, who: _Registered, home: State, *, abroad: bool) -> tuple[str, str, str]:
    if abroad:
        street = f"{rng.randint(100, 9800)} {rng.choice(('MAPLE', 'OAK', 'SUNSET', 'N 23RD'))} "
        street += rng.choice(("ST", "AVE", "BLVD", "DR"))
        city, state, code = rng.choice(
            (("LOS ANGELES", "CA", 90001), ("CHICAGO", "IL", 60601), ("HOUSTON", "TX", 77001))
        )
        return street, f"{city} {state} {code + rng.randint(0, 60)}", "ESTADOS UNIDOS DE AMERICA"
    region = places.REGIONS[home.code]
    municipality, prefix = rng.choice(region.municipalities)
    postal_code = f"{prefix}{rng.randint(0, 99):02}"
    street = f"{rng.choice(places.STREET_KINDS)} {rng.choice(places.STREETS)}"
    quarter = f"{rng.choice(places.NEIGHBOURHOOD_KINDS)} {rng.choice(places.NEIGHBOURHOODS)}"
    lines = (
        f"{street} {_house_number(rng)}",
        f"{quarter} {postal_code}",
        f"{municipality}, {region.abbreviation}",
    )
    first, second, third = (who.spelt(line) for line in lines)
    return first, second, third


def _house_number(rng: Random) -> str:
    kind = rng.random()
    if kind < 0.6:
        return str(rng.randint(1, 2999))
    if kind < 0.8:
        return f"{rng.randint(1, 999)} INT {rng.randint(1, 40)}{rng.choice(('', 'A', 'B'))}"
    if kind < 0.93:
        return f"MZ {rng.randint(1, 90)} LT {rng.randint(1, 60)}"
    return "S/N"


def _passport(rng: Random, who: _Registered, on: date) -> PassportBook:
    years = rng.choices((3, 6, 10), (20, 35, 45))[0]
    issued = on - timedelta(days=rng.randint(20, min(years, 7) * 365 - 200))
    leap_day = (issued.month, issued.day) == (2, 29)
    expires = issued.replace(year=issued.year + years, day=28 if leap_day else issued.day)
    if who.birth_state == BORN_ABROAD:
        birth_place = rng.choice(places.ABROAD)
    else:
        municipality, _ = rng.choice(places.REGIONS[who.birth_state.code].municipalities)
        birth_place = f"{municipality}, {who.birth_state.name.upper()}"
    number = rng.choice("GNABEF") + _digits(rng, 8)
    return PassportBook(
        number=number,
        issued=issued,
        expires=expires,
        birth_place=who.spelt(birth_place),
        authority=who.spelt(rng.choice(("SRE", "CDMX", "MONTERREY", "MÉRIDA"))),
        mrz=mrz_zones.compose_td3(who.name, who.birth_date, who.sex, number=number, expiry=expires),
    )


_ISSUED = {
    CardModel.C: 2011,
    CardModel.D: 2013,
    CardModel.E: 2017,
    CardModel.F: 2017,
    CardModel.G: 2022,
    CardModel.H: 2022,
}


def with_model(person: Person, model: CardModel) -> Person:
    """Return the person with a card of the model, issued in the years of that model."""
    card, issued = person.voter_card, _ISSUED[model]
    lines = mrz_zones.compose_ine(
        person.name,
        person.birth_date,
        person.sex,
        cic=card.cic,
        ocr=card.ocr,
        expiry=date(issued + 10, 12, 31),
        emission=f"{card.emission_number:02}",
    )
    return replace(
        person,
        voter_card=replace(
            card,
            model=model,
            issued_year=issued,
            expires_year=issued + 10,
            registration_year=min(card.registration_year, issued),
            mrz=lines,
        ),
    )
