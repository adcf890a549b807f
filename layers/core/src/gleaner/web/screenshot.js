// A picture of the page, taken when it is asked for, by a job of its own.

import { followJob, readMedia, readResult, startJob } from "./api.js";
import { announce, fill, make } from "./elements.js";

/** Offer to take a screenshot of an address. */
export function drawScreenshot(panel, url) {
  const stage = make("div", { class: "stage" });
  const take = (format) => async () => {
    fill(stage, make("p", { class: "soft waiting", text: "Taking the screenshot…" }));
    try {
      fill(stage, await picture(url, format));
      announce("The screenshot is ready");
    } catch (error) {
      fill(stage, make("p", { class: "error", role: "alert", text: error.message }));
    }
  };
  const button = (text, format) => make("button", { class: "small", type: "button", text, on: { click: take(format) } });
  const row = make("div", { class: "row" }, button("Take a screenshot", "screenshot"), button("Of the whole page", "fullscreenshot"));
  fill(stage, make("p", { class: "soft", text: "This opens the page again." }));
  fill(panel, row, stage);
}

async function picture(url, format) {
  const { job_id: id } = await startJob({ url, format });
  await followJob(id, () => {});
  const { media, error } = await readResult(id);
  if (!media) throw new Error(error?.message ?? "There is no image.");
  const src = media.screenshotBase64 ?? URL.createObjectURL(await readMedia(id));
  return make("img", { class: "shot", src, alt: `Screenshot of ${url}` });
}
