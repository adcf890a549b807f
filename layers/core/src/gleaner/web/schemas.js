// Schemas to start from, and a first check of what is typed. The server's check is the one that counts.

import { jsonProblem } from "./json-place.js";

const list = (name, properties, required) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties, required, additionalProperties: false } } },
  required: [name],
});
const text = { type: "string" };
const maybe = (type, more = {}) => ({ type: [type, "null"], ...more });

export const EXAMPLES = {
  "Products": list("products", {
    name: text,
    price: { type: "number", description: "without the currency" },
    rating: maybe("number"),
    in_stock: { type: "boolean" },
  }, ["name", "price"]),
  "Rows of a table": {
    type: "array",
    items: {
      type: "object",
      properties: { station: text, altitude: text, temperature: text, read_on: { type: "string", format: "date" } },
      required: ["station", "read_on"],
    },
  },
  "One article": {
    type: "object",
    properties: {
      title: text,
      author: maybe("string"),
      published: maybe("string", { format: "date" }),
      summary: { type: "string", description: "two sentences" },
    },
    required: ["title"],
  },
  "Events": list("events", {
    title: text,
    starts_on: { type: "string", format: "date" },
    place: maybe("string"),
    url: maybe("string", { format: "uri" }),
  }, ["title", "starts_on"]),
  "People": list("people", { name: text, role: maybe("string"), email: maybe("string"), phone: maybe("string") }, ["name"]),
  "Job offers": list("jobs", {
    title: text,
    company: maybe("string"),
    location: maybe("string"),
    salary_from: maybe("number"),
    salary_to: maybe("number"),
  }, ["title"]),
};

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

export const pretty = (schema) => JSON.stringify(schema, null, 2);

/** Check the text of a schema: `{schema}` when it may be sent (undefined when empty), `{error}` when not; `note` says what it asks for. */
export function checkSchema(source) {
  if (!source.trim()) return { schema: undefined, note: "No schema: the page itself, or an answer in words." };
  let schema;
  try {
    schema = JSON.parse(source);
  } catch (error) {
    return { error: `Not valid JSON, ${jsonProblem(source) ?? error.message}` };
  }
  if (typeof schema === "boolean") return { schema, note: "Any answer fits." };
  if (isExample(schema)) return { schema, note: said("A list", Object.keys(schema[0])) };
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) {
    return { error: "A JSON Schema is an object: { \"type\": … }; a list by example holds one record: [{ \"title\": \"string\" }]" };
  }
  const wrong = wrongType(schema, "");
  return wrong ? { error: wrong } : { schema, note: describe(schema) };
}

/** Tell whether a list stands for its schema: it holds one record, as the API takes it. */
function isExample(list) {
  return Array.isArray(list) && list.length === 1 && list[0] !== null && typeof list[0] === "object" && !Array.isArray(list[0]);
}

function wrongType(schema, path) {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return null;
  for (const type of [schema.type ?? []].flat()) {
    if (!TYPES.has(type)) return `“${type}” is no JSON type${path ? ` (at ${path})` : ""}: ${[...TYPES].join(", ")}`;
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (inner === null || (typeof inner !== "object" && typeof inner !== "boolean")) {
      return `${path}/${name} is ${JSON.stringify(inner)}; a property is described by an object, such as { "type": "string" }`;
    }
    const wrong = wrongType(inner, `${path}/${name}`);
    if (wrong) return wrong;
  }
  return schema.items ? wrongType(schema.items, `${path}/items`) : null;
}

function describe(schema) {
  const fields = (one) => Object.keys(one?.properties ?? {});
  if (schema.type === "array") return said("A list", fields(schema.items));
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (inner?.type === "array" && fields(inner.items).length) return said(`A list of ${name}`, fields(inner.items));
  }
  return said("One record", fields(schema));
}

const said = (what, fields) => (fields.length ? `${what}: ${fields.join(", ")}` : what);
