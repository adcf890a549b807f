// A client in TypeScript, typed by the OpenAPI document: compiled strictly and run by `make integrations`.

import createClient from "openapi-fetch";
import type { paths } from "./gleaner.js";

const [address, page] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address });

const { data: found } = await client.POST("/v1/suggest", { body: { url: page, enable_javascript: false } });
const schema = found?.suggestions[0]?.schema;
if (!schema) throw new Error("no schema was suggested");

const { data, error } = await client.POST("/v1/scrape", {
  params: { query: { wait: 25 } },
  body: { url: page, output_schema: schema, enable_javascript: false },
});
if (error || !data) throw new Error(JSON.stringify(error));
const result = data as { status: string; extraction?: { data?: { name: string }[] } };
console.log(result.status, result.extraction?.data?.map((record) => record.name).join(","));
