"""Sealed columns: what the models declare, and what a column refuses."""

import ast
import re
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import update
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

import acredita
from acredita.kit.crypto import CannotUnseal, KeyRing
from acredita.kit.sealed import (
    JSON,
    TEXT,
    Sealed,
    SealedBytes,
    SealedOrNull,
    SealedType,
    sealed_columns,
)
from acredita.models import Base, CreditCheck, FirstAnswer, Verification, VerificationStep
from tests.factories.organizations import make_verification

DOCUMENT = Path(__file__).parents[2] / "docs" / "compliance" / "data-at-rest.md"
SOURCES = Path(acredita.__file__).parent
KEYS = KeyRing({"a": bytes(32)})
ROW, OTHER = UUID(int=1), UUID(int=2)


def test_the_documentation_lists_every_sealed_column_with_the_context_of_its_values():
    listed = re.findall(r"^\| `(\w+\.\w+)` \| `(\S+)` \|$", DOCUMENT.read_text(), re.MULTILINE)
    assert listed == [(each.name, each.pattern) for each in sealed_columns(Base)]


def test_every_column_that_is_called_sealed_is_of_the_sealed_type():
    called = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.columns
        if column.name.endswith("_sealed")
    }
    assert {each.name for each in sealed_columns(Base)} == called


def test_only_the_accessors_use_the_key_ring():
    """A call of `KeyRing.seal` elsewhere would choose a context of its own."""
    calls = [
        f"{path.relative_to(SOURCES)}:{node.lineno}"
        for path in SOURCES.rglob("*.py")
        if re.search(r"\.\s*(?:un)?seal\b", source := path.read_text())
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"seal", "unseal"}
        and any(keyword.arg == "context" for keyword in node.keywords)
    ]
    assert {call.partition(":")[0] for call in calls} == {"kit/sealed.py"}, calls


def test_a_value_that_an_earlier_release_sealed_opens():
    for row_id, context, column in (
        (ROW, f"verification_step:{ROW}", VerificationStep.result),
        (ROW, f"verification_hold:{ROW}", CreditCheck.hold_reason),
        (b"\x00\xff", "first_answer:00ff", FirstAnswer.answer),
    ):
        content = b'"text"' if column is not CreditCheck.hold_reason else b"text"
        assert column.open(KEYS, row_id, KEYS.seal(content, context=context)) == "text"


def test_a_value_opens_in_its_own_row_and_column_only():
    sealed = Verification.notes.seal(KEYS, ROW, "Ana")
    assert Verification.notes.open(KEYS, ROW, sealed) == "Ana"
    for column, row_id in ((Verification.notes, OTHER), (Verification.hold_reason, ROW)):
        with pytest.raises(CannotUnseal):
            column.open(KEYS, row_id, sealed)


def test_a_loaded_row_seals_and_opens_for_itself_and_null_is_none():
    row = Verification(id=ROW)
    assert row.notes.open(KEYS) is None
    row.notes.seal(KEYS, "Ana")
    assert b"Ana" not in row.notes_sealed
    assert row.notes.open(KEYS) == "Ana"
    row.notes.seal(KEYS, None)
    assert row.notes_sealed is None
    check = CreditCheck(id=ROW)
    with pytest.raises(CannotUnseal):
        check.question.open(KEYS)


def test_a_row_without_an_id_is_not_sealed():
    with pytest.raises(ValueError, match="set id before"):
        Verification().notes.seal(KEYS, "Ana")


def test_plaintext_is_assigned_to_no_accessor():
    with pytest.raises(AttributeError):
        Verification(id=ROW).notes = "Ana"
    with pytest.raises(AttributeError):
        Verification(id=ROW, notes="Ana")


@pytest.mark.parametrize(
    "plain", [b"Ana", KEYS.seal(b"Ana", context="of nothing")], ids=["text", "foreign seal"]
)
async def test_a_sealed_column_refuses_bytes_that_no_accessor_sealed(banco, services, plain):
    verification_id = UUID(await make_verification(banco))
    async with services.database.transaction() as session:
        row = await session.get_one(Verification, verification_id)
        row.notes_sealed = plain
        with pytest.raises(StatementError, match="only what its accessor sealed"):
            await session.flush()
        await session.rollback()
    async with services.database.transaction() as session:
        with pytest.raises(StatementError, match="only what its accessor sealed"):
            await session.execute(update(Verification).values(notes_sealed=plain))
        await session.rollback()


@pytest.mark.parametrize(
    ("context", "accessors", "message"),
    [
        ("note:{id}", lambda _: {}, "one accessor"),
        ("note:{id}", lambda context: {"text": SealedOrNull(context, TEXT)}, "nullability"),
        (
            "note:{id}",
            lambda context: {
                "text": Sealed(context, TEXT),
                "again": Sealed(context, JSON, column="text_sealed"),
            },
            "one accessor",
        ),
        ("note:{number}", lambda context: {"text": Sealed(context, TEXT)}, "primary key"),
    ],
)
def test_a_wrong_declaration_is_found(context, accessors, message):
    class Own(DeclarativeBase):
        pass

    columns = {
        "__tablename__": "note",
        "__annotations__": {"id": Mapped[int], "number": Mapped[int]},
        "id": mapped_column(primary_key=True),
        "text_sealed": mapped_column(SealedType(), nullable=False),
    }
    type("Note", (Own,), columns | accessors(context))
    with pytest.raises(TypeError, match=message):
        list(sealed_columns(Own))


@pytest.mark.parametrize("context", ["note", "note:{}", "note:{id}:{number}"])
def test_a_context_names_the_primary_key_once(context):
    with pytest.raises(ValueError, match="primary key"):
        Sealed(context, TEXT)


def test_a_sealed_value_is_of_a_type_of_its_own():
    assert type(Verification.notes.seal(KEYS, ROW, "Ana")) is SealedBytes
