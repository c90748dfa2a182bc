/** All strings shown on the page are in `src/words`, not next to the components that show them. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const source = join(__dirname, "../src");

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesBelow(path);
    return /\.tsx?$/.test(name) ? [path] : [];
  });
}

/** Properties and attributes that are visible or announced to the user. */
const shown = new Set([
  "title",
  "label",
  "aria-label",
  "aria-description",
  "aria-roledescription",
  "aria-valuetext",
  "placeholder",
  "alt",
  "description",
  "consequence",
]);

/** Attributes whose strings only the browser reads. */
const hidden = new Set(["className", "style", "d", "viewBox"]);

const hasLetters = (text: string) => /\p{L}{2,}/u.test(text);

/** Matches two words in a row, or a one-word sentence. */
const isSentence = (text: string) =>
  /\p{L}{2,}[,.:;!?…]? \p{L}+/u.test(text) || /^\p{Lu}\p{Ll}+[….]$/u.test(text);

interface Node {
  type: string;
  start: number;
  // biome-ignore lint/suspicious/noExplicitAny: any kind of node.
  [key: string]: any;
}

/** The visible strings in `text`, each with its line number. */
function shownStrings(name: string, text: string): string[] {
  const found: string[] = [];
  const add = (node: Node, words: string) => {
    const line = text.slice(0, node.start).split("\n").length;
    found.push(`${line}: ${words.trim()}`);
  };
  const visit = (node: Node, isShown: boolean): void => {
    if (/^(Import|Export(All|Named)Decl.*From|TSLiteral)/.test(node.type)) return;
    // The messages of errors are for developers.
    if (node.type === "NewExpression" && /Error$/.test(node.callee.name ?? "")) return;
    let isShownBelow = isShown;
    if (node.type === "JSXAttribute" || node.type === "Property") {
      const key = node.type === "Property" ? (node.key.name ?? node.key.value) : node.name.name;
      if (hidden.has(key)) return;
      isShownBelow = shown.has(key);
    } else if (node.type === "JSXText") {
      if (hasLetters(node.value)) add(node, node.value);
    } else if (node.type === "Literal" && typeof node.value === "string") {
      if (isSentence(node.value) || (isShown && hasLetters(node.value))) add(node, node.value);
    } else if (node.type === "TemplateLiteral") {
      const words = node.quasis.map((part: Node) => part.value.cooked).join("…");
      if (isSentence(words.replaceAll("…", " … ")) || (isShown && hasLetters(words)))
        add(node, words);
    } else if (!/^(Conditional|Logical|JSXExpressionContainer|Paren)/.test(node.type)) {
      isShownBelow = false;
    }
    for (const [key, child] of Object.entries(node)) {
      // Strings in conditions and comparisons, and property names, aren't shown.
      const isShownThere =
        isShownBelow &&
        key !== "test" &&
        key !== "key" &&
        !(key === "left" && node.operator === "===");
      for (const each of Array.isArray(child) ? child : [child])
        if (typeof each?.type === "string") visit(each, isShownThere);
    }
  };
  const { program, errors } = parseSync(name, text);
  expect(errors, name).toEqual([]);
  visit(program as unknown as Node, false);
  return found;
}

describe("strings in the catalogue", () => {
  it("have typographic quotes and apostrophes", () => {
    /** An example that contains JSON. */
    const exact = 'One call per line: search_files {"pattern": "render"}';
    const straight: string[] = [];
    for (const path of filesBelow(join(source, "words/en"))) {
      const text = readFileSync(path, "utf8");
      const visit = (node: Node): void => {
        if (/^(Import|TSLiteral)/.test(node.type)) return;
        const words = node.type === "TemplateElement" ? node.value.cooked : node.value;
        if (typeof words === "string" && /['"]/.test(words) && words !== exact)
          straight.push(`${relative(source, path)}: ${words.trim()}`);
        for (const child of Object.values(node))
          for (const each of Array.isArray(child) ? child : [child])
            if (typeof each?.type === "string") visit(each);
      };
      visit(parseSync(path, text).program as unknown as Node);
    }
    expect(straight).toEqual([]);
  });
});

describe("strings outside the catalogue", () => {
  it("are found in every position", () => {
    const text = [
      'import { a } from "./two words";',
      'const b = <p className="two words">Saved</p>;',
      'const c = { title: "Undo", id: "undo" };',
      ["const d = `$", "{n} steps run`;"].join(""),
      'const e = <input aria-label={"Name"} />;',
      'const f = flag === "x" ? "Not now, please" : "x";',
      'const g = <T title={kind === "abc" ? "Yes" : words.no} />;',
      'type H = "two words";',
      "const i = <b>{n} of {m}</b>;",
    ].join("\n");
    expect(shownStrings("x.tsx", text)).toEqual([
      "2: Saved",
      "3: Undo",
      "4: … steps run",
      "5: Name",
      "6: Not now, please",
      "7: Yes",
      "9: of",
    ]);
  });

  const folders = ["api", "app", "components", "lib"].concat(
    readdirSync(join(source, "features")).map((name) => `features/${name}`),
  );
  it.each(folders)("%s has none", (folder) => {
    const strings = filesBelow(join(source, folder))
      .filter((path) => !path.endsWith("bindings.ts"))
      .flatMap((path) =>
        shownStrings(path, readFileSync(path, "utf8")).map(
          (found) => `${relative(source, path)}:${found}`,
        ),
      );
    expect(strings).toEqual([]);
  });
});
