"""Whom connections to other servers trust."""

import os
import ssl

import pytest
import trustme

from acredita.kit.trust import trusting


def written(file, changed_at):
    """Another authority each time."""
    trustme.CA().cert_pem.write_to_path(str(file))
    os.utime(file, ns=(changed_at, changed_at))
    return file


def test_the_system_and_the_file_are_trusted_and_parsed_once(tmp_path):
    file = written(tmp_path / "ca.pem", 1)
    assert trusting() is trusting()
    assert trusting(file) is trusting(file)
    both = trusting(file).get_ca_certs()
    assert len(both) == len(trusting().get_ca_certs()) + 1


def test_a_file_that_changed_is_read_again(tmp_path):
    file = tmp_path / "ca.pem"
    before = trusting(written(file, 1)).get_ca_certs()
    assert trusting(written(file, 2)).get_ca_certs() != before


def test_a_file_that_is_absent_or_no_certificate_is_refused(tmp_path):
    with pytest.raises(OSError, match=r"ca\.pem"):
        trusting(tmp_path / "ca.pem")
    (tmp_path / "ca.pem").write_text("nonsense")
    with pytest.raises(ssl.SSLError):
        trusting(tmp_path / "ca.pem")
