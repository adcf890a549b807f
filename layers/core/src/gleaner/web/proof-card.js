// Says of one value how it is proven: its status, the words of the page, and where they stand.

import { fill, link, make } from "./elements.js";
import { STATUS_WORDS } from "./grid.js";
import { wordsOf } from "./records.js";

const SAYS = {
  verbatim: "",
  normalized: "",
  inferred: "Not stated in so many words; nothing on the page speaks against it.",
  ungrounded: "The page does not say this. It was removed from the answer.",
  refused: "The schema does not allow this. It was removed from the answer.",
  kept: "The page does not say this. It was kept because the request asked for that.",
};
const SHOWN = 6;

/** Shows the proof of the value that is chosen. */
export class ProofCard {
  constructor(text, marks, hint) {
    this.text = text;
    this.marks = new Map(marks.map((mark) => [mark.key, mark]));
    this.element = make("div", { class: "proof-card", "aria-live": "polite" }, make("p", { class: "soft", text: hint }));
  }

  /** Show a cell's proofs. */
  show({ label, row, value, proofs }) {
    const isGone = value === null || value === undefined;
    const words = isGone ? proofs.map((entry) => wordsOf(entry.value)).join(", ") : wordsOf(value);
    const head = make("p", { class: "proof-head" }, make("span", { class: "soft", text: `${row} · ${label}` }), openLink(words));
    const lines = proofs.slice(0, SHOWN).map((entry) => this.line(entry, isGone));
    const more = proofs.length > SHOWN ? make("p", { class: "soft", text: `and ${proofs.length - SHOWN} more, all marked in the text` }) : null;
    const none = proofs.length ? null : make("p", { class: "soft", text: isGone ? "No value: the page shows none here." : "There is no proof for this value." });
    fill(this.element, head, make("p", { class: "proof-value" }, make(isGone && words ? "del" : "span", { text: words || "—" })), ...lines, more, none);
  }

  /** Show a place of the text that no value answers. */
  showPlace(key) {
    const said = key.startsWith("missing") ? "The page shows a record here that is not in the answer." : "A passage that supports the answer.";
    fill(this.element, make("p", { class: "proof-head" }, make("span", { class: "soft", text: key.startsWith("missing") ? "Missing record" : "Passage" })), make("p", { text: said }));
  }

  line(entry, isGone) {
    const mark = this.marks.get(entry.pointer);
    const quote = mark ? this.text.slice(mark.start, mark.end) : null;
    const isRefused = entry.transform === "refused";
    const says = isRefused ? SAYS.refused : entry.status === "ungrounded" && !isGone ? SAYS.kept : SAYS[entry.status];
    const shared = (entry.transform ?? "").startsWith("context") ? " It applies to several records." : "";
    return make(
      "div",
      { class: "proof-line", data: { status: entry.status } },
      make("span", { class: "badge", text: STATUS_WORDS[entry.status] }),
      quote ? make("q", { text: quote.length > 160 ? `${quote.slice(0, 160)}…` : quote }) : null,
      says + shared ? make("span", { class: "soft", text: says + shared }) : null,
      entry.doubt ? make("span", { class: "reason", text: `Doubt: ${entry.doubt}` }) : null,
      entry.rival ? make("span", { class: "reason", text: `The page also says ${wordsOf(entry.rival.value ?? entry.rival)}.` }) : null,
      entry.reason ? make("span", { class: "reason", text: `Why: ${entry.reason}.` }) : null,
      place(entry),
    );
  }
}

function place({ start, end, page, chunk, transform, source }) {
  if (typeof start !== "number") return null;
  const where = source === "snapshot" ? "in the data embedded in the page’s HTML, characters" : "characters";
  const sheet = typeof page === "number" ? `page ${page}, ` : "";
  const piece = typeof chunk === "number" ? `, chunk ${chunk + 1}` : "";
  const form = transform ? ` · read as ${transform.replaceAll("+", ", ").replaceAll("_", " ")}` : "";
  return make("span", { class: "soft place", text: `${sheet}${where} ${start}–${end}${piece}${form}` });
}

function openLink(words) {
  return /^https?:\/\//i.test(words) ? link(words, "Open") : null;
}
