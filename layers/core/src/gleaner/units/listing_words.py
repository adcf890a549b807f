"""Words with which listings state their number of records, and words of other counts."""

from gleaner.contracts.word_lists import listed

SEARCH_NOUN = (
    r"(?:(?:search )?(?:results?|matches|match|hits?)|treffern?|\w*ergebniss?en?|résultats?|resultados?|risultat[io]|"
    r"wynik\w*|результат\w*|(?:zoek)?resultaten|resultaat|resultat(?:er)?|träffar|treff|tulos(?:ta)?|rezultat[ei]|"
    r"találat(?:ok)?|výsled\w*|sonuç(?:lar)?|αποτελέσματα|kết quả|hasil|نتيجة|نتائج|תוצאות|ผลลัพธ์)"
)
"""What only a search or a filter gives: no shop has "2,000 results in stock"."""

NOUN = (
    rf"(?:{SEARCH_NOUN}|items?|products?|records?|entr(?:y|ies)|listings?|articles?|rows?|"
    r"jobs?|positions|vacancies|offers|properties|homes|books|events|posts|documents|files|courses|recipes|hotels|cars|ads|"
    r"auctions|"
    r"artikeln?|produkten?|einträgen?|angeboten?|anzeigen|\w*stellen|stellenangeboten?|objekten?|immobilien|"
    r"produits?|annonces?|offres?|éléments|lignes|biens|"
    r"elementos?|productos?|artículos?|anuncios?|ofertas?|registros?|itens|produtos?|anúncios|vagas|"
    r"element[io]|prodott[io]|articoli|annunci|offerte|"
    r"товар\w*|объявлени\w*|ваканси\w*|запис\w*|produkt\w*|ofert\w*|pozycj[ie]|ogłosze\w+|producten|artikelen|advertenties|"
    r"vacatures|varor|varer|rader|linjer|artiklar|træffere?|annonser|annoncer|stillinger|tuotetta|riviä|"
    r"ürün|kayıt|ilan|termék|položek|záznamů|nabídek|inzerátů|produse|anunțuri|înregistrări|товарів|записів|оголошен\w*|"
    r"προϊόντα|εγγραφές|sản phẩm|mục|produk|entri|منتج|רשומות|รายการ)"
)
"""What pages call the records of any list."""

SHOWING = (
    r"(?:showing|viewing|viewed|displaying|display|items|results|records|zeige|zeigt|anzeige|affichage|mostrando|"
    r"exibindo|visualizzat\w+|visualizzando|toont|visar|viser|näytetään|wyświetl\w+|pokazano|показано|zobrazuji|zobrazeno)"
)
FOUND = (
    r"(?:found|gefunden\w?|trouvée?s?|encontrad[oa]s?|trovat[ie]|gevonden|znaleziono|znalezion[eay]|wyświetlono|"
    r"найдено|всего|знайдено|усього|всього|łącznie|nalezeno|celkem|összesen|toplam|bulunan|yhteensä|totalt|i alt|"
    r"βρέθηκαν|hittade|hittades|fundet|funnet|în total|พบ|ทั้งหมด)"
)
"""What says of a count that it is of what was found, or of all."""

ALL_TOLD = (
    r"(?:(?:a |un |ein |en |su un )?total(?:e|t|ly)?(?: of| de| di)?|(?:au|in) total|insgesamt|gesamt|altogether|"
    r"totaal|łącznie|razem|i alt|ialt|sammanlagt|yhteensä|összesen|celkem|toplam|всего|итого|усього|всього|"
    r"σύνολο|tổng số|全部で|全|共|总共|總共|合計|총)"
)
OTHERS = (
    r"(?:more|others?|weiteren?|autres|de plus|más|otros|otras|mais|outros|outras|altri|altre|meer|anderen?|więcej"
    r"|innych|fler|andra|flere|andre|lisää|muuta|dalších|další|ещё|еще|других|daha|tane daha)"
)
ANOTHER = r"(?:another|further|weitere|encore|otros|otras|outros|outras|altri|altre|nog|kolejne|ytterligare|ещё|еще)"
"""What says, behind a number or before it, that it counts what is not shown: "12 more", "another 12"."""

BEFORE = listed("""
    search open offene offenen freie verfügbaren you've seen loaded gesehen vu avez viste visto visualizzato viu je
    hebt ziet vous посмотрели вы nyní du hast a an the of in we we've i you you're your this there here are is has
    have been now all about approximately approx circa ca total totals number count found showing viewing displaying
    listing listed query returned matched matching results result items records jobs products available currently
    page alle allen es wurden wurde gibt sind wir haben hat ihre deine ihrer deiner suche sucht ergab ergeben
    insgesamt gesamt etwa anzahl gefunden gefundene gefundenen der die das zeigt angezeigt aktuell derzeit
    verfügbare passende il y des les le la tous toutes voici votre recherche donné retourné nous avons trouvé
    trouvés nombre environ au affichage hay se han ha encontrado encontraron encontrados encontradas los las el
    todos todas número de un tu su búsqueda existen hemos aproximadamente mostrando resultados ci sono trovati
    trovate abbiamo tutti tutte gli tuoi ricerca prodotto numero totale di visualizzazione mostrati foram existem há
    encontramos os as exibindo sua pesquisa retornou cerca ao todo er zijn gevonden hebben aantal totaal ongeveer
    zoekopdracht leverde toont znaleziono znalezione liczba ilość wszystkie wszystkich łącznie razem jest około
    wyświetlanie wyświetlono pokazano visar alla antal hittade hittades totalt det finns vi sammanlagt viser antall
    fandt fant fundet funnet alt fra yhteensä löytyi löytyy näytetään kaikki noin найдено найдены найдена нашлось
    нашли мы всего показано показаны все по вашему запросу количество число результаты поиска знайдено знайшли
    усього всього кількість nalezeno nalezené našli jsme celkem zobrazeno zobrazujeme všech všechny všechna počet
    összesen találat mind toplam bulunan tüm găsit găsite s toate cele există număr numărul βρέθηκαν σύνολο συνολικά
    όλα τα όλες tìm thấy có tổng số ditemukan jumlah semua พบ ทั้งหมด تم العثور على نמצאו סך הכל
""")
"""What may stand before a count of a listing's records, in the same breath."""

BEHIND = listed("""
    found available total totals matching match matched shown listed returned online near nearby sorted sale rent
    gefunden gesamt insgesamt verfügbar angezeigt passend trouvé trouvés trouvée trouvées affichés affichées
    disponible disponibles correspondent correspondant correspondants triés encontrados encontradas encontrado
    disponíveis coinciden mostrados trovati trovate disponibili visualizzati gevonden beschikbaar getoond znaleziono
    znalezionych dostępnych łącznie hittade hittades totalt tillgängliga fundet funnet ialt tilgjengelige
    tilgængelige löytyi yhteensä найдено знайдено nalezeno celkem bulundu listelendi găsite βρέθηκαν összesen
    ditemukan
""")
"""What may follow it."""

LEADING_ON = (
    r"(?:for|matching|across|from|für|zu|nach|pour|dans|sur|correspondant|para|por|per|voor|dla|för|til|for|по|для|за|pro|"
    r"için|pentru|για|cho|untuk|in|im|on|of|en|em|i|w|v|at|à|a|de|di)"
)
"""What leads from results to where or what they are."""

LOOKED_FOR = r"for|near|match|corresp|coincid|für|pour|para|voor|dla|för|til|для|pro|için|pentru|για|cho|untuk"
PLACE = r"(?:in|near|around|at|à|en|em|a|w|v|i|в|у|på|te)"
NO_LISTING_WORDS = (
    r"\b(?:stars?|sterne?n?|étoiles|estrellas|stelle|reviews?|ratings?|people|persons?|users?|customers?|remaining|left|"
    r"comments?|likes?|votes?|views?|followers?|sold|points?|steps?|pages?|seiten?|min(?:utes?)?|hours?|days?|weeks?|"
    r"months?|years?|bewertung\w*|rezension\w*|avis|reseñas|recensioni|отзыв\w*|slides?|photos?|images?|found this|"
    r"bedrooms?|beds?|baths?|bathrooms?|guests?|words?|km|miles?|"
    r"shipping|delivery|seats?|per page|pro seite|je seite|par page|por página|per pagina|na stron[ęie]|per sida|"
    r"pr\.? side|per side|sivulla|sivua kohti|на странице|на сторінці|na stránku|oldalanként|sayfa başına|sayfada|"
    r"pe pagină|ανά σελίδα|mỗi trang|per halaman|لكل صفحة|"
    r"opiniones|valoraciones|opinioni|opini[ie]|avaliações|comentários|comentarios|commentaires|commenti|kommentare?|"
    r"recensioner|recensies|beoordelingen|anmeldelser|arvostelua?|hodnocení|recenzí?e?|yorum\w*|değerlendirme\w*|"
    r"értékelés|vélemény|vásárló|komment\w*|κριτικές|bài viết|đánh giá|ulasan|отзыв\w*|комментари\w*|відгук\w*|"
    r"cart|basket|bag|warenkorb|panier|carrito|cesta|carrello|carrinho|winkelwagen|winkelmand\w*|varukorg\w*|kundvagn\w*|"
    r"handlekurv\w*|kurv\w*|ostoskori\w*|koszyk\w*|košík\w*|sepet\w*|kosár\w*|корзин\w*|кошик\w*|καλάθι|coș|"
    r"compar(?:e|ing|ison|er|aison|ar|ador|a)|confronta|vergleich\w*|vergelijk\w*|porównaj|jämför|sammenlign|vertaa|сравни\w*|"
    r"порівня\w*|porovna\w+|karşılaştır|"
    r"wish ?lists?|favou?rites?|shortlist|saved|merkliste|merkzettel|wunschliste|wunschzettel|favori[st]?|favoriten|"
    r"favoritos|favoritas|preferiti|verlanglijst|ulubione|favoriter|favoritter|suosikit|избранное|обране|oblíbené|kedvencek|"
    r"ma liste|mi lista|minha lista|"
    r"recently|zuletzt|récemment|recientemente|recentemente|similar|related|recommended|ähnliche\w?|similaires?|similares|"
    r"simili|relacionad[oa]s|vergelijkbare|podobne|liknande|lignende|похожи\w*|"
    r"selected|ausgewählt\w*|sélectionnée?s?|seleccionad[oa]s|selezionat[ie]|selecionad[oa]s|geselecteerd\w?|wybran\w*|"
    r"max(?:imum|\.)?|millions?|mio|millionen|mln|млн|millones|milhões|milioni|máximo|massimo|maximal|limit)\b|"
    r"レビュー|口コミ|クチコミ|カート|コメント|评论|評論|评价|評價|购物车|購物車|리뷰|후기|댓글|장바구니|รีวิว|ตะกร้า|ביקורות|عربة|تقييم|"
    r"お気に入り|ずつ|表示件数|ページあたり|每页|每頁|超过|超過|以上|페이지당|씩"
)
"""Words of counts of reviews, carts, favourites, chosen things, sizes of pages: of no listing."""
