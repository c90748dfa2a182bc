//! A changed key in a few words.

use std::borrow::Cow;

use crate::model::{By, Task, TaskKind};

/// More names than this are counted, not listed.
const MAX_NAMES: usize = 3;

/// What a key says differently. `values` are those of the key as written, `now` is how the later
/// content names a task of the earlier one.
pub(super) fn notes_of_key(
    key: &str,
    (old, was): (&Task, &[Cow<'_, str>]),
    (new, is): (&Task, &[&str]),
    now: impl Fn(&str) -> String,
) -> Vec<String> {
    let counted = |one: &str| vec![counted(one, was.len(), is.len())];
    match key {
        "verify" => counted("check"),
        "accept" => counted("condition of success"),
        "call" => counted("call"),
        "option" => counted("option"),
        "note" => counted("note"),
        "why" => counted("reason"),
        "assume" => counted("assumption"),
        "depends" => depends(old, new, now),
        "covers" => came_and_went(
            &old.covers,
            &new.covers,
            ("covers", "requirements"),
            "no longer covers",
            "covers the same in another order",
        ),
        "files" => came_and_went(
            &old.files,
            &new.files,
            ("touches", "files"),
            "no longer touches",
            "its files are written otherwise",
        ),
        "tools" => came_and_went(
            &old.tools,
            &new.tools,
            ("may use", "tools"),
            "may no longer use",
            "its tools are written otherwise",
        ),
        "complexity" => vec![match (old.complexity, new.complexity) {
            (Some(was), Some(is)) => format!("complexity {is}, was {was}"),
            (None, Some(is)) => format!("complexity {is}"),
            _ => "lost its complexity".to_owned(),
        }],
        "by" => vec![
            match new.by {
                By::Person => "is for a person",
                By::Agent => "is for the agent",
                By::Either => "is for the agent or a person",
            }
            .to_owned(),
        ],
        "type" => vec![
            match new.kind {
                TaskKind::Normal => "is plain work now",
                TaskKind::Checkpoint => "is a checkpoint now",
                TaskKind::Decision => "is a decision now",
            }
            .to_owned(),
        ],
        "confirm" => vec![
            if new.confirm {
                "waits for an answer"
            } else {
                "only notifies"
            }
            .to_owned(),
        ],
        "skipped" => vec!["skipped for another reason".to_owned()],
        other => vec![match (was.is_empty(), is.is_empty()) {
            (true, _) => format!("got `{other}`"),
            (_, true) => format!("lost `{other}`"),
            _ => format!("`{other}` reads otherwise"),
        }],
    }
}

/// `got a check`, `lost one of its checks`, `its check reads otherwise`.
fn counted(one: &str, was: usize, is: usize) -> String {
    let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    let many = match one.strip_suffix("condition of success") {
        Some(_) => "conditions of success".to_owned(),
        None => format!("{one}s"),
    };
    match (was, is) {
        (0, 1) => format!("got {article} {one}"),
        (0, is) => format!("got {is} {many}"),
        (1, 0) => format!("lost its {one}"),
        (_, 0) => format!("lost its {many}"),
        (was, is) if is == was + 1 => format!("got another {one}"),
        (was, is) if is > was => format!("got {} more {many}", is - was),
        (was, is) if was == is + 1 => format!("lost one of its {many}"),
        (was, is) if was > is => format!("lost {} of its {many}", was - is),
        (1, _) => format!("its {one} reads otherwise"),
        _ => format!("its {many} read otherwise"),
    }
}

fn depends(old: &Task, new: &Task, now: impl Fn(&str) -> String) -> Vec<String> {
    let names = |task: &Task| -> Option<Vec<String>> {
        let ids = task.depends.as_ref()?;
        Some(ids.iter().map(|id| id.0.clone()).collect())
    };
    let was: Option<Vec<String>> = names(old).map(|ids| ids.iter().map(|id| now(id)).collect());
    let is = names(new);
    match (was, is) {
        (_, None) => vec!["waits for the one above it again".to_owned()],
        (_, Some(is)) if is.is_empty() => vec!["waits for nothing".to_owned()],
        (was, Some(is)) => came_and_went(
            &was.unwrap_or_default(),
            &is,
            ("waits for", "tasks"),
            "no longer waits for",
            "what it waits for is written otherwise",
        ),
    }
}

/// What a list of names has gained and lost.
fn came_and_went(
    was: &[String],
    is: &[String],
    (has, many): (&str, &str),
    has_no_more: &str,
    otherwise: &str,
) -> Vec<String> {
    let missing = |from: &[String], to: &[String]| -> Vec<String> {
        from.iter()
            .filter(|name| !to.contains(name))
            .cloned()
            .collect()
    };
    let named = |says: &str, names: &[String], more: &str| {
        (!names.is_empty()).then(|| {
            if names.len() > MAX_NAMES {
                format!("{says} {}{more} {many}", names.len())
            } else {
                format!("{says} {}", names.join(", "))
            }
        })
    };
    let mut notes: Vec<String> = Vec::new();
    notes.extend(named(has, &missing(is, was), " more"));
    notes.extend(named(has_no_more, &missing(was, is), ""));
    if notes.is_empty() {
        notes.push(otherwise.to_owned());
    }
    notes
}
