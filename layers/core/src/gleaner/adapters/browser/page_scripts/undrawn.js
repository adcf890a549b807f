// Gives the characters of the page's text that no font draws, as one string: each once, MOST at the utmost. Text below HEIGHT
// pixels, which the screenshot does not show, is passed over. A character without a font looks as one that stands for nothing:
// both are drawn on a canvas in the text's own fonts, and compared. Letters, digits and symbols count; private characters
// are icons, and flags are drawn by twos.
((height, most) => {
  "use strict";
  const counts = /[\p{L}\p{N}\p{S}]/u;
  const passedOver = /[\p{ASCII}\p{Default_Ignorable_Code_Point}\p{Regional_Indicator}\u2800]/u;
  const foreign = /[^\u0000-\u024f]/;
  const nothing = "\u{10ffff}";
  const size = 24;
  const mostTexts = 20000;
  const mostTried = 1000; // 0.3 s
  const canvas = new OffscreenCanvas(size, size).getContext("2d", { willReadFrequently: true });

  const drawn = (text, family) => {
    canvas.clearRect(0, 0, size, size);
    canvas.font = `16px ${family}`;
    canvas.fillText(text, 2, 18);
    return canvas.getImageData(0, 0, size, size).data;
  };
  const blanks = new Map();
  const isUndrawn = (character, family) => {
    if (!blanks.has(family)) blanks.set(family, drawn(nothing, family));
    const blank = blanks.get(family);
    return drawn(character, family).every((value, at) => value === blank[at]);
  };

  const isShown = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && box.top + scrollY < height && box.bottom + scrollY > 0 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const tried = new Set();
  const found = [];
  const read = (node) => {
    if (!foreign.test(node.data)) return;
    const fresh = [...new Set(node.data)].filter((one) => !tried.has(one) && counts.test(one) && !passedOver.test(one));
    const element = node.parentElement || node.getRootNode().host;
    if (fresh.length === 0 || !element || !isShown(element)) return;
    const family = getComputedStyle(element).fontFamily;
    for (const character of fresh) {
      if (found.length >= most || tried.size >= mostTried) return;
      tried.add(character);
      if (isUndrawn(character, family)) found.push(character);
    }
  };

  const roots = document.body ? [document.body] : [];
  let texts = 0;
  const isEnough = () => found.length >= most || texts >= mostTexts || tried.size >= mostTried;
  while (roots.length && !isEnough()) {
    const walker = document.createTreeWalker(roots.pop(), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node && !isEnough(); node = walker.nextNode()) {
      if (node.shadowRoot) roots.push(node.shadowRoot);
      if (node.nodeType !== Node.TEXT_NODE) continue;
      texts += 1;
      read(node);
    }
  }
  return found.join("");
})(HEIGHT, MOST);
