/** Style sheet rules that component tests can't check, since nothing is laid out there. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(__dirname, "../src");

/** The declarations of a class from all its rules outside media queries. */
function rule(file: string, name: string): Record<string, string> {
  const sheet = readFileSync(join(source, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const found = [...sheet.matchAll(/^\.([\w-]+) \{([^}]*)\}/gm)].filter(([, own]) => own === name);
  const lines = found.flatMap(([, , body]) => (body ?? "").split(";"));
  return Object.fromEntries(lines.map((line) => line.split(":").map((part) => part.trim())));
}

test("the window itself never scrolls: it clips, and its scroll containers are positioned", () => {
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

/** Files below `folder` with this extension. */
function below(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}

test("every composed primitive exists, doesn't overlap its user's declarations, and loads first", () => {
  const sheet = readFileSync(join(source, "app/primitives.css"), "utf8");
  const declared = new Map<string, string[]>();
  for (const [, name = "", body = ""] of sheet.matchAll(/^\.(pw-[\w-]+) \{([^}]*)\}/gm))
    declared.set(name, properties(body));
  expect(declared.size).toBeGreaterThan(30);
  const wrong: string[] = [];
  for (const path of below(source, ".module.css")) {
    const text = readFileSync(path, "utf8");
    for (const [, of = "", body = ""] of text.matchAll(/^(\.[^{}]*) \{([^{}]*)\}/gm)) {
      const taken = /composes: ([^;]*) from global/.exec(body)?.[1]?.split(" ") ?? [];
      const own = properties(body);
      const all = taken.flatMap((name) => declared.get(name) ?? [`no ${name}`]);
      for (const one of all)
        if (one.startsWith("no ") || own.includes(one) || all.filter((x) => x === one).length > 1)
          wrong.push(`${path}: ${of}: ${one}`);
    }
  }
  for (const path of below(source, ".tsx"))
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(/[" ](pw-[\w-]+)(?=[" ])/g))
      if (name !== "pw-sr" && !declared.has(name)) wrong.push(`${path}: ${name}`);
  expect(wrong).toEqual([]);
  const main = readFileSync(join(source, "app/main.tsx"), "utf8");
  expect(main.indexOf("./primitives.css")).toBeGreaterThan(main.indexOf("./mantine.css"));
  expect(main.indexOf("./primitives.css")).toBeLessThan(main.indexOf("./App"));
});

function properties(body: string): string[] {
  return body.split(";").flatMap((line) => {
    const [property, value] = line.split(":").map((part) => part.trim());
    return property && value && property !== "composes" ? [property] : [];
  });
}

test("in the Inbox the plan's title fills the space, and the folder takes only what it needs", () => {
  const file = "features/inbox/Inbox.module.css";
  expect(rule(file, "name").flex).toBe("1");
  expect(rule(file, "where")).toMatchObject({ flex: "none", "text-overflow": "ellipsis" });
});
