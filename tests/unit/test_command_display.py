"""What the command shows of pages: whole at any width, and nothing that a terminal would obey."""

import io
from typing import Any

import pytest
from gleaner.cli.display import plain, records_shown, show_result, shown
from gleaner.models import JobError, ScrapeResult
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

WIDE: list[dict[str, Any]] = [
    {f"field {column}": f"value {row}-{column}" for column in range(12)} | {"note": "word " * 40} for row in range(5)
]


def drawn(records: list[dict[str, Any]], width: int, limit: int = 20) -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=True, color_system=None).print(records_shown(records, width, limit))
    return out.getvalue()


@pytest.mark.req("CL-1")
@pytest.mark.parametrize("width", [60, 80, 200])
def test_records_with_many_fields_stay_readable_at_any_width(width: int) -> None:
    text = drawn(WIDE, width, 3)
    assert all(f"value {row}-{column}" in text for row in range(3) for column in range(12))
    assert "value 3-0" not in text
    assert "3 of 5 records shown" in text
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.req("CL-1")
def test_a_page_can_not_command_the_terminal() -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe"
    for text in (drawn([{"name": evil, evil: 1}], 100), plain(evil)):
        assert not set(text) & set("\x1b\x07\x9b\u202e")


@pytest.mark.req("CL-1")
@given(st.text())
def test_only_control_characters_are_changed(text: str) -> None:
    assert len(shown(text)) == len(text)
    assert all(one == was or one == "\ufffd" for one, was in zip(shown(text), text, strict=True))
    assert shown("naïve 名前\t🌳\n") == "naïve 名前\t🌳\n"


@pytest.mark.req("CL-1")
@pytest.mark.parametrize(
    ("error_type", "said", "advice"),
    [
        ("http_status_error", "https://e.example/500 answered 404 Not Found", "want a login"),
        ("http_status_error", "https://e.example/ answered 503 Service Unavailable", "try again later"),
        ("http_status_error", "https://e.example/ answered 429 Too Many Requests", "try again later"),
        (
            "blocked_address",
            "http://e.example/ is refused: e.example leads to 10.0.0.1, which is private",
            "--allow-host",
        ),
        ("blocked_address", "http://db.local/ is refused: db.local is a name for internal use", "--allow-host"),
        ("blocked_address", "http://169.254.169.254/ is refused: …, which is a cloud metadata service", None),
        ("blocked_address", "http://127.1/ is refused: 127.1 is an odd spelling of 127.0.0.1", None),
        ("browser_crashed", "the browser did not start", "gleaner doctor"),
        ("too_many_redirects", "more than 10 redirects", None),
    ],
)
def test_what_to_do_about_a_failure_depends_on_who_can_mend_it(
    capsys: pytest.CaptureFixture[str], error_type: str, said: str, advice: str | None
) -> None:
    show_result(ScrapeResult(status="failed", job_id="j", error=JobError(error_type=error_type, message=said)))
    told = capsys.readouterr().err
    assert said in told
    assert advice in told if advice else "→" not in told
