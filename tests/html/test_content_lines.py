"""Calendars and contact cards as records: folding, escapes, zones, several values, and what is broken in them."""

import pytest
from gleaner.html.typed.content_lines import records_of
from gleaner.html.typed.typed_data import data_as_html
from gleaner.markdown import extract_clean_markdown
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.req("MD-1")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("SUMMARY:Tea\\, cakes\\; and\\nmore \\\\ less", {"summary": "Tea, cakes; and\nmore \\ less"}),
        ("SUMMARY:A long\r\n  line\r\n\t of it", {"summary": "A long line of it"}),
        ("SUMMARY:Broken\nover lines\nEND:VEVENT", {"summary": "Broken\nover lines"}),
        ("DTSTART:20270301T190000Z", {"start": "2027-03-01T19:00:00Z"}),
        ("DTSTART:20270301T190000", {"start": "2027-03-01T19:00:00"}),
        ("DTSTART;TZID=America/New_York:20270701T190000",
         {"time zone": "America/New_York", "start": "2027-07-01T19:00:00-04:00"}),
        ("DTSTART;TZID=Mill Time:20270701T190000", {"time zone": "Mill Time", "start": "2027-07-01T19:00:00"}),
        ("DTSTART;TZID=../../etc/passwd:20270701T190000",
         {"time zone": "../../etc/passwd", "start": "2027-07-01T19:00:00"}),
        ("DTSTART;TZID=Europe/Berlin:20271301T190000", {"time zone": "Europe/Berlin", "start": "2027-13-01T19:00:00"}),
        ("DTSTART;VALUE=DATE:20270301", {"start": "2027-03-01"}),
        ("X-NUMBER:20270301", {"x number": "20270301"}),
        ("CATEGORIES:Saws,Tools\\, old", {"categories": ["Saws", "Tools, old"]}),
        ("ATTENDEE;CN=\"Ida; L\":mailto:ida@mill.example\nATTENDEE:mailto:b@mill.example",
         {"attendee": ["Ida; L (ida@mill.example)", "mailto:b@mill.example"]}),
        ("ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA", {}),
        ("DESCRIPTION:Text\nX-ALT-DESC;FMTTYPE=text/html:<p>Text", {"description": "Text", "x alt desc": "<p>Text"}),
        ("BEGIN:VALARM\nTRIGGER:-PT5M\nEND:VALARM\nLOCATION:Yard", {"location": "Yard"}),
        ("RRULE:FREQ=WEEKLY;BYDAY=MO,TU", {"rrule": "FREQ=WEEKLY;BYDAY=MO,TU"}),
    ],
)  # fmt: skip
def test_an_event_is_read_with_its_values_as_a_person_writes_them(line: str, value: dict[str, object]) -> None:
    text = f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{line}\nEND:VEVENT\nEND:VCALENDAR\n"
    assert records_of(text) == [{"events": [value]}]


def test_contact_cards_are_rows() -> None:
    cards = "BEGIN:VCARD\nFN:Ida\nTEL;TYPE=work:1\nTEL;HOME:2\nADR:;;1 Yard;Hull;;;UK\nEND:VCARD\n" + (
        "BEGIN:VCARD\nFN:Bo\nitem1.URL:https://mill.example\nEND:VCARD\n"
    )
    page = data_as_html(cards, "text/vcard", "https://a.example/")
    assert extract_clean_markdown(str(page))[0].splitlines() == [
        "| name | tel work | tel home | adr | url |",
        "| --- | --- | --- | --- | --- |",
        "| Ida | 1 | 2 | 1 Yard, Hull, UK |  |",
        "| Bo |  |  |  | https://mill.example |",
    ]


@pytest.mark.parametrize("text", ["", "plain", "BEGIN:VCALENDAR\nEND:VCALENDAR", "BEGIN:VEVENT\nSUMMARY:x\nEND:VEVENT"])
def test_what_holds_no_records_stays_as_it_is_typed(text: str) -> None:
    assert data_as_html(text, "text/calendar", "") is None


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\n" * 100_000,
        "BEGIN:VCALENDAR\nSUMMARY:x\n" + "junk\n" * 300_000,
        "BEGIN:VCALENDAR\nA;" + ";b=c" * 500_000,
        "BEGIN:VCALENDAR\n" + "EVENTS:x\nBEGIN:VEVENT\nA:1\nEND:VEVENT\n" * 1_000,
    ],
)
def test_a_hostile_calendar_is_read_in_linear_time(text: str) -> None:
    data_as_html(text, "text/calendar", "")


LINES = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "END:VEVENT", "END:VCARD", "BEGIN:VCARD", "A:1", "EVENTS:2", "x", " y", ":"]


@given(st.lists(st.sampled_from(LINES)).map(lambda lines: "\n".join(("BEGIN:VCALENDAR", *lines))))
def test_any_lines_are_read_without_an_error(text: str) -> None:
    data_as_html(text, "text/calendar", "")
