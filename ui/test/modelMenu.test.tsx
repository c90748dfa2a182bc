/** The model picker in the header: shows the current model and switches to another. */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ModelInForce, ModelsView } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { ModelMenu } from "../src/features/header/ModelMenu";
import { type Answers, noModel, startBackend } from "./backend";

const model: ModelInForce = {
  preset_name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  base_url_from: "settings",
  model: "qwen",
  model_from: "settings",
  key_variable: null,
  window: 4096,
  window_from: "x",
  window_trained: null,
  too_small: null,
  profile: [],
  probe: null,
  counters: { answers: 0, faults: [], is_lowered: false },
  refuses: [],
};

const server = {
  preset: "ollama",
  name: "Ollama",
  base_url: model.base_url,
  models: [
    { id: "qwen", window: null, in_force: true },
    { id: "llama", window: 8192, in_force: false },
  ],
  fetch_line: null,
};

const usual = window.innerWidth;
let stop = () => {};

function resize(width: number): void {
  const page = window as unknown as { happyDOM: { setViewport: (to: { width: number }) => void } };
  page.happyDOM.setViewport({ width });
}

beforeEach(() => {
  resize(1400);
  stop = listenForKeys();
  restorePlace({ ...nowhere }, () => {});
});
afterEach(() => {
  stop();
  resize(usual);
});

async function show(in_force: ModelInForce | null, more: Answers = {}) {
  const view: ModelsView = { ...noModel, in_force };
  const backend = await startBackend({
    models: () => view,
    find_models: () => [server],
    choose_model: () => null,
    ...more,
  });
  render(<ModelMenu />, backend);
  return { backend, user: userEvent.setup() };
}

test("the header shows the model, and servers are queried only when the menu opens", async () => {
  const { backend, user } = await show(model);
  const button = await screen.findByRole("button", { name: "Model: qwen" });
  expect(backend.callsOf("find_models")).toEqual([]);
  await user.click(button);
  const used = await screen.findByRole("menuitemradio", { name: /qwen/ });
  expect(used.getAttribute("aria-checked")).toBe("true");
  await user.click(screen.getByRole("menuitemradio", { name: /llama.*window 8k/ }));
  expect(backend.callsOf("choose_model")).toEqual([
    { choice: { base_url: model.base_url, model: "llama", key_variable: null } },
  ]);
});

test("its key opens it, and without a model it links to the settings", async () => {
  const { user } = await show(null, { find_models: () => [] });
  await screen.findByRole("button", { name: "No model" });
  await user.keyboard("{Control>}e{/Control}m");
  const menu = await screen.findByRole("menu");
  await within(menu).findByText("No models found on this machine.");
  await user.click(within(menu).getByRole("menuitem", { name: "More models and settings…" }));
  expect(getPlace().screen).toBe("settings");
});

test("a remote endpoint offers its models, using its key", async () => {
  const away = { ...model, base_url: "https://host/v1", key_variable: "HOST_KEY" };
  const { backend, user } = await show(away, {
    find_models: () => [],
    server_models: () => ({
      models: [
        { id: "big", window: null, in_force: false },
        { id: "qwen", window: null, in_force: false },
      ],
      problem: null,
    }),
  });
  await user.click(await screen.findByRole("button", { name: "Model: qwen" }));
  await user.click(await screen.findByRole("menuitemradio", { name: "big" }));
  expect(backend.callsOf("server_models")).toEqual([
    { baseUrl: "https://host/v1", keyVariable: "HOST_KEY" },
  ]);
  expect(backend.callsOf("choose_model")).toEqual([
    { choice: { base_url: "https://host/v1", model: "big", key_variable: "HOST_KEY" } },
  ]);
});

test("a model set by the environment can't be changed here, and the menu says so", async () => {
  const { backend, user } = await show({
    ...model,
    base_url_from: "environment",
    model_from: "environment",
  });
  await user.click(await screen.findByRole("button", { name: "Model: qwen" }));
  expect(await screen.findByText(/Environment variables set the endpoint/)).toBeTruthy();
  await user.click(await screen.findByRole("menuitemradio", { name: /llama/ }));
  expect(backend.callsOf("choose_model")).toEqual([]);
});

test("in a narrow window its key opens the settings instead", async () => {
  resize(700);
  const { user } = await show(model);
  await user.keyboard("{Control>}e{/Control}m");
  await waitFor(() => expect(getPlace().screen).toBe("settings"));
});
