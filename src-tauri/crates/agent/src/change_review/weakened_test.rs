//! Detects a step that weakens its own test by removing or changing a line or by skipping the test.
//! Ignored if the title is about tests.

use gate::destructive::Written;

use super::line_diff::{changed_lines, is_long};
use super::quoted;
use crate::envelope::one_line;
use crate::verification::edited_checks;

/// Parts of words that show that a title is about tests.
const TESTS: [&str; 9] = [
    "test",
    "spec",
    "prüf",
    "prueb",
    "проверк",
    "тест",
    "测试",
    "テスト",
    "assert",
];
/// Phrases that mention tests in a title that isn't about changing tests.
const PASS: [&str; 14] = [
    "tests pass",
    "test passes",
    "test pass",
    "pass the tests",
    "passes the tests",
    "tests succeed",
    "tests are green",
    "tests are passing",
    "failing test",
    "broken test",
    "tests run",
    "tests bestehen",
    "tests passent",
    "tests pasen",
];
/// Markers of a test that is not run.
const SKIPS: [&str; 12] = [
    "skip",
    "xfail",
    "expectedfailure",
    "#[ignore",
    ".only(",
    "mock",
    "monkeypatch",
    "xit(",
    "xdescribe(",
    "@disabled",
    "@ignore",
    ".todo(",
];

/// Beginnings of lines after which a test no longer runs or can no longer fail.
const STOPS: [&str; 8] = [
    "if false",
    "if 0",
    "if(false",
    "if (false",
    "try:",
    "try {",
    "except",
    "sys.exit",
];
/// Keywords of definitions that could shadow the code under test.
const DEFINES: [&str; 6] = ["def ", "function ", "fn ", "class ", "const ", "let "];

/// Describes a line of the test that was weakened.
pub(super) fn weakened(files: &[Written], title: &str, checks: &[String]) -> Option<String> {
    let title_as_written = title;
    let title = PASS.iter().fold(title.to_lowercase(), |title, words| {
        title.replace(words, " ")
    });
    if TESTS.iter().any(|word| title.contains(word)) {
        return None;
    }
    let mut files = files
        .iter()
        .filter(|file| !is_long(file) && !file.1.trim().is_empty());
    files.find_map(|(path, before, after)| {
        let is_test = ["test", "spec"]
            .iter()
            .any(|word| path.to_lowercase().contains(word));
        let is_check =
            is_test && !edited_checks(checks, std::slice::from_ref(path), &[]).is_empty();
        let (gone, came) = changed_lines(before, after).filter(|_| is_check)?;
        let is_remark = |line: &str| {
            ["#", "//", "/*", "\"\"\"", "--"]
                .iter()
                .any(|mark| line.trim().starts_with(mark))
        };
        let is_kept = |line: &str| {
            let mut came = came.iter().filter(|other| !is_remark(other.line));
            came.any(|other| other.line.contains(line.trim()))
        };
        let says = |line: &str| line.contains(char::is_alphanumeric) && !is_import(line);
        let went = gone
            .iter()
            .map(|line| line.line)
            .find(|line| says(line) && !is_kept(line));
        let names: Vec<&str> = quoted(title_as_written)
            .iter()
            .map(|name| name.split('(').next().unwrap_or_default())
            .collect();
        let is_skip = |line: &&str| {
            let low = line.trim().to_lowercase();
            let is_own = DEFINES.iter().any(|word| {
                let name = low.strip_prefix(word).and_then(|rest| {
                    rest.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                        .next()
                });
                name.is_some_and(|name| names.contains(&name))
            });
            is_own
                || matches!(low.as_str(), "return" | "return;" | "pass")
                || STOPS.iter().any(|word| low.starts_with(word))
                || SKIPS.iter().any(|mark| low.contains(mark))
        };
        let line = went.or_else(|| came.iter().map(|line| line.line).find(is_skip))?;
        let line = one_line(line.trim(), 80);
        Some(format!(
            "`{line}` in {path}, which checks the step, was changed"
        ))
    })
}

fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    ["import ", "from ", "use ", "require", "#include", "const {"]
        .iter()
        .any(|word| line.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::weakened;

    const TEST: &str = "import unittest\nfrom calc import add\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n";

    fn why(title: &str, after: &str) -> Option<String> {
        let file = ("test_calc.py".to_owned(), TEST.to_owned(), after.to_owned());
        weakened(&[file], title, &["python3 -m unittest".to_owned()])
    }

    #[test]
    fn a_test_that_checks_the_step_stays_as_it_was() {
        let title = "Fix `add` in calc.py so that the tests pass";
        let skipped = TEST.replace(
            "    def test",
            "    @unittest.skip(\"flaky\")\n    def test",
        );
        for after in [
            TEST.replace(", 5)", ", -1)"),
            skipped,
            TEST.replace("        self.assertEqual(add(2, 3), 5)", "        pass"),
        ] {
            assert!(why(title, &after).is_some(), "{after}");
            assert!(
                why("Make the test of `add` expect -1", &after).is_none(),
                "{after}"
            );
        }
        let more =
            format!("{TEST}\n    def test_more(self):\n        self.assertEqual(add(1, 1), 2)\n");
        let imports = TEST.replace("from calc import add", "from calc import add, sub");
        for after in [&more, &imports] {
            assert_eq!(why(title, after), None, "{after}");
        }
    }
}
