//! The local check agrees with parsing the whole text.
#![allow(
    clippy::unwrap_used,
    reason = "a test may stop at what it did not expect"
)]

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::reads;
use crate::edit::content::{PlanContent, TaskContent, matching_plan_by};
use crate::edit::{Splice, apply};
use crate::parse::parse;
use crate::samples::{text, words};

fn settle(task_content: &mut TaskContent) {
    task_content.fields.sort_by(|(a, _), (b, _)| a.cmp(b));
}

/// The results of the local check and of parsing the whole text, for a change after which a task
/// must match either its new or its old content.
fn both(
    text: &str,
    which: usize,
    place: (usize, usize),
    new: &str,
    is_meant: bool,
) -> Option<(Option<bool>, bool)> {
    let (plan, _) = parse(text);
    let index = which.checked_rem(plan.tasks.len())?;
    let task = &plan.tasks[index];
    let start = task.box_span.start;
    // The change is between the task's box and at most 3 bytes after the task's end.
    let room = (task.span.end + 3).min(text.len()) - start;
    let at = |place: usize| {
        let mut at = start + place % (room + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let (a, b) = (at(place.0), at(place.1));
    let splices = vec![Splice {
        range: a.min(b)..a.max(b),
        text: new.to_owned(),
    }];
    let after = apply(text, &splices).unwrap().text;
    let (now, _) = parse(&after);
    let task_content = match now.tasks.get(index) {
        Some(now) if is_meant => TaskContent::of(now),
        _ => TaskContent::of(task),
    };
    let near = reads(text, &plan, &splices, index, &task_content, settle);
    let mut expected = PlanContent::of(text, &plan);
    expected.tasks[index] = TaskContent {
        parent: task.parent,
        ..task_content
    };
    let says = |task_content: &TaskContent| -> Vec<(String, String)> {
        let fields = task_content.fields.iter();
        fields
            .filter(|(key, _)| key == "option" || key == "type")
            .cloned()
            .collect()
    };
    let moves_answers = says(&expected.tasks[index]) != says(&TaskContent::of(task));
    let whole = matching_plan_by(text, &splices, &expected, |plan_content| {
        if let Some(task_content) = plan_content.tasks.get_mut(index) {
            settle(task_content);
        }
        if moves_answers {
            plan_content.decisions.clear();
        }
    });
    let same_dialect = now.dialect == plan.dialect;
    Some((near, whole.is_some() && same_dialect))
}

/// Number of cases; raise it with `PROPTEST_CASES`.
const CASES: u32 = 600;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: CASES.max(ProptestConfig::default().cases), ..ProptestConfig::default() })]

    #[test]
    fn local_check_agrees_with_parsing_the_whole_text(
        text in text(),
        which in 0..64_usize,
        place in (0..64_usize, 0..64_usize),
        new in words(),
        is_meant in any::<bool>(),
    ) {
        if let Some((Some(near), whole)) = both(&text, which, place, &new, is_meant) {
            prop_assert_eq!(near, whole, "{:?}", new);
        }
    }
}

#[test]
fn many_changes_can_be_checked_locally() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = (
        text(),
        0..64_usize,
        (0..64_usize, 0..64_usize),
        words(),
        any::<bool>(),
    );
    let (mut told, mut kept, mut all) = (0, 0, 0);
    for _ in 0..600 {
        let (text, which, place, new, is_meant) = strategy.new_tree(&mut runner).unwrap().current();
        if let Some((near, _)) = both(&text, which, place, &new, is_meant) {
            all += 1;
            told += usize::from(near.is_some());
            kept += usize::from(near == Some(true));
        }
    }
    assert!(told * 8 > all, "{told} of {all}");
    assert!(kept * 40 > all, "{kept} of {all}");
}

/// After the change, the next line is indented by one more space but is still parsed as the same
/// task.
#[test]
fn indented_but_not_nested_line_needs_the_whole_text() {
    let text = "- [1] **C1** \r\n- [ ]* \r\n  [[:|\r\n: >#\r\n    a>>#:<]#\r\n- [ ] **C1** ";
    assert_eq!(both(text, 1, (34, 7), "", true), Some((None, true)));
}

/// Another task already has the bold id, so it is parsed as text here.
#[test]
fn duplicate_id_needs_the_whole_text() {
    let text = "- [x] T4 \r- [x]* 1.1 aaaa\r   2. [x]* **T4** \r- [1] T001 \r- [ ] T1 \r";
    assert_eq!(both(text, 1, (22, 37), "", true), Some((None, true)));
    let text = "- [x] 1.1 \n- [1]* 1.3 \n- [ ] **T1** \n- [x] T1 \n- [ ] T2 \n> - [1]* aaaa";
    let (near, whole) = both(text, 29, (0, 0), "\n- [x] 1.3 ", true).unwrap();
    assert!(near.is_none_or(|near| near == whole), "{near:?} {whole}");
}
