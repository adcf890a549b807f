"""The mechanisms of today's code that can be switched off one by one: a name, the functions, and what they do when off.

The table stands here and not in the product, so that a process in production can't switch anything off. A module of the
rooms that judge is named here, or in ``FOUNDATIONS``.
"""

from measure.switching import Gives, GivesBack, GivesNoneOfKind, Mechanism, Off, Switch

NO, YES, NONE, NOTHING = Gives(lambda: False), Gives(lambda: True), Gives(lambda: None), Gives(str)
NO_ITEMS, NO_LIST, NO_SET, NO_TUPLE, NO_MAP = (
    Gives(lambda: iter(())),
    Gives(list),
    Gives(set),
    Gives(tuple),
    Gives(dict),
)
NO_FROZENSET = Gives(frozenset)
NO_WORD = Gives(lambda: ("\0",))
"""A word that no text has: the function's callers count on one."""

DONE = "done in place"
"""Marks functions that change what they are given: off, they leave it alone."""

matches = GivesBack("matches")


_PROOF: dict[str, tuple[str, Off]] = {
    "doubts": ("judging.features:doubt_of", Gives(lambda: (None, None))),
    "crowded": ("judging.scene:Scene.crowded", NO_SET),
    "over": ("judging.judge:_List._over", NO_LIST),
    "units": ("judging.measuring:unit_fit", Gives(int)),
    "denied_flags": ("judging.denying:Denying.is_denied", NO),
    "claims.own_figure": ("judging.judge:has_figure_of_its_own", NO),
    "date_parts": ("judging.amounts.date_parts:DateParts.fitting", matches),
    "durations": ("judging.amounts.durations:Durations.fitting", matches),
    "durations.words": ("judging.amounts.durations:Durations.in_words", NO_LIST),
    "counted_words": ("judging.amounts.counted_words:find_counted_words", NO_LIST),
    "denied": ("judging.denying:is_negated", NO),
    "flags.denied": ("judging.flags:is_flag_denied", NO),
    "flags.denies": ("judging.flags:denies", NO),
    "side_by_side": ("judging.origins.side_by_side:find_columns", NONE),
    "constant": ("schemas.leaves:constant_fields", NO_SET),
    "related": ("judging.origins.regions:related_sections", NO_LIST),
    "regions.shared": ("judging.origins.regions:Regions.is_shared", NO),
    "conventions.possible": ("values.conventions:is_possible", YES),
    "conventions.losses": ("values.conventions:losses", NO_FROZENSET),
    "grouping": ("values.mentions.grouping:one_number_spans", NO_ITEMS),
    "cutting": ("values.texts.cutting:is_cut", NO),
    "zones": ("values.mentions.zones:is_of_zone", YES),
    "rows_of_items": ("judging.origins.items:settle_items", NO_MAP),
    "dittos": ("judging.origins.dittos:Dittos.over", NO_MAP),
    "snapshot": ("judging.origins.snapshot:Snapshot.find", NONE),
    "passages": ("values.texts.passages:find_passage", NONE),
    "converted": ("judging.amounts.converted:find_converted", NO_LIST),
    "scaled_heads": ("judging.amounts.scaled_heads:ScaledHeads.find", NO_LIST),
    "code_names": ("judging.code_names:asked_code", NONE),
    "exchanges": ("judging.exchanges:exchanged_with", NONE),
    "figures": ("judging.expected:_least_figures", Gives(int)),
    "headings": ("judging.expected:_is_name", NO),
    "notations": ("values.texts.notations:Notations.find", NO_ITEMS),
    "codes": ("values.texts.notations:scan_codes", NO_ITEMS),
    "spoken_durations": ("values.mentions.durations:scan_spoken_durations", NO_ITEMS),
    "calendars": ("values.mentions.calendars:scan_other_calendars", NO_ITEMS),
    "kanji": ("values.mentions.chinese_numerals:scan_kanji", NO_ITEMS),
    "eras": ("values.mentions.numerals:before_christ", NONE),
    "number_words": ("values.mentions.number_words:words_of_number", NO_WORD),
    "targets": ("values.texts.targets:scan_addresses", NO_ITEMS),
}

_GUARDS: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "values": ("wrappers.guard:doubt_of_field", NOTHING),
    "texts": ("wrappers.guard:doubt_of_texts", NOTHING),
    "shares": ("wrappers.guard:doubt_of_shares", NOTHING),
    "composed": ("wrappers.guard:is_in_parts", NO),
    "elsewhere": ("wrappers.guard:_doubt_of_one_text", NOTHING),
    "second": ("wrappers.guard:_doubt_of_home", NOTHING),
    "absence": ("wrappers.guard:PageGuard.doubt_of_absence", NOTHING),
    "absence.news": ("wrappers.guard:PageGuard._news", NOTHING),
    "absence.labels": ("wrappers.guard:PageGuard._behind_new_label", NOTHING),
    "remarks": ("wrappers.guard:cuts_remarks", NO),
    "some": ("wrappers.replaying:some_in", NONE),
    "new_parts": ("wrappers.guard:doubt_of_new_parts", Gives(lambda: ("", 0))),
    "faults": ("wrappers.replaying:_faults", NO_LIST),
    "page": ("wrappers.replaying:_doubts_of_page", NO_LIST),
}
"""What keeps a recipe's answer from being served."""

_LEARNING: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "cuts": ("wrappers.cuts:_candidates", NO_ITEMS),
    "words": ("wrappers.induction.flags:worded_selectors", NO_ITEMS),
    "presence": ("wrappers.induction.flags:presence_selectors", NO_ITEMS),
    "marks": ("wrappers.induction.flags:marked_selectors", NO_ITEMS),
    "links": ("wrappers.induction.mentions:places_of_link", NO_ITEMS),
    "headings": ("wrappers.induction.fields:_heading_selectors", NO_ITEMS),
    "lists": ("wrappers.induction.item_lists:list_selectors", NO_ITEMS),
    "copies": ("wrappers.induction.ensembles:_of_copies", NO_LIST),
    "runs": ("wrappers.induction.alignment:_find_runs", NONE),
    "others.foreign": ("wrappers.induction.verifying:_foreign", NO_TUPLE),
    "interludes": ("wrappers.interludes:find_interludes", NO_LIST),
    "page.cents": ("wrappers.opening:_join_cents", NONE, DONE),
    "page.lines": ("wrappers.opening:set_lines_apart", NONE, DONE),
    "page.spans": ("wrappers.opening:_spread_rows", NONE, DONE),
}
"""What a recipe is learned from: selector kinds, cuts, ways to tell records from what stands among them."""

_STRUCTURED: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "query": ("structured.answers:_check_query", NONE),
    "other_lists": ("structured.answers:_check_other_lists", NONE),
    "columns.unnamed": ("structured.columns:_holder_of", NOTHING),
    "columns.signs": ("structured.columns:_told_by", NO_MAP),
    "columns.left": ("structured.columns:_left_over", NO_MAP),
    "columns.doubts": ("structured.columns:_doubt_of", NOTHING),
    "meta": ("structured.nodes:check_meta", NONE),
    "shown": ("structured.shown:settle_embedded", NONE, DONE),
    "hints": ("structured.hints:find_hint", NOTHING),
    "shown.labels": ("structured.shown:_check_labels", NONE),
    "shown.prices": ("structured.shown:_check_price", NONE),
    "unread.labels": ("structured.labels:labelled", NO_FROZENSET),
    "names.same": ("values.names:same_names", NO_SET),
    "source.tables": ("structured.tables:find_in_tables", NONE),
    "named": ("structured.labels:read_named_fields", NO_MAP),
    "source.pairs": ("page.pairs:find_pairs", NO_LIST),
    "source.nodes": ("structured.nodes:find_in_nodes", NO_ITEMS),
    "source.json_ld": ("page.data:read_json_ld", NO_LIST),
    "source.microdata": ("page.data:read_microdata", NO_LIST),
    "source.rdfa": ("page.data:read_rdfa", NO_LIST),
    "source.meta": ("page.data:read_meta", NO_LIST),
    "source.states": ("page.data:read_states", NO_ITEMS),
}

_EXTRACTION: dict[str, tuple[str, Off] | tuple[str, Off, str]] = {
    "ask_again.rest_of_list": ("extraction.listing:ListReader.ask_for_the_rest", NONE, DONE),
    "ask_again.skips": ("extraction.skips:find_disputed", NO_SET),
    "ask_again.faults_around": ("extraction.record_store:Shelf.faults_around", NO_TUPLE),
    "ask_again.hint_when_empty": ("extraction.listing:ListReader._is_unsaid", NO),
    "remarks": ("extraction.skips:find_remarks", NO_SET),
    "placing.believed": ("placing:Placing.is_its", YES),
    "record_pieces": ("extraction.record_pieces:pieces_of", NO_TUPLE),
    "record_pieces.later": ("extraction.listing:ListReader.refine", GivesBack("self")),
    "record_pieces.mentions": ("extraction.record_pieces:_is_about", YES),
    "record_pieces.fields": ("extraction.record_pieces:are_fields", NO),
    "record_pieces.columns": ("extraction.record_pieces:heads_of_columns", Gives(lambda: (set(), set()))),
    "most_records": ("results.record_lists:most_records", NONE),
    "report.short_lists": ("completeness.inner_lists:find_short_lists", NO_LIST),
    "report.parts_of_lines": ("completeness.inner_items:ItemCounter._count_parts", NONE),
    "report.beside_values": ("completeness.gaps:Gaps.unsaid", NO_LIST),
    "report.named_nulls": ("completeness.named_nulls:find_named", NO_ITEMS),
    "report.named_lists": ("completeness.named_lists:unsaid_lists", NO_LIST),
    "report.grids": ("completeness.grids:open_cells", NO_LIST),
    "report.side_by_side": ("results.counting:_columns", Gives(lambda: (0, []))),
    "report.unproven": ("results.settling:_without_proof", NO_LIST),
    "report.doubtful_days": ("values.conventions:date_of_two_readings", NOTHING),
    "words.other_subject": ("judging.words.answers:_is_of_another", NO),
    "words.other_block": ("judging.words.answers:_fitting", GivesBack("places")),
    "words.other_money": ("judging.words.answers:_is_other_money", NO),
    "loops": ("extraction.loops:find_loop", NONE),
    "report.lists_shown_again": ("results.merging:_repeats", NO_SET),
    "report.homes_of_records": ("results.counting:_homes_of_records", NO_SET),
    "chunk_ends.joined": ("extraction.chunk_ends:ChunkEnds._begun_at", NONE),
}

FOUNDATIONS: frozenset[str] = frozenset(
    (
        "judging.likelihood",
        "judging.spots",
        "judging.stating",
        "judging.surroundings",
        "judging.amounts.nearby_words",
        "judging.table_heads",
        "judging.origins.places",
        "judging.words.claim_support",
        "judging.words.claims",
        "judging.words.block_words",
        "judging.rejection",
        "judging.named_values",
        "completeness.certificate",
        "completeness.emptiness",
        "completeness.ledger",
        "completeness.line_parts",
        "completeness.likeness",
        "completeness.query_restriction",
        "completeness.stated_values",
        "results.answer_json",
        "results.answer_json_syntax",
        "results.answer_tables",
        "results.exports",
        "results.assembly",
        "results.naive_times",
        "results.records",
        "results.refused",
        "results.tasks",
        "results.words",
        "wrappers.book",
        "wrappers.boxes",
        "wrappers.container",
        "wrappers.induction.learning",
        "wrappers.induction.records",
        "wrappers.labels",
        "wrappers.looks",
        "wrappers.marks",
        "wrappers.model",
        "wrappers.places",
        "wrappers.readings",
        "wrappers.selectors",
        "wrappers.tables",
        "wrappers.trees",
        "structured.grids",
        "structured.reading",
        "structured.repeated_fields",
        "structured.suggesting",
        "extraction.agent",
        "extraction.own_words",
        "extraction.shapes",
        "extraction.calling",
        "extraction.chunk",
        "extraction.chunk_cache",
        "extraction.function_model",
        "extraction.link_numbers",
        "extraction.patience",
        "extraction.pieces",
        "extraction.prompts",
        "extraction.recovery",
        "extraction.single",
    )
)
"""Modules that hold no mechanism of their own: readers, data, what all others stand on. Without them nothing runs."""


def _entry(prefix: str, name: str, given: tuple[str, Off] | tuple[str, Off, str]) -> Mechanism:
    switch = Switch(f"gleaner.{given[0]}", given[1], changes_in_place=len(given) > 2)
    return Mechanism(f"{prefix}.{name}", (switch,))


def _kinds() -> list[Mechanism]:
    """Give the selector kinds: off, no selector of the kind fits any field."""
    target = "gleaner.wrappers.induction.fields:_Fitting.selector_of"
    kinds = ("attribute", "class", "label", "column", "tag", "path", "behind", "says")
    return [Mechanism(f"wrappers.selector.{kind}", (Switch(target, GivesNoneOfKind(kind)),)) for kind in kinds]


MECHANISMS: tuple[Mechanism, ...] = (
    *(_entry("proof", name, given) for name, given in _PROOF.items()),
    *(_entry("wrappers.guard", name, given) for name, given in _GUARDS.items()),
    *_kinds(),
    *(_entry("wrappers", name, given) for name, given in _LEARNING.items()),
    *(_entry("structured", name, given) for name, given in _STRUCTURED.items()),
    *(_entry("extraction", name, given) for name, given in _EXTRACTION.items()),
)


def named(names: list[str]) -> list[Mechanism]:
    """Give the mechanisms of these names, or below them ("proof.labels"); ValueError for a name that is none."""
    chosen = [one for one in MECHANISMS if not names or any(_is_below(one.name, name) for name in names)]
    if wrong := [name for name in names if not any(_is_below(one.name, name) for one in chosen)]:
        raise ValueError(f"no mechanism is called {', '.join(wrong)}; `python -m measure.ablate --list` names all")
    return chosen


def _is_below(name: str, above: str) -> bool:
    return name == above or name.startswith(f"{above}.")
