/** The conversation with a model: rows, questions, permissions, proposals, streaming, the message box, and each failure. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { TalkItem, TalkView } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { asked, closeApproval } from "../src/features/approve/open";
import FirstScreen from "../src/features/first/FirstScreen";
import { deafMs } from "../src/features/run/cards/useCardAnswer";
import { ModeControl } from "../src/features/talk/ModeControl";
import TalkPanel from "../src/features/talk/TalkPanel";
import TalkScreen from "../src/features/talk/TalkScreen";
import {
  type Answers,
  outline,
  planPath,
  refusal,
  revision,
  start,
  startBackend,
  workspace,
  workspacePath,
} from "./backend";
import {
  answer,
  call,
  goal,
  older,
  page,
  permission,
  proposal,
  question,
  session,
  talk,
} from "./talk.fixtures";

beforeEach(() => {
  closeApproval();
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

/** Shows the panel with these rows. `view` and `items` may be changed during the test. */
async function show(items: TalkItem[], more: Partial<TalkView> = {}, answers: Answers = {}) {
  const now = { items, view: { ...talk, ...more } };
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    outline: () => outline,
    comments: () => [],
    talk_of: () => ({ ...now.view, rows: now.items.length }),
    talk: () => ({ ...now.view, rows: now.items.length }),
    talk_rows: ({ from, count }) => page(now.items, Number(from), Number(count)),
    talk_live: () => ({ reply: 1, text: "", thinking: "" }),
    say: () => null,
    stop_talk: () => null,
    ...answers,
  });
  render(<TalkPanel />, backend);
  await screen.findByRole("textbox", { name: "Message the model" });
  const stale = () =>
    act(async () => {
      await backend.send({ kind: "talk", session, plan: planPath });
    });
  return { backend, now, stale, user: userEvent.setup() };
}

const rows = () => within(screen.getByRole("list", { name: "Conversation" }));
const said = (backend: Awaited<ReturnType<typeof show>>["backend"]) =>
  backend.callsOf("say").map((args) => args.input);
const settled = () => new Promise((done) => setTimeout(done, deafMs + 60));

test("messages, calls and replies appear in order, with their author", async () => {
  await show([goal, answer, call]);
  const all = await rows().findAllByRole("listitem");
  expect(all.map((row) => row.dataset.kind)).toEqual(["said", "model", "call"]);
  expect(screen.getByText("qwen2.5-coder:7b")).toBeTruthy();
  expect(screen.getByText("src/report.py").tagName).toBe("CODE");
  expect(screen.getByText("lines 1-88 of 88")).toBeTruthy();
});

test("a call's details and diff are fetched only when it is expanded", async () => {
  const { backend, user } = await show(
    [goal, call],
    {},
    {
      talk_call: () => ({
        arguments: "path: src/report.py",
        content: "1 def rows",
        is_cut: true,
        diff: [{ kind: "added", old: null, new: 1, text: "x = 1" }],
      }),
    },
  );
  const head = await screen.findByRole("button", { name: "Read src/report.py" });
  expect(backend.callsOf("talk_call")).toEqual([]);
  await user.click(head);
  expect(await screen.findByText("1 def rows")).toBeTruthy();
  expect(screen.getByText("x = 1")).toBeTruthy();
  expect(screen.getByText("The middle is omitted here.")).toBeTruthy();
  expect(backend.callsOf("talk_call")).toEqual([{ session, call: "call00001" }]);
});

test("a call interrupted by a crash isn't shown as running", async () => {
  await show([goal, { ...call, state: "running", summary: "" } as TalkItem], {
    state: "interrupted",
  });
  expect(await screen.findByText("outcome unknown")).toBeTruthy();
});

test("an option is chosen by its key, once, and not just after the card appears", async () => {
  const { backend, user } = await show([goal, question], { state: "waiting" });
  const card = await screen.findByRole("region", { name: "Which layout?" });
  card.focus();
  await user.keyboard("2");
  expect(said(backend)).toEqual([]);
  await settled();
  await user.keyboard("21");
  await waitFor(() =>
    expect(said(backend)).toEqual([
      { input: "answer", call: "call00002", answer: { answer: "words", words: "One array" } },
    ]),
  );
});

test("a question can be left to the model, and an answered one shows its answer", async () => {
  const { backend, now, stale, user } = await show([goal, question], { state: "waiting" });
  await screen.findByRole("region", { name: "Which layout?" });
  await settled();
  await user.click(screen.getByRole("button", { name: "Let the model decide" }));
  await waitFor(() =>
    expect(said(backend)).toEqual([
      { input: "answer", call: "call00002", answer: { answer: "skip" } },
    ]),
  );
  now.items = [goal, { ...question, is_open: false, answer: "Left to the model" }];
  now.view = { ...now.view, state: "idle" };
  await stale();
  expect(await screen.findByText("Left to the model")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "One array" })).toBeNull();
});

test("a permission shows the whole command and its facts; a denial includes its reason", async () => {
  const { backend, user } = await show([goal, permission], { state: "waiting" });
  expect((await screen.findByLabelText("Full command")).textContent).toBe(
    permission.permission.subject,
  );
  expect(screen.getByText(/No shell · in the workspace · sandbox: bubblewrap/)).toBeTruthy();
  await settled();
  await user.click(screen.getByRole("button", { name: "Deny…" }));
  await user.type(screen.getByRole("textbox", { name: /What to do instead/ }), "use the stdlib");
  await waitFor(() =>
    expect(backend.callsOf("save_draft").at(-1)).toMatchObject({
      key: "talk/no/call00003",
      text: "use the stdlib",
    }),
  );
  await user.click(screen.getByRole("button", { name: "Deny" }));
  await waitFor(() =>
    expect(said(backend)).toEqual([
      { input: "answer", call: "call00003", answer: { answer: "no", words: "use the stdlib" } },
    ]),
  );
});

test("“Allow once” answers once, even on a double click", async () => {
  const { backend, user } = await show([goal, permission], { state: "waiting" });
  await screen.findByLabelText("Full command");
  await settled();
  await user.dblClick(screen.getByRole("button", { name: "Allow once" }));
  await waitFor(() => expect(said(backend)).toHaveLength(1));
});

test("the latest proposal can be approved or returned; an older one is fetched when expanded", async () => {
  const items = [goal, proposal(1, older, null), proposal(2, revision, older)];
  const { backend, user } = await show(
    items,
    {},
    {
      talk_proposal: () => ({ text: "# The first plan" }),
      compare: () => ({ lines: [], tasks: [], around: [], is_cut: false }),
    },
  );
  const first = within(await screen.findByRole("region", { name: "Proposal 1" }));
  const second = within(screen.getByRole("region", { name: "Proposal 2" }));
  expect(second.getByText(/\+2 tasks, 1 reworded/)).toBeTruthy();
  expect(first.queryByRole("button", { name: "Approve…" })).toBeNull();
  await user.click(second.getByRole("button", { name: "Approve…" }));
  expect(asked.get()).toMatchObject({ what: "run" });
  await user.click(second.getByRole("button", { name: "Request changes…" }));
  expect(asked.get()).toMatchObject({ what: "changes" });
  expect(backend.callsOf("talk_proposal")).toEqual([]);
  await user.click(first.getByRole("button", { name: "Open Proposal 1" }));
  expect(await screen.findByText("# The first plan")).toBeTruthy();
  expect(backend.callsOf("talk_proposal")).toEqual([{ session, row: 1 }]);
  await user.click(screen.getByRole("button", { name: "Close" }));
  await user.click(
    second.getByRole("button", { name: "Compare Proposal 2 with the plan before it" }),
  );
  await waitFor(() =>
    expect(backend.callsOf("compare")[0]).toEqual({ plan: planPath, from: older, to: revision }),
  );
});

test("a proposal in an older format opens from its row", async () => {
  const { backend, user } = await show(
    [goal, proposal(1, null, null)],
    { latest: null },
    {
      talk_proposal: () => ({ text: "- [ ] an old step" }),
    },
  );
  await user.click(await screen.findByRole("button", { name: "Open Proposal 1" }));
  expect(await screen.findByText("- [ ] an old step")).toBeTruthy();
  expect(backend.callsOf("talk_proposal")).toEqual([{ session, row: 1 }]);
});

test("a plan that changed since its proposal can't be approved from the card", async () => {
  await show([goal, proposal(1, older, null)], { latest: older });
  expect(await screen.findByText(/The plan has changed since/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Approve…" })).toBeNull();
  expect(screen.getByRole("button", { name: "Compare with current" })).toBeTruthy();
});

test("Enter sends the message, Shift+Enter inserts a line break, and the draft is deleted when sent", async () => {
  const { backend, user } = await show([goal, answer]);
  const box = screen.getByRole("textbox", { name: "Message the model" });
  await user.type(box, "Shorter,{Shift>}{Enter}{/Shift}please");
  expect((box as HTMLTextAreaElement).value).toBe("Shorter,\nplease");
  expect(said(backend)).toEqual([]);
  await waitFor(() =>
    expect(backend.callsOf("save_draft").at(-1)).toMatchObject({
      plan: planPath,
      key: "talk",
      text: "Shorter,\nplease",
    }),
  );
  await user.keyboard("{Enter}{Enter}");
  await waitFor(() => expect(said(backend)).toEqual([{ input: "say", words: "Shorter,\nplease" }]));
  await waitFor(() => expect((box as HTMLTextAreaElement).value).toBe(""));
});

test("a rejected message stays in the box", async () => {
  const { user } = await show(
    [goal],
    {},
    {
      say: () => {
        throw refusal("usage", "the model is at work");
      },
    },
  );
  const box = screen.getByRole("textbox", { name: "Message the model" });
  await user.type(box, "and a test{Enter}");
  await waitFor(() => expect((box as HTMLTextAreaElement).value).toBe("and a test"));
});

const working: Partial<TalkView> = {
  state: "working",
  work: { phase: "answering", words: "", elapsed_ms: 1200, is_stopping: false },
};

test("a reply is streamed, and a missed chunk refetches it all", async () => {
  const { backend } = await show([goal], working, {
    talk_live: () => ({ reply: 1, text: "I read", thinking: "" }),
  });
  expect(await screen.findByText("I read")).toBeTruthy();
  const piece = (at: number, text: string) =>
    act(() => backend.send({ kind: "talk_text", session, reply: 1, is_thinking: false, at, text }));
  await piece(6, " the");
  expect(await screen.findByText("I read the")).toBeTruthy();
  const before = backend.callsOf("talk_live").length;
  backend.answers.talk_live = () => ({ reply: 1, text: "I read the files now", thinking: "" });
  await piece(15, " now");
  expect(await screen.findByText("I read the files now")).toBeTruthy();
  expect(backend.callsOf("talk_live").length).toBe(before + 1);
});

test("a streamed reply stays on screen until its row appears", async () => {
  const { backend, now, stale } = await show([goal], working, {
    talk_live: () => ({ reply: 1, text: "I read it.", thinking: "" }),
  });
  expect(await screen.findByText("I read it.")).toBeTruthy();
  await act(() =>
    backend.send({ kind: "talk_text", session, reply: 2, is_thinking: false, at: 0, text: "" }),
  );
  expect(screen.getByText("I read it.")).toBeTruthy();
  now.items = [goal, { kind: "model", html: "<p>I read it.</p>" }];
  await stale();
  await waitFor(() => expect(screen.getAllByText("I read it.")).toHaveLength(1));
});

test("thinking is collapsed until expanded", async () => {
  const { user } = await show([goal], working, {
    talk_live: () => ({ reply: 1, text: "", thinking: "The rows are in one place." }),
  });
  const head = await screen.findByRole("button", { name: "Thinking" });
  expect(screen.queryByText("The rows are in one place.")).toBeNull();
  await user.click(head);
  expect(screen.getByText("The rows are in one place.")).toBeTruthy();
});

test("a turn is stopped by its button or Escape; nothing is sent meanwhile", async () => {
  const { backend, user } = await show([goal], working);
  await user.click(await screen.findByRole("button", { name: "Stop" }));
  await waitFor(() => expect(backend.callsOf("stop_talk")).toEqual([{ session }]));
  await user.type(screen.getByRole("textbox", { name: "Message the model" }), "wait{Enter}");
  expect(said(backend)).toEqual([]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(backend.callsOf("stop_talk")).toHaveLength(2));
});

test("a turn interrupted by a crash can be resumed", async () => {
  const { backend, user } = await show([goal, answer], { state: "interrupted" });
  await user.click(await screen.findByRole("button", { name: "Resume" }));
  await waitFor(() => expect(said(backend)).toEqual([{ input: "resume" }]));
});

test.each([
  ["key", "API key rejected", true],
  ["unknown_model", "Model not found on the server", true],
  ["unreachable", "The model’s server isn’t responding", true],
  ["window", "The model’s context window is too small", true],
  ["no_model", "No model is set up", true],
  ["broken_off", "The reply was cut off", false],
  ["limit", "Rate or credit limit reached", false],
  ["unfinished", "The model stopped too early", false],
])(
  "trouble with %s says what happened and what to do, and can be retried",
  async (kind, title, isInSettings) => {
    const { backend, user } = await show([goal], {
      trouble: { kind, message: "the server said `num_ctx 16384`; do that", line: "ollama run x" },
    });
    const card = within(await screen.findByRole("alert", { name: title }));
    expect(card.getByText("num_ctx 16384").tagName).toBe("CODE");
    await user.click(card.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(said(backend)).toEqual([{ input: "retry" }]));
    const way = card.queryByRole("button", { name: "Open Settings → Models" });
    expect(way !== null).toBe(isInSettings);
    if (way) {
      await user.click(way);
      expect(getPlace().screen).toBe("settings");
    }
  },
);

test("of a long conversation only the visible part is rendered and fetched", async () => {
  // There is no layout here, so assume a view of 600 px and rows of 60 px.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(60);
  const items = Array.from({ length: 1000 }, () => answer);
  const { backend } = await show(items);
  await waitFor(() => expect(backend.callsOf("talk_rows").length).toBeGreaterThan(0));
  const pages = new Set(backend.callsOf("talk_rows").map((args) => args.from));
  expect(pages.size).toBeLessThan(4);
  expect(document.querySelectorAll("[data-talk-rows] li[data-index]").length).toBeLessThan(60);
  vi.restoreAllMocks();
});

test("a command that changed more than the plan shows an alert; another program's change is a plain line", async () => {
  const changed = { files: ["src/evil.py"], count: 3, is_alarm: true };
  const { now, stale } = await show([goal], { changed });
  const alarm = await screen.findByRole("alert", { name: "Files changed" });
  expect(alarm.textContent).toContain("src/evil.py and 2 more files");
  now.view = { ...now.view, changed: { ...changed, count: 1, is_alarm: false } };
  await stale();
  expect(await screen.findByText(/Changed by another program/)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an unsent goal is shown and can be sent", async () => {
  const trouble = { kind: "unsaid", message: "The goal is saved and not sent yet.", line: null };
  const { backend, user } = await show([], { goal: "Add a --json flag", trouble });
  expect(screen.getByRole("region", { name: "You said" }).textContent).toContain("--json");
  await user.click(await screen.findByRole("button", { name: "Send goal" }));
  await waitFor(() => expect(said(backend)).toEqual([{ input: "retry" }]));
});

test("the gauge shows how full the context window is, and details on request", async () => {
  const { user } = await show([goal]);
  await user.click(await screen.findByRole("button", { name: /10% of 32k/ }));
  const parts = within(await screen.findByRole("dialog"));
  expect(parts.getByText("Tool results").nextSibling?.textContent).toBe("2,000");
  expect(parts.getByText("Cached input").nextSibling?.textContent).toBe("6,000");
  expect(parts.getByText("Total of 4 replies").nextSibling?.textContent).toBe("10,000");
});

test("without a model the panel links to the settings, and nothing can be sent", async () => {
  const backend = await startBackend({
    start: () => start,
    outline: () => outline,
    comments: () => [],
    talk_of: () => null,
  });
  render(<TalkPanel />, backend);
  await userEvent.setup().click(await screen.findByRole("button", { name: "Set up a model" }));
  expect(getPlace().screen).toBe("settings");
  expect(screen.queryByRole("textbox", { name: "Message the model" })).toBeNull();
});

test("the first message about a plan starts its conversation; a model error is shown in place", async () => {
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    outline: () => outline,
    comments: () => [],
    talk_of: () => null,
    begin_talk: () => {
      throw refusal("model", "no key is there");
    },
  });
  render(<TalkPanel />, backend);
  const user = userEvent.setup();
  const box = await screen.findByRole("textbox", { name: "Message the model" });
  await user.type(box, "Is T2 needed?{Enter}");
  expect(await screen.findByText("no key is there", { exact: false })).toBeTruthy();
  expect((box as HTMLTextAreaElement).value).toBe("Is T2 needed?");
  backend.answers.begin_talk = () => session;
  await user.type(box, "{Enter}");
  await waitFor(() => expect((box as HTMLTextAreaElement).value).toBe(""));
  expect(backend.callsOf("begin_talk").at(-1)).toEqual({
    request: {
      workspace: workspacePath,
      plan: planPath,
      input: { input: "say", words: "Is T2 needed?" },
    },
  });
});

test("the mode is switched in the header and by its key, even while typing", async () => {
  const now = { view: { ...talk } };
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    talk_of: () => now.view,
    say: () => null,
  });
  render(<ModeControl outline={outline} />, backend);
  const stop = listenForKeys();
  const user = userEvent.setup();
  const exec = await screen.findByRole("button", { name: "Exec" });
  expect(exec.getAttribute("aria-pressed")).toBe("false");
  await user.click(exec);
  await waitFor(() => expect(said(backend)).toEqual([{ input: "mode", to: "exec" }]));
  now.view = { ...talk, mode: "exec" };
  await act(() => backend.send({ kind: "talk", session, plan: planPath }));
  await waitFor(() => expect(exec.getAttribute("aria-pressed")).toBe("true"));
  await user.keyboard("{Control>}.{/Control}");
  await waitFor(() => expect(said(backend).at(-1)).toEqual({ input: "mode", to: "plan" }));
  stop();
});

test("in Exec mode messages go to the run; without an approval it says so and keeps the text", async () => {
  const { backend, user } = await show(
    [goal, { kind: "said", words: "Mind the tabs", purpose: "work", revision: null }],
    { mode: "exec" },
    {
      say: () => {
        throw refusal("not_covered", "the plan's current revision isn't approved");
      },
    },
  );
  const box = screen.getByPlaceholderText("Message the running step");
  expect((await screen.findByText("to the run")).tagName).toBe("SPAN");
  await user.type(box, "And the spaces{Enter}");
  const told = within(await screen.findByRole("alert"));
  expect(told.getByText(/^This revision of the plan isn’t approved/)).toBeTruthy();
  expect((box as HTMLTextAreaElement).value).toBe("And the spaces");
  await user.click(told.getByRole("button", { name: "Approve and run…" }));
  expect(asked.get()).toEqual({ what: "run", upto: null });
  backend.answers.say = () => null;
  await user.click(told.getByRole("button", { name: "Switch to Plan mode" }));
  await waitFor(() => expect(said(backend).at(-1)).toEqual({ input: "mode", to: "plan" }));
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
});

test("a goal is discussed with the configured model", async () => {
  restorePlace({ ...nowhere, workspace: workspacePath }, () => undefined);
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    open_workspace: () => workspace,
    plans: () => ({ plans: [], left_out: [] }),
    read_goal: () => ({ requirements: ["a flag"], kind: "change", open: [], template: null }),
    talks: () => [
      { session: "old1", plan: "/x.md", goal: "Fix the login", state: "waiting", at_ms: 1 },
    ],
    begin_talk: () => session,
  });
  render(<FirstScreen />, backend);
  const user = userEvent.setup();
  expect(await screen.findByRole("button", { name: /Fix the login.*waiting on you/ })).toBeTruthy();
  await user.type(
    await screen.findByRole("textbox", { name: "What do you want to do?" }),
    "Add a flag",
  );
  await user.click(screen.getByRole("button", { name: "Talk it over with the model instead" }));
  await waitFor(() => expect(getPlace()).toMatchObject({ screen: "talk", talk: session }));
  expect(backend.callsOf("begin_talk")).toEqual([
    {
      request: {
        workspace: workspacePath,
        plan: null,
        input: { input: "goal", words: "Add a flag" },
      },
    },
  ]);
});

test("a conversation without a plan opens the plan once its file exists", async () => {
  restorePlace({ ...nowhere, workspace: workspacePath, screen: "talk", talk: session }, () => {});
  const now = { view: { ...talk, has_plan: false, rows: 1 } };
  const backend = await startBackend({
    start: () => ({ ...start, has_model: true }),
    talk: () => now.view,
    talk_rows: () => page([goal]),
  });
  render(<TalkScreen />, backend);
  expect(await screen.findByText("Add a --json flag")).toBeTruthy();
  now.view = { ...now.view, has_plan: true };
  await act(() => backend.send({ kind: "talk", session, plan: planPath }));
  await waitFor(() =>
    expect(getPlace()).toMatchObject({ plan: planPath, screen: "plan", panel: "talk", talk: null }),
  );
});
