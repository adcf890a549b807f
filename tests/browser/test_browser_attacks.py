"""Pages on an allowed host that try every way to a port of this machine that no list names: none gets there (SS-1)."""

# ruff: noqa: E501 - an attack in one line reads better than one in pieces

import contextlib
import itertools
import json
import re
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import pytest
from gleaner.adapters.browser.renderer import PlaywrightRenderer
from gleaner.adapters.http.address_proxy import AddressProxy
from gleaner.addresses import Policy
from gleaner.contracts.actions import read_actions
from gleaner.contracts.errors import ActionFailed, BlockedAddress, GleanerError
from gleaner.contracts.ports import RenderedPage, RenderOrder

from tests.support.proxies import loopback_proxy

pytestmark = pytest.mark.req("SS-1")


@dataclass
class Honeypot:
    """One port on both loopback addresses, TCP and UDP; ``caught`` holds whatever came."""

    port: int = 0
    caught: list[bytes] = field(default_factory=list)
    sockets: list[socket.socket] = field(default_factory=list)

    def open(self) -> None:
        first = socket.create_server(("127.0.0.1", 0))
        self.port = first.getsockname()[1]
        self.sockets.append(first)
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with contextlib.suppress(OSError):
                datagrams = socket.socket(family, socket.SOCK_DGRAM)
                datagrams.bind((address, self.port))
                self.sockets.append(datagrams)
        with contextlib.suppress(OSError):
            self.sockets.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        for one in self.sockets:
            threading.Thread(target=self._serve, args=(one,), daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                if listener.type == socket.SOCK_DGRAM:
                    self.caught.append(listener.recv(2_000))
                    continue
                connection, _ = listener.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        self.caught.append(b"a connection")
        with contextlib.suppress(OSError), connection:
            self.caught.append(connection.recv(2_000).partition(b"\r\n")[0])
            connection.sendall(b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 6\r\n\r\nSECRET")

    def close(self) -> None:
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@pytest.fixture(scope="module")
def honeypot() -> Iterator[Honeypot]:
    found = Honeypot()
    found.open()
    yield found
    found.close()


GLOBAL = "93.184.215.14"
answers = itertools.cycle(((GLOBAL,), ("127.0.0.1",)))


def attackers_names(host: str, port: int) -> tuple[str, ...]:
    """Every name leads here, at once, at the second look, or beside a global address."""
    if host.startswith("rebind"):
        return next(answers)
    return (GLOBAL, "127.0.0.1") if host.startswith("mixed") else ("127.0.0.1",)


@pytest.fixture(scope="module")
def attacked(make_settings) -> Iterator[PlaywrightRenderer]:
    settings = make_settings(navigate_timeout_ms=30_000)
    renderer = PlaywrightRenderer(settings, proxy=AddressProxy(Policy.from_settings(settings), attackers_names))
    yield renderer
    renderer.close()


@pytest.fixture
def attack(site, attacked, honeypot) -> Callable[..., None]:
    """Show a page of attacks, itself and by a redirect of an allowed server; one that stays must be shown."""
    site.routes["/to"] = lambda handler: send_on(handler, f"http://127.0.0.1:{honeypot.port}/redirected")
    site.routes["/to-ws"] = lambda handler: send_on(handler, f"ws://127.0.0.1:{honeypot.port}/redirected")

    def run(html: str, *, stays: bool = True, click: bool = False) -> None:
        for base in (f"http://127.0.0.1:{honeypot.port}", site.url("/to?")):
            url = site.page("/attack", aimed(html, base, honeypot.port, site))
            order = (
                RenderOrder(behind_a_click(site, url), actions=CLICK) if click else RenderOrder(url, wait_for_ms=350)
            )
            with contextlib.nullcontext() if stays else contextlib.suppress(BlockedAddress, ActionFailed):
                shown = attacked.render(order)
                assert "the page" in shown.html
                assert "SECRET" not in shown.html
        assert honeypot.caught == []

    return run


CLICK = read_actions(["click: text=Go on", "wait_for: 350"])


def behind_a_click(site, url: str) -> str:
    """Give a page that becomes another one when its button is clicked, in the course of that click."""
    return site.page("/before", f"<!doctype html><p>before</p><button {becomes(url)}>Go on</button>")


def becomes(url: str) -> str:
    """Give the attribute of a button that makes its page another one."""
    show = "(t) => { document.open(); document.write(t); document.close() }"
    return f"onclick=\"fetch('{url}').then((a) => a.text()).then({show})\""


def aimed(html: str, base: str, port: int, site) -> str:
    """Give a page whose attacks go to an address."""
    text = html.replace("{base}", base).replace("{host}", base.partition("//")[2]).replace("{port}", str(port))
    return f"<!doctype html><body><p>the page</p>{text.replace('{site}', site.url(''))}"


def send_on(handler, to: str) -> None:
    handler.send_response(307)
    handler.send_header("Location", to)
    handler.send_header("Access-Control-Allow-Origin", "*")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def script(code: str) -> str:
    return f"<script>try {{ {code} }} catch (error) {{ document.title = error }}</script>"


def worker(code: str, kind: str = "Worker") -> str:
    return script(f"new {kind}(URL.createObjectURL(new Blob([{json.dumps(code)}], {{type: 'text/javascript'}})))")


WAYS = {
    "elements": "<img src={base}/1><img srcset='{base}/2 2x'><picture><source srcset={base}/3><img></picture>"
    "<video src={base}/4 poster={base}/5></video><audio src={base}/6></audio><video><track src={base}/7><source src={base}/8></video>"
    "<input type=image src={base}/9><svg><image href={base}/10 /><use href='{base}/11#x'/></svg><body background={base}/12>",
    "frames": "<iframe src={base}/1></iframe><iframe srcdoc='<img src={base}/2>'></iframe><object data={base}/3></object>"
    "<embed src={base}/4><portal src={base}/5></portal><fencedframe></fencedframe><iframe sandbox src={base}/6></iframe>",
    "scripts and modules": "<script src={base}/1></script><script type=module src={base}/2></script>"
    "<script type=importmap>{\"imports\": {\"x\": \"{base}/3\"}}</script><script type=module>import('x').catch(() => 0); import('{base}/4').catch(() => 0)</script>",
    "style sheets": "<link rel=stylesheet href={base}/1><style>@import '{base}/2'; @font-face {font-family: f; src: url({base}/3)}"
    "p {font-family: f; background: url({base}/4); cursor: url({base}/5), auto; list-style: url({base}/6); content: image-set('{base}/7' 1x)}"
    "p::before {content: url({base}/8)} svg {mask: url({base}/9#m); filter: url({base}/10#f)}</style><svg></svg>",
    "hints": "<link rel=preconnect href={base}><link rel=dns-prefetch href={base}><link rel=prefetch href={base}/1>"
    "<link rel=preload as=fetch href={base}/2 crossorigin><link rel=modulepreload href={base}/3><link rel=prerender href={base}/4>"
    "<link rel=icon href={base}/5><link rel=apple-touch-icon href={base}/6><link rel=manifest href={base}/7><link rel=search href={base}/8>"
    "<meta http-equiv=x-dns-prefetch-control content=on><a href={base}/9 ping={base}/10 id=a>a</a>" + script("a.click()"),
    "speculation rules": '<script type=speculationrules>{"prerender": [{"urls": ["{base}/1"], "eagerness": "immediate"}], "prefetch": [{"urls": ["{base}/2"], "eagerness": "immediate"}]}</script>',
    "fetch and XHR": script("for (const mode of ['cors', 'no-cors']) fetch('{base}/1', {mode, credentials: 'include'}).then(r => r.text()).then(t => document.body.append(t), () => 0);"
    "fetch('{base}/2', {keepalive: true, mode: 'no-cors', method: 'POST', body: 'x'}).catch(() => 0);"
    "const x = new XMLHttpRequest(); x.open('PUT', '{base}/3'); x.setRequestHeader('X-Y', 'z'); x.send('b')"),
    "synchronous XHR": script("const x = new XMLHttpRequest(); x.open('GET', '{base}/1', false); x.send()"),
    "beacons": script("navigator.sendBeacon('{base}/1', 'x'); addEventListener('pagehide', () => navigator.sendBeacon('{base}/2', 'x'))")
    + "<meta http-equiv=Content-Security-Policy-Report-Only content=\"img-src 'none'; report-uri {base}/3\"><img src=/x>",
    "event stream": script("new EventSource('{base}/1')"),
    "web sockets": script("new WebSocket('ws://{host}/1'); new WebSocket('wss://{host}/2'); new WebSocket('{site}/to-ws'.replace('http', 'ws')); try { new WebSocketStream('ws://{host}/3') } catch {}"),
    "web transport": script("new WebTransport('https://127.0.0.1:{port}/1').ready.catch(() => 0)"),
    "WebRTC": script("for (const policy of ['all', 'relay']) { const p = new RTCPeerConnection({iceTransportPolicy: policy, iceServers: [{urls: ['stun:127.0.0.1:{port}', 'stun:localhost:{port}']},"
    "{urls: ['turn:127.0.0.1:{port}?transport=udp', 'turn:127.0.0.1:{port}?transport=tcp', 'turns:127.0.0.1:{port}'], username: 'u', credential: 'c'}]});"
    "p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o));"
    "p.addIceCandidate({candidate: 'candidate:1 1 udp 2122260223 127.0.0.1 {port} typ host', sdpMid: '0'}).catch(() => 0) }"),
    "WebRTC between two peers": script("(async () => { const a = new RTCPeerConnection(), b = new RTCPeerConnection(); a.createDataChannel('x'); const o = await a.createOffer(); await a.setLocalDescription(o);"
    "await b.setRemoteDescription(o); const w = await b.createAnswer(); await b.setLocalDescription(w); await a.setRemoteDescription(w);"
    "for (const t of ['udp', 'tcp']) await a.addIceCandidate({candidate: `candidate:1 1 ${t} 2122260223 127.0.0.1 {port} typ host${t == 'tcp' ? ' tcptype passive' : ''}`, sdpMid: '0'}) })().catch(() => 0)"),
    "worker": worker("fetch('{base}/1', {mode: 'no-cors'}).catch(() => 0); new WebSocket('ws://{host}/2'); try { importScripts('{base}/3') } catch {} new EventSource('{base}/4');"
    "new Worker(URL.createObjectURL(new Blob([`fetch('{base}/5', {mode: 'no-cors'})`])))"),
    "worker of its own address": script("new Worker('{base}/1')"),
    "module worker": script("new Worker(URL.createObjectURL(new Blob([`import '{base}/1'`], {type: 'text/javascript'})), {type: 'module'})"),
    "shared worker": worker("fetch('{base}/1', {mode: 'no-cors'}).catch(() => 0); new WebSocket('ws://{host}/2')", "SharedWorker"),
    "service worker": script("navigator.serviceWorker?.register('/worker.js', {scope: '/'}).then(r => r.active || 0, () => 0)"),
    "worklets": script("CSS.paintWorklet?.addModule('{base}/1').catch(() => 0); new OfflineAudioContext(1, 1, 44100).audioWorklet.addModule('{base}/2').catch(() => 0); sharedStorage?.worklet?.addModule('{base}/3')"),
    "form post": "<form id=f method=post action={base}/1><input name=a value=b></form>" + script("f.submit()"),
    "form post elsewhere": "<iframe name=t></iframe><form id=f method=post target=t action={base}/1></form><form id=g target=_blank action={base}/2></form>" + script("f.submit(); g.submit()"),
    "windows": script("open('{base}/1'); open('{base}/2', 'x', 'noopener'); const w = open('about:blank'); if (w) w.location = '{base}/3'"),
    "navigation by script": script("location.href = '{base}/1'"),
    "navigation by history": script("location.replace('{base}/1')"),
    "navigation of the Navigation API": script("navigation.navigate('{base}/1')"),
    "refresh": "<meta http-equiv=refresh content='0; url={base}/1'>",
    "download": "<a id=a href={base}/1 download=x>x</a>" + script("a.click()"),
    "a frame's own tricks": "<iframe srcdoc=\"<meta http-equiv=refresh content='0; url={base}/1'>\"></iframe><iframe src=\"javascript:fetch('{base}/2')\"></iframe><iframe src='data:text/html,<img src={base}/3>'></iframe>",
    "blob and data pages": script("document.body.append(Object.assign(document.createElement('iframe'), {src: URL.createObjectURL(new Blob([`<img src={base}/1><script>fetch('{base}/2', {mode: 'no-cors'})<\\/script>`], {type: 'text/html'}))}))"),
    "XSLT and XML": "<iframe src='data:text/xml,<?xml-stylesheet type=\"text/xsl\" href=\"{base}/1\"?><a/>'></iframe>",
    "media streams": script("const m = new MediaSource(); const v = document.createElement('video'); v.src = '{base}/1.m3u8'; document.body.append(v); new Audio('{base}/2').play().catch(() => 0)"),
    "payment and installs": script("try { new PaymentRequest([{supportedMethods: '{base}/1'}], {total: {label: 'x', amount: {currency: 'EUR', value: '1'}}}).canMakePayment().catch(() => 0) } catch {} navigator.getInstalledRelatedApps?.()"),
    "reporting": script("fetch('/reports', {method: 'POST'}); new ReportingObserver(() => 0).observe()"),
    "source maps": script("eval('1\\n//# sourceMappingURL={base}/1.map')") + "<style>a{}/*# sourceMappingURL={base}/2.map */</style>",
    "signed exchanges and bundles": "<script type=webbundle>{\"source\": \"{base}/1\", \"resources\": [\"{base}/2\"]}</script><link rel=alternate type='application/signed-exchange;v=b3' href={base}/3>",
    "fonts by script": script("new FontFace('x', 'url({base}/1)').load().catch(() => 0); document.fonts.load('12px x')"),
    "direct sockets": script("try { new TCPSocket('127.0.0.1', {port}) } catch {} try { new UDPSocket({remoteAddress: '127.0.0.1', remotePort: {port}}) } catch {}"),
    "auctions": script("navigator.joinAdInterestGroup?.({owner: '{base}', name: 'x', biddingLogicURL: '{base}/1', updateURL: '{base}/2'}, 100)?.catch(() => 0); navigator.runAdAuction?.({seller: '{base}', decisionLogicURL: '{base}/3'})?.catch(() => 0)"),
    "identity": script("navigator.credentials.get({identity: {providers: [{configURL: '{base}/1', clientId: 'x', nonce: 'n'}]}}).catch(() => 0)"),
}  # fmt: skip


LEAVE = (
    "hints", "form post", "form post elsewhere", "windows", "navigation by script", "navigation by history",
    "navigation of the Navigation API", "refresh", "download",
)  # fmt: skip
STAY = [way for way in WAYS if way not in LEAVE]
TOGETHER = [STAY[at : at + 8] for at in range(0, len(STAY), 8)]
"""Ways that leave a page where it is share one: what each of them asks for has its name in its path."""


def joined(ways: Iterable[str]) -> str:
    named = ((way.replace(" ", "-").replace("'", ""), WAYS[way]) for way in ways)
    return "".join(html.replace("{base}", f"{{base}}/{n}").replace("{host}", f"{{host}}/{n}") for n, html in named)


AT_ONCE_AND_BY_CLICK = pytest.mark.parametrize("click", [False, pytest.param(True, marks=pytest.mark.req("AC-1"))])


@AT_ONCE_AND_BY_CLICK
@pytest.mark.parametrize("ways", TOGETHER, ids=", ".join)
def test_no_way_of_a_page_leads_to_a_port_that_no_list_names(attack, ways, click):
    attack(joined(ways), click=click)


@AT_ONCE_AND_BY_CLICK
@pytest.mark.parametrize("way", LEAVE)
def test_no_way_out_of_a_page_leads_to_a_port_that_no_list_names(attack, way, click):
    attack(WAYS[way], stays=False, click=click)


AT_ONCE = joined(STAY)
"""All ways that one page can begin by itself and still be there."""


@pytest.mark.req("AC-3")
def test_no_way_leads_there_from_a_consent_dialog_that_was_answered(site, attacked, honeypot):
    for base, ways in bases_and_ways(site, honeypot)[1:]:
        url = site.page("/attack", aimed(ways, base, honeypot.port, site))
        dialog = (
            f"<div id=didomi-notice><button id=didomi-notice-disagree-button {becomes(url)}>Disagree</button></div>"
        )
        asking = site.page(
            "/asking", f"<!doctype html><p>before</p><div id=didomi-host>{dialog}</div><script></script>"
        )
        with contextlib.suppress(BlockedAddress):
            shown = attacked.render(RenderOrder(asking, consent="reject"))
            assert shown.consent is not None
            assert "the page" in shown.html
            assert "SECRET" not in shown.html
    assert honeypot.caught == []


@pytest.mark.req("AC-5")
def test_no_way_leads_there_behind_a_proxy_that_goes_anywhere(site, make_settings, honeypot):
    with loopback_proxy("socks5") as anywhere:
        settings = make_settings(navigate_timeout_ms=30_000, proxies=[{"name": "any", "server": anywhere.url}])
        renderer = PlaywrightRenderer(settings, proxy=AddressProxy(Policy.from_settings(settings), attackers_names))
        for base, ways in bases_and_ways(site, honeypot):
            url = site.page("/attack", aimed(ways, base, honeypot.port, site))
            with contextlib.suppress(BlockedAddress):
                shown = renderer.render(RenderOrder(url, wait_for_ms=350, proxy="any"))
                assert "the page" in shown.html
                assert "SECRET" not in shown.html
        renderer.close()
    assert set(anywhere.targets) == {f"127.0.0.1:{site.port}"}
    assert honeypot.caught == []


def bases_and_ways(site, honeypot) -> list[tuple[str, str]]:
    """Give all ways, of the page itself and by a redirect, and then those that leave it, of which the first does."""
    site.routes["/to"] = lambda handler: send_on(handler, f"http://127.0.0.1:{honeypot.port}/redirected")
    direct = f"http://127.0.0.1:{honeypot.port}"
    return [(direct, AT_ONCE), (site.url("/to?"), AT_ONCE), (direct, joined(LEAVE))]


HEADERS = {
    "Link": "<{base}/1>; rel=preload; as=script, <{base}/2>; rel=preconnect, <{base}/3>; rel=stylesheet",
    "Report-To": '{"group": "g", "max_age": 100, "endpoints": [{"url": "{base}/4"}]}',
    "NEL": '{"report_to": "g", "max_age": 100, "success_fraction": 1.0}',
    "Reporting-Endpoints": 'default="{base}/5", g="{base}/6"',
    "Content-Security-Policy": "img-src 'none'; report-uri {base}/7; report-to g",
    "Speculation-Rules": '"{base}/8"', "Alt-Svc": 'http/1.1="127.0.0.1:{port}"; ma=3600, h3=":{port}"',
    "SourceMap": "{base}/9", "Sec-Session-Registration": '(ES256);path="{base}/10";challenge="x"',
    "Refresh": "0; url={base}/11",
}  # fmt: skip


def test_no_header_of_an_answer_leads_to_a_port_that_no_list_names(site, attacked, honeypot):
    def answer(handler):
        handler.send_response(200)
        for name, value in HEADERS.items():
            target = value.replace("{base}", f"http://127.0.0.1:{honeypot.port}").replace("{port}", str(honeypot.port))
            handler.send_header(name, target)
        handler.send_header("Content-Type", "text/html")
        body = b"<p>the page</p><img src=/picture><script>fetch('/more')</script>"
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    site.routes["/headers"] = answer
    for _ in range(2):  # what the first answer said is known at the second
        with contextlib.suppress(BlockedAddress):
            attacked.render(RenderOrder(site.url("/headers"), wait_for_ms=350))
    assert honeypot.caught == []


@AT_ONCE_AND_BY_CLICK
def test_the_ways_would_lead_there_if_the_list_named_the_port(site, make_settings, click):
    expected = {"elements", "frames", "scripts-and-modules", "style-sheets", "fetch-and-XHR", "web-sockets", "worker"}
    reached = Honeypot()
    reached.open()
    allowed = [f"127.0.0.1:{site.port}", f"127.0.0.1:{reached.port}"]
    renderer = PlaywrightRenderer(make_settings(allow_hosts=allowed))
    missed = expected
    try:
        for wait_ms in (350, 1_000, 4_000, 16_000):  # as long as a slow machine needs
            for ways in TOGETHER:
                url = site.page("/attack", aimed(joined(ways), f"http://127.0.0.1:{reached.port}", reached.port, site))
                url, actions = (behind_a_click(site, url), CLICK) if click else (url, ())
                renderer.render(RenderOrder(url, wait_for_ms=wait_ms, actions=actions))
            asked = (line.decode("latin-1").split() for line in reached.caught if re.match(rb"[A-Z]+ /", line))
            missed = expected - {words[1].split("/")[1] for words in asked}
            if not missed:
                break
    finally:
        renderer.close()
        reached.close()
    assert not missed


SPELLINGS = [
    "127.0.0.1", "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.1", "127.0.1", "0", "0.0.0.0", "2130706433", "0x7f000001",
    "0x7f.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "127.000.000.001", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[0:0:0:0:0:0:0:1]", "①②⑦.⓪.⓪.①", "１２７.０.０.１",
    "127。0。0。1", "loopback.example", "rebind.example", "mixed.example", "user@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1%2e",
    "%31%32%37.0.0.1", "127.255.255.254", "localhost.localdomain", "ip6-localhost", "host.docker.internal",
]  # fmt: skip


@AT_ONCE_AND_BY_CLICK
def test_no_spelling_of_this_machine_leads_there(attack, click):
    targets = json.dumps([f"{spelling}:{{port}}" for spelling in SPELLINGS])
    attack(
        script(
            f"for (const [n, host] of {targets}.entries()) {{ new Image().src = `http://${{host}}/${{n}}`; fetch(`http://${{host}}/${{n}}`, {{mode: 'no-cors'}}).catch(() => 0);"
            "try { new WebSocket(`ws://${host}/${n}`) } catch {} document.body.append(Object.assign(document.createElement('iframe'), {src: `http://${host}/f${n}`})) }"
        ),
        click=click,
    )


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("way", ["at once", "redirect"])
def test_no_spelling_of_this_machine_is_navigated_to(site, attacked, honeypot, spelling, way):
    url = f"http://{spelling}:{honeypot.port}/"
    if way == "redirect":
        site.routes["/away"] = lambda handler: send_on(handler, url.encode().decode("latin-1"))
        url = site.url("/away")
    with pytest.raises(GleanerError):
        attacked.render(RenderOrder(url))
    assert honeypot.caught == []


SCHEMES = [
    "file:///etc/passwd", "chrome://version", "chrome://settings", "view-source:http://127.0.0.1:{port}/", "data:text/html,SECRET", "about:version",
    "javascript:document.body.append('SECRET')", "blob:http://127.0.0.1/x", "filesystem:http://127.0.0.1/temporary/x", "ftp://127.0.0.1:{port}/",
    "devtools://devtools/bundled/inspector.html", "chrome-extension://x/y", "chrome-untrusted://x", "ws://127.0.0.1:{port}/", "intent://x#Intent;end", "about:srcdoc",
]  # fmt: skip


@pytest.mark.parametrize("after_ms", (150, 175, 200, 225))
def test_a_page_that_leads_away_while_it_is_read_is_shown_as_it_was_or_not_at_all(site, attacked, honeypot, after_ms):
    lead_away = f"setTimeout(() => location.href = 'ws://127.0.0.1:{honeypot.port}/', {after_ms})"
    url = site.page(f"/leads-away-{after_ms}", f"<p>the page</p>{script(lead_away)}")
    try:
        shown = attacked.render(RenderOrder(url, wait_for_ms=200))
    except BlockedAddress:
        return
    assert shown.url == url
    assert "the page" in shown.html


@pytest.mark.parametrize("to", SCHEMES)
def test_no_other_scheme_is_shown_wherever_it_is_named(site, attacked, honeypot, to):
    to = to.replace("{port}", str(honeypot.port))
    with pytest.raises(BlockedAddress):
        attacked.render(RenderOrder(to))
    site.routes["/away"] = lambda handler: send_on(handler, to)
    ways = [f"<p>the page</p>{script(f'location.href = {json.dumps(to)}')}"]
    if to.startswith(("file:", "data:", "javascript:", "ws:", "about:srcdoc")):  # a kind each, for the browser
        ways.append(f"<p>the page</p><meta http-equiv=refresh content='0; url={to}'>")
    for url in [site.url("/away"), *(site.page(f"/scheme{number}", html) for number, html in enumerate(ways))]:
        with contextlib.suppress(GleanerError):
            check_shown(attacked.render(RenderOrder(url, wait_for_ms=200)))
    assert honeypot.caught == []


def check_shown(shown: RenderedPage) -> None:
    assert shown.url.startswith(("http://", "https://"))
    assert "root:x" not in shown.html


def test_no_other_scheme_is_shown_in_a_frame_or_a_window(site, attacked, honeypot):
    named = [to.replace("{port}", str(honeypot.port)) for to in SCHEMES]
    frames = "".join(f"<iframe src='{to}'></iframe><a class=a href='{to}'>a</a>" for to in named)
    push = f"document.querySelectorAll('.a').forEach((a) => a.click()); {json.dumps(named)}.forEach((to) => open(to))"
    check_shown(attacked.render(RenderOrder(site.page("/framed", f"<p>the page</p>{frames}"), wait_for_ms=200)))
    with contextlib.suppress(GleanerError):
        check_shown(attacked.render(RenderOrder(site.page("/pushed", f"{frames}{script(push)}"), wait_for_ms=200)))
    assert honeypot.caught == []
