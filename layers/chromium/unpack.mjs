// Unpacks the npm package's parts into a folder: node unpack.mjs PACKAGE_FOLDER TARGET
// The result is TARGET/{chromium,lib/,fonts/,libEGL.so,...}; whoever calls makes it appear at once (see the installers).
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

const [, , packageFolder, target] = process.argv;
if (!packageFolder || !target) {
  console.error("usage: node unpack.mjs PACKAGE_FOLDER TARGET");
  process.exit(2);
}
const tar = createRequire(path.join(path.resolve(packageFolder), "package.json"))("tar-fs");
const archive = (name) => fs.createReadStream(path.join(packageFolder, "bin", `${name}.br`));

fs.mkdirSync(target, { recursive: true });
const executable = path.join(target, "chromium");
await Promise.all([
  pipeline(archive("chromium"), zlib.createBrotliDecompress(), fs.createWriteStream(executable, { mode: 0o755 })),
  ...["al2023.tar", "fonts.tar", "swiftshader.tar"].map((name) =>
    pipeline(archive(name), zlib.createBrotliDecompress(), tar.extract(target)),
  ),
]);
fs.rmSync(path.join(target, "fonts.conf"), { force: true }); // names folders of its own: each installation writes one
