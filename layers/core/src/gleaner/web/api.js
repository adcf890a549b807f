// The HTTP API, as this page uses it. Addresses are relative, so that it works below any path.

const TOKEN = "gleaner-token";

/** What the API said when it refused: `status`, `type` for programs, `message` for people. */
export class Problem extends Error {
  constructor(status, type, detail) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

export const readToken = () => sessionStorage.getItem(TOKEN) ?? "";

export function keepToken(token) {
  if (token) sessionStorage.setItem(TOKEN, token);
  else sessionStorage.removeItem(TOKEN);
}

async function call(path, { method = "GET", body, signal, accept = "application/json" } = {}) {
  const headers = { accept };
  if (readToken()) headers.authorization = `Bearer ${readToken()}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(new URL(path, document.baseURI), {
      method, headers, signal, cache: "no-store", body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "unreachable", "The server can’t be reached. Is it still running?");
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

async function problemOf(answer) {
  try {
    const said = await answer.json();
    const type = said.error_type ?? "http_error";
    return new Problem(answer.status, type, said.detail ?? said.message ?? answer.statusText);
  } catch {
    return new Problem(answer.status, "http_error", `The server answered ${answer.status} ${answer.statusText}`);
  }
}

const json = async (path, options) => (await call(path, options)).json();
const job = (id) => `v1/jobs/${encodeURIComponent(id)}`;

/** Read anything that the API gives as JSON. */
export const readJson = (path, signal) => json(path, { signal });

/** Send anything that the API takes as JSON. */
export const sendJson = (path, body, method = "POST") => json(path, { method, body });

/** Start a job; give its record. A result that is there at once is a job that has ended. */
export async function startJob(request, signal) {
  return json("v1/scrape?wait=0", { method: "POST", body: request, signal });
}

const watch = (id) => `v1/watches/${encodeURIComponent(id)}`;
/** Do something with a watch: run it now ("runs"), pause it, resume it. */
export const actOnWatch = (id, what) => json(`${watch(id)}/${what}`, { method: "POST" });
export const deleteWatch = (id) => json(watch(id), { method: "DELETE" });

/** Begin a watch of a request that gives records; give its record. */
export const startWatch = (request, every) => json("v1/watches", { method: "POST", body: { request, every } });

/** Give the schemas that fit a page, `{url, page_id, suggestions}`; no model is asked. */
export const suggestSchemas = (page) => json("v1/suggest", { method: "POST", body: page });

/** Tell whether a model is set; null when that can't be told. */
export async function hasModel() {
  try {
    return (await json("health")).has_model ?? null;
  } catch {
    return null;
  }
}

export const readJob = (id, signal) => json(job(id), { signal });
export const readRequest = (id, signal) => json(`${job(id)}/request`, { signal });
export const readReport = async (id) => (await call(`${job(id)}/report`, { accept: "text/html" })).text();
export const readResult = (id, signal) => json(`${job(id)}/result`, { signal });
export const cancelJob = (id) => json(job(id), { method: "DELETE" });

export async function readMarkdown(id, signal) {
  return (await call(`${job(id)}/markdown`, { signal, accept: "text/markdown" })).text();
}

/** A job's screenshot or media, as a Blob; the server may send us on to where it is stored. */
export async function readMedia(id) {
  return (await call(`${job(id)}/screenshot`, { accept: "*/*" })).blob();
}

export async function readCollected(extraction, format) {
  const pages = [];
  let path = `v1/extractions/${encodeURIComponent(extraction)}?format=${format}`;
  while (path) {
    const answer = await call(path, { accept: "*/*" });
    pages.push(await answer.text());
    path = answer.headers.get("link")?.match(/<([^>]+)>; rel="next"/)?.[1];
  }
  return pages.join("");
}

export const ENDED = new Set(["complete", "partial", "failed", "cancelled"]);
const LOST = 5;

/** Follow a job to its end: `onJob` gets each state. Gives the last one. */
export async function followJob(id, onJob, signal) {
  let pause = 150;
  let lost = 0;
  for (;;) {
    try {
      const record = await readJob(id, signal);
      lost = 0;
      onJob(record);
      if (ENDED.has(record.status)) return record;
    } catch (error) {
      lost += 1;
      const passing = error.status === 0 || error.status === 429 || error.status >= 500;
      if (!passing || lost > LOST) throw error;
    }
    await rest(pause, signal);
    pause = Math.min(pause * 1.15, 1500);
  }
}

function rest(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException("stopped", "AbortError"));
    if (signal?.aborted) stop();
    const timer = setTimeout(() => { signal?.removeEventListener("abort", stop); resolve(); }, milliseconds);
    signal?.addEventListener("abort", () => { clearTimeout(timer); stop(); }, { once: true });
  });
}
