/**
 * Makes the folder that the service serves: node build.mjs FOLDER
 *
 *     page/              the capture page's scripts and style, and the networks that its camera step
 *                        loads, all named by their content
 *     page/entry.json    which script and style the page begins with
 *     sdk/               the browser SDK as it is published: ES module, types, package.json
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "vite";

const here = import.meta.dirname;
const target = resolve(process.argv[2]);
const require = createRequire(import.meta.url);
const typescript = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

const check = (...options) =>
  execFileSync(process.execPath, [typescript, "--project", here, ...options], { stdio: "inherit" });

const HASHED = "[name]-[hash].js";
const HASHED_ASSET = "[name]-[hash][extname]";

const make = (outDir, entries, output, { external = [], lib = false } = {}) =>
  build({
    root: here,
    configFile: false,
    base: "./",
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir,
      lib,
      emptyOutDir: false,
      target: ["chrome106", "firefox121", "safari16.4"],
      modulePreload: false,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entries,
        external,
        preserveEntrySignatures: "exports-only",
        output,
      },
    },
    worker: {
      format: "es",
      rolldownOptions: { output: { entryFileNames: HASHED, assetFileNames: HASHED_ASSET } },
    },
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  });

check("--noEmit");

const page = join(target, "page");
await make(
  page,
  { page: join(here, "src/page/main.tsx") },
  { entryFileNames: HASHED, chunkFileNames: HASHED, assetFileNames: HASHED_ASSET },
);
const named = (pattern) => readdirSync(page).find((name) => pattern.test(name));
writeFileSync(
  join(page, "entry.json"),
  JSON.stringify({ script: named(/^page-.*\.js$/), style: named(/\.css$/) }),
);

const sdk = join(target, "sdk");
await make(sdk, { acredita: join(here, "src/sdk/acredita.ts") }, { entryFileNames: "[name].js" });
await make(
  sdk,
  { "metamap-button": join(here, "src/sdk/metamap.ts") },
  { entryFileNames: "[name].js", format: "iife" },
);
// For pages with React of their own; it loads `acredita.js` when a flow begins.
await make(
  sdk,
  { react: join(here, "src/sdk/react.ts") },
  { entryFileNames: "[name].js", paths: (id) => (id.endsWith("acredita") ? "./acredita.js" : id) },
  {
    external: ["react", /[/\\]acredita$/],
    // As a library: Vite adds its loader of pages' parts otherwise.
    lib: { entry: join(here, "src/sdk/react.ts"), formats: ["es"], fileName: "react" },
  },
);
const types = join(target, "types");
check("--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--stripInternal", "--outDir", types);
mkdirSync(sdk, { recursive: true });
for (const name of ["acredita", "flow", "react", "service", "types"]) {
  renameSync(join(types, "sdk", `${name}.d.ts`), join(sdk, `${name}.d.ts`));
}
rmSync(types, { recursive: true });
writeFileSync(
  join(sdk, "package.json"),
  JSON.stringify(
    {
      name: "@acredita/browser",
      version: "0.1.0",
      description: "The browser SDK of Acredita, identity verification that anyone can run themselves",
      license: "Apache-2.0",
      author: "The Acredita authors",
      keywords: ["identity verification", "kyc", "mexico"],
      type: "module",
      sideEffects: ["./acredita.js"],
      exports: {
        ".": { types: "./acredita.d.ts", default: "./acredita.js" },
        "./react": { types: "./react.d.ts", default: "./react.js" },
      },
      peerDependencies: { react: ">=18" },
      peerDependenciesMeta: { react: { optional: true } },
    },
    null,
    2,
  ),
);
