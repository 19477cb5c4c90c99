import { defineConfig } from "vite";

export default defineConfig({
  base: "/console/",
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  // The service replaces this word by a new nonce in each response.
  html: { cspNonce: "CSP_NONCE" },
  // `npm run dev`: the API of `make dev`.
  server: { proxy: { "/v1": process.env.ACREDITA_API ?? "http://127.0.0.1:8000" } },
  build: {
    target: ["chrome116", "firefox124", "safari17.4"],
    manifest: "vite-manifest.json",
    // tools/console.py limits what a first screen loads, compressed.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // One file for the first screen, and one for what most rooms share besides: the browser
      // fetches six at once, and each of forty small ones waits for its turn.
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            { name: "shared", test: /@mantine|\/parts\/(?!QrCode)/, minShareCount: 4 },
          ],
        },
      },
      // "use client" in packages: there is no server that renders.
      onLog: (level, log, report) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") report(level, log);
      },
    },
  },
});
