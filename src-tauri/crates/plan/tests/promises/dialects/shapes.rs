//! Steps in headings and in front matter, in many languages.

use plan::edit::{apply, tick};
use plan::{Dialect, Plan};
use proptest::prelude::*;

use super::super::read;
use super::laws::ticks_are_one_change;

/// Numbering styles: the text before the number, the numbers, and the text after the number.
const COUNTED: [(&str, [&str; 4], &str); 14] = [
    ("Task ", ["1", "2", "3", "4"], ": "),
    ("Task #", ["1", "1", "1", "1"], ": "),
    ("Phase ", ["0", "1", "2", "3"], " — "),
    ("Phase ", ["I", "II", "III", "IV"], ": "),
    ("**Step ", ["1", "2", "3", "4"], "**: "),
    ("", ["1", "2", "3", "4"], ". Schritt: "),
    ("Étape ", ["1", "2", "3", "4"], " : "),
    ("Шаг ", ["1", "2", "3", "4"], ". "),
    ("المهمة ", ["١", "٢", "٣", "٤"], ": "),
    ("चरण ", ["१", "२", "३", "४"], ": "),
    ("任务", ["１", "２", "３", "４"], "："),
    ("第", ["一", "二", "三", "四"], "步："),
    ("ステップ ", ["1", "2", "3", "4"], " "),
    ("", ["1", "2", "3", "4"], "단계: "),
];

/// Step titles in several scripts, with numbers and markup.
const TITLES: [&str; 8] = [
    "Read the `--json` flag",
    "**Print** rows",
    "Разобрать строки",
    "读取 1 个标志",
    "المحلل",
    "Fix #12: a_b and c",
    "단위 테스트",
    "Über 3 Zeilen",
];

/// Marks of a heading: the text before the title, the text after it, and whether they mean that the
/// step is done.
const STATES: [(&str, &str, bool); 12] = [
    ("", "", false),
    ("", "", false),
    ("[ ] ", "", false),
    ("", " [ ]", false),
    ("🚀 ", "", false),
    ("[x] ", "", true),
    ("", " [x]", true),
    ("✅ ", "", true),
    ("", " ✅", true),
    ("", " ☑️", true),
    ("", " **✔**", true),
    ("", " ✅ DONE", true),
];

/// Content to put under a heading; none of it is a step.
const UNDER: [&str; 6] = [
    "",
    "Words, and more.\n\n",
    "- a list\n- of things ✅\n\n",
    "```\n## Task 9: text\n```\n\n",
    "<!--\n## Task 9: text\n-->\n\n",
    "### Example 1: x\n\nwords\n\n",
];

/// A plan, and whether each of its steps is done.
type Made = (String, Vec<bool>);

fn with_ending((text, done): Made, ending: &str) -> Made {
    (text.replace('\n', ending), done)
}

fn ending() -> impl Strategy<Value = &'static str> {
    prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")]
}

fn headings() -> impl Strategy<Value = Made> {
    let step = (
        prop::sample::select(&TITLES[..]),
        prop::sample::select(&STATES[..]),
        prop::sample::select(&UNDER[..]),
        0..3_u8,
    );
    let steps = prop::collection::vec(step, 2..=4);
    (prop::sample::select(&COUNTED[..]), steps, ending()).prop_map(|(counted, steps, ending)| {
        let (before, numbers, behind) = counted;
        let mut text = "# Plan\n\nWhy, and for whom.\n\n".to_owned();
        let mut done = Vec::new();
        for (number, (title, (open, close, is_done), under, form)) in numbers.iter().zip(steps) {
            let words = format!("{open}{before}{number}{behind}{title}{close}");
            text += &match form {
                0 => format!("## {words}\n\n{under}"),
                // Above an underline, Markdown would parse a number with a dot as a list.
                _ if behind.starts_with('.') || form == 1 => format!("## {words} ##\n\n{under}"),
                _ => format!("{words}\n-----\n\n{under}"),
            };
            done.push(is_done);
        }
        with_ending((text + "## Notes\n\nwords\n", done), ending)
    })
}

/// Values of `status:`, and whether they mark a step as done.
const STATUSES: [(&str, bool); 12] = [
    ("pending", false),
    ("pending", false),
    ("in_progress", false),
    ("cancelled", false),
    ("", false),
    ("\"\"", false),
    ("null", false),
    ("completed", true),
    ("completed", true),
    ("\"completed\"", true),
    ("'Done'", true),
    ("COMPLETED", true),
];

/// Values of `content:`, in different YAML notations and scripts.
const CONTENTS: [&str; 8] = [
    "Read the flag",
    "\"Print: {rows}, and \\\"quotes\\\"\"",
    "'Don''t print'",
    "Разобрать строки",
    "读取标志：一",
    "المحلل",
    "Über 3 Zeilen # no part of it",
    "a-b_c 'd'",
];

fn todos() -> impl Strategy<Value = Made> {
    let item = (
        prop::sample::select(&CONTENTS[..]),
        prop::sample::select(&STATUSES[..]),
        0..6_usize,
    );
    let items = prop::collection::vec(item, 1..5);
    (items, 0..3_usize, ending()).prop_map(|(items, form, ending)| {
        let mut done = Vec::new();
        let mut all = Vec::new();
        for (at, (content, (status, is_done), form)) in items.into_iter().enumerate() {
            let flow = content.split(" #").next().unwrap_or_default();
            all.push(match form {
                0 => format!("  - id: t{at}\n    content: {content}\n    status: {status}\n"),
                1 => format!("  - status: {status} # a note\n    content: {content}\n\n"),
                2 => format!("  - content: >-\n      Read\n      all\n    status: {status}\n    dependencies:\n      - t0\n"),
                3 => format!("  -   content: Read\n        on\n      # a note\n      'status': {status}\n"),
                4 => format!("  - {{\"id\": t{at}, \"content\": {flow}, \"status\": {status}}}\n"),
                _ => format!("  - {{content: {flow}, status: {status} , dependencies: [t0]}}\n"),
            });
            done.push(is_done);
        }
        let list = match form {
            0 => all.concat(),
            1 => all.concat().replace("\n  ", "\n").split_off(2),
            _ => {
                let flows = all.iter().zip(&done).enumerate();
                let flows = flows.map(|(at, (_, done))| match done {
                    true => format!("{{id: t{at}, content: \"Read, on\", status: completed}}"),
                    false => format!("{{id: t{at}, content: Read, status: }}"),
                });
                format!("  [{}]\n", flows.collect::<Vec<_>>().join(", "))
            }
        };
        let text = format!("---\nname: a\ntodos:\n{list}isProject: false\n---\n# Plan\n\n- [ ] a note\n");
        with_ending((text, done), ending)
    })
}

/// Whether each step is done. Also asserts that the spans of the steps are disjoint and complete.
fn states(plan: &Plan) -> Vec<bool> {
    let mut last = 0;
    for task in &plan.tasks {
        let (span, title, state) = (&task.span, &task.title_span, &task.box_span);
        assert!(last <= span.start, "{task:?}");
        assert!(
            span.start <= title.start && title.end <= span.end,
            "{task:?}"
        );
        assert!(
            span.start <= state.start && state.end <= span.end,
            "{task:?}"
        );
        assert!(
            title.end <= state.start || state.end <= title.start,
            "{task:?}"
        );
        last = span.end;
    }
    plan.tasks.iter().map(|task| task.done).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn headings_are_parsed_and_ticked_individually((text, done) in headings()) {
        let plan = read(&text);
        prop_assert_eq!(plan.dialect, Dialect::Headings, "{}", text);
        prop_assert_eq!(states(&plan), done, "{}", text);
        ticks_are_one_change("", &text);
    }

    #[test]
    fn todos_are_parsed_and_ticked_individually((text, done) in todos()) {
        let plan = read(&text);
        prop_assert_eq!(plan.dialect, Dialect::Todos, "{}", text);
        prop_assert_eq!(states(&plan), done, "{}", text);
        ticks_are_one_change("", &text);
    }
}

#[test]
fn a_status_is_ticked_in_place() {
    for (status, ticked) in [
        ("status: pending", "status: completed"),
        ("status: \"pending\" # note", "status: \"completed\" # note"),
        ("status: ''", "status: completed"),
        ("status: # note", "status: completed # note"),
        ("status:", "status: completed"),
        ("status: cancelled", "status: completed"),
        ("status: in-progress", "status: completed"),
    ] {
        let text = format!("---\ntodos:\n  - content: Fix: the `flag`\n    {status}\n---\n# P\n");
        let plan = read(&text);
        assert_eq!(plan.tasks[0].title, "Fix: the `flag`", "{text}");
        let splices = tick(&plan, &plan.tasks[0].id).unwrap();
        let after = apply(&text, &splices).unwrap().text;
        assert_eq!(after, text.replace(status, ticked));
    }
}

#[test]
fn every_status_value_is_recognized() {
    for (status, done, skipped) in [
        ("completed", true, None),
        ("done", true, None),
        ("pending", false, None),
        ("review", false, None),
        ("cancelled", false, Some("cancelled in the file")),
        ("Canceled # why", false, Some("canceled in the file")),
        ("skipped", false, Some("skipped in the file")),
    ] {
        let text = format!(
            "---\ntodos:\n- content: a\n  status: {status}\n- {{content: b, status: done}}\n---\n"
        );
        let plan = read(&text);
        let task = &plan.tasks[0];
        assert_eq!(
            (task.done, task.skipped.as_deref()),
            (done, skipped),
            "{text}"
        );
        let left = 2 - usize::from(skipped.is_some());
        assert_eq!(plan.counted(), (1 + usize::from(done), left), "{text}");
    }
}

#[test]
fn a_todo_list_without_content_or_status_has_no_steps() {
    for todos in [
        "[a, b]",
        "{a: b}",
        "none",
        "[]",
        "[{content: a}]",
        "[{content: a, status}]",
        "[{content: '', status: done}]",
        "[{content: a, status: done}, b]",
        "[{content: a, status: done}",
    ] {
        let text = format!("---\ntodos: {todos}\n---\n- [ ] a\n- [ ] b\n- [ ] c\n");
        let plan = read(&text);
        assert_eq!(
            (plan.dialect, plan.tasks.len()),
            (Dialect::Plain, 3),
            "{todos}"
        );
    }
}
