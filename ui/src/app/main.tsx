/** Starts the page: styles, theme, query cache, keys. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./mantine.css";
import "./tokens.css";
import "./global.css";
import { MantineProvider } from "@mantine/core";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { listenForKeys } from "./keys";
import { Toasts } from "./Toasts";
import { theme } from "./theme";

listenForKeys();

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <App />
        <Toasts />
      </MantineProvider>
    </StrictMode>,
  );
}
