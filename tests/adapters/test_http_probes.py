"""Probes of a few bytes, and downloads of media, within their limits."""

import gzip
import socket

import pytest
from gleaner import media
from gleaner.contracts.errors import (
    BlockedAddress,
    MediaTooLarge,
)

from tests.adapters.hostile_server import KILO, answer, fetcher_for, flood, redirect, serving

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.mark.req("ME-1")
def test_a_probe_asks_for_a_range_and_follows_checked_redirects() -> None:
    def send(client: socket.socket, head: bytes) -> None:
        if b"GET /start" in head:
            client.sendall(redirect("/image"))
        else:
            client.sendall(answer(PNG, "Content-Range: bytes 0-107/5000", status="206 Partial Content"))

    with serving(send) as server:
        probed = fetcher_for(server).probe(f"{server.url}/start")
    assert (probed.url, probed.status, probed.size) == (f"{server.url}/image", 206, 5_000)
    assert probed.is_media and probed.mime == "image/png"
    assert b"Range: bytes=0-4095" in server.heads[1]


@pytest.mark.req("ME-1", "SS-2")
@pytest.mark.parametrize(
    "status", ["416 Range Not Satisfiable", "400 Bad Request", "403 No", "405 No", "500 Oh", "501 Not Implemented"]
)
def test_a_server_that_refuses_ranges_is_asked_without(status: str) -> None:
    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(answer(b"", status=status) if b"Range:" in head else answer(PNG))

    with serving(send) as server:
        assert fetcher_for(server).probe(server.url).mime == "image/png"


@pytest.mark.req("ME-1", "SS-2")
def test_a_server_that_ignores_ranges_is_hung_up_on_after_the_first_bytes() -> None:
    with serving(flood(b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n", KILO)) as server:
        probed = fetcher_for(server).probe(server.url)
    assert probed.mime == "video/mp4" and len(probed.prefix) == 4_096


@pytest.mark.req("ME-1")
def test_a_probe_waits_for_no_more_than_the_first_bytes() -> None:
    def send(client: socket.socket, head: bytes) -> None:
        client.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + PNG + bytes(4_096))
        client.recv(1)

    with serving(send) as server:
        assert fetcher_for(server, fetch_timeout_s=2).probe(server.url).mime == "image/png"


@pytest.mark.req("ME-1")
def test_a_probe_of_a_packed_page_sees_its_first_bytes() -> None:
    packed = gzip.compress(b"%PDF-1.7" + bytes(100_000))
    with serving(answer(packed[:60], "Content-Encoding: gzip")) as server:
        assert fetcher_for(server).probe(server.url).mime == "application/pdf"


@pytest.mark.req("ME-1")
def test_the_public_probe_uses_the_settings_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(answer(b"%PDF-1.7")) as server:
        with pytest.raises(BlockedAddress):
            media.probe(server.url)
        monkeypatch.setenv("GLEANER_ALLOW_HOSTS", f"127.0.0.1:{server.port}")
        assert media.probe(server.url).is_media


@pytest.mark.req("ME-2")
def test_a_download_gives_bytes_type_and_name() -> None:
    with serving(answer(PNG, "Content-Disposition: attachment; filename*=UTF-8''gr%C3%BCn.png")) as server:
        file = fetcher_for(server).download(f"{server.url}/x")
    assert (file.body, file.mime, file.filename) == (PNG, "image/png", "grün.png")


@pytest.mark.req("ME-2", "SS-2")
@pytest.mark.parametrize(
    "behave",
    [
        answer(b"x" * 5_000, "Content-Type: image/png"),
        b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n" + b"x" * 5_000,
    ],
    ids=["stated", "found out"],
)
def test_media_over_the_limit_is_an_error_that_names_the_sizes(behave: bytes) -> None:
    with serving(behave) as server, pytest.raises(MediaTooLarge, match=r"4000 .*max_media_size|4000 \(max_media_size"):
        fetcher_for(server, max_media_size=4_000).download(server.url)


def test_binary_content_has_no_text() -> None:
    with serving(answer(PNG, "Content-Type: image/png")) as server:
        page = fetcher_for(server).fetch(server.url)
    assert page.body == PNG and page.text == ""
