"""Answers in words are checked like data (EX-11): what a claim is, what bears it out, what has no support."""

import itertools
import json
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from gleaner import Gleaner
from gleaner.contracts.models import ExtractionConfig
from gleaner.judging.words.answers import check_answer
from gleaner.judging.words.claims import find_claims
from gleaner.testing import FunctionModel
from gleaner.values.texts.text_index import TextIndex

MILL = """# The Old Mill

The Old Mill in Harrow was built in 1871 by Thomas Wedgwood. In 2019 it drew 1,250,000 visitors, 12.5 % more than
the year before. "We open the sluice once a day, at noon," says Dr. Mary O'Hara, who has run it since 12 March 2004.

## Visiting

- Adults: £9.50
- Children under 12: £4.00
- Groups of 10-25: £7.25 each

Open daily 10:00-17:30, last entry 5 pm. Call +44 20 7946 0958 or write to desk@oldmill.example. Model XK-220 wheel.
"""
STAFF = "| Name | Age | Town |\n|---|---|---|\n" + "".join(
    f"| {name} | {age} | {town} |\n"
    for name, age, town in (
        ("Nadia Brandt", 41, "Lund"),
        ("Oskar Lind", 36, "Visby"),
        ("Pia Holm", 52, "Kalmar"),
        ("Rune Dahl", 29, "Falun"),
        ("Siv Ek", 63, "Ystad"),
        ("Tage Berg", 47, "Motala"),
    )
)
CAFE_DE = (
    "# Café Anker\n\nDas Café Anker wurde am 3. März 1998 von Jutta Reimers eröffnet. Der Umsatz lag 2023 bei "
    "1.234.567,80 € und stieg um 4,5 %.\n\nGeöffnet von 9 bis 18 Uhr."
)
MUSEE_FR = (
    "# Musée du sel\n\nOuvert le 14 juillet 1989, le musée a reçu 45 300 visiteurs. L'entrée coûte 7,50 €. "
    "La directrice, Hélène Vasseur, parle d'« une mémoire vivante de nos marais »."
)
FERIA_ES = "# Feria\n\nLa feria de Ronda empieza el 5 de septiembre de 2025. Se vendieron 2,3 millones de entradas."
FIRMA_PL = (
    "# Firma\n\nFirmę założył Jan Kowalski w Warszawie w 1994 roku. Zatrudnia 320 osób. Prezesem jest Anna Nowak."
)
ZAVOD_RU = "# Завод\n\nЗавод основал Иван Петров в Казани 9 мая 1957 года. Сегодня там работают 1 200 человек."
EKI_JA = "# 駅\n\n松島駅は1934年に開業した。一日の利用者は3万2000人である。駅長は「安全こそ最大のサービスだ」と語る。"
QIAO_ZH = "# 大桥\n\n大桥于2018年10月24日通车，全长55公里，总投资1269亿元。"
SUQ_AR = "# السوق\n\nافتتح السوق في 15 مارس 2011 ويضم 240 متجرا."
PLANS = "# Plans\n\n###### $20\n\nPer month, for small teams\n\n###### $90\n\nPer month, for large companies\n"
LOG = "# Log\n\nNadia Brandt joined the harbour office in 2011.\n\nOskar Lind retired from the lighthouse in 2017.\n"
TWINS = "# Siblings\n\nNadia is 41, Oskar is 36."

RIGHT = [
    (MILL, "It was built in 1871 by Thomas Wedgwood."),
    (MILL, "The mill's builder was Wedgwood, and Mary O'Hara runs it today."),
    (MILL, "About the visitors: 1.25 million came in 2019, up 12.5 percent."),
    (MILL, "1250000 people visited."),
    (MILL, "Dr. Mary O'Hara has been in charge since March 2004."),
    (MILL, "She started on 2004-03-12 (12.03.2004)."),
    (MILL, "Mary O'Hara says: “We open the sluice … at noon”."),
    (MILL, "Adults pay £9.50 and children £4."),
    (MILL, "**Prices**\n\n1. Adults: £9.50\n2. Children under 12: £4.00\n3. Groups: £7.25"),
    (MILL, "There are three prices:\n\n- Adults\n- Children\n- Groups"),
    (MILL, "It is open from 10 am to 5:30 pm; the last entry is at 17:00."),
    (MILL, "Call 020 7946 0958 or write to desk@oldmill.example."),
    (MILL, "The wheel is an XK220."),
    (MILL, "The page does not say who owns it."),
    (MILL, "First, the sluice is opened; second, the wheel turns."),
    (MILL, "Groups of 10 to 25 pay £7.25 per person [1]."),
    (STAFF, "Nadia Brandt is 41 and lives in Lund; Oskar Lind is 36."),
    (STAFF, "Holm, Pia (52) comes from Kalmar."),
    (CAFE_DE, "Jutta Reimers hat das Café am 3.3.1998 gegründet."),
    (CAFE_DE, "Die Einnahmen betrugen im Jahr 2023 genau 1.234.567,80 Euro, ein Plus von 4,5 Prozent."),
    (CAFE_DE, "The café opened on March 3, 1998; in 2023 it sold for €1,234,567.80."),
    (CAFE_DE, "Es ist von 9:00 bis 18:00 geöffnet."),
    (MUSEE_FR, "Le musée a ouvert en juillet 1989 et compte 45300 visiteurs."),
    (MUSEE_FR, "Hélène Vasseur le décrit comme « une mémoire vivante » ; le billet est à 7,50 euros."),
    (FERIA_ES, "Comienza el 05/09/2025 en Ronda, con 2.300.000 entradas vendidas."),
    (FIRMA_PL, "Firma Jana Kowalskiego z Warszawy działa od 1994 roku; kieruje nią Anna Nowak."),
    (FIRMA_PL, "W firmie pracuje 320 osób, a Annę Nowak wybrano na prezesa."),
    (ZAVOD_RU, "Завод Ивана Петрова в Казань работает с 9.05.1957, там 1200 человек."),
    (EKI_JA, "松島駅の開業は1934年、利用者は3万2000人です。駅長は「安全こそ最大のサービスだ」と言います。"),
    (QIAO_ZH, "这座桥长55公里，2018年10月24日开通。"),
    (SUQ_AR, "يضم السوق 240 متجرا وافتتح في 15 مارس 2011."),
    (PLANS, "Small teams pay $20 per month, large companies $90."),
    (LOG, "Nadia Brandt came in 2011, and Oskar Lind left in 2017."),
    (TWINS, "Nadia: 41. Oskar: 36."),
    ("The Chief Executive Officer is Pia Holm.", "Pia Holm is the CEO."),
    ("Prices in US$: Tea 3.50, Milk 2.", "Tea is $3.50."),
    ("Sales fell by 5 % in May.", "In May sales changed by -5 %."),
    ("See https://oldmill.example/tickets for tickets.", "Buy tickets at https://oldmill.example/tickets."),
    ("Open Tue–Fri, 9 to 17.", "It is open on Wednesday and on Friday."),
    ("| Country | Share in % |\n|---|---|\n| Chile | 41 |\n", "Chile has a share of 41 %."),
]
WRONG = [
    (MILL, "It was built in 1817 by Thomas Wedgwood.", ["1817"]),
    (MILL, "It was built in 1871 by Josiah Wedgwood.", ["Josiah Wedgwood"]),
    (MILL, "It drew 1.3 million visitors, up by 15 %.", ["1.3 million", "15 %"]),
    (MILL, "The increase was 12.5 million.", ["12.5 million"]),
    (MILL, "She has run the mill since 13 March 2004.", ["13 March 2004"]),
    (MILL, "Mary O'Hara says: “We close the sluice twice a day”.", ["We close the sluice twice a day"]),
    (MILL, "Adults pay €9.50.", ["9.50"]),
    (MILL, "Adults and children together pay £13.50.", ["13.50"]),
    (MILL, "It closes at nine in the evening; ask for Bob.", ["nine", "Bob"]),
    (MILL, "Call +44 20 7946 0959, or write to info@oldmill.example.", ["+44 20 7946 0959", "info@oldmill.example"]),
    (MILL, "The wheel is an XK-230.", ["XK-230"]),
    (MILL, "Six prices apply:\n\n- Adults\n- Children\n- Groups", ["Six"]),
    (MILL, "Last entry is at 5 am.", ["5 am"]),
    (STAFF, "Nadia Brandt is 36.", ["36"]),
    (STAFF, "The average age is 44.67.", ["44.67"]),
    (STAFF, "Nadia Lind lives in Lund.", ["Nadia Lind"]),
    (CAFE_DE, "Das Café wurde von Petra Sommer am 3. Mai 1998 eröffnet.", ["Petra Sommer", "3. Mai 1998"]),
    (CAFE_DE, "Der Umsatz stieg um 5,4 %.", ["5,4 %"]),
    (MUSEE_FR, "Hélène Vasseur parle d'« un désert sans mémoire ».", ["un désert sans mémoire"]),
    (MUSEE_FR, "L'entrée coûte 8,50 €, selon Paul Garnier.", ["8,50", "Paul Garnier"]),
    (FERIA_ES, "La feria empieza el 6 de septiembre de 2025 en Jaén.", ["6 de septiembre de 2025", "Jaén"]),
    (FIRMA_PL, "Firmę założył Piotr Kowalski w Krakowie.", ["Piotr Kowalski", "Krakowie"]),
    (ZAVOD_RU, "Завод основал Сергей Петров в 1975 году.", ["Сергей Петров", "1975"]),
    (
        EKI_JA,
        "松島駅は1943年に開業し、駅長は「速さこそ最大のサービスだ」と語る。",
        ["1943", "速さこそ最大のサービスだ"],
    ),
    (QIAO_ZH, "大桥全长65公里，于2018年10月25日通车。", ["65", "2018年10月25日"]),
    (SUQ_AR, "يضم السوق 420 متجرا.", ["420"]),
    (PLANS, "Small teams pay $25 per month.", ["25"]),
    (LOG, "Nadia Brandt joined the harbour office in 2017.", ["2017"]),
    (MILL, "It is closed on Monday.", ["Monday"]),
    (TWINS, "Nadia is 36, Oskar is 41.", ["36", "41"]),
    ("See https://oldmill.example/tickets.", "See https://oldmill.example/press.", ["https://oldmill.example/press"]),
    ("| Country | People |\n|---|---|\n| Chile | 41 |\n", "Chile has 41 %.", ["41 %"]),
]


def unsupported(page: str, answer: str, query: str | None = None) -> list[str]:
    return [claim.text for claim in check_answer(answer, TextIndex(page), query).unsupported]


@pytest.mark.req("EX-11")
@pytest.mark.parametrize(("page", "answer"), RIGHT, ids=[answer[:40] for _, answer in RIGHT])
def test_each_claim_of_a_right_answer_has_support(page: str, answer: str) -> None:
    assert unsupported(page, answer) == []


@pytest.mark.req("EX-11")
@pytest.mark.parametrize(("page", "answer", "expected"), WRONG, ids=[answer[:40] for _, answer, _ in WRONG])
def test_what_the_page_does_not_say_of_it_is_named(page: str, answer: str, expected: list[str]) -> None:
    assert unsupported(page, answer) == expected


@pytest.mark.req("EX-11")
def test_what_the_question_says_is_no_invention() -> None:
    answer = "The page does not say whether Bob Marsh worked there in 1999."
    assert unsupported(MILL, answer, "Did Bob Marsh work at the mill in 1999?") == []
    assert unsupported(MILL, answer, "Who worked there?") == ["Bob Marsh", "1999"]


@pytest.mark.req("EX-11")
def test_every_supported_claim_names_a_passage_that_states_it() -> None:
    page = "\n\n".join(
        f"## Hall {number}\n\n" + f"Hall {number} seats {number * 7} people. " * 20 for number in range(11, 40)
    )
    answer = " ".join(f"Hall {number} seats {number * 7} people." for number in range(12, 40, 3))
    checked = check_answer(answer, TextIndex(page), "How many seats?")
    assert checked.unsupported == []
    assert len(checked.passages) >= 10
    for one in checked.claims:
        assert one.passage is not None
        passage = checked.passages[one.passage]
        assert one.claim.text in page[passage.start : passage.end]


def test_claims_have_their_places_in_the_answer_and_do_not_overlap() -> None:
    for answer in (answer for _, answer, *_ in (*RIGHT, *WRONG)):
        claims = find_claims(answer)
        assert all(answer[claim.start : claim.end] == claim.text for claim in claims)
        assert all(left.end <= right.start for left, right in itertools.pairwise(claims))


def ask(answer: Callable[[str], str], page: str, query: str, config: ExtractionConfig | None = None) -> Any:
    with (
        tempfile.TemporaryDirectory() as home,
        Gleaner(model=FunctionModel(answer), home=home) as gleaner,
    ):
        request: dict[str, Any] = {"config": config.model_dump()} if config else {}
        return gleaner.extract_html(page, "https://mill.example/", query=query, **request)


HTML = "<main><h1>Salt</h1><p>A book by Ada Moss. Price: $12.50. Open until five.</p></main>"


@pytest.mark.req("EX-11")
def test_an_invented_answer_in_words_makes_the_result_partial_and_says_what_has_no_support() -> None:
    result = ask(lambda prompt: "It closes at nine; call 555-0199 and ask for Bob.", HTML, "When does it close?")
    assert result.status == "partial"
    assert [(error.error_type, error.message) for error in result.extraction.errors] == [
        ("ungrounded", 'Not found on the page: "nine", "555-0199", "Bob"')
    ]
    assert [claim.support for claim in result.extraction.claims] == ["none", "none", "none"]


@pytest.mark.req("EX-11")
def test_a_right_answer_in_words_is_complete_with_the_passages_that_state_it() -> None:
    result = ask(lambda prompt: "The book by Ada Moss costs $12.50; it closes at 5 pm.", HTML, "What does it cost?")
    assert (result.status, result.extraction.errors) == ("complete", [])
    assert [(claim.kind, claim.support, claim.passage) for claim in result.extraction.claims] == [
        ("name", "page", 0),
        ("number", "page", 0),
        ("time", "page", 0),
    ]
    assert "$12.50" in result.extraction.passages[0].text


@pytest.mark.req("EX-11")
@pytest.mark.parametrize(("told", "status"), [("41", "complete"), ("43", "partial")])
def test_an_answer_merged_from_several_chunks_is_checked_as_a_whole(told: str, status: str) -> None:
    filler = "<p>" + "Nothing is said about ages in this long paragraph. " * 12 + "</p>"
    page = (
        f"<main><h2>North</h2>{filler}<p>Nadia Brandt is 41.</p><h2>South</h2>{filler}<p>Oskar Lind is 36.</p></main>"
    )

    def answer(prompt: str) -> str:
        said = [f"Nadia Brandt is {told}."] if "Brandt is 41" in prompt else []
        said += ["Oskar Lind is 36."] if "Lind is 36" in prompt else []
        return " ".join(said) or "The text does not say."

    result = ask(answer, page, "How old is everybody?", ExtractionConfig(max_chunk_chars=1_000))
    assert "---" in result.extraction.data
    assert result.status == status
    doubtful = {claim.text for claim in result.extraction.claims if claim.support == "none"}
    assert doubtful == (set() if status == "complete" else {"43"})
    assert json.loads(result.model_dump_json())["extraction"]["claims"]
