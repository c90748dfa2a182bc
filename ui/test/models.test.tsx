/** Models: detection, choice, probe and overrides; an entered key is never shown again. */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type {
  ModelInForce,
  ModelProblem,
  ModelsView,
  ProfileField,
  ServerFound,
} from "../src/api/bindings";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { ModelsFound } from "../src/features/first/ModelsFound";
import { keyNameFor, tokens } from "../src/features/settings/models/format";
import { ModelsSection } from "../src/features/settings/models/ModelsSection";
import { type Answers, noModel, refusal, startBackend } from "./backend";

function field(name: string, label: string, more: Partial<ProfileField>): ProfileField {
  return {
    name,
    label,
    about: `What ${label} is for.`,
    value: "null",
    found: "null",
    source: "name",
    kind: "number",
    choices: [],
    ...more,
  };
}

const profile: ProfileField[] = [
  field("contextWindow", "Window", { value: "4096", found: "4096", source: "probe" }),
  field("jsonReliability", "JSON", {
    value: '"low"',
    found: '"medium"',
    source: "user",
    kind: "choice",
    choices: ["low", "medium", "high"],
  }),
  field("parallelCalls", "Parallel tool calls", {
    value: "false",
    found: "false",
    kind: "boolean",
  }),
  field("tokensPerSecond", "Speed", { kind: "fixed" }),
];

const small: ModelProblem = {
  kind: "model_window_exceeded",
  title: "The context window is too small for planning",
  message: "The window of qwen is 4096 tokens, but 8192 are needed.",
  help: ["Restart its server with the command below, then retry."],
  line: "OLLAMA_CONTEXT_LENGTH=8192 ollama serve",
  models: [],
};

const model: ModelInForce = {
  preset_name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  base_url_from: "settings",
  model: "qwen",
  model_from: "settings",
  key_variable: null,
  window: 4096,
  window_from: "the server's default",
  window_trained: 131_072,
  too_small: small,
  profile,
  probe: null,
  counters: { answers: 0, faults: [], is_lowered: false },
  refuses: [],
};

const presets: ModelsView["presets"] = [
  {
    id: "ollama",
    name: "Ollama",
    base_url: "http://localhost:11434/v1",
    key_variable: null,
    is_local: true,
  },
  {
    id: "openai",
    name: "OpenAI",
    base_url: "https://api.openai.com/v1",
    key_variable: "OPENAI_API_KEY",
    is_local: false,
  },
  { id: "custom", name: "Other address", base_url: "", key_variable: null, is_local: false },
];

const configured: ModelsView = { ...noModel, presets, in_force: model, has_keyring: true };

const server: ServerFound = {
  preset: "ollama",
  name: "Ollama",
  base_url: "http://127.0.0.1:11434/v1",
  models: [
    { id: "qwen", window: null, in_force: false },
    { id: "llama", window: 8192, in_force: false },
  ],
  fetch_line: null,
};

async function show(view: ModelsView, more: Answers = {}) {
  const backend = await startBackend({
    models: () => view,
    model_key: () => ({ source: "none", name: null, message: "No key is sent." }),
    choose_model: () => null,
    overrule_model: () => null,
    keep_model_key: () => null,
    probe_model: () => null,
    cancel_model_job: () => null,
    ...more,
  });
  render(<ModelsSection />, backend);
  await screen.findByRole("button", { name: "Add endpoint…" });
  return { backend, user: userEvent.setup() };
}

beforeEach(() => restorePlace(nowhere, () => undefined));

test("a local model is selected with one click", async () => {
  const { backend, user } = await show({ ...noModel, presets }, { find_models: () => [server] });
  await user.click(await screen.findByRole("button", { name: "Use llama on Ollama" }));
  expect(backend.callsOf("choose_model")).toEqual([
    { choice: { base_url: server.base_url, model: "llama", key_variable: null } },
  ]);
});

test("without local servers the page says where it looked", async () => {
  await show({ ...noModel, presets });
  expect(await screen.findByText(/No server found on the default ports/)).toBeTruthy();
});

test("a failed search can be retried", async () => {
  const { backend, user } = await show(
    { ...noModel, presets },
    {
      find_models: () => {
        throw refusal("failed", "the machine refuses");
      },
    },
  );
  expect(await screen.findByText("the machine refuses")).toBeTruthy();
  backend.answers.find_models = () => [server];
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("button", { name: "Use qwen on Ollama" })).toBeTruthy();
});

test("a context window that is too small shows the command to raise it", async () => {
  await show(configured);
  const alert = screen.getByRole("alert");
  expect(within(alert).getByText("OLLAMA_CONTEXT_LENGTH=8192 ollama serve")).toBeTruthy();
  expect(screen.getByText(/the model supports 131,072/)).toBeTruthy();
});

test("each value shows its source, and can be overridden and reset", async () => {
  const { backend, user } = await show(configured);
  const capabilities = screen.getByRole("group", { name: "Capabilities" });
  expect(within(capabilities).getByText("measured")).toBeTruthy();
  expect(within(capabilities).getByText("yours")).toBeTruthy();
  expect(within(capabilities).getByText("not measured")).toBeTruthy();
  const window = within(capabilities).getByRole("textbox", { name: "Window" });
  await user.clear(window);
  await user.type(window, "many{Enter}");
  expect(await within(capabilities).findByText("Enter a whole number")).toBeTruthy();
  expect(backend.callsOf("overrule_model")).toHaveLength(0);
  await user.clear(window);
  await user.type(window, "16 384{Enter}");
  await user.click(within(capabilities).getByRole("radio", { name: "high" }));
  await user.click(within(capabilities).getByRole("switch", { name: "Parallel tool calls" }));
  await user.click(within(capabilities).getByRole("button", { name: "JSON: reset to medium" }));
  expect(backend.callsOf("overrule_model")).toEqual([
    { name: "contextWindow", value: "16384" },
    { name: "jsonReliability", value: '"high"' },
    { name: "parallelCalls", value: "true" },
    { name: "jsonReliability", value: null },
  ]);
});

test("a failed connection test shows what helps, and an available model can be selected", async () => {
  const problem: ModelProblem = {
    kind: "model_unknown",
    title: "Model not found on the server",
    message: "The server has no model “qwen”.",
    help: ["Choose an available model."],
    line: "ollama pull qwen",
    models: ["qwen2.5-coder:7b"],
  };
  const { backend, user } = await show(
    { ...configured, in_force: { ...model, too_small: null } },
    { try_model: () => ({ problem, message: problem.message }) },
  );
  await user.click(screen.getByRole("button", { name: "Test connection" }));
  expect(await screen.findByText("ollama pull qwen")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Use qwen2.5-coder:7b" }));
  expect(backend.callsOf("choose_model")).toEqual([
    {
      choice: {
        base_url: "http://127.0.0.1:11434/v1",
        model: "qwen2.5-coder:7b",
        key_variable: null,
      },
    },
  ]);
});

test("a connection test can be cancelled, and a successful one shows its duration", async () => {
  let answer: (trial: unknown) => void = () => undefined;
  const { backend, user } = await show(
    { ...configured, in_force: { ...model, too_small: null } },
    {
      try_model: () =>
        new Promise((done) => {
          answer = done;
        }),
    },
  );
  await user.click(screen.getByRole("button", { name: "Test connection" }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  expect(backend.callsOf("cancel_model_job")).toHaveLength(1);
  answer({ problem: null, message: "The model answered in 0.4 s." });
  expect(await screen.findByText("The model answered in 0.4 s.")).toBeTruthy();
});

test("a probe shows its progress and can be stopped", async () => {
  const { backend, user } = await show(configured);
  await user.click(screen.getByRole("button", { name: "Probe model" }));
  expect(backend.callsOf("probe_model")).toHaveLength(1);
  backend.answers.model_job = () => ({
    kind: "probe",
    model: "qwen",
    probe: { at_ms: null, done: 2, of: 6, lines: ["Tool calls arrive as text"], ended: null },
  });
  await backend.send({ kind: "models" });
  const bar = await screen.findByRole("progressbar", { name: "Probing qwen" });
  await waitFor(() => expect(bar).toHaveProperty("value", 2));
  expect(screen.getByText("Tool calls arrive as text")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Stop probe" }));
  expect(backend.callsOf("cancel_model_job")).toHaveLength(1);
});

test("a remote endpoint is added with its key, which is then cleared from the page", async () => {
  const { backend, user } = await show(
    { ...noModel, presets, has_keyring: true },
    {
      server_models: () => ({
        models: [{ id: "large-1", window: null, in_force: false }],
        problem: null,
      }),
    },
  );
  await user.click(screen.getByRole("button", { name: "Add endpoint…" }));
  const form = screen.getByRole("form", { name: "Add endpoint" });
  const key = within(form).getByLabelText("Key");
  expect(key.getAttribute("type")).toBe("password");
  await user.type(key, "sk-secret");
  await user.click(within(form).getByRole("button", { name: "Save to keyring" }));
  expect(await within(form).findByText("Key saved to the keyring.")).toBeTruthy();
  expect(key).toHaveProperty("value", "");
  expect(backend.callsOf("keep_model_key")).toEqual([
    { variable: "OPENAI_API_KEY", key: "sk-secret", inKeyring: true },
  ]);
  await user.click(within(form).getByRole("button", { name: "List models" }));
  expect(await within(form).findByText(/lists 1 model\./)).toBeTruthy();
  await user.type(within(form).getByLabelText("Model", { selector: "input" }), "large-1");
  await user.click(within(form).getByRole("button", { name: "Use this model" }));
  expect(backend.callsOf("choose_model")).toEqual([
    {
      choice: {
        base_url: "https://api.openai.com/v1",
        model: "large-1",
        key_variable: "OPENAI_API_KEY",
      },
    },
  ]);
});

test("without a keyring the environment variable is named, and the key can be kept until quit", async () => {
  const { backend, user } = await show({ ...noModel, presets });
  await user.click(screen.getByRole("button", { name: "Add endpoint…" }));
  expect(screen.queryByRole("button", { name: "Save to keyring" })).toBe(null);
  expect(screen.getByText(/Set OPENAI_API_KEY in the environment/)).toBeTruthy();
  await user.type(screen.getByLabelText("Key"), "sk-secret");
  await user.click(screen.getByRole("button", { name: "Keep until quit" }));
  expect(backend.callsOf("keep_model_key")).toEqual([
    { variable: "OPENAI_API_KEY", key: "sk-secret", inKeyring: false },
  ]);
});

test("an invalid address can't be queried", async () => {
  const { user } = await show({ ...noModel, presets });
  await user.click(screen.getByRole("button", { name: "Add endpoint…" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Server" }), "custom");
  await user.type(screen.getByRole("textbox", { name: "Address" }), "host/v1");
  expect(screen.getByText("Must start with http:// or https://")).toBeTruthy();
  expect(screen.getByRole("button", { name: "List models" })).toHaveProperty("disabled", true);
});

test("the first screen offers detected models and links to the settings", async () => {
  const backend = await startBackend({ find_models: () => [server], choose_model: () => null });
  render(<ModelsFound />, backend);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Use qwen on Ollama" }));
  expect(backend.callsOf("choose_model")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Choose another model" }));
  expect(getPlace().screen).toBe("settings");
});

test("the first screen shows the current model with the command for a larger context window", async () => {
  const backend = await startBackend({ models: () => configured });
  render(<ModelsFound />, backend);
  expect(await screen.findByText("Ollama · qwen")).toBeTruthy();
  expect(screen.getByText("window 4k")).toBeTruthy();
  expect(screen.getByText("OLLAMA_CONTEXT_LENGTH=8192 ollama serve")).toBeTruthy();
});

test("the first screen says that no model was found", async () => {
  const backend = await startBackend();
  render(<ModelsFound />, backend);
  expect(await screen.findByText(/No model server found on this machine/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Add an endpoint" })).toBeTruthy();
});

test("context windows and key names are formatted for people", () => {
  expect([4096, 131_072, 128_000, 999].map(tokens)).toEqual(["4k", "128k", "128k", "999"]);
  expect(keyNameFor("https://api.deep-mind.example.com/v1")).toBe("DEEP_MIND_EXAMPLE_API_KEY");
  expect(keyNameFor("")).toBe("MODEL_API_KEY");
});
