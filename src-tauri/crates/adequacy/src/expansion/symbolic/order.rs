//! Dependencies that follow from files: a step works on the same file as the step above it.

use super::RecipeInput;
use super::links::steps;
use crate::code::Code;
use crate::expansion::merge::Edit;
use crate::mend::Mend;
use crate::report::Finding;

/// Makes each top-level step without `depends:` depend on the step above it if both name the same
/// file. `None` if the finding isn't about missing dependencies, or if there is none to add.
pub(super) fn edges(input: &RecipeInput<'_>, finding: &Finding) -> Option<Edit> {
    if finding.code != Code::FlatDependencyGraph {
        return None;
    }
    let steps: Vec<_> = steps(input).filter(|task| task.depth == 0).collect();
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
        message: "Makes each step depend on the previous step for the same file.".to_owned(),
        mends,
    })
}
