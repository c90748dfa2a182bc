/** Settings: values show their source, edits are written as JSON, and revoking a rule asks first. */
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import type { SettingGroup, SettingsView, SettingView } from "../src/api/bindings";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { deafMs } from "../src/components/ConfirmDialog";
import SettingsScreen from "../src/features/settings/SettingsScreen";
import { startBackend } from "./backend";

function setting(
  group: SettingGroup,
  key: string,
  label: string,
  kind: string,
  value: unknown,
  more: Partial<SettingView> = {},
): SettingView {
  return {
    key,
    label,
    group,
    description: `What ${key} is for.`,
    value: JSON.stringify(value),
    default: JSON.stringify(value),
    from: "default",
    kind,
    choices: [],
    ...more,
  };
}

const view: SettingsView = {
  settings: [
    setting("runs", "policy", "Approval policy", "choice", "each", {
      choices: ["each", "risky", "all"],
      from: "user",
    }),
    setting("adequacy", "plan_adequacy_enforce", "Enforce adequacy", "boolean", false),
    setting("expansion", "max_tasks", "Maximum steps", "number", 40),
    setting("general", "plan_folder", "Plan folder", "text", "plans", { from: "workspace" }),
    setting("general", "template_folders", "Template folders", "list", ["templates"]),
  ],
  problems: [{ file: "/home/me/settings.json", key: "polciy", message: "unknown setting" }],
  user_file: "/home/me/settings.json",
  workspace_file: null,
  rules: [
    {
      id: "7",
      place: "/home/me/report-tool",
      from: "always here",
      is_revocable: true,
      tool: "run_command",
      kind: "prefix",
      text: "cargo test",
      answer: "allow",
      at_ms: 0,
    },
    {
      id: "w1",
      place: "/home/me/report-tool/.planwright/settings.json",
      from: "workspace",
      is_revocable: false,
      tool: "run_command",
      kind: "exact",
      text: "make deploy",
      answer: "deny",
      at_ms: null,
    },
  ],
  sandbox: {
    tier: "landlock",
    meaning: "Commands open no sockets.",
    tried: 9,
    refused: 9,
    unavailable: ["bwrap is not installed"],
  },
};

async function show() {
  const backend = await startBackend({
    settings: () => view,
    set_setting: () => null,
    revoke_rule: () => null,
  });
  render(<SettingsScreen />, backend);
  await screen.findByRole("heading", { name: "Settings" });
  return { backend, user: userEvent.setup() };
}

beforeEach(() => restorePlace(nowhere, () => undefined));

test("settings are grouped, and empty groups are omitted", async () => {
  await show();
  const keys = (group: string) =>
    [...screen.getByRole("region", { name: group }).querySelectorAll("code")].map(
      (key) => key.textContent,
    );
  expect(keys("General")).toEqual(["plan_folder", "template_folders"]);
  expect(keys("Approval and runs")).toEqual(["policy"]);
  expect(keys("Plan quality")).toEqual(["plan_adequacy_enforce"]);
  expect(screen.queryByRole("region", { name: "Checks" })).toBeNull();
});

test("the search matches name, key, description and group, and Escape shows everything again", async () => {
  const { user } = await show();
  const stop = listenForKeys();
  await user.keyboard("/");
  const box = screen.getByRole("searchbox", { name: "Search settings" });
  expect(document.activeElement).toBe(box);
  await user.keyboard("FOLDER templ");
  expect(screen.getByText("template_folders")).toBeDefined();
  expect(screen.queryByText("plan_folder")).toBeNull();
  expect(screen.getByText("1 setting")).toBeDefined();
  await user.clear(box);
  await user.keyboard("plan quality");
  expect(screen.getByText("plan_adequacy_enforce")).toBeDefined();
  await user.keyboard(" zzz");
  expect(screen.getByText("No matching settings")).toBeDefined();
  await user.keyboard("{Escape}");
  expect(screen.getByText("policy")).toBeDefined();
  stop();
});

test("each kind of value is written as JSON", async () => {
  const { backend, user } = await show();
  await user.click(screen.getByRole("switch", { name: "Enforce adequacy" }));
  await user.click(screen.getByRole("radio", { name: "risky" }));
  const number = screen.getByRole("textbox", { name: "Maximum steps" });
  await user.clear(number);
  await user.type(number, "12{Enter}");
  const list = screen.getByRole("textbox", { name: "Template folders" });
  await user.type(list, "{Enter}more");
  await user.tab();
  await waitFor(() => expect(backend.callsOf("set_setting")).toHaveLength(4));
  expect(backend.callsOf("set_setting")).toEqual([
    { key: "plan_adequacy_enforce", value: "true" },
    { key: "policy", value: '"risky"' },
    { key: "max_tasks", value: "12" },
    { key: "template_folders", value: '["templates","more"]' },
  ]);
});

test("an invalid number isn't saved", async () => {
  const { backend, user } = await show();
  const number = screen.getByRole("textbox", { name: "Maximum steps" });
  await user.clear(number);
  await user.type(number, "many{Enter}");
  expect(await screen.findByText("Enter a number")).toBeTruthy();
  expect(backend.callsOf("set_setting")).toHaveLength(0);
});

test("a value can be reset to its default, and each value shows its source", async () => {
  const { backend, user } = await show();
  expect(screen.getByText("this workspace")).toBeTruthy();
  expect(screen.getByText(/unknown setting/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: /Reset to default: Approval policy/ }));
  expect(backend.callsOf("set_setting")).toEqual([{ key: "policy", value: null }]);
});

test("revoking a rule asks first", async () => {
  const { backend, user } = await show();
  await user.click(screen.getByRole("button", { name: "Revoke the rule for cargo test" }));
  const dialog = await screen.findByRole("dialog");
  expect(backend.callsOf("revoke_rule")).toHaveLength(0);
  await new Promise((done) => setTimeout(done, deafMs + 50));
  await user.click(within(dialog).getByRole("button", { name: "Revoke rule" }));
  await waitFor(() => expect(backend.callsOf("revoke_rule")).toEqual([{ id: "7" }]));
});

test("a rule from the workspace's file names the file and can't be revoked here", async () => {
  await show();
  expect(screen.getByText(/from this workspace, .*remove it from that file/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Revoke the rule for make deploy" })).toBeNull();
});

test("the sandbox status says what was verified and what is missing", async () => {
  await show();
  expect(screen.getByText("9 of 9 escape attempts blocked at startup")).toBeTruthy();
  expect(screen.getByText("bwrap is not installed")).toBeTruthy();
});
