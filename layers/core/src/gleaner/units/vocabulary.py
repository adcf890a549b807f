"""Words and tags that help unit detection; shapes decide."""

import re

from gleaner.contracts.word_lists import listed

UNSEEN_TAGS = listed(
    "script style template noscript svg head select option datalist iframe object canvas audio video map "
    "br wbr source track col colgroup input textarea"
)
"""Tags whose subtree holds no text of a record; the text after them counts."""

PART_TAGS = listed(
    "html body head thead tbody tfoot caption dt dd h1 h2 h3 h4 h5 h6 hr b i em strong u s small sup sub mark code "
    "kbd label time button img abbr cite q legend th figcaption summary form"
)
"""Tags that are parts of a record, never a record."""

SECTION_TAGS = listed("article section main li td aside figure")
"""A header inside one of these belongs to it, not to the site."""

CHROME_TAGS = listed("nav footer")
CHROME_ROLES = listed("navigation contentinfo menu menubar tablist toolbar search banner")
CHROME_WORDS = listed(
    "nav navbar navigation menu submenu breadcrumb breadcrumbs pagination pager paginator footer sidebar related "
    "recommend recommended recommendations recommendation similar upsell crosssell alsobought social share sharing "
    "cookie consent filter filters facet facets toolbar skiplinks tagcloud tags toc topbar masthead promo newsletter"
)
"""Parts of class names and ids of what stands around the content."""

STATES = listed(
    "active odd even first last selected current open alt hover disabled visited expanded collapsed new sale featured "
    "is-active is-first is-last row-odd row-even loaded lazy visible in-stock out-of-stock sold-out"
)
"""Class names that tell one sibling's state, not its sort."""

AD_CLASS = re.compile(
    r"(?:^|[-_])(?:ads?|adv|advert\w*|adslot|sponsor\w*|promo\w*|banner|newsletter|placeholder|skeleton)(?:$|[-_])"
)
"""A class of an advertisement, a promotion or an empty place between units."""

AD_TEXT = re.compile(
    r"^\W*(?:ads?|advert\w*|advertisement|sponsored|promoted|anzeige|werbung|gesponsert|publicité|annonce|anuncio|"
    r"publicidad|pubblicità|реклама|広告|广告)\W*$",
    re.IGNORECASE,
)
"""The label that an advertisement starts with."""

LABELLED = re.compile(r"^([^:：]{2,30})[:：]\s*\S")
"""A label, and what it says: "Weight: 2 kg"."""

HEAD_CLASS = re.compile(r"(?:^|[-_])(?:head|header|heading|thead|columns?-?names|legend)(?:$|[-_])")
"""A class of a row of column names."""

TOTAL_TEXT = re.compile(
    r"^\W*(?:grand |sub-? ?)?(?:totals?|sum|summe|gesamt(?:summe)?|insgesamt|zwischensumme|somme|totale|suma|average|"
    r"mean|durchschnitt|итого|всего|合計|合计|总计)\b",
    re.IGNORECASE,
)
"""The first words of a row of totals, or of a record: "Mean Girls"."""

_TOTALS = listed(
    "total totals subtotal subtotals sum sums totale totali totaal totaux totalt totalsumma totalsum summe summa suma "
    "somme subtotale subtotaal deeltotaal eindtotaal tussentotaal gesamt gesamtsumme gesamtbetrag endsumme endbetrag "
    "insgesamt zwischensumme teilsumme delsumma slutsumma delsum ialt samlet yhteensä välisumma loppusumma samtals "
    "mezisoučet celkem součet spolu medzisúčet toplam összesen részösszeg végösszeg mindösszesen razem łącznie ogółem "
    "podsuma ukupno međuzbroj skupaj kokku vahesumma kopā starpsumma jumlah subjumlah σύνολο υποσύνολο итого всего "
    "итог подытог усього разом всього підсумок общо сума المجموع الإجمالي "
    "小计 小計 总计 總計 合計 合计 소계 합계 총계 รวม ยอดรวม "
    "average mean median minimum maximum durchschnitt mittelwert moyenne media mediana médiane promedio gemiddelde "
    "medelvärde gjennomsnitt gennemsnit keskiarvo průměr ortalama átlag среднее"
)
_BEFORE = (
    r"(?:grand|general|genel|ara|sub|sous|i|iš|partial|overall|промежуточный|общий|междинна|vmesni|μερικό|γενικό|tổng|"
    r"tussen|eind|suma)"
)
_BEHIND = (
    r"(?:total|general|généra(?:l|ux)|generale|geral|toplam|alt|viso|amount|price|cost|sum|częściowa|parziale|parcial|"
    r"partiel|cộng|сумма)"
)
_TOTAL_ALONE = re.compile(
    rf"^[^\w]*(?:{_BEFORE}[- ]?)?(?:{'|'.join(sorted(_TOTALS))}|alt|viso|cộng)(?:[ ]{_BEHIND})?"
    r"[^\w|]*(?:\([^)|]*\)[^\w|]*)?(?:$|[|:：]|\d+[.,]\d|(?<=[ \t]{2})\d)",
    re.IGNORECASE,
)
"""A row of totals whose label says nothing else: in many languages, since names may begin with such a word."""


def is_total(text: str, *, is_whole: bool = True) -> bool:
    """Tell whether a row, or its first cell, is one of totals; one that fills all columns only by its whole label.

    >>> is_total("| Sous-total | 12 € |"), is_total("Ara toplam"), is_total("| Mean Girls | 2004 |")
    (True, True, False)
    >>> is_total("Total for May", is_whole=False), is_total("Sum 41")
    (True, False)
    """
    return _TOTAL_ALONE.search(text) is not None or (not is_whole and TOTAL_TEXT.search(text) is not None)


_RELATED = (
    r"\b(?:related|similar|recommend\w*|you (?:may|might) (?:also|like|enjoy)|also (?:like|bought|viewed)|"
    r"customers who|recently viewed|more from|more like this|frequently bought|sponsored|read (?:next|more)|see also|"
    r"references|further reading|most (?:read|popular|viewed)(?! (?:facilit|amenit|feature))|ähnliche|auch interessant|"
    r"kunden kauften|zuletzt angesehen|vous aimerez aussi|similaires|relacionad\w+|también te|correlati|"
    r"похожие)|関連|相关"
)
OTHER_THINGS = re.compile(_RELATED, re.IGNORECASE)
"""The heading of a section about other things than the page's own."""
RELATED_TEXT = re.compile(rf"{_RELATED}|\btags", re.IGNORECASE)
"""The heading of a list that points elsewhere."""
