"""The known lists with their publishers and URLs."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from acredita.providers.watchlists.formats import Format
from acredita.providers.watchlists.protocol import ListedEntity, ListFault, ListFile

SLS = "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports"
OFAC_SEARCH = "https://sanctionssearch.ofac.treas.gov/Details.aspx?id={id}"
# Each request redirects to a signed URL on this storage host.
SLS_FILES = (".s3.us-gov-west-1.amazonaws.com",)
# The token is public, from the Commission's website.
EU_FILE = (
    "https://webgate.ec.europa.eu/fsd/fsf/public/files/xmlFullSanctionsList_1_1/content"
    "?token=dG9rZW4tMjAxNw"
)
SAT = "http://omawww.sat.gob.mx/cifras_sat/Documents"


@dataclass(frozen=True, slots=True)
class KnownList:
    id: str
    name: str
    publisher: str
    # The formats that this list is published in.
    formats: tuple[str, ...]
    # The publisher's URLs. All files together are the list.
    addresses: tuple[str, ...] = ()
    # Suffixes of host names that these URLs may redirect to.
    redirects_to: tuple[str, ...] = ()
    is_sandbox: bool = False
    # The publisher's page of an entry, with `{id}`, or of the list.
    page: str = ""
    # If any: an entry needs one of these topics of OpenSanctions, or one below it (`role.pep`
    # below `role`). The readers keep topics as programmes.
    topics: tuple[str, ...] = ()

    def page_of(self, source_id: str) -> str:
        """The publisher's page of an entry, or of the list; empty if none is known."""
        return self.page.replace("{id}", quote(source_id, safe=""))

    def wants(self, entity: ListedEntity) -> bool:
        """Whether the entry is of one of the list's topics."""
        has = (f"{topic}." for topic in entity.programs)
        starts = tuple(f"{topic}." for topic in self.topics)
        return not self.topics or any(topic.startswith(starts) for topic in has)


SANDBOX = KnownList(
    "sandbox", "Invented names, to try the service with", "Acredita", ("csv",), is_sandbox=True
)
CATALOGUE = (
    KnownList(
        "ofac-sdn",
        "OFAC Specially Designated Nationals",
        "U.S. Department of the Treasury",
        ("ofac-csv", "ofac-xml"),
        (f"{SLS}/SDN.XML",),
        SLS_FILES,
        page=OFAC_SEARCH,
    ),
    KnownList(
        "ofac-cons",
        "OFAC Consolidated (non-SDN)",
        "U.S. Department of the Treasury",
        ("ofac-csv", "ofac-xml"),
        (f"{SLS}/CONSOLIDATED.XML",),
        SLS_FILES,
        page=OFAC_SEARCH,
    ),
    KnownList(
        "un",
        "UN Security Council Consolidated List",
        "United Nations",
        ("un-xml",),
        ("https://scsanctions.un.org/resources/xml/en/consolidated.xml",),
        page="https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list",
    ),
    KnownList(
        "eu",
        "EU Consolidated Financial Sanctions",
        "European Commission",
        ("eu-xml", "eu-csv"),
        (EU_FILE,),
        page="https://data.europa.eu/data/datasets/consolidated-list-of-persons-groups-and-entities"
        "-subject-to-eu-financial-sanctions",
    ),
    KnownList(
        "uk",
        "UK Sanctions List",
        "HM Government",
        ("uk-csv",),
        ("https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv",),
        page="https://www.gov.uk/government/publications/the-uk-sanctions-list",
    ),
    KnownList(
        "us-csl",
        "U.S. Consolidated Screening List",
        "International Trade Administration",
        ("us-csl-csv",),
        ("https://data.trade.gov/downloadable_consolidated_screening_list/v1/consolidated.csv",),
        page="https://www.trade.gov/consolidated-screening-list",
    ),
    KnownList(
        "sat-69b",
        "SAT: operaciones presuntamente inexistentes (CFF 69-B)",
        "Servicio de Administración Tributaria",
        ("sat-69b",),
        (f"{SAT}/Listado_Completo_69-B.csv",),
        page="http://omawww.sat.gob.mx/cifras_sat/Paginas/datos/vinculo.html"
        "?page=ListCompleta69B.html",
    ),
    KnownList(
        "opensanctions",
        "OpenSanctions",
        "OpenSanctions",
        ("ftm",),
        page="https://www.opensanctions.org/entities/{id}/",
    ),
    *(
        KnownList(
            f"opensanctions-{name}",
            f"OpenSanctions: {title}",
            "OpenSanctions",
            ("ftm",),
            page="https://www.opensanctions.org/entities/{id}/",
            topics=of,
        )
        for name, title, of in (
            ("sanctions", "sanctions", ("sanction",)),
            ("peps", "politically exposed persons and their associates", ("role",)),
            ("crime", "crime", ("crime",)),
        )
    ),
    KnownList("pep", "Politically exposed persons", "", ("csv",)),
    KnownList("pep-mx", "Personas políticamente expuestas de México", "", ("pep-mx-csv",)),
)
BY_ID = {known.id: known for known in (*CATALOGUE, SANDBOX)}


def list_of(files: Sequence[ListFile], form: Format) -> KnownList:
    """The only list with this format and these files. Raise ListFault if it is ambiguous."""
    candidates = [known for known in CATALOGUE if form.name in known.formats and not known.topics]
    if form.name in {"ofac-csv", "ofac-xml"}:
        # The two lists differ only in file names: those of the consolidated list begin with `cons`.
        is_consolidated = any("cons" in file.name.casefold() for file in files)
        candidates = [BY_ID["ofac-cons" if is_consolidated else "ofac-sdn"]]
    if len(candidates) != 1 or form.name == "csv":
        raise ListFault(f"{files[0].name}: specify which list this is (--list)")
    return candidates[0]
