// Gleaner counts characters (code points); strings here count UTF-16 units, two for each astral character.

/** Translates offsets of one text. */
export class Offsets {
  constructor(text) {
    this.astral = [];
    let seen = 0;
    for (const found of text.matchAll(/[\u{10000}-\u{10FFFF}]/gu)) {
      this.astral.push(found.index - seen);
      seen += 1;
    }
  }

  /** Give the UTF-16 offset of a code point offset. */
  toUnits(offset) {
    let low = 0;
    let high = this.astral.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.astral[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  }
}
