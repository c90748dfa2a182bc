//! Properties of outline edits that hold for every text, and that the edits always succeed on
//! well-formed plans.

use plan::edit::{
    EditError, NewTask, Place, Splice, add_requirement, add_task, apply, delete_requirement,
    delete_task, ensure_id, intro, move_task, set_body, set_depends, set_field, set_goal,
    set_intro, set_plan_title, set_requirement, set_title,
};
use plan::{IdOrigin, Plan, Task, TaskKind};
use proptest::prelude::*;

use super::laws::text;
use super::read;

/// The content of one task, without positions and positional ids.
#[derive(Debug, Clone, PartialEq)]
struct Says {
    id: Option<String>,
    title: String,
    marker: char,
    body: String,
    fields: Vec<(String, String)>,
    parent: Option<usize>,
}

fn says(task: &Task) -> Says {
    let fields = task.fields.iter();
    Says {
        id: (task.id_origin == IdOrigin::Written).then(|| task.id.0.clone()),
        title: task.title.clone(),
        marker: task.marker,
        body: task.body.clone(),
        fields: fields
            .map(|f| (f.key.to_string(), f.value.clone()))
            .collect(),
        parent: task.parent,
    }
}

fn all(plan: &Plan) -> Vec<Says> {
    plan.tasks.iter().map(says).collect()
}

/// The text after a change, which must be exactly reversible.
fn made(text: &str, splices: &[Splice]) -> (String, Plan) {
    let applied = apply(text, splices).expect("splices fit the text they were made for");
    let back = apply(&applied.text, &applied.inverse).expect("so do their inverses");
    assert_eq!(back.text, text);
    let plan = read(&applied.text);
    (applied.text, plan)
}

/// The content of a plan except for its tasks.
#[derive(Debug, PartialEq)]
struct Page {
    goal: Option<String>,
    title: Option<String>,
    requirements: Vec<(String, String)>,
    records: usize,
}

fn page(plan: &Plan) -> Page {
    let requirements = plan.requirements.iter();
    Page {
        goal: plan.front.goal.clone(),
        title: plan.title.as_ref().map(|title| title.text.clone()),
        requirements: requirements
            .map(|r| (r.id.clone(), r.text.clone()))
            .collect(),
        records: plan.decisions.len(),
    }
}

/// Text that may resemble any part of a plan.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,5}".prop_map(|word| word),
        1 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("- [ ] ".to_owned()),
        1 => Just("## ".to_owned()),
        1 => Just("---".to_owned()),
        1 => Just("===".to_owned()),
        1 => Just("```".to_owned()),
        1 => Just("`".to_owned()),
        1 => Just("    ".to_owned()),
        1 => Just("**T1** ".to_owned()),
        1 => Just("- files: x".to_owned()),
        1 => Just("\u{202e}".to_owned()),
        1 => Just("\u{2028}".to_owned()),
        1 => Just("<!--".to_owned()),
        1 => Just("> ".to_owned()),
        1 => Just("1. ".to_owned()),
        1 => Just(", ".to_owned()),
        1 => Just(": ".to_owned()),
        1 => Just(" #".to_owned()),
        1 => Just("[x]: u".to_owned()),
        1 => Just("\\".to_owned()),
        1 => Just("\t".to_owned()),
        1 => Just("-> T1".to_owned()),
    ];
    prop_oneof![
        30 => prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat()),
        1 => Just("w`- ".repeat(2500)),
    ]
}

const KEYS: [&str; 13] = [
    "files",
    "tools",
    "call",
    "covers",
    "accept",
    "verify",
    "why",
    "option",
    "note",
    "owner",
    "assume",
    "complexity",
    "depends",
];

/// A layout in which a plan is written.
#[derive(Debug, Clone)]
struct Style {
    bullet: &'static str,
    step: &'static str,
    ending: &'static str,
    mark: &'static str,
    has_ids: bool,
    is_loose: bool,
    ends: bool,
}

fn style() -> impl Strategy<Value = Style> {
    let shape = prop_oneof![
        Just(("-", "  ")),
        Just(("*", "    ")),
        Just(("-", "\t")),
        Just(("+", "  ")),
        Just(("1.", "   ")),
        Just(("1)", "    ")),
    ];
    let ending = prop_oneof![Just("\n"), Just("\r\n")];
    let mark = prop_oneof![3 => Just(""), 1 => Just("\u{feff}")];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (shape, ending, mark, flags).prop_map(
        |((bullet, step), ending, mark, (has_ids, is_loose, ends))| Style {
            bullet,
            step,
            ending,
            mark,
            has_ids,
            is_loose,
            ends,
        },
    )
}

/// Generates a well-formed plan: for each task, its depth (at most one deeper than the previous
/// task's) and its content.
pub(super) fn plan_text() -> impl Strategy<Value = String> {
    let task = (0..3_usize, 0..6_u8, any::<bool>());
    (style(), prop::collection::vec(task, 1..7), any::<bool>()).prop_map(
        |(style, tasks, has_page)| {
            let mut lines: Vec<String> = Vec::new();
            if has_page {
                lines.extend(
                    [
                        "# Title",
                        "",
                        "Words of the intro.",
                        "",
                        "## Requirements",
                        "- R1 one",
                        "- R2 two",
                        "",
                        "## Tasks",
                    ]
                    .map(str::to_owned),
                );
            }
            let mut last = None;
            for (at, (depth, under, done)) in tasks.into_iter().enumerate() {
                let depth = last.map_or(0, |last: usize| depth.min(last + 1));
                last = Some(depth);
                let indent = style.step.repeat(depth);
                let inner = format!("{indent}{}", style.step);
                let words = match style.step {
                    "\t" => format!("{indent}  "),
                    _ => format!("{indent}{}", " ".repeat(style.bullet.len() + 1)),
                };
                if style.is_loose && at > 0 {
                    lines.push(String::new());
                }
                let id = if style.has_ids {
                    format!("**T{}** ", at + 1)
                } else {
                    String::new()
                };
                let mark = if done { 'x' } else { ' ' };
                lines.push(format!("{indent}{} [{mark}] {id}task {at}", style.bullet));
                match under {
                    1 => lines.push(format!("{inner}- note: n{at}")),
                    2 => lines.extend([
                        format!("{words}Words"),
                        format!("{words}more"),
                        format!("{inner}- files: `a{at}`"),
                    ]),
                    3 => lines.extend([
                        String::new(),
                        format!("{words}```"),
                        format!("{words}- [ ] none"),
                        format!("{words}```"),
                    ]),
                    4 if at > 0 && style.has_ids => lines.push(format!("{inner}- depends: T1")),
                    4 if at > 0 => lines.push(format!("{inner}- depends: #1")),
                    5 => lines.extend([
                        format!("{inner}- verify: `a`"),
                        format!("{inner}- verify: `b`"),
                    ]),
                    _ => {}
                }
            }
            if has_page {
                lines.extend(["", "## Decisions"].map(str::to_owned));
            }
            let mut text = format!("{}{}", style.mark, lines.join(style.ending));
            if style.ends {
                text.push_str(style.ending);
            }
            text
        },
    )
}

fn place(plan: &Plan, which: usize) -> Place {
    let at = plan.tasks.get(which / 4 % plan.tasks.len().max(1));
    match (at, which % 4) {
        (Some(task), 1) => Place::After(task.id.clone()),
        (Some(task), 2) => Place::Under(task.id.clone()),
        (Some(task), 3) => Place::Before(task.id.clone()),
        _ => Place::First,
    }
}

/// Minimum number of cases; raise it with `PROPTEST_CASES`.
pub(super) fn cases(cases: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig {
        cases: cases.max(usual.cases),
        failure_persistence: None,
        ..usual
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn text_edits_change_one_task_and_parse_back(text in prop_oneof![text(), plan_text()], words in hostile(), which in any::<prop::sample::Index>()) {
        let plan = read(&text);
        prop_assume!(!plan.tasks.is_empty());
        let task = which.get(&plan.tasks);
        let at = plan.index_of(&task.id).unwrap();
        if let Ok(splices) = set_title(&text, &plan, &task.id, &words) {
            let (_, now) = made(&text, &splices);
            let mut expected = all(&plan);
            expected[at].title.clone_from(&now.tasks[at].title);
            prop_assert_eq!(all(&now), expected);
            prop_assert_eq!(page(&now), page(&plan));
            prop_assert_eq!(now.tasks[at].title.split_whitespace().collect::<String>(), words.split_whitespace().collect::<String>());
        }
        if let Ok(splices) = set_body(&text, &plan, &task.id, &words) {
            let (_, now) = made(&text, &splices);
            let mut expected = all(&plan);
            expected[at].body.clone_from(&now.tasks[at].body);
            prop_assert_eq!(all(&now), expected);
            prop_assert_eq!(page(&now), page(&plan));
            prop_assert_eq!(now.tasks[at].body.split_whitespace().collect::<String>(), words.split_whitespace().collect::<String>());
        }
    }

    #[test]
    fn keys_change_one_task(text in prop_oneof![text(), plan_text()], values in prop::collection::vec(hostile(), 0..3), key in prop::sample::select(&KEYS[..]), which in any::<prop::sample::Index>()) {
        let plan = read(&text);
        prop_assume!(!plan.tasks.is_empty());
        let id = which.get(&plan.tasks).id.clone();
        let at = plan.index_of(&id).unwrap();
        if let Ok(splices) = set_field(&text, &plan, &id, key, &values) {
            let (after, now) = made(&text, &splices);
            // Some ids may have been written to the file; all other keys of every task stay the
            // same.
            prop_assert_eq!(now.tasks.len(), plan.tasks.len());
            for (index, (was, is)) in plan.tasks.iter().zip(&now.tasks).enumerate() {
                prop_assert_eq!((&was.title, &was.body, was.parent, was.marker), (&is.title, &is.body, is.parent, is.marker));
                let others = |task: &Task| -> Vec<(String, String)> {
                    says(task).fields.into_iter().filter(|(of, _)| !(index == at && of == key) && of != "depends" && of != "option").collect()
                };
                prop_assert_eq!(others(was), others(is));
            }
            prop_assert_eq!(page(&now), page(&plan));
            // A reference to a positional id, such as `#1`, is dangling once the task has a written
            // id.
            let ids = |plan: &Plan| plan.tasks.iter().map(|task| task.id.clone()).collect::<Vec<_>>();
            if ids(&plan) == ids(&now) {
                let again = set_field(&after, &now, &now.tasks[at].id, key, &values);
                prop_assert_eq!(again, Ok(Vec::new()), "writing it again changes nothing");
            }
        }
    }

    #[test]
    fn a_move_keeps_the_content_of_every_task(text in prop_oneof![text(), plan_text()], from in any::<prop::sample::Index>(), to in 0..80_usize) {
        let plan = read(&text);
        prop_assume!(!plan.tasks.is_empty());
        let id = from.get(&plan.tasks).id.clone();
        if let Ok(named) = move_task(&text, &plan, &id, &place(&plan, to)) {
            let (_, now) = made(&text, &named.splices);
            prop_assert_eq!(page(&now), page(&plan));
            let known: Vec<_> = all(&plan).into_iter().filter_map(|task| task.id).collect();
            let sorted = |plan: &Plan| {
                let mut tasks: Vec<Says> = all(plan);
                for task in &mut tasks {
                    task.parent = None;
                    // A task that waited for a group and is moved into it now references the other
                    // members, which get ids.
                    task.id = task.id.take().filter(|id| known.contains(id));
                    task.fields.retain(|(key, _)| key != "depends" && key != "option");
                }
                tasks.sort_by_key(|task| format!("{task:?}"));
                tasks
            };
            prop_assert_eq!(sorted(&plan), sorted(&now));
            let old = &plan.tasks[plan.index_of(&id).unwrap()];
            if now.tasks.iter().filter(|task| task.id == named.id).count() == 1 {
                prop_assert_eq!(&now.task(&named.id).unwrap().title, &old.title);
            }
        }
    }

    #[test]
    fn adding_or_removing_a_task_changes_no_other(text in prop_oneof![text(), plan_text()], title in hostile(), to in 0..80_usize) {
        let plan = read(&text);
        let new = NewTask { title, kind: TaskKind::Checkpoint };
        if let Ok(named) = add_task(&text, &plan, &place(&plan, to), &new) {
            let (after, now) = made(&text, &named.splices);
            prop_assert_eq!(now.tasks.len(), plan.tasks.len() + 1);
            prop_assert_eq!(page(&now), page(&plan));
            let at = now.index_of(&named.id).unwrap();
            prop_assert_eq!(now.tasks[at].kind, TaskKind::Checkpoint);
            if let Ok(splices) = delete_task(&after, &now, &named.id) {
                let (_, back) = made(&after, &splices);
                prop_assert_eq!(all(&back), all(&plan));
            }
        }
        if let Some(task) = plan.tasks.get(to % plan.tasks.len().max(1)) {
            let at = plan.index_of(&task.id).unwrap();
            if let Ok(splices) = delete_task(&text, &plan, &task.id) {
                let (_, now) = made(&text, &splices);
                let task = &plan.tasks[at];
                let own = 1 + plan.tasks[at + 1..].iter().take_while(|other| other.depth > task.depth).count();
                prop_assert_eq!(now.tasks.len() + own, plan.tasks.len());
                let titles = |plan: &Plan| plan.tasks.iter().map(|task| (task.title.clone(), task.body.clone())).collect::<Vec<_>>();
                let mut left = titles(&plan);
                left.drain(at..at + own);
                prop_assert_eq!(titles(&now), left);
            }
        }
    }

    #[test]
    fn page_edits_change_no_task(text in prop_oneof![text(), plan_text()], words in hostile()) {
        let plan = read(&text);
        if let Ok(splices) = set_goal(&text, &plan, &words) {
            let (_, now) = made(&text, &splices);
            prop_assert_eq!(all(&now), all(&plan));
            let bare = |text: &str| text.split(|c: char| c.is_whitespace() || c.is_control()).collect::<String>();
            prop_assert_eq!(bare(now.front.goal.as_deref().unwrap_or("")), bare(&words));
        }
        if let Ok(splices) = set_plan_title(&text, &plan, &words) {
            let (_, now) = made(&text, &splices);
            prop_assert_eq!(all(&now), all(&plan));
        }
        if let Ok(splices) = set_intro(&text, &plan, &words) {
            let (after, now) = made(&text, &splices);
            prop_assert_eq!(all(&now), all(&plan));
            prop_assert_eq!(page(&now), page(&plan));
            let stands = intro(&after, &now).map_or("", |span| &after[span]);
            prop_assert_eq!(stands.split_whitespace().collect::<String>(), words.split_whitespace().collect::<String>());
        }
        if let Ok(named) = add_requirement(&text, &plan, &words) {
            let (after, now) = made(&text, &named.splices);
            prop_assert_eq!(all(&now), all(&plan));
            prop_assert_eq!(now.requirements.len(), plan.requirements.len() + 1);
            if let Ok(splices) = set_requirement(&after, &now, &named.id, "other words") {
                let (_, now) = made(&after, &splices);
                prop_assert_eq!(all(&now), all(&plan));
            }
            if let Ok(splices) = delete_requirement(&after, &now, &named.id) {
                let (_, now) = made(&after, &splices);
                prop_assert_eq!(page(&now), page(&plan));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_edit_can_be_made_on_a_well_formed_plan(text in plan_text(), from in any::<prop::sample::Index>(), to in 0..80_usize) {
        let plan = read(&text);
        let id = &from.get(&plan.tasks).id;
        let to = place(&plan, to);
        prop_assert!(set_title(&text, &plan, id, "Other words").is_ok());
        prop_assert!(set_body(&text, &plan, id, "Words\n\n    code\n- item\n").is_ok());
        prop_assert!(set_body(&text, &plan, id, "").is_ok());
        for (key, values) in [("files", &["a", "b"][..]), ("verify", &["x"]), ("verify", &["x", "y", "z"]), ("files", &[]), ("verify", &[]), ("why", &["so"])] {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            prop_assert!(set_field(&text, &plan, id, key, &values).is_ok(), "{} {:?}", key, values);
        }
        prop_assert!(ensure_id(&text, &plan, id).is_ok());
        let first = &plan.tasks[0].id;
        if first != id {
            let waits = set_depends(&text, &plan, id, Some(std::slice::from_ref(first)));
            // The first task may be the group that contains this one.
            let is_around = plan.task(id).unwrap().span.start < plan.tasks[0].span.end;
            let is_refused = matches!(waits, Err(EditError::Cycle { .. }));
            prop_assert!(if is_refused { is_around } else { waits.is_ok() }, "{:?}", waits);
        }
        prop_assert!(set_depends(&text, &plan, id, Some(&[])).is_ok());
        prop_assert!(set_depends(&text, &plan, id, None).is_ok());
        let new = NewTask { title: "New".to_owned(), kind: TaskKind::Decision };
        let added = add_task(&text, &plan, &to, &new);
        prop_assert!(added.is_ok(), "{:?} {:?}", to, added);
        let deleted = delete_task(&text, &plan, id);
        prop_assert!(deleted.is_ok(), "{:?}", deleted);
        let moved = move_task(&text, &plan, id, &to);
        prop_assert!(matches!(moved, Ok(_) | Err(EditError::IntoItself { .. })), "{} {:?} {:?}", id, to, moved);
        prop_assert!(set_goal(&text, &plan, "Goal: x").is_ok());
        prop_assert!(set_plan_title(&text, &plan, "Title").is_ok());
        prop_assert!(set_intro(&text, &plan, "Words\n\n- item").is_ok());
        prop_assert!(add_requirement(&text, &plan, "words").is_ok());
        for requirement in &plan.requirements {
            prop_assert!(set_requirement(&text, &plan, &requirement.id, "words").is_ok());
            prop_assert!(delete_requirement(&text, &plan, &requirement.id).is_ok());
        }
    }
}
