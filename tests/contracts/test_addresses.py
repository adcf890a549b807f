"""The address rules against a table of attacks, and against what must go through."""

import ipaddress
import socket
import threading
from collections.abc import Callable

import pytest
from gleaner.addresses import Policy, check_url, refusal, resolve_host, split_url
from gleaner.contracts.errors import BlockedAddress, InvalidSettings, UnreachableHost
from hypothesis import given
from hypothesis import strategies as st

GLOBAL = "93.184.215.14"


def to_global(host: str, port: int) -> tuple[str, ...]:
    return (GLOBAL,)


ATTACKS = """
file:///etc/passwd
ftp://example.com/
gopher://127.0.0.1:6379/_INFO
data:text/html,<h1>x
javascript:alert(1)
chrome://settings
view-source:http://example.com/
blob:http://example.com/1
about:blank
ws://example.com/
//example.com/
/etc/passwd
example.com
http:example.com
http:/127.0.0.1/
http:\\\\127.0.0.1/
http:///127.0.0.1/
http://
http://:80/
http://127.0.0.1/
http://127.0.0.1:8080/
https://127.0.0.1/
http://127.1.2.3/
http://127.1/
http://127.0.1/
http://0/
http://0.0.0.0/
http://0.1.2.3/
http://2130706433/
http://3232235521/
http://017700000001/
http://0x7f000001/
http://0X7F.0.0.1/
http://0x7f.1/
http://0177.0.0.1/
http://0177.0.0.01/
http://127.0.0.01/
http://0x7f.0.0x0.01/
http://127.0.0.1./
http://93.184.215.14./
http://93.184.215.１４/
http://exa­mple.com/
http://exam⁠ple.com/
http://1572395790/
http://0x5db8d70e/
http://93.12113678/
http://256.256.256.256/
http://1.2.3.4.5/
http://example.0x7f/
http://999999999999/
http://localhost/
http://LOCALHOST/
http://localhost./
http://localhost:3000/
http://foo.localhost/
http://localhost.localdomain/
http://printer.local/
http://db.internal/
http://router.home.arpa/
http://metadata.google.internal/computeMetadata/v1/
http://ip6-localhost/
http://10.0.0.1/
http://10.255.255.255/
http://172.16.0.1/
http://172.31.255.255/
http://192.168.0.1/
http://169.254.169.254/latest/meta-data/
http://169.254.170.2/v2/credentials
http://100.100.100.200/
http://168.63.129.16/
http://192.0.0.192/
http://100.64.0.1/
http://192.0.2.1/
http://198.51.100.7/
http://203.0.113.9/
http://198.18.0.1/
http://198.19.255.255/
http://192.88.99.1/
http://224.0.0.1/
http://239.255.255.250/
http://240.0.0.1/
http://255.255.255.255/
http://[::]/
http://[::1]/
http://[0:0:0:0:0:0:0:1]/
http://[0000:0000:0000:0000:0000:0000:0000:0001]/
http://[::127.0.0.1]/
http://[::ffff:127.0.0.1]/
http://[::ffff:7f00:1]/
http://[::ffff:93.184.215.14]/
http://[0:0:0:0:0:ffff:10.0.0.1]/
http://[64:ff9b::127.0.0.1]/
http://[64:ff9b::7f00:1]/
http://[64:ff9b:1::1]/
http://[2002:7f00:1::]/
http://[2002:a00:1::1]/
http://[2001:0:53aa:64c:0:0:80ff:fffe]/
http://[2606:4700::5efe:10.0.0.1]/
http://[2606:4700::200:5efe:7f00:1]/
http://[2001:db8::1]/
http://[3fff::1]/
http://[fc00::1]/
http://[fd00:ec2::254]/
http://[fe80::1]/
http://[fe80::1%25eth0]/
http://[2606:4700::1%25lo]/
http://[fec0::1]/
http://[ff02::1]/
http://[5f00::1]/
http://[100::1]/
http://[::1/
http://::1/
http://[127.0.0.1]/
http://user@example.com/
http://user:pass@example.com/
http://example.com@127.0.0.1/
http://127.0.0.1@example.com/
http://@example.com/
http://example.com\\@127.0.0.1/
http://example.com\\.evil.example/
http://127.0.0.1%2f@example.com/
http://127.0.0.1%00.example.com/
http://%31%32%37.0.0.1/
http://localhos%74/
http://exa mple.com/
http://example.com /
 http://example.com/
http://１２７.０.０.１/
http://127。0。0。1/
http://127．0．0．1/
http://①②⑦.⓪.⓪.①/
http://ｌｏｃａｌｈｏｓｔ/
http://locaⅼhost/
http://loc\u00adalhost/
http://local\u200bhost/
http://example.com:0/
http://example.com:22/
http://example.com:25/
http://example.com:6000/
http://example.com:65536/
http://example.com:99999/
http://example.com:-1/
http://example.com:+80/
http://example.com:80:80/
http://example.com:８０/
http://example.com:8080x/
http://example..com/
http://.example.com/
http://exam<ple.com/
http://exa;mple.com/
""".strip("\n").split("\n")
CONTROL_ATTACKS = (
    "http://example.com\n/", "http://exa\tmple.com/", "http://127.0.0.1\r\nX: y/", "\x00http://example.com/",
    "http://example.com/\r\nHost: evil", "http://example.com/\ud800", "http://" + "a" * 300 + ".example/",
    "http://" + "a" * 64 + ".example/", "http://example.com/" + "a" * 20_000, "http://example.com\u2028/",
)  # fmt: skip


@pytest.mark.req("SS-1")
@pytest.mark.parametrize("url", [*ATTACKS, *CONTROL_ATTACKS])
def test_an_attack_is_refused_although_the_name_resolves_to_a_global_address(url: str) -> None:
    with pytest.raises(BlockedAddress) as caught:
        check_url(url, resolve=to_global, policy=Policy())
    assert "refused" in caught.value.message
    assert len(caught.value.message) < 500


ACCEPTED = (
    ("https://example.com", "https://example.com/", "example.com", 443),
    ("HTTPS://Example.COM:443/A?B=c#D", "https://example.com/A?B=c#D", "example.com", 443),
    ("http://example.com:8080", "http://example.com:8080/", "example.com", 8080),
    ("http://example.com:/x", "http://example.com/x", "example.com", 80),
    ("http://example.com?x=http://127.0.0.1/", "http://example.com/?x=http://127.0.0.1/", "example.com", 80),
    ("http://example.com/a b/ü?q=ß#é", "http://example.com/a%20b/%C3%BC?q=%C3%9F#%C3%A9", "example.com", 80),
    ("http://example.com/%7Ea%20b", "http://example.com/%7Ea%20b", "example.com", 80),
    ("http://example.com/a\\b@c", "http://example.com/a%5Cb@c", "example.com", 80),
    ("https://bücher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example", 443),
    ("https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/", "xn--r8jz45g.xn--zckzah", 443),
    ("https://my_shop.r3---sn.example/", "https://my_shop.r3---sn.example/", "my_shop.r3---sn.example", 443),
    ("https://127.0.0.1.nip.example/", "https://127.0.0.1.nip.example/", "127.0.0.1.nip.example", 443),
    ("http://93.184.215.14/", "http://93.184.215.14/", "93.184.215.14", 80),
    ("http://[2606:4700:0:0::1111]:8080/", "http://[2606:4700::1111]:8080/", "2606:4700::1111", 8080),
)


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(("url", "normalized", "host", "port"), ACCEPTED)
def test_an_ordinary_url_is_normalized(url: str, normalized: str, host: str, port: int) -> None:
    found = check_url(url, resolve=to_global, policy=Policy())
    assert (found.url, found.host, found.port) == (normalized, host, port)
    assert not found.is_allowed_exception
    assert found.addresses == (host if ":" in host or host == GLOBAL else GLOBAL,)


def test_the_request_line_and_the_host_header_come_from_the_normalized_url() -> None:
    found = check_url("http://[2606:4700::1111]:8080?a=b#c", policy=Policy())
    assert (found.authority, found.request_target) == ("[2606:4700::1111]:8080", "/?a=b")


INTERNAL_ANSWERS = (
    "127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", "fe80::1%eth0", "64:ff9b::a00:1",
    "fd00:ec2::254", "100.100.100.200", "0.0.0.0", "nonsense",
)  # fmt: skip


@pytest.mark.req("SS-1")
@pytest.mark.parametrize("answer", INTERNAL_ANSWERS)
def test_one_internal_answer_among_global_ones_refuses_the_host(answer: str) -> None:
    for answers in ((answer,), (GLOBAL, answer), (answer, GLOBAL), ("2606:4700::1111", GLOBAL, answer)):
        with pytest.raises(BlockedAddress, match=r"rebind\.example leads to"):
            check_url("https://rebind.example/", resolve=lambda host, port, found=answers: found, policy=Policy())


@pytest.mark.req("SS-1")
def test_the_name_is_resolved_once_and_all_answers_are_given() -> None:
    asked: list[tuple[str, int]] = []

    def resolve(host: str, port: int) -> tuple[str, ...]:
        asked.append((host, port))
        return ("93.184.215.14", "2606:4700::1111")

    found = check_url("https://example.com/", resolve=resolve, policy=Policy())
    assert found.addresses == ("93.184.215.14", "2606:4700::1111")
    assert asked == [("example.com", 443)]


def test_an_address_in_the_url_is_not_resolved() -> None:
    def resolve(host: str, port: int) -> tuple[str, ...]:
        raise AssertionError(host)

    assert check_url(f"http://{GLOBAL}/", resolve=resolve, policy=Policy()).addresses == (GLOBAL,)


@pytest.mark.req("SS-1")
def test_every_address_is_refused_that_the_standard_library_calls_internal() -> None:
    numbers = st.one_of(
        st.ip_addresses(v=4),
        st.ip_addresses(v=6),
        st.sampled_from(["127.0.0.0/8", "10.0.0.0/8", "fe80::/10", "fc00::/7", "ff00::/8", "192.168.0.0/16"]).flatmap(
            lambda network: st.ip_addresses(network=network)
        ),
    )

    @given(numbers)
    def check(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
        if address.is_private or address.is_multicast or address.is_reserved or address.is_link_local:
            assert refusal(str(address))

    check()


WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
styles = st.sampled_from(["{:d}", "0{:o}", "000{:o}", "0x{:x}", "0X{:X}", "0x000{:x}", "{:03d}"])
internal = st.sampled_from(["127.0.0.0/8", "10.0.0.0/8", "169.254.0.0/16", "192.168.0.0/16", "0.0.0.0/8"]).flatmap(
    lambda network: st.ip_addresses(network=network)
)


@st.composite
def spelled_hosts(draw: st.DrawFn) -> str:
    """An internal IPv4 address as inet_aton, browsers or IPv6 may spell it: short, octal, hex, wide, mapped."""
    address = draw(internal)
    if draw(st.booleans()):
        forms = ["::ffff:{}", "::{}", "64:ff9b::{}", "0:0:0:0:0:ffff:{}", "::ffff:0:{}", "2002:{hex}::"]
        halves = f"{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"
        tail = draw(st.sampled_from([str(address), halves]))
        return f"[{draw(st.sampled_from(forms)).format(tail, hex=halves)}]"
    kept = draw(st.integers(0, 3))
    parts = [*address.packed[:kept], int.from_bytes(address.packed[kept:], "big")]
    text = draw(st.sampled_from([".", "。", "．", "｡"])).join(draw(styles).format(part) for part in parts)
    text = text.translate(WIDE) if draw(st.booleans()) else text
    dressed = st.sampled_from(["{}", "{}.", "x@{}", "x:y@{}", "{}:80", "{}%2e", "{}\u200b", "{}:0080"])
    return draw(dressed).format(text)


@pytest.mark.req("SS-1")
@given(spelled_hosts(), st.sampled_from(["http", "https", "HTTP"]), st.sampled_from(["", "/", "/a?b#c", "?x", "#x"]))
def test_no_spelling_of_an_internal_address_goes_through(host: str, scheme: str, rest: str) -> None:
    with pytest.raises(BlockedAddress):
        check_url(f"{scheme}://{host}{rest}", resolve=to_global, policy=Policy())


@pytest.mark.req("SS-1")
@given(st.text(max_size=60) | st.text(max_size=40).map("http://{}".format) | st.from_regex(r"https?://[^\s]{0,30}"))
def test_no_text_makes_the_check_fail_otherwise_than_by_refusal(url: str) -> None:
    try:
        found = check_url(url, resolve=to_global, policy=Policy())
    except BlockedAddress:
        return
    assert all(refusal(address) is None for address in found.addresses)
    assert found.url.isascii() and found.url.startswith(("http://", "https://"))
    assert split_url(found.url)[1:3] == (found.host, found.port)


@pytest.mark.req("SS-1")
def test_an_allowed_pair_names_that_host_and_that_port_only() -> None:
    policy = Policy(allow=("127.0.0.1:8000", "[::1]:8001", "Shop.Local:8002"))
    assert check_url("http://127.0.0.1:8000/x", policy=policy).is_allowed_exception
    assert check_url("http://[::1]:8001/", policy=policy).addresses == ("::1",)
    named = check_url("http://shop.local:8002/", policy=policy, resolve=lambda host, port: ("10.1.2.3",))
    assert named.addresses == ("10.1.2.3",) and named.is_allowed_exception
    for url in (
        "http://127.0.0.1/", "http://127.0.0.1:8001/", "http://localhost:8000/", "http://127.1:8000/",
        "http://[::ffff:127.0.0.1]:8000/", "http://127.0.0.2:8000/", "http://2130706433:8000/", "http://[::1]:8000/",
    ):  # fmt: skip
        with pytest.raises(BlockedAddress):
            check_url(url, policy=policy, resolve=lambda host, port: ("127.0.0.1",))


@pytest.mark.req("SS-1")
def test_the_allow_list_is_read_from_the_settings_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BlockedAddress):
        check_url("http://127.0.0.1:8000/")
    monkeypatch.setenv("GLEANER_ALLOW_HOSTS", "127.0.0.1:8000")
    assert check_url("http://127.0.0.1:8000/").addresses == ("127.0.0.1",)
    with pytest.raises(BlockedAddress):
        check_url("http://127.0.0.1:8001/")


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("evil.example", "http://evil.example/"),
        ("evil.example", "http://www.EVIL.example/"),
        ("Bücher.example", "http://xn--bcher-kva.example/"),
        ("*.ads.example", "http://a.b.ads.example/"),
        ("*.bücher.example", "http://www.xn--bcher-kva.example/"),
        ("*.XN--bcher-kva.example", "http://www.bücher.example/"),
        ("93.184.215.0/24", "http://any.example/"),
        (GLOBAL, f"http://{GLOBAL}/"),
        ("2606:4700::/32", "http://[2606:4700::1111]/"),
        ("127.0.0.1", "http://127.0.0.1:8000/"),
    ],
)
def test_the_block_list_extends_the_rules_and_wins_over_the_allow_list(entry: str, url: str) -> None:
    policy = Policy(allow=("127.0.0.1:8000",), block=(entry,))
    with pytest.raises(BlockedAddress, match="block list"):
        check_url(url, resolve=to_global, policy=policy)


@pytest.mark.req("SS-1")
def test_a_name_on_both_lists_is_blocked() -> None:
    policy = Policy(allow=("shop.example:8000",), block=("shop.example",))
    with pytest.raises(BlockedAddress, match="block list"):
        check_url("http://shop.example:8000/", policy=policy, resolve=lambda *_: ["127.0.0.1"])


@pytest.mark.req("SS-1")
def test_the_block_list_leaves_other_hosts_alone() -> None:
    policy = Policy(block=("evil.example", "*.ads.example", "10.0.0.0/8"))
    for url in ("http://notevil.example/", "http://ads.example/", "http://evil.example.org/"):
        assert check_url(url, resolve=to_global, policy=policy).addresses == (GLOBAL,)


@pytest.mark.req("SS-1")
@pytest.mark.parametrize(
    "make",
    [
        lambda: Policy(allow=("localhost",)),
        lambda: Policy(allow=("*:80",)),
        lambda: Policy(allow=("127.1:80",)),
        lambda: Policy(allow=("localhost:99999",)),
        lambda: Policy(allow=("http://localhost:80/",)),
        lambda: Policy(block=("not a host",)),
        lambda: Policy(block=("10.0.0.0/99",)),
        lambda: Policy(block=("127.1",)),
        lambda: Policy(block=("*.10.0.0.1",)),
        lambda: Policy(block=("*.*.example",)),
        lambda: Policy(block=("a\u200bb.example",)),
    ],
)
def test_a_list_entry_that_means_nothing_is_a_setting_to_mend(make: Callable[[], Policy]) -> None:
    with pytest.raises(InvalidSettings):
        make()


@pytest.mark.req("SS-1")
def test_a_refusal_repeats_no_password() -> None:
    with pytest.raises(BlockedAddress, match="a user name in front of the host") as refused:
        check_url("https://ada:sesame@a.example/", policy=Policy())
    assert "sesame" not in str(refused.value)


@pytest.mark.req("SS-1")
def test_a_refusal_says_what_the_address_is() -> None:
    for url, said in (
        ("http://10.1.2.3/x", r"10\.1\.2\.3/x is refused: 10\.1\.2\.3 is private$"),
        ("http://in.example/", r"in\.example leads to 10\.1\.2\.3, which is private$"),
    ):
        with pytest.raises(BlockedAddress, match=said):
            check_url(url, resolve=lambda host, port: ("10.1.2.3",), policy=Policy())


@pytest.mark.req("SS-1", "SS-2")
def test_a_name_without_address_is_an_unreachable_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(UnreachableHost, match=r"nothing\.example has no address: Name or service not known$"):
        check_url("https://nothing.example/", policy=Policy())
    with pytest.raises(UnreachableHost):
        check_url("https://nothing.example/", policy=Policy(), resolve=lambda host, port: ())


@pytest.mark.req("SS-2")
def test_a_resolver_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(20) and [])
    with pytest.raises(UnreachableHost, match=r"slow\.example was not resolved within 0\.05 s"):
        resolve_host("slow.example", 80, timeout_s=0.05)
    release.set()


def test_the_default_resolver_gives_each_address_once(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (GLOBAL, 80))] * 2
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: entries)
    assert resolve_host("example.com", 80) == (GLOBAL,)
