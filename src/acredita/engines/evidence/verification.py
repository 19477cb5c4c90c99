"""Check an evidence file without the service: every byte, the signature, the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from acredita.domain.audit import Action, canonical
from acredita.engines import digests
from acredita.engines.evidence import container, report_seal
from acredita.engines.evidence.decisions import (
    RECORD_FORMAT,
    Disagreement,
    deciding_service,
    evaluate,
    evidence_digest,
)

# Of the service and of the time-stamping authority.
CLOCKS_DIFFER_BY = timedelta(minutes=10)
NOT_CONTAINED = "that {} have the digests in the record: the file does not contain them"
# After a decision, only what reopens the verification writes these entries.
_REOPENING = (Action.VERIFICATION_RUN_AGAIN, Action.RETAKE_ASKED)
NEVER_CHECKED = (
    "that images were read and steps judged correctly: only the decision is evaluated again",
    "the keys of the audit log's hashes: they need the service's secret (`acredita audit verify`)",
)


@dataclass(slots=True)
class Findings:
    """What was checked, what was not, and what is wrong, as sentences without personal data."""

    checked: list[str] = field(default_factory=list)
    not_checked: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    # Whether the report is signed, and by a certificate that chains to a trust anchor.
    is_signed: bool = False
    is_trusted: bool = False


def verify(content: bytes, trusted: Path | None = None) -> Findings:
    """Check the bytes of an evidence file. Raise OSError where `trusted` cannot be read.

    `trusted` is a PEM file of the trust anchors of the signature and the time stamp.
    """
    findings = Findings()
    try:
        members = container.unpack(content)
    except container.NotEvidence as fault:
        findings.faults.append(f"the file: {fault}")
        return findings
    findings.checked.append(
        f"all {len(content)} bytes of the file: every member has its SHA-256 in SHA256SUMS and"
        " manifest.json"
    )
    seal = _check_report(findings, members, trusted)
    try:
        _check_contents(findings, members, seal)
    except Disagreement as fault:
        findings.faults.append(f"the record: {fault.what}")
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        findings.faults.append("the record or the audit segment has another form than expected")
    findings.not_checked.extend(NEVER_CHECKED)
    return findings


def _check_report(
    findings: Findings, members: Mapping[str, bytes], trusted: Path | None
) -> report_seal.ReportSeal | None:
    """Return the seal; None if the report is not signed, or its seal broken."""
    pdf = members[container.REPORT]
    try:
        seal = report_seal.check(pdf, trusted)
        attached = report_seal.attachments(pdf).get(container.MANIFEST)
        # Files of former releases have none.
        listed = members.get(container.CERTIFICATES)
        if listed is not None and listed != report_seal.certificates(pdf):
            findings.faults.append("the certificates are not those of the report")
    except report_seal.BrokenSeal as fault:
        findings.faults.append(f"the report: {fault}")
        return None
    if seal is None:
        findings.not_checked.append(
            "who made the file: the report is NOT SIGNED, so everything in it can be replaced"
        )
        return None
    if attached != members[container.MANIFEST]:
        findings.faults.append(
            "the report: its signature covers other members than those of the file"
        )
        return None
    findings.is_signed = True
    findings.checked.append(
        f"the report's PAdES signature by {seal.subject} (certificate {seal.fingerprint}): it"
        " covers the report and, through the attached manifest, every other member but"
        f" {container.CERTIFICATES}, which has the certificates of the report"
    )
    findings.checked.append(
        f"the time stamp of {seal.stamped_at} by {seal.stamp_subject} (certificate"
        f" {seal.stamp_fingerprint})"
    )
    if seal.trusted is None:
        findings.not_checked.append(
            "WHOSE CERTIFICATES THOSE ARE: anyone can make such a file and its time stamp with"
            " certificates of their own. Name the trust anchors with --trusted"
        )
    elif seal.trusted:
        findings.is_trusted = True
        findings.checked.append("both certificates chain to a trust anchor of --trusted")
    else:
        findings.faults.append(
            "the report: its certificate, or its time stamp's, does not chain to a trust anchor"
        )
    return seal


def _check_contents(
    findings: Findings, members: Mapping[str, bytes], seal: report_seal.ReportSeal | None
) -> None:
    record = _canonical(members[container.RECORD])
    audit = _canonical(members[container.AUDIT])
    if record["format"] != RECORD_FORMAT:
        raise Disagreement("its format is one that this release does not know")
    if seal is not None:
        _check_time(seal.stamped_at, record, audit["entries"])
    _check_images(findings, record, container.images_of(members))
    _check_decision(findings, record, _personal(record, members.get(container.PERSONAL)))
    _check_audit(findings, record, audit["entries"], audit["head"])
    _check_head(findings, audit["head"], members.get(container.HEAD), seal)


def _check_time(
    stamped_at: datetime, record: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> None:
    """Check that the report was stamped after everything that the file tells of."""
    times = [record["verification"]["completedAt"], *(entry["createdAt"] for entry in entries)]
    if stamped_at < max(map(datetime.fromisoformat, times)) - CLOCKS_DIFFER_BY:
        raise Disagreement("it tells of what came after the time stamp of its report")


def _canonical(content: bytes) -> Any:
    read = orjson.loads(content)
    if canonical(read).encode() != content:
        raise ValueError("not canonical JSON")
    return read


def _personal(record: Mapping[str, Any], content: bytes | None) -> Mapping[str, Any]:
    expected = record["personal"]
    if (expected is None) != (content is None):
        raise Disagreement("the member with personal values is missing, or not announced")
    if content is None:
        return {}
    if sha256(content).hexdigest() != expected["sha256"]:
        raise Disagreement("the personal values do not have their digest")
    values: Mapping[str, Any] = _canonical(content)["variables"]
    return values


def _check_images(
    findings: Findings, record: Mapping[str, Any], images: Mapping[str, bytes]
) -> None:
    """Compare the images of the file, if it has any, with the digests of the record."""
    digests = {item["id"]: item["sha256"] for item in record["inputs"]}
    for file_id, content in images.items():
        if digests.get(file_id) != sha256(content).hexdigest():
            raise Disagreement("an image is not the one that was uploaded")
    if images:
        findings.checked.append(f"the SHA-256 of {len(images)} images: they are those uploaded")
    lacks_images = digests.keys() - images.keys()
    missing = "the images and readings" if lacks_images else "the readings"
    findings.not_checked.append(NOT_CONTAINED.format(missing))


def _check_decision(
    findings: Findings, record: Mapping[str, Any], personal: Mapping[str, Any]
) -> None:
    stored = record["decision"]
    if stored is None:
        findings.not_checked.append("a decision of the rules: a reviewer decided without one")
        return
    found = evaluate(record, personal)
    if found != stored:
        raise Disagreement(
            f"its decision is {stored['status']}, but {found['status']} follows from its steps,"
            " variables and rules"
        )
    policy = record["policy"]
    rules = (
        stored["rules"]
        if policy is None
        else f"version {policy['version']} of the policy {policy['id']}"
    )
    findings.checked.append(
        f"the decision of the rules: {stored['status']} follows from the record by {rules}"
    )
    _compare_code(findings, record)
    _compare_libraries(findings, record)


def _compare_code(findings: Findings, record: Mapping[str, Any]) -> None:
    """Say whether this program has the code that decided, by the digest in the history."""
    there = deciding_service(record).get("code")
    here = digests.code()
    if there == here:
        findings.checked.append(f"the code that decided: it is this program's, {here}")
    elif there is None:
        findings.not_checked.append("the code that decided: an earlier release wrote no digest")
    else:
        findings.not_checked.append(
            f"that this program's code ({here}) is the one that decided ({there})"
        )


def _compare_libraries(findings: Findings, record: Mapping[str, Any]) -> None:
    """Say which of the libraries that judged this program has, and which steps others judged."""
    there: Mapping[str, str] = deciding_service(record).get("libraries", {})
    if not there:
        findings.not_checked.append("the libraries that judged: an earlier release named none")
        return
    here = digests.libraries()
    same = [f"{name} {number}" for name, number in there.items() if here.get(name) == number]
    if same:
        findings.checked.append(
            "the versions of libraries that judged and that this program has: " + ", ".join(same)
        )
    other = [
        f"{name} {number} (here {here.get(name, 'none')})"
        for name, number in there.items()
        if here.get(name) != number
    ]
    if other:
        findings.not_checked.append(
            "that this program has the libraries that judged: " + ", ".join(other)
        )
    named = digests.of_libraries(there)
    judged = {s["type"]: (s["judgedBy"] or {}).get("libraries", named) for s in record["steps"]}
    others = [name for name, digest in judged.items() if digest != named]
    if others:
        findings.not_checked.append(
            f"the libraries that judged {', '.join(others)}: they are not those of the decision."
            " The lock file of the code that judged has them"
        )


def _check_audit(
    findings: Findings,
    record: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    head: Mapping[str, Any] | None,
) -> None:
    verification = record["verification"]
    about = (verification["organizationId"], verification["id"])
    if any((entry["organizationId"], entry["resourceId"]) != about for entry in entries):
        raise Disagreement("the audit segment is about another verification")
    chained = [entry for entry in entries if entry["position"] is not None]
    _check_order(chained, head)
    _check_acts(findings, record, entries)
    findings.checked.append(f"the order of the {len(chained)} chained entries of the audit segment")
    covered = 0 if head is None else head["position"]
    later = len(entries) - sum(entry["position"] <= covered for entry in chained)
    if later:
        findings.not_checked.append(
            f"{later} entries of the audit log that no signed head covers yet"
        )


def _check_head(
    findings: Findings,
    head: Mapping[str, Any] | None,
    signed: bytes | None,
    seal: report_seal.ReportSeal | None,
) -> None:
    """Check that the certificate of the report signed the head of the audit segment."""
    if signed is None:
        if head is not None:
            findings.not_checked.append(
                "the head of the audit log's chain: no certificate signed it"
            )
        return
    try:
        content, fingerprint = report_seal.signed_content(signed)
    except report_seal.BrokenSeal as fault:
        raise Disagreement(f"the head of its segment: {fault}") from fault
    if content != canonical(head).encode():
        raise Disagreement("the head of its segment is not the one that was signed")
    if seal is not None and fingerprint != seal.fingerprint:
        raise Disagreement("the certificate of the report did not sign its segment's head")
    if seal is not None and head is not None:
        findings.checked.append(
            f"the head of the audit log's chain, entry {head['position']} at {head['signedAt']}:"
            " the certificate of the report signed it"
        )


def _check_order(chained: Sequence[Mapping[str, Any]], head: Mapping[str, Any] | None) -> None:
    """Check the places and hashes of chained entries, as far as that needs no key."""
    for before, after in pairwise(chained):
        gap = after["position"] - before["position"]
        if gap < 1 or (gap == 1 and after["previousHash"] != before["hash"]):
            raise Disagreement("the entries of the audit segment are not in the chain's order")
    for entry in chained:
        if head is None or entry["position"] != head["position"]:
            continue
        if entry["hash"] != head["hash"]:
            raise Disagreement("the audit segment contradicts its signed head")


def _check_acts(
    findings: Findings, record: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> None:
    """Compare the record's decision and status with the last ones that the audit log has."""
    acts = [
        orjson.loads(entry["details"])
        for entry in entries
        if entry["action"] == Action.VERIFICATION_STATUS_CHANGED
    ]
    decided = _last_decision(entries)
    if record["decision"] is None:
        if decided is not None:
            raise Disagreement("it lacks the decision that the audit log has")
    elif decided is None:
        findings.not_checked.append("the decision in the audit log: an earlier release wrote none")
    else:
        _check_digests(findings, record, decided)
    if acts and acts[-1]["newStatus"] != record["verification"]["status"]:
        raise Disagreement("its status is not the last one in the audit log")


def _last_decision(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return what the audit log has of the last decision of the rules; None if it has none, or if
    steps have run again since, or pictures were asked for again.
    """
    last = None
    for entry in entries:
        if entry["action"] in _REOPENING:
            last = None
        elif entry["action"] == Action.VERIFICATION_STATUS_CHANGED:
            details = orjson.loads(entry["details"])
            last = details if "decision" in details else last
    return last


def _check_digests(
    findings: Findings, record: Mapping[str, Any], decided: Mapping[str, Any]
) -> None:
    """Compare the decision, and what it rests on, with the digests in the audit log."""
    if decided["decision"] != sha256(canonical(record["decision"]).encode()).hexdigest():
        raise Disagreement("its decision is not the one whose digest the audit log has")
    findings.checked.append("the decision has the digest that the audit log recorded with it")
    if "evidence" not in decided:
        findings.not_checked.append(
            "the evidence in the audit log: an earlier release wrote no digest of it"
        )
        return
    if decided["evidence"] != evidence_digest(record["inputs"], record["steps"]).hex():
        raise Disagreement(
            "its files or results are not those whose digest the audit log has: something changed"
            " after the decision"
        )
    findings.checked.append(
        "the files and the results of the steps have the digest that the audit log recorded with"
        " the decision"
    )
