/** The bar: the primary verb, and the places of the others. */
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { nowhere, restorePlace } from "../src/app/place";
import { Bar } from "../src/features/bar/Bar";
import { arrange, useVerbs, type Verb } from "../src/features/bar/verbs";
import { outline, planPath, startBackend } from "./backend";

function verb(id: string, rank: Verb["rank"], more: Partial<Verb> = {}): Verb {
  return {
    id,
    title: id,
    consequence: `${id} does this`,
    keys: "x",
    rank,
    run: () => undefined,
    ...more,
  };
}

function Feature({ verbs }: { verbs: Verb[] }) {
  useVerbs(verbs);
  return null;
}

test("the available verb with the highest rank is primary", () => {
  const { primary, menu, beside } = arrange([
    verb("save", 10),
    verb("approve", 30, { disabled: "a cycle" }),
    verb("request", 20),
    verb("pause", "beside"),
  ]);
  expect(primary?.id).toBe("request");
  expect(menu.map((other) => other.id)).toEqual(["approve", "save"]);
  expect(beside.map((other) => other.id)).toEqual(["pause"]);
});

test("registering a verb again replaces the previous one", () => {
  expect(arrange([verb("a", 1), verb("a", 1, { title: "newer" })]).primary?.title).toBe("newer");
});

test("the second click of a double click does nothing; the menu describes each verb", async () => {
  const backend = await startBackend({ outline: () => outline });
  restorePlace({ ...nowhere, plan: planPath, screen: "plan" }, () => undefined);
  const approve = vi.fn();
  const verbs = [verb("approve", 30, { run: approve }), verb("save", 10)];
  render(
    <>
      <Feature verbs={verbs} />
      <Bar />
    </>,
    backend,
  );
  const user = userEvent.setup();
  await user.dblClick(await screen.findByRole("button", { name: "approve" }));
  expect(approve).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole("button", { name: "More actions" }));
  expect(await screen.findByText("save does this")).toBeTruthy();
  expect(await screen.findByText(/revision 9b41c07ade12/)).toBeTruthy();
  expect(screen.getByText("Fair · 78")).toBeTruthy();
});
