//! Makes the steps for a goal that no rule covers: one per requirement, with the relevant files.

use super::{Filled, record};
use crate::context::Context;
use crate::intake::{Aim, Intake, TaskType};
use crate::solver::{draft, relevant};

/// Adds one step per requirement, except for requirements that are only about tests.
pub(super) fn requirement_steps(
    intake: &Intake,
    context: &Context,
    tests: &[String],
    documents: &[String],
    filled: &mut Filled,
) {
    let only_tests = intake
        .requirements
        .iter()
        .all(|requirement| requirement.aim == Aim::Test);
    let records = intake
        .requirements
        .iter()
        .filter(|one| {
            let is_written = intake.kind == TaskType::General && one.wants_new_test();
            only_tests || one.aim != Aim::Test || is_written
        })
        .map(|requirement| {
            let title = draft::shortened(&requirement.text);
            let mut record = record("requirement", &title, vec![requirement.text.clone()]);
            record
                .values
                .insert("change".to_owned(), vec![requirement.id.clone()]);
            // If there are several requirements, each has its own relevant files.
            let own = crate::intake::detect(&requirement.text, &context.facts());
            let named: Vec<String> = own
                .named_paths
                .iter()
                .filter(|path| !intake.leaves(path))
                .flat_map(|path| relevant::resolve(path, context))
                .collect();
            if intake.requirements.len() > 1 {
                let own = relevant::files(&own, context);
                let is_document = |path: &&String| crate::text::is_document(path);
                let written: Vec<String> = own
                    .documents
                    .iter()
                    .chain(own.absent.iter().filter(is_document))
                    .cloned()
                    .collect();
                if !written.is_empty() {
                    record.values.insert("documents".to_owned(), written);
                }
                record.values.insert("sources".to_owned(), own.sources);
            }
            if requirement.aim == Aim::Docs && intake.kind != TaskType::Documentation {
                record
                    .values
                    .insert("sources".to_owned(), documents.to_vec());
                record.values.insert("test".to_owned(), Vec::new());
            }
            if intake.requirements.len() > 1 && !named.is_empty() {
                // If only documents change, the step is checked by reading them.
                if named.iter().all(|path| crate::text::is_document(path)) {
                    record.values.insert("test".to_owned(), Vec::new());
                }
                record.values.insert("documents".to_owned(), named.clone());
                record.values.insert("sources".to_owned(), named);
            }
            if only_tests {
                record.values.insert("sources".to_owned(), tests.to_vec());
            }
            record
        })
        .collect();
    filled
        .values
        .records
        .insert("requirement".to_owned(), records);
}
