//! Splits a goal into parts for rules: one per requirement, or per item that a requirement lists.
//! Each part is parsed as a complete goal.

use adequacy::WorkspaceFacts;

use super::clauses::{first_word, is_plain_wish};
use super::{Aim, Intake, Requirement, TaskType, versions};

/// The parts that rules may be able to do, in the goal's order. Empty if rules can do the whole
/// goal or if the goal has constraints, which rules can't respect.
pub(super) fn of(whole: &Intake, facts: &WorkspaceFacts) -> Vec<Intake> {
    if !whole.constraints.is_empty() || whole.is_hedged || whole.follows_rules() {
        return Vec::new();
    }
    let is_only = whole.requirements.len() == 1;
    let mut parts: Vec<Intake> = Vec::new();
    let mut said = String::new();
    for requirement in &whole.requirements {
        let pieces = versions::pieces(&requirement.text);
        if requirement.aim == Aim::Test && !is_plain_wish(&requirement.text) {
            return Vec::new();
        }
        if requirement.aim == Aim::Test || is_only && pieces.len() == 1 {
            continue;
        }
        let read = pieces.iter().map(|piece| alone(piece, requirement, facts));
        let read: Option<Vec<Intake>> = read.collect();
        let mut read = read.unwrap_or_default();
        let is_named = |part: &Intake| matches!(part.kind, TaskType::Rename | TaskType::Move);
        if read
            .iter()
            .all(|part| part.follows_rules() && is_named(part))
            && !read.is_empty()
        {
            said = first_word(&requirement.text);
        } else if !said.is_empty() && !read.iter().all(Intake::follows_rules) {
            // In "Rename a to b, and c to d", the verb also applies to the second part.
            let with_verb = format!("{said} {}", uncapitalised(&requirement.text));
            read = alone(&with_verb, requirement, facts)
                .filter(is_named)
                .map_or(read, |part| vec![part]);
        }
        // A request that can't be parsed may be a constraint, so no rule may act.
        if read.is_empty() || !read.iter().all(Intake::follows_rules) {
            if !is_plain_wish(&requirement.text) {
                return Vec::new();
            }
        } else {
            parts.extend(read);
        }
    }
    with_renames_together(parts)
}

/// A text with "The" at its beginning in lowercase; any other text is unchanged, since it may begin
/// with a name.
fn uncapitalised(text: &str) -> String {
    let small = text.replacen("The ", "the ", 1);
    if text.starts_with("The ") {
        small
    } else {
        text.to_owned()
    }
}

/// A requirement parsed as a separate goal; `None` if it asks for several things or has
/// constraints.
pub(super) fn alone(
    text: &str,
    requirement: &Requirement,
    facts: &WorkspaceFacts,
) -> Option<Intake> {
    let mut read = super::read(text, facts);
    if read.requirements.len() != 1 || !read.constraints.is_empty() {
        return None;
    }
    read.requirements = vec![requirement.clone()];
    Some(read)
}

/// Merges all renames into one part, in the place of the first, since their pairs may interact.
/// Drops the renames if they conflict.
fn with_renames_together(parts: Vec<Intake>) -> Vec<Intake> {
    let mut merged: Vec<Intake> = Vec::new();
    let mut place: Option<usize> = None;
    for part in parts {
        match place {
            Some(at) if part.kind == TaskType::Rename => {
                let first = &mut merged[at];
                first.goal = format!("{}; {}", first.goal, part.goal);
                first.requirements.extend(part.requirements);
                first.renames.extend(part.renames);
                first.named_paths.extend(part.named_paths);
                first.search_terms.extend(part.search_terms);
                first.asides.extend(part.asides);
            }
            _ => {
                if part.kind == TaskType::Rename {
                    place = Some(merged.len());
                }
                merged.push(part);
            }
        }
    }
    if let Some(at) = place
        && !super::whole::are_apart(&merged[at].renames)
    {
        merged.remove(at);
    }
    merged
}
