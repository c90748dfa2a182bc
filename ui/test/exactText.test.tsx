/** Text to approve shows every byte, and command output stays readable. */
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Exact } from "../src/components/Exact";
import { outputText, pieces, visibleText } from "../src/components/exactText";

test.each([
  ["rm \u202efdp.exe", "rm ⟨RLO⟩fdp.exe"],
  ["a\u0000b", "a⟨NUL⟩b"],
  ["a\u00a0b", "a⟨NBSP⟩b"],
  ["a\u200bb", "a⟨ZWSP⟩b"],
  ["a\nb\tc", "a⟨LF⟩b⟨TAB⟩c"],
  ["a\u{e0041}", "a⟨U+E0041⟩"],
  ["\u001b[31mred", "⟨ESC⟩[31mred"],
  ["plain --flag=ü 漢字 🙂", "plain --flag=ü 漢字 🙂"],
])("%j is shown as %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test("no character is lost: the pieces add up to the text", () => {
  const text = "echo \u202e\u2066x\u2069 \u001b[2K\n🙂\u{e0020}";
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});

test("HTML in a command is shown as text", () => {
  render(<Exact block>{'<img src=x onerror="alert(1)">'}</Exact>);
  expect(screen.getByLabelText("Command").textContent).toBe('<img src=x onerror="alert(1)">');
  expect(document.querySelector("img")).toBeNull();
});

test.each([
  ["\u001b[1;32mok\u001b[0m\n", "ok\n"],
  ["10 %\r50 %\r100 %\nend", "100 %\nend"],
  ["a\r\nb\r\n", "a\nb\n"],
  ["\u001b]0;title\u0007text", "text"],
])("output %j reads %j", (output, text) => {
  expect(outputText(output)).toBe(text);
});
