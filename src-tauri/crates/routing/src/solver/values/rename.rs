//! The values of a rename: exact edits where the name is meant, lists of lines where it may be.

use std::collections::{BTreeMap, BTreeSet};

use super::{Filled, grouped, record, tests_of};
use crate::context::{Context, Occurrence};
use crate::intake::{Aim, Intake, Rename};
use crate::solver::{edits, rename};
use crate::text::{Shape, is_test};

/// The most lines that a step for a person lists.
const MAX_LINES: usize = 24;

pub(super) fn fill(names: &Rename, intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut places = rename::sort(names, context);
    let mut edits: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let meant = std::mem::take(&mut places.meant);
    let mut affected: BTreeSet<String> = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (path, occurrences) in meant {
        affected.insert(path.clone());
        let replacements: Vec<_> = occurrences
            .iter()
            .map(|place| {
                (
                    place.offset..place.offset + names.from.len(),
                    names.to.clone(),
                )
            })
            .collect();
        let calls = context
            .texts
            .get(&path)
            .and_then(|text| edits::exact(&path, text, &replacements));
        match calls {
            Some(calls) => {
                counts.insert(path.clone(), occurrences.len());
                edits.insert(path, calls);
            }
            // Without its text, or where two places cannot be told apart, a person edits the file.
            None => {
                let unsure = places.unsure.entry(path).or_default();
                unsure.extend(occurrences);
                unsure.sort_by_key(|place| place.offset);
            }
        }
    }
    affected.extend(places.unsure.keys().cloned());
    let affected: Vec<String> = affected.into_iter().collect();
    tests_of(&affected, context, filled);

    let clear: Vec<String> = edits.keys().cloned().collect();
    let records = grouped(&clear)
        .into_iter()
        .map(|(label, paths)| {
            let count: usize = paths.iter().filter_map(|path| counts.get(path)).sum();
            let calls = paths
                .iter()
                .filter_map(|path| edits.get(path))
                .flatten()
                .cloned()
                .collect();
            let mut record = record("file", &label, paths);
            record.values.insert("edits".to_owned(), calls);
            record
                .values
                .insert("places".to_owned(), vec![counted(count)]);
            record
        })
        .collect();
    filled.values.records.insert("file".to_owned(), records);

    let doubtful: Vec<String> = places.unsure.keys().cloned().collect();
    let records = grouped(&doubtful)
        .into_iter()
        .map(|(label, paths)| {
            let lines: Vec<&Occurrence> = paths
                .iter()
                .filter_map(|path| places.unsure.get(path))
                .flatten()
                .collect();
            let several = paths.len() > 1;
            let mut record = record("unsure", &label, paths);
            record
                .values
                .insert("places".to_owned(), vec![counted(lines.len())]);
            record
                .values
                .insert("lines".to_owned(), vec![listing(&lines, several)]);
            record
        })
        .collect();
    filled.values.records.insert("unsure".to_owned(), records);

    let values = &mut filled.values;
    values.one("from", &names.from);
    values.one("to", &names.to);
    values.many("files", affected.clone());
    let asks_for_test = intake
        .requirements
        .iter()
        .any(|requirement| requirement.aim == Aim::Test);
    let mentioned_by_test = affected.iter().any(|path| {
        is_test(path)
            || context
                .texts
                .get(path)
                .is_some_and(|text| text.contains("#[cfg(test)]"))
    });
    if asks_for_test && !mentioned_by_test {
        values.one("new_test", &format!("no test mentions `{}`", names.from));
    }
    let taken: Vec<String> = context
        .found(&names.to)
        .iter()
        .filter(|place| {
            matches!(
                place.shape,
                Shape::Definition | Shape::Member | Shape::Constant
            )
        })
        .map(|place| format!("`{}` line {} defines it", place.path, place.line))
        .take(3)
        .collect();
    if affected.is_empty() {
        values.one(
            "manual",
            &format!(
                "`{}` was not found in the workspace as a whole word",
                names.from
            ),
        );
        let already = if taken.is_empty() {
            ""
        } else {
            "; it may be renamed already"
        };
        filled.assumptions.push(format!(
            "no file holds `{}`, so no step edits one{already}",
            names.from
        ));
    } else if !taken.is_empty() {
        values.one("manual", &taken.join(", "));
    }
    if !affected.is_empty() && places.defined_in.is_empty() {
        filled.assumptions.push(format!(
            "no definition of `{}` was found here, so a person decides about each place",
            names.from
        ));
    }
    if places.defined_in.len() > 1 {
        filled.assumptions.push(format!(
            "every definition of `{}` is meant: {}",
            names.from,
            ticked(&places.defined_in)
        ));
    }
    if !places.left_alone.is_empty() {
        let all: Vec<String> = places
            .left_alone
            .iter()
            .map(|(path, what)| {
                format!(
                    "`{path}` ({})",
                    what.iter().copied().collect::<Vec<_>>().join(", ")
                )
            })
            .collect();
        let shown = all.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if all.len() > 8 {
            format!(" and {} more", all.len() - 8)
        } else {
            String::new()
        };
        filled.notes.push(format!(
            "Left alone, because `{}` is something else there: {shown}{more}.",
            names.from
        ));
    }
    filled
        .reasons
        .push(format!("files: {} hold the name itself", affected.len()));
}

fn counted(count: usize) -> String {
    if count == 1 {
        "1 place".to_owned()
    } else {
        format!("{count} places")
    }
}

fn ticked(paths: &[String]) -> String {
    paths
        .iter()
        .map(|path| format!("`{path}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Lines for a person, in a code block whose fence no line can close.
fn listing(places: &[&Occurrence], several_files: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for place in places {
        let line = if several_files {
            format!("{}:{}: {}", place.path, place.line, place.text)
        } else {
            format!("{}: {}", place.line, place.text)
        };
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    if lines.len() > MAX_LINES {
        let more = lines.len() - MAX_LINES;
        lines.truncate(MAX_LINES);
        lines.push(format!("… and {more} more"));
    }
    let longest = lines
        .iter()
        .flat_map(|line| line.split(|c| c != '`'))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", lines.join("\n"))
}
