// The answer as tables, whatever its shape: lists, single records, lists within a record, plain values.

const escapeStep = (step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1");
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isListOfObjects = (value) => Array.isArray(value) && value.length > 0 && value.every(isObject);
const DEEP = 3;

/** Cut an answer into tables: `{title, kind: "list" | "single" | "text", rows, columns}`; a row is `{pointer, value}`. */
export function tablesOf(data) {
  if (data === null || data === undefined) return [];
  if (typeof data === "string") return [{ title: "Answer", kind: "text", text: data, rows: [], columns: [] }];
  if (Array.isArray(data)) return [listTable("Records", "", data)];
  if (!isObject(data)) return [singleTable("Answer", "", { value: data }, true)];
  const lists = Object.entries(data).filter(([, value]) => isListOfObjects(value) || (Array.isArray(value) && Object.keys(data).length === 1));
  const rest = Object.entries(data).filter(([name]) => !lists.some(([taken]) => taken === name));
  const tables = lists.map(([name, value]) => listTable(name, `/${escapeStep(name)}`, value));
  return rest.length ? [singleTable(lists.length ? "The page" : "Record", "", Object.fromEntries(rest)), ...tables] : tables;
}

function listTable(title, root, values) {
  const rows = values.map((value, at) => ({ pointer: `${root}/${at}`, value }));
  return { title, kind: "list", rows, columns: columnsOf(values) };
}

function singleTable(title, root, value, isBare = false) {
  const columns = isBare ? [{ path: [], label: "value", key: "" }] : columnsOf([value]);
  return { title, kind: "single", rows: [{ pointer: root, value: isBare ? value.value : value }], columns };
}

/** Give the columns of records: nested objects are spread, fields in the order of their first appearance. */
function columnsOf(values) {
  const columns = new Map();
  for (const value of values) {
    for (const path of isObject(value) ? leafPaths(value, []) : [[]]) {
      const key = path.map((step) => `/${escapeStep(step)}`).join("");
      if (!columns.has(key)) columns.set(key, { path, key, label: path.join(".") || "value" });
    }
  }
  return [...columns.values()].filter((one) => ![...columns.keys()].some((key) => key.startsWith(`${one.key}/`)));
}

function* leafPaths(value, path) {
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name];
    if (isObject(inner) && Object.keys(inner).length && here.length < DEEP) yield* leafPaths(inner, here);
    else yield here;
  }
}

/** Give a row's value in a column, undefined when it has none. */
export function valueAt(row, column) {
  return column.path.reduce((value, step) => (isObject(value) ? value[step] : undefined), row.value);
}

const stepsOf = (pointer) => pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Give the value at a JSON pointer, undefined when there is none. */
export const valueOf = (data, pointer) =>
  stepsOf(pointer).reduce((value, step) => (value !== null && typeof value === "object" ? value[step] : undefined), data);

/** Give a JSON pointer as a person would say it, counting from 1: "products 3 · price". */
export const placeName = (pointer) =>
  stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step)).join(" · ").replace(/^(\d+)/, "record $1").replace(/ · (\d+)/g, " $1") || "the answer";

/** Give a value as a person reads it in a cell. */
export function wordsOf(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => !isObject(one) && !Array.isArray(one))) return value.map(String).join(", ");
  return JSON.stringify(value);
}

/** Finds the proofs of a value and of all that is in it. */
export class Proofs {
  constructor(entries) {
    this.below = new Map();
    for (const entry of entries) {
      for (let pointer = entry.pointer; ; pointer = pointer.slice(0, pointer.lastIndexOf("/"))) {
        if (!this.below.has(pointer)) this.below.set(pointer, []);
        this.below.get(pointer).push(entry);
        if (!pointer) break;
      }
    }
  }

  of(pointer) {
    return this.below.get(pointer) ?? [];
  }
}

const WORST = ["ungrounded", "inferred", "normalized", "verbatim"];

/** Give the weakest status among proofs, null when there are none. */
export const statusOf = (entries) => WORST.find((status) => entries.some((entry) => entry.status === status)) ?? null;

/** Give CSV (RFC 4180), as the server writes it: nested values are JSON text, texts that read as formulas are kept texts. */
export function csvOf(rows) {
  const names = [...new Set(rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])))];
  const lines = [names.length ? names.map(safe) : ["value"]];
  for (const row of rows) lines.push(isObject(row) ? names.map((name) => cell(row[name])) : [cell(row)]);
  return lines.map((line) => `${line.map(quoted).join(",") || '""'}\r\n`).join(""); // an empty line would be no record
}

function cell(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? safe(value) : JSON.stringify(value);
}

const FORMULA = /^'*(?:[\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff0-\ufffb]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;
const SIGNED_NUMBER = /^[+-][0-9 .,\u00a0\u202f]*%?$/;
const CALL = /^'*["\s\p{Cc}\p{Default_Ignorable_Code_Point}\ufff0-\ufffb]*[=+\-@\uff1d\uff0b\uff0d\uff20][^(|!]*[(|!]/u;
const safe = (text) => (FORMULA.test(text) && !SIGNED_NUMBER.test(text) ? "'" : "") + text.split(/([;\t\r\n])/)
  .map((part, at) => (at > 0 && at % 2 === 0 && CALL.test(part) ? `'${part}` : part)).join("");

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
