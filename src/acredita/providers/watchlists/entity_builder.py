"""Collects the rows or elements of one entry of a list. Each has one fact."""

from dataclasses import dataclass, field

from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.details import details_of
from acredita.providers.watchlists.protocol import EntityType, ListedEntity, Name


@dataclass(slots=True)
class EntityBuilder:
    """Values may repeat. `nationalities` and `address_countries`: names or codes of countries."""

    place: str
    entity_type: EntityType
    names: list[Name] = field(default_factory=list)
    nationalities: list[str] = field(default_factory=list)
    address_countries: list[str] = field(default_factory=list)
    births: list[str] = field(default_factory=list)
    identifiers: list[tuple[str, str]] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)
    places_of_birth: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    genders: list[str] = field(default_factory=list)
    positions: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    listed_on: str = ""
    updated_on: str = ""
    url: str = ""

    def has_name(self, text: str) -> bool:
        return any(each.text == text for each in self.names)

    def entity(self, source_id: str) -> ListedEntity:
        return ListedEntity(
            source_id=source_id,
            entity_type=self.entity_type,
            names=tuple(dict.fromkeys(self.names)),
            countries=codes(*self.nationalities, *self.address_countries),
            dates_of_birth=tuple(dict.fromkeys(self.births)),
            identifiers=tuple(dict.fromkeys(self.identifiers)),
            programs=tuple(dict.fromkeys(self.programs)),
            details=details_of(
                places_of_birth=self.places_of_birth,
                nationalities=self.nationalities,
                genders=self.genders,
                addresses=self.addresses,
                positions=self.positions,
                remarks=self.remarks,
                listed_on=self.listed_on,
                updated_on=self.updated_on,
                url=self.url,
            ),
            place=self.place,
        )
