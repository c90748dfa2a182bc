//! Chooses the template for a goal and extracts its parameters.

use std::collections::BTreeMap;

use super::{Template, built_in};
use crate::intake::{Intake, TaskType};

/// The user's choice of template.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pick<'a> {
    /// The template that fits the goal best.
    #[default]
    ByGoal,
    /// The template with this name, even if another one fits better.
    Named(&'a str),
    /// No template, so the fallback is used.
    Refused,
}

/// The built-in fallback template: one step per requirement.
const PLAIN: &str = "general";

/// Chooses the template that the user picked, even if another one would fit better.
pub(crate) fn picked<'a>(intake: &Intake, template: &'a Template) -> Choice<'a> {
    let taken = template
        .phrases
        .iter()
        .find_map(|phrase| phrase.take(&intake.goal));
    Choice {
        template,
        taken: taken.unwrap_or_default(),
        reason: format!("template {}: chosen by you", template.id),
    }
}

/// A template that was chosen for a goal, and the parameters taken from the goal.
#[derive(Debug, Clone)]
pub struct Choice<'a> {
    /// The chosen template.
    pub template: &'a Template,
    /// The parameters that the template's phrase extracted.
    pub taken: BTreeMap<String, String>,
    /// Why it was chosen, in one sentence.
    pub reason: String,
}

/// The template for a goal: the one whose phrase matches most closely, otherwise one for the goal's
/// kind, otherwise the general one; users' templates come first. `None` only if the general
/// template is missing.
pub fn choose<'a>(intake: &Intake, templates: &'a [Template]) -> Option<Choice<'a>> {
    let by_phrase = templates
        .iter()
        .flat_map(|template| {
            template.phrases.iter().filter_map(move |phrase| {
                let taken = phrase.take(&intake.goal)?;
                Some((phrase.words(), template, phrase, taken))
            })
        })
        // On a tie the first one wins; user templates come before built-in ones.
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    if let Some((_, template, phrase, taken)) = by_phrase {
        let reason = format!(
            "template {}: the goal matches `{}`",
            template.id,
            phrase.text()
        );
        return Some(Choice {
            template,
            taken,
            reason,
        });
    }
    let of_kind = |kind: TaskType| {
        templates
            .iter()
            .find(|template| template.kind == Some(kind))
    };
    let template = of_kind(intake.kind).or_else(|| of_kind(TaskType::General))?;
    let reason = format!(
        "template {}: the goal asks for {}",
        template.id,
        asks_for(intake.kind)
    );
    Some(Choice {
        template,
        taken: BTreeMap::new(),
        reason,
    })
}

/// Chooses the built-in fallback, for a user who wants no template. `None` only if it is missing.
pub(crate) fn refused() -> Option<Template> {
    Template::parse(PLAIN, built_in(PLAIN)?).ok()
}

impl Choice<'_> {
    /// Whether the template is meant for goals like this one; false for the fallback.
    pub fn is_match(&self) -> bool {
        let template = self.template;
        template.path.is_some() || template.kind != Some(TaskType::General)
    }

    /// The values taken from the goal, by name, for display: those that the template's phrase
    /// extracted, otherwise those relevant to the goal's kind.
    pub fn took(&self, intake: &Intake) -> Vec<(String, String)> {
        let mut took: Vec<(String, String)> = self
            .taken
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        if !took.is_empty() {
            return took;
        }
        let mut take = |name: &str, value: &str| {
            if !value.trim().is_empty() {
                took.push((name.to_owned(), value.to_owned()));
            }
        };
        match (intake.renames.as_slice(), &intake.dependency) {
            (renames @ [_, ..], _) if self.template.kind == Some(TaskType::Rename) => {
                for rename in renames {
                    take("from", &rename.spelled);
                    take("to", &rename.to);
                }
            }
            (_, Some(wanted)) if self.template.kind == Some(TaskType::Dependency) => {
                take("library", &wanted.name);
                take("version", wanted.version.as_deref().unwrap_or_default());
            }
            _ => take("about", &intake.subject),
        }
        take("files", &intake.named_paths.join(", "));
        took
    }

    /// Template parameters that the goal doesn't provide. Lines that need them are left out of the
    /// plan.
    pub fn missing(&self) -> Vec<&str> {
        let taken = |name: &str| self.taken.contains_key(name);
        self.template
            .params
            .iter()
            .map(String::as_str)
            .filter(|name| !taken(name))
            .collect()
    }
}

fn asks_for(kind: TaskType) -> &'static str {
    match kind {
        TaskType::Rename => "a rename",
        TaskType::BugFix => "a bug fix",
        TaskType::Feature => "a new feature",
        TaskType::Modify => "a change to existing code",
        TaskType::Find => "information",
        TaskType::Dependency => "a dependency change",
        TaskType::Documentation => "documentation",
        TaskType::Removal => "deleting files",
        TaskType::Move => "moving files",
        TaskType::General => "something no other template covers",
    }
}
