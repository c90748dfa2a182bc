//! Finds the names that a file defines: candidates are found by the keywords or punctuation next to
//! them, and kept if their shape confirms that they are definitions.

use super::{Place, Shape, Sheet, is_word, newlines};
use crate::among;
use crate::text::language::{Family, family_of};

/// Maximum number of names per file.
const MAX_NAMES: usize = 500;

/// Keywords that precede a declared name, in any supported language.
const DECLARING: &str = "def class function interface type enum namespace fn struct trait union const static \
     func let var val fun record object module sub define record macro_rules";

/// Keywords that may precede a parenthesis but are not names.
const CONTROL: &str = "if for while switch catch return with else do match elif when until unless function \
     sizeof typeof new await super constructor";

/// A name defined in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name as written.
    pub name: String,
    /// The number of its line, from 1.
    pub line: u32,
    /// What kind of name it is: [`Shape::Definition`], [`Shape::Member`] or [`Shape::Constant`].
    pub shape: Shape,
}

/// The names that a code file defines outside of functions, and the members of its types, in order;
/// at most 500. Documents and data files define none.
pub fn definitions(path: &str, text: &str) -> Vec<Definition> {
    let family = family_of(path);
    if matches!(family, Family::Document | Family::Data) {
        return Vec::new();
    }
    let sheet = Sheet::new(text, family);
    let mut found = Vec::new();
    let (mut line_number, mut counted) = (1u32, 0);
    for (start, line) in lines(text) {
        for (at, name) in likely(line, family) {
            let offset = start + at;
            let place = Place::new(&sheet, offset, name);
            let shape = place.shape();
            // `mod table;` only declares the module; its content is elsewhere.
            let declares = family == Family::Rust && line.trim_end().ends_with(';') && {
                let before = line[..at].trim_end();
                before == "mod" || before.ends_with(" mod")
            };
            if matches!(shape, Shape::Definition | Shape::Member | Shape::Constant) && !declares {
                line_number += newlines(&text[counted..offset]);
                counted = offset;
                found.push(Definition {
                    name: name.to_owned(),
                    line: line_number,
                    shape,
                });
                if found.len() == MAX_NAMES {
                    return found;
                }
            }
        }
    }
    found
}

/// Each line with its byte offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}

/// The words that a line may define, with their offsets.
fn likely(line: &str, family: Family) -> Vec<(usize, &str)> {
    let end = line.trim_end();
    let calls_are_declared = matches!(
        family,
        Family::C | Family::JavaScript | Family::Go | Family::Script
    ) && end.ends_with(['{', ')', ',', '('])
        || family == Family::C && end.ends_with(';') && !line.starts_with([' ', '\t']);
    let mut found = Vec::new();
    let mut previous = "";
    for (at, word) in words(line) {
        let after = line[at + word.len()..].trim_start();
        let is_named = among(previous, DECLARING)
            || calls_are_declared && after.starts_with('(')
            || at == 0
                && (after.starts_with('=') && !after.starts_with("==") || after.starts_with(':'))
            || line[..at].ends_with("exports.");
        let is_name = !word.starts_with(|c: char| c.is_ascii_digit())
            && !among(word, DECLARING)
            && !among(word, CONTROL);
        if is_named && is_name {
            found.push((at, word));
        }
        previous = word;
    }
    found
}

fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + line[at..].find(is_word)?;
        let length = line[start..]
            .find(|c| !is_word(c))
            .unwrap_or(line.len() - start);
        at = start + length;
        Some((start, &line[start..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(path: &str, text: &str) -> Vec<String> {
        let found = definitions(path, text).into_iter();
        found
            .map(|one| format!("{}:{} {}", one.line, one.name, one.shape.as_str()))
            .collect()
    }

    #[test]
    fn each_language_defines_in_its_own_way() {
        assert_eq!(
            names(
                "a.py",
                "LIMIT = 3\n# def gone():\nclass Report(Base):\n    def rows(self):\n        kept = 1\n        return total(kept)\n\nasync def read_rows(path):\n    \"\"\"def nothing(x)\"\"\"\n"
            ),
            [
                "1:LIMIT constant",
                "3:Report definition",
                "4:rows member definition",
                "8:read_rows definition"
            ]
        );
        assert_eq!(
            names(
                "a.ts",
                "import { x } from './x';\nexport const limit = 3;\nexport const build = (a) => a;\nexport class Cart {\n  add(item) {\n    if (item) {\n      this.items.push(item);\n    }\n  }\n}\nexport function total() {\n  const inner = 1;\n}\n"
            ),
            [
                "2:limit constant",
                "3:build definition",
                "4:Cart definition",
                "5:add member definition",
                "11:total definition"
            ]
        );
        assert_eq!(
            names(
                "a.rs",
                "mod table;\nuse a::b;\npub const MOST: usize = 3;\npub struct Row {\n    total: u32,\n}\nimpl Row {\n    pub fn sum(&self) -> u32 {\n        let a = 1;\n    }\n}\nmacro_rules! row {\n}\n"
            ),
            [
                "3:MOST definition",
                "4:Row definition",
                "8:sum member definition",
                "12:row definition"
            ]
        );
        assert_eq!(
            names(
                "a.go",
                "package a\n\ntype Store struct {\n}\n\nfunc (s *Store) Get(key string) error {\n\treturn find(key)\n}\n\nfunc New() *Store {\n}\n"
            ),
            [
                "3:Store definition",
                "6:Get member definition",
                "10:New definition"
            ]
        );
        assert_eq!(
            names(
                "A.java",
                "public class Invoice {\n    private int total(List<Row> rows) {\n        while (true) {\n        }\n        return sum(rows);\n    }\n}\n"
            ),
            ["1:Invoice definition", "2:total member definition"]
        );
        assert_eq!(
            names(
                "a.c",
                "#define MOST 3\nint parse(char *text);\nstatic void emit(int a) {\n  call(a);\n}\n"
            ),
            [
                "1:MOST definition",
                "2:parse definition",
                "3:emit definition"
            ]
        );
        assert_eq!(
            names("a.sh", "build() {\n  make\n}\n"),
            ["1:build definition"]
        );
        assert_eq!(names("a.md", "# def heading\n"), [""; 0]);
    }
}
