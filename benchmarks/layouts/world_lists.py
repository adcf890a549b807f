"""Lists in other languages, scripts and number formats: menus, homes, jobs, charts, two languages side by side."""

from collections.abc import Sequence
from html import escape as e
from itertools import groupby
from random import Random

from layouts import values as v
from layouts.design import Design, Record, Style, schema_of


def _comma(amount: float) -> str:
    return f"{amount:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def _by(records: Sequence[Record], name: str) -> list[tuple[str, list[Record]]]:
    return [(key, list(group)) for key, group in groupby(records, key=lambda r: r[name])]


_COURSES = ["Vorspeisen", "Suppen", "Hauptgerichte", "Süßspeisen", "Getränke"]


def _menu_dish(r: Random) -> Record:
    return {
        "gang": r.choice(_COURSES),
        "gericht": f"{r.choice(['Gebratene', 'Marinierte', 'Hausgemachte', 'Zarte'])} {r.choice(['Forelle', 'Ente', 'Spätzle', 'Rüben', 'Maultaschen'])} {r.choice(['mit Spargel', 'auf Linsen', 'in Weißwein', 'mit Kräutern'])}",
        "beschreibung": v.maybe(r, f"Dazu {r.choice(['Kartoffeln', 'Brot', 'Salat'])} vom Hof {v.person(r)}", 0.6),
        "preis": r.randint(45, 390) / 10,
        "allergene": r.sample(["A", "C", "D", "G", "L", "M"], r.randint(0, 3)),
        "vegetarisch": r.random() < 0.3,
    }


def _render_menu(records: Sequence[Record], s: Style) -> str:
    def one(r: Record) -> str:
        leaf = '<span class="veg" title="vegetarisch" x-f="vegetarisch">🌱</span>' if r["vegetarisch"] else ""
        allergens = f'<sup class="allergene" x-f="allergene">{",".join(r["allergene"])}</sup>' if r["allergene"] else ""
        text = f'<p class="speise__text" x-f="beschreibung">{e(r["beschreibung"])}</p>' if r["beschreibung"] else ""
        return f'<div class="speise" x-r><div class="speise__kopf"><h4><span x-f="gericht">{e(r["gericht"])}</span> {leaf}{allergens}</h4><span class="speise__punkte"></span><span class="speise__preis" x-f="preis">{_comma(r["preis"])} €</span></div>{text}</div>'

    parts = [
        f'<section class="karte__gang"><h3 class="karte__titel">{course}</h3>{"".join(map(one, dishes))}</section>'
        for course, dishes in _by(records, "gang")
    ]
    return f'<h2>Unsere Speisekarte</h2><div class="karte">{"".join(parts)}</div><p>Alle Preise in Euro inkl. MwSt.</p>'


def _home_il(r: Random) -> Record:
    return {
        "street": f"{r.choice(['הרצל', 'ביאליק', 'ויצמן', 'אלנבי', 'הגפן', 'רוטשילד'])} {r.randint(1, 140)}",
        "city": r.choice(["תל אביב", "חיפה", "רחובות", "נתניה", "באר שבע"]),
        "rooms": r.choice([2, 2.5, 3, 3.5, 4, 5]),
        "floor": r.randint(1, 14),
        "size_m2": r.randint(45, 190),
        "price": r.randint(900, 5200) * 1000,
        "from_agent": r.random() < 0.4,
    }


def _render_homes_il(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        agent = f'<span class="{s.css("agency")}" x-f="from_agent">תיווך</span>' if r["from_agent"] else ""
        return f'<li class="{s.css("feed-item")}" data-nagish="feed-item-list-box" x-r><a href="/item/{n}x{r["size_m2"]}"><div class="{s.css("image-box")}"><img src="/p/{n}.jpg" alt=""></div><div class="{s.css("content")}"><div class="{s.css("price-row")}"><span data-testid="price" x-f="price">&rlm;{r["price"]:,} &rlm;₪</span>{agent}</div><h2 class="{s.css("heading")}"><span class="{s.css("street")}" x-f="street">{r["street"]}</span><span class="{s.css("town")}">דירה, <b x-f="city">{r["city"]}</b></span></h2><div class="{s.css("info-line")}">{r["rooms"]:g} חדרים • קומה {r["floor"]} • {r["size_m2"]} מ״ר</div></div></a></li>'

    return f'<div dir="rtl" lang="he"><h1>דירות למכירה</h1><ul class="{s.css("feed-list")}">{"".join(one(n, r) for n, r in enumerate(records))}</ul></div>'


def _news_ar(r: Random) -> Record:
    return {
        "title": f"{r.choice(['افتتاح', 'تأجيل', 'بحث', 'إطلاق'])} {r.choice(['معرض', 'مهرجان', 'مشروع', 'ملتقى'])} {r.choice(['الكتاب', 'المياه', 'الزراعة', 'الفنون'])} في {r.choice(['عمّان', 'تونس', 'مسقط', 'الرباط', 'بغداد'])} {r.randint(2, 99)}",
        "link": f"https://akhbar-list.example/news/{r.randint(10**5, 10**6)}",
        "section": r.choice(["اقتصاد", "ثقافة", "رياضة", "محليات"]),
        "published": f"{v.day(r)}T{r.randint(10, 23)}:{r.randint(10, 59)}:00Z",
        "comments": r.randint(2, 300),
        "video": r.random() < 0.25,
    }


def _render_news_ar(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        video = '<span class="badge badge-video" x-f="video">فيديو</span>' if r["video"] else ""
        return f'<article class="post-item row" x-r><div class="col-4"><a href="{r["link"]}"><img loading="lazy" src="/i/{n}.jpg" alt="">{video}</a></div><div class="col-8"><a class="post-cat" href="/s/{n}" x-f="section">{r["section"]}</a><h3 class="post-title"><a href="{r["link"]}" x-f="title">{r["title"]}</a></h3><ul class="post-meta list-inline"><li><time datetime="{r["published"]}" x-f="published">منذ {n + 1} ساعات</time></li><li x-f="comments"><i class="fa fa-comment"></i> {r["comments"]} تعليق</li></ul></div></article>'

    return f'<div dir="rtl" lang="ar"><h1>آخر الأخبار</h1><div class="posts-list">{"".join(one(n, r) for n, r in enumerate(records))}</div></div>'


def _comic_jp(r: Random) -> Record:
    return {
        "title": f"{r.choice(['青い', '静かな', '遠い', '最後の', '夜の'])}{r.choice(['図書館', '灯台', '庭', '列車', '約束'])} {r.randint(1, 40)}巻",
        "author": f"{r.choice(['山本', '佐藤', '高橋', '石井'])}{r.choice(['葵', '健', '美咲', '蓮'])}",
        "publisher": r.choice(["北斗書房", "若葉社", "銀河出版"]),
        "price_yen": r.randint(460, 1980),
        "reviews": r.randint(2, 2400),
        "rating": r.randint(30, 50) / 10,
        "released": v.day(r),
        "digital": r.random() < 0.6,
    }


def _render_comics_jp(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        year, month, day = map(int, r["released"].split("-"))
        digital = '<span class="ico_ebook" x-f="digital">電子書籍あり</span>' if r["digital"] else ""
        return f'<div class="rank_item" x-r><p class="rank_no">{n + 1}位</p><div class="rank_img"><a href="/b/{n}"><img src="/b/{n}.jpg" alt="{r["title"]}"></a></div><div class="rank_txt"><p class="ttl"><a href="/b/{n}" x-f="title">{r["title"]}</a></p><p class="aut">著者：<a href="/a/{n}" x-f="author">{r["author"]}</a></p><p class="pub"><span x-f="publisher">{r["publisher"]}</span>／<span x-f="released">{year}年{month}月{day}日</span>発売</p><p class="rev">★<span x-f="rating">{r["rating"]:.1f}</span> <span x-f="reviews">({r["reviews"]:,}件)</span></p><p class="prc"><span x-f="price_yen">{r["price_yen"]:,}円</span>（税込）{digital}</p></div></div>'

    return f'<h2>コミック週間ランキング</h2><div class="rank_list">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _vacancy_ru(r: Random) -> Record:
    low = v.maybe(r, r.randint(40, 150) * 1000, 0.7)
    return {
        "title": f"{r.choice(['Старший', 'Младший', 'Ведущий'])} {r.choice(['бухгалтер', 'разработчик', 'повар', 'логист'])} {r.choice(['', 'на склад', 'в офис'])}".strip(),
        "employer": f"ООО «{r.choice(['Север', 'Волна', 'Рубеж', 'Маяк'])}-{r.randint(2, 99)}»",
        "salary_from": low,
        "salary_to": v.maybe(r, r.randint(160, 400) * 1000, 0.5) if low else None,
        "city": r.choice(["Казань", "Омск", "Пермь", "Тула"]),
        "experience": r.choice(["Без опыта", "Опыт 1-3 года", "Опыт 3-6 лет"]),
        "remote": r.random() < 0.3,
    }


def _thousands(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def _render_vacancies_ru(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        parts = [
            f"{word} {_thousands(r[name])}"
            for word, name in (("от", "salary_from"), ("до", "salary_to"))
            if r[name] is not None
        ]
        pay = f'<span class="{s.css("compensation")}">{" ".join(parts)} ₽ за месяц</span>' if parts else ""
        remote = (
            '<span data-qa="vacancy-label-remote" class="tag" x-f="remote">Можно удалённо</span>' if r["remote"] else ""
        )
        return f'<div data-qa="vacancy-serp__vacancy" class="{s.css("vacancy-card")}" x-r><h2 class="{s.css("title")}"><a data-qa="serp-item__title" href="/vacancy/{n}7"><span x-f="title">{r["title"]}</span></a></h2><div class="{s.css("pay-row")}">{pay}</div><div class="{s.css("labels")}"><span data-qa="vacancy-experience" x-f="experience">{r["experience"]}</span>{remote}</div><div class="{s.css("company")}"><a data-qa="vacancy-employer" href="/employer/{n}" x-f="employer">{r["employer"]}</a></div><span data-qa="vacancy-address" x-f="city">{r["city"]}</span><button>Откликнуться</button></div>'

    return f'<h1>Работа, найдено вакансий</h1><div id="a11y-main-content">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _home_br(r: Random) -> Record:
    return {
        "titulo": f"{r.choice(['Apartamento', 'Casa', 'Sobrado'])} {r.choice(['à venda', 'com varanda', 'mobiliado', 'reformado'])}, ref. {r.randint(100, 9999)}",
        "preco": r.randint(180, 2900) * 1000,
        "condominio": v.maybe(r, r.randint(250, 1900), 0.7),
        "area_m2": r.randint(30, 320),
        "quartos": r.randint(1, 5),
        "banheiros": r.randint(1, 4),
        "vagas": v.maybe(r, r.randint(1, 3), 0.7),
        "endereco": {
            "rua": v.maybe(r, f"Rua {r.choice(['das Flores', 'do Porto', 'Bela', 'Sete'])}", 0.7),
            "bairro": r.choice(["Moema", "Centro", "Lapa", "Tatuapé", "Vila Nova"]),
            "cidade": r.choice(["São Paulo", "Recife", "Curitiba"]),
        },
    }


def _render_homes_br(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        place = r["endereco"]
        street = (
            f'<p class="text-sm text-neutral-110" data-cy="rp-cardProperty-street-txt">{place["rua"]}</p>'
            if place["rua"]
            else ""
        )
        facts = "".join(
            f'<li class="text-neutral-130" data-cy="rp-cardProperty-{mark}-txt" x-f="{name}"><span class="sr-only">{label}</span> {r[name]}{unit}</li>'
            for name, mark, label, unit in (
                ("area_m2", "propertyArea", "Tamanho do imóvel", " m²"),
                ("quartos", "bedroomQuantity", "Quantidade de quartos", ""),
                ("banheiros", "bathroomQuantity", "Quantidade de banheiros", ""),
                ("vagas", "parkingSpacesQuantity", "Quantidade de vagas de garagem", ""),
            )
            if r[name] is not None
        )
        fee = (
            f'<p class="text-xs" x-f="condominio">Cond. R$ {r["condominio"]:,}</p>'.replace(",", ".")
            if r["condominio"]
            else ""
        )
        price = f"{r['preco']:,}".replace(",", ".")
        return f'<li class="flex w-full" data-cy="rp-property-cd" x-r><a class="block rounded-2xl shadow" href="/imovel/{n}9"><div class="flex flex-col gap-2 p-4"><h2 class="text-base font-semibold" x-f="titulo">{r["titulo"]}</h2><h3 class="text-sm" data-cy="rp-cardProperty-location-txt">{place["bairro"]}, {place["cidade"]}</h3>{street}<ul class="flex gap-3">{facts}</ul><div data-cy="rp-cardProperty-price-txt"><p class="font-bold text-lg" x-f="preco">R$ {price}</p>{fee}</div></div></a></li>'

    return f'<h1>Imóveis à venda</h1><ul class="grid gap-4">{"".join(one(n, r) for n, r in enumerate(records))}</ul>'


def _term(r: Random) -> Record:
    number = r.randint(100, 9999)
    return {
        "number": number,
        "en": {"term": f"{v.thing(r).lower()} {number}", "definition": v.sentence(r)},
        "fr": {
            "term": f"{r.choice(['lanterne', 'boussole', 'registre', 'verger'])} {r.choice(['pliante', 'discrète', 'boréale'])} {number}",
            "definition": f"Se dit d'un {r.choice(['outil', 'lieu', 'acte'])} qui {r.choice(['sert', 'dure', 'change'])} {r.randint(2, 40)} ans.",
        },
        "domain": r.choice(["Law", "Trade", "Health"]),
    }


def _render_terms(records: Sequence[Record], s: Style) -> str:
    """English and French side by side, and the definitions in a second row."""

    def one(r: Record) -> str:
        return f'<tbody class="record" x-r><tr><th rowspan="2" scope="row" x-f="number">{r["number"]}</th><td lang="en"><b>{e(r["en"]["term"])}</b></td><td lang="fr"><b>{e(r["fr"]["term"])}</b></td><td rowspan="2" x-f="domain">{r["domain"]}</td></tr><tr><td lang="en">{e(r["en"]["definition"])}</td><td lang="fr">{e(r["fr"]["definition"])}</td></tr></tbody>'

    return f'<h1>Termbank / Banque de termes</h1><table class="terms"><thead><tr><th>No</th><th>English</th><th>Français</th><th>Domain / Domaine</th></tr></thead>{"".join(map(one, records))}</table>'


def _course_cn(r: Random) -> Record:
    free = r.random() < 0.2
    return {
        "title": f"{r.choice(['零基础', '实战', '高级', '七天'])}{r.choice(['摄影', '数据分析', '烘焙', '英语口语', '法语'])}{r.choice(['入门课', '训练营', '精讲'])}{r.randint(2, 99)}",
        "teacher": f"{r.choice(['李', '王', '陈', '赵'])}{r.choice(['老师', '晓明', '思远', '佳'])}",
        "lessons": r.randint(6, 120),
        "students": r.randint(20, 9000),
        "price": None if free else r.randint(9, 1999),
        "level": r.choice(["初级", "中级", "高级"]),
    }


def _render_courses_cn(records: Sequence[Record], s: Style) -> str:
    def one(n: int, r: Record) -> str:
        price = (
            f'<span class="{s.css("price")}" x-f="price">¥{r["price"]}.00</span>'
            if r["price"]
            else f'<span class="{s.css("free")}">免费</span>'
        )
        return f'<a class="{s.css("course-card")}" href="/course/{n}1" x-r><div class="{s.css("cover")}"><img src="/c/{n}.png" alt=""></div><div class="{s.css("body")}"><div class="{s.css("name")}" x-f="title">{r["title"]}</div><div class="{s.css("meta")}"><span class="{s.css("teacher")}" x-f="teacher">{r["teacher"]}</span><i></i><span class="{s.css("lesson")}" x-f="lessons">共{r["lessons"]}节</span><i></i><span class="{s.css("level")}" x-f="level">{r["level"]}</span></div><div class="{s.css("bottom")}">{price}<span class="{s.css("learn")}" x-f="students">{r["students"]}人学过</span></div></div></a>'

    return f'<div class="{s.css("course-grid")}">{"".join(one(n, r) for n, r in enumerate(records))}</div>'


def _tender_pl(r: Random) -> Record:
    return {
        "numer": f"ZP.{r.randint(10, 99)}.{r.randint(100, 999)}",
        "przedmiot": f"{r.choice(['Dostawa', 'Remont', 'Budowa', 'Odbiór'])} {r.choice(['mebli', 'drogi', 'sali', 'odpadów'])} dla gminy {r.choice(['Łęczna', 'Żory', 'Mława'])} nr {r.randint(2, 99)}",
        "zamawiajacy": f"Urząd Gminy {r.choice(['Łęczna', 'Żory', 'Mława', 'Gołdap'])}",
        "wartosc": v.maybe(r, r.randint(10**6, 90 * 10**6) / 100, 0.7),
        "termin": v.day(r),
        "unijne": r.random() < 0.4,
    }


def _render_tenders_pl(records: Sequence[Record], s: Style) -> str:
    """Labels before colons in lines of one paragraph."""

    def one(r: Record) -> str:
        amount = ""
        if r["wartosc"]:
            amount = f"Wartość: <b>{_thousands_pl(r['wartosc'])} zł</b><br>"
        year, month, day = r["termin"].split("-")
        return f'<div class="ogloszenie" x-r><h4><a href="/p/{r["numer"]}" x-f="przedmiot">{r["przedmiot"]}</a></h4><p>Numer: <b x-f="numer">{r["numer"]}</b><br>Zamawiający: <b x-f="zamawiajacy">{r["zamawiajacy"]}</b><br>{amount}Termin składania: <b x-f="termin">{day}.{month}.{year}</b><br>Środki unijne: <b x-f="unijne">{"tak" if r["unijne"] else "nie"}</b></p></div>'

    return f"<h2>Ogłoszenia o zamówieniach</h2>{''.join(map(one, records))}"


def _thousands_pl(amount: float) -> str:
    return f"{amount:,.2f}".replace(",", "\xa0").replace(".", ",")


def _stage_fr(r: Random) -> Record:
    return {
        "date": v.day(r, 2025, 2025),
        "spectacle": f"{r.choice(['Le', 'Un', 'Mon'])} {r.choice(['silence', 'jardin', 'violon', 'départ'])} {r.choice(['perdu', 'd’hiver', 'bleu'])} {r.randint(2, 99)}",
        "compagnie": f"Cie {v.company(r)}",
        "heure": f"{r.randint(14, 21)}h{r.choice(['00', '30', '45'])}",
        "tarif": r.choice([8, 12, 15.5, 22.5]),
        "duree_min": r.randint(45, 140),
        "complet": r.random() < 0.25,
    }


_MOIS = ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"]  # fmt: skip


def _render_stage_fr(records: Sequence[Record], s: Style) -> str:
    """Days as headings, then flat entries: heading and paragraphs without a box."""

    def one(r: Record) -> str:
        full = ' <span class="complet" x-f="complet">COMPLET</span>' if r["complet"] else ""
        return f'<h4 class="titre"><span x-f="spectacle">{r["spectacle"]}</span>{full}</h4><p class="infos"><span x-f="heure">{r["heure"]}</span> — <em x-f="compagnie">{e(r["compagnie"])}</em></p><p class="pratique">Durée : {r["duree_min"]} min · Tarif : {_comma(r["tarif"])} €</p>'

    def head(day: str) -> str:
        year, month, number = map(int, day.split("-"))
        return f"<h3>{number} {_MOIS[month - 1]} {year}</h3>"

    return "<h2>Programme</h2>" + "".join(head(day) + "".join(map(one, group)) for day, group in _by(records, "date"))


WORLD_LISTS = [
    Design("speisekarte", schema_of(gang="string", gericht="string", beschreibung="string?", preis="number", allergene=["string"], vegetarisch="boolean"), _menu_dish, _render_menu, evidence="gericht", sorted_by="gang", words={"vegetarisch": "pflanzlich"}),
    Design("dirot", schema_of(street="string", city="string", rooms="number", floor="integer", size_m2="integer", price="integer", from_agent="boolean"), _home_il, _render_homes_il),
    Design("akhbar", schema_of(title="string", link="uri", section="string", published="date-time", comments="integer", video="boolean"), _news_ar, _render_news_ar),
    Design("comic_ranking", schema_of(title="string", author="string", publisher="string", price_yen="integer", reviews="integer", rating="number", released="date", digital="boolean"), _comic_jp, _render_comics_jp, words={"著者": "作者"}),
    Design("vakansii", schema_of(title="string", employer="string", salary_from="integer?", salary_to="integer?", city="string", experience=("Без опыта", "Опыт 1-3 года", "Опыт 3-6 лет"), remote="boolean"), _vacancy_ru, _render_vacancies_ru, evidence="employer"),
    Design("imoveis", schema_of(titulo="string", preco="integer", condominio="integer?", area_m2="integer", quartos="integer", banheiros="integer", vagas="integer?", endereco={"rua": "string?", "bairro": "string", "cidade": "string"}), _home_br, _render_homes_br),
    Design("termbank", schema_of(number="integer", en={"term": "string", "definition": "string"}, fr={"term": "string", "definition": "string"}, domain="string"), _term, _render_terms),
    Design("kecheng", schema_of(title="string", teacher="string", lessons="integer", students="integer", price="number?", level=("初级", "中级", "高级")), _course_cn, _render_courses_cn),
    Design("przetargi", schema_of(numer="string", przedmiot="string", zamawiajacy="string", wartosc="number?", termin="date", unijne="boolean"), _tender_pl, _render_tenders_pl, words={"Numer": "Sygnatura", "Wartość": "Kwota"}),
    Design("programme_fr", schema_of(date="date", spectacle="string", compagnie="string", heure="string", tarif="number", duree_min="integer", complet="boolean"), _stage_fr, _render_stage_fr, evidence="spectacle", sorted_by="date", words={"Tarif": "Prix"}),
]  # fmt: skip
