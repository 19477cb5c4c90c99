"""The words of the console for what the API names: none shows as its name on the wire."""

import ast
import re
from pathlib import Path

import pytest
from pydantic.alias_generators import to_camel

import acredita
from acredita.domain import errors, labelling, steps
from acredita.domain.audit import Action, ActorType, ResourceType
from acredita.domain.documents import licence_templates
from acredita.domain.documents.findings import Reason, Source
from acredita.domain.documents.pages import PageKind
from acredita.domain.government import matching
from acredita.domain.government.responses import NoAnswer, Outcome
from acredita.domain.history import HistoryKind
from acredita.domain.retention import RetentionStart
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.resources.organizations import schemas as organizations
from acredita.resources.organizations import service as organizations_service
from acredita.resources.webhooks.posting import Reason as DeliveryFault
from tests.conftest import PROJECT

CONSOLE = PROJECT / "console" / "src"
CASE = CONSOLE / "rooms" / "case"
SOURCES = [path.read_text("utf-8") for path in Path(acredita.__file__).parent.rglob("*.py")]
# What adds an entry to the audit log.
RECORDING = {"audit.record", "audit.details_of"}
# As the modules that measure name their signals: in a table of limits, or in a step's result.
SIGNAL = re.compile(r'(?:\bSign|_Limit|\bSignal)\(\s*"([\w.]+)"|"signal": "([\w.]+)"')


def words(file: Path) -> set[str]:
    """The keys of a table of pairs: Spanish, English."""
    return set(re.findall(r'^  "?([\w.]+)"?: \[', file.read_text("utf-8"), re.MULTILINE))


def texts(file: Path) -> set[str]:
    return set(re.findall(r'^    (\w+):\s+"', file.read_text("utf-8"), re.MULTILINE))


def documented_fields() -> set[str]:
    """The fields of licences and certificates, by the tables of the guide."""
    page = (PROJECT / "docs/integrators/documents.md").read_text("utf-8")
    tables = re.findall(r"^\| field \|.*?(?=\n\n)", page, re.DOTALL | re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()[2:]]
    return {name.strip() for row in rows for name in row.split("|")[1].split(",")}


def measured_signals() -> set[str]:
    found = {name for text in SOURCES for pair in SIGNAL.findall(text) for name in pair if name}
    # An example of the API's description; LIVENESS names its own by constants.
    return found | {"liveness.light", "liveness.moments"}


def registered_fields() -> set[str]:
    source = Path(matching.__file__).read_text("utf-8")
    (body,) = re.findall(r"def _registered\(.*?(?=\n\n\n)", source, re.DOTALL)
    return set(re.findall(r'^        "(\w+)":', body, re.MULTILINE))


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("fieldNames.ts", labelling.FIELDS | licence_templates.FIELDS),
        ("fieldNames.ts", documented_fields()),
        ("fieldNames.ts", registered_fields()),
        ("signalNames.ts", measured_signals()),
        ("signalNames.ts", {kind.value for kind in PageKind}),
        ("signalNames.ts", {reason.value for reason in Reason if reason.contradiction}),
        ("wireWords.ts", {each.value for each in (*Source, *Outcome, *NoAnswer)}),
        ("wireWords.ts", {"likely", "possible", "unlikely"}),
        (
            "actNames.ts",
            {
                each.value
                for each in (*HistoryKind, *Action)
                if each.value.startswith("verification.")
            },
        ),
    ],
)
def test_the_case_has_words_for_what_the_service_names(file, named):
    assert len(named) > 2
    assert named - words(CASE / file) == set()


def test_the_audit_log_has_words_for_each_action():
    named = words(CASE / "actNames.ts") | words(CONSOLE / "rooms/team/actionNames.ts")
    assert {each.value for each in Action} - named == set()
    kinds = words(CONSOLE / "rooms/team/resourceNames.ts")
    assert {each.value for each in ResourceType} - kinds == set()


def recorded_facts() -> set[str]:
    """The names of the facts that modules give to the audit log, as its entries have them."""
    found = set()
    for text in SOURCES:
        if not re.search(r"\baudit\s*\.", text):
            continue
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in RECORDING:
                found |= {each.arg for each in call.keywords if each.arg is not None}
    settings = organizations.OrganizationUpdate.model_fields.keys() - organizations_service.TEXTS
    return {to_camel(name) for name in found | settings}


def test_the_audit_log_has_words_for_each_fact():
    # The facts before and after are on one line, under the name of both.
    names = {
        re.sub(
            r"^(?:previous|new)([A-Z])|(?:Before|Now)$",
            lambda found: (found[1] or "").lower(),
            each,
        )
        for each in recorded_facts()
    }
    assert {"role", "status", "policy", "requiresSecondReviewer"} <= names
    shown = words(CONSOLE / "rooms/team/detailNames.ts")
    assert names - shown == set()
    assert {each.value for each in RetentionStart} - shown == set()


def test_refusals_in_spanish_are_of_codes_that_the_api_has():
    def codes(parent: type[errors.DomainError]) -> set[str]:
        own = {parent.code} if "code" in vars(parent) else set()
        return own.union(*map(codes, parent.__subclasses__()))

    file = CONSOLE / "texts" / "refusals.ts"
    refused = set(re.findall(r"^  (\w+):", file.read_text("utf-8"), re.MULTILINE))
    assert len(refused) > 20
    assert refused - codes(errors.DomainError) == set()
    messages = re.findall(r'^  "([^"]+)":', file.read_text("utf-8"), re.MULTILINE)
    assert len(messages) > 2
    assert [each for each in messages if not any(f'"{each}"' in text for text in SOURCES)] == []


def test_actors_steps_statuses_and_faults_of_deliveries_have_words():
    for file in (CASE / "texts.ts", CONSOLE / "rooms/team/texts.ts"):
        assert {each.value for each in ActorType} <= texts(file)
    faults = {f"fault_{each.value}" for each in DeliveryFault}
    assert faults <= texts(CONSOLE / "rooms/developers/texts.ts")
    assert set(steps.KINDS) <= texts(CONSOLE / "parts/stepNames.ts")
    badges = texts(CONSOLE / "parts/StatusBadge.tsx")
    assert {each.value for each in (*VerificationStatus, *StepStatus)} <= badges
