//! The recommended fix of a finding, as an edit that can be combined with others.

use plan::Plan;
use plan::edit::apply;

use super::RecipeInput;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::Finding;

/// The recommended fix. `None` if there is none, if it deletes or mutes something, or if only a
/// person can judge it, as with added steps and claims about coverage.
pub(super) fn recommended(input: &RecipeInput<'_>, finding: &Finding) -> Option<Edit> {
    let fix = finding.fixes.first()?;
    if fix.mends.iter().any(|mend| {
        needs_a_person(mend) || matches!(mend, Mend::DeleteTask { .. } | Mend::AddTask { .. })
    }) {
        return None;
    }
    Some(Edit {
        task: finding.task.clone(),
        why: vec![finding.code],
        message: format!("{}.", fix.label.trim_end_matches('.')),
        mends: without_splices(&fix.mends, &input.best.text, &input.best.plan)?,
    })
}

/// Whether an edit mutes a finding or makes a claim about a step.
fn needs_a_person(mend: &Mend) -> bool {
    match mend {
        Mend::AddValue { key, .. } | Mend::SetValues { key, .. } => {
            matches!(key.as_str(), "mute" | "covers" | "accept" | "assume")
        }
        _ => false,
    }
}

/// The steps without the splice that they may begin with. Since a splice applies to only one
/// revision, it is replaced with steps that set the titles and values resulting from it. `None` if
/// the splice can't be applied or changes the number of tasks, or if no step remains.
fn without_splices(mends: &[Mend], text: &str, plan: &Plan) -> Option<Vec<Mend>> {
    let Some((Mend::Splice(splice), rest)) = mends.split_first() else {
        return Some(mends.to_vec());
    };
    let made = apply(text, std::slice::from_ref(splice)).ok()?.text;
    let after = plan::parse(&made).0;
    if after.tasks.len() != plan.tasks.len() {
        return None;
    }
    let mut mends = Vec::new();
    for (old, new) in plan.tasks.iter().zip(&after.tasks) {
        if old.title != new.title {
            mends.push(Mend::SetTitle {
                task: old.id.clone(),
                title: new.title.clone(),
            });
        }
        let mut keys: Vec<&str> = Vec::new();
        for field in old.fields.iter().chain(&new.fields) {
            if !keys.contains(&field.key.as_ref())
                && !old.values(&field.key).eq(new.values(&field.key))
            {
                keys.push(&field.key);
            }
        }
        for key in keys {
            let values = match key {
                "depends" => new
                    .depends
                    .iter()
                    .flatten()
                    .map(|id| id.0.clone())
                    .collect(),
                "files" => new.files.clone(),
                "covers" => new.covers.clone(),
                key => new.values(key).map(str::to_owned).collect(),
            };
            mends.push(Mend::SetValues {
                task: old.id.clone(),
                key: key.to_owned(),
                values,
            });
        }
    }
    mends.extend(rest.iter().cloned());
    (!mends.is_empty()).then_some(mends)
}
