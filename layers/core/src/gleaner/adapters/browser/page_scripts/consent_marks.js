// Whether a dialog that the rules know may be here, and how many frames stand over the page as dialogs do: of some size,
// in the window, in something that is fixed. The frames stay in `gleanerFrames`.
(() => {
  const isFixed = (element) =>
    !!element && (getComputedStyle(element).position === "fixed" || isFixed(element.parentElement));
  const isThere = (mark) => {
    const [selector, word] = [].concat(mark);
    try {
      return !!document.querySelector(selector) && (!word || document.body.textContent.includes(word));
    } catch {
      return true; // no selector of this browser's: the rule itself is asked
    }
  };
  globalThis.gleanerFrames = [...document.querySelectorAll("iframe")].slice(0, 50).filter((frame) => {
    const { width, height, top, bottom } = frame.getBoundingClientRect();
    return width >= 200 && height >= 60 && bottom > 0 && top < innerHeight && isFixed(frame);
  });
  return { isKnown: MARKS.some(isThere), frames: globalThis.gleanerFrames.length };
})();
