/** Builds the window's page: one chunk is loaded at first, everything else when it is opened. Nothing is inlined, because the CSP allows neither inline scripts nor `data:` fonts. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  base: "./",
  build: {
    target: "safari17",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Puts the code of the first screen in one file, because each request waits for the program's main loop.
        codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] },
      },
    },
  },
  server: { port: 5173, strictPort: true },
  test: {
    environment: "happy-dom",
    include: ["test/**/*.test.{ts,tsx}"],
    setupFiles: ["test/setup.ts"],
    css: false,
    testTimeout: 20_000,
  },
});
