/**
 * Makes the client: node build.mjs
 *
 *     src/schema.ts      the types of the API, from openapi.json
 *     dist/              JavaScript and declarations, as they are published
 */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const here = import.meta.dirname;
const run = (...command) =>
  execFileSync(process.execPath, command, { cwd: here, stdio: ["ignore", 2, 2] });

const generator = join(dirname(require.resolve("openapi-typescript")), "..", "bin", "cli.js");
// A field with a default may be left out of a request.
run(generator, "../../openapi.json", "--output", "src/schema.ts", "--default-non-nullable=false");

const compiler = require.resolve("typescript/bin/tsc");
run(compiler, "--noEmit"); // the tests too
rmSync(join(here, "dist"), { recursive: true, force: true });
run(compiler, "--project", "tsconfig.build.json");
