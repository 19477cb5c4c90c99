"""Writes what others read of the registry of reason codes: `make reasons`.

The pages docs/reference/reasons.md and reason-examples.md, and the console's words for each code.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from acredita.domain.reasons import FAMILIES, ReasonCode, Severity
from acredita.resources.metamap import translation
from tools.reason_examples import examples

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "reference" / "reasons.md"
EXAMPLES = PAGE.with_name("reason-examples.md")
CONSOLE_WORDS = PROJECT / "console" / "src" / "texts" / "reasons.json"
EFFECTS = {
    Severity.FAILS: ("the step fails", "el paso falla"),
    Severity.FAILS_IF_SURE: (
        "fails if certain, else review",
        "falla si es seguro; si no, revisión",
    ),
    Severity.REVIEW: ("review", "revisión"),
    Severity.RETAKE: ("retake, else review", "otra foto; si no, revisión"),
    Severity.RETAKE_OR_FAIL: ("retake, else fails", "otro intento; si no, falla"),
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
without advice is null. Each code leads to an [example](reason-examples.md) of the API's answer.

| effect | meaning |
|---|---|
| the step fails | the step is FAILED, and so the verification is REJECTED |
| fails if certain, else review | FAILED where the evidence is certain, else REVIEW |
| review | the step is in REVIEW: a person decides |
| retake, else review | the browser flow asks for another picture; else the step is in REVIEW |
| retake, else fails | the browser flow asks the person to try again; else the step is FAILED |
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
EXAMPLES_HEADER = """\
# Examples of reason codes

Made from the [registry](reasons.md) and the API's schemas by `make reasons`. The `result` of a step
also has the findings of the step, which these examples leave out.
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
        yield f"### {title}\n\n{table}"


def render_examples() -> str:
    """Return the page with the API's answers for each code, by family."""
    parts = [EXAMPLES_HEADER]
    for family in FAMILIES:
        title, _ = TITLES[family.__name__]
        parts.append(f"## {title}\n")
        for code in family:
            parts.append(f"### {code.value}\n")
            parts += [
                f"{example.place}:\n\n<!-- generated -->\n```json\n"
                f"{json.dumps(example.value, ensure_ascii=False, indent=2)}\n```\n"
                for example in examples(code, title)
            ]
    return "\n".join(parts)


def _row(code: ReasonCode, prefix: str | None, language: int) -> str:
    advice = code.advice and (code.advice.en, code.advice.es)[language]
    cells = (
        f"[{code.value}]({EXAMPLES.name}#{code.value.lower()})",
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
    EXAMPLES.write_text(render_examples())
    CONSOLE_WORDS.write_text(render_console_words())
