// Files made here and saved by the browser.

/** Save a text under a name. */
export function downloadText(name, type, text) {
  downloadBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Save a Blob under a name. */
export function downloadBlob(name, blob) {
  const address = URL.createObjectURL(blob);
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
