// The page: a request is made in the form, followed to its end, and its result shown.

import { cancelJob, ENDED, followJob, hasModel, keepToken, Problem, readMarkdown, readRequest, readResult, readToken, startJob, startWatch, suggestSchemas } from "./api.js";
import { isWebAddress, withScheme } from "./addresses.js";
import { readyCopies } from "./copy-as.js";
import { announce, byId, fill, make } from "./elements.js";
import { drawJobs, noteJob, readyMenu } from "./history.js";
import { showResult } from "./result.js";
import { drawBuilder, suggested, SUGGESTION } from "./schema-builder.js";
import { checkSchema, EXAMPLES, pretty } from "./schemas.js";
import { drawSteps } from "./steps.js";
import { keepTheme } from "./theme.js";

const MOST_PAGES = 1000;

const SHOWN_IN_FORM = new Set(["url", "output_schema", "query", "css_selector", "extraction_id", "follow", "format", "enable_javascript", "documents", "extract_links", "formats", "actions", "consent", "session"]);
const TEXTS = [["query", "query"], ["css_selector", "selector"], ["extraction_id", "extraction"], ["session", "session"], ["consent", "consent"]];
const STEP = /^(?:click|fill|select|check|press|hover|wait_for|scroll)\s*(?::|$)/;

let running = null;
/** The fields of a job's request that the form has no place for; they are sent again until they are taken out. */
let kept = {};

/** Put a request into the form, as far as it has the fields. */
function writeForm(request) {
  byId("url").value = request.url ?? "";
  byId("schema").value = request.output_schema === undefined ? "" : pretty(request.output_schema);
  for (const [name, id] of TEXTS) byId(id).value = request[name] ?? "";
  const follow = request.follow?.max_pages ?? request.follow;
  byId("follow").value = typeof follow === "number" ? follow : "";
  byId("format").value = request.formats?.[0] ?? request.format ?? "markdown";
  for (const one of alsoBoxes()) one.checked = Boolean(request.formats?.includes(one.value));
  byId("steps").value = (request.actions ?? []).map((step) => (typeof step === "string" ? step : JSON.stringify(step))).join("\n");
  byId("javascript").checked = request.enable_javascript !== false;
  byId("documents").checked = Boolean(request.documents);
  byId("keep-links").checked = Boolean(request.extract_links);
  keep(Object.fromEntries(Object.entries(request).filter(([name]) => !SHOWN_IN_FORM.has(name))));
  checkTyped();
}

function keep(fields) {
  kept = fields;
  const names = Object.keys(fields);
  const drop = make("button", { class: "small", type: "button", text: "Leave out", on: { click: () => keep({}) } });
  byId("kept").hidden = !names.length;
  fill(byId("kept"), names.length ? `Also in the request: ${names.map((name) => `${name} ${JSON.stringify(fields[name]).slice(0, 200)}`).join(", ")} ` : "", names.length ? drop : null);
}

const alsoBoxes = () => document.querySelectorAll("[name=also]");

/** Read the steps: a line each, or the object that a line of JSON is. */
function stepsOf(text) {
  return text.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => {
    if (!line.startsWith("{")) return line;
    try {
      return JSON.parse(line);
    } catch {
      return line; // which is told to be no step
    }
  });
}

function readForm() {
  const url = byId("url").value.trim();
  const checked = checkSchema(byId("schema").value);
  const request = { ...kept, url: withScheme(url) };
  if (checked.schema !== undefined) request.output_schema = checked.schema;
  for (const [name, id] of TEXTS) {
    if (byId(id).value.trim()) request[name] = byId(id).value.trim();
  }
  const follow = byId("follow").value.trim();
  if (follow) request.follow = /^\d+$/.test(follow) ? Number(follow) : follow;
  const also = [...alsoBoxes()].filter((one) => one.checked && one.value !== byId("format").value).map((one) => one.value);
  if (also.length) request.formats = [byId("format").value, ...also];
  else if (byId("format").value !== "markdown") request.format = byId("format").value;
  const steps = stepsOf(byId("steps").value);
  if (steps.length) request.actions = steps;
  if (!byId("javascript").checked) request.enable_javascript = false;
  if (byId("documents").checked) request.documents = true;
  if (byId("keep-links").checked) request.extract_links = true;
  return { request, problems: problemsOf(request, checked) };
}

function problemsOf(request, checked) {
  const problems = {};
  if (!request.url) problems.url = "Give the address of a page.";
  else if (!isWebAddress(request.url)) problems.url = "Not an http or https address.";
  if (checked.error) problems.schema = checked.error;
  if (request.extraction_id && !/^[A-Za-z0-9_-]{1,80}$/.test(request.extraction_id)) {
    problems.extraction = "Use letters, digits, _ and -, at most 80.";
  }
  if (request.follow !== undefined && !(request.follow >= 1 && request.follow <= MOST_PAGES)) {
    problems.follow = `Give a number of pages, 1 to ${MOST_PAGES}.`;
  }
  const wrong = (request.actions ?? []).find((step) => typeof step === "string" && !STEP.test(step));
  if (wrong !== undefined) problems.steps = `“${wrong}” is no step: it begins with one of the words below and a colon.`;
  return problems;
}

function flag(field, problem) {
  if (problem) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
}

function say(field, problem) {
  const place = byId(`${field}-error`);
  flag(byId(field), problem);
  place.textContent = problem ?? "";
}

function checkTyped() {
  const { request } = readForm();
  const checked = checkSchema(byId("schema").value);
  const state = byId("schema-state");
  flag(byId("schema"), checked.error);
  state.classList.toggle("error", Boolean(checked.error));
  state.textContent = checked.error ?? checked.note;
  const wantsRecords = request.output_schema !== undefined || checked.error || request.extraction_id;
  byId("start").textContent = wantsRecords ? "Extract records" : request.query ? "Ask the page" : "Read the page";
  byId("brief").textContent = brief(request, checked);
  byId("acting-brief").textContent = [request.actions && `${request.actions.length} step${request.actions.length === 1 ? "" : "s"}`, request.consent && `consent: ${request.consent}`, request.session && `session ${request.session}`].filter(Boolean).join(" · ");
}

function brief(request, checked) {
  const parts = [checked.error ?? checked.note, request.query && `“${request.query}”`, request.formats?.join(", ") ?? request.format, request.css_selector];
  return parts.filter(Boolean).join(" · ");
}

/** Give the request of the form; null when a field of it is wrong, which is then shown and has the focus. */
function checkedRequest() {
  const { request, problems } = readForm();
  for (const field of ["url", "extraction", "follow", "steps"]) say(field, problems[field]);
  const first = ["url", "schema", "extraction", "follow", "steps"].find((field) => problems[field]);
  if (!first) return request;
  byId(first).closest("details")?.setAttribute("open", "");
  byId(first).focus();
  return null;
}

/** Begin a watch of what the form asks for. */
async function beginWatch() {
  const request = checkedRequest();
  if (!request) return;
  try {
    const { watch_id: name } = await startWatch(request, byId("every").value);
    fill(byId("watched"), `Watching as ${name}. `, make("a", { href: "watches.html", text: "See what changes" }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fill(byId("watched"), make("span", { class: "error", text: error.message }));
  }
}

async function submit(event) {
  event?.preventDefault();
  const request = checkedRequest();
  if (!request) return;
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  begin();
  byId("work").focus({ preventScroll: true }); // the button can't be used now, and the form is about to close
  try {
    const job = await startJob(request, signal);
    history.pushState(null, "", `#job=${job.job_id}`);
    noteJob({ id: job.job_id, url: request.url, status: "running" });
    for (const id of ["terms", "acting", "copies"]) byId(id).open = false;
    await watch(job, signal);
  } catch (error) {
    if (error.name !== "AbortError") complain(error);
  }
}

function begin() {
  fill(byId("problem"));
  fill(byId("summary"), make("p", { class: "chip running", data: { status: "running" }, text: "Running" }), make("p", { class: "doing", id: "doing" }));
  fill(byId("notices"));
  byId("tabs").hidden = true;
  byId("welcome").hidden = true;
  byId("work").hidden = false;
  byId("start").disabled = true;
  drawSteps({ steps: [] });
}

async function watch(job, signal, isResumed = false) {
  byId("cancel").hidden = false;
  byId("cancel").onclick = () => cancelJob(job.job_id).catch(complain);
  try {
    const last = await followJob(job.job_id, show, signal);
    drawSteps(last, true);
    await finish(last, signal, isResumed);
  } finally {
    if (!signal.aborted) rest();
  }
}

function show(job) {
  if (job.url && !byId("url").value) byId("url").value = job.url;
  drawSteps(job, ENDED.has(job.status));
}

function rest() {
  byId("cancel").hidden = true;
  byId("start").disabled = false;
}

/** Put what a job of the address had asked for into the form, whose next request is else another's. */
async function retell({ url, extraction, job_id: id }, signal) {
  try {
    writeForm(await readRequest(id, signal));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    writeForm({ url, ...(extraction?.schema_used ? { output_schema: extraction.schema_used } : {}) });
  }
}

async function finish(job, signal, isResumed) {
  if (job.status === "cancelled") {
    fill(byId("summary"), make("p", { class: "chip cancelled", data: { status: "cancelled" }, text: "Cancelled" }));
    announce("The job was cancelled");
    return;
  }
  const result = await readResult(job.job_id, signal);
  const found = result.extraction?.completeness?.returned;
  noteJob({ id: job.job_id, url: result.url, status: result.status, records: found ? `${found} record${found === 1 ? "" : "s"}` : "" });
  if (isResumed) await retell({ job_id: job.job_id, ...result }, signal);
  showResult(result, await textOf(result, signal), reuse);
  announce(spoken(result));
}

/** Give the text that proofs point into; a page that has none gives null. */
async function textOf(result, signal) {
  if (result.status === "failed" || (!result.extraction && result.format !== "markdown")) return null;
  try {
    return await readMarkdown(result.job_id, signal);
  } catch (error) {
    if (error instanceof Problem) return result.markdown ?? null;
    throw error;
  }
}

function spoken(result) {
  const certificate = result.extraction?.completeness;
  const expected = certificate?.expected ?? null;
  const records = expected === null ? "" : `, ${certificate.returned} of ${expected} records`;
  return `${result.status}${records}`;
}

function complain(error) {
  rest();
  const untold = !byId("summary").querySelector("[data-completeness]");
  if (untold) byId("work").hidden = true;
  byId("welcome").hidden = !untold;
  fill(byId("problem"), make("strong", { text: error.type === "unauthorized" ? "A token is needed. " : "" }), error.message);
  if (untold) byId("start").focus();
  if (error.status !== 401 && error.status !== 403) return;
  byId("access").open = true;
  byId("token").focus();
}

function reuse(extractionId) {
  keep({});
  byId("extraction").value = extractionId;
  byId("schema").value = "";
  byId("query").value = "";
  byId("terms").open = true;
  checkTyped();
  byId("url").focus();
  byId("url").select();
}

function readyExamples() {
  const choice = (label, value) => make("option", { value, text: label });
  fill(byId("example"), choice("Examples…", ""), ...Object.keys(EXAMPLES).map((name) => choice(name, name)), choice("No schema", "none"));
  byId("example").addEventListener("change", ({ target }) => {
    if (target.value) byId("schema").value = target.value === "none" ? "" : pretty(EXAMPLES[target.value]);
    target.value = "";
    checkTyped();
    target.dispatchEvent(new Event("filled"));
  });
  byId("tidy").addEventListener("click", () => {
    const { schema } = checkSchema(byId("schema").value);
    if (schema !== undefined) byId("schema").value = pretty(schema);
    checkTyped();
  });
}

/** Show the schema's fields in place of its JSON, as long as they can say it. */
function readyBuilder() {
  const button = byId("as-fields");
  const show = (isOn) => {
    button.setAttribute("aria-pressed", String(isOn));
    button.textContent = isOn ? "Edit as JSON" : "Edit as fields";
    byId("builder").hidden = !isOn;
    byId("schema").hidden = isOn;
    if (isOn) redraw();
  };
  const redraw = () => drawBuilder(byId("builder"), checkSchema(byId("schema").value).schema, (schema) => {
    byId("schema").value = pretty(schema);
    checkTyped();
  });
  button.addEventListener("click", () => show(byId("builder").hidden));
  for (const id of ["example", "suggest"]) byId(id).addEventListener("filled", () => { if (!byId("builder").hidden) redraw(); });
}

/** Ask which fields the page has, without a model, and a model only where that finds none: a schema to start from. */
async function suggest() {
  const { request, problems } = readForm();
  say("url", problems.url);
  if (problems.url) {
    byId("url").focus();
    return;
  }
  const button = byId("suggest");
  button.disabled = true;
  button.textContent = "Reading the page…";
  try {
    const { url, enable_javascript: javascript } = request;
    const page = { url, ...(javascript === false ? { enable_javascript: false } : {}) };
    const [first] = (await suggestSchemas(page)).suggestions ?? [];
    byId("schema").value = pretty(first?.schema ?? await suggestedByModel(page));
    checkTyped();
    button.dispatchEvent(new Event("filled"));
    byId("suggested").textContent = first ? `From the page’s ${first.source}: ${first.records} record${first.records === 1 ? "" : "s"}.` : "";
    announce("A schema was suggested");
  } catch (error) {
    fill(byId("problem"), make("strong", { text: "No suggestion. " }), error.message);
  } finally {
    button.disabled = false;
    button.textContent = "Suggest from the page";
  }
}

async function suggestedByModel(page) {
  const job = await startJob({ ...page, ...SUGGESTION });
  await followJob(job.job_id, () => {});
  const result = await readResult(job.job_id);
  const schema = suggested(result.extraction?.data);
  if (!schema) throw new Problem(0, "no_suggestion", result.error?.message ?? result.extraction?.errors?.[0]?.message ?? "The model named no field of this page.");
  return schema;
}

async function tellWithoutModel() {
  byId("no-model").hidden = (await hasModel()) !== false;
}

function readyToken() {
  const show = () => byId("access").classList.toggle("has-token", Boolean(readToken()));
  byId("token").value = readToken();
  byId("token").addEventListener("input", ({ target }) => { keepToken(target.value.trim()); show(); });
  readyMenu(byId("access"));
  show();
}

/** Show the job that the address names: after a reload, by a link, or by the browser's Back; without one, the start. */
async function resume() {
  const id = /^#job=([A-Za-z0-9_-]{1,80})$/.exec(location.hash)?.[1];
  if (location.hash && !id) return;
  running?.abort();
  byId("url").value = id ? "" : byId("url").value;
  byId("terms").open = !id;
  fill(byId("problem"));
  if (!id) {
    rest();
    byId("work").hidden = true;
    byId("welcome").hidden = false;
    return;
  }
  running = new AbortController();
  const { signal } = running;
  begin();
  try {
    await retell({ job_id: id }, signal);
    await watch({ job_id: id, status: "running" }, signal, true);
  } catch (error) {
    if (error.name !== "AbortError") complain(error);
  }
}

function skip(event) {
  event.preventDefault(); // the address names the job, and has to go on doing so
  byId(byId("work").hidden ? "url" : "work").focus();
}

keepTheme(byId("theme"));
document.querySelector(".skip").addEventListener("click", skip);
readyExamples();
readyBuilder();
readyToken();
readyMenu(byId("history"), () => drawJobs(byId("jobs")));
byId("jobs").addEventListener("click", ({ target }) => { if (target.closest("a")) byId("history").open = false; });
byId("suggest").addEventListener("click", suggest);
byId("watch").addEventListener("click", beginWatch);
readyCopies(byId("copies"), byId("copy"), () => ({ ...readForm().request, url: readForm().request.url || byId("url").placeholder }), () => Boolean(readToken()));
tellWithoutModel();
byId("ask").addEventListener("submit", submit);
byId("ask").addEventListener("input", checkTyped);
byId("ask").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
});
addEventListener("hashchange", resume);
checkTyped();
resume();
