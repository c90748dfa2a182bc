//! Plans a goal in parts: rules do some of the parts, each with the template for its kind; the
//! others become steps for a person.
//!
//! A requirement is done either entirely by rules or by a person. Edits come first, since they are
//! calculated on the current text; deletions and moves keep their place in the goal, so that
//! nothing is deleted before a step that needs it. Each part is calculated on the result of the
//! earlier parts and depends on them.

use std::collections::BTreeSet;

use super::simulate::{after_steps, calls, is_change};
use super::{join, values};
use crate::context::Context;
use crate::intake::{Aim, Intake, Requirement, TaskType};
use crate::template::{Step, Template, choose};

/// The steps and notes of a plan that is made in parts.
#[derive(Debug, Default)]
pub(super) struct Composed {
    /// The name of the template that the first part uses.
    pub(super) template: Option<String>,
    /// The values that the template extracted from the goal, by name.
    pub(super) took: Vec<(String, String)>,
    pub(super) steps: Vec<Step>,
    pub(super) prose: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) assumptions: Vec<String>,
    pub(super) reasons: Vec<String>,
}

/// The steps of one part.
struct Block {
    composed: Composed,
    /// The ids of the requirements that the part covers.
    does: Vec<String>,
    edits: bool,
}

/// The plan for a goal that rules can do in part; `None` if they can't do any part.
pub(super) fn solve(
    intake: &Intake,
    context: &Context,
    templates: &[Template],
) -> Option<Composed> {
    let is_edit = |part: &&Intake| is_edit(part);
    let (edits, others): (Vec<&Intake>, Vec<&Intake>) = intake.parts.iter().partition(is_edit);
    let mut blocks: Vec<Block> = Vec::new();
    let mut unsettled: Vec<String> = Vec::new();
    let mut now = context.clone();
    for group in groups(&edits).into_iter().chain(groups(&others)) {
        if let Some((made, left)) = together(intake, &group, &now, templates, &mut unsettled) {
            blocks.extend(made);
            now = left;
        }
    }
    let done: BTreeSet<&str> = blocks
        .iter()
        .flat_map(|block| block.does.iter().map(String::as_str))
        .collect();
    if done.is_empty() {
        return None;
    }
    let is_open = |one: &&Requirement| {
        (one.aim != Aim::Test || one.wants_new_test()) && !done.contains(one.id.as_str())
    };
    let open: Vec<&Requirement> = intake.requirements.iter().filter(is_open).collect();
    let place = |id: &str| intake.requirements.iter().position(|one| one.id == id);
    let first_open = open.first().and_then(|one| place(&one.id));
    let comes_first = |block: &Block| {
        let own = block.does.first().and_then(|id| place(id));
        block.edits || first_open.is_none_or(|open| own < Some(open))
    };
    let tests: Vec<&Requirement> = intake
        .requirements
        .iter()
        .filter(|one| one.aim == Aim::Test)
        .collect();
    let (before, behind): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(comes_first);
    let mut all: Vec<Composed> = before.into_iter().map(|block| block.composed).collect();
    if !open.is_empty() {
        let before = all.iter().flat_map(|one| one.steps.clone());
        let before: Vec<Step> = before.collect();
        all.push(manual_steps(
            intake,
            &open,
            &after_steps(&before, context),
            templates,
        )?);
    }
    all.extend(behind.into_iter().map(|block| block.composed));
    let tested: Vec<String> = match open.is_empty() {
        true => tests.iter().map(|one| one.id.clone()).collect(),
        false => Vec::new(),
    };
    let mut composed = Composed {
        template: all.first().and_then(|one| one.template.clone()),
        took: all.first().map(|one| one.took.clone()).unwrap_or_default(),
        steps: join::joined(all.iter().map(|one| one.steps.clone()).collect(), &tested),
        assumptions: unsettled,
        notes: context.limits.clone(),
        ..Composed::default()
    };
    for one in all {
        let Composed {
            prose,
            assumptions,
            reasons,
            ..
        } = one;
        let lists = [
            (&mut composed.prose, prose),
            (&mut composed.assumptions, assumptions),
            (&mut composed.reasons, reasons),
        ];
        for (list, more) in lists {
            for text in more.into_iter().filter(|text| !text.is_empty()) {
                if !list.contains(&text) {
                    list.push(text);
                }
            }
        }
    }
    Some(composed)
}

/// Whether a part only edits files, without deleting or moving any.
fn is_edit(part: &Intake) -> bool {
    !matches!(part.kind, TaskType::Removal | TaskType::Move)
}

/// Groups the parts by requirement.
fn groups<'a>(parts: &[&'a Intake]) -> Vec<Vec<&'a Intake>> {
    let mut groups: Vec<Vec<&'a Intake>> = Vec::new();
    for part in parts {
        match groups.last_mut() {
            Some(group) if group[0].requirements == part.requirements => group.push(part),
            _ => groups.push(vec![part]),
        }
    }
    groups
}

/// The steps for all parts of one requirement, and the workspace after them. `None` if a part
/// cannot be done; the reason is added to `unsettled`.
fn together(
    whole: &Intake,
    group: &[&Intake],
    context: &Context,
    templates: &[Template],
    unsettled: &mut Vec<String>,
) -> Option<(Vec<Block>, Context)> {
    let mut now = context.clone();
    let mut blocks = Vec::new();
    for part in group {
        match block(whole, part, &now, templates) {
            Ok(made) => {
                now = after_steps(&made.composed.steps, &now);
                blocks.push(made);
            }
            Err(reason) => {
                unsettled.extend(reason);
                return None;
            }
        }
    }
    Some((blocks, now))
}

/// The steps of one part, or the reason why there are none, if there is one to report.
fn block(
    whole: &Intake,
    part: &Intake,
    context: &Context,
    templates: &[Template],
) -> Result<Block, Option<String>> {
    if let Some(obstacle) =
        values::obstacle(part, context).or_else(|| awaits_manual_step(whole, part))
    {
        return Err(Some(obstacle));
    }
    let composed = rendered(part, context, templates).ok_or(None)?;
    let changes = |step: &Step| calls(step).any(|call| is_change(&call));
    if !composed.steps.iter().any(changes) {
        return Err(None);
    }
    Ok(Block {
        composed,
        does: part.requirements.iter().map(|one| one.id.clone()).collect(),
        edits: is_edit(part),
    })
}

/// Why a rename can't be planned yet: an earlier step, which only a person can do, concerns the old
/// name.
fn awaits_manual_step(whole: &Intake, part: &Intake) -> Option<String> {
    let first = &part.requirements.first()?.id;
    let is_by_rules = |one: &Requirement| {
        whole
            .parts
            .iter()
            .any(|part| part.requirements.contains(one))
    };
    let all = whole.requirements.iter();
    let before: Vec<&Requirement> = all
        .take_while(|one| one.id != *first)
        .filter(|one| !is_by_rules(one))
        .collect();
    let mentions = |text: &str, name: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        words.any(|word| word == name)
    };
    let is_before = |name: &str| before.iter().any(|one| mentions(&one.text, name));
    let pair = part.renames.iter().find(|pair| is_before(&pair.from))?;
    Some(format!(
        "`{}` is renamed after a manual step, so its occurrences aren't known yet",
        pair.from
    ))
}

/// The steps for the work that is left to a person.
fn manual_steps(
    intake: &Intake,
    open: &[&Requirement],
    context: &Context,
    templates: &[Template],
) -> Option<Composed> {
    let rest = intake.remaining(open, &context.facts());
    rendered(&rest, context, templates)
}

/// The steps from the template for a goal; `None` for a user's template, since it may cover other
/// requirements.
fn rendered(part: &Intake, context: &Context, templates: &[Template]) -> Option<Composed> {
    let choice = choose(part, templates)?;
    if choice.template.path.is_some() {
        return None;
    }
    let filled = values::of(part, context);
    let (prose, steps) = choice.template.render(&filled.values);
    let ids: Vec<&str> = part
        .requirements
        .iter()
        .map(|one| one.id.as_str())
        .collect();
    let mut reasons = vec![format!("{}: {}", ids.join(", "), choice.reason)];
    reasons.extend(filled.reasons);
    Some(Composed {
        template: Some(choice.template.id.clone()),
        took: choice.took(part),
        steps,
        prose: vec![prose.trim().to_owned()],
        notes: Vec::new(),
        assumptions: filled.assumptions,
        reasons,
    })
}
