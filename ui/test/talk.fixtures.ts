/** A conversation as the backend reports it, for tests of the Talk panel. */
import type { TalkItem, TalkPage, TalkRow, TalkView } from "../src/api/bindings";
import { planPath, revision, workspacePath } from "./backend";

export const session = "talk0001";
export const older = "aaaaaaaaaaaa".padEnd(64, "0");

export const talk: TalkView = {
  session,
  workspace: workspacePath,
  plan: planPath,
  has_plan: true,
  goal: "Add a --json flag",
  mode: "plan",
  state: "idle",
  asks: null,
  model: "qwen2.5-coder:7b",
  rows: 0,
  work: null,
  latest: revision,
  gauge: {
    tokens: 3200,
    window: 32_000,
    percent: 10,
    parts: [
      { kind: "system", tokens: 400 },
      { kind: "tools", tokens: 600 },
      { kind: "person", tokens: 200 },
      { kind: "results", tokens: 2000 },
    ],
  },
  cost: { replies: 4, input: 9_000, cached: 6_000, output: 1_000 },
  changed: null,
  trouble: null,
};

export const rowsOf = (items: TalkItem[]): TalkRow[] =>
  items.map((item, index) => ({ index, at_ms: 1_000 + index, item }));

export const page = (items: TalkItem[], from = 0, count = 50): TalkPage => ({
  total: items.length,
  rows: rowsOf(items).slice(from, from + count),
});

export const goal: TalkItem = {
  kind: "said",
  words: "Add a --json flag",
  purpose: "goal",
  revision: null,
};

export const answer: TalkItem = {
  kind: "model",
  html: "<p>I read <code>src/report.py</code>.</p>",
};

export const call: TalkItem = {
  kind: "call",
  call: "call00001",
  tool: "read_file",
  title: "Read src/report.py",
  state: "done",
  summary: "lines 1-88 of 88",
};

export const question: Extract<TalkItem, { kind: "question" }> = {
  kind: "question",
  call: "call00002",
  message: "Which layout?",
  options: ["One object per line", "One array"],
  is_open: true,
  answer: null,
};

export const permission: Extract<TalkItem, { kind: "permission" }> = {
  kind: "permission",
  call: "call00003",
  permission: {
    tool: "run_command",
    subject: "python3 -m pip install --target vendor orjson==3.10.7",
    is_shell: false,
    facts: ["in the workspace", "sandbox: bubblewrap"],
    diff: [],
    rules: [],
    danger: null,
  },
  why: "A permission rule requires approval.",
  is_open: true,
  answer: null,
};

export const proposal = (number: number, of: string | null, before: string | null): TalkItem => ({
  kind: "proposal",
  number,
  path: "plans/add-json-flag.md",
  revision: of,
  before,
  badge: of ? "fair" : "",
  score: of ? 78 : 0,
  summary: of ? "+2 tasks, 1 reworded" : "",
});
