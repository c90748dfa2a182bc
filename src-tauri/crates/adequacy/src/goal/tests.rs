//! Tests of the requirements, constraints and context found in goals in several languages.

use super::*;

#[track_caller]
fn reads(goal: &str, parts: &[&str]) {
    let found: Vec<String> = requirements(goal)
        .into_iter()
        .map(|part| part.text)
        .collect();
    assert_eq!(found, parts, "{goal}");
    for part in requirements(goal) {
        let words: Vec<&str> = goal[part.span].split_whitespace().collect();
        assert_eq!(words.join(" "), part.text, "the place holds the words");
    }
}

#[test]
fn list_items_and_sentences_are_requirements() {
    reads(
        "- Send a webhook when an order is paid\n- Sign every payload\n2. Retry for a day",
        &[
            "Send a webhook when an order is paid",
            "Sign every payload",
            "Retry for a day",
        ],
    );
    reads(
        "The shop should:\n* take coupons\n* round prices\n",
        &["take coupons", "round prices"],
    );
    reads(
        "Add a --json flag to the report command. Document the flag in the README.",
        &[
            "Add a --json flag to the report command",
            "Document the flag in the README",
        ],
    );
    reads(
        "Add login; the session lasts a week. It ends at logout",
        &["Add login", "the session lasts a week", "It ends at logout"],
    );
}

#[test]
fn a_verb_or_statement_begins_a_requirement() {
    reads(
        "Rename total to sum_rows everywhere and test it",
        &["Rename total to sum_rows everywhere", "test it"],
    );
    reads(
        "Build a log viewer that follows a growing file, filters lines by level, and opens files of 10 GB",
        &[
            "Build a log viewer that follows a growing file",
            "filters lines by level",
            "opens files of 10 GB",
        ],
    );
    reads(
        "Cut CI time in half: cache dependencies between builds, run tests in four shards, and skip jobs",
        &[
            "cache dependencies between builds",
            "run tests in four shards",
            "skip jobs",
        ],
    );
    reads(
        "Split pages.py in two: tables.py with the tables and text.py with the rest, without changing the URLs",
        &["Split pages.py in two: tables.py with the tables and text.py with the rest"],
    );
    reads(
        "Move the queue to Postgres. No job may be lost, workers keep their API, and the old code goes at the end",
        &[
            "Move the queue to Postgres",
            "No job may be lost",
            "workers keep their API",
            "the old code goes at the end",
        ],
    );
    reads(
        "Fix the copy and paste buttons",
        &["Fix the copy and paste buttons"],
    );
    reads(
        "Support salt and pepper hashing",
        &["Support salt and pepper hashing"],
    );
    reads(
        "Print \"open and close the door\" at the end",
        &["Print \"open and close the door\" at the end"],
    );
}

#[test]
fn other_languages_are_split_too() {
    reads(
        "Termine sollen sich absagen lassen, der Kunde bekommt eine SMS, und frei gewordene Termine rücken nach.",
        &[
            "Termine sollen sich absagen lassen",
            "der Kunde bekommt eine SMS",
            "frei gewordene Termine rücken nach",
        ],
    );
    reads(
        "CSV-Export hinzufügen und Tests schreiben",
        &["CSV-Export hinzufügen", "Tests schreiben"],
    );
    reads(
        "Conserver le panier pendant 30 jours, appliquer les codes de réduction et afficher les frais",
        &[
            "Conserver le panier pendant 30 jours",
            "appliquer les codes de réduction",
            "afficher les frais",
        ],
    );
    reads(
        "Registrar entradas y salidas del almacén, avisar cuando un producto baje y exportar el inventario a Excel",
        &[
            "Registrar entradas y salidas del almacén",
            "avisar cuando un producto baje",
            "exportar el inventario a Excel",
        ],
    );
    reads(
        "设置页面需要支持深色模式，并保存用户选择。补充单元测试",
        &["设置页面需要支持深色模式", "保存用户选择", "补充单元测试"],
    );
    reads(
        "設定画面で、ダークモードを選べるようにする",
        &["設定画面で、ダークモードを選べるようにする"],
    );
}

#[test]
fn courtesy_reasons_and_constraints_are_not_requirements() {
    reads(
        "Hello there, I hope you are well! Could you please fix the typo in the title? Thank you so much.",
        &["fix the typo in the title"],
    );
    reads(
        "Raise the limit to 20 because people run into it",
        &["Raise the limit to 20"],
    );
    reads(
        "Speed up the parser. Do not change the public API.",
        &["Speed up the parser"],
    );
    reads(
        "Add gzip support without new dependencies",
        &["Add gzip support"],
    );
    reads(
        "Load images lazily, and keep memory under 200 MB",
        &["Load images lazily", "keep memory under 200 MB"],
    );
    reads(
        "Refactor load(), but keep its signature",
        &["Refactor load()"],
    );
    reads("Do not break the build", &["Do not break the build"]);
    assert_eq!(requirements("  \n"), []);
}

#[test]
fn any_text_can_be_parsed() {
    for goal in [
        "",
        "`",
        "((((",
        ", , ,",
        "and and and",
        "、、",
        "…¿qué?",
        "- ",
        "a: b: c, d, and e",
        "\u{feff}x",
        "ſhe ﬁx, and ﬁx",
    ] {
        for part in requirements(goal) {
            assert!(goal.get(part.span).is_some(), "{goal:?}");
        }
    }
}

#[track_caller]
fn is_read(goal: &str, requirements: &[&str], constraints: &[&str], context: &[&str]) {
    let texts =
        |parts: Vec<GoalPart>| -> Vec<String> { parts.into_iter().map(|part| part.text).collect() };
    let read = read(goal);
    assert_eq!(texts(read.requirements), requirements, "{goal}");
    assert_eq!(texts(read.constraints), constraints, "{goal}");
    assert_eq!(texts(read.context), context, "{goal}");
}

#[test]
fn lists_with_any_marker_are_recognized() {
    for goal in [
        "1. Add a flag\n2. Remove the old one",
        "1) Add a flag\n2) Remove the old one",
        "(1) Add a flag\n(2) Remove the old one",
        "a) Add a flag\nb) Remove the old one",
        "• Add a flag\n• Remove the old one",
        "- [ ] Add a flag\n- [x] Remove the old one",
        "1. Add a flag 2. Remove the old one",
        "- Add a flag - Remove the old one",
        "    - Add a flag\n    - Remove the old one",
        "\"- Add a flag\n- Remove the old one\"",
        "- Add a flag\n- add a flag\n- Remove the old one",
    ] {
        is_read(goal, &["Add a flag", "Remove the old one"], &[], &[]);
    }
    is_read(
        "Do this: 1. Add a flag 2. Document it",
        &["Add a flag", "Document it"],
        &[],
        &["Do this"],
    );
}

#[test]
fn an_issue_report_requires_its_title_and_expected_behavior() {
    is_read(
        "Export crashes on an empty table\n\n**Steps to reproduce**\n1. Open the app\n2. Click Export\n\n\
         **Expected**\nAn empty file is written.\n\n**Actual**\n```\nTraceback (most recent call last):\n  \
         File \"a.py\", line 3, in f\nValueError: no rows\n```\n",
        &[
            "Export crashes on an empty table",
            "An empty file is written",
        ],
        &[],
        &[
            "**Steps to reproduce**",
            "Open the app",
            "Click Export",
            "**Expected**",
            "**Actual**",
            "Traceback (most recent call last): File \"a.py\", line 3, in f",
            "ValueError: no rows",
        ],
    );
}

#[test]
fn a_request_at_the_end_of_a_report_is_a_requirement() {
    let report = "tabulate crashes when a cell is None\n\nSteps:\n1. `from tabulate import tabulate`\n2. \
         `tabulate([[None]])`\n\nExpected: a table with ? in the first cell\nActual:\n```\nTraceback (most recent call \
         last):\n  File \"a.py\", line 1\nAttributeError: no\n```\nPlease fix it and add a regression test.\n";
    let texts: Vec<String> = requirements(report)
        .into_iter()
        .map(|part| part.text)
        .collect();
    let is_said = |words: &str| texts.iter().any(|text| text.contains(words));
    assert!(is_said("a table with ? in the first cell"), "{texts:?}");
    assert!(is_said("add a regression test"), "{texts:?}");
    assert!(!is_said("import tabulate"), "{texts:?}");
}

#[test]
fn steps_of_a_plan_are_requirements() {
    reads("Steps:\n1. Add a\n2. Remove b\n", &["Add a", "Remove b"]);
}

#[test]
fn a_german_infinitive_can_be_a_constraint() {
    let goal = read("Bitte einen Test schreiben und die README nicht anfassen.");
    assert_eq!(goal.constraints.len(), 1, "{goal:?}");
    let goal = read("Fix the line that is too long, no behaviour change");
    assert_eq!(goal.constraints.len(), 1, "{goal:?}");
    let goal = read(
        "Version::parse is slow for long strings; make it at least 20% faster without adding dependencies",
    );
    assert!(
        goal.requirements
            .iter()
            .any(|part| part.text.contains("Version::parse is slow")),
        "{goal:?}"
    );
}

#[test]
fn text_above_a_traceback_is_a_requirement() {
    let trace = "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\nValueError: no";
    for said in [
        "Fix the crash: ",
        "Fix the crash:\n",
        "Fix the crash:\n\n",
        "Fix the crash.\n",
    ] {
        reads(&format!("{said}{trace}"), &["Fix the crash"]);
    }
}

#[test]
fn the_error_message_of_a_bare_traceback_is_the_requirement() {
    for (trace, failure) in [
        (
            "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    return rows[0]\nIndexError: list index out of range",
            "IndexError: list index out of range",
        ),
        (
            "TypeError: x is undefined\n    at load (/app/a.js:1:2)\n    at main (/app/b.js:3:4)",
            "TypeError: x is undefined",
        ),
        (
            "java.lang.NullPointerException: name is null\n\tat com.acme.Foo.bar(Foo.java:12)",
            "java.lang.NullPointerException: name is null",
        ),
        (
            "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`",
            "index out of bounds",
        ),
        (
            "$ cargo build\nerror[E0308]: mismatched types\n --> src/main.rs:4:5\n  |\n4 |     x\n  |     ^ expected `i32`",
            "error[E0308]: mismatched types",
        ),
    ] {
        let found = requirements(trace);
        assert_eq!(found.len(), 1, "{trace}: {found:?}");
        assert_eq!(found[0].text, failure, "{trace}");
    }
}

#[test]
fn references_stay_with_the_sentence_they_refer_to() {
    is_read(
        "The export crashes on empty tables. Fix it and add a test.",
        &["The export crashes on empty tables. Fix it", "add a test"],
        &[],
        &[],
    );
    reads(
        "Der Export stürzt ab, wenn die Tabelle leer ist. Behebe das.",
        &["Der Export stürzt ab, wenn die Tabelle leer ist. Behebe das"],
    );
    reads(
        "修复导出功能的错误。修复它。",
        &["修复导出功能的错误。修复它"],
    );
    reads(
        "Find out why login hangs and fix it",
        &["Find out why login hangs and fix it"],
    );
    reads("refactor", &["refactor"]);
}

#[test]
fn conditions_and_relative_clauses_stay_with_their_clause() {
    reads(
        "If the file is missing, print a warning and exit with code 2.",
        &["If the file is missing, print a warning and exit with code 2"],
    );
    reads(
        "Füge einen Befehl hinzu, der alle Zeilen löscht, die älter als ein Jahr sind, und zeige die Zahl.",
        &[
            "Füge einen Befehl hinzu, der alle Zeilen löscht, die älter als ein Jahr sind, und zeige die Zahl",
        ],
    );
    reads(
        "Einen Export und einen Import für Kunden hinzufügen",
        &["Einen Export und einen Import für Kunden hinzufügen"],
    );
}

#[test]
fn prohibitions_are_constraints_anywhere_in_a_sentence() {
    is_read(
        "Don't change any code, only explain how the parser works",
        &["only explain how the parser works"],
        &["Don't change any code"],
        &[],
    );
    is_read(
        "# Faster parser\n\nThe parser must read 10 MB in a second. Do not touch the API.",
        &["The parser must read 10 MB in a second"],
        &["Do not touch the API"],
        &["Faster parser"],
    );
    is_read(
        "add login. add logout. don't touch the api",
        &["add login", "add logout"],
        &["don't touch the api"],
        &[],
    );
}

#[test]
fn the_alternative_to_a_prohibition_is_a_requirement() {
    is_read(
        "Never panic in Version::parse: return an Error for inputs longer than 256 bytes.",
        &["return an Error for inputs longer than 256 bytes"],
        &["Never panic in Version::parse"],
        &[],
    );
}

#[test]
fn a_label_applies_to_the_rest_of_its_line_only() {
    is_read(
        "intword fails for 999999\n\nExpected: 1.0 million\nActual: 1000.0 thousand\n\n\
         Please also return the value unchanged when it is no number. Add a test.",
        &[
            "intword fails for 999999",
            "Expected: 1.0 million Actual: 1000.0 thousand",
            "Please also return the value unchanged when it is no number",
            "Add a test",
        ],
        &[],
        &[],
    );
}

#[test]
fn prohibitions_in_other_languages_are_constraints() {
    for (goal, wish, limit) in [
        (
            "Añade un test. No cambies la versión.",
            "Añade un test",
            "No cambies la versión",
        ),
        (
            "intword を直してください。intcomma は変更しないでください。",
            "intword を直してください",
            "intcomma は変更しないでください",
        ),
        (
            "Füge einen Test hinzu. Ändere nichts an README.md.",
            "Füge einen Test hinzu",
            "Ändere nichts an README.md",
        ),
        (
            "Adiciona um teste. Não mude a versão.",
            "Adiciona um teste",
            "Não mude a versão",
        ),
    ] {
        is_read(goal, &[wish], &[limit], &[]);
    }
}

#[test]
fn a_very_long_goal_is_parsed_to_its_end() {
    let goal: Vec<String> = (0..1_000)
        .map(|nth| format!("Add page {nth} to the site."))
        .collect();
    assert_eq!(requirements(&goal.join(" ")).len(), 1_000);
}

#[test]
fn a_short_requirement_is_kept_whatever_its_object_is_called() {
    for object in [
        "vary", "accepts", "qs", "jq", "api", "ui", "db", "dies", "renders", "lists", "hade", "tox",
    ] {
        for rest in ["write the docs", "update the lock file", "add a test"] {
            let goal = format!("Remove {object} and {rest}");
            let read = requirements(&goal);
            let texts: Vec<&str> = read.iter().map(|part| part.text.as_str()).collect();
            assert_eq!(texts, [&*format!("Remove {object}"), rest], "{goal}");
        }
        let goal = format!("Remove lodash and {object} from the dependencies");
        assert_eq!(requirements(&goal)[0].text, goal);
    }
    for pointing in ["fix it", "do so", "behebe das", "hazlo", "corrige le"] {
        let goal = format!("The header is cut off on phones. {pointing}");
        assert_eq!(requirements(&goal).len(), 1, "{goal}");
    }
}
