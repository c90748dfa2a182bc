//! Detects functions that ignore their parameters, which suggests that they were written for a
//! single example or that only the signature was changed. Works on lines in any language.

use std::collections::BTreeSet;

use gate::destructive::{Doubt, Written};

/// Keywords that introduce a function.
const KEYWORDS: [&str; 6] = ["def", "fn", "func", "fun", "function", "sub"];
/// Names of parameters that often exist only to match a required signature.
const IGNORED_PARAMETERS: [&str; 6] = ["self", "cls", "this", "args", "kwargs", "void"];
/// Maximum number of lines of a body that are examined.
const MAX_BODY: usize = 400;

/// A parsed function.
struct Function<'t> {
    name: &'t str,
    /// The words of each parameter, excluding its default value.
    parameters: Vec<Vec<&'t str>>,
    body: Vec<&'t str>,
}

/// The first function that seems incomplete: a changed function that ignores a new parameter or no
/// longer uses any, or a new function that uses none or always returns the same constant.
pub(super) fn unused(files: &[Written], is_long: fn(&Written) -> bool) -> Option<Doubt> {
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(path, before, after)| {
        let old = functions(before);
        functions(after).into_iter().find_map(|new| {
            let was = old.iter().find(|old| old.name == new.name);
            // The function used some of its parameters before and now uses none.
            let uses_any = |function: &Function<'_>| {
                let mut all = function.parameters.iter();
                all.any(|words| function.uses(words))
            };
            if was.is_some_and(uses_any) && !uses_any(&new) {
                return Some(Doubt {
                    why: format!("`{}` in {path} no longer uses its parameters", new.name),
                    is_certain: true,
                });
            }
            if was.is_none()
                && let Some(value) = new.constant()
            {
                return Some(Doubt {
                    why: format!("`{}` in {path} always returns {value}", new.name),
                    is_certain: true,
                });
            }
            let had = was.map(|old| &old.parameters[..]).unwrap_or_default();
            let came = new.parameters.iter().filter(|words| !had.contains(words));
            let idle: Vec<&Vec<&str>> = came.filter(|words| !new.uses(words)).collect();
            let first = idle.first()?.last()?;
            let is_new = was.is_none();
            let is_all = idle.len() == new.parameters.len();
            (!is_new || is_all).then(|| Doubt {
                why: format!("`{}` in {path} does not use `{first}`", new.name),
                // A later step may add the code that uses the parameter.
                is_certain: is_new,
            })
        })
    })
}

impl<'t> Function<'t> {
    /// The constant that the function returns, if it does nothing else.
    fn constant(&self) -> Option<&'t str> {
        const ASIDE: [&str; 15] = [
            "if", "elif", "else", "assert", "raise", "throw", "del", "try", "except", "catch",
            "pass", "let _", "(void)", "}", "return",
        ];
        let assigns = |line: &str| {
            line.split_once('=').is_some_and(|(name, rest)| {
                let name = name
                    .trim()
                    .trim_start_matches("let ")
                    .trim_start_matches("const ")
                    .trim_start_matches("var ");
                let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
                is_name && !name.is_empty() && !rest.starts_with('=')
            })
        };
        let is_aside =
            |line: &str| ASIDE.iter().any(|word| line.starts_with(word)) || assigns(line);
        let body = self.body.iter().map(|line| line.trim());
        let returned = |line: &'t str| {
            Some(
                line.trim()
                    .strip_prefix("return ")?
                    .trim_end_matches(';')
                    .trim(),
            )
        };
        let mut values: Vec<&'t str> = self.body.iter().filter_map(|line| returned(line)).collect();
        values.dedup();
        let [value] = values[..] else {
            return None;
        };
        let is_text =
            value.len() > 1 && value.starts_with(['"', '\'']) && value.ends_with(['"', '\'']);
        let is_number = value.parse::<f64>().is_ok();
        let mut given = self.parameters.iter().flatten();
        let uses_any = given.any(|word| {
            self.body
                .iter()
                .any(|line| words(line).any(|other| other == *word))
        });
        // A function that ignores all its parameters is reported as unused instead.
        (uses_any && (is_text || is_number) && body.into_iter().all(is_aside)).then_some(value)
    }

    fn uses(&self, parameter: &[&str]) -> bool {
        let is_of_others = |word: &&str| word.starts_with('_') || IGNORED_PARAMETERS.contains(word);
        parameter.iter().any(is_of_others)
            || self
                .body
                .iter()
                .flat_map(|line| words(line))
                .any(|word| parameter.contains(&word))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    words.filter(|word| !word.is_empty())
}

/// The functions in a text that have parameters and a body that does something.
fn functions(text: &str) -> Vec<Function<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len())
        .filter_map(|at| function(&lines, at))
        .collect()
}

fn function<'t>(lines: &[&'t str], at: usize) -> Option<Function<'t>> {
    let line = lines[at];
    let (head, rest) = line.split_once('(')?;
    let mut said = head.split_whitespace().rev();
    let name = said.next()?.split('<').next()?;
    if !said.next().is_some_and(|word| KEYWORDS.contains(&word)) {
        return None;
    }
    // Signatures that span several lines aren't parsed.
    let (list, behind) = closed(rest)?;
    let parameters: Vec<Vec<&str>> = parts(list)
        .map(|part| words(part.split('=').next().unwrap_or(part)).collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    let deep = |line: &str| line.len() - line.trim_start().len();
    let own = deep(line);
    let below = lines[at + 1..].iter().take(MAX_BODY);
    let inside = below.take_while(|line| line.trim().is_empty() || deep(line) > own);
    let body = std::iter::once(behind).chain(inside.copied());
    let body: Vec<&str> = body.filter(|line| does_something(line)).collect();
    (!parameters.is_empty() && !body.is_empty()).then_some(Function {
        name,
        parameters,
        body,
    })
}

/// Splits a text at the bracket that closes one opened before the text.
fn closed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + c.len_utf8()..]));
        }
    }
    None
}

/// Splits a list at commas outside brackets.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |c: char| {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// Whether a line of a body, or the rest of the line after a signature, contains more than
/// punctuation, a comment or a placeholder.
fn does_something(line: &str) -> bool {
    const NOTHING: [&str; 8] = [
        "pass",
        "return",
        "None",
        "null",
        "unimplemented",
        "todo",
        "raise",
        "NotImplementedError",
    ];
    let bare = line.trim();
    let is_aside = ["#", "//", "*", "/*", "\"\"\"", "'''", "->", ":"]
        .iter()
        .any(|mark| bare.starts_with(mark));
    let said: BTreeSet<&str> = words(bare).collect();
    !is_aside && said.iter().any(|word| !NOTHING.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(before: &str, after: &str) -> Option<Doubt> {
        let file = ("a.py".to_owned(), before.to_owned(), after.to_owned());
        unused(&[file], |_| false)
    }

    #[test]
    fn a_parameter_that_nothing_uses_is_told() {
        let greet = "def greet(name):\n    return 'Hello, ' + name\n";
        for (before, after) in [
            (
                greet,
                "def greet(name, mark='!'):\n    return 'Hello, ' + name\n",
            ),
            ("", "def slug(text):\n    return 'hello-world'\n"),
            (
                "",
                "fn slug(text: &str) -> String {\n    \"hello\".to_owned()\n}\n",
            ),
            ("", "function slug(text) {\n  return \"hello\";\n}\n"),
            (greet, "def greet(name):\n    return 'Hello, Ada'\n"),
            (
                "",
                "def median(values):\n    n = len(values)\n    return 0\n",
            ),
            (
                "",
                "def median(values):\n    if not values:\n        raise ValueError\n    return 0\n",
            ),
            (
                "",
                "int larger(int a, int b)\nfn f(a: i32) -> i32 {\n    let _ = a;\n    return 0;\n}\n",
            ),
        ] {
            assert!(why(before, after).is_some(), "{after}");
        }
        for (before, after) in [
            (
                greet,
                "def greet(name, mark='!'):\n    return 'Hello, ' + name + mark\n",
            ),
            (greet, greet),
            ("", "def slug(text):\n    return text.lower()\n"),
            (
                "",
                "def sign(n):\n    if n < 0:\n        return -1\n    return 1\n",
            ),
            ("", "def main(argv):\n    print(argv)\n    return 0\n"),
            (
                "",
                "def count(rows):\n    total = 0\n    for row in rows:\n        total += 1\n    return total\n",
            ),
            (
                "",
                "def on_click(event, _more):\n    print('clicked')\n    return event\n",
            ),
            ("", "def handler(_event):\n    return 'fine'\n"),
            ("", "def later(text):\n    raise NotImplementedError\n"),
            ("", "class A:\n    def name(self):\n        return 'a'\n"),
            ("", "def run(*args, **kwargs):\n    return 1\n"),
            ("", "fn get(&self) -> u8 {\n    1\n}\n"),
            (
                "",
                "fn read(path: &Path, kind: Kind) -> u8 {\n    std::fs::read(path)\n}\n",
            ),
            ("def f(a):\n    return 1\n", "def f(a):\n    return 2\n"),
            (
                "",
                "func name(m map[string]int, n int) int {\n\treturn m[\"a\"] + n\n}\n",
            ),
            ("", "trait A {\n    fn get(&self, key: &str) -> u8;\n}\n"),
            ("", "def many(\n    a,\n    b,\n):\n    return 1\n"),
        ] {
            assert_eq!(why(before, after), None, "{after}");
        }
    }
}
