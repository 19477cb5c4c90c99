"""Many values are sealed as one is."""

import pytest

from acredita.kit.crypto import NONCE_BYTES, CannotUnseal, KeyRing


def test_each_of_many_values_has_its_own_nonce_and_context():
    keys = KeyRing({"k1": bytes(32)})
    values = [(b"the same", f"row:{number}") for number in range(50)]
    sealed = keys.seal_many(values)
    assert [
        keys.unseal(each, context=context)
        for each, (_, context) in zip(sealed, values, strict=True)
    ] == [plain for plain, _ in values]
    start = len(keys.mark)
    assert len({each[start : start + NONCE_BYTES] for each in sealed}) == 50
    with pytest.raises(CannotUnseal):
        keys.unseal(sealed[0], context="row:1")
    assert keys.seal_many([]) == []
