/** Rules of the style sheets that no component test can see, because nothing is laid out there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(__dirname, "../src");

/** The declarations of a class, of all its rules outside of media queries. */
function rule(file: string, name: string): Record<string, string> {
  const sheet = readFileSync(join(source, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const found = [...sheet.matchAll(/^\.([\w-]+) \{([^}]*)\}/gm)].filter(([, own]) => own === name);
  const lines = found.flatMap(([, , body]) => (body ?? "").split(";"));
  return Object.fromEntries(lines.map((line) => line.split(":").map((part) => part.trim())));
}

test("nothing scrolls the window itself: it clips, and what scrolls in it is positioned", () => {
  expect(rule("app/Layout.module.css", "window")).toMatchObject({
    position: "relative",
    overflow: "clip",
  });
  const scrollers = [
    ["app/Layout.module.css", "list"],
    ["app/Layout.module.css", "centre"],
    ["app/Panel.module.css", "body"],
    ["app/Panel.module.css", "tabs"],
    ["app/PlanCentre.module.css", "view"],
    ["app/PlanCentre.module.css", "tabs"],
  ] as const;
  for (const [file, name] of scrollers) {
    const own = rule(file, name);
    expect(`${own.overflow ?? own["overflow-x"]}`, name).toContain("auto");
    expect(own.position, name).toBe("relative");
  }
});

test("in the Inbox the plan's title takes the room, the folder no more than it needs", () => {
  const file = "features/inbox/Inbox.module.css";
  expect(rule(file, "name").flex).toBe("1");
  expect(rule(file, "where")).toMatchObject({ flex: "none", "text-overflow": "ellipsis" });
});
