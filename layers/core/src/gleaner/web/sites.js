// Many pages: a site is mapped or crawled, or a list of pages read; each page's own result is a link away.

import { Problem, readJson, sendJson } from "./api.js";
import { isWebAddress, withScheme } from "./addresses.js";
import { downloadText } from "./download.js";
import { announce, byId, fill, link, make } from "./elements.js";
import { drawJobs, noteJob, readyMenu } from "./history.js";
import { count, notice } from "./outcome.js";
import { csvOf, tablesOf } from "./records.js";
import { checkSchema } from "./schemas.js";
import { keepTheme } from "./theme.js";

const MODES = {
  map: { go: "Map the site", path: "v1/maps", read: "v1/maps", depth: 1, most: "max_urls", about: "Lists the addresses of a site from its sitemaps, feeds and links. No browser and no model is needed." },
  crawl: { go: "Crawl the site", path: "v1/crawls", read: "v1/batches", depth: 3, most: "max_pages", about: "Lists the addresses of a site, then reads each page. robots.txt is kept to." },
  batch: { go: "Read the pages", path: "v1/batches", read: "v1/batches", about: "Reads a list: one address a line, CSV with a column url, or JSON lines with a request each." },
};
const GOING_ON = new Set(["queued", "running", "mapping"]);
const SHOWN = 100;
const ASKED = 50; // results of one answer: each has the text of its page
const MOST_LISTED = 1000; // addresses that go from a map into the list
const GIVEN = { depth: 20, most: 50_000 };

let following = null;

const mode = () => document.querySelector("[name=mode]:checked").value;
const lines = (id) => byId(id).value.split("\n").map((line) => line.trim()).filter(Boolean);

function choose(name) {
  document.querySelector(`[name=mode][value=${name}]`).checked = true;
  const { go, about, depth } = MODES[name];
  for (const part of document.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(name);
  byId("start").textContent = go;
  byId("about").textContent = about;
  byId("depth").placeholder = String(depth ?? "");
  byId("most").placeholder = name === "map" ? "50000" : "1000";
  say("url", "");
}

function say(field, problem) {
  const given = field === "url" && mode() === "batch" ? byId("list") : byId(field);
  if (problem) given.setAttribute("aria-invalid", "true");
  else for (const one of [given, byId("list")]) one.removeAttribute("aria-invalid");
  byId(`${field}-error`).textContent = problem;
  if (problem) given.focus();
  return !problem;
}

/** Give what each page is asked for; null where the schema is none. */
function requestOf() {
  const { schema, error, note } = checkSchema(byId("schema").value);
  byId("schema-state").textContent = error ?? (byId("schema").value.trim() ? note : "");
  byId("schema-state").classList.toggle("error", Boolean(error));
  if (error) return null;
  const query = byId("query").value.trim();
  return { ...(schema === undefined ? {} : { output_schema: schema }), ...(query ? { query } : {}), ...(byId("javascript").checked ? {} : { enable_javascript: false }) };
}

/** Give what the form orders; null when a field of it is wrong, which is then shown. */
function order() {
  const request = requestOf();
  if (mode() === "batch") {
    if (!say("url", lines("list").length ? "" : "Give the addresses of some pages.") || !request) return null;
    const isPlain = lines("list").every((line) => isWebAddress(withScheme(line)) && !/[\s,]/.test(line));
    const list = isPlain ? { requests: lines("list").map(withScheme) } : { list: byId("list").value };
    return Object.keys(request).length ? { ...list, defaults: request } : list;
  }
  const url = withScheme(byId("url").value.trim());
  if (!say("url", url ? (isWebAddress(url) ? "" : "Not an http or https address.") : "Give the address of a site.")) return null;
  const asked = { url };
  for (const [id, name] of [["depth", "depth"], ["most", MODES[mode()].most]]) {
    const value = byId(id).value.trim();
    const isRight = !value || (/^\d+$/.test(value) && Number(value) <= GIVEN[id] && Number(value) >= (id === "most" ? 1 : 0));
    if (!say(id, isRight ? "" : `Give a number, ${id === "most" ? 1 : 0} to ${count(GIVEN[id])}.`)) return null;
    if (value) asked[name] = Number(value);
  }
  for (const id of ["include", "exclude"]) if (lines(id).length) asked[id] = lines(id);
  if (mode() === "map") return asked;
  if (!request) byId("schema").focus();
  return request && { ...asked, ...(Object.keys(request).length ? { request } : {}) };
}

async function submit(event) {
  event.preventDefault();
  const kind = mode();
  const asked = order();
  if (!asked) return;
  await attempt(async () => {
    byId("start").disabled = true;
    const record = await sendJson(kind === "map" ? `${MODES.map.path}?wait=0` : MODES[kind].path, asked);
    const id = record.map_id ?? record.batch_id;
    noteJob({ id, url: asked.url ?? `${count(record.total)} pages`, status: "running", href: `sites.html#${kind}=${id}` });
    history.pushState(null, "", `#${kind}=${id}`);
    await resume();
  });
  byId("start").disabled = false;
}

async function attempt(act) {
  fill(byId("problem"));
  try {
    await act();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Problem)) throw error;
    fill(byId("problem"), make("strong", { text: error.status === 401 ? "A token is needed: give it on the first page. " : "" }), error.message);
  }
}

/** Follow what the address names to its end, and show what it found. */
async function resume() {
  following?.abort();
  const [, kind, id] = /^#(map|crawl|batch)=([A-Za-z0-9_-]{1,80})$/.exec(location.hash) ?? [];
  byId("work").hidden = !id;
  if (!id) return;
  following = new AbortController();
  const { signal } = following;
  choose(kind);
  fill(byId("notices"));
  fill(byId("found"));
  const path = `${MODES[kind].read}/${encodeURIComponent(id)}`;
  byId("cancel").onclick = () => attempt(() => sendJson(path, undefined, "DELETE"));
  for (let pause = 200; ; pause = Math.min(pause * 1.3, 2000)) {
    const record = await readJson(path, signal);
    if (record.url && !byId("url").value) byId("url").value = record.url;
    drawState(record);
    if (!GOING_ON.has(record.status)) {
      noteJob({ id, status: record.status, records: `${count(record.url_count ?? record.total)} pages`, href: `sites.html#${kind}=${id}` });
      await (kind === "map" ? showMap : showPages)(record, path, signal);
      return;
    }
    await new Promise((resolve) => { setTimeout(resolve, pause); });
    signal.throwIfAborted();
  }
}

function drawState({ status, counts, total, url_count: urls }) {
  const isOn = GOING_ON.has(status);
  const done = counts?.done ?? 0;
  const parts = urls === undefined
    ? [`${count(done)} of ${count(total)} pages`, ...["partial", "failed", "not_run"].filter((one) => counts?.[one]).map((one) => `${count(counts[one])} ${one.replace("_", " ")}`)]
    : [`${count(urls)} address${urls === 1 ? "" : "es"}`];
  const said = status === "mapping" ? "Looking for the site’s pages…" : parts.join(", ");
  const word = status[0].toUpperCase() + status.slice(1);
  fill(byId("state"),
    make("p", { class: `chip ${isOn ? "running waiting" : status}`, data: { status }, text: word }),
    make("p", { text: said }),
    total ? make("progress", { class: "meter", max: total, value: done, "aria-label": "Pages that are read" }) : null);
  byId("cancel").hidden = !isOn;
  announce(isOn ? said : `${word}, ${said}`);
}

function tell(record) {
  const some = (record.failures ?? []).concat(record.problems ?? [], record.bad_lines ?? []);
  const worded = some.map((one) => [one.url ?? (one.line ? `line ${one.line}` : ""), one.message ?? one.error?.message ?? one.problem ?? ""].filter(Boolean).join(": "));
  const left = Object.entries(record.left_out ?? {}).map(([why, number]) => `${count(number)} left out: ${why}`);
  const mild = [...(record.warnings ?? []), ...left];
  fill(byId("notices"),
    record.error ? notice("bad", "It could not be done", [[record.error.message]]) : null,
    worded.length ? notice("warn", worded.length === 1 ? "One part failed" : `${worded.length} parts failed`, worded.map((text) => [text])) : null,
    mild.length ? notice("mild", mild.length === 1 ? "One thing to know" : `${mild.length} things to know`, mild.map((text) => [text])) : null);
}

async function everyPage(path, name, limit, signal) {
  const all = [];
  for (let after = ""; after !== null;) {
    const page = await readJson(`${path}?limit=${limit}${after ? `&after=${encodeURIComponent(after)}` : ""}`, signal);
    all.push(...page[name]);
    after = page.next ?? null;
  }
  return all;
}

async function showMap(record, path, signal) {
  const urls = await everyPage(`${path}/urls`, "urls", 1000, signal);
  tell(record);
  const rowOf = ({ url, title, last_modified: modified }) => make("tr", {}, make("th", { scope: "row" }, link(url)), make("td", { text: title ?? "" }), make("td", { text: modified ?? "" }));
  let chosen = urls;
  const read = () => {
    byId("list").value = chosen.slice(0, MOST_LISTED).map(({ url }) => url).join("\n");
    choose("batch");
    byId("list").focus();
  };
  drawTable("Addresses", ["Address", "Title", "Last changed"], urls, rowOf, ({ url, title }) => `${url} ${title ?? ""}`, (some) => { chosen = some; }, [
    button("Read these pages", read),
    button("Download CSV", () => downloadText("addresses.csv", "text/csv", csvOf(chosen.map(({ url, title, last_modified: modified, source }) => ({ url, title, last_modified: modified, source }))))),
  ]);
}

const recordsOf = ({ extraction }) => tablesOf(extraction?.data).find((table) => table.kind === "list" || table.kind === "single")?.rows.map((row) => row.value) ?? [];

function yieldOf({ extraction, error, content_stats: stats }) {
  if (error) return error.message;
  if (!extraction) return stats ? `${count(stats.output_chars)} characters` : "";
  const { returned, expected } = extraction.completeness ?? {};
  const found = recordsOf({ extraction }).length;
  return [expected > returned ? `${returned} of ${expected} records` : `${count(found)} record${found === 1 ? "" : "s"}`, extraction.tier === "recipe" ? "by a recipe" : ""].filter(Boolean).join(", ");
}

async function showPages(record, path, signal) {
  const results = await everyPage(`${path}/results`, "results", ASKED, signal);
  tell(record);
  const rowOf = (result) => make("tr", {},
    make("th", { scope: "row" }, make("a", { href: `./#job=${result.job_id}`, text: result.title || result.url || result.job_id })),
    make("td", { text: result.url ?? "" }),
    make("td", {}, make("span", { class: `state-word ${result.status}`, text: result.status })),
    make("td", { text: yieldOf(result) }));
  let chosen = results;
  const all = () => chosen.flatMap((result) => recordsOf(result).map((one) => ({ page: result.url, ...(one !== null && typeof one === "object" ? one : { value: one }) })));
  drawTable("Pages", ["Page", "Address", "Status", "Result"], results, rowOf, ({ url, title, status }) => `${url} ${title ?? ""} ${status}`, (some) => { chosen = some; }, [
    results.some(({ extraction }) => extraction) ? button("Download records as CSV", () => downloadText("records.csv", "text/csv", csvOf(all()))) : null,
    button("Download results", () => downloadText("results.jsonl", "application/x-ndjson", chosen.map((one) => `${JSON.stringify(one)}\n`).join(""))),
  ]);
}

const button = (text, click) => make("button", { class: "small", type: "button", text, on: { click } });

/** Draw rows that a field filters; `onFilter` is given those that fit. */
function drawTable(title, heads, rows, rowOf, textOf, onFilter, buttons) {
  if (!rows.length) {
    fill(byId("found"), make("p", { class: "empty", text: "No pages." }));
    return;
  }
  const body = make("tbody");
  const head = make("h2", { id: "found-title" });
  const more = make("p", { class: "pages-more" });
  let words = "";
  const draw = (most) => {
    const fit = words ? rows.filter((row) => words.toLowerCase().split(/\s+/).every((word) => textOf(row).toLowerCase().includes(word))) : rows;
    onFilter(fit);
    fill(body, ...fit.slice(0, most).map(rowOf));
    head.textContent = `${title} (${fit.length < rows.length ? `${count(fit.length)} of ` : ""}${count(rows.length)})`;
    fill(more, fit.length > most ? button(`Show more (${count(fit.length - most)})`, () => draw(most + 10 * SHOWN)) : null);
  };
  const filter = make("input", { type: "search", class: "filter", placeholder: "Filter", "aria-label": `Filter ${title}`, on: { input: ({ target }) => { words = target.value.trim(); draw(SHOWN); } } });
  const table = make("table", { class: "pages", "aria-labelledby": "found-title" }, make("thead", {}, make("tr", {}, ...heads.map((name) => make("th", { scope: "col", text: name })))), body);
  draw(SHOWN);
  fill(byId("found"), make("div", { class: "row pages-head" }, head, make("span", { class: "row" }, filter, ...buttons)), make("div", { class: "table-scroll" }, table), more);
}

keepTheme(byId("theme"));
for (const one of document.querySelectorAll("[name=mode]")) one.addEventListener("change", () => choose(mode()));
byId("ask").addEventListener("submit", submit);
byId("schema").addEventListener("input", requestOf);
readyMenu(byId("history"), () => drawJobs(byId("jobs")));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId(byId("work").hidden ? "url" : "work").focus();
});
addEventListener("hashchange", () => attempt(resume));
choose("map");
await attempt(resume);
