"""Location checks: rules, addresses that are nowhere, what the answer rests on, what is kept."""

from contextlib import asynccontextmanager

import httpx
import pytest
from sqlalchemy import text

from acredita.main import create_app
from tests.factories.maxmind import ANONYMOUS, ASNS, CITIES, write
from tests.factories.organizations import Member

PATH = "/v1/location/check"
MEXICO_CITY, GUADALAJARA, LOS_ANGELES = "203.0.113.7", "203.0.113.70", "203.0.113.200"
A_VPN, A_PROXY, A_TOR, A_HOST = (f"198.51.100.{last}" for last in (7, 70, 130, 200))


async def check(member, address, **rules):
    answer = await member.post(PATH, json={"ipAddress": address} | rules)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def with_files(settings, banco, tmp_path):
    """`async with with_files(city=...) as member`: banco with databases of those networks."""
    kinds = {
        "city": ("city_file", "GeoLite2-City"),
        "asn": ("asn_file", "GeoLite2-ASN"),
        "anonymous": ("anonymous_ip_file", "GeoIP2-Anonymous-IP"),
    }

    @asynccontextmanager
    async def opened(**databases):
        told = {"geolocation_provider": "maxmind"}
        for name, networks in databases.items():
            setting, kind = kinds[name]
            path = tmp_path / f"{name}.mmdb"
            path.write_bytes(networks if isinstance(networks, bytes) else write(kind, networks))
            told[f"geolocation_{setting}"] = path
        app = create_app(type(settings)(**settings.model_dump() | told, _env_file=None))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://test") as client,
        ):
            yield Member(client, banco.organization_id, banco.api_key, banco.token)

    return opened


async def test_a_sandbox_says_where_its_addresses_are_and_that_it_is_one(banco):
    shown = await check(banco, MEXICO_CITY)
    assert (shown["allowed"], shown["reasons"]) == (True, [])
    assert (shown["country"], shown["city"]) == ("MX", "Ciudad de México")
    assert shown["region"] == {"code": "CMX", "name": "Ciudad de México"}
    assert shown["coordinates"] == {
        "latitude": 19.4326,
        "longitude": -99.1332,
        "accuracyRadiusKm": 20,
    }
    assert shown["asn"] == {"number": 64496, "organization": "Example Network"}
    assert [shown[flag] for flag in ("vpn", "proxy", "tor", "hosting")] == [False] * 4
    assert (shown["sandbox"], shown["provider"]) == (True, "sandbox")
    assert [database["name"] for database in shown["databases"]] == ["built-in table"]
    assert shown["warnings"] == []
    assert await check(banco, MEXICO_CITY) | {"id": 0} == shown | {"id": 0}


@pytest.mark.parametrize(
    ("address", "rules", "reasons"),
    [
        (MEXICO_CITY, {"allowedCountries": ["MX"]}, []),
        (MEXICO_CITY, {"allowedCountries": ["us", "mx"]}, []),
        (LOS_ANGELES, {"allowedCountries": ["MX"]}, ["COUNTRY_NOT_ALLOWED"]),
        (MEXICO_CITY, {"allowedCountries": []}, []),
        (LOS_ANGELES, {"allowedCountries": None, "allowedCities": None, "blockVpn": None}, []),
        (MEXICO_CITY, {"allowedCities": ["CIUDAD DE MEXICO"]}, []),
        (MEXICO_CITY, {"allowedCities": ["ciudad  de méxico"]}, []),
        (MEXICO_CITY, {"allowedCities": ["Mexico City"]}, []),
        (LOS_ANGELES, {"allowedCities": ["los angeles"]}, []),
        (GUADALAJARA, {"allowedCities": ["Ciudad de México"]}, ["CITY_NOT_ALLOWED"]),
        (MEXICO_CITY, {"allowedCities": ["México"]}, ["CITY_NOT_ALLOWED"]),
        (A_VPN, {"blockVpn": True}, ["VPN"]),
        (A_PROXY, {"blockVpn": True}, ["PROXY"]),
        (A_TOR, {"blockVpn": True}, ["TOR"]),
        (A_HOST, {"blockVpn": True}, []),
        (A_VPN, {"blockVpn": False}, []),
        (A_VPN, {"allowedCities": ["Guadalajara"]}, ["CITY_UNKNOWN"]),
        (
            LOS_ANGELES,
            {"allowedCountries": ["MX"], "allowedCities": ["Guadalajara"], "blockVpn": True},
            ["COUNTRY_NOT_ALLOWED", "CITY_NOT_ALLOWED"],
        ),
        (
            "9.9.9.9",
            {"allowedCountries": ["US"], "allowedCities": ["Berkeley"], "blockVpn": True},
            ["COUNTRY_UNKNOWN", "CITY_UNKNOWN", "VPN_UNKNOWN"],
        ),
        ("9.9.9.9", {}, []),
    ],
)
async def test_rules_decide_and_what_cannot_be_judged_lets_nobody_through(
    banco, address, rules, reasons
):
    shown = await check(banco, address, **rules)
    assert shown["reasons"] == reasons
    assert shown["allowed"] is (reasons == [])


@pytest.mark.parametrize(
    ("given", "judged", "kind", "carrier"),
    [
        ("192.168.1.1", "192.168.1.1", "PRIVATE", None),
        ("100.64.0.1", "100.64.0.1", "SHARED", None),
        ("127.0.0.1", "127.0.0.1", "LOOPBACK", None),
        ("::1", "::1", "LOOPBACK", None),
        ("::", "::", "RESERVED", None),
        ("fe80::1%eth0", "fe80::1", "LINK_LOCAL", None),
        ("fd00::1", "fd00::1", "PRIVATE", None),
        ("224.0.0.1", "224.0.0.1", "MULTICAST", None),
        ("255.255.255.255", "255.255.255.255", "RESERVED", None),
        ("::ffff:10.0.0.1", "10.0.0.1", "PRIVATE", "IPV4_MAPPED"),
        ("2002:c0a8:101::1", "192.168.1.1", "PRIVATE", "6TO4"),
    ],
)
async def test_an_address_that_is_nowhere_is_not_looked_up(banco, given, judged, kind, carrier):
    shown = await check(banco, given, allowedCountries=["MX"], blockVpn=True)
    assert (shown["ipAddress"], shown["addressKind"], shown["carrier"]) == (judged, kind, carrier)
    assert shown["reasons"] == ["COUNTRY_UNKNOWN", "VPN_UNKNOWN"]
    assert shown["warnings"] == ["ADDRESS_NOT_PUBLIC"]
    assert shown["country"] is None


@pytest.mark.parametrize(
    ("given", "carrier"),
    [
        ("8.8.8.8", None),
        ("::ffff:8.8.8.8", "IPV4_MAPPED"),
        ("::FFFF:808:808", "IPV4_MAPPED"),
        ("64:ff9b::808:808", "NAT64"),
        ("2002:808:808::1", "6TO4"),
        ("2001:0:4136:e378:8000:63bf:f7f7:f7f7", "TEREDO"),
    ],
)
async def test_an_ipv4_address_is_the_same_in_every_form_of_ipv6(banco, given, carrier):
    shown = await check(banco, given, allowedCountries=["MX"])
    assert (shown["ipAddress"], shown["carrier"]) == ("8.8.8.8", carrier)
    assert shown["reasons"] == ["COUNTRY_NOT_ALLOWED"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"ipAddress": "not an address"},
        {"ipAddress": "8.8.8"},
        {"ipAddress": "8.8.8.8/24"},
        {"ipAddress": "8.8.8.8:443"},
        {"ipAddress": "[::1]"},
        {"ipAddress": "010.8.8.8"},
        {"ipAddress": " 8.8.8.8"},
        {"ipAddress": "8.8.8.8\n"},
        {"ipAddress": "٨.8.8.8"},
        {"ipAddress": "1"},
        {"ipAddress": "1" * 46},
        {"ipAddress": 134744072},
        {"ipAddress": "8.8.8.8", "allowedCountries": ["MEX"]},
        {"ipAddress": "8.8.8.8", "allowedCountries": ["MX"] * 251},
        {"ipAddress": "8.8.8.8", "allowedCities": [""]},
        {"ipAddress": "8.8.8.8", "allowedCities": ["x" * 101]},
        {"ipAddress": "8.8.8.8", "blockVpn": "yes"},
        {"ipAddress": "8.8.8.8", "country": "MX"},
    ],
)
async def test_what_is_no_check_is_refused(banco, body):
    answer = await banco.post(PATH, json=body)
    assert answer.status_code == 422, answer.text


async def test_databases_answer_and_are_named_with_their_dates(with_files):
    async with with_files(city=CITIES, asn=ASNS, anonymous=ANONYMOUS) as member:
        shown = await check(
            member, "187.188.1.9", allowedCountries=["mx"], allowedCities=["Mexico city"]
        )
        blocked = await check(member, "187.188.1.9", blockVpn=True)
    assert (shown["allowed"], shown["sandbox"], shown["warnings"]) == (True, False, [])
    assert shown["asn"] == {"number": 17072, "organization": "TOTAL PLAY"}
    assert (shown["vpn"], shown["tor"]) == (True, False)
    assert [(each["role"], each["name"], each["builtAt"]) for each in shown["databases"]] == [
        ("city", "GeoLite2-City", "2026-09-21T14:13:20.000Z"),
        ("asn", "GeoLite2-ASN", "2026-09-21T14:13:20.000Z"),
        ("anonymousIp", "GeoIP2-Anonymous-IP", "2026-09-21T14:13:20.000Z"),
    ]
    assert blocked["reasons"] == ["VPN"]


async def test_without_databases_it_says_so_instead_of_guessing(with_files):
    async with with_files() as member:
        shown = await check(member, "187.188.1.9", allowedCountries=["MX"], blockVpn=True)
    assert (shown["allowed"], shown["reasons"]) == (False, ["COUNTRY_UNKNOWN", "VPN_UNKNOWN"])
    assert shown["databases"] == []
    assert shown["warnings"] == ["NO_CITY_DATABASE", "NO_ASN_DATABASE", "NO_VPN_DATABASE"]
    assert [shown[name] for name in ("country", "city", "coordinates", "asn", "vpn")] == [None] * 5


async def test_a_damaged_database_is_told_of(with_files):
    async with with_files(city=b"<html>") as member:
        shown = await check(member, "187.188.1.9")
    (database,) = shown["databases"]
    assert (database["name"], database["builtAt"]) == ("city.mmdb", None)
    assert database["problem"] == "not a database, or truncated"
    assert "DATABASE_PROBLEM" in shown["warnings"]
    assert "NO_CITY_DATABASE" in shown["warnings"]


async def test_documentation_addresses_are_magic_in_the_sandbox_alone(with_files):
    async with with_files(city=CITIES) as member:
        shown = await check(member, MEXICO_CITY)
    assert (shown["addressKind"], shown["country"]) == ("DOCUMENTATION", None)


async def test_a_check_is_recorded_without_the_address(banco, services):
    shown = await check(banco, LOS_ANGELES, allowedCountries=["MX"])
    query = "SELECT * FROM audit_log WHERE resource_id = :id"
    async with services.database.reading() as connection:
        (entry,) = (await connection.execute(text(query), {"id": shown["id"]})).mappings().all()
    assert (entry["action"], entry["resource_type"]) == ("location_check.made", "location_check")
    assert LOS_ANGELES not in str(entry)
    assert '"reasons":["COUNTRY_NOT_ALLOWED"]' in entry["details"]


async def test_a_caller_is_needed(banco):
    answer = await banco.client.post(PATH, json={"ipAddress": MEXICO_CITY})
    assert answer.status_code == 401
