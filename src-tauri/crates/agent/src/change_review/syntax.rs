//! Detects files that a change made unparsable: invalid JSON and unbalanced brackets.

use gate::destructive::Written;

use super::line_diff::is_long;

const OPEN: [char; 3] = ['(', '[', '{'];
const CLOSE: [char; 3] = [')', ']', '}'];
/// File extensions of languages with paired brackets.
const CODE: [&str; 26] = [
    "py", "js", "mjs", "cjs", "ts", "tsx", "jsx", "rs", "go", "java", "kt", "swift", "c", "h",
    "cc", "cpp", "hpp", "cs", "php", "rb", "scala", "css", "scss", "json", "jsonc", "toml",
];

/// Why a changed or new file looks broken.
pub(super) fn broken(files: &[Written]) -> Option<String> {
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(path, before, after)| {
        let ending = path.rsplit_once('.')?.1;
        let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let was_whole = before.trim().is_empty() || is_json(before);
        if ending == "json" && was_whole && !is_json(after) {
            return Some(format!("{path} is no longer valid JSON"));
        }
        let is_code = CODE.contains(&ending);
        let has_lifetimes = ending == "rs";
        let (was, is) = (
            balance(before, has_lifetimes),
            balance(after, has_lifetimes),
        );
        (is_code && was == [0; 3] && is != [0; 3] && !after.trim().is_empty())
            .then(|| format!("the brackets in {path} no longer match"))
    })
}

/// For each kind of bracket, the number of opening brackets minus the number of closing ones. Skips
/// comments, and quoted text within a line.
fn balance(text: &str, has_lifetimes: bool) -> [i64; 3] {
    let mut found = [0; 3];
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or(line);
        let code = code.split(" #").next().unwrap_or(code);
        let mut quote: Option<char> = None;
        let mut before = ' ';
        for (at, c) in code.char_indices() {
            // `'a` is a lifetime, `'a'` is a character.
            let is_lifetime =
                has_lifetimes && c == '\'' && code[at + 1..].chars().nth(1) != Some('\'');
            match quote {
                Some(open) if c == open && before != '\\' => quote = None,
                Some(_) => {}
                None if matches!(c, '"' | '\'' | '`')
                    && !is_lifetime
                    && !before.is_alphanumeric() =>
                {
                    quote = Some(c)
                }
                None => {
                    for kind in 0..3 {
                        found[kind] += i64::from(c == OPEN[kind]) - i64::from(c == CLOSE[kind]);
                    }
                }
            }
            before = c;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::broken;

    fn why(path: &str, before: &str, after: &str) -> Option<String> {
        broken(&[(path.to_owned(), before.to_owned(), after.to_owned())])
    }

    #[test]
    fn what_cannot_be_read_any_more_is_told() {
        for (path, before, after) in [
            ("a.json", "{\"a\": 1}\n", "{\"a\": 1\n"),
            ("a.json", "", "{\"a\": 1,}\n"),
            ("a.py", "f(1)\n", "f(1\n"),
            ("a.rs", "fn a() {\n}\n", "fn a() {\n    b();\n"),
            ("a.js", "", "const a = [1, 2;\n"),
        ] {
            assert!(why(path, before, after).is_some(), "{after}");
        }
        for (path, before, after) in [
            (
                "a.json",
                "// with remarks\n{}\n",
                "// with remarks\n{\"a\": 1}\n",
            ),
            ("a.py", "f(1)\n", "f(1, ')')\n"),
            ("a.py", "", "print('it is (not) closed: (')  # (\n"),
            ("a.rs", "fn a<'a>() {}\n", "fn a<'a>(b: &'a str) {}\n"),
            ("a.md", "(\n", "((\n"),
            ("a.py", "f(\n", "f((\n"),
        ] {
            assert_eq!(why(path, before, after), None, "{after}");
        }
    }
}
