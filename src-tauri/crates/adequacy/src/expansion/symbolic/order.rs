//! Dependencies that are real: a step that goes on with the file of the step above it.

use super::Seen;
use super::links::steps;
use crate::code::Code;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::Finding;

/// Writes down what the files say already.
pub(super) fn edges(seen: &Seen<'_>, finding: &Finding) -> Option<Edit> {
    if finding.code != Code::FlatDependencyGraph {
        return None;
    }
    let steps: Vec<_> = steps(seen).filter(|task| task.depth == 0).collect();
    let mut mends = Vec::new();
    for pair in steps.windows(2) {
        let [above, task] = pair else { continue };
        let goes_on = task.files.iter().any(|path| above.files.contains(path));
        if goes_on && task.depends.is_none() && !task.parallel {
            mends.push(Mend::SetValues {
                task: task.id.clone(),
                key: "depends".to_owned(),
                values: vec![above.id.0.clone()],
            });
        }
    }
    (!mends.is_empty()).then(|| Edit {
        task: None,
        why: vec![finding.code],
        message: "Steps that go on with a file wait for the step that had it before.".to_owned(),
        mends,
    })
}
