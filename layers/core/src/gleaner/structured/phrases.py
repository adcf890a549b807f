"""What questions that ask for everything are made of, besides the page's own words: phrases, and their order."""

from collections.abc import Mapping
from types import MappingProxyType

from gleaner.structured.labels import Words, words_of

_PHRASES = {
    "en": """
say: extract, get, list, give, return, find, collect, read, scrape, show, fetch, take, pull, grab, retrieve, provide
say: output, gather, tell me, let me see, let me have, let me know, give me, show me, get me, find me, me, us, please
say: want, need, i want, i need, we need, we want, i would like, i d like, want to see, want to know, like to see
say: like to have, like to know, need to know, need to see, i need to know
say: i am looking for, i m looking for, looking for, represent, describe, hold, contain
say: can you, could you, would you, will you, what are, what is, what, which are, which is, which, who are, who is
say: extracted, tell us, send me, make, create, compile, is
all: all, every, each, every single, each and every, all of
the: the, these, those
this: this, that
own: their, its, his, her
a: a, an
whole: full, complete, entire, whole
kind: list, listing, table, data, dataset, info, information, detail, catalog, catalogue, overview, schema, model
kind: field, column, value, json
record: row, record, entry, item, thing, result, object, everything, everyone, everybody, each, each one, them
with: with, including, include, along with, together with, plus, as well as
and: and, also
of: of, for, about, on
in: from, on, in, of, at, within, are on, are in, listed on, listed in, shown on, shown in, found on, found in
in: are listed on, are listed in, are shown on, are shown in
page: page, current page, web page, webpage, table, website, web site, site, list, listing, catalog, catalogue, document
here: below, above, here, listed, shown, found, displayed, listed here, shown here, listed below, shown below
end: please, thanks, thank you, are there, there are, there is, is there, are listed, are shown, do you see
end: as json, in json, in json format, as a list, as a table, as list, as structured data, as a record, as record
""",
    "de": """
say: extrahiere, extrahieren, gib, gib mir, gebe, zeige, zeig, zeig mir, zeige mir, liste, nenne, nenne mir, nenn mir
say: hole, hol, finde, sammle, lies, bitte, ich brauche, ich möchte, ich will, ich hätte gern, wir brauchen, brauche
say: kannst du, können sie, könntest du, könnten sie, mir, uns, suche, welche, welche sind, was sind, was ist, wer sind
say: wie heißen, wie lautet, wie lauten, geben sie mir, zeigen sie mir, nennen sie mir, erstelle
all: alle, aller, allen, alles, jeder, jede, jedes, jeden, jedem, sämtliche, sämtlichen, sämtlicher, einzelne, einzelnen
the: der, die, das, den, dem, des
this: dieser, diese, dieses, diesem, diesen
own: ihr, ihre, ihrem, ihren, ihrer, sein, seine, seinem, seinen, seiner, deren, dessen, jeweils, jeweiligem, jeweiligen
a: ein, eine, einen, einer
whole: vollständige, komplette, ganze, gesamte, vollständigen, kompletten, ganzen, gesamten
kind: liste, tabelle, daten, übersicht, angaben, informationen, infos, aufstellung
record: zeile, zeilen, eintrag, einträge, einträgen, datensatz, datensätze
with: mit, samt, inklusive, einschließlich, nebst, sowie
and: und, auch
of: von, für, über, zu, aller, jedes, jeder, der, des, sämtlicher
in: von, auf, in, aus, an, der, dieser
page: seite, webseite, website, tabelle, liste, aufstellung
here: hier, unten, oben, aufgeführt, aufgelistet, gelistet
end: auf, an, aus, auflisten, anzeigen, ausgeben, extrahieren, nennen, zeigen, geben, haben, sehen, gibt es, bitte
end: danke, als json, als liste, als tabelle, es gibt, stehen hier
""",
    "fr": """
say: extraire, extrais, extrayez, donne, donne moi, donnez moi, donner, montre, montre moi, montrez moi, liste, lister
say: listez, affiche, afficher, affichez, trouve, récupère, récupérer, récupérez, je veux, je voudrais, j ai besoin de
say: j ai besoin d, il me faut, quels sont, quelles sont, quel est, quelle est, quels, quelles, obtenir, cherche
say: peux tu, pouvez vous, pourrais tu, pourriez vous, me, nous, svp, s il te plaît, s il vous plaît, fournis, énumère
all: tous, toutes, tout, toute, chaque, chacun, chacune, l ensemble
the: le, la, les, l
this: ce, cet, cette, ces
own: leur, leurs, son, sa, ses
a: un, une
whole: complète, complet, entière, entier
kind: liste, tableau, données, informations, infos, détails, catalogue
record: ligne, lignes, entrée, entrées, enregistrement, enregistrements, élément, éléments
with: avec, y compris, ainsi que, et aussi
and: et
of: de, du, des, d, pour, sur
in: de, du, dans, sur, à
page: page, site, tableau, liste, catalogue, page web
here: ici, ci dessous, ci dessus, listés, listées, affichés, affichées
end: svp, s il te plaît, s il vous plaît, merci, en json, au format json, sous forme de liste, complète, complet
""",
    "es": """
say: extrae, extraer, extraiga, dame, deme, da, muestra, muéstrame, mostrar, lista, listar, enumera, obtén, obtener
say: consigue, encuentra, quiero, necesito, quisiera, me gustaría, por favor, cuáles son, cuál es, qué, puedes darme
say: puedes, podrías, podrías darme, busca, recoge, quiénes son, devuelve, saca
all: todos, todas, todo, toda, cada, cada uno de
the: el, la, los, las
this: este, esta, estos, estas
own: su, sus
a: un, una
whole: completa, completo, entera, entero
kind: lista, listado, tabla, datos, información, detalles, catálogo
record: fila, filas, registro, registros, entrada, entradas, elemento, elementos
with: con, incluyendo, incluido, junto con, más
and: y, e
of: de, del, para, sobre
in: de, del, en
page: página, sitio, web, página web, tabla, lista, catálogo
here: aquí, listados, mostrados
end: por favor, gracias, en json, como lista, hay, completa, completo
""",
    "it": """
say: estrai, estrarre, dammi, dai, mostra, mostrami, elenca, elencami, trova, ottieni, raccogli, voglio, vorrei
say: ho bisogno di, mi serve, mi servono, per favore, quali sono, qual è, quali, puoi, puoi darmi, potresti
say: potresti darmi, cerca
all: tutti, tutte, tutto, tutta, ogni, ciascuno, ciascun, ciascuna
the: il, lo, la, i, gli, le, l
this: questo, questa, questi, queste
own: suo, sua, suoi, sue, loro, il suo, la sua, i suoi, le sue, i loro, le loro, il loro, la loro
a: un, uno, una
whole: completo, completa, intero, intera
kind: lista, elenco, tabella, dati, informazioni, dettagli, catalogo
record: riga, righe, voce, voci, elemento, elementi, record
with: con, compreso, inclusi, incluso, insieme a
and: e, ed
of: di, del, dello, della, dei, degli, delle, dell, d, per, su
in: di, del, della, da, dal, dalla, in, nel, nella, su, sulla
page: pagina, sito, tabella, lista, elenco, catalogo, pagina web
here: qui, elencati, elencate
end: per favore, grazie, in json, come lista, ci sono, completo, completa
""",
    "nl": """
say: geef, geef me, geef mij, toon, toon me, laat zien, laat me, haal, vind, extraheer, lijst, zoek, verzamel, noem, som
say: ik wil, ik wil graag, ik heb, ik zoek, wat zijn, wat is, welke, welke zijn, wie zijn, kun je, kunt u, zou je
say: alsjeblieft, alstublieft, graag, ik wil weten
all: alle, elke, elk, ieder, iedere, al, alles, allemaal
the: de, het
this: deze, dit, die
own: hun, zijn, haar, bijbehorende
a: een
whole: volledige, hele, gehele, complete
kind: lijst, tabel, gegevens, data, informatie, info, overzicht, details
record: rij, rijen, regel, regels, record, item, items
with: met, inclusief, samen met, plus, evenals
and: en, ook
of: van, voor, over
in: van, op, uit, in
page: pagina, webpagina, site, website, tabel, lijst
here: hier, hieronder
end: zien, op, nodig, alsjeblieft, alstublieft, graag, bedankt, als json, als lijst, zijn er, er zijn, geven
""",
    "pt": """
say: extraia, extrair, extrai, dá me, dê me, me dê, mostre, mostra, mostre me, lista, liste, listar, obtenha, obter
say: quero, preciso de, preciso, gostaria de, queria, por favor, quais são, qual é, quais, pode, podes, poderia
say: encontre, busque, colete, me mostre, forneça, dar, me dar, ver, ter
all: todos, todas, todo, toda, cada, tudo
the: o, a, os, as
this: este, esta, estes, estas, esse, essa, deste, desta, neste, nesta
own: seu, sua, seus, suas, o seu, a sua, os seus, as suas
a: um, uma
whole: completa, completo, inteira, inteiro
kind: lista, listagem, tabela, dados, informações, informação, detalhes, catálogo
record: linha, linhas, registro, registros, registo, registos, item, itens, entrada, entradas
with: com, incluindo, junto com
and: e
of: de, do, da, dos, das, d, para, sobre
in: de, do, da, em, no, na, deste, desta, neste, nesta
page: página, site, tabela, lista, catálogo
here: aqui, abaixo, listados, listadas
end: por favor, obrigado, obrigada, em json, como lista, completa, completo
""",
}

_ORDERS = """
start: say start, and start, in before, of for, all all, the the, this this, a a, whole whole, kind list, page list
start: record things, thing things, one things, field fields
before: the before, this before, page start
for: all for, the for, thing led, one led, record led
led: say start, and start, all all, the the, own the, field fields
all: all all, the all, of all, whole whole, kind list, record things, thing things, one things, field fields
the: all all, whole whole, own the, kind list, page list, record things, thing things, one one, other fields
this: kind list, page list, it things
a: whole whole, kind list
whole: kind list, page list, record things, thing one, one one
one: kind list, record list, thing things, field fields, and named
named: and named, the named, own named, field fields, flag fields
list: kind list, whole list, of list-of, with list-of, and and
list-of: all list-of, the list-of-the, own list-of, this this, whole whole, kind list
list-of: record things, thing things, one things, field fields
list-of-the: all list-of, whole whole, record things, thing things, one one, other fields
of: all of, the of-the, this this, record things, thing things, one things
of-the: all of, record things, thing things, one one
things: kind list, record list, thing things, field fields, with with, and and
fields: kind list, field fields, of of, with with, and also
with: all with, the with, own their, kind list, sure added, gap doubted
their: all their, the their, own their, field added, kind list
doubted: and more, field added
added: and more, field added, kind list, of of
more: and more, all more, the more, own more, with with, say start, kind list, field added, flag added
and: and and, all and, the and, own and, with with, say start, kind list, record things, thing things, one things
and: field fields
also: and also, all also, the also, own also, with with, say start, kind list, record things, thing things, one things
also: field fields, flag fields
in: all in, the in, this in, page placed
placed: with with, and also, of of
ended: end ended, and also, with with
"""
_COMPLETE = ("all", "list", "things", "fields", "added", "placed")


def _phrases(text: str) -> dict[Words, frozenset[str]]:
    found: dict[Words, set[str]] = {}
    for line in text.strip().splitlines():
        name, _, said = line.partition(":")
        for phrase in said.split(","):
            found.setdefault(words_of(phrase), set()).add(name)
    return {phrase: frozenset(names) for phrase, names in found.items()}


def _orders() -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for line in _ORDERS.strip().splitlines():
        state, _, steps = line.partition(":")
        found |= {(state, part): after for part, after in (step.split() for step in steps.split(","))}
    for state in _COMPLETE:
        found |= {(state, "in"): "in", (state, "here"): "placed", (state, "end"): "ended"}
    return found


PHRASES: Mapping[str, Mapping[Words, frozenset[str]]] = MappingProxyType(
    {language: MappingProxyType(_phrases(text)) for language, text in _PHRASES.items()}
)
"""By language: what phrases do in a question."""

ORDERS: Mapping[tuple[str, str], str] = MappingProxyType(_orders())
"""What may follow what: by a state and what the next phrase does, the state after it."""

COMPLETE = frozenset({"start", "ended", *_COMPLETE})
"""States in which a question may end."""
