"""Databases of MaxMind's format and lists of networks, replaced and damaged under the reader."""

import os
import random
import time
from datetime import UTC, datetime
from ipaddress import ip_address

import pytest

from acredita.domain.location.ip_addresses import AddressKind
from acredita.domain.location.places import Coordinates, Hidden, Network, Region
from acredita.providers.geolocation import DatabaseRole, Files, open_geolocation
from acredita.providers.geolocation.file_watch import InvalidFile, WatchedFile
from tests.factories.maxmind import ANONYMOUS, ASNS, BUILT, CITIES, city, write

OFTEN = 1e-9


def opened(*, check_interval=OFTEN, **files):
    return open_geolocation("maxmind", files=Files(**files), check_interval=check_interval)


async def look_up(geolocation, text):
    place, _ = await geolocation.look_up(ip_address(text))
    return place


async def settled(geolocation):
    """After the files were looked at once more."""
    await geolocation.sources()
    await geolocation.close()
    return {source.role: source for source in await geolocation.sources()}


@pytest.fixture
def files(tmp_path):
    given = {"city": ("GeoLite2-City", CITIES), "asn": ("GeoLite2-ASN", ASNS)}
    given["anonymous_ip"] = ("GeoIP2-Anonymous-IP", ANONYMOUS)
    for name, (kind, networks) in given.items():
        (tmp_path / f"{name}.mmdb").write_bytes(write(kind, networks))
    return {name: tmp_path / f"{name}.mmdb" for name in given}


def replace_with(path, content):
    """As downloaders do: whole, by renaming; with a moment of its own even on coarse clocks."""
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    fresh.replace(path)


async def test_an_address_is_found_with_all_that_is_known_of_it(files):
    async with opened(**files) as geolocation:
        place, sources = await geolocation.look_up(ip_address("187.188.9.9"))
    assert (place.country, place.country_name, place.city) == ("MX", "México", "Ciudad de México")
    assert place.city_names == {"Mexico City", "Ciudad de México"}
    assert place.region == Region("CMX", "Ciudad de México")
    assert place.coordinates == Coordinates(19.4326, -99.1332, 20)
    assert place.network == Network(17072, "TOTAL PLAY")
    assert place.hidden == Hidden(vpn=False, proxy=False, tor=False, hosting=False)
    assert [(source.role, source.name, source.problem) for source in sources] == [
        (DatabaseRole.CITY, "GeoLite2-City", None),
        (DatabaseRole.ASN, "GeoLite2-ASN", None),
        (DatabaseRole.ANONYMOUS_IP, "GeoIP2-Anonymous-IP", None),
    ]
    assert sources[0].built_at == datetime.fromtimestamp(BUILT, UTC)


async def test_ipv6_is_looked_up_and_narrower_networks_win(files):
    async with opened(**files) as geolocation:
        assert (await look_up(geolocation, "2806::1")).city == "Ciudad de México"
        assert (await look_up(geolocation, "8.8.8.8")).city == "Mountain View"
        assert (await look_up(geolocation, "8.9.9.9")).city is None
        assert (await look_up(geolocation, "9.9.9.9")).country is None


@pytest.mark.parametrize(
    ("address", "flags"),
    [
        ("187.188.1.1", {"vpn"}),
        ("187.188.2.1", {"proxy"}),
        ("187.188.3.1", {"tor"}),
        ("187.188.4.1", {"hosting"}),
        ("187.188.5.1", {"proxy"}),
        ("187.188.6.1", {"vpn"}),
        ("1.1.1.1", set()),
    ],
)
async def test_who_hides_is_told_apart(files, address, flags):
    async with opened(**files) as geolocation:
        hidden = (await look_up(geolocation, address)).hidden
    assert {name for name in Hidden.__dataclass_fields__ if getattr(hidden, name)} == flags


async def test_without_databases_nothing_is_known_and_none_is_named():
    async with opened() as geolocation:
        place, sources = await geolocation.look_up(ip_address("187.188.9.9"))
    assert (place.country, place.hidden, sources) == (None, Hidden(), [])


async def test_a_database_of_ipv4_alone_says_nothing_of_ipv6(tmp_path):
    path = tmp_path / "city.mmdb"
    path.write_bytes(write("GeoLite2-City", {"8.8.8.0/24": city("US")}, version=4))
    async with opened(city=path) as geolocation:
        assert (await look_up(geolocation, "8.8.8.8")).country == "US"
        assert (await look_up(geolocation, "2806::1")).country is None


async def test_lists_tell_of_their_own_kind_alone(tmp_path):
    path = tmp_path / "vpn.txt"
    path.write_text("# VPNs\n\n187.188.0.0/16 ; a provider\n2806::/16\n10.0.0.1\n")
    async with opened(vpn=(path,)) as geolocation:
        assert (await look_up(geolocation, "187.188.1.1")).hidden == Hidden(vpn=True)
        assert (await look_up(geolocation, "2806::5")).hidden == Hidden(vpn=True)
        assert (await look_up(geolocation, "1.1.1.1")).hidden == Hidden(vpn=False)


async def test_one_list_that_names_the_address_suffices(tmp_path, files):
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("1.1.1.0/24\n")
    other.write_text("187.188.9.0/24\n")
    async with opened(vpn=(one, other), **files) as geolocation:
        assert (await look_up(geolocation, "187.188.9.9")).hidden.vpn
        assert (await look_up(geolocation, "1.1.1.1")).hidden.vpn
        assert (await look_up(geolocation, "187.188.1.1")).hidden.vpn
        assert (await look_up(geolocation, "187.188.7.1")).hidden.vpn is False


async def test_a_newer_file_is_taken_up_without_a_stop(files):
    async with opened(**files) as geolocation:
        assert (await look_up(geolocation, "8.8.8.8")).country == "US"
        newer = write("GeoLite2-City", {"8.8.8.0/24": city("CA")}, built=BUILT + 86_400)
        replace_with(files["city"], newer)
        sources = await settled(geolocation)
        assert (await look_up(geolocation, "8.8.8.8")).country == "CA"
    assert sources[DatabaseRole.CITY].built_at == datetime.fromtimestamp(BUILT + 86_400, UTC)
    assert sources[DatabaseRole.CITY].problem is None


SOUND = write("GeoLite2-City", CITIES)
TREE, METADATA = SOUND.index(bytes(16)), SOUND.index(b"\xab\xcd")
DAMAGED = {
    "cut off": SOUND[: len(SOUND) // 2],
    "cut off at its end": SOUND[:-20],
    "empty": b"",
    "a page": b"<html>Download limit reached</html>",
    "of another kind": write("GeoLite2-ASN", ASNS),
    "scrambled": SOUND[:TREE] + bytes(16) + b"\xff" * 400 + SOUND[METADATA:],
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_file_is_refused_told_of_and_the_old_one_serves(files, content):
    async with opened(**files) as geolocation:
        before = await look_up(geolocation, "187.188.9.9")
        replace_with(files["city"], content)
        sources = await settled(geolocation)
        assert await look_up(geolocation, "187.188.9.9") == before
        assert sources[DatabaseRole.CITY].problem
        assert sources[DatabaseRole.CITY].built_at == datetime.fromtimestamp(BUILT, UTC)
        replace_with(files["city"], write("GeoLite2-City", {"187.188.0.0/16": city("US")}))
        sources = await settled(geolocation)
        assert (await look_up(geolocation, "187.188.9.9")).country == "US"
        assert sources[DatabaseRole.CITY].problem is None


async def test_a_file_that_is_overwritten_in_its_place_harms_nobody(files):
    async with opened(**files) as geolocation:
        before = await look_up(geolocation, "187.188.9.9")
        with files["city"].open("r+b") as file:
            file.truncate(10)
        sources = await settled(geolocation)
        assert await look_up(geolocation, "187.188.9.9") == before
        assert sources[DatabaseRole.CITY].problem


async def test_a_file_that_goes_away_serves_on_and_one_that_comes_late_is_taken_up(files):
    late = files["asn"].read_bytes()
    files["asn"].unlink()
    async with opened(**files) as geolocation:
        assert (await look_up(geolocation, "187.188.9.9")).network is None
        sources = await settled(geolocation)
        assert (sources[DatabaseRole.ASN].problem, sources[DatabaseRole.ASN].built_at) == (
            "missing",
            None,
        )
        files["asn"].write_bytes(late)
        files["city"].unlink()
        sources = await settled(geolocation)
        assert sources[DatabaseRole.ASN].problem is None
        assert sources[DatabaseRole.CITY].problem == "missing"
        place = await look_up(geolocation, "187.188.9.9")
        assert (place.country, place.network.number) == ("MX", 17072)


async def test_a_list_that_turned_into_a_page_is_refused(tmp_path):
    path = tmp_path / "vpn.txt"
    path.write_text("187.188.0.0/16\n")
    async with opened(vpn=(path,)) as geolocation:
        assert (await look_up(geolocation, "187.188.1.1")).hidden.vpn
        replace_with(path, b"<html>\n<body>\nMoved\n</body>\n")
        sources = await settled(geolocation)
        assert sources[DatabaseRole.VPN].problem == "not a list of networks"
        assert (await look_up(geolocation, "187.188.1.1")).hidden.vpn


async def test_files_are_not_read_again_while_they_stay_the_same(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"1")
    read = []
    watched = WatchedFile(path, read.append)
    for _ in range(3):
        watched.refresh()
    os.utime(path, ns=(1, 1))
    watched.refresh()
    assert read == [b"1", b"1"]


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"half")

    def load(content):
        if content == b"half":
            path.write_bytes(b"the whole")
        return content

    watched = WatchedFile(path, load)
    watched.refresh()
    assert watched.content is None
    watched.refresh()
    assert watched.content == b"the whole"


def test_what_makes_the_reader_raise_anything_is_refused(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"1")

    def load(content):
        raise RecursionError

    watched = WatchedFile(path, load)
    watched.refresh()
    assert watched.problem == "damaged"


async def test_random_damage_raises_nothing_and_never_stops_the_service(files):
    sound = files["city"].read_bytes()
    dice = random.Random(7)
    async with opened(**files) as geolocation:
        for _ in range(60):
            content = bytearray(sound)
            for _ in range(dice.randint(1, 30)):
                content[dice.randrange(len(content))] = dice.randrange(256)
            replace_with(files["city"], bytes(content))
            await settled(geolocation)
            for address in ("8.8.8.8", "187.188.9.9", "2806::1", "9.9.9.9"):
                await geolocation.look_up(ip_address(address))


async def test_a_look_up_takes_less_than_a_millisecond_of_cpu(files):
    async with opened(check_interval=3600, **files) as geolocation:
        address = ip_address("187.188.9.9")
        await geolocation.look_up(address)
        started = time.process_time()
        for _ in range(200):
            await geolocation.look_up(address)
        assert (time.process_time() - started) / 200 < 0.001


async def test_only_public_addresses_are_asked_about(files):
    async with opened(**files) as geolocation:
        assert {kind for kind in AddressKind if geolocation.knows(kind)} == {AddressKind.PUBLIC}


async def test_an_unknown_provider_is_refused():
    with pytest.raises(ValueError, match="sandbox, maxmind or none"):
        async with open_geolocation("another", files=Files(), check_interval=1):
            pass


def test_a_fault_names_no_path():
    assert str(InvalidFile("missing")) == "missing"
