// Fields in place of JSON: a list of records, or one record, of plain fields. The JSON stays what is sent.

import { fill, freshId, make } from "./elements.js";

const TYPES = { text: { type: "string" }, number: { type: "number" }, "whole number": { type: "integer" },
  "yes or no": { type: "boolean" }, date: { type: "string", format: "date" }, link: { type: "string", format: "uri" },
  "list of texts": { type: "array", items: { type: "string" } } };

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** Read a schema into `{many, name, fields}`; null when it says more than fields can. */
export function fieldsOf(schema) {
  if (!isObject(schema)) return null;
  if (schema.type === "array") return recordOf(schema.items, { many: true, name: "" });
  const properties = Object.entries(schema.properties ?? {});
  const [name, only] = properties[0] ?? [];
  if (properties.length === 1 && only?.type === "array" && isObject(only.items) && only.items.properties) {
    return recordOf(only.items, { many: true, name });
  }
  return recordOf(schema, { many: false, name: "" });
}

function recordOf(record, shape) {
  if (!isObject(record) || !isObject(record.properties)) return null;
  const fields = [];
  for (const [name, schema] of Object.entries(record.properties)) {
    const type = typeOf(schema);
    if (!type) return null;
    fields.push({ name, type, about: schema.description ?? "", needed: (record.required ?? []).includes(name) });
  }
  return { ...shape, fields };
}

function typeOf(schema) {
  if (!isObject(schema)) return null;
  const own = [schema.type].flat().filter((one) => one !== "null");
  const known = new Set(["type", "format", "description", "items", "title"]);
  if (own.length !== 1 || Object.keys(schema).some((key) => !known.has(key))) return null;
  const found = Object.entries(TYPES).find(([, { type, format, items }]) =>
    type === own[0] && format === schema.format && (!items || schema.items?.type === items.type));
  return found?.[0] ?? null;
}

/** Write fields as a JSON Schema. */
export function schemaOf({ many, name, fields }) {
  const named = fields.filter((field) => field.name.trim());
  const properties = Object.fromEntries(named.map(({ name: field, type, about, needed }) => {
    const plain = TYPES[type] ?? TYPES.text;
    const schema = needed || plain.type === "array" ? { ...plain } : { ...plain, type: [plain.type, "null"] };
    return [field.trim(), about.trim() ? { ...schema, description: about.trim() } : schema];
  }));
  const record = { type: "object", properties, required: named.filter((field) => field.needed).map((field) => field.name.trim()) };
  if (!many) return record;
  const list = { type: "array", items: record };
  return name.trim() ? { type: "object", properties: { [name.trim()]: list }, required: [name.trim()] } : list;
}

/** Draw the fields of a schema; `onChange(schema)` is called with what they say. False when fields can't say it. */
export function drawBuilder(host, schema, onChange) {
  const shape = schema === undefined ? { many: true, name: "", fields: [newField()] } : fieldsOf(schema);
  if (!shape) {
    fill(host, make("p", { class: "help", text: "This schema says more than a list of fields can. Edit it as JSON." }));
    return false;
  }
  const tell = () => onChange(schemaOf(shape));
  const draw = () => {
    const many = select("What a page holds", ["many records", "one record"], shape.many ? "many records" : "one record", (value) => {
      shape.many = value === "many records";
      tell();
    });
    const rows = shape.fields.map((field, at) => fieldRow(field, at, tell, () => { shape.fields.splice(at, 1); draw(); tell(); }));
    const add = make("button", { class: "small", type: "button", text: "Add a field", on: { click: () => {
      shape.fields.push(newField());
      draw();
      host.querySelector("li:last-child input").focus();
    } } });
    fill(host, make("div", { class: "row" }, many), make("ul", { class: "fields" }, ...rows), add);
  };
  draw();
  return true;
}

const newField = () => ({ name: "", type: "text", about: "", needed: false });

function fieldRow(field, at, tell, remove) {
  const input = (label, key, placeholder) => make("input", {
    type: "text", value: field[key], placeholder, "aria-label": `${label} of field ${at + 1}`, spellcheck: "false", autocomplete: "off",
    on: { input: ({ target }) => { field[key] = target.value; tell(); } },
  });
  const id = freshId("needed");
  const needed = make("input", { type: "checkbox", id, checked: field.needed, on: { change: ({ target }) => { field.needed = target.checked; tell(); } } });
  return make("li", {},
    input("Name", "name", "name, as price"),
    select(`Type of field ${at + 1}`, Object.keys(TYPES), field.type, (value) => { field.type = value; tell(); }),
    input("Example or explanation", "about", "example, as 12.50"),
    make("label", { class: "tick", for: id }, needed, "needed"),
    make("button", { class: "small", type: "button", text: "Remove", "aria-label": `Remove field ${at + 1}`, on: { click: remove } }));
}

function select(label, names, chosen, onChange) {
  const options = names.map((name) => make("option", { value: name, text: name, selected: name === chosen }));
  return make("select", { "aria-label": label, on: { change: ({ target }) => onChange(target.value) } }, ...options);
}

/** What a model is asked, to suggest the fields of a page; its answer is its own and needs no proof. */
export const SUGGESTION = {
  query: "Which fields would somebody collect from this page? Name the repeated records, and up to eight plain fields of one of them.",
  output_schema: {
    type: "object",
    properties: {
      records: { type: "string", description: "what the page lists, as one English word in the plural, such as products; empty when it is about one thing", "x-derived": true },
      fields: { type: "string", description: "the fields, separated by commas, each as name:type with a type of text, number, date, link or yes or no, such as title:text, price:number", "x-derived": true },
    },
    required: ["fields"],
  },
  config: { tiers: ["model"] },
};

/** Read a model's suggestion as a schema; null when it names no field. */
export function suggested(data) {
  const fields = String(data?.fields ?? "").split(/[,;\n]/).map((part) => {
    const [name, type = "text"] = part.split(":").map((one) => one.trim());
    const known = Object.keys(TYPES).find((one) => one === type.toLowerCase()) ?? "text";
    return { name: name.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, ""), type: known, about: "", needed: false };
  }).filter((field) => field.name).slice(0, 12);
  if (!fields.length) return null;
  fields[0].needed = true;
  const name = String(data.records ?? "").trim().replace(/[^\p{L}\p{N}]+/gu, "_");
  return schemaOf({ many: Boolean(name), name, fields });
}
