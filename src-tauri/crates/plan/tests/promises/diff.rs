//! Differences between two versions are reported by task; unchanged tasks are not.

use plan::diff::{ChangeKind, PlanDiff, RunKind, diff, summary, words};
use proptest::prelude::*;

use super::laws::text;
use super::read;

fn between(before: &str, after: &str) -> PlanDiff {
    diff((before, &read(before)), (after, &read(after)))
}

/// Every change, in the form `id kind: note; note`.
fn told(before: &str, after: &str) -> Vec<String> {
    let tasks = between(before, after).tasks;
    let tell = |task: plan::diff::TaskDiff| {
        let (id, kind) = (&task.id, task.kind.as_str());
        match task.notes.is_empty() {
            true => format!("{id} {kind}"),
            false => format!("{id} {kind}: {}", task.notes.join("; ")),
        }
    };
    tasks.into_iter().map(tell).collect()
}

/// A changed part, in the form `same[-removed-]{+added+}`.
fn marked(runs: &[plan::diff::WordRun]) -> String {
    let mark = |run: &plan::diff::WordRun| match run.kind {
        RunKind::Same => run.text.clone(),
        RunKind::Removed => format!("[-{}-]", run.text),
        RunKind::Added => format!("{{+{}+}}", run.text),
    };
    runs.iter().map(mark).collect()
}

/// The changed parts, in the form `name: words`.
fn around(before: &str, after: &str) -> Vec<String> {
    let parts = between(before, after).around;
    let tell = |part: plan::diff::PartDiff| format!("{}: {}", part.name, marked(&part.words));
    parts.into_iter().map(tell).collect()
}

const PLAN: &str = "\
---
planwright: 1
goal: Add a flag
---
# Add a flag

Some words.

## Requirements
- R1 rows are printed
- R2 nothing else changes

## Tasks
- [ ] **T1** Find the rows
  - call: `read_file {\"path\": \"a.py\"}`
- [ ] **T2** Add the flag
  Text of the step.
  - depends: T1
  - files: `src/cli.py`
  - verify: `make test`
- [ ] **T3** Write the docs
  - depends: T2
- [ ] **D1** Which layout?
  - type: decision
  - option: lines -> T5
- [ ] **T5** Print lines
  - depends: D1

## Decisions
- D1 open
";

fn with(from: &str, to: &str) -> String {
    assert!(PLAN.contains(from), "{from}");
    PLAN.replacen(from, to, 1)
}

#[test]
fn every_kind_of_change_is_reported() {
    for (from, to, expected) in [
        ("", "", &[][..]),
        ("Find the rows", "Find every row", &["T1 reworded"]),
        (
            "Text of the step",
            "More text of the step",
            &["T2 reworded"],
        ),
        ("- [ ] **T1**", "- [x] **T1**", &["T1 done"]),
        (
            "- [ ] **T1**",
            "- [-] **T1**",
            &["T1 changed: box set to `-`"],
        ),
        (
            "  - verify: `make test`\n",
            "",
            &["T2 changed: check removed"],
        ),
        (
            "`make test`",
            "`make check`",
            &["T2 changed: check changed"],
        ),
        (
            "  - verify: `make test`\n",
            "  - verify: `make test`\n  - verify: `make lint`\n  - accept: it works\n",
            &["T2 changed: another check added; acceptance criterion added"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T2, T1\n  - covers: R2\n",
            &["T3 changed: depends on T1; covers R2"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: none\n",
            &["T3 changed: no longer has dependencies"],
        ),
        (
            "  - depends: T2\n",
            "",
            &["T3 changed: depends on the previous step again"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T1\n",
            &["T3 changed: depends on T1; no longer depends on T2"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T2\n  - skipped: no time\n",
            &["T3 skipped"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T2\n  - owner: me\n",
            &["T3 changed: `owner` added"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T2\n  - by: person\n",
            &["T3 changed: assigned to a person"],
        ),
        (
            "  - depends: T2\n",
            "  - depends: T2\n  - type: checkpoint\n",
            &["T3 changed: now a checkpoint"],
        ),
        (
            "  - files: `src/cli.py`\n",
            "  - files: `src/cli.py`, `a`, `b`, `c`, `d`\n",
            &["T2 changed: touches 4 more files"],
        ),
        (
            "- [ ] **T1** Find the rows",
            "- [x] **T1** Find all rows",
            &["T1 reworded: done"],
        ),
        (
            "- [ ] **D1** Which",
            "- [ ] **T4** New one\n- [ ] **D1** Which",
            &["T4 added"],
        ),
        (
            "- [ ] **T3** Write the docs\n  - depends: T2\n",
            "",
            &["T3 removed"],
        ),
        (
            "- [ ] **T3** Write",
            "- [ ] Write",
            &["#3 changed: id T3 removed"],
        ),
    ] {
        assert_eq!(told(PLAN, &with(from, to)), expected, "{from:?} -> {to:?}");
    }
    assert_eq!(
        told(&with("**T1**", "**T9**"), PLAN),
        ["T1 changed: renamed from T9 to T1"]
    );
    assert_eq!(
        told(&with("- [ ] **T1**", "- [x] **T1**"), PLAN),
        ["T1 reopened"]
    );
    let skipped = with("  - depends: T2\n", "  - depends: T2\n  - skipped: no\n");
    assert_eq!(told(&skipped, PLAN), ["T3 changed: no longer skipped"]);
}

#[test]
fn layout_changes_are_ignored() {
    let same = PLAN.replace('\n', "\r\n").replace("  - ", "   - ");
    assert_eq!(told(PLAN, &same), Vec::<String>::new());
    assert_eq!(around(PLAN, &same), Vec::<String>::new());
    let reordered = with(
        "  - files: `src/cli.py`\n  - verify: `make test`\n",
        "  - verify: `make test`\n  - files: `src/cli.py`\n",
    );
    assert_eq!(told(PLAN, &reordered), Vec::<String>::new());
    let diff = between(PLAN, &same);
    assert_eq!((diff.unchanged, diff.tasks_before), (5, 5));
}

#[test]
fn tasks_without_ids_are_matched_by_content() {
    let before = "- [ ] Set up\n- [ ] Build the parser\n- [ ] Test\n- [ ] Test\n- [ ] Ship it\n";
    for (after, expected) in [
        (
            "- [ ] Ask\n- [ ] Set up\n- [ ] Build the parser\n- [ ] Test\n- [ ] Test\n- [ ] Ship it\n",
            &["#1 added"][..],
        ),
        (
            "- [ ] Set up\n- [ ] Build the new parser\n- [ ] Test\n- [ ] Test\n- [ ] Ship it\n",
            &["#2 reworded"],
        ),
        (
            "- [ ] Set up\n- [x] Build the parser\n- [ ] Test\n- [ ] Ship it\n",
            &["#2 done", "#4 removed"],
        ),
        (
            "- [ ] Ship it\n- [ ] Set up\n- [ ] Build the parser\n- [ ] Test\n- [ ] Test\n",
            &["#1 moved: moved above #2"],
        ),
        (
            "- [ ] **T1** Set up\n- [ ] Build the parser\n- [ ] Test\n- [ ] Test\n- [ ] Ship it\n",
            &["T1 changed: renamed from #1 to T1"],
        ),
        (
            "- [ ] Set up\n- [ ] Paint\n- [ ] Build a parser of plans\n- [ ] Test\n- [ ] Test\n- [ ] Ship it\n",
            &["#2 added", "#3 reworded"],
        ),
    ] {
        assert_eq!(told(before, after), expected, "{after}");
    }
    // A reference by position follows the task when its position changes.
    let before = "- [ ] a\n- [ ] b\n  - depends: #1\n";
    let after = "- [ ] new\n- [ ] a\n- [ ] b\n  - depends: #2\n";
    assert_eq!(told(before, after), ["#1 added"]);
    let after = "- [ ] new\n- [ ] a\n- [ ] b\n  - depends: #1\n";
    assert_eq!(
        told(before, after),
        [
            "#1 added",
            "#3 changed: depends on #1; no longer depends on #2"
        ]
    );
}

#[test]
fn changed_markers_of_other_programs_are_reported() {
    let spec_kit = "# Tasks: x\n\n## Phase 1: Setup\n\n- [ ] T001 One\n- [ ] T002 [P] [US1] Two\n- [ ] T003 [US1] Three (depends on T001)\n";
    let kiro = "# Implementation Plan\n\n- [ ] 1. One\n  - _Requirements: 1.1, 1.2_\n\n- [ ]* 2. Two\n  - _Requirements: 2.1_\n";
    for (before, from, to, expected) in [
        (
            spec_kit,
            "[P] ",
            "",
            "T002 changed: depends on the previous step again",
        ),
        (
            spec_kit,
            "T001 One",
            "T001 [P] One",
            "T001 changed: no longer depends on the previous step",
        ),
        (
            spec_kit,
            "[P] [US1]",
            "[P] [US2]",
            "T002 changed: covers US2; no longer covers US1",
        ),
        (
            spec_kit,
            "on T001",
            "on T002",
            "T003 reworded: depends on T002; no longer depends on T001",
        ),
        (kiro, "1.1, 1.2", "1.1", "1 changed: no longer covers 1.2"),
        (kiro, "[ ]*", "[ ]", "2 changed: no longer optional"),
    ] {
        assert!(before.contains(from));
        assert_eq!(told(before, &before.replacen(from, to, 1)), [expected]);
    }
}

#[test]
fn only_tasks_that_changed_their_order_have_moved() {
    let tasks = |ids: &[u32]| -> String {
        ids.iter()
            .map(|id| format!("- [ ] **T{id}** t{id}\n"))
            .collect()
    };
    let before = tasks(&[1, 2, 3, 4, 5, 6]);
    for (order, expected) in [
        (&[2, 3, 4, 5, 6, 1][..], &["T1 moved: moved below T6"][..]),
        (&[6, 1, 2, 3, 4, 5], &["T6 moved: moved above T1"]),
        (&[1, 3, 4, 2, 5, 6], &["T2 moved: moved below T4"]),
        (&[1, 3, 4, 5, 6], &["T2 removed"]),
        (
            &[1, 3, 4, 2, 7, 5, 6],
            &["T2 moved: moved below T4", "T7 added"],
        ),
    ] {
        assert_eq!(told(&before, &tasks(order)), expected);
    }
    let before = "- [ ] **T1** a\n  - [ ] **T2** b\n  - [ ] **T3** c\n- [ ] **T4** d\n";
    let group_last = "- [ ] **T4** d\n- [ ] **T1** a\n  - [ ] **T2** b\n  - [ ] **T3** c\n";
    assert_eq!(
        told(before, group_last).len(),
        1,
        "sub-tasks only went along"
    );
    let under = "- [ ] **T1** a\n  - [ ] **T2** b\n- [ ] **T4** d\n  - [ ] **T3** c\n";
    assert_eq!(told(before, under), ["T3 moved: moved under T4"]);
    let out = "- [ ] **T1** a\n  - [ ] **T3** c\n- [ ] **T2** b\n- [ ] **T4** d\n";
    assert_eq!(told(before, out), ["T2 moved: moved to the top level"]);
}

#[test]
fn a_removed_task_is_listed_at_its_old_position() {
    let before = "- [ ] **T1** a\n- [ ] **T2** b\n- [ ] **T3** c\n";
    let after = "- [x] **T1** a\n- [ ] **T4** x y\n- [x] **T3** c\n";
    assert_eq!(
        told(before, after),
        ["T1 done", "T2 removed", "T4 added", "T3 done"]
    );
}

#[test]
fn changes_outside_of_tasks_are_reported_by_name() {
    for (from, to, expected) in [
        (
            "goal: Add a flag",
            "goal: Add two flags",
            &["goal: Add [-a flag-]{+two flags+}"][..],
        ),
        (
            "# Add a flag",
            "# Add the flag",
            &["title: Add [-a-]{+the+} flag"],
        ),
        (
            "Some words.",
            "Some more words.",
            &["introduction: Some {+more +}words."],
        ),
        (
            "- R1 rows are printed",
            "- R1 rows are shown",
            &["R1: - R1 rows are [-printed-]{+shown+}"],
        ),
        (
            "- R1 rows are printed\n",
            "",
            &["R1: [-- R1 rows are printed-]"],
        ),
        (
            "- D1 open",
            "- D1: lines — me, today",
            &["answer to D1: - D1[- open-]{+: lines — me, today+}"],
        ),
        (
            "## Decisions\n",
            "## Notes\nNew.\n\n## Decisions\n",
            &["Notes: {+## Notes\nNew.+}"],
        ),
        ("base: x", "", &[]),
        (
            "planwright: 1\n",
            "planwright: 1\nowner: me\n",
            &["owner: {+me+}"],
        ),
        (
            "## Tasks\n",
            "## Tasks\nIn order.\n\n",
            &["Tasks: ## Tasks{+\nIn order.+}"],
        ),
        (
            "## Tasks\n",
            "## Tasks\n```\n# no heading\n```\n",
            &["Tasks: ## Tasks{+\n```\n# no heading\n```+}"],
        ),
    ] {
        let after = PLAN.replacen(from, to, 1);
        let diff = between(PLAN, &after);
        assert_eq!(diff.tasks, Vec::new(), "{from}");
        assert_eq!(around(PLAN, &after), expected, "{from}");
    }
    // A requirement without an id is still matched when another one is inserted above it.
    let before = "## Requirements\n- fast\n- small\n";
    let after = "## Requirements\n- new\n- fast\n- small\n";
    assert_eq!(around(before, after), ["R1: {+- new+}"]);
}

#[test]
fn the_summary_is_one_line() {
    let several = with("Find the rows", "Find all rows")
        .replace("  - verify: `make test`\n", "")
        .replace("- [ ] **D1**", "- [ ] **T6** x\n- [ ] **D1**");
    let diff = between(PLAN, &several);
    assert_eq!(summary(&diff, 6), "T1 reworded, T2 check removed, T6 new");
    assert_eq!(summary(&diff, 1), "T1 reworded and 2 more");
    assert_eq!(summary(&diff, 0), "T1 reworded and 2 more");
    for (from, to, expected) in [
        ("", "", ""),
        ("Some words", "Other words", "prose only"),
        ("- R1 rows are", "- R1 lines are", "R1 reworded"),
        ("- R1 rows are printed\n", "", "R1 removed"),
        ("goal: Add a", "goal: Add one", "goal reworded"),
        ("- D1 open", "- D1: lines — me", "D1 answered"),
        (
            "- [ ] **T3** Write",
            "- [x] **T3** Rewrite",
            "T3 reworded and done",
        ),
    ] {
        assert_eq!(summary(&between(PLAN, &with(from, to)), 6), expected);
    }
    assert_eq!(summary(&between("", PLAN), 3), "5 steps");
    assert_eq!(summary(&between(PLAN, ""), 3), "all 5 steps removed");
}

#[test]
fn word_diffs_show_additions_and_removals() {
    for (before, after, expected) in [
        ("", "", ""),
        ("a", "a", "a"),
        ("", "new", "{+new+}"),
        (
            "Update the docs",
            "Update the docs and clean up",
            "Update the docs{+ and clean up+}",
        ),
        (
            "one two three",
            "eins zwei three",
            "[-one two-]{+eins zwei+} three",
        ),
        ("src/a_b.py", "src/a_c.py", "src/[-a_b-]{+a_c+}.py"),
        ("日本語", "日本人", "日本[-語-]{+人+}"),
    ] {
        assert_eq!(marked(&words(before, after)), expected);
    }
}

#[test]
fn three_changes_among_ten_thousand_tasks_are_found() {
    let tasks = |edit: &dyn Fn(usize, String) -> String| -> String {
        let one = |at: usize| {
            let keys = format!("  - files: `src/f{at}.rs`\n  - verify: `make t{at}`\n");
            edit(at, format!("- [ ] Do thing {} of many\n{keys}", at % 977))
        };
        (0..10_000).map(one).collect()
    };
    let before = tasks(&|_, task| task);
    let after = tasks(&|at, task| match at {
        17 => task.replace("thing", "every thing"),
        5_000 => String::new(),
        9_000 => format!("- [ ] Quite another one\n{task}"),
        _ => task,
    });
    let (old, new) = (read(&before), read(&after));
    let begin = std::time::Instant::now();
    let diff = diff((&before, &old), (&after, &new));
    let took = begin.elapsed();
    let kinds: Vec<ChangeKind> = diff.tasks.iter().map(|task| task.kind).collect();
    assert_eq!(
        kinds,
        [ChangeKind::Reworded, ChangeKind::Removed, ChangeKind::Added]
    );
    assert_eq!(diff.unchanged, 9_998);
    // The time budget is 60 ms in an optimized build, but this build is not optimized.
    assert!(took.as_millis() < 3_000, "{took:?}");
    println!("10,000 tasks against 10,000 with 3 changes: {took:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_make_up_both_texts(before in "[ab .\n語]{0,24}", after in "[ab .\n語]{0,24}") {
        let runs = words(&before, &after);
        let side = |not: RunKind| -> String {
            runs.iter().filter(|run| run.kind != not).map(|run| run.text.as_str()).collect()
        };
        prop_assert_eq!(side(RunKind::Added), before);
        prop_assert_eq!(side(RunKind::Removed), after);
        prop_assert!(runs.iter().all(|run| !run.text.is_empty()));
        prop_assert!(runs.windows(2).all(|pair| pair[0].kind != pair[1].kind));
    }

    #[test]
    fn a_text_has_no_difference_from_itself(text in text()) {
        let diff = between(&text, &text);
        prop_assert_eq!(&diff.tasks, &Vec::new());
        prop_assert_eq!(&diff.around, &Vec::new());
        prop_assert_eq!(diff.unchanged, read(&text).tasks.len());
        prop_assert_eq!(summary(&diff, 3), "");
    }

    #[test]
    fn every_task_is_accounted_for_once(before in text(), after in text()) {
        let (old, new) = (read(&before), read(&after));
        let diff = diff((&before, &old), (&after, &new));
        let mut from: Vec<usize> = diff.tasks.iter().filter_map(|task| task.before).collect();
        let mut to: Vec<usize> = diff.tasks.iter().filter_map(|task| task.after).collect();
        let gone = diff.tasks.iter().filter(|task| task.after.is_none()).count();
        let came = diff.tasks.iter().filter(|task| task.before.is_none()).count();
        prop_assert_eq!(to.len() + diff.unchanged, new.tasks.len());
        prop_assert_eq!(old.tasks.len() - gone, new.tasks.len() - came);
        for list in [&mut from, &mut to] {
            let length = list.len();
            list.sort_unstable();
            list.dedup();
            prop_assert_eq!(list.len(), length);
        }
        let in_order: Vec<usize> = diff.tasks.iter().filter_map(|task| task.after).collect();
        prop_assert!(in_order.is_sorted());
        for task in &diff.tasks {
            let is_whole = matches!(task.kind, ChangeKind::Added | ChangeKind::Removed);
            prop_assert_eq!(is_whole, task.before.is_none() || task.after.is_none());
            prop_assert!(is_whole || !task.notes.is_empty() || !task.parts.is_empty() || task.kind != ChangeKind::Changed);
        }
        summary(&diff, 4);
    }
}
