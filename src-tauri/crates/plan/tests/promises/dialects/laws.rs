//! Properties that hold for every file of every dialect.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use plan::edit::{apply, tick, untick};
use plan::graph::Graph;
use plan::{IdOrigin, Mark, Plan};
use proptest::prelude::*;

use super::{read, texts};

/// The parts of a task that ticking must not change.
fn face(plan: &Plan) -> Vec<(String, String, String, Option<usize>)> {
    let tasks = plan.tasks.iter();
    tasks
        .map(|task| {
            let (id, title, body) = (task.id.0.clone(), task.title.clone(), task.body.clone());
            (id, title, body, task.parent)
        })
        .collect()
}

/// Ticks or unticks every task that can be referenced, and undoes the change.
pub(super) fn ticks_are_one_change(name: &str, text: &str) {
    let plan = read(text);
    for (at, task) in plan.tasks.iter().enumerate() {
        if plan.index_of(&task.id) != Some(at) {
            // Two native tasks share this id, which refers to the first.
            continue;
        }
        let change = if task.done { untick } else { tick };
        let undo = if task.done { tick } else { untick };
        assert_eq!(undo(&plan, &task.id), Ok(Vec::new()), "{name} {}", task.id);
        let splices = change(&plan, &task.id).unwrap();
        let changed = apply(text, &splices).unwrap();
        let back = apply(&changed.text, &changed.inverse).unwrap().text;
        assert_eq!(back, text, "{name} {}", task.id);
        let [splice] = splices.as_slice() else {
            panic!("{name} {}: {splices:?}", task.id);
        };
        if task.mark == Mark::Box {
            assert_eq!(splice.text.len(), 1, "{name} {}", task.id);
        }
        if task.mark == Mark::Box && task.box_span.len() == 1 {
            let pairs = text.bytes().zip(changed.text.bytes());
            let differ = pairs.filter(|(was, is)| was != is).count();
            assert_eq!(
                (changed.text.len(), differ),
                (text.len(), 1),
                "{name} {}",
                task.id
            );
        }
        let after = read(&changed.text);
        assert_eq!(after.dialect, plan.dialect, "{name} {}", task.id);
        assert_eq!(face(&after), face(&plan), "{name} {}", task.id);
        for (other, (was, is)) in plan.tasks.iter().zip(&after.tasks).enumerate() {
            assert_eq!(was.done != is.done, other == at, "{name} {}", task.id);
        }
        let undone = apply(&changed.text, &undo(&after, &task.id).unwrap())
            .unwrap()
            .text;
        let is_plain = match task.mark {
            Mark::Box => matches!(task.marker, ' ' | 'x') && task.box_span.len() == 1,
            Mark::Heading => !task.done || matches!(&text[task.box_span.clone()], " ✅" | "x"),
            Mark::Status => ["pending", "completed"].contains(&&text[task.box_span.clone()]),
        };
        if is_plain {
            assert_eq!(undone, text, "{name} {}", task.id);
        }
    }
}

#[test]
fn a_tick_is_one_change_and_one_task_in_every_file() {
    for (name, text) in texts() {
        ticks_are_one_change(&name, &text);
    }
}

#[test]
fn id_spans_point_at_the_written_ids() {
    for (name, text) in texts() {
        for task in read(&text).tasks {
            assert_eq!(&text[task.title_span.clone()], task.title, "{name}");
            match (task.id_origin, task.id_span) {
                (IdOrigin::Written, Some(span)) => assert_eq!(&text[span], task.id.as_str()),
                (IdOrigin::Positional, None) => assert!(task.id.as_str().starts_with('#')),
                (origin, span) => panic!("{name} {}: {origin:?} {span:?}", task.id),
            }
        }
    }
}

/// Lines of all dialects, in any order.
fn line() -> impl Strategy<Value = String> {
    let indent = prop_oneof![
        4 => Just(""),
        1 => Just("  "),
        1 => Just("    "),
        1 => Just("\t"),
        1 => Just("> "),
        1 => Just("      "),
    ];
    let words = prop_oneof![
        4 => "- \\[( |x|X|~|-| x |  |)\\]\\*? ?(T00[1-5]|T-?[0-9]{1,3}[a-z]?|\\*\\*T00[1-4]\\*\\*|) ?(\\[P\\]|) ?(\\[US[1-3]\\]|) ?[a-z]{0,4}( \\(depends on T00[1-5](, T00[1-5]|-T00[1-5])?\\))?",
        4 => "- \\[( |x|X|~)\\]\\*? ?([1-3]\\.|[1-3]\\.[1-3]|\\*\\*[1-3]\\.[1-3]\\*\\*|[1-3]\\.[1-3]\\*|\\*\\*[1-3]\\.[1-3] a\\*\\*) ?(\\(P\\) )?[a-z]{0,4}( \\(P\\))?",
        2 => "- (_Requirements: [1-3](\\.[1-3])?(, [1-3])?_|_Depends: ([1-3]\\.[1-3]|none)_|_Depends:_ [1-3]|\\*\\*Validates: Requirements [1-3]\\*\\*|_Boundary: a_)",
        2 => "(#{1,3} ([1-3]\\. [a-z]{1,3}|Phase [1-3]: [a-z]{1,3}|Tasks|Implementation Plan)|---|\\*\\*Checkpoint\\*\\*: a|_Requirements: [1-3]_)",
        1 => "(```|~~~|<!--|-->)",
        1 => "- (depends|covers|note): [T1-3.]{1,4}",
        1 => "[a-z*_ \\[\\]().0-9-]{0,10}",
        2 => Just(String::new()),
    ];
    (indent, words).prop_map(|(indent, words)| format!("{indent}{words}"))
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    let ending = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let front = prop_oneof![5 => Just(""), 1 => Just("---\na: b\n---\n"), 1 => Just("\u{feff}")];
    (front, prop::collection::vec(line(), 0..16), ending).prop_map(|(front, lines, ending)| {
        format!("{front}{}", lines.join("\n")).replace('\n', ending)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_tick_is_one_change_and_one_task_in_any_text(text in text()) {
        ticks_are_one_change("", &text);
    }

    #[test]
    fn tasks_are_in_the_order_of_their_boxes_and_nest(text in text()) {
        let plan = read(&text);
        let mut last = 0;
        for (at, task) in plan.tasks.iter().enumerate() {
            prop_assert!(task.box_span.start >= last);
            last = task.box_span.end;
            prop_assert_eq!(&text[task.title_span.clone()], &task.title);
            prop_assert!(task.fields.iter().all(|field| text[field.value_span.clone()] == field.value));
            if let Some(parent) = task.parent {
                prop_assert!(parent < at);
                let around = &plan.tasks[parent].span;
                prop_assert!(around.start <= task.span.start && task.span.end <= around.end);
            }
        }
        let (done, total) = plan.counted();
        prop_assert!(done <= total && total <= plan.tasks.len());
    }

    #[test]
    fn dependencies_are_reachable_and_cycles_are_reported(text in text()) {
        let plan = read(&text);
        let graph = Graph::of(&plan);
        let mut done = vec![false; plan.tasks.len()];
        let leaves: Vec<usize> = plan.leaves().map(|(at, _)| at).collect();
        for _ in 0..leaves.len() {
            let ready = leaves
                .iter()
                .find(|at| !done[**at] && graph.waits_for(**at).iter().all(|before| done[*before]));
            if let Some(at) = ready {
                done[*at] = true;
            }
        }
        prop_assert_eq!(leaves.iter().all(|at| done[*at]), graph.cycles().is_empty());
        for at in &leaves {
            for before in graph.waits_for(*at) {
                prop_assert!(graph.dependents(*before).contains(at) || before == at);
            }
        }
    }
}

/// The time limit for parsing in an unoptimized build; quadratic code would take minutes.
const SOON: Duration = Duration::from_secs(20);

fn is_read_soon(name: &str, text: &str, tasks: usize) {
    let begun = Instant::now();
    let plan = read(text);
    let graph = Graph::of(&plan);
    assert_eq!(plan.tasks.len(), tasks, "{name}");
    if tasks > 0 {
        graph.dependents(0);
    }
    assert!(begun.elapsed() < SOON, "{name}: {:?}", begun.elapsed());
}

#[test]
fn huge_files_of_every_dialect_are_parsed_quickly() {
    let many = |line: &dyn Fn(usize) -> String, count: usize| {
        (0..count).fold(String::new(), |text, at| text + &line(at))
    };
    let spec_kit = many(
        &|at| match at % 1_000 {
            0 => format!("## Phase {at}\n- [ ] T{at:06} a\n"),
            _ => format!("- [ ] T{at:06} [P] [US1] a\n"),
        },
        100_000,
    );
    is_read_soon("100,000 parallel tasks", &spec_kit, 100_000);
    let halves = many(
        &|at| match at {
            50_000 => format!("## Phase 2\n- [ ] T{at:06} [P] a\n"),
            _ => format!("- [ ] T{at:06} [P] a\n"),
        },
        100_000,
    );
    is_read_soon("two phases of 50,000 parallel tasks", &halves, 100_000);
    let kiro = many(
        &|at| {
            format!(
                "- [ ]* 1.{at} a\n  - _Requirements: 1.1_\n  - _Depends: 1.{}_\n",
                at / 2
            )
        },
        30_000,
    );
    is_read_soon("30,000 optional tasks", &kiro, 30_000);
    let flow = many(
        &|at| format!("{{id: t{at}, content: a, status: }},"),
        20_000,
    );
    let todos = format!("---\ntodos: [{flow}]\n---\n");
    is_read_soon("20,000 todos on one line", &todos, 20_000);
    let letters =
        |at: usize| [at / 676 % 26, at / 26 % 26, at % 26].map(|at| (b'a' + at as u8) as char);
    let word = |at| String::from_iter(letters(at));
    let kinds = many(
        &|at| format!("## {} 1: a\n### Task {at}: b\n- [ ] c\n", word(at)),
        10_000,
    );
    is_read_soon("10,000 words that count headings", &kinds, 30_000);
    let mut deep = String::new();
    for level in 0..1_000 {
        let _ = writeln!(deep, "{}- [ ] {}.1 deeper", "  ".repeat(level), level + 1);
    }
    is_read_soon("1,000 levels", &deep, 1_000);
    let prose = format!(
        "- [ ] T001 {}\n- [ ] T002 b\n",
        "depends on ".repeat(100_000)
    );
    is_read_soon("1 MB on one line", &prose, 2);
    is_read_soon("1 MB of brackets", &"[".repeat(1 << 20), 0);
    let starred = format!("- [ ] **1. {}\n", "** ".repeat(350_000));
    is_read_soon("1 MB of stars", &starred, 1);
}
