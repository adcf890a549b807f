// Addresses as people type them.

const LOCAL = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?:[:/?#]|$)/i;

/** Give an address with its scheme: servers on this machine seldom speak https. */
export const withScheme = (url) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) || !url ? url : `${LOCAL.test(url) ? "http" : "https"}://${url}`);

export function isWebAddress(text) {
  try {
    return ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
