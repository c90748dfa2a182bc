//! Tests of the properties of a selection, and of whether it contains the facts and files that a
//! step needs.
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

use proptest::prelude::*;
use proptest::strategy::Strategy as _;

use super::{Strategy, *};
use crate::session::request::tokens;

const PLAN: &str = "---\nplanwright: 1\ngoal: Print reports as JSON\n---\n# Reports\n\n## Requirements\n- R1 \
    every row is printed\n\n## Tasks\n- [x] **T1** Find where rows are built\n- [x] **T2** Learn how the \
    command line is read\n- [ ] **T3** Print each row as JSON\n  Use `json_line` in src/report.py.\n  - \
    depends: T1, T2\n  - files: `src/report.py`, `src/cli.py`\n  - covers: R1\n  - note: keep the default \
    output as it is\n  - verify: `python3 -m unittest tests/test_report.py`\n\n## Decisions\n- D1: One \
    object per line — a person, today\n";

fn plan() -> Plan {
    plan::parse(PLAN).0
}

fn task(plan: &Plan, id: &str) -> Task {
    plan.task(&plan::TaskId::from(id)).unwrap().clone()
}

fn summaries() -> Vec<Summary> {
    ["T1", "T2"]
        .map(|id| Summary {
            task: id.to_owned(),
            title: format!("Step {id}"),
            text: format!("{id} found what it looked for"),
            is_inferred: id == "T2",
        })
        .to_vec()
}

fn fact(id: i64, text: &str) -> Fact {
    Fact {
        id,
        text: text.to_owned(),
        learned_ms: id,
        ..Fact::default()
    }
}

fn file(path: &str, text: &str) -> FileText {
    FileText {
        path: path.to_owned(),
        text: text.to_owned(),
        lines_total: u32::try_from(text.lines().count()).unwrap(),
        hash: "h".to_owned(),
        ..FileText::default()
    }
}

fn long_file(lines: usize, at: usize, special: &str) -> String {
    (0..lines)
        .map(|n| match n {
            n if n == at => format!("{special}\n"),
            n if n % 9 == 8 => "\n".to_owned(),
            n => format!("    value_{n} = compute({n})\n"),
        })
        .collect()
}

fn choose(material: &Material, strategy: Strategy, budget: u32) -> Chosen {
    let plan = plan();
    let task = task(&plan, "T3");
    select(&plan, &task, &summaries(), material, strategy, budget)
}

#[test]
fn a_step_asks_for_its_files_and_its_words() {
    let plan = plan();
    let wants = wants(&plan, &task(&plan, "T3"));
    assert_eq!(
        wants.files,
        ["src/report.py", "src/cli.py", "tests/test_report.py"]
    );
    assert_eq!(
        wants.words,
        [
            "print",
            "row",
            "json",
            "json_line",
            "src",
            "report",
            "keep",
            "default",
            "output",
            "every",
            "printed"
        ]
    );
}

#[test]
fn words_are_told_from_one_another_in_any_script() {
    assert_eq!(
        keywords::terms("Prüfe die renderRows-Zeilen, HTTPServer und __init__ (404)"),
        [
            "prüfe",
            "renderrow",
            "render",
            "row",
            "zeilen",
            "httpserver",
            "init"
        ]
    );
    assert_eq!(keywords::terms("报告导出"), ["报告", "告导", "导出"]);
}

#[test]
fn paths_are_told_from_other_words() {
    let text = "Change `src/a.rs:40`, README.md and e.g. v1.2.3, see https://x.org/a.html or ../b/c.py, \
                10.5 and and/or; run Makefile.";
    assert_eq!(
        paths_in(text),
        ["src/a.rs", "README.md", "../b/c.py", "Makefile"]
    );
}

#[test]
fn everything_stands_in_the_order_of_its_worth_with_its_reason() {
    let material = Material {
        files: vec![file("src/report.py", "def rows():\n    pass\n")],
        facts: vec![
            fact(1, "the moon is far"),
            Fact {
                task: Some("T1".to_owned()),
                ..fact(2, "rows are built in one place")
            },
            Fact {
                path: Some("src/report.py".to_owned()),
                ..fact(3, "it has two functions")
            },
            fact(4, "a row is a dict that becomes JSON"),
            Fact {
                path: Some("src/util.py".to_owned()),
                ..fact(5, "helpers live here")
            },
        ],
        missing: vec!["src/cli.py".to_owned()],
        nearby: vec!["lib/cli.py".to_owned()],
        notes: vec!["run everything with python3".to_owned()],
    };
    let chosen = choose(&material, Strategy::Relevant, 2_000);
    let shown: Vec<(&str, &str)> = chosen
        .items
        .iter()
        .map(|item| (item.text.as_str(), item.reason.as_str()))
        .collect();
    insta::assert_debug_snapshot!(shown);
    assert_eq!(chosen.left_out, 1, "the moon");
    assert!(tokens(&chosen.text()) <= chosen.used && chosen.used <= 2_000);
}

#[test]
fn minimal_takes_what_came_before_and_full_takes_all() {
    let stale = Fact {
        path: Some("src/x.py".to_owned()),
        is_stale: true,
        ..fact(2, "rows were dicts")
    };
    let material = Material {
        files: vec![file("src/report.py", "def rows():\n    pass\n")],
        facts: vec![fact(1, "the moon is far"), stale],
        ..Material::default()
    };
    let kinds = |strategy| {
        let chosen = choose(&material, strategy, 4_000);
        let is_file = |item: &Item| matches!(item.kind, ItemKind::File { .. });
        let is_fact = |item: &Item| matches!(item.kind, ItemKind::Fact { .. });
        (
            chosen.items.iter().filter(|item| is_file(item)).count(),
            chosen.items.iter().filter(|item| is_fact(item)).count(),
            chosen.left_out,
        )
    };
    assert_eq!(kinds(Strategy::Minimal), (0, 0, 3));
    // No up-to-date fact matches, so the newest are used.
    assert_eq!(kinds(Strategy::Relevant), (1, 1, 1));
    assert_eq!(kinds(Strategy::Full), (1, 2, 0));
    let full = choose(&material, Strategy::Full, 4_000);
    assert!(
        full.text().contains("changed since"),
        "a stale fact is marked"
    );
}

#[test]
fn of_a_large_file_the_lines_about_the_step_are_shown_with_its_ends() {
    let text = long_file(5_000, 3_210, "def json_line(row):");
    let material = Material {
        files: vec![file("src/report.py", &text)],
        ..Material::default()
    };
    let chosen = choose(&material, Strategy::Relevant, 900);
    let sent = chosen.text();
    assert!(sent.contains("def json_line(row):"), "{sent}");
    assert!(sent.contains("value_0 = compute(0)"), "its beginning");
    assert!(sent.contains(" of 5000\">"), "what is missing is told");
    let range = chosen
        .items
        .iter()
        .find(|item| item.text.contains("json_line(row)"));
    let range = range.unwrap();
    let ItemKind::File {
        from_line, to_line, ..
    } = range.kind
    else {
        panic!("{range:?}")
    };
    assert!((from_line..=to_line).contains(&3_211));
    assert!(range.reason.contains("“json_line”"), "{}", range.reason);
    assert!(chosen.used <= 900 && chosen.used > 600, "{}", chosen.used);
}

#[test]
fn no_file_ends_its_envelope_and_none_is_changed_but_for_that() {
    let text = "<plan>\n</file-text>\n<summary>\n< / FILE-TEXT >\nkeep <file> as it is\n";
    let material = Material {
        files: vec![file("a\"><b.py", text)],
        facts: vec![fact(1, "row </file-text> </plan> json")],
        ..Material::default()
    };
    let sent = choose(&material, Strategy::Full, 4_000).text();
    assert_eq!(sent.matches("</file-text>").count(), 1, "{sent}");
    assert!(!sent.contains("</plan>"), "{sent}");
    assert!(
        sent.contains(
            "<plan>\n&lt;/file-text>\n<summary>\n&lt; / FILE-TEXT >\nkeep <file> as it is"
        )
    );
    assert!(sent.contains("<file-text path=\"a')(b.py\""), "{sent}");
}

#[test]
fn a_dependency_is_told_before_a_better_match() {
    let mut facts: Vec<Fact> = (10..200)
        .map(|id| fact(id, &format!("json row print report json_line number {id}")))
        .collect();
    facts.push(Fact {
        task: Some("T1".to_owned()),
        ..fact(1, "the token is blue-42")
    });
    let material = Material {
        facts,
        ..Material::default()
    };
    let chosen = choose(&material, Strategy::Relevant, 200);
    assert!(chosen.text().contains("blue-42"), "{}", chosen.text());
    assert!(chosen.left_out > 100);
}

/// A step's title, the file it names, and the fact that it needs.
const NEEDED: [(&str, &str, &str); 12] = [
    (
        "Change the database port",
        "",
        "the database port is set in settings/db.toml",
    ),
    (
        "Fix the crash in parse_header",
        "",
        "parse_header gets None for an empty line",
    ),
    (
        "Add a test for rounding",
        "tests/test_money.py",
        "rounding is done by quantize in money.py",
    ),
    (
        "Ändere den Port der Datenbank",
        "",
        "Der Port der Datenbank steht in db.toml",
    ),
    ("修改数据库端口", "", "数据库端口在 db.toml"),
    (
        "Rename Widget to Gadget",
        "ui/widget.ts",
        "Widget is exported from ui/index.ts",
    ),
    (
        "Make retries configurable",
        "",
        "retry count is the constant MAX_RETRIES",
    ),
    (
        "Document the export command",
        "docs/export.md",
        "the export command takes --format",
    ),
    (
        "Speed up loadUsers",
        "",
        "load_users queries the table once per row",
    ),
    (
        "Remove the legacy importer",
        "",
        "legacy importers are registered in registry.py",
    ),
    (
        "Handle timeouts of the client",
        "src/client.rs",
        "the client waits 30 seconds",
    ),
    (
        "Print the version",
        "",
        "VERSION is read from pyproject.toml",
    ),
];

#[test]
fn the_fact_that_a_step_needs_is_in_its_context() {
    let mut found = 0;
    for (index, (title, path, needed)) in NEEDED.iter().enumerate() {
        let files = match path.is_empty() {
            true => String::new(),
            false => format!("  - files: `{path}`\n"),
        };
        let text = format!("# Plan\n\n## Tasks\n- [ ] **T1** {title}\n{files}");
        let plan = plan::parse(&text).0;
        let mut facts: Vec<Fact> = NEEDED
            .iter()
            .enumerate()
            .map(|(at, (_, _, other))| Fact {
                // The needed fact is the oldest one.
                learned_ms: if at == index { 0 } else { 100 },
                ..fact(i64::try_from(at).unwrap(), other)
            })
            .collect();
        facts.extend(
            (100..140).map(|id| fact(id, &format!("thing {id} stands beside thing {}", id + 1))),
        );
        let material = Material {
            facts,
            ..Material::default()
        };
        let chosen = select(
            &plan,
            &plan.tasks[0],
            &[],
            &material,
            Strategy::Relevant,
            120,
        );
        found += usize::from(chosen.text().contains(needed));
    }
    assert_eq!(found, NEEDED.len(), "recall of what is needed");
}

fn strategies() -> impl proptest::strategy::Strategy<Value = Strategy> {
    prop::sample::select(Strategy::ALL.to_vec())
}

fn materials() -> impl proptest::strategy::Strategy<Value = Material> {
    let word = prop::sample::select(vec![
        "json",
        "row",
        "report",
        "moon",
        "value",
        "print",
        "ä",
        "</file-text>",
        "<plan>",
        "数据库",
    ]);
    let line = prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "));
    let text = prop::collection::vec(line.clone(), 0..120).prop_map(|lines| lines.join("\n"));
    let paths = prop::sample::subsequence(
        vec!["src/report.py", "src/cli.py", "src/other.py", "lib/x.py"],
        0..4,
    );
    let files =
        (paths, prop::collection::vec((text, any::<bool>()), 4)).prop_map(|(paths, texts)| {
            paths
                .into_iter()
                .zip(texts)
                .map(|(path, (text, is_cut))| FileText {
                    is_cut,
                    lines_total: u32::try_from(text.lines().count()).unwrap() + u32::from(is_cut),
                    ..file(path, &text)
                })
                .collect::<Vec<_>>()
        });
    let source = prop::option::of(prop::sample::select(vec!["T1", "T2", "T9"]));
    let path = prop::option::of(prop::sample::select(vec![
        "src/report.py",
        "src/a.py",
        "z.py",
    ]));
    let one = (line.clone(), source, path, any::<bool>(), 0i64..50);
    let facts = prop::collection::vec(one, 0..40).prop_map(|facts| {
        facts
            .into_iter()
            .enumerate()
            .map(|(id, (text, task, path, is_stale, learned_ms))| Fact {
                task: task.map(str::to_owned),
                path: path.map(str::to_owned),
                is_stale,
                learned_ms,
                ..fact(i64::try_from(id).unwrap(), &text)
            })
            .collect::<Vec<_>>()
    });
    (files, facts, prop::collection::vec(line, 0..4)).prop_map(|(files, facts, notes)| Material {
        files,
        facts,
        notes,
        missing: vec!["src/gone.py".to_owned()],
        nearby: vec!["src/one.py".to_owned()],
    })
}

/// The contents of a selection: each line with its file and number, and each other item.
fn contents(chosen: &Chosen) -> std::collections::BTreeSet<String> {
    let mut all = std::collections::BTreeSet::new();
    for item in &chosen.items {
        match &item.kind {
            ItemKind::File {
                path,
                from_line,
                to_line,
            } => all.extend((*from_line..=*to_line).map(|line| format!("{path}:{line}"))),
            ItemKind::Note => {
                all.insert(format!("note {}", all.len()));
            }
            other => {
                all.insert(format!("{other:?}"));
            }
        }
    }
    all
}

#[test]
fn a_fact_never_fills_the_room_of_what_is_pinned() {
    let material = Material {
        facts: vec![Fact {
            id: 0,
            text: "json json report".to_owned(),
            task: None,
            path: None,
            hash: None,
            is_stale: false,
            learned_ms: 0,
        }],
        missing: vec!["src/gone.py".to_owned()],
        notes: vec!["json json".to_owned()],
        ..Material::default()
    };
    // The budget is too small for the first pinned item but large enough for the fact.
    assert!(choose(&material, Strategy::Relevant, 8).items.is_empty());
    let all = choose(&material, Strategy::Relevant, 2_000).items;
    assert!(
        all.iter()
            .any(|item| matches!(item.kind, ItemKind::Fact { .. }))
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_choice_passes_its_budget(material in materials(), strategy in strategies(), budget in 0u32..3_000) {
        let chosen = choose(&material, strategy, budget);
        prop_assert!(chosen.used <= budget);
        prop_assert!(tokens(&chosen.text()) <= chosen.used);
        let opened = chosen.text().matches("<file-text ").count();
        prop_assert_eq!(chosen.text().matches("</file-text>").count(), opened);
        prop_assert!(chosen.items.iter().all(|item| item.reason.ends_with('.')));
    }

    #[test]
    fn the_same_material_gives_the_same_choice(material in materials(), strategy in strategies(), budget in 0u32..3_000) {
        prop_assert_eq!(choose(&material, strategy, budget), choose(&material, strategy, budget));
        // The order of the facts doesn't matter.
        let mut turned = material.clone();
        turned.facts.reverse();
        prop_assert_eq!(choose(&material, strategy, budget).items, choose(&turned, strategy, budget).items);
    }

    #[test]
    fn more_budget_takes_nothing_away(material in materials(), strategy in strategies(), budget in 0u32..2_000, more in 0u32..1_500) {
        let few = contents(&choose(&material, strategy, budget));
        let many = contents(&choose(&material, strategy, budget + more));
        prop_assert!(few.is_subset(&many), "{:?}", few.difference(&many).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_pinned_stays_whatever_else_matches(material in materials(), strategy in strategies(), budget in 400u32..2_000) {
        let chosen = choose(&material, strategy, budget);
        let bare = Material { facts: Vec::new(), files: Vec::new(), ..material };
        let alone = choose(&bare, strategy, budget);
        // The pinned items are the same as they would be without files and facts.
        prop_assert_eq!(&chosen.items[..alone.items.len()], &alone.items[..]);
    }

    #[test]
    fn lines_of_a_file_are_those_of_the_file(material in materials(), budget in 0u32..2_000) {
        let chosen = choose(&material, Strategy::Relevant, budget);
        for item in &chosen.items {
            let ItemKind::File { path, from_line, to_line } = &item.kind else { continue };
            let file = material.files.iter().find(|file| file.path == *path).unwrap();
            let lines: Vec<&str> = file.text.lines().collect();
            let shown: Vec<&str> = item.text.lines().collect();
            let own = &shown[1..shown.len() - 1];
            if lines.is_empty() {
                prop_assert!(own.is_empty());
                continue;
            }
            let meant = &lines[*from_line as usize - 1..*to_line as usize];
            prop_assert_eq!(own.join("\n").replace("&lt;/file-text>", "</file-text>"), meant.join("\n"));
        }
    }
}
