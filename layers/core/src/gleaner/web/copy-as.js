// A request in the words of other ways in: curl, Python and the command.

import { fill, make } from "./elements.js";

const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const OPTIONS = {
  query: "--query", css_selector: "--selector", extraction_id: "--extraction-id", follow: "--follow", session: "--session",
  consent: "--consent", proxy: "--proxy",
};

/** Give the request as a command of curl; a token is named, never shown. */
export function asCurl(request, origin, needsToken) {
  const token = needsToken ? ` \\\n  -H "Authorization: Bearer $GLEANER_TOKEN"` : "";
  const body = shell(JSON.stringify(request, null, 2));
  return `curl -sS ${shell(`${origin}v1/scrape?wait=25`)}${token} \\\n  -H 'Content-Type: application/json' \\\n  -d ${body}\n`;
}

/** Give the request as a script of Python. */
export function asPython(request) {
  const { url, ...rest } = request;
  const lines = Object.entries(rest).map(([name, value]) => `        ${name}=${python(value, 2)},\n`).join("");
  const call = `gleaner.scrape(\n        ${python(url)},\n${lines}    )`;
  return `from gleaner import Gleaner\n\nwith Gleaner() as gleaner:\n    result = ${call}\n    print(result.status, result.data)\n`;
}

/** Give the request as a line of the command. */
export function asCommand(request) {
  const parts = ["gleaner scrape", shell(request.url)];
  for (const [name, option] of Object.entries(OPTIONS)) {
    if (request[name] !== undefined) parts.push(`${option} ${shell(String(request[name]))}`);
  }
  for (const format of request.formats ?? [request.format].filter(Boolean)) parts.push(`--format ${format}`);
  for (const step of request.actions ?? []) parts.push(`--action ${shell(typeof step === "string" ? step : JSON.stringify(step))}`);
  if (request.output_schema !== undefined) parts.push(`--schema ${shell(JSON.stringify(request.output_schema))}`);
  if (request.extract_links) parts.push("--extract-links");
  if (request.documents) parts.push("--documents");
  if (request.enable_javascript === false) parts.push("--no-javascript");
  if (request.output_schema !== undefined) parts.push("-o records.csv");
  return `${parts.join(" \\\n  ")}\n`;
}

function python(value, depth = 0) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  const pad = "    ".repeat(depth + 1);
  const inner = Array.isArray(value)
    ? value.map((one) => `${pad}${python(one, depth + 1)},\n`)
    : Object.entries(value).map(([name, one]) => `${pad}${JSON.stringify(name)}: ${python(one, depth + 1)},\n`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return inner.length ? `${open}\n${inner.join("")}${"    ".repeat(depth)}${close}` : `${open}${close}`;
}

/** Fill `host` with the three ways; `read()` gives the request of the form. What was shown is forgotten when `menu` closes. */
export function readyCopies(menu, host, read, needsToken) {
  const said = make("p", { class: "help", role: "status" });
  const shown = make("pre", { class: "copied", tabindex: "0", "aria-label": "The request", hidden: true });
  const ways = {
    curl: () => asCurl(read(), new URL(".", document.baseURI).href, needsToken()),
    Python: () => asPython(read()),
    "Command line": () => asCommand(read()),
  };
  const copy = async (name) => {
    shown.textContent = ways[name]();
    shown.hidden = false;
    try {
      await navigator.clipboard.writeText(shown.textContent);
      said.textContent = `Copied for ${name}.`;
    } catch {
      said.textContent = "The browser does not let this page copy: select the text below.";
    }
  };
  const buttons = Object.keys(ways).map((name) =>
    make("button", { class: "small", type: "button", text: name, data: { copy: name }, on: { click: () => copy(name) } }));
  menu.addEventListener("toggle", () => { said.textContent = ""; shown.hidden = true; });
  fill(host, make("div", { class: "row" }, ...buttons), said, shown);
}
