"""Writes what others read of the registry of reason codes: `make reasons`.

The page docs/reference/reasons.md, and the console's words for each code.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from acredita.domain.reasons import FAMILIES, ReasonCode, Severity
from acredita.domain.steps import types
from acredita.resources.metamap import translation

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "reference" / "reasons.md"
CONSOLE_WORDS = PROJECT / "console" / "src" / "texts" / "reasons.json"
EFFECTS = {
    Severity.FAILS: ("the step fails", "el paso falla"),
    Severity.FAILS_IF_SURE: (
        "fails if certain, else review",
        "falla si es seguro; si no, revisión",
    ),
    Severity.REVIEW: ("review", "revisión"),
    Severity.RETAKE: ("retake, else review", "otra foto; si no, revisión"),
    Severity.DECISION: ("no step ends with it", "ningún paso termina con él"),
}
TITLES = {
    "DocumentReason": ("DOCUMENT_OCR", "document"),
    "FaceReason": ("FACE_MATCH", "facematch"),
    "LivenessReason": ("LIVENESS", "liveness"),
    "ProofReason": ("PROOF_OF_ADDRESS", "document"),
    "RegistryReason": ("GOVERNMENT_VERIFY", None),
    "WatchlistReason": ("AML_SCREEN", None),
    "OtpReason": ("OTP", None),
    "LocationStepReason": ("LOCATION", None),
    "FormReason": ("FORM", None),
    "CreditReason": ("CREDIT", None),
    "AnyStepReason": ("Any step / Cualquier paso", None),
    "PolicyReason": ("Policies / Políticas", None),
    "ReviewerReason": ("Reviewers / Quien revisa", None),
}
PLACES = {prefix: place for place, prefix in translation.PREFIXES.items()}
HEADER = """\
# Reason codes

Made from `acredita.domain.reasons` by `make reasons`; change an entry there, not this page.

A step that does not pass names its reason: `code` and `message` in its `result`. The schema
`ReasonCode` in [openapi.json](../../openapi.json) lists all codes. Messages on the wire are in
English. The pages of the browser flow show the advice in the person's language; there a code
without advice is null.

| effect | meaning |
|---|---|
| the step fails | the step is FAILED, and so the verification is REJECTED |
| fails if certain, else review | FAILED where the evidence is certain, else REVIEW |
| review | the step is in REVIEW: a person decides |
| retake, else review | the browser flow asks for another picture; else the step is in REVIEW |
| no step ends with it | a policy or a reviewer gives it as the reason of a decision |

A reviewer gives a code as the `reason` of a decision for the outcomes in the column *a reviewer's
reason for*; for another outcome the response is 422.

The last column is the code in [MetaMap's API](../integrators/metamap.md). Where it is empty, it is
our code in camel case after the registry's prefix: `curp.nameMismatch`. FACE_MATCH also ends with
the codes of DOCUMENT_OCR where it judges the documents itself.

Errors of requests are not reason codes: `openapi.json` has them, each with its status. Other pages
have the reasons of single fields ([documents](../integrators/documents.md)), and the codes of
[credit checks](../integrators/credit.md), [location checks](../integrators/location.md) and
[signed packages](../integrators/e-signature.md).
"""
HEADS = (
    "code | effect | meaning | the person can | the reviewer can | a reviewer's reason for",
    "código | efecto | significado | la persona puede | quien revisa puede | es su motivo para",
)


def render() -> str:
    """Return the page, in English and then in Spanish."""
    parts = [HEADER, "## In English\n", *_tables(0), "## En español\n", *_tables(1)]
    return "\n".join(parts)


def render_console_words() -> str:
    """Return what the console says about each code: its step, effect, meaning and what to do."""
    words = {
        code.value: {
            "step": TITLES[family.__name__][0],
            "severity": code.severity,
            "outcomes": sorted(code.outcomes),
            "es": [code.message.es, code.reviewer.es],
            "en": [code.message.en, code.reviewer.en],
        }
        for family in FAMILIES
        for code in family
    }
    return json.dumps(words, ensure_ascii=False, indent=1) + "\n"


def _tables(language: int) -> Iterator[str]:
    for family in FAMILIES:
        title, prefix = TITLES[family.__name__]
        rows = "\n".join(_row(code, prefix, language) for code in family)
        table = f"| {HEADS[language]} | MetaMap |\n|---|---|---|---|---|---|---|\n{rows}\n"
        yield f"### {title}\n\n{_example(title, next(iter(family)))}{table}"


def _example(title: str, code: ReasonCode) -> str:
    """Return a step that ends with the code; nothing for codes of no type of step."""
    if title not in types():
        return ""
    step = {
        "type": title,
        "status": "FAILED" if code.severity is Severity.FAILS else "REVIEW",
        "result": {"code": code.value, "message": code.message.en},
    }
    return f"<!-- generated -->\n```json\n{json.dumps(step, ensure_ascii=False)}\n```\n\n"


def _row(code: ReasonCode, prefix: str | None, language: int) -> str:
    advice = code.advice and (code.advice.en, code.advice.es)[language]
    cells = (
        code.value,
        EFFECTS[code.severity][language],
        (code.message.en, code.message.es)[language],
        advice or "–",
        (code.reviewer.en, code.reviewer.es)[language],
        ", ".join(sorted(code.outcomes)) or "–",
        _metamap(code, prefix),
    )
    return f"| {' | '.join(cells)} |"


def _metamap(code: ReasonCode, prefix: str | None) -> str:
    if prefix is None:
        named = (code.metamap.code, *code.metamap.by_registry.values())
        return ", ".join(f"`{name}`" for name in named if name)
    place = code.metamap.step or PLACES.get(prefix, prefix)
    return f"`{translation.step_error(code, None, place)['code']}`"


if __name__ == "__main__":
    PAGE.write_text(render())
    CONSOLE_WORDS.write_text(render_console_words())
