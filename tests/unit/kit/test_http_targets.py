"""What is dialled, and what is refused before any packet leaves."""

import socket
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.http import ForbiddenAddress, HttpError, InvalidTarget
from acredita.kit.http.public_addresses import is_public
from acredita.kit.http.urls import NAME, parse_target

LOOPBACK_SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0X7F.0.0.1",
    "0177.0.0.1",
    "0177.1",
    "017700000001",
    "127.0.0.1.",
    "127.1.",
    "127.000.000.001",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "127．0．0．1",
    "%31%32%37.0.0.1",
    "127.0.0.0x1",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fec0::1]",
    "[fe80::1%25eth0]",
    "[fe80::1%eth0]",
    "0",
    "0.0.0.0",  # noqa: S104
    "[::]",
    "224.0.0.1",
    "100.100.100.200",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "[v1.loopback]",
]


@pytest.mark.parametrize("host", LOOPBACK_SPELLINGS)
def test_no_spelling_of_a_private_address_is_admitted(host):
    with pytest.raises((ForbiddenAddress, InvalidTarget)):
        parse_target(f"https://{host}/hook", allow_private=False)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "//example.com/",
        "example.com",
        "",
        "https://",
        "https:///path",
        "https:example.com",
        "https:/example.com/",
        "https://user@example.com/",
        "https://user:secret@example.com/",
        "https://@example.com/",
        "https://:@example.com/",
        "https://example.com:0/",
        "https://example.com:０/",
        "https://example.com:65536/",
        "https://example.com:-1/",
        "https://example.com:http/",
        "https://example.com\\@127.0.0.1/",
        "https:\\\\example.com/",
        "https://example.com/\r\nX-Injected: 1",
        "https://example.com/a b",
        "https://example.com/\x00",
        "https://example.com\t/",
        " https://example.com/",
        "https://example.com/\n",
        "https://exam\u00adple.com/",
        "https://exam\u200bple.com/",
        "https://example\ud800.com/",
        "https://a..b/",
        "https://.example.com/",
        "https://-example.com/",
        "https://exam%70le.com/",
        "https://a,b/",
        "https://a;b/",
        "https://[::1/",
        "https://" + "a" * 64 + ".com/",
        "https://" + "a." * 127 + "com/",
    ],
)
def test_what_is_not_a_plain_https_address_is_invalid(url):
    with pytest.raises(InvalidTarget):
        parse_target(url, allow_private=False)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("https://example.com", "example.com", 443),
        ("HTTPS://Example.COM:8443/Hook?q=%2F#x", "example.com", 8443),
        ("https://example.com./hook", "example.com.", 443),
        ("https://hooks_1.example.com/a@b", "hooks_1.example.com", 443),
        ("https://méxico.example/", "xn--mxico-bsa.example", 443),
        ("https://8.8.8.8/", "8.8.8.8", 443),
        ("https://[2606:4700:4700::1111]:444/", "2606:4700:4700::1111", 444),
        ("https://1.example.com/", "1.example.com", 443),
        ("https://0x7f.example/", "0x7f.example", 443),
    ],
)
def test_public_addresses_and_names_are_admitted(url, host, port):
    target = parse_target(url, allow_private=False)
    assert (target.url.raw_host, target.url.port) == (host, port)


def test_private_targets_are_admitted_only_on_request():
    assert parse_target("http://127.0.0.1:8080/", allow_private=True).literal
    with pytest.raises(InvalidTarget):
        parse_target("http://127.1:8080/", allow_private=True)


def test_messages_never_repeat_the_address():
    for url in ("https://10.0.0.1/token-4711", "http://example.com/token-4711", "token-4711"):
        with pytest.raises(HttpError) as caught:
            parse_target(url, allow_private=False)
        assert "token-4711" not in str(caught.value)
        assert "10.0.0.1" not in str(caught.value)


hosts = st.one_of(
    st.text(st.sampled_from("0123456789abcdefx.:[]%-_１①。"), min_size=1, max_size=20),
    st.text(min_size=1, max_size=12),
    st.ip_addresses().map(lambda address: f"[{address}]" if address.version == 6 else str(address)),
    st.ip_addresses(v=4).map(lambda address: str(int(address))),
    st.ip_addresses(v=4).map(lambda address: hex(int(address))),
)


@given(hosts)
def test_a_host_is_a_public_address_a_name_or_refused(host):
    try:
        target = parse_target(f"https://{host}/", allow_private=False)
    except HttpError:
        return
    dialled = target.url.raw_host
    assert dialled
    if target.literal is not None:
        assert ip_address(dialled) == target.literal
        assert is_public(target.literal)
        return
    assert NAME.fullmatch(dialled)
    # The system would read no number into what passes as a name.
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo(dialled, None, flags=socket.AI_NUMERICHOST)
