//! Small projects in three languages, each of which passes its own check.

use crate::Project;

/// A sales report in Python: 13 files, checked by `python3 -m unittest`.
///
/// Designed for renaming the function `total`. It is defined in one file and used in others
/// ([`TOTAL_FILES`]); further files contain similar words (`subtotal`, `totals`, the printed word
/// `Total`) that a naive search would find.
pub fn python_report() -> Project {
    Project::new()
        .file(".gitignore", "__pycache__/\n")
        .file("README.md", README)
        .file(
            "data/sales.csv",
            "date,region,amount\n2024-01-02,north,10\n2024-01-03,south,20\n",
        )
        .file("report/__init__.py", "\"\"\"A report about sales.\"\"\"\n")
        .file(
            "report/__main__.py",
            "from report.cli import main\n\nmain()\n",
        )
        .file("report/cli.py", CLI)
        .file("report/dates.py", DATES)
        .file("report/load.py", LOAD)
        .file("report/rows.py", ROWS)
        .file("report/table.py", TABLE)
        .file("tests/__init__.py", "")
        .file("tests/test_cli.py", TEST_CLI)
        .file("tests/test_rows.py", TEST_ROWS)
}

/// The files of [`python_report`] that mention the function `total`, sorted.
pub const TOTAL_FILES: [&str; 5] = [
    "README.md",
    "report/cli.py",
    "report/rows.py",
    "report/table.py",
    "tests/test_rows.py",
];

const README: &str = "\
# Sales report

`python3 -m report data/sales.csv` prints one line for each sale and closes with their sum, as
`total(rows)` in `report/rows.py` counts it.

Check: `python3 -m unittest`
";

const CLI: &str = r#""""The command line: reads a file, prints the report."""
import sys

from report.load import load
from report.rows import total
from report.table import render_rows


def run(path, out):
    rows = load(path)
    for line in render_rows(rows):
        print(line, file=out)
    return total(rows)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m report FILE")
    run(sys.argv[1], sys.stdout)
"#;

const DATES: &str = r#""""Dates as the report shows them."""


def month(date):
    """The month of an ISO date; monthly totals are grouped by it."""
    return date[:7]
"#;

const LOAD: &str = r#""""Reads sales from a CSV file."""
import csv


def load(path):
    with open(path, newline="") as file:
        return [dict(row, amount=int(row["amount"])) for row in csv.DictReader(file)]


def subtotal_key(row):
    """What a subtotal is counted over."""
    return row["region"]
"#;

const ROWS: &str = r#""""Arithmetic over rows."""


def total(rows):
    """The sum of all amounts."""
    return sum(row["amount"] for row in rows)


def share(row, rows):
    """The part of one row in the whole."""
    return row["amount"] / total(rows)
"#;

const TABLE: &str = r#""""Rows as lines of text."""
from report.rows import total


def render_rows(rows):
    lines = [f"{row['date']}  {row['region']:<8}{row['amount']:>6}" for row in rows]
    return lines + [f"Total {total(rows):>18}"]
"#;

const TEST_CLI: &str = r#"import io
import os
import tempfile
import unittest

from report.cli import run


class CliTest(unittest.TestCase):
    def test_the_last_line_is_the_sum(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sales.csv")
            with open(path, "w") as file:
                file.write("date,region,amount\n2024-01-02,north,10\n2024-01-03,south,20\n")
            out = io.StringIO()
            self.assertEqual(run(path, out), 30)
            last = out.getvalue().splitlines()[-1]
            self.assertTrue(last.startswith("Total") and last.endswith("30"), last)


if __name__ == "__main__":
    unittest.main()
"#;

const TEST_ROWS: &str = r#"import unittest

from report import rows
from report.rows import total


class RowsTest(unittest.TestCase):
    def test_total_adds_all_amounts(self):
        self.assertEqual(total([{"amount": 1}, {"amount": 2}]), 3)

    def test_total_of_nothing_is_nothing(self):
        self.assertEqual(rows.total([]), 0)

    def test_shares_add_up(self):
        sales = [{"amount": 1}, {"amount": 3}]
        self.assertEqual(sum(rows.share(row, sales) for row in sales), 1)


if __name__ == "__main__":
    unittest.main()
"#;

/// A word counter in Rust without dependencies; its check, `cargo test`, needs no network.
pub fn cargo_words() -> Project {
    Project::new()
        .file(".gitignore", "/target\n")
        .file("README.md", "# Words\n\nCounts words.\n")
        .file(
            "Cargo.toml",
            "[package]\nname = \"words\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n",
        )
        .file("Cargo.lock", "version = 3\n\n[[package]]\nname = \"words\"\nversion = \"0.1.0\"\n")
        .file("src/lib.rs", WORDS_LIB)
        .file("src/main.rs", WORDS_MAIN)
        .file("tests/count.rs", WORDS_TEST)
}

const WORDS_LIB: &str = r#"//! Counts words.

/// How many words a text has.
pub fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The longest word, the first of several.
pub fn longest(text: &str) -> Option<&str> {
    text.split_whitespace().rev().max_by_key(|word| word.len())
}
"#;

const WORDS_MAIN: &str = r#"use std::io::Read;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    println!("{}", words::count_words(&text));
    Ok(())
}
"#;

const WORDS_TEST: &str = r#"use words::{count_words, longest};

#[test]
fn words_are_counted() {
    assert_eq!(count_words("one two  three\n"), 3);
}

#[test]
fn the_first_longest_word_wins() {
    assert_eq!(longest("a bcd efg"), Some("bcd"));
    assert_eq!(longest(""), None);
}
"#;

/// A to-do list in JavaScript without packages, checked by `npm test`, which runs `node --test`.
pub fn npm_list() -> Project {
    Project::new()
        .file(".gitignore", "node_modules/\n")
        .file("README.md", "# List\n\nKeeps a list of things.\n")
        .file("package.json", PACKAGE_JSON)
        .file("src/list.js", LIST)
        .file("src/cli.js", LIST_CLI)
        .file("test/list.test.js", LIST_TEST)
}

const PACKAGE_JSON: &str = r#"{
  "name": "list",
  "version": "0.1.0",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "node --test"
  }
}
"#;

const LIST: &str = r#"export function addItem(items, text) {
  if (!text.trim()) throw new Error("an item needs a text");
  return [...items, { text: text.trim(), done: false }];
}

export function finish(items, index) {
  return items.map((item, at) => (at === index ? { ...item, done: true } : item));
}
"#;

const LIST_CLI: &str = r#"import { addItem } from "./list.js";

const items = process.argv.slice(2).reduce(addItem, []);
for (const item of items) console.log(`- [${item.done ? "x" : " "}] ${item.text}`);
"#;

const LIST_TEST: &str = r#"import assert from "node:assert/strict";
import { test } from "node:test";

import { addItem, finish } from "../src/list.js";

test("an item is added at the end", () => {
  assert.deepEqual(addItem([], " milk "), [{ text: "milk", done: false }]);
});

test("an empty item is refused", () => {
  assert.throws(() => addItem([], " "));
});

test("only the named item is finished", () => {
  const items = finish([{ text: "a", done: false }, { text: "b", done: false }], 1);
  assert.deepEqual(items.map((item) => item.done), [false, true]);
});
"#;
