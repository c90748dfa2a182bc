//! Tests of what counts as a loss of content.

/// The loss caused by a single write to one file.
fn loss(path: &str, before: &str, after: &str) -> Option<String> {
    super::loss(path, before, after, &[])
}

fn functions(count: usize) -> String {
    let one = |at: usize| format!("def f{at}(a):\n    return a + {at}\n\n");
    (0..count).map(one).collect()
}

#[test]
fn functions_that_comments_of_the_same_size_replace_are_a_loss() {
    let before = functions(30);
    let mut after = functions(1);
    while after.len() < before.len() - 8 {
        after.push_str("# kept\n");
    }
    let lost = loss("src/a.py", &before, &after).unwrap();
    assert_eq!(
        lost,
        "29 of its 30 definitions: f1, f2, f3, f4, f5 and 24 more"
    );
}

#[test]
fn a_stub_in_the_place_of_a_module_is_a_loss_in_every_language() {
    let modules = [
        (
            "a.rs",
            "pub struct Config {\n    a: u8,\n}\n\nimpl Config {\n    pub(crate) fn read() -> Self {\n        todo()\n    }\n}\n",
            "// later\n",
        ),
        (
            "a.go",
            "type T struct {\n}\n\nfunc (t *T) Name() string {\n\treturn \"\"\n}\n",
            "package a\n",
        ),
        (
            "a.ts",
            "export const a = 1;\nexport async function load(x: string) {\n  return x;\n}\n",
            "// later\n",
        ),
        (
            "a.c",
            "static int add(int a, int b) {\n  return a + b;\n}\n",
            "int main;\n",
        ),
        (
            "A.java",
            "public class A {\n  public int add(int a) {\n    return a;\n  }\n}\n",
            "// later\n",
        ),
        (
            "a.sql",
            "CREATE TABLE users (\n  id int\n);\n",
            "-- later\n",
        ),
        ("a.sh", "greet() {\n  echo hi\n}\n", "echo hi\n"),
        ("a.md", "# A\n\n## B\n\n## C\n", "later\n"),
        ("a.json", "{\"a\": 1, \"b\": {\"c\": 2}}", "{}"),
        ("a.toml", "[package]\nname = \"a\"\n", "# later\n"),
        ("a.yaml", "a: 1\nb:\n  c: 2\n", "# later\n"),
        ("a.css", ".a {\n  color: red;\n}\n", "/* later */\n"),
    ];
    for (path, before, after) in modules {
        assert!(loss(path, before, after).is_some(), "{path}");
    }
}

#[test]
fn what_honest_edits_do_is_no_loss() {
    let before = functions(12);
    let renamed = before.replace("def f3(", "def third(");
    assert_eq!(loss("a.py", &before, &renamed), None, "a rename");
    let changed = before.replace("return a + 3", "return a - 3");
    assert_eq!(loss("a.py", &before, &changed), None, "a body");
    let fewer = before.replace("def f3(a):\n    return a + 3\n\n", "");
    assert_eq!(loss("a.py", &before, &fewer), None, "one of twelve");
    let reworded = before.replace("return a", "value = a\n    return value");
    assert_eq!(loss("a.py", &before, &reworded), None, "every body");
    let typed = before.replace("(a):", "(a: int) -> int:");
    assert_eq!(loss("a.py", &before, &typed), None, "every signature");
    assert_eq!(loss("a.py", "", &before), None, "an empty file");
    assert_eq!(loss("greetings.txt", "hello\n", "good day\n"), None);
    let json = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    let one_less = json.replace("  \"b\": 2,\n", "");
    assert_eq!(loss("a.json", json, &one_less), None, "one key of three");
}

#[test]
fn most_lines_of_a_file_are_a_loss_though_it_defines_nothing() {
    let rows: String = (0..40)
        .map(|at| format!("row{at},{},x{at}\n", at * 7))
        .collect();
    let short: String = rows.lines().take(3).map(|row| format!("{row}\n")).collect();
    assert_eq!(loss("a.csv", &rows, &short).unwrap(), "37 of its 40 lines");
    let comments = "# nothing here\n".repeat(40);
    assert_eq!(
        loss("a.csv", &rows, &comments).unwrap(),
        "40 of its 40 lines"
    );
    assert_eq!(loss("a.csv", &rows, &(rows.clone() + "more\n")), None);
    assert_eq!(loss("a.csv", &rows, "").unwrap(), "all of its 40 lines");
}

#[test]
fn what_is_emptied_or_put_into_a_string_or_comment_is_thrown_away() {
    let python = functions(6);
    let rust: String = (0..6)
        .map(|at| format!("pub fn f{at}(a: u8) -> u8 {{\n    a + {at}\n}}\n\n"))
        .collect();
    let emptied = |text: &str, body: &str, stub: &str| {
        let kept = |line: &str| match line.trim_start().starts_with(body) {
            true => format!("    {stub}\n"),
            false => format!("{line}\n"),
        };
        text.lines().map(kept).collect::<String>()
    };
    let cases = [
        ("a.py", &python, emptied(&python, "return", "pass")),
        ("a.py", &python, emptied(&python, "return", "...")),
        ("a.py", &python, emptied(&python, "return", "return None")),
        (
            "a.py",
            &python,
            emptied(&python, "return", "raise NotImplementedError()"),
        ),
        (
            "a.py",
            &python,
            emptied(&python, "return", "\"\"\"Later.\"\"\""),
        ),
        ("a.py", &python, format!("x = 1\n\"\"\"\n{python}\"\"\"\n")),
        ("a.py", &python, format!("OLD = '''\n{python}'''\n")),
        ("a.rs", &rust, emptied(&rust, "a +", "todo!()")),
        ("a.rs", &rust, emptied(&rust, "a +", "// later")),
        (
            "a.rs",
            &rust,
            emptied(&rust, "a +", "unimplemented!(\"later\")"),
        ),
        (
            "a.rs",
            &rust,
            format!("/*\n{rust}*/\npub fn one() {{ two() }}\n"),
        ),
        (
            "a.rs",
            &rust,
            format!("const OLD: &str = r#\"\n{rust}\"#;\n"),
        ),
        (
            "a.ts",
            &rust,
            emptied(&rust, "a +", "return;").replace(") -> u8", "): number"),
        ),
        ("a.js", &rust, format!("const old = `\n{rust}`;\n")),
        ("a.c", &rust, format!("#if 0\n{rust}#endif\nint a;\n")),
    ];
    for (path, before, after) in cases {
        let lost = loss(path, before, &after);
        assert!(
            lost.is_some_and(|lost| lost.starts_with("6 of its 6")),
            "{path}:\n{after}"
        );
    }
}

#[test]
fn what_moves_to_another_file_or_gets_shorter_is_no_loss() {
    let before = functions(12);
    let half = functions(6);
    let rest = before.replacen(&half, "", 1);
    let moved = [(String::new(), format!("import os\n\n{half}"))];
    assert_eq!(super::loss("a.py", &before, &rest, &moved), None, "a move");
    let was_there = [(half.clone(), half.clone())];
    let lost = super::loss("a.py", &before, &rest, &was_there);
    assert!(lost.is_some(), "what was there before was not moved");
    let longer = before.replace("    return a", "    b = a\n    return b");
    assert_eq!(loss("a.py", &longer, &before), None, "shorter bodies");
    let guarded = before.replace(
        "    return a",
        "    if not a:\n        return None\n    return a",
    );
    assert_eq!(loss("a.py", &before, &guarded), None, "a guard in each");
    let documented = before.replace("(a):\n", "(a):\n    \"\"\"\n    Adds.\n    \"\"\"\n");
    assert_eq!(loss("a.py", &before, &documented), None, "docstrings");
    assert_eq!(
        loss("a.py", &documented, &before),
        None,
        "docstrings that go"
    );
    let globbed = format!("GLOB = \"src/**/*.py\"\n{before}");
    assert_eq!(
        loss("a.py", &before, &globbed),
        None,
        "a glob opens no comment"
    );
    let commented = format!("# it's `quoted\n{before}");
    assert_eq!(loss("a.py", &before, &commented), None, "a lone quote");
    let methods =
        "class A:\n    def a(self):\n        return 1\n\n    def b(self):\n        pass\n";
    let filled = methods.replace("pass", "return 2");
    assert_eq!(
        loss("a.py", methods, &filled),
        None,
        "a stub that is filled in"
    );
    let one = filled.replace("return 2", "pass");
    assert_eq!(
        loss("a.py", &filled, &one),
        None,
        "one body of three definitions"
    );
}

#[test]
fn one_definition_that_nobody_spoke_of_is_doubted_when_the_step_is_done() {
    let is_dropped = |before: &[(&str, &str)], after: &[(&str, &str)], title: &str| {
        let text = |of: &[(&str, &str)], path: &str| {
            let found = of.iter().find(|(other, _)| *other == path);
            found.map_or(String::new(), |(_, text)| (*text).to_owned())
        };
        let files = after
            .iter()
            .map(|(path, _)| ((*path).to_owned(), text(before, path), text(after, path)));
        super::dropped(&files.collect::<Vec<_>>(), title).is_some()
    };
    let greet = "def greet(name):\n    return name\n";
    let part = "def part(name):\n    return name\n";
    let both = format!("{greet}\n\n{part}");
    let longer = "def greet(name, mark):\n    return name + mark\n";
    let (one, two) = ([("a.py", both.as_str())], [("a.py", longer)]);
    assert!(is_dropped(&one, &two, "Give `greet` a second parameter"));
    assert!(!is_dropped(&one, &two, "Merge `part` into `greet`"));
    assert!(!is_dropped(
        &one,
        &[("a.py", longer), ("b.py", part)],
        "Split a.py"
    ));
    let renamed = both.replace("part", "leave");
    assert!(!is_dropped(
        &one,
        &[("a.py", &renamed)],
        "Choose better names"
    ));
    let (json, less) = ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\n  \"a\": 3\n}\n");
    assert!(is_dropped(
        &[("c.json", json)],
        &[("c.json", less)],
        "Set `a` to 3"
    ));
    let (long, short) = ("# One\n\ntext\n\n# Two\n", "# One\n\ntext\n");
    assert!(!is_dropped(
        &[("a.md", long)],
        &[("a.md", short)],
        "Shorten it"
    ));
}
