//! What goals ask for, in several languages, and what they only say beside that.

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
fn lists_and_sentences_are_parts() {
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
fn verbs_and_statements_begin_a_part() {
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
fn other_languages_are_cut_too() {
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
fn courtesy_reasons_and_limits_are_no_parts() {
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
fn any_text_is_read() {
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
