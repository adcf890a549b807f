// A result's views: records beside their proof, Markdown, links, screenshot, and the small print.

import { readCollected, readMedia, readReport } from "./api.js";
import { downloadBlob, downloadText, downloadUri } from "./download.js";
import { byId, fill, link, make } from "./elements.js";
import { Grid } from "./grid.js";
import { Offsets } from "./offsets.js";
import { count, dollars, noticesOf, summaryOf } from "./outcome.js";
import { PageText } from "./page-text.js";
import { ProofCard } from "./proof-card.js";
import { rendered } from "./rendered-markdown.js";
import { csvOf, Proofs, tablesOf } from "./records.js";
import { drawScreenshot } from "./screenshot.js";
import { drawTabs } from "./tabs.js";

/** Show a result. `markdown` is the text that its proofs point into; `reuse(id)` starts a request with the same extraction. */
export function showResult(result, markdown, reuse) {
  const view = new ResultView(result, markdown, reuse);
  fill(byId("summary"), ...summaryOf(result));
  fill(byId("notices"), ...noticesOf(result, view));
  byId("tabs").hidden = false;
  view.show = drawTabsOf(view);
}

function drawTabsOf(view) {
  const { result, markdown } = view;
  const tabs = [];
  const label = typeof result.extraction?.data === "string" ? "Answer" : "Records";
  if (result.extraction) tabs.push({ name: "records", label, draw: (panel) => view.drawRecords(panel) });
  if (markdown !== null) tabs.push({ name: "markdown", label: "Markdown", draw: (panel) => view.drawMarkdown(panel) });
  if (result.links) tabs.push({ name: "links", label: `Links (${result.links.length})`, draw: (panel) => drawLinks(panel, result.links) });
  for (const name of ["screenshot", "fullscreenshot"]) {
    if (result[name]) tabs.push({ name, label: name === "screenshot" ? "Screenshot" : "Whole page", draw: (panel) => drawMedia(panel, result[name], result.job_id) });
  }
  if (result.media) tabs.push({ name: "media", label: result.format === "media" ? "Media" : "Screenshot", draw: (panel) => drawMedia(panel, result.media, result.job_id) });
  if (result.url && result.status !== "failed" && result.format !== "media" && !result.format.endsWith("screenshot") && !result.screenshot && !result.fullscreenshot) {
    tabs.push({ name: "picture", label: "Screenshot", draw: (panel) => drawScreenshot(panel, result.url) });
  }
  tabs.push({ name: "details", label: "Details", draw: (panel) => drawDetails(panel, result, view.reuse) });
  return drawTabs(byId("tabs"), tabs);
}

class ResultView {
  constructor(result, markdown, reuse) {
    Object.assign(this, { result, markdown, reuse, grids: [] });
    const offsets = new Offsets(markdown ?? "");
    const place = (start, end) => ({ start: offsets.toUnits(start), end: offsets.toUnits(end) });
    const extraction = result.extraction ?? {};
    const proofs = (extraction.provenance ?? []).filter(isInText).map((entry) => ({
      ...place(entry.start, entry.end), kind: entry.status, key: entry.pointer,
    }));
    const missing = (extraction.completeness?.missing ?? []).filter((unit) => isNumber(unit.start)).map((unit) => ({
      ...place(unit.start, unit.end), kind: "missing", key: `missing:${unit.unit}`,
    }));
    const passages = (extraction.passages ?? []).map((passage, at) => ({
      ...place(passage.start, passage.end), kind: "passage", key: `passage:${at}`,
    }));
    this.marks = [...proofs, ...missing, ...passages];
  }

  drawRecords(panel) {
    const { extraction } = this.result;
    const tables = tablesOf(extraction.data);
    const proofs = new Proofs(extraction.provenance ?? []);
    this.card = new ProofCard(this.markdown, this.marks, hintOf(extraction));
    const scroller = make("div", { class: "page-text", tabindex: "0", role: "region", "aria-label": "Text of the page" });
    this.text = new PageText(scroller, (key) => this.toValue(key) || this.toMark(key));
    const left = make("div", { class: "answer" }, this.exports(tables));
    for (const table of tables) left.append(this.drawTable(table, proofs));
    if (!tables.length) left.append(make("p", { class: "empty", text: "There is no answer. See above for the reason." }));
    left.append(...this.passageList());
    const right = make("div", { class: "evidence" }, this.card.element, scroller);
    fill(panel, left, this.markdown === null ? null : right);
    if (this.markdown !== null) this.text.show(this.markdown, this.marks);
    this.startWithAProof(left);
  }

  /** Show what a proof looks like before anybody asks, without taking the focus. */
  startWithAProof(left) {
    const cell = left.querySelector("td[data-status='verbatim'], td[data-status='normalized']");
    if (cell) this.choose(cell.selection);
  }

  drawTable(table, proofs) {
    if (table.kind === "text") return this.answer(table.text);
    if (!table.rows.length) return make("p", { class: "empty", text: `${table.title}: nothing on the page answers what was asked.` });
    const grid = new Grid(table, proofs, (selection) => this.choose(selection));
    this.grids.push(grid);
    return grid.element;
  }

  choose(selection) {
    this.card.show(selection);
    const keys = new Set(selection.proofs.map((entry) => entry.pointer));
    this.text.light(this.marks.filter((mark) => keys.has(mark.key)));
  }

  answer(text) {
    const section = make("section", { class: "words", "aria-label": "Answer" }, make("p"));
    const add = (said) => {
      const [first, ...others] = said.split(/\n{2,}/);
      section.lastChild.append(first);
      section.append(...others.map((paragraph) => make("p", { text: paragraph })));
    };
    const characters = [...text];
    let at = 0;
    for (const { start, end, support } of this.result.extraction.claims ?? []) {
      if (support !== "none") continue;
      add(characters.slice(at, start).join(""));
      section.lastChild.append(make("mark", { class: "unsupported", title: "Not found on the page", text: characters.slice(start, end).join("") }));
      at = end;
    }
    add(characters.slice(at).join(""));
    return section;
  }

  passageList() {
    const { passages } = this.result.extraction;
    if (!passages?.length) return [];
    const items = passages.map((passage, at) => {
      const jump = { type: "button", class: "jump", on: { click: () => this.toMark(`passage:${at}`) } };
      return make("li", {}, make("button", jump, make("span", { class: "quote", text: excerpt(passage.text) })));
    });
    return [make("h2", { class: "grid-title", text: "Where this comes from" }), make("ol", { class: "passages" }, ...items)];
  }

  exports(tables) {
    const { extraction, job_id: id } = this.result;
    const rows = (tables.find((table) => table.kind === "list") ?? tables[0])?.rows.map((row) => row.value) ?? [];
    const button = (text, name, act) => make("button", { class: "small", type: "button", text, data: { save: name }, on: { click: act } });
    return make(
      "div",
      { class: "row exports" },
      legend(extraction.provenance ?? []),
      make(
        "span",
        { class: "together" },
        rows.length ? button("Download CSV", "csv", () => downloadText(`gleaner-${id}.csv`, "text/csv", csvOf(rows))) : null,
        button("Download JSON", "json", () => downloadText(`gleaner-${id}.json`, "application/json", JSON.stringify(extraction.data, null, 2))),
      ),
    );
  }

  drawMarkdown(panel) {
    const scroller = make("div", { class: "page-text tall", tabindex: "0", role: "region", "aria-label": "The page as Markdown" });
    const save = { class: "small", type: "button", text: "Download Markdown" };
    const name = `gleaner-${this.result.job_id}.md`;
    save.on = { click: () => downloadText(name, "text/markdown", this.markdown) };
    const size = make("span", { class: "soft", text: `${count([...this.markdown].length)} characters` });
    const read = make("article", { class: "rendered", tabindex: "0", role: "region", "aria-label": "The page as it reads" }, ...rendered(this.markdown.slice(0, MOST_RENDERED)));
    const cut = this.markdown.length > MOST_RENDERED ? make("p", { class: "soft", text: `The first ${count(MOST_RENDERED)} characters are drawn at the right.` }) : null;
    fill(panel, make("div", { class: "row" }, size, cut, make("span", { class: "spring" }), make("button", save)), make("div", { class: "two" }, scroller, read));
    new PageText(scroller, (key) => { this.show("records"); this.toValue(key) || this.toMark(key); }).show(this.markdown, this.marks);
  }

  /** Put the focus on the value with this pointer; false when there is none. */
  toValue(pointer) {
    if (!pointer.startsWith("/") && pointer !== "") return false;
    this.show("records");
    return this.grids.some((grid) => grid.reveal(pointer));
  }

  /** Bring a mark of the text into view. */
  toMark(key) {
    this.show("records");
    const marks = this.marks.filter((mark) => mark.key === key);
    this.card.showPlace(key);
    this.text.light(marks)?.scrollIntoView({ block: "nearest" });
    this.text.scroller.focus({ preventScroll: true });
  }
}

const MOST_RENDERED = 200_000;

const hintOf = ({ data, passages }) =>
  typeof data === "string" && passages?.length ? "Choose a passage to see it in the text." : "Choose a value to see where the page says it.";
const excerpt = (text) => (text.length > 220 ? `${text.slice(0, 220)}…` : text);
const isNumber = (value) => typeof value === "number";
const isInText = (entry) => isNumber(entry.start) && isNumber(entry.end) && (entry.source ?? "markdown") === "markdown";

function legend(entries) {
  const words = { verbatim: "word for word", normalized: "in another form", inferred: "inferred", ungrounded: "not on the page" };
  const items = Object.entries(words).map(([status, text]) => {
    const number = entries.filter((entry) => entry.status === status).length;
    return number ? make("li", { data: { status } }, make("span", { class: "key", "aria-hidden": "true" }), `${number} ${text}`) : null;
  });
  return make("ul", { class: "legend", "aria-label": "How the values are proven" }, ...items);
}

function drawLinks(panel, links) {
  fill(panel, make("ul", { class: "links" }, ...links.map((address) => make("li", {}, link(address)))));
}

function drawMedia(panel, media, id) {
  const { screenshotMime: mime, screenshotBase64: uri, filename, size } = media;
  const what = `${filename ? `${filename}: ` : ""}${mime}, ${count(size)} bytes`;
  const parts = [make("p", { class: "soft", text: what })];
  if (uri?.startsWith("data:image/")) parts.push(make("img", { class: "shot", src: uri, alt: filename ?? `Image of type ${mime}` }));
  const problem = make("p", { class: "error", role: "alert" });
  const name = filename ?? "media";
  const fetched = async () => {
    try {
      downloadBlob(name, await readMedia(id));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const click = uri ? () => downloadUri(name, uri) : fetched;
  parts.push(make("p", {}, make("button", { class: "small", type: "button", text: "Download", on: { click } })), problem);
  fill(panel, ...parts);
}

function drawDetails(panel, result, reuse) {
  const extraction = result.extraction;
  const facts = [["Job", result.job_id], ["Address", result.url], ["Read from", result.source_url], ["Title", result.title], ["Page id", result.page_id]];
  const blocks = [factTable("This job", facts)];
  if (extraction) blocks.push(factTable("Model", usageFacts(extraction.usage ?? {})));
  blocks.push(factTable("Milliseconds", Object.entries(result.timings_ms ?? {})));
  blocks.push(factTable("Content", Object.entries(result.content_stats ?? {})));
  const id = extraction?.extraction_id;
  const report = make("button", { class: "small", type: "button", text: "Download the report", title: "One file that works offline: the records, the page’s text, and each proof" });
  const failed = make("p", { class: "error", role: "alert" });
  report.addEventListener("click", async () => {
    try {
      downloadText(`gleaner-${result.job_id}.html`, "text/html", await readReport(result.job_id));
    } catch (error) {
      failed.textContent = error.message;
    }
  });
  const whole = { class: "small", type: "button", text: "Download the whole result" };
  whole.on = { click: () => downloadText(`gleaner-${result.job_id}-result.json`, "application/json", JSON.stringify(result, null, 2)) };
  fill(panel, make("div", { class: "fact-blocks" }, ...blocks), id ? collected(id, reuse) : null, make("p", { class: "row" }, make("button", whole), report), failed);
}

function collected(id, reuse) {
  const wrong = make("p", { class: "error", role: "alert" });
  const save = async () => {
    try {
      wrong.textContent = "";
      downloadText(`gleaner-${id}.csv`, "text/csv", await readCollected(id, "csv"));
    } catch (error) {
      wrong.textContent = error.message;
    }
  };
  return make(
    "section",
    { class: "facts" },
    make("h2", { text: "Collected records" }),
    make("p", { text: `Records under the extraction id ${id} are collected from all its pages, each once.` }),
    make("div", { class: "row" },
      make("button", { class: "small", type: "button", text: "Use it for another page", on: { click: () => reuse(id) } }),
      make("button", { class: "small", type: "button", text: "Download all as CSV", on: { click: save } })),
    wrong,
  );
}

const usageFacts = (usage) => [
  ["Calls", usage.calls], ["Input tokens", usage.input_tokens], ["Output tokens", usage.output_tokens], ["From the cache", usage.cache_hits],
  ["US dollars", typeof usage.usd === "number" ? dollars(usage.usd) : "unknown"], ["Prices as of", usage.prices_as_of],
];

const partsOf = (value) => Object.entries(value).map(([name, part]) => `${name} ${isNumber(part) ? count(part) : JSON.stringify(part)}`).join(", ");

function factTable(title, facts) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== "");
  if (!known.length) return null;
  const say = (value) => (isNumber(value) ? count(value) : typeof value === "object" ? partsOf(value) : String(value));
  const rows = known.map(([name, value]) => [make("dt", { text: String(name).replaceAll("_", " ") }), make("dd", { text: say(value) })]);
  return make("section", { class: "facts" }, make("h2", { text: title }), make("dl", {}, ...rows.flat()));
}
