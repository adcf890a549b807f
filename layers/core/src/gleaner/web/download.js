// Files made here and saved by the browser.

/** Save a text under a name. */
export function downloadText(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  save(name, address);
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Save what a data: URI holds. */
export const downloadUri = (name, uri) => save(name, uri);

function save(name, address) {
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}
