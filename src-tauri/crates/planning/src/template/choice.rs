//! Which template answers a goal, and what it takes from it.

use std::collections::BTreeMap;

use super::{Template, built_in};
use crate::intake::{Intake, TaskType};

/// Which template a person wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pick<'a> {
    /// The one that the goal asks for.
    #[default]
    ByGoal,
    /// The one of this name.
    Named(&'a str),
    /// None.
    Refused,
}

/// The built-in template that stands in where no other is wanted: a step for each requirement.
const PLAIN: &str = "general";

/// What is taken from a goal for a template that a person picked, whatever else would fit better.
pub(crate) fn picked<'a>(intake: &Intake, template: &'a Template) -> Choice<'a> {
    let taken = template
        .phrases
        .iter()
        .find_map(|phrase| phrase.take(&intake.goal));
    Choice {
        template,
        taken: taken.unwrap_or_default(),
        reason: format!("template {}: you picked it", template.id),
    }
}

/// A template and what it took from a goal.
#[derive(Debug, Clone)]
pub struct Choice<'a> {
    /// The template.
    pub template: &'a Template,
    /// What its phrase took from the goal.
    pub taken: BTreeMap<String, String>,
    /// Why this one, in one sentence.
    pub reason: String,
}

/// The template for a goal: the user's whose phrase matches most closely, else a user's of the
/// goal's kind, else the built-in one of that kind. `None` only when the general one is missing.
pub fn choose<'a>(intake: &Intake, templates: &'a [Template]) -> Option<Choice<'a>> {
    let by_phrase = templates
        .iter()
        .flat_map(|template| {
            template.phrases.iter().filter_map(move |phrase| {
                let taken = phrase.take(&intake.goal)?;
                Some((phrase.words(), template, phrase, taken))
            })
        })
        // The first of equals wins: the user's stand before the built-in ones.
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    if let Some((_, template, phrase, taken)) = by_phrase {
        let reason = format!(
            "template {}: the goal reads like `{}`",
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

/// The built-in stand-in, for a person who wants no template. `None` only when it is missing.
pub(crate) fn refused() -> Option<Template> {
    Template::parse(PLAIN, built_in(PLAIN)?).ok()
}

impl Choice<'_> {
    /// Whether the template was made for goals like this one; the one that stands in for all is not.
    pub fn is_match(&self) -> bool {
        let template = self.template;
        template.path.is_some() || template.kind != Some(TaskType::General)
    }

    /// What it takes from the goal, as names and values for people: what its phrase took, else what its
    /// kind goes by.
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

    /// The parameters of the template that the goal does not name. The lines that need them are left out
    /// of the plan.
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
        TaskType::Rename => "a new name for a name in the code",
        TaskType::BugFix => "something wrong to be made right",
        TaskType::Feature => "something that is not there yet",
        TaskType::Modify => "a change of something that is there",
        TaskType::Find => "something to be found out",
        TaskType::Dependency => "another version of a library",
        TaskType::Documentation => "something written for people",
        TaskType::Removal => "files to be deleted",
        TaskType::Move => "files in another place",
        TaskType::General => "work of no kind known here",
    }
}
