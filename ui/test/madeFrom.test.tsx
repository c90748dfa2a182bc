/** The writer of a plan (rules or the model), and switching to the other. */
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { ModelInForce, Outline, PlanRoute, PlanWriter } from "../src/api/bindings";
import { PlanOrigin } from "../src/features/outline/PlanOrigin";
import { noModel, planPath, refusal, revision, startBackend } from "./backend";
import { ruleRoute } from "./route.fixtures";

const model = "m-7b";

const route: PlanRoute = { ...ruleRoute, ms: 100 };
const byModel = { ...route, solver: "gs-llm-fast", model, requests: 1 };

interface Shown {
  route: PlanRoute;
  hasModel?: boolean;
  isWritable?: boolean;
  made?: string;
  anew?: () => unknown;
}

async function show({ route, hasModel = true, isWritable = true, made, anew }: Shown) {
  const backend = await startBackend({
    plan_origin: () => ({ revision: made ?? revision, template: null }),
    plan_route: () => ({ ...route, revision: made ?? revision }),
    models: () => ({ ...noModel, in_force: hasModel ? ({ model } as ModelInForce) : null }),
    plan_anew:
      anew ?? (() => ({ outcome: "written", revision: "second", task: null, merged: false })),
  });
  const outline = { plan: planPath, revision, is_writable: isWritable } as Outline;
  const view = render(<PlanOrigin outline={outline} />, backend);
  await screen.findByText(/^Written by/);
  await act(async () => undefined);
  return { backend, view };
}

const offers = () => screen.queryAllByRole("button", { name: /^Rewrite/ });

test("each plan says who wrote it and offers the other", async () => {
  const cases: [PlanRoute, string, string, PlanWriter][] = [
    [route, "Written by templates and rules", `Rewrite with ${model}`, "model"],
    [byModel, `Written by ${model}`, "Rewrite with templates and rules", "rules"],
    [
      { ...byModel, conversation: true },
      `Written by ${model} in a conversation`,
      "Rewrite with templates and rules",
      "rules",
    ],
  ];
  for (const [route, words, offer, by] of cases) {
    const { backend, view } = await show({ route });
    expect(screen.getByText(/^Written by/).textContent).toContain(words);
    await userEvent.click(await screen.findByRole("button", { name: offer }));
    await waitFor(() =>
      expect(backend.callsOf("plan_anew")).toMatchObject([
        { request: { plan: planPath, seen: revision, by } },
      ]),
    );
    view.unmount();
  }
});

test("nothing is offered without a model, for a read-only file, or after an edit", async () => {
  for (const shown of [
    { route, hasModel: false },
    { route, isWritable: false },
    { route, made: "before" },
    { route: byModel, made: "before" },
  ]) {
    const { view } = await show(shown);
    expect(offers()).toEqual([]);
    view.unmount();
  }
});

test("while the model writes, the page says so and can cancel", async () => {
  let end: (answer: unknown) => void = () => {};
  const answer = new Promise((resolve) => {
    end = resolve;
  });
  const { backend } = await show({ route, anew: () => answer });
  await userEvent.click(await screen.findByRole("button", { name: `Rewrite with ${model}` }));
  expect((await screen.findByRole("status")).textContent).toBe(`${model} is rewriting the plan…`);
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  const [{ request }] = backend.callsOf("plan_anew") as [{ request: { job: string } }];
  const { job } = request;
  await waitFor(() => expect(backend.callsOf("cancel_planning")).toEqual([{ job }]));
  await act(async () => end(refusal("cancelled", "Cancelled. Nothing was written.")));
  await screen.findByRole("button", { name: `Rewrite with ${model}` });
});
