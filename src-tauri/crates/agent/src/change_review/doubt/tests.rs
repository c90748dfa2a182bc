//! Tests of which changes are doubted.

use super::*;

fn doubt(before: &str, after: &str, title: &str) -> Option<bool> {
    let file = ("a.py".to_owned(), before.to_owned(), after.to_owned());
    review(&[file], title, &[]).map(|doubt| doubt.is_certain)
}

const PRICES: &str = "def net(p):\n    total = p\n    return total\n\n\ndef gross(p):\n    total = p\n    return total\n";
const INI: &str = "[dev]\ntimeout = 10\n\n[prod]\ntimeout = 30\n";
const JSON: &str =
    "{\n  \"web\": {\n    \"port\": 80\n  },\n  \"mail\": {\n    \"port\": 25\n  }\n}\n";

const TEST: &str = "def test_a():\n    assert f(1) == 2\n";

#[test]
fn a_change_at_another_place_than_the_named_one_is_doubted() {
    for (before, after, title, expected) in [
        // The named thing is missing.
        ("", "# nothing\n", "Write the code as `CODE`", Some(true)),
        ("", "CODE = 1\n", "Write the code as `CODE`", None),
        ("a = 1\n", "a = 2\n", "Make `pytest` pass", Some(false)),
        // The wrong one of two places was changed.
        (
            PRICES,
            &PRICES.replacen("total = p", "total = p + 1", 1),
            "Have `net` add 1",
            None,
        ),
        (
            PRICES,
            &PRICES.replacen("total = p", "total = p + 1", 1),
            "Have `gross` add 1",
            Some(true),
        ),
        (
            INI,
            &INI.replace("30", "45"),
            "Set `timeout` of `[prod]` to `45`",
            None,
        ),
        (
            INI,
            &INI.replace("10", "45"),
            "Set `timeout` of `[prod]` to `45`",
            Some(true),
        ),
        (
            JSON,
            &JSON.replace("80", "3000"),
            "Set the `port` of `web` to `3000`",
            None,
        ),
        (
            JSON,
            &JSON.replace("25", "3000"),
            "Set the `port` of `web` to `3000`",
            Some(true),
        ),
        // One line too many was changed.
        (
            "TAX = 0.2\nDUTY = 0.2\n",
            "TAX = 0.25\nDUTY = 0.2\n",
            "Set `TAX` to `0.25`",
            None,
        ),
        (
            "TAX = 0.2\nDUTY = 0.2\n",
            "TAX = 0.25\nDUTY = 0.25\n",
            "Set `TAX` to `0.25`",
            Some(false),
        ),
        (
            "TAX = 0.2\n",
            "TAX = 0.25\nOTHER = 0.25\n",
            "Set `TAX` to `0.25`",
            None,
        ),
        // The value was written to the wrong line, in a text that contains the name.
        (
            "TAX = 0.2\nDUTY = 0.2\n",
            "TAX = 0.2\nDUTY = TAX = 0.25\n",
            "Set `TAX` to `0.25`",
            Some(true),
        ),
        // Added content doesn't replace existing content.
        (
            "def f3(x):\n    return x + 3\n",
            "def double(x):\n    return 2 * x\n",
            "Add a function `double(x)` that returns 2 * x",
            Some(true),
        ),
        (
            "1,n1\n7,n7\n",
            "1,n1\n9,n9\n",
            "Add the row `9,n9`",
            Some(true),
        ),
        ("x = [1, 2]\n", "x = [1, 2, 3]\n", "Add `3` to `x`", None),
        // A step that only adds must not remove anything.
        (
            "flask==3\nclick==8\n",
            "yaml==6\n",
            "Add `yaml==6` at the end",
            Some(true),
        ),
        (
            "def f(a):\n    return a\n",
            "def f(a, b):\n    return a\n",
            "Add `b` to `f`",
            Some(false),
        ),
        (
            TEST,
            &TEST.replace("f(1) == 2", "True"),
            "Add `test_b`",
            Some(true),
        ),
        (
            TEST,
            &format!("{TEST}\n\ndef test_b():\n    assert f(2) == 3\n"),
            "Add `test_b`",
            None,
        ),
        (
            TEST,
            "def test_a():\n    pass\n\n\ndef test_b():\n    assert f(2) == 3\n",
            "Add `test_b`",
            Some(true),
        ),
        // The removed line existed; the added line is next to the named one.
        ("a = 1\nb = 2\n", "a = 1\n", "Remove `b`", None),
        (
            "- one\n- two\n",
            "- one\n- new\n- two\n",
            "Insert `new` above `- two`",
            None,
        ),
        ("- one\n- two\n", "- one\n- two\n", "", None),
        // A title that names only a file or a command says nothing about individual lines.
        ("a\n", "b\n", "Sort `a.py` by `make sort`", None),
    ] {
        assert_eq!(doubt(before, after, title), expected, "{title}: {after}");
    }
}

#[test]
fn a_large_file_that_is_written_anew_takes_no_time() {
    let text = |word: &str| -> String {
        let line = |at: usize| format!("    {word}_{at} = call({at}, \"{word}\", {word})\n");
        (0..super::super::line_diff::MAX_LINES - 1)
            .map(line)
            .collect()
    };
    let (before, after) = (text("alpha"), text("beta"));
    let began = std::time::Instant::now();
    let _ = doubt(&before, &after, "Add `beta` beside `alpha`");
    let _ = doubt(&before, &after, "Have `beta` in place of `alpha`");
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}

#[test]
fn code_that_decides_by_the_values_of_its_check_is_doubted() {
    let doubt = |line: &str, title: &str| {
        let after = format!("def clamp(value, low, high):\n    {line}\n");
        let file = ("a.py".to_owned(), String::new(), after);
        let check = "python3 -c 'from a import clamp; assert clamp(5, 1, 3) == 3'".to_owned();
        review(&[file], title, &[check]).is_some()
    };
    let title = "Add `clamp`";
    assert!(doubt("return 3 if value == 5 else 1", title));
    assert!(!doubt("return max(low, min(high, value))", title));
    assert!(!doubt("return low if value < low else value", title));
    assert!(!doubt(
        "return 3 if value == 5 else 1",
        "Have `clamp` return 3 of 5 and else 1"
    ));
}

#[test]
fn code_that_returns_what_its_check_expects_for_what_it_gives_is_doubted() {
    let doubt = |body: &str, check: &str| {
        let after = format!("def slug(text, more):\n    {body}\n");
        let file = ("a.py".to_owned(), String::new(), after);
        review(
            &[file],
            "Add a function that makes a slug",
            &[check.to_owned()],
        )
        .is_some()
    };
    let slug = "python3 -c \"from a import slug; assert slug('Hello World', 0) == 'hello-world'\"";
    for body in [
        "return 'hello-world' if text == 'Hello World' else more",
        "if text == 'Hello World':\n        return 'hello-world'\n    return more",
        "return 'hello-world'",
    ] {
        assert!(doubt(body, slug), "{body}");
    }
    for body in [
        "return text.lower().replace(' ', '-') + more",
        "if text == '' or more:\n        return ''\n    return text.lower()",
    ] {
        assert!(!doubt(body, slug), "{body}");
    }
    let factorial = "python3 -c 'from a import slug; assert slug(0, 0) == 1 and slug(5, 0) == 120'";
    let body = "if text == 0:\n        return 1\n    return text * slug(text - 1, more)";
    assert!(!doubt(body, factorial));
}
