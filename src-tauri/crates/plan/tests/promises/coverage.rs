//! What an approval covers, and which changes void it.

use plan::coverage::{Reason, fingerprints, structure, uncovered};
use plan::edit::{EditError, Splice, apply, record_decision, skip, tick};
use proptest::prelude::*;

use super::read;

const TEXT: &str = "---\nid: a\ngoal: Sell tea\nbase: 1\n---\n# Tea\n\nIn small bags.\n\n## Requirements\n- R1 green\n- R2 black\n- R3 nobody covers\n\n## Tasks\n- [ ] **T1** Buy\n  - covers: R1\n- [ ] **G1** Pack\n  By hand.\n  - depends: none\n  - [ ] **T2** Weigh\n    - covers: R2\n  - [ ] **T3** Tie\n    - depends: none\n- [ ] **D1** Which bags?\n  - type: decision\n  - depends: none\n  - option: Paper -> T4\n  - option: Cloth -> T5\n- [ ] **T4** Fold\n  - depends: D1\n- [ ] **T5** Sew\n  - depends: D1\n- [ ] **T6** Count\n  - depends: none\n\n## Decisions\n- D1 open\n\n## Log\nNothing yet.\n";

/// The steps that an approval of `TEXT` no longer covers after `from` is replaced with `to`.
fn voided(from: &str, to: &str) -> String {
    assert_eq!(TEXT.matches(from).count(), 1, "{from}");
    voided_in(&TEXT.replace(from, to))
}

fn voided_in(after: &str) -> String {
    let approved = fingerprints(TEXT, &read(TEXT));
    let after_plan = read(after);
    let show = |found: plan::coverage::Uncovered| match found.reason {
        Reason::New => format!("{}+", found.task),
        Reason::Changed => format!("{}!", found.task),
        Reason::DependsOn(id) => format!("{}<{id}", found.task),
    };
    uncovered(&approved, after, &after_plan)
        .into_iter()
        .map(show)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_leaf_has_a_fingerprint_and_groups_have_none() {
    let prints = fingerprints(TEXT, &read(TEXT));
    let ids: Vec<&str> = prints.keys().map(|id| id.as_str()).collect();
    assert_eq!(ids, ["D1", "T1", "T2", "T3", "T4", "T5", "T6"]);
    let different: std::collections::BTreeSet<_> = prints.values().collect();
    assert_eq!(different.len(), prints.len());
}

#[test]
fn ticks_line_endings_and_trailing_spaces_void_nothing() {
    assert_eq!(voided_in(&TEXT.replace("[ ]", "[x]")), "");
    assert_eq!(voided_in(&TEXT.replace("[ ]", "[✓]")), "");
    assert_eq!(voided_in(&TEXT.replace('\n', "\r\n")), "");
    assert_eq!(voided_in(&TEXT.replace('\n', "  \n")), "");
    assert_eq!(voided_in(&format!("\u{feff}{TEXT}")), "");
}

#[test]
fn a_changed_step_voids_itself_and_its_dependents() {
    assert_eq!(voided("Count", "Count twice"), "T6!");
    assert_eq!(voided("Weigh", "Weigh it"), "T2!");
    assert_eq!(
        voided("  - covers: R1\n", "  - covers: R1\n  - verify: x\n"),
        "T1!"
    );
    assert_eq!(
        voided("Fold\n  - depends: D1", "Fold\n  - depends: T6"),
        "T4!"
    );
    assert_eq!(voided("Which bags?", "Which?"), "D1! T4! T5!");
}

#[test]
fn a_changed_group_voids_its_leaves() {
    assert_eq!(voided("By hand.", "By machine."), "T2! T3!");
}

#[test]
fn a_changed_page_voids_everything() {
    let all = "T1! T2! T3! D1! T4! T5! T6!";
    assert_eq!(voided("goal: Sell tea", "goal: Sell coffee"), all);
    assert_eq!(voided("base: 1", "strategy: hybrid"), all);
    assert_eq!(voided("In small bags.", "In large bags."), all);
    assert_eq!(voided("# Tea\n", "# Coffee\n"), all);
    assert_eq!(voided("R3 nobody covers", "R3 nobody dares"), all);
}

#[test]
fn a_changed_requirement_voids_the_steps_that_cover_it() {
    assert_eq!(voided("R1 green", "R1 white"), "T1!");
    assert_eq!(voided("R2 black", "R2 red"), "T2!");
}

#[test]
fn a_change_elsewhere_voids_nothing() {
    assert_eq!(voided("Nothing yet.", "All is well."), "");
    assert_eq!(voided("id: a", "id: b"), "");
    assert_eq!(voided("base: 1", "base: 2"), "");
    assert_eq!(
        voided("- D1 open\n", ""),
        "",
        "open or not there yet is the same"
    );
    assert_eq!(voided("## Log", "## Diary"), "");
}

#[test]
fn a_new_step_is_not_covered_and_the_others_are() {
    let new = "- [ ] **T7** New\n  - depends: none\n";
    assert_eq!(
        voided("- [ ] **T6** Count", &format!("{new}- [ ] **T6** Count")),
        "T7+"
    );
    let inside = "  - [ ] **T7** New\n    - depends: none\n";
    assert_eq!(
        voided("  - [ ] **T3** Tie", &format!("{inside}  - [ ] **T3** Tie")),
        "T7+"
    );
}

#[test]
fn progress_is_a_record_or_a_claim_and_voids_nothing() {
    assert_eq!(voided("- D1 open", "- D1: Paper — Ann"), "");
    let skipped = voided("** Weigh\n", "** Weigh\n    - skipped: no scales\n");
    assert_eq!(skipped, "");
}

#[test]
fn layout_and_comments_void_nothing() {
    let bullets = TEXT.replace("\n- [", "\n* [").replace("\n  - ", "\n  + ");
    assert_eq!(voided_in(&bullets), "");
    let wide = TEXT
        .replace("\n    - ", "\n        - ")
        .replace("\n  - ", "\n    - ");
    assert_eq!(voided_in(&wide.replace("\n  By", "\n    By")), "");
    assert_eq!(voided("** Count\n", "** Count\n  <!-- how many? -->\n"), "");
    assert_eq!(voided("** Count\n", "** Count\n\n\n"), "");
}

#[test]
fn formatting_voids_nothing() {
    let text = "# P\n\ngoal: g\n\nSome prose that\ngoes on.\n\n## Tasks\n- [ ] **T1** Write a_b and the text\n  \
                - note: by hand\n  - verify: `ls *.a *.b`\n  1. one\n  2. two\n\n  | a | b |\n  |---|---|\n  \
                | 1 | 2 |\n- [ ] **T2** Read\n";
    let approved = fingerprints(text, &read(text));
    for (from, to) in [
        ("Some prose that\ngoes on.", "Some prose\nthat goes on."),
        ("Some prose", "Some *prose*"),
        ("**T1**", "__T1__"),
        ("the text", "the _text_"),
        ("the text", "**the** text"),
        ("a_b", "a\\_b"),
        ("by hand", "*by* hand"),
        ("  1. one\n  2. two", "  1) one\n  2) two"),
        ("| 1 | 2 |", "|  1  |  2  |"),
        ("\n- [ ]", "\n\n* [ ]"),
    ] {
        let after = text.replace(from, to);
        assert_ne!(after, text);
        assert_eq!(uncovered(&approved, &after, &read(&after)), [], "{to}");
    }
    for (from, to) in [
        ("the text", "thetext"),
        ("the text", "`the text`"),
        ("the text", "[the text](b)"),
        ("a_b", "ab"),
        ("`ls *.a *.b`", "ls *.a *.b"),
        ("ls *.a *.b", "ls .a .b"),
        ("2. two", "   2. two"),
        ("one\n", "one\n  - "),
        ("by hand", "byhand"),
        ("goes on.", "goes on.\n\n    ls"),
    ] {
        let after = text.replace(from, to);
        assert_ne!(after, text);
        assert_ne!(uncovered(&approved, &after, &read(&after)), [], "{to}");
    }
}

#[test]
fn formatting_of_step_and_file_names_voids_nothing() {
    let text = "# P\n\n## Requirements\n- R1 one\n- R2 two\n\n## Tasks\n- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n  \
                - depends: T1, T2\n  - covers: R1\n  - files: `a.rs`, b.rs\n  - note: by hand\n";
    let approved = fingerprints(text, &read(text));
    for (from, to) in [
        ("depends: T1, T2", "depends: `T1`, `T2`"),
        ("depends: T1, T2", "depends:  T1,T2"),
        ("depends:", "Depends:"),
        ("covers: R1", "covers: `R1`"),
        ("`a.rs`, b.rs", "a.rs, `b.rs`"),
    ] {
        let after = text.replace(from, to);
        assert_ne!(after, text);
        assert_eq!(structure::changes(&read(text), &read(&after)), [], "{to}");
        assert_eq!(uncovered(&approved, &after, &read(&after)), [], "{to}");
    }
    for (from, to) in [
        ("depends: T1, T2", "depends: T1"),
        ("covers: R1", "covers: R2"),
        ("covers: R1", "covers: R1 R2"),
        ("b.rs", "c.rs"),
        ("  - covers: R1\n", ""),
    ] {
        let after = text.replace(from, to);
        assert_ne!(uncovered(&approved, &after, &read(&after)), [], "{to}");
    }
}

#[test]
fn whitespace_in_a_call_is_content() {
    let text = "- [ ] **T1** a\n  - call: `write_file {\"path\": \"a\", \"content\": \"1  2\"}`\n";
    let approved = fingerprints(text, &read(text));
    let after = text.replace("1  2", "1 2");
    assert_eq!(uncovered(&approved, &after, &read(&after)).len(), 1);
    let body = "- [ ] **T1** a\n\n  ```\n  if x:\n      y\n  ```\n";
    let approved = fingerprints(body, &read(body));
    let after = body.replace("      y", "  y");
    assert_eq!(uncovered(&approved, &after, &read(&after)).len(), 1);
}

/// The structural changes to `TEXT` when `from` is replaced with `to`.
fn restructured(from: &str, to: &str) -> String {
    assert_eq!(TEXT.matches(from).count(), 1, "{from}");
    let after = TEXT.replace(from, to);
    let changes = structure::changes(&read(TEXT), &read(&after));
    let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
    words.join(", ")
}

#[test]
fn structural_changes_are_reported() {
    assert_eq!(
        restructured("- [ ] **T6** Count\n  - depends: none\n", ""),
        "T6 was removed"
    );
    assert_eq!(
        restructured("- [ ] **T6** Count", "<!-- - [ ] **T6** Count"),
        "T6 was removed"
    );
    assert_eq!(
        restructured("- [ ] **T6** Count", "- [ ] **T7** New\n- [ ] **T6** Count"),
        "T7 was added"
    );
    assert_eq!(
        restructured("Fold\n  - depends: D1", "Fold\n  - depends: T6"),
        "T4 has different dependencies"
    );
    assert_eq!(
        restructured("Sew\n  - depends: D1", "Sew"),
        "T5 has different dependencies"
    );
    assert_eq!(
        restructured("  - type: decision\n", ""),
        "D1 has a different type"
    );
    assert_eq!(
        restructured("Paper -> T4", "Paper -> T5"),
        "D1 has different dependencies"
    );
    assert_eq!(
        restructured("- [ ] **T6** Count", "- [ ] **T5** Count"),
        "T6 was removed, T5 occurs more than once"
    );
    let apart = restructured(
        "  - [ ] **T3** Tie\n    - depends: none\n",
        "- [ ] **T3** Tie\n  - depends: none\n",
    );
    assert_eq!(apart, "T3 has different dependencies");
}

#[test]
fn a_moved_gate_is_reported() {
    let text =
        "- [ ] **T1** a\n- [ ] **C1** look\n  - type: checkpoint\n- [ ] **T2** b\n- [ ] **T3** c\n";
    let after =
        "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n- [ ] **C1** look\n  - type: checkpoint\n";
    let changes = structure::changes(&read(text), &read(after));
    assert_eq!(changes, [structure::Change::Moved(super::id("C1"))]);
}

#[test]
fn wording_and_progress_are_not_structure() {
    assert_eq!(restructured("** Count", "** Count twice"), "");
    assert_eq!(restructured("- D1 open", "- D1: Paper — Ann"), "");
    assert_eq!(
        restructured("** Weigh\n", "** Weigh\n    - skipped: no scales\n"),
        ""
    );
    assert_eq!(restructured("Nothing yet.", "All is well."), "");
    assert_eq!(
        restructured("**T1** Buy", "**T1** Buy\n  - verify: true"),
        ""
    );
}

#[test]
fn dependents_of_a_changed_step_name_it() {
    let text =
        "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n- [ ] **T4** d\n  - depends: none\n";
    let approved = fingerprints(text, &read(text));
    let after = text.replace("** a", "** z");
    let reasons: Vec<_> = uncovered(&approved, &after, &read(&after))
        .into_iter()
        .map(|f| f.reason)
        .collect();
    let cause = super::id("T1");
    assert_eq!(
        reasons,
        [
            Reason::Changed,
            Reason::DependsOn(cause.clone()),
            Reason::DependsOn(cause)
        ]
    );
    assert_eq!(
        reasons[1].to_string(),
        "it depends on T1, which was changed after the approval"
    );
}

#[test]
fn steps_that_share_an_id_are_covered_together() {
    let text = "- [ ] **T1** a\n- [ ] **T1** b\n";
    let approved = fingerprints(text, &read(text));
    let after = "- [ ] **T1** a\n- [ ] **T1** c\n";
    assert_eq!(uncovered(&approved, after, &read(after)).len(), 2);
}

/// A well-formed step with fields and prose, at the given depth.
fn step(depth: usize) -> impl Strategy<Value = String> {
    let extra = prop_oneof![
        Just("- files: `a.py`"),
        Just("- depends: none"),
        Just("- type: decision"),
        Just("- option: Yes -> continue"),
        Just("- verify: true"),
        Just("Some words."),
        Just("```\n  code\n```"),
    ];
    proptest::collection::vec(extra, 0..4).prop_map(move |extras| {
        let indent = "  ".repeat(depth);
        let mut text = format!("{indent}- [ ] **@** Do it\n");
        for line in extras.iter().flat_map(|extra| extra.lines()) {
            text.push_str(&format!("{indent}  {line}\n"));
        }
        text
    })
}

/// A well-formed plan of steps and groups, numbered from T1.
fn sound_plan() -> impl Strategy<Value = String> {
    let group = (step(0), proptest::collection::vec(step(1), 0..3));
    proptest::collection::vec(group, 1..5).prop_map(|groups| {
        let steps = groups
            .into_iter()
            .flat_map(|(group, inner)| std::iter::once(group).chain(inner));
        let mut text = "---\nplanwright: 1\n---\n# P\n\n## Tasks\n".to_owned();
        for (at, step) in steps.enumerate() {
            text.push_str(&step.replace('@', &format!("T{}", at + 1)));
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn records_written_by_the_app_void_nothing(text in sound_plan(), rounds in 1..3_usize) {
        let (plan, _) = plan::parse(&text);
        let approved = fingerprints(&text, &plan);
        let mut text = text;
        for task in plan.tasks.iter().take(rounds * 3) {
            let id = &task.id;
            for record in [
                |text: &str, plan: &plan::Plan, id: &plan::TaskId| skip(text, plan, id, "no need"),
                |_: &str, plan: &plan::Plan, id: &plan::TaskId| tick(plan, id),
                |text: &str, plan: &plan::Plan, id: &plan::TaskId| record_decision(text, plan, id, "Yes", "me"),
            ] as [fn(&str, &plan::Plan, &plan::TaskId) -> Result<Vec<Splice>, EditError>; 3] {
                if let Ok(splices) = record(&text, &plan::parse(&text).0, id) {
                    text = apply(&text, &splices).unwrap().text;
                }
            }
        }
        let after = plan::parse(&text).0;
        prop_assert_eq!(&approved, &fingerprints(&text, &after), "{}", text);
        prop_assert_eq!(structure::changes(&plan, &after), []);
    }
}
