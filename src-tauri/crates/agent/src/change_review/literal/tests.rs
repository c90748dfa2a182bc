//! What the title literally asks for, and changes that are something else.

use super::*;

fn doubt(title: &str, before: &str, after: &str) -> Option<bool> {
    let file = ("a.txt".to_owned(), before.to_owned(), after.to_owned());
    literal_doubt(&[file], title).map(|doubt| doubt.is_certain)
}

#[test]
fn what_was_to_be_replaced_may_not_be_there_any_more() {
    let foo = "foo one\nfoo two\n";
    for (title, before, after, certain) in [
        (
            "Replace every `foo` by `bar` in a.txt",
            foo,
            "bar one\nfoo two\n",
            true,
        ),
        (
            "Ersetze überall `foo` durch `bar`",
            foo,
            "bar one\nfoo two\n",
            true,
        ),
        ("Rename `foo` to `bar`", foo, "bar one\nfoo two\n", false),
        (
            "Replace `foo2` by `bar`",
            "foo2\nfoo2\n",
            "bar\nfoo2\n",
            false,
        ),
        (
            "Replace `foo` by `bar`",
            "foo\nbar\n",
            "foo\nbar\nbar\n",
            true,
        ),
    ] {
        assert_eq!(doubt(title, before, after), Some(certain), "{title}");
    }
    for (title, before, after) in [
        ("Replace every `foo` by `bar`", foo, "bar one\nbar two\n"),
        (
            "Replace the first `foo` by `bar`",
            foo,
            "bar one\nfoo two\n",
        ),
        (
            "Replace `foo` by `bar` in line 2",
            foo,
            "foo one\nbar two\n",
        ),
        ("Replace `foo` by `foo_bar`", "foo\n", "foo_bar\n"),
        ("Replace `foo` by `my foo`", "foo\n", "my foo\n"),
        (
            "Change how `foo` calls `bar`",
            "foo()\nbar()\n",
            "foo(1)\nbar(2)\nbaz()\n",
        ),
    ] {
        assert_eq!(doubt(title, before, after), None, "{title}");
    }
}

#[test]
fn what_was_to_go_is_gone() {
    let text = "name = x\nDEBUG = 1\nlevel = 2\n";
    for after in [
        "name = x\n# DEBUG = 1\nlevel = 2\n",
        "name = x\nDEBUG = 0\nlevel = 2\n",
        "name = x\nDEBUG = 1\n",
    ] {
        let title = "Remove the `DEBUG` setting from a.txt";
        assert_eq!(doubt(title, text, after), Some(true), "{after}");
    }
    let title = "Remove `DEBUG` from the block of `name`";
    assert_eq!(doubt(title, text, "name = x\nlevel = 2\n"), None);
    assert_eq!(doubt("Remove the setting", text, "name = x\n"), None);
}

#[test]
fn what_was_to_be_there_is_there() {
    for (title, before, after) in [
        (
            "Set `VERSION` to `2.0`",
            "VERSION = 1.0\n",
            "VERSION = 1.9\n",
        ),
        (
            "Add the line `alpha = 1` and the line `beta = 2`",
            "x\n",
            "x\nalpha = 1\n",
        ),
        ("Create a.txt with the text `Hello, world`", "", "Hello\n"),
        ("Write `beta new` into a.txt", "beta\n", "beta\nother\n"),
        ("Replace `b2` with `two words` in a.txt", "a\n", "a\ntwo\n"),
        ("Add \"two words\" to a.txt", "two\n", "two\nthree\n"),
        (
            "Set the title to \"Two words\"",
            "title: a\n",
            "title: Two\n",
        ),
        (
            "Setze den Titel auf „Zwei Wörter“",
            "title: a\n",
            "title: Zwei\n",
        ),
    ] {
        assert_eq!(doubt(title, before, after), Some(false), "{title}");
    }
    for (title, before, after) in [
        (
            "Set `VERSION` to `2.0`",
            "VERSION = 1.0\n",
            "VERSION = 2.0\n",
        ),
        (
            "Write a \"hello world\" program",
            "",
            "print('Hello, world!')\n",
        ),
        ("Set the title to `Two words`", "# a\n", "# Two words\n"),
        ("Add a link to `the other page`", "x\n", "x\n[page](p.md)\n"),
        (
            "Write down what `git status` says",
            "",
            "nothing to commit\n",
        ),
        (
            "Add a `--dry-run` flag beside `verbose`",
            "verbose: bool\n",
            "verbose: bool\ndry_run: bool\n",
        ),
        (
            "Add a test that `report --csv` prints `rows`",
            "rows\n",
            "rows\n[\"report\", \"--csv\"]\n",
        ),
        (
            "Add a function `median(values)` beside `mean`",
            "def mean(v)\n",
            "def mean(v)\ndef median(v)\n",
        ),
    ] {
        assert_eq!(doubt(title, before, after), None, "{title}");
    }
}
