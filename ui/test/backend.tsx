/** A scripted backend for component tests: answers commands from a table, records calls, and sends events. */
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { emit } from "@tauri-apps/api/event";
import { mockIPC } from "@tauri-apps/api/mocks";
import type { ReactNode } from "react";
import type {
  DesktopEvent,
  ModelsView,
  Outline,
  PlanSummary,
  Start,
  WireError,
  WorkspaceInfo,
} from "../src/api/bindings";
import { createCache } from "../src/api/cache";
import { eventsReady, startEvents } from "../src/api/events";
import { theme } from "../src/app/theme";

type Args = Record<string, unknown>;
export type Answers = Record<string, (args: Args) => unknown>;

export interface Backend {
  /** Recorded calls, in order. */
  calls: { command: string; args: Args }[];
  callsOf: (command: string) => Args[];
  /** Answers by command; may be changed during the test. */
  answers: Answers;
  send: (...events: DesktopEvent[]) => Promise<void>;
  wrapper: (props: { children: ReactNode }) => ReactNode;
}

export async function startBackend(answers: Answers = {}): Promise<Backend> {
  const calls: Backend["calls"] = [];
  const table: Answers = {
    save_draft: () => null,
    drafts: () => [],
    plan_origin: () => null,
    plan_route: () => null,
    waiting_review: () => null,
    forecast_efforts: () => [],
    route_insights: () => ({ rows: [] }),
    save_place: () => null,
    models: () => noModel,
    model_key: () => ({ source: "none", name: null, message: "No model is set up." }),
    model_job: () => null,
    find_models: () => [],
    ...answers,
  };
  mockIPC(
    (command, payload) => {
      const args = (payload ?? {}) as Args;
      calls.push({ command, args });
      const answer = table[command];
      if (!answer) throw refusal("failed", `the test has no answer for ${command}`);
      return answer(args);
    },
    { shouldMockEvents: true },
  );
  const cache = createCache();
  startEvents(cache);
  await eventsReady();
  let seq = 0;
  return {
    calls,
    callsOf: (command) => calls.filter((call) => call.command === command).map((call) => call.args),
    answers: table,
    send: async (...events) => {
      seq += 1;
      await emit("desk-event", { seq, events });
    },
    wrapper: ({ children }) => (
      <QueryClientProvider client={cache}>
        <MantineProvider theme={theme} env="test">
          {children}
        </MantineProvider>
      </QueryClientProvider>
    ),
  };
}

/** The error that a command throws when the backend rejects it. */
export function refusal(code: WireError["code"], message: string): WireError {
  return { code, message };
}

/** No endpoint is configured, and no keyring is available. */
export const noModel: ModelsView = {
  presets: [],
  in_force: null,
  problem: null,
  has_keyring: false,
};

export const workspacePath = "/home/me/report-tool";
export const planPath = `${workspacePath}/plans/add-json-flag.md`;
export const revision = "9b41c07ade12".padEnd(64, "0");

export const workspace: WorkspaceInfo = {
  path: workspacePath,
  name: "report-tool",
  shown: "~/report-tool",
  is_writable: true,
  notices: [],
};

export const summary: PlanSummary = {
  plan: planPath,
  path: "plans/add-json-flag.md",
  title: "Add a --json flag",
  revision,
  badge: { word: "fair", score: 78, findings: 3, critical: 0 },
  done: 0,
  total: 8,
  is_over: false,
  waiting: 0,
  run_state: null,
  mark: null,
  problem: null,
  place: "plans",
  dialect: "native",
  is_archived: false,
};

export const outline: Outline = {
  plan: planPath,
  path: "plans/add-json-flag.md",
  workspace: workspacePath,
  revision,
  title: "Add a --json flag",
  goal: null,
  intro_html: "",
  intro: "",
  requirements: [],
  rows: 8,
  done: 0,
  total: 8,
  is_over: false,
  badge: { word: "fair", score: 78, findings: 3, critical: 0 },
  dialect: "native",
  problems: [],
  is_writable: true,
  read_only: null,
  is_foreign: false,
  could_be_tasks: { items: 0, headings: 0 },
  conflicts: 0,
  own_conflicts: 0,
  undo: null,
  redo: null,
  mark: null,
  run: null,
};

export const start: Start = {
  version: "0.1.0",
  place: {
    workspace: workspacePath,
    plan: null,
    screen: "first",
    view: null,
    panel: null,
    task: null,
    top: null,
    run: null,
    talk: null,
    editing: false,
  },
  recent: [],
  notices: [],
  theme: "light",
  has_model: false,
};
