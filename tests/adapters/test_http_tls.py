"""TLS to a checked address: the certificate is checked for the name."""

import datetime
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from gleaner.adapters.http.fetch import HttpFetcher
from gleaner.contracts.errors import (
    UnreachableHost,
)
from gleaner.contracts.settings import load_settings

from tests.adapters.hostile_server import answer, fetcher_for, serving


def make_certificate(folder: Path, name: str) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


@pytest.mark.req("SS-1")
def test_the_certificate_is_checked_for_the_name_although_the_address_is_dialled(tmp_path: Path) -> None:
    names: list[str | None] = []
    context = make_certificate(tmp_path, "shop.example")
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    trusting = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
    with serving(answer(b"safe"), context) as server:
        pairs = [f"{host}:{server.port}" for host in ("shop.example", "other.example", "127.0.0.1")]
        settings = load_settings({}, allow_hosts=pairs)
        fetcher = HttpFetcher(settings, lambda host, port: ("127.0.0.1",), tls=trusting)
        assert fetcher.fetch(f"https://shop.example:{server.port}/").body == b"safe"
        for host in ("other.example", "127.0.0.1"):
            with pytest.raises(UnreachableHost, match="certificate of"):
                fetcher.fetch(f"https://{host}:{server.port}/")
        with pytest.raises(UnreachableHost, match="certificate of"):
            HttpFetcher(settings, lambda host, port: ("127.0.0.1",)).fetch(f"https://shop.example:{server.port}/")
    assert names[0] == "shop.example"


def test_a_server_that_speaks_no_tls_is_an_unreachable_host() -> None:
    with serving(answer(b"plain")) as server, pytest.raises(UnreachableHost, match="TLS"):
        fetcher_for(server).fetch(f"https://127.0.0.1:{server.port}/")
