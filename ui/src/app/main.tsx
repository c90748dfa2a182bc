/** Starts the page: styles, theme, query cache, events, keys. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./mantine.css";
import "./tokens.css";
import "./global.css";
import "./primitives.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createCache } from "../api/cache";
import { startEvents } from "../api/events";
import { startQuery } from "../api/queries";
import { markKeysInUse } from "../lib/keysInUse";
import { App } from "./App";
import { ChordHint } from "./ChordHint";
import { ErrorBoundary } from "./ErrorScreen";
import { listenForKeys } from "./keys";
import { Toasts } from "./Toasts";
import { theme } from "./theme";

const cache = createCache();
startEvents(cache);
void cache.prefetchQuery(startQuery);
listenForKeys();
markKeysInUse();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <MantineProvider theme={theme} defaultColorScheme="auto">
          <ErrorBoundary onReset={() => cache.clear()}>
            <App />
          </ErrorBoundary>
          <ChordHint />
          <Toasts />
        </MantineProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
