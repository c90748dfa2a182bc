//! The fix that a finding recommends, as an edit that can be taken besides others.

use plan::Plan;
use plan::edit::apply;

use super::Seen;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::Finding;

/// The recommended fix; `None` where there is none, where it takes away or looks away, and where only a person knows
/// whether it is true: a step that is added, a requirement that a step is said to cover.
pub(super) fn recommended(seen: &Seen<'_>, finding: &Finding) -> Option<Edit> {
    let fix = finding.fixes.first()?;
    if fix.mends.iter().any(|mend| {
        is_for_a_person(mend) || matches!(mend, Mend::DeleteTask { .. } | Mend::AddTask { .. })
    }) {
        return None;
    }
    Some(Edit {
        task: finding.task.clone(),
        why: vec![finding.code],
        message: format!("{}.", fix.label.trim_end_matches('.')),
        mends: lifted(&fix.mends, &seen.best.text, &seen.best.plan)?,
    })
}

/// To look away, and to say what a step does.
fn is_for_a_person(mend: &Mend) -> bool {
    match mend {
        Mend::AddValue { key, .. } | Mend::SetValues { key, .. } => {
            matches!(key.as_str(), "mute" | "covers" | "accept" | "assume")
        }
        _ => false,
    }
}

/// The same steps without replacements of bytes, which hold for one revision alone: these become the
/// titles and values that they come to.
fn lifted(mends: &[Mend], text: &str, plan: &Plan) -> Option<Vec<Mend>> {
    let Some((Mend::Splice(splice), rest)) = mends.split_first() else {
        return Some(mends.to_vec());
    };
    let made = apply(text, std::slice::from_ref(splice)).ok()?.text;
    let after = plan::parse(&made).0;
    if after.tasks.len() != plan.tasks.len() {
        return None;
    }
    let mut lifted = Vec::new();
    for (old, new) in plan.tasks.iter().zip(&after.tasks) {
        if old.title != new.title {
            lifted.push(Mend::SetTitle {
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
            lifted.push(Mend::SetValues {
                task: old.id.clone(),
                key: key.to_owned(),
                values,
            });
        }
    }
    lifted.extend(rest.iter().cloned());
    (!lifted.is_empty()).then_some(lifted)
}
