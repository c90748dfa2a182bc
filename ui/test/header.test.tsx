/** The header: shows the effort for the next plan on every workspace screen, matching the goal box. */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EffortForecast } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace, setPlace } from "../src/app/place";
import FirstScreen from "../src/features/first/FirstScreen";
import { Header } from "../src/features/header/Header";
import { chosenEffort } from "../src/features/routes/effort";
import { closeToast, toasts } from "../src/lib/toast";
import {
  type Answers,
  outline,
  planPath,
  start,
  startBackend,
  workspace,
  workspacePath,
} from "./backend";

const forecast: EffortForecast = {
  effort: "thorough",
  route: ["sd-llm-deep", "gs-llm-deep"],
  next: null,
  ms: 14_000,
  requests: 3,
  tokens: 4_200,
  accepted: 8,
  judged: 10,
  is_learned: true,
};

const answers: Answers = {
  start: () => start,
  open_workspace: () => workspace,
  outline: () => outline,
  plans: () => ({ plans: [], left_out: [] }),
  talks: () => [],
  read_goal: () => ({ requirements: [], kind: "change", open: [], template: null }),
  runs_of: () => [],
};

const usual = window.innerWidth;
const wide = 1400;
const ofNext = (title: string) => `Effort: ${title}, for the next plan`;
let stop = () => {};

function resize(width: number): void {
  const page = window as unknown as { happyDOM: { setViewport: (to: { width: number }) => void } };
  page.happyDOM.setViewport({ width });
}

beforeEach(() => {
  stop = listenForKeys();
  resize(wide);
  chosenEffort.set("auto");
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => {
  stop();
  resize(usual);
  for (const { id } of toasts.get()) closeToast(id);
});

/** Renders the header above the screen for new plans. */
async function show(more: Answers = {}) {
  const backend = await startBackend({ ...answers, ...more });
  render(
    <>
      <Header />
      <FirstScreen />
    </>,
    backend,
  );
  await screen.findByRole("textbox", { name: "What do you want to do?" });
  return { backend, user: userEvent.setup() };
}

test("the effort for the next plan is chosen in the header and shown in the goal box", async () => {
  const { backend, user } = await show({
    make_plan: () => new Promise(() => {}),
  });
  await user.click(screen.getByRole("button", { name: ofNext("Auto") }));
  await screen.findByText("Effort for the next plan.");
  expect(backend.callsOf("forecast_efforts")).toEqual([]);
  await user.click(await screen.findByRole("menuitemradio", { name: /Quick/ }));
  await screen.findByRole("button", { name: "Effort: Quick" });

  await user.click(screen.getByRole("button", { name: "Effort: Quick" }));
  await user.click(await screen.findByRole("menuitemradio", { name: /Thorough/ }));
  await screen.findByRole("button", { name: ofNext("Thorough") });

  await user.type(
    screen.getByRole("textbox", { name: "What do you want to do?" }),
    "Add a flag{Control>}{Enter}{/Control}",
  );
  await waitFor(() => expect(backend.callsOf("make_plan")).toHaveLength(1));
  expect(backend.callsOf("make_plan")[0]).toMatchObject({ request: { effort: "thorough" } });
});

test("the header estimates each effort for the drafted goal", async () => {
  const { user } = await show({
    drafts: ({ plan }) =>
      plan === workspacePath ? [{ key: "goal", text: "Add a flag", revision: null, at_ms: 0 }] : [],
    forecast_efforts: () => [forecast],
  });
  await user.click(screen.getByRole("button", { name: ofNext("Auto") }));
  const item = await screen.findByRole("menuitemradio", { name: /Thorough.*gs-llm-deep/ });
  expect(item.textContent).toContain("about 14 s, 3 requests");
  await screen.findByText("Based on similar plans made here.");
});

test("its keys work on every workspace screen, and a toast confirms where it isn't visible", async () => {
  const backend = await startBackend(answers);
  render(<Header />, backend);
  const user = userEvent.setup();
  for (const at of ["plan", "insights", "settings"] as const) {
    setPlace({ screen: at });
    await user.keyboard("{Control>}e{/Control}q");
    await screen.findByRole("button", { name: ofNext("Quick") });
    await user.keyboard("{Control>}e{/Control}a");
    await screen.findByRole("button", { name: ofNext("Auto") });
  }
  expect(toasts.get()).toEqual([]);
  resize(900);
  await waitFor(() => expect(screen.queryByRole("button", { name: /Effort/ })).toBe(null));
  await user.keyboard("{Control>}e{/Control}t");
  expect(chosenEffort.get()).toBe("thorough");
  expect(toasts.get().map(({ title }) => title)).toEqual(["Effort for the next plan: Thorough"]);
});

test("without a workspace the header shows no effort", async () => {
  restorePlace(nowhere, () => {});
  await show();
  expect(screen.queryByRole("button", { name: /for the next plan/ })).toBe(null);
  expect(screen.getByRole("button", { name: "Effort: Auto" })).toBeTruthy();
});
