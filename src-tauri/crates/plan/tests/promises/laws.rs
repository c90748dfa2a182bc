//! Properties that hold for every text.

use plan::coverage::fingerprints;
use plan::edit::{Splice, add_note, apply, record_decision, skip, tick, unskip, untick};
use plan::graph::Graph;
use plan::{Plan, TaskId};
use proptest::prelude::*;

/// Typical lines of plans, some of them badly indented.
fn line() -> impl Strategy<Value = String> {
    let indent = prop_oneof![
        Just(""),
        Just("  "),
        Just("    "),
        Just("\t"),
        Just(" "),
        Just("   "),
        Just("> "),
        Just(">   "),
        Just("- ")
    ];
    let words = prop_oneof![
        8 => "(-|\\*|[0-9]{1,2}[.)]) \\[( |x|X|-|~|✓||1|\t)\\]\\*? (\\*\\*[TCD][1-9]\\*\\* |T[1-9] |)[a-z]{0,4}",
        6 => "- (depends|files|covers|verify|skipped|note|owner|type|option|call): ?(T[1-9](, T[1-9])?|`a b`|decision|checkpoint|x -> T[1-9]|x -> stop|)",
        1 => "(```|~~~|<!--|-->|<div>|---|===|\\[1\\]: u|\\[x\\]: u|#? ?[a-z]*)",
        1 => "## (Tasks|Requirements|Decisions|decisions)",
        1 => "- (R[1-3]|D[1-9]:?|\\*\\*D1\\*\\*) (open|[a-z]{1,4} — me)",
        2 => "[a-z`\\[\\]*>#|: -]{0,12}",
        2 => Just(String::new()),
    ];
    (indent, words, prop_oneof![4 => Just(""), 1 => Just("  ")])
        .prop_map(|(indent, words, tail)| format!("{indent}{words}{tail}"))
}

pub(super) fn text() -> impl Strategy<Value = String> {
    let front = prop_oneof![
        3 => Just(String::new()),
        1 => Just("---\nplanwright: 1\ngoal: x\n---\n".to_owned()),
        1 => "---\n([a-z]{1,3}: ?[a-z\\[\\]{}&*#:\"'|>-]{0,5}\n){0,3}---\n",
    ];
    let ending = prop_oneof![3 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    let mark = prop_oneof![5 => Just(""), 1 => Just("\u{feff}")];
    (
        mark,
        front,
        prop::collection::vec(line(), 0..14),
        ending,
        any::<bool>(),
    )
        .prop_map(|(mark, front, lines, ending, ends)| {
            let mut text = format!("{front}{}", lines.join("\n"));
            if ends {
                text.push('\n');
            }
            format!("{mark}{}", text.replace('\n', ending))
        })
}

fn all_ids(plan: &Plan) -> Vec<TaskId> {
    let mut ids: Vec<TaskId> = plan.tasks.iter().map(|task| task.id.clone()).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Whether every byte outside of the splices is unchanged.
fn only_touches(text: &str, splices: &[Splice], after: &str) -> bool {
    let [splice] = splices else {
        return splices.is_empty() && text == after;
    };
    let tail = text.len() - splice.range.end;
    after.len() == text.len() - splice.range.len() + splice.text.len()
        && after[..splice.range.start] == text[..splice.range.start]
        && after[after.len() - tail..] == text[splice.range.end..]
}

fn taken_back(text: &str, splices: &[Splice]) -> String {
    let applied = apply(text, splices).expect("splices fit the text they were made for");
    let back = apply(&applied.text, &applied.inverse)
        .expect("so do their inverses")
        .text;
    assert_eq!(back, text);
    applied.text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsing_never_fails_on_any_text(text in any::<String>()) {
        let (plan, _) = plan::parse(&text);
        fingerprints(&text, &plan);
    }

    #[test]
    fn parsing_never_fails_on_marks(text in "[-*+>#`~|:\\[\\]x \t\r\n0-9.()TD]{0,80}") {
        let (plan, _) = plan::parse(&text);
        fingerprints(&text, &plan);
    }

    #[test]
    fn parsing_never_fails_on_front_matter(block in "[-a-c:&*?!|>%@#'\"\\[\\]{}, \t\r\n]{0,60}") {
        plan::parse(&format!("---\na: {block}\n---\n- [ ] a\n"));
        plan::parse(&format!("---\n{block}\n---\n- [ ] a\n"));
    }

    #[test]
    fn extents_nest_and_do_not_cross(text in text()) {
        let (plan, _) = plan::parse(&text);
        let mut last_box = 0;
        for (at, task) in plan.tasks.iter().enumerate() {
            prop_assert!(task.box_span.start >= last_box);
            last_box = task.box_span.end;
            prop_assert!(task.span.start <= task.box_span.start && task.title_span.end <= task.span.end);
            prop_assert_eq!(&text[task.title_span.clone()], &task.title);
            prop_assert!(task.fields.iter().all(|f| text[f.value_span.clone()] == f.value));
            if let Some(parent) = task.parent {
                let around = &plan.tasks[parent];
                prop_assert!(parent < at && around.children.contains(&at));
                prop_assert!(around.span.start <= task.span.start && task.span.end <= around.span.end);
                prop_assert_eq!(task.depth, around.depth + 1);
            }
            for pair in task.children.windows(2) {
                prop_assert!(plan.tasks[pair[0]].span.end <= plan.tasks[pair[1]].span.start);
            }
        }
        let (back, _) = plan::parse(&text);
        prop_assert_eq!(plan, back);
    }

    #[test]
    fn a_tick_changes_one_byte_and_one_done(text in text()) {
        let (plan, _) = plan::parse(&text);
        for id in all_ids(&plan) {
            let at = plan.index_of(&id).unwrap();
            if plan.tasks[at].done {
                continue;
            }
            let splices = tick(&plan, &id).unwrap();
            let ticked = taken_back(&text, &splices);
            prop_assert!(only_touches(&text, &splices, &ticked));
            if plan.tasks[at].box_span.len() == 1 {
                prop_assert_eq!(ticked.len(), text.len());
            }
            let (after, _) = plan::parse(&ticked);
            let mut expected = plan.tasks.iter().map(|t| (t.id.clone(), t.title.clone(), t.done)).collect::<Vec<_>>();
            expected[at].2 = true;
            let now = after.tasks.iter().map(|t| (t.id.clone(), t.title.clone(), t.done)).collect::<Vec<_>>();
            prop_assert_eq!(now, expected);
            prop_assert_eq!(fingerprints(&text, &plan), fingerprints(&ticked, &after));
            let opened = taken_back(&ticked, &untick(&after, &id).unwrap());
            prop_assert!(!plan::parse(&opened).0.tasks[at].done);
        }
    }

    #[test]
    fn new_lines_change_nothing_else(text in text(), words in "[a-z`*:>—\\[\\]# \n-]{1,12}") {
        let (plan, _) = plan::parse(&text);
        for id in all_ids(&plan) {
            let at = plan.index_of(&id).unwrap();
            if let Ok(splices) = add_note(&text, &plan, &id, &words) {
                let noted = taken_back(&text, &splices);
                prop_assert!(only_touches(&text, &splices, &noted));
                let (after, _) = plan::parse(&noted);
                prop_assert_eq!(after.tasks[at].fields.len(), plan.tasks[at].fields.len() + 1);
            }
            if plan.tasks[at].skipped.is_none()
                && let Ok(splices) = skip(&text, &plan, &id, &words)
            {
                let skipped = taken_back(&text, &splices);
                let (after, _) = plan::parse(&skipped);
                prop_assert!(after.tasks[at].skipped.is_some());
                if let Ok(splices) = unskip(&skipped, &after, &id) {
                    let back = taken_back(&skipped, &splices);
                    prop_assert!(plan::parse(&back).0.tasks[at].skipped.is_none());
                }
            }
            if let Ok(splices) = record_decision(&text, &plan, &id, &words, "me") {
                let recorded = taken_back(&text, &splices);
                prop_assert!(only_touches(&text, &splices, &recorded));
                let (after, _) = plan::parse(&recorded);
                let record = after.decisions.iter().find(|record| record.task == id).unwrap();
                prop_assert!(record.answer.is_some());
                prop_assert_eq!(&record.detail, "me");
            }
        }
    }

    #[test]
    fn a_plan_without_cycles_has_an_order(text in text()) {
        let (plan, _) = plan::parse(&text);
        let graph = Graph::of(&plan);
        let mut done = vec![false; plan.tasks.len()];
        let leaves: Vec<usize> = plan.leaves().map(|(at, _)| at).collect();
        for _ in 0..leaves.len() {
            let ready = leaves.iter().find(|at| !done[**at] && graph.waits_for(**at).iter().all(|b| done[*b]));
            if let Some(at) = ready {
                done[*at] = true;
            }
        }
        let all_done = leaves.iter().all(|at| done[*at]);
        prop_assert_eq!(all_done, graph.cycles().is_empty());
        for at in &leaves {
            for before in graph.waits_for(*at) {
                prop_assert!(graph.dependents(*before).contains(at) || before == at);
            }
        }
    }
}
