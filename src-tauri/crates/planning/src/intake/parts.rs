//! The parts of a goal that rules may do, each on its own: one for each requirement, or for each thing that a
//! requirement lists. Every part is read as if it were the whole goal.

use adequacy::WorkspaceFacts;

use super::clauses::{first_word, is_plain_wish};
use super::{Aim, Intake, Requirement, TaskType, versions};

/// The parts that rules may do, in the goal's order. Empty for a goal that rules do as a whole, and for one with a
/// limit, which no rule keeps.
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
            // "Rename a to b, and c to d": the verb holds for what follows too.
            let with_verb = format!("{said} {}", uncapitalised(&requirement.text));
            read = alone(&with_verb, requirement, facts)
                .filter(is_named)
                .map_or(read, |part| vec![part]);
        }
        // What is no plain wish may be a limit in words that nobody listed: then no rule touches anything.
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

/// A text without the capital of its first word, unless that is a name.
fn uncapitalised(text: &str) -> String {
    let small = text.replacen("The ", "the ", 1);
    if text.starts_with("The ") {
        small
    } else {
        text.to_owned()
    }
}

/// A requirement read as a goal of its own; none where it asks for several things.
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

/// All renames as one part, where the first is: their pairs may meet. Left out where they do.
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
