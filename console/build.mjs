/**
 * Makes the folder that the service serves: node build.mjs FOLDER
 *
 *     index.html            the page, with the word CSP_NONCE where a nonce belongs
 *     assets/               scripts and styles, named by their content
 *     vite-manifest.json    which script loads which
 *
 * `node build.mjs --types` only generates src/api/schema.ts from openapi.json and checks the types.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "vite";

const here = import.meta.dirname;
const require = createRequire(import.meta.url);
const run = (...command) =>
  execFileSync(process.execPath, command, { cwd: here, stdio: ["ignore", 2, 2] });

const generator = join(dirname(require.resolve("openapi-typescript")), "..", "bin", "cli.js");
run(generator, "../openapi.json", "--output", "src/api/schema.ts", "--default-non-nullable=false");
// The native compiler takes a tenth of the time; the generator needs the older one.
run(join(dirname(require.resolve("native-typescript/package.json")), "bin", "tsc"));

const [target] = process.argv.slice(2);
if (target !== "--types") {
  await build({ root: here, logLevel: "warn", build: { outDir: resolve(target), emptyOutDir: true } });
}
