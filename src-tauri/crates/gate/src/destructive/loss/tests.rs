//! What counts as thrown away, and what does not.

use super::*;

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
