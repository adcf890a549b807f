// Scrolls to the screens where text is still transparent, so that pages which fade it in on scrolling do so, and back.
(async (screens) => {
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const { scrollX, scrollY } = globalThis;
  for (const screen of screens) {
    globalThis.scrollTo({ left: scrollX, top: screen * innerHeight, behavior: "instant" });
    await wait(60); // observers of intersections are told after the next frame
  }
  globalThis.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
  await wait(60);
})(SCREENS);
