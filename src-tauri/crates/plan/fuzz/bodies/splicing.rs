//! Properties of edits to any text: each edit applies, leaves every byte outside of its splices
//! unchanged, and is undone by its inverse. Undoing all of them restores the original text.

use plan::edit::{self, EditError, MakeFrom, NewTask, Place, Splice, apply};
use plan::{Plan, TaskId, TaskKind};

/// Maximum number of edits per text.
const MAX_EDITS: usize = 6;

/// Applies edits to a text. The first bytes of the data select the edits; the rest is the text.
pub fn splices(data: &[u8]) {
    let (choices, rest) = data.split_at(data.len().min(3 * MAX_EDITS));
    let first = super::text_of(rest);
    let mut text = first.clone();
    let mut undo = Vec::new();
    for choice in choices.chunks_exact(3) {
        let (plan, _) = plan::parse(&text);
        let Some(splices) = edit(&text, &plan, [choice[0], choice[1], choice[2]]) else {
            continue;
        };
        let applied = apply(&text, &splices).expect("the splices of an edit apply");
        rest_is_untouched(&text, &splices, &applied.text);
        let back = apply(&applied.text, &applied.inverse).expect("so does their inverse");
        assert_eq!(back.text, text);
        plan::parse(&applied.text);
        undo.push(applied.inverse);
        text = applied.text;
    }
    for inverse in undo.iter().rev() {
        text = apply(&text, inverse).expect("an inverse applies").text;
    }
    assert_eq!(text, first);
}

/// Asserts that the text between the splices is unchanged and in the same order.
fn rest_is_untouched(text: &str, splices: &[Splice], after: &str) {
    let mut ordered: Vec<&Splice> = splices.iter().collect();
    ordered.sort_by_key(|splice| (splice.range.start, splice.range.end));
    let (mut from, mut to) = (0, 0);
    for splice in ordered {
        let kept = &text[from..splice.range.start];
        assert!(after[to..].starts_with(kept));
        to += kept.len();
        assert!(after[to..].starts_with(&splice.text));
        to += splice.text.len();
        from = splice.range.end;
    }
    assert_eq!(&text[from..], &after[to..]);
}

const WORDS: [&str; 12] = [
    "a",
    "",
    "two words",
    "- [ ] x",
    "**T1** b",
    "```",
    "# c",
    "`d`, e",
    "T1, T2",
    "none",
    "line\n\n- more",
    "é\u{1f600}>",
];

fn edit(text: &str, plan: &Plan, [which, on, how]: [u8; 3]) -> Option<Vec<Splice>> {
    let task = |choice: u8| -> TaskId {
        match plan.tasks.len() {
            0 => TaskId::from("T1"),
            count => plan.tasks[usize::from(choice) % count].id.clone(),
        }
    };
    let (id, other) = (task(on), task(how));
    let words = WORDS[usize::from(how) % WORDS.len()];
    let place = match how % 4 {
        0 => Place::First,
        1 => Place::Before(other.clone()),
        2 => Place::After(other.clone()),
        _ => Place::Under(other.clone()),
    };
    let kind = match how % 3 {
        0 => TaskKind::Normal,
        1 => TaskKind::Checkpoint,
        _ => TaskKind::Decision,
    };
    let requirement = match plan.requirements.len() {
        0 => "R1".to_owned(),
        count => plan.requirements[usize::from(on) % count].id.clone(),
    };
    const KEYS: [&str; 8] = [
        "files", "verify", "covers", "by", "why", "option", "owner", "note",
    ];
    let key = KEYS[usize::from(on) % KEYS.len()];
    let values: Vec<String> = (0..how % 3).map(|_| words.to_owned()).collect();
    let ids = [other.clone()];
    let depends = usize::from(how % 3)
        .checked_sub(1)
        .map(|count| &ids[..count]);
    let named = |named: Result<edit::Named<TaskId>, EditError>| named.map(|named| named.splices);
    let splices = match which % 26 {
        0 => edit::tick(plan, &id),
        1 => edit::untick(plan, &id),
        2 => edit::set_title(text, plan, &id, words),
        3 => edit::set_body(text, plan, &id, words),
        4 => edit::set_field(text, plan, &id, key, &values),
        5 => edit::set_depends(text, plan, &id, depends),
        6 => edit::set_kind(text, plan, &id, kind),
        7 => edit::add_note(text, plan, &id, words),
        8 => edit::skip(text, plan, &id, words),
        9 => edit::unskip(text, plan, &id),
        10 => edit::record_decision(text, plan, &id, words, "me"),
        11 => {
            let title = words.to_owned();
            named(edit::add_task(text, plan, &place, &NewTask { title, kind }))
        }
        12 => edit::delete_task(text, plan, &id),
        13 => named(edit::move_task(text, plan, &id, &place)),
        14 => named(edit::indent(text, plan, &id)),
        15 => named(edit::outdent(text, plan, &id)),
        16 => named(edit::split_task(text, plan, &id, words, None)),
        17 => edit::merge_tasks(text, plan, &id, &other),
        18 => edit::connect(text, plan, &id, &other),
        19 => edit::disconnect(text, plan, &id, &other),
        20 => named(edit::ensure_id(text, plan, &id)),
        21 => match how % 3 {
            0 => edit::set_goal(text, plan, words),
            1 => edit::set_intro(text, plan, words),
            _ => edit::set_plan_title(text, plan, words),
        },
        22 => edit::set_requirement(text, plan, &requirement, words),
        23 => edit::add_requirement(text, plan, words).map(|named| named.splices),
        24 => edit::delete_requirement(text, plan, &requirement),
        _ => match how % 3 {
            0 => edit::make_tasks(text, plan, MakeFrom::Headings),
            1 => edit::make_tasks(text, plan, MakeFrom::Items),
            _ => edit::to_native(text, plan, "fuzz-1"),
        },
    };
    // An edit that fails returns an error and changes nothing.
    splices.ok()
}
