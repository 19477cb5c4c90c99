import ssl

import pytest
import trustme

from acredita.kit.database_url import is_pooled, libpq_environment, normalized, resolve
from acredita.kit.statement_pool import connect_arguments

URL = "postgresql://user:password@db.example:5432/acredita"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    file = tmp_path_factory.mktemp("tls") / "root.pem"
    trustme.CA().cert_pem.write_to_path(file)
    return file


def tls_of(query):
    address, arguments = resolve(f"{URL}?{query}")
    assert str(address) == "postgresql+asyncpg://user:***@db.example:5432/acredita"
    return arguments["ssl"]


def test_a_url_without_tls_parameters_leaves_tls_to_the_driver():
    assert resolve(URL)[1] == {}


def test_sslmode_without_verification_encrypts_alone():
    assert tls_of("sslmode=disable") is False
    assert tls_of("sslmode=prefer") == "prefer"
    context = tls_of("sslmode=require")
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_NONE, False)


def test_verification_trusts_the_named_root_alone(root):
    full = tls_of(f"sslmode=verify-full&sslrootcert={root}")
    assert (full.verify_mode, full.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert len(full.get_ca_certs()) == 1
    chain = tls_of(f"sslmode=verify-ca&sslrootcert={root}")
    assert (chain.verify_mode, chain.check_hostname) == (ssl.CERT_REQUIRED, False)


def test_require_with_a_root_verifies_as_in_libpq(root):
    context = tls_of(f"sslmode=require&sslrootcert={root}")
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, False)


def test_the_systems_roots_verify_names_too():
    context = tls_of("sslrootcert=system")
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_a_client_certificate_is_presented(root, tmp_path):
    leaf = trustme.CA().issue_cert("client.example")
    certificate, key = tmp_path / "client.pem", tmp_path / "client.key"
    leaf.cert_chain_pems[0].write_to_path(certificate)
    leaf.private_key_pem.write_to_path(key)
    assert tls_of(f"sslmode=require&sslcert={certificate}&sslkey={key}")
    with pytest.raises(ValueError, match="certificate file"):
        tls_of(f"sslmode=require&sslcert={certificate}&sslkey={root}")


def test_programs_of_postgresql_get_the_same_connection_by_their_environment():
    url = "postgresql+asyncpg://user:p%40ss@db.example/acredita?sslmode=require"
    assert libpq_environment(url) == {
        "PGHOST": "db.example",
        "PGUSER": "user",
        "PGPASSWORD": "p@ss",
        "PGDATABASE": "acredita",
        "PGSSLMODE": "require",
    }
    # Without a file, the service trusts the system's authorities; libpq would look for a file.
    verified = libpq_environment(f"{URL}?sslmode=verify-full")
    assert verified["PGSSLROOTCERT"] == "system"
    own = libpq_environment(f"{URL}?sslmode=verify-full&sslrootcert=/etc/own.pem")
    assert own["PGSSLROOTCERT"] == "/etc/own.pem"


def test_several_hosts_are_tried_by_the_driver_and_by_postgresqls_programs():
    written = "postgresql://user:password@one:5433,two/acredita?target_session_attrs=read-write"
    for url in (written, normalized(written)):
        arguments = connect_arguments(url)
        assert (arguments["host"], arguments["port"]) == (["one", "two"], [5433, 5432])
        assert arguments["target_session_attrs"] == "read-write"
        environment = libpq_environment(url)
        assert (environment["PGHOST"], environment["PGPORT"]) == ("one,two", "5433,5432")
        assert environment["PGTARGETSESSIONATTRS"] == "read-write"


def test_only_an_address_that_says_so_is_a_pooler():
    assert is_pooled(f"{URL}?sslmode=require&pgbouncer=true")
    assert not is_pooled(URL)
    assert not is_pooled(f"{URL}?pgbouncer=false")
    assert "pgbouncer" not in connect_arguments(f"{URL}?pgbouncer=true")
