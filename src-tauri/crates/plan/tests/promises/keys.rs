//! How the keys of a task and their values are parsed.

use plan::{By, ChoiceEffect, TaskKind};

use super::{id, only, problems, read, sound};

fn with(lines: &[&str]) -> plan::Task {
    let mut text = String::from("- [ ] **T9** a\n");
    for line in lines {
        text.push_str(&format!("  - {line}\n"));
    }
    only(&text)
}

#[test]
fn lists_of_files_keep_names_in_backticks() {
    for (value, files) in [
        ("src/a.rs", vec!["src/a.rs"]),
        ("`src/a.rs`, `b c.rs`", vec!["src/a.rs", "b c.rs"]),
        ("`a,b.rs`, c.rs", vec!["a,b.rs", "c.rs"]),
        ("``a`b.rs``", vec!["a`b.rs"]),
        ("`a.rs` (new), b.rs", vec!["a.rs", "b.rs"]),
        ("`a.rs` and `b.rs`", vec!["a.rs", "b.rs"]),
        ("a.rs,, b.rs,", vec!["a.rs", "", "b.rs"]),
        ("none", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(with(&[&format!("files: {value}")]).files, files, "{value}");
    }
}

#[test]
fn dependencies_are_ids_or_nothing() {
    let depends = |value: &str| {
        let task = with(&[value]);
        task.depends
            .map(|ids| ids.into_iter().map(|id| id.0).collect::<Vec<_>>())
    };
    let some = |ids: &[&str]| Some(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
    assert_eq!(depends("why: x"), None);
    for nothing in [
        "depends:",
        "depends: none",
        "depends: None",
        "depends: -",
        "depends: `none`",
    ] {
        assert_eq!(depends(nothing), some(&[]), "{nothing}");
    }
    for two in [
        "T1, 1.2",
        "T1 1.2",
        "`T1`, `1.2`",
        "T1 and 1.2",
        "T1 (schema), 1.2.",
        "[T1, 1.2]",
    ] {
        assert_eq!(
            depends(&format!("depends: {two}")),
            some(&["T1", "1.2"]),
            "{two}"
        );
    }
    assert_eq!(
        with(&["depends: T1", "depends: T2"]).depends,
        Some(vec![id("T1"), id("T2")]),
        "several lines add up"
    );
}

#[test]
fn commands_lose_only_their_backticks() {
    for (value, command) in [
        ("cargo test", "cargo test"),
        ("`cargo test`", "cargo test"),
        ("`` echo `date` ``", "echo `date`"),
        ("`a` and `b`", "`a` and `b`"),
        ("`open", "`open"),
    ] {
        assert_eq!(
            with(&[&format!("verify: {value}")]).verify,
            [command],
            "{value}"
        );
    }
    assert_eq!(with(&["verify:"]).verify, Vec::<String>::new());
    assert_eq!(with(&["accept: `a` lists `b`"]).accept, ["`a` lists `b`"]);
}

#[test]
fn calls_are_parsed_or_reported() {
    let task = with(&["call: `read_file {\"path\": \"a.rs\"}`", "call: git_status"]);
    let lines: Vec<String> = task
        .calls
        .iter()
        .map(|call| call.parsed.as_ref().unwrap().to_line())
        .collect();
    assert_eq!(lines, ["read_file {\"path\":\"a.rs\"}", "git_status"]);
    for bad in [
        "call: `read_file {path}`",
        "call: fly {}",
        "call:",
        "call: read_file",
    ] {
        let text = format!("- [ ] **T1** a\n  - {bad}\n");
        assert_eq!(problems(&text), ["2 bad_call"], "{bad}");
        assert!(read(&text).tasks[0].calls[0].parsed.is_err());
    }
}

#[test]
fn single_words_set_type_by_complexity_and_confirm() {
    assert_eq!(with(&["type: checkpoint"]).kind, TaskKind::Checkpoint);
    assert_eq!(with(&["Type: `Decision`"]).kind, TaskKind::Decision);
    assert_eq!(with(&["by: person"]).by, By::Person);
    assert_eq!(with(&["by: Agent"]).by, By::Agent);
    assert_eq!(with(&["complexity: 7"]).complexity, Some(7));
    assert_eq!(with(&["complexity: 7/10"]).complexity, Some(7));
    assert!(!with(&["confirm: no"]).confirm);
    assert!(with(&[]).confirm);
    for bad in [
        "type: pause",
        "by: robot",
        "complexity: 11",
        "complexity: 0",
        "confirm: maybe",
    ] {
        assert_eq!(
            problems(&format!("- [ ] **T1** a\n  - {bad}\n")),
            ["2 bad_value"],
            "{bad}"
        );
    }
    assert_eq!(
        with(&["skipped: too late"]).skipped.as_deref(),
        Some("too late")
    );
    assert_eq!(with(&["skipped:"]).skipped.as_deref(), Some(""));
    assert_eq!(
        with(&["why: it is slow"]).why.as_deref(),
        Some("it is slow")
    );
    assert_eq!(
        with(&["tools: `read_file`, run_command"]).tools,
        ["read_file", "run_command"]
    );
}

#[test]
fn options_split_at_the_last_arrow() {
    use ChoiceEffect::{Branch, Continue, Review, Skip, Stop};
    let of = |kind: &str, option: &str| {
        let text = format!(
            "- [ ] **T9** a\n  - option: {option}\n  - type: {kind}\n- [ ] **T3** b\n- [ ] **T4** c\n"
        );
        let task = sound(&text).tasks[0].clone();
        (
            task.options[0].label.clone(),
            task.options[0].effect.clone(),
        )
    };
    let expect = |label: &str, effect| (label.to_owned(), effect);
    let both = vec![id("T3"), id("T4")];
    for (option, effect) in [
        ("Go -> continue", Continue),
        ("Go → Continue", Continue),
        ("Go -> `review`", Review),
        ("Go -> stop", Stop),
        ("Go -> skip T3, T4", Skip(both.clone())),
        ("Go -> skip: `T3` and T4", Skip(both.clone())),
        ("Go", Continue),
    ] {
        assert_eq!(of("checkpoint", option), expect("Go", effect), "{option}");
    }
    assert_eq!(of("decision", "Go -> T3, T4"), expect("Go", Branch(both)));
    assert_eq!(of("decision", "Go"), expect("Go", Branch(Vec::new())));
    assert_eq!(
        of("decision", "Go -> none"),
        expect("Go", Branch(Vec::new()))
    );
    assert_eq!(
        of("decision", "Map a -> b -> T3"),
        expect("Map a -> b", Branch(vec![id("T3")]))
    );
    assert_eq!(
        of("decision", "a: b — c -> T3"),
        expect("a: b — c", Branch(vec![id("T3")]))
    );
}

#[test]
fn options_that_lead_nowhere_are_reported() {
    for (kind, option) in [
        ("checkpoint", "Go -> T1"),
        ("decision", "Go -> somewhere"),
        ("decision", ""),
    ] {
        let text = format!("- [ ] **T1** a\n  - type: {kind}\n  - option: {option}\n");
        assert_eq!(problems(&text), ["3 bad_value"], "{option}");
    }
    let text = "- [ ] **T1** a\n  - type: decision\n  - option: Go -> somewhere else\n";
    assert_eq!(read(text).tasks[0].options[0].label, "Go -> somewhere else");
}

#[test]
fn dangling_references_are_reported_on_their_line() {
    let text = "## Requirements\n- R1 x\n## Tasks\n- [ ] **T1** a\n  - depends: T7\n  - covers: R1, R7\n  - type: decision\n  - option: a -> T8\n  - option: b -> skip T9\n";
    assert_eq!(
        problems(text),
        [
            "5 dangling_reference",
            "6 dangling_reference",
            "8 dangling_reference",
            "9 dangling_reference"
        ]
    );
}

#[test]
fn unknown_keys_are_kept_and_prose_stays_prose() {
    let task = with(&[
        "owner: the shop",
        "Owner: prose",
        "see http://x: y",
        "two words: z",
        "todo:",
        "a:b",
    ]);
    let fields: Vec<_> = task
        .fields
        .iter()
        .map(|f| (f.key.as_ref(), f.value.as_str()))
        .collect();
    assert_eq!(fields, [("owner", "the shop")]);
    assert_eq!(
        task.body,
        "- Owner: prose\n- see http://x: y\n- two words: z\n- todo:\n- a:b"
    );
    assert_eq!(
        with(&["assume: it is small"])
            .values("assume")
            .collect::<Vec<_>>(),
        ["it is small"]
    );
}

#[test]
fn a_value_ends_with_its_line_and_the_rest_is_prose() {
    let text = "- [ ] **T1** a\n  - why: it is\n    slow\n  - files: x   \n    because\n";
    let task = only(text);
    assert_eq!(task.why.as_deref(), Some("it is"));
    assert_eq!(task.files, ["x"]);
    assert_eq!(task.body, "slow\n  because");
}

#[test]
fn a_key_with_a_list_under_it_has_each_item_as_a_value() {
    let task = only("- [ ] **T1** a\n  - files:\n    - `a.rs`\n    - b.rs\n  - verify: make\n");
    assert_eq!((task.files.len(), task.verify.len()), (2, 1));
    let task = only("- [ ] **T1** a\n  - accept:\n    - one\n    - two\n");
    assert_eq!(task.accept, ["one", "two"]);
}

#[test]
fn loosely_indented_keys_belong_to_the_task() {
    let cases = [
        "1. [ ] **T1** a\n  - files: x\n  - verify: make\n2. [ ] **T2** b\n",
        "- [ ] **T1** a\n - files: x\n - verify: make\n- [ ] **T2** b\n",
        "10. [ ] **T1** a\n\n   - files: x\n   - verify: make\n11. [ ] **T2** b\n",
    ];
    for text in cases {
        let plan = read(text);
        assert_eq!(plan.tasks[0].files, ["x"], "{text}");
        assert_eq!(plan.tasks[0].verify, ["make"], "{text}");
        assert!(text[plan.tasks[0].span.clone()].ends_with("make"), "{text}");
        assert!(plan.tasks[1].fields.is_empty(), "{text}");
        assert!(
            problems(text)
                .iter()
                .all(|problem| problem.ends_with("loose_key")),
            "{text}"
        );
        assert_eq!(problems(text).len(), 2);
    }
    let inner = "- [ ] **P** p\n  1. [ ] **T1** a\n    - files: x\n  - why: of p\n";
    let plan = read(inner);
    assert_eq!(plan.tasks[1].files, ["x"]);
    assert_eq!(plan.tasks[0].why.as_deref(), Some("of p"));
    // A line at the bullet's own level, or after other content, is not a key.
    for text in [
        "- [ ] **T1** a\n- files: x\n",
        "1. [ ] **T1** a\n\nWords.\n\n  - files: x\n",
    ] {
        assert!(sound(text).tasks[0].fields.is_empty(), "{text}");
    }
}
