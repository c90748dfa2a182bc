/** Text diffs as a few small replacements, and three-way merges. */
import { expect, test } from "vitest";
import { merge, type Replacement, smallChanges } from "../src/features/source/changes";

function apply(text: string, changes: Replacement[]): string {
  let out = "";
  let at = 0;
  for (const { from, to, insert } of changes) {
    expect(from).toBeGreaterThanOrEqual(at);
    out += text.slice(at, from) + insert;
    at = to;
  }
  return out + text.slice(at);
}

/** A seeded random sequence, so that failures are reproducible. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

test("equal texts need no change", () => {
  expect(smallChanges("a\nb\n", "a\nb\n")).toEqual([]);
});

test("two distant changes leave the text between them untouched", () => {
  const old = "one\ntwo\nthree\nfour\nfive\nsix\n";
  const next = "one\ntwo words\nthree\nfour\nfive\n6\n";
  expect(smallChanges(old, next)).toEqual([
    { from: 7, to: 7, insert: " words" },
    { from: 24, to: 27, insert: "6" },
  ]);
});

test("a surrogate pair is never split", () => {
  // Both emoji start with the same high surrogate.
  const [change] = smallChanges("x😀y", "x😃y");
  expect(change).toEqual({ from: 1, to: 3, insert: "😃" });
});

test("applying the replacements always produces the new text", () => {
  const pick = random(7);
  const words = ["a\n", "b\n", "- [ ] **T1** x\n", "\n", "c", "😀\n"];
  const some = () => Array.from({ length: pick(14) }, () => words[pick(words.length)]).join("");
  for (let round = 0; round < 2000; round += 1) {
    const old = some();
    const next = some();
    expect(apply(old, smallChanges(old, next))).toBe(next);
  }
});

test("a line changed near each end of a megabyte gives two small replacements", () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `- [ ] **T${at}** a step of many words\n`,
  );
  const next = [...lines];
  next[1] = "- [x] **T1** a step of many words\n";
  next[19_998] = "- [x] **T19998** a step of many words\n";
  const changes = smallChanges(lines.join(""), next.join(""));
  expect(changes.map(({ insert }) => insert)).toEqual(["x", "x"]);
});

test("texts without common lines give one replacement quickly", () => {
  const old = Array.from({ length: 5000 }, (_, at) => `old ${at}\n`).join("");
  const next = Array.from({ length: 5000 }, (_, at) => `new ${at}\n`).join("");
  const changes = smallChanges(old, next);
  expect(changes).toHaveLength(1);
  expect(apply(old, changes)).toBe(next);
});

const base = "1\n2\n3\n4\n5\n";

test("changes to different lines are both kept", () => {
  const made = merge(base, "1\n2 mine\n3\n4\n5\n", "1\n2\n3\n4\n5 theirs\n6\n", "mine");
  expect(made).toEqual({ text: "1\n2 mine\n3\n4\n5 theirs\n6\n", conflicts: 0 });
});

test("identical changes on both sides are merged into one", () => {
  expect(merge(base, "1\n2!\n3\n4\n5\n", "1\n2!\n3\n4\n5!\n", "mine")).toEqual({
    text: "1\n2!\n3\n4\n5!\n",
    conflicts: 0,
  });
});

test("for a line changed on both sides the chosen side wins, and the rest of both is kept", () => {
  const mine = "1 mine\n2\n3 mine\n4\n5\n";
  const theirs = "1\n2\n3 theirs\n4\n5 theirs\n";
  expect(merge(base, mine, theirs, "mine")).toEqual({
    text: "1 mine\n2\n3 mine\n4\n5 theirs\n",
    conflicts: 1,
  });
  expect(merge(base, mine, theirs, "theirs").text).toBe("1 mine\n2\n3 theirs\n4\n5 theirs\n");
  expect(merge(base, mine, theirs, "both").text).toBe("1 mine\n2\n3 mine\n3 theirs\n4\n5 theirs\n");
});

test("a last line without a line break isn't joined to the next one", () => {
  expect(merge("a", "a mine", "a theirs", "both").text).toBe("a mine\na theirs");
});

test("a merge loses no line of either side", () => {
  const pick = random(11);
  for (let round = 0; round < 1000; round += 1) {
    const lines = Array.from({ length: 1 + pick(8) }, (_, at) => `${at}\n`);
    const change = (who: string) =>
      lines.flatMap((line, at) => {
        const roll = pick(6);
        if (roll === 0) return [`${who}${round}.${at}\n`];
        if (roll === 1) return [line, `${who}+${round}.${at}\n`];
        return [line];
      });
    const mine = change("m");
    const theirs = change("t");
    const { text } = merge(lines.join(""), mine.join(""), theirs.join(""), "both");
    for (const line of [...mine, ...theirs].filter((one) => /[mt]/.test(one))) {
      expect(text.split("\n")).toContain(line.trimEnd());
    }
    // Changes from only one side are kept, whichever side is preferred.
    const alone = merge(lines.join(""), mine.join(""), lines.join(""), "theirs");
    expect(alone).toEqual({ text: mine.join(""), conflicts: 0 });
  }
});
