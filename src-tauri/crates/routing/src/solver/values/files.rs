//! The values of plans about files that are no code: manifests of libraries, and files to delete.

use std::collections::BTreeSet;

use super::{Filled, MOST_STEPS, for_work, grouped, in_words, record, tests_of};
use crate::context::Context;
use crate::intake::Intake;
use crate::solver::{concerned, dependency};

pub(super) fn for_dependency(intake: &Intake, context: &Context, filled: &mut Filled) {
    let Some(wanted) = &intake.dependency else {
        for_work(intake, context, filled);
        filled
            .values
            .one("manual", "in the manifest that lists the library");
        return;
    };
    let found = dependency::find(wanted, context);
    let concerned = concerned::files(intake, context);
    let uses: Vec<String> = concerned
        .sources
        .into_iter()
        .chain(concerned.tests)
        .filter(|path| !found.manifests.contains(path) && !found.locks.contains(path))
        .filter(|path| crate::text::family_of(path) != crate::text::Family::Data)
        .collect();
    let mut touched = uses.clone();
    touched.extend(found.manifests.iter().cloned());
    tests_of(&touched, context, filled);
    let records = found
        .edits
        .iter()
        .map(|(path, calls)| {
            let mut record = record("file", &format!("`{path}`"), vec![path.clone()]);
            record.values.insert("edits".to_owned(), calls.clone());
            record
        })
        .collect();
    let values = &mut filled.values;
    values.records.insert("file".to_owned(), records);
    values.one("name", &wanted.name);
    values.one("version", wanted.version.as_deref().unwrap_or_default());
    values.one("manifest", &in_words(&found.manifests));
    values.many("files", found.manifests.clone());
    if found.manifests.is_empty() {
        values.one("manual", "where the project lists its libraries");
        filled.assumptions.push(format!(
            "no manifest in the workspace names `{}`",
            wanted.name
        ));
    } else if !found.unsettled.is_empty() {
        values.one("manual", &format!("in {}", in_words(&found.unsettled)));
        values.many("files", found.unsettled.clone());
    }
    if wanted.version.is_none() {
        filled.assumptions.push(
            "the goal names no version; who does the step chooses the newest fitting one"
                .to_owned(),
        );
    }
    if !found.manifests.is_empty() {
        let values = &mut filled.values;
        values.many("lock", found.locks.clone());
    }
    filled.values.one("start", &in_words(&uses));
    filled.values.many("uses", uses);
    filled.reasons.push(format!(
        "files: {} manifest(s) name the library",
        found.manifests.len()
    ));
}

pub(super) fn for_removal(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut going: BTreeSet<String> = BTreeSet::new();
    for path in &intake.named_paths {
        let found = concerned::resolve(path, context);
        if found.is_empty() {
            filled
                .assumptions
                .push(format!("`{path}` is not in the workspace"));
        }
        going.extend(found);
    }
    let going: Vec<String> = going.into_iter().collect();
    tests_of(&going, context, filled);
    let values = &mut filled.values;
    if going.is_empty() {
        values.one("manual", "since the goal names none that is here");
        if intake.named_paths.is_empty() {
            filled.assumptions.push(
                "the goal does not say which files; nothing is deleted before a person lists them"
                    .to_owned(),
            );
        }
    }
    let values = &mut filled.values;
    let records = grouped(&going)
        .into_iter()
        .map(|(label, paths)| record("file", &label, paths))
        .collect();
    values.records.insert("file".to_owned(), records);
    let mut stems: Vec<String> = Vec::new();
    for path in &going {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name
            .split('.')
            .next()
            .filter(|stem| stem.len() > 2)
            .unwrap_or(name);
        let pattern = regex::escape(stem);
        if !stems.contains(&pattern) && stems.len() < MOST_STEPS {
            stems.push(pattern);
        }
    }
    values.one("places", &in_words(&going));
    values.many("stems", stems);
    values.many("files", going);
    filled
        .reasons
        .push("files: those the goal names, and no other".to_owned());
}
