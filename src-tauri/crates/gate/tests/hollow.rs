//! Tests that a change is evidence for a finished step only if its code does something.

use gate::destructive::hollow;

fn judged(path: &str, before: &str, after: &str, title: &str) -> Option<String> {
    hollow(&[(path.into(), before.into(), after.into())], title).map(|doubt| doubt.why)
}

#[test]
fn what_does_nothing_yet_shows_nothing() {
    let held = "import sys\n\n\ndef main():\n    print(sys.argv)\n";
    let cases = [
        ("parser.py", "", "# parser goes here\n"),
        (
            "parser.py",
            "",
            "\"\"\"The parser.\"\"\"\n\nimport re\nfrom os import path\n",
        ),
        ("parser.py", "", "def parse(text):\n    return []\n"),
        (
            "parser.py",
            "",
            "def parse(text):\n    \"\"\"Parses.\"\"\"\n    # later\n    return None\n",
        ),
        ("parser.py", "", "def parse(text):\n    ...\n"),
        ("parser.py", "", "def parse(text): return {}\n"),
        (
            "parser.py",
            "",
            "def parse(text):\n    raise ValueError('no')\n",
        ),
        (
            "parser.py",
            "",
            "class Parser:\n    def parse(self, text):\n        return 0\n",
        ),
        ("parser.py", "", "class Parser:\n    pass\n"),
        (
            "parser.py",
            "",
            "def parse(text):\n    # TODO\n    return text.split(',')\n",
        ),
        (
            "parser.py",
            "",
            "def parse(text):\n    x = 1  # placeholder\n    return x + len(text)\n",
        ),
        (
            "parser.py",
            held,
            &format!("{held}\n\ndef parse(text):\n    return ''\n"),
        ),
        ("parser.py", held, &format!("# parse the text\n{held}")),
        (
            "parser.py",
            "def parse(text):\n    pass\n",
            "def parse(text):\n    return []\n",
        ),
        (
            "parser.py",
            "def parse(text):\n    return text.split()\n",
            "def parse(text):\n    pass\n",
        ),
        (
            "parser.rs",
            "",
            "pub fn parse(text: &str) -> Vec<u8> {\n    todo!()\n}\n",
        ),
        (
            "parser.rs",
            "",
            "use std::fs;\n\npub fn parse(text: &str) -> Vec<u8> {\n    Vec::new()\n}\n",
        ),
        ("parser.rs", "", "fn parse() -> Option<u8> { None }\n"),
        (
            "parser.js",
            "",
            "function parse(text) {\n  throw new Error(\"not implemented\");\n}\n",
        ),
        ("parser.js", "", "export const parse = (text) => null;\n"),
        (
            "parser.js",
            "",
            "export const parse = (text) => {\n  return [];\n};\n",
        ),
        (
            "parser.ts",
            "",
            "export class Parser {\n  parse(text: string) {\n    return {};\n  }\n}\n",
        ),
        (
            "Parser.java",
            "",
            "public class Parser {\n    public int parse(String text) {\n        return 0;\n    }\n}\n",
        ),
        (
            "parser.go",
            "",
            "package parser\n\nfunc Parse(text string) []string {\n\treturn nil\n}\n",
        ),
    ];
    let cases = cases.into_iter().chain([
        ("parser.py", "", ""),
        ("parser.md", "Words.\n", "Words.\n\n"),
        ("parser.py", "", "# def parse\n"),
        (
            "parser.py",
            "",
            "def parse(text):\n    return NotImplemented\n",
        ),
        (
            "parser.py",
            "",
            "def parse(text):\n    assert False, 'later'\n",
        ),
        (
            "parser.py",
            "",
            "import sys\n\ndef parse(text):\n    sys.exit('no')\n",
        ),
    ]);
    for (path, before, after) in cases {
        let why = judged(path, before, after, "Write the parser");
        assert!(why.is_some(), "{path}:\n{after}");
    }
}

#[test]
fn small_honest_changes_are_not_doubted() {
    let held = "import sys\n\nLIMIT = 5\n\n\ndef main():\n    print(sys.argv)\n\n\ndef version():\n    return \"1.2\"\n";
    let change = |from: &str, to: &str| held.replace(from, to);
    let cases = [
        (
            "a.py",
            held,
            change("LIMIT = 5", "LIMIT = 6"),
            "Raise the limit",
        ),
        (
            "a.py",
            held,
            change("import sys", "import sys\nimport re"),
            "Import re in a.py",
        ),
        (
            "a.py",
            held,
            change("    print", "    \"\"\"Prints.\"\"\"\n    print"),
            "Add a docstring to main",
        ),
        (
            "a.py",
            held,
            change("LIMIT", "# The most.\nLIMIT"),
            "Comment on the limit",
        ),
        (
            "a.py",
            held,
            change(
                "    print(sys.argv)\n",
                "    if len(sys.argv) < 2:\n        return None\n    print(sys.argv)\n",
            ),
            "Guard main",
        ),
        ("a.py", held, change("LIMIT = 5\n", ""), "Drop the limit"),
        (
            "a.py",
            held,
            change("LIMIT = 5\n", "__version__ = \"2\"\n"),
            "Set the version",
        ),
        (
            "a.py",
            "",
            "def parse(text):\n    return text.split()\n".to_owned(),
            "Write the parser",
        ),
        (
            "a.py",
            "",
            "class Todo:\n    def __init__(self):\n        self.items = []\n".to_owned(),
            "Write the app",
        ),
        (
            "a.py",
            "",
            "def a(text):\n    return text.strip()\n\n\ndef b():\n    return []\n".to_owned(),
            "Write both",
        ),
        (
            "a.js",
            "",
            "export const half = (n) => n / 2;\n".to_owned(),
            "Write half",
        ),
        (
            "a.jsx",
            "",
            "export function Box() {\n  return <input placeholder=\"Name\" />;\n}\n".to_owned(),
            "Write the box",
        ),
        (
            "a.rs",
            "",
            "pub fn half(n: u8) -> u8 {\n    n / 2\n}\n".to_owned(),
            "Write half",
        ),
        (
            "a.rs",
            "",
            "pub fn half(n: u8) -> u8 { n / 2 }\n".to_owned(),
            "Write half",
        ),
        ("notes.md", "", "TODO: ask\n".to_owned(), "Write the notes"),
        ("a.toml", "", "# nothing\n".to_owned(), "Write the settings"),
        ("pkg/__init__.py", "", String::new(), "Make the package"),
    ];
    for (path, before, after, title) in cases {
        assert_eq!(
            judged(path, before, &after, title),
            None,
            "{title}:\n{after}"
        );
    }
}

#[test]
fn blanks_show_nothing_whatever_kind_of_file_they_are_in() {
    for path in ["docs.md", "parser.py", "data.csv"] {
        for (before, after) in [("", ""), ("hello\n", "hello\n\n"), ("a b\n", "a  b\n")] {
            for title in ["Write the docs", "Describe the parser", "Add the header"] {
                let said = judged(path, before, after, title);
                assert!(said.is_some(), "{path} {after:?} {title}");
            }
            for title in ["Make an empty file", "Add a placeholder", "Indent it"] {
                assert_eq!(judged(path, before, after, title), None, "{title}");
            }
        }
    }
}
