"""JSON as callers send it: one reading, and in time that is linear in the text (AP-1, SS-2)."""

import pytest
from gleaner.api.problems import validation_detail
from gleaner.contracts.errors import InvalidRequest
from gleaner.contracts.json_text import NameGivenTwice, NestedTooDeeply, _object, parse_json
from gleaner.contracts.models import parse_request
from gleaner.jobs.batches import parse_list
from gleaner.mcp.reading import refusal_of


class CountedName(str):
    """A name that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return str.__eq__(self, other)


@pytest.mark.req("SS-2", "AP-1")
def test_the_name_that_is_given_twice_is_found_without_comparing_all_with_all() -> None:
    count = 2_000
    CountedName.compared = 0
    pairs = [(CountedName(f"field {number}"), number) for number in range(count)]
    with pytest.raises(NameGivenTwice, match="'field 1990' is given twice"):
        _object([*pairs, (CountedName("field 1990"), 0)])
    assert CountedName.compared < 20 * count


@pytest.mark.req("AP-1")
@pytest.mark.parametrize(
    ("text", "fault", "said"),
    [
        ('{"query": "a", "url": "b", "query": "c"}', NameGivenTwice, "'query' is given twice"),
        ('{"output_schema": [{"type": 1, "type": 2}]}', NameGivenTwice, "'type' is given twice"),
        ('{"\\u0061": 1, "a": 2}', NameGivenTwice, "'a' is given twice"),
        ('{"": 1, "": 1}', NameGivenTwice, "'' is given twice"),
        ('{"a": ' * 200_000, NestedTooDeeply, "nested too deeply"),
        ('{"a": 1', ValueError, "Expecting ',' delimiter"),
    ],
)
def test_what_has_two_readings_or_none_is_refused(text: str, fault: type[ValueError], said: str) -> None:
    with pytest.raises(fault, match=said):
        parse_json(text)


@pytest.mark.req("AP-1")
def test_the_same_name_in_two_objects_is_no_repetition() -> None:
    assert parse_json('[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]


@pytest.mark.req("SS-2")
def test_a_request_that_is_too_long_is_refused_before_its_fields_are_looked_at() -> None:
    """Each unknown field would be an error of its own: 30 s for a body of 4.7 MB."""
    with pytest.raises(InvalidRequest, match="bytes of JSON; the limit is 250000") as refusal:
        parse_request({f"field {number}": number for number in range(20_000)})
    assert "unknown field" not in refusal.value.message


@pytest.mark.req("SS-2")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" + ",".join(['{"colour": "red"}'] * 50_001) + "]", "more than 50000 requests"),
        ("nowhere\n" * 50_001, "more than 50000 requests"),
        (",".join(["url"] * 20_000) + "\nhttps://list.example/", "'url' appears twice"),
    ],
    ids=["array of nothing", "lines of nothing", "columns"],
)
def test_a_list_of_nothing_but_faults_is_given_up(text: str, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        parse_list(text.encode())


@pytest.mark.req("SS-2")
def test_long_defaults_are_not_repeated_for_a_long_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleaner.jobs.batches.MAX_WRITTEN_BYTES", 1_000)
    defaults = {"query": "w" * 300}
    assert len(parse_list(b"https://a.example/\nhttps://b.example/", defaults=defaults).requests) == 2
    with pytest.raises(InvalidRequest, match="more than 3 requests"):
        parse_list(b"https://a.example/\n" * 4, defaults=defaults)
    with pytest.raises(InvalidRequest, match=r"defaults: .* the limit is 250000"):
        parse_list(b"https://a.example/", defaults={"output_schema": {"enum": [*range(50_000)]}})


@pytest.mark.req("SS-2")
def test_a_problem_names_the_first_of_many_faults_and_counts_the_rest() -> None:
    fault = {"type": "extra_forbidden", "msg": "", "input": 1}
    faults = [{**fault, "loc": ("body", f"field{number}")} for number in range(500)]
    detail = validation_detail(faults)
    assert detail.startswith("field0: unknown field; field1: unknown field; ")
    assert detail.endswith("; and 480 more")


@pytest.mark.req("MC-1")
@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "method": "tools/call"}', True),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"arguments": {"url": 1, "url": 2}}}', True),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}', False),
        (b"{", False),
        (b"\xff\xfe", False),
        (b"[" * 100_000, False),
    ],
)
def test_a_message_that_gives_a_name_twice_is_refused_and_the_protocol_judges_the_rest(
    body: bytes, is_refused: bool
) -> None:
    refusal = refusal_of(body)
    assert (refusal is not None) == is_refused
    assert refusal is None or b"is given twice" in refusal
