"""Mails and saved pages of any make: what of them is shown, and that none takes long or breaks the reading."""

import pytest
from gleaner.html.typed.mail import read_mail
from gleaner.markdown import extract_clean_markdown
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("MD-1")


def of_parts(kind: str, *parts: str, border: str = "b") -> bytes:
    inside = "".join(f"--{border}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{kind}; boundary={border}\n\n{inside}--{border}--\n".encode()


def text_of(body: bytes) -> str:
    return extract_clean_markdown(read_mail(body).html, "https://a.example/x.eml")[0]


HTML = "Content-Type: text/html\n\n<p>In HTML"
PLAIN = "Content-Type: text/plain\n\nAs a text"
DATE = "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR"
ROWS = "Content-Type: text/csv\n\nsaw,teeth\nrip,24\nfret,60"
PICTURE = "Content-Type: image/png; name=a.png\nContent-ID: <a@b>\n\nx"


@pytest.mark.parametrize(
    ("body", "shown", "unread"),
    [
        (of_parts("alternative", PLAIN, HTML), ["In HTML"], []),
        (of_parts("alternative", HTML, PLAIN), ["In HTML"], []),
        (of_parts("alternative", PLAIN, HTML, DATE), ["In HTML", "Tea"], []),
        (of_parts("alternative", PLAIN, DATE), ["As a text", "Tea"], []),
        (of_parts("alternative", PLAIN, of_parts("related", HTML, PICTURE, border="c").decode()), ["In HTML"], []),
        (of_parts("mixed", PLAIN, HTML, ROWS), ["As a text", "In HTML", "| rip | 24 |"], []),
        (of_parts("mixed", PLAIN, PICTURE), ["As a text"], ["a.png (image/png)"]),
        (
            of_parts("mixed", PLAIN, f"Content-Disposition: attachment\n{HTML}"),
            ["As a text"],
            ["a part without a name"],
        ),
        (of_parts("digest", "Content-Type: message/rfc822\n\nSubject: One\n\nFirst"), ["One", "First"], []),
        (b"Content-Type: multipart/mixed; boundary=other\n\n--b\n\nAs a text\n--b--", ["As a text"], []),
        (b"Content-Type: multipart/mixed\n\n--b\n\nAs a text\n--b--", ["As a text"], []),
        (b"Subject: Only this\n\n", ["Only this"], []),
        (b"Subject: Eine Gestells\xe4ge f\xfcr Holz\n\nText", ["Eine Gestellsäge für Holz"], []),
        (b"Subject: =?nowhere?Q?x?=\n\nText", ["=?nowhere?Q?x?="], []),
        (b"Content-Type: text/html; charset=shift_jis\n\n<p>\x93\xfa\x96{", ["日本"], []),
        (b"Content-Transfer-Encoding: base64\n\nQXMgYSB0ZXh0", ["As a text"], []),
    ],
)
def test_of_a_mail_what_a_person_is_shown_is_read(body: bytes, shown: list[str], unread: list[str]) -> None:
    mail, text = read_mail(body), text_of(body)
    assert all(one in text for one in shown)
    assert ("As a text" in text) == ("As a text" in shown)
    assert len(mail.unread) == len(unread)
    assert all(name in said for name, said in zip(unread, mail.unread, strict=True))
    assert not mail.is_cut_off


def test_each_part_is_read_once_whatever_refers_to_it() -> None:
    frame = "<iframe src='cid:f'></iframe>"
    page = f"Content-Type: text/html\nContent-Location: https://a.example/\n\n<p>Page{frame}{frame}"
    inner = f"Content-Type: text/html\nContent-ID: <f>\n\n<p>Inner{frame}"
    assert text_of(of_parts("related", page, inner)).count("Inner") == 1


def test_parts_within_parts_end_somewhere_and_it_is_said() -> None:
    body = of_parts("mixed", PLAIN, border="b0")
    for level in range(1, 300):
        body = of_parts("mixed", PLAIN, body.decode(), border=f"b{level}")
    mail = read_mail(body)
    assert 1 < mail.html.count("As a text") < 20
    assert mail.warnings


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: text/html" + b";a=b" * 500_000 + b"\n\n<p>x",
        b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\nA\n" * 200_000,
        b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n"
        + b"<img <iframe src=" * 200_000,
        b"Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<iframe src="
        + b"a" * 2_000_000,
        b"Subject: " + b"=?utf-8?q?" * 200_000 + b"\n\nx",
        b"--b\n" * 500_000,
    ],
)
def test_a_hostile_mail_takes_no_more_than_linear_time(body: bytes) -> None:
    read_mail(body)  # each of these takes minutes where a step is quadratic


@given(st.lists(st.sampled_from(["--b", "--b--", "\n", "\r\n", "Content-Type: ", "multipart/related", "; boundary=b",
    "text/html", "message/rfc822", "<iframe src=cid:a>", "Content-ID: <a>", "\xff", ":", "x", "=?"])))  # fmt: skip
def test_any_bytes_are_read_without_an_error(pieces: list[str]) -> None:
    mail = read_mail("".join(pieces).encode("latin-1"))
    assert isinstance(mail.html, str)


@pytest.mark.req("MD-1")
def test_a_text_of_a_saved_page_that_stands_in_no_frame_is_named() -> None:
    parts = ("\n\n<p>One</p><iframe src=cid:two></iframe>", "Content-ID: <two>\n\n<p>Two</p>", "\n\n<p>Three</p>")
    body = "".join(f"--x\nContent-Type: text/html\n{part}\n" for part in parts)
    mail = read_mail(f"Subject: Tea\nContent-Type: multipart/related; boundary=x\n\n{body}--x--\n".encode())
    assert "Two" in mail.html
    assert "Three" not in mail.html
    assert mail.warnings == ["parts of the mail that were not read: a part without a name (text/html)"]
