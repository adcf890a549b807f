// Where a JSON text goes wrong: browsers say it in many ways, or not at all.

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const OTHER = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])/y;

class Wrong extends Error {
  constructor(at, wanted) {
    super(wanted);
    this.at = at;
  }
}

/** Say in words what is wrong with a JSON text, and where; null when nothing is. */
export function jsonProblem(source) {
  const reader = new Reader(source);
  try {
    reader.value();
    reader.end();
    return null;
  } catch (wrong) {
    if (!(wrong instanceof Wrong)) throw wrong;
    const before = source.slice(0, wrong.at).split("\n");
    return `line ${before.length}, column ${before.at(-1).length + 1}: ${wrong.message}`;
  }
}

class Reader {
  constructor(source) {
    this.source = source;
    this.at = 0;
  }

  value() {
    const first = this.peek();
    if (first === "{") this.list("}", () => { this.string("a name in quotes"); this.take(":"); this.value(); });
    else if (first === "[") this.list("]", () => this.value());
    else if (first === '"') this.string("a text");
    else this.match(OTHER, first ? "a value is missing, or a text without quotes" : "the text ends too soon");
  }

  list(close, one) {
    this.at += 1;
    if (this.peek() === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      one();
      const next = this.peek();
      if (next !== "," && next !== close) throw new Wrong(this.at, next ? `“,” or “${close}” is missing` : `“${close}” is missing`);
      this.at += 1;
      if (next === close) return;
    }
  }

  string(what) {
    this.peek();
    this.match(STRING, `here should be ${what}`);
  }

  take(sign) {
    if (this.peek() !== sign) throw new Wrong(this.at, `“${sign}” is missing`);
    this.at += 1;
  }

  match(pattern, wanted) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source);
    if (!found) throw new Wrong(this.at, wanted);
    this.at = pattern.lastIndex;
  }

  peek() {
    while (" \t\r\n".includes(this.source[this.at] ?? "x")) this.at += 1;
    return this.source[this.at] ?? "";
  }

  end() {
    if (this.peek()) throw new Wrong(this.at, "something follows after the end");
  }
}
