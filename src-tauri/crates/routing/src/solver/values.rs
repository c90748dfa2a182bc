//! The values that fill a template, one way for each kind of goal.

use std::collections::{BTreeMap, BTreeSet};

use super::concerned::{self, Concerned};
use super::{dependency, draft, edits, rename};
use crate::context::{Context, Occurrence};
use crate::intake::{Aim, Intake, Rename, TaskType};
use crate::template::{Record, Values};
use crate::text::{Shape, is_test};

/// The most files that get a step each; more are grouped by folder.
const MOST_STEPS: usize = 12;
/// The most lines that a step for a person lists.
const MOST_LINES: usize = 24;
/// The most search steps.
const MOST_SEARCHES: usize = 2;

/// Values, and what the plan says besides.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) values: Values,
    pub(super) notes: Vec<String>,
    pub(super) assumptions: Vec<String>,
    pub(super) reasons: Vec<String>,
}

pub(super) fn of(intake: &Intake, context: &Context) -> Filled {
    let mut filled = Filled::default();
    common(intake, &mut filled);
    match (&intake.rename, intake.kind) {
        (Some(names), TaskType::Rename) => for_rename(names, intake, context, &mut filled),
        (_, TaskType::Dependency) => for_dependency(intake, context, &mut filled),
        (_, TaskType::Removal) => for_removal(intake, context, &mut filled),
        _ => for_work(intake, context, &mut filled),
    }
    filled.notes.extend(context.limits.iter().cloned());
    filled
}

fn common(intake: &Intake, filled: &mut Filled) {
    let values = &mut filled.values;
    values.one("goal", &intake.goal);
    values.one("subject", &draft::shortened(&intake.subject));
    let ids = |aims: &[Aim]| -> Vec<String> {
        intake
            .requirements
            .iter()
            .filter(|requirement| aims.contains(&requirement.aim))
            .map(|requirement| requirement.id.clone())
            .collect()
    };
    let testing = ids(&[Aim::Test]);
    let change = ids(&[Aim::Change, Aim::Docs]);
    values.many("all", ids(&[Aim::Change, Aim::Docs, Aim::Test]));
    // A goal that is all about tests is its own change.
    let only_tests = change.is_empty();
    values.many("change", if only_tests { testing.clone() } else { change });
    values.many("testing", testing);
    let searched = |term: &&String| {
        intake.rename.is_none() && !intake.named_paths.contains(term) && term.len() > 1
    };
    let terms = intake.search_terms.iter().filter(searched).take(MOST_SEARCHES);
    let records = terms
        .map(|term| {
            let pattern = if term.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c)) {
                term.clone()
            } else {
                regex::escape(term)
            };
            record("term", term, vec![pattern])
        })
        .collect();
    values.records.insert("term".to_owned(), records);
    for name in ["file", "unsure"] {
        values.records.insert(name.to_owned(), Vec::new());
    }
}

fn record(name: &str, label: &str, own: Vec<String>) -> Record {
    Record { label: label.to_owned(), values: BTreeMap::from([(name.to_owned(), own)]) }
}

/// The project's test commands for these files, or the word for a project without.
fn tests_of(files: &[String], context: &Context, filled: &mut Filled) {
    let commands = context.test_commands(files);
    if commands.is_empty() {
        filled.values.one("untested", "by hand");
        filled.reasons.push("tests: no command of the project is known".to_owned());
    } else {
        let shown: Vec<String> = commands.iter().map(|command| format!("`{command}`")).collect();
        filled.reasons.push(format!("tests: {}, from the project itself", shown.join(", ")));
    }
    filled.values.many("test", commands);
}

/// One step for each requirement that is not only about tests.
fn requirement_steps(intake: &Intake, concerned: &Concerned, filled: &mut Filled) {
    let only_tests = intake.requirements.iter().all(|requirement| requirement.aim == Aim::Test);
    let records = intake
        .requirements
        .iter()
        .filter(|requirement| only_tests || requirement.aim != Aim::Test)
        .map(|requirement| {
            let title = draft::shortened(&requirement.text);
            let mut record = record("requirement", &title, vec![requirement.text.clone()]);
            record.values.insert("change".to_owned(), vec![requirement.id.clone()]);
            if requirement.aim == Aim::Docs && intake.kind != TaskType::Documentation {
                record.values.insert("sources".to_owned(), concerned.documents.clone());
                record.values.insert("test".to_owned(), Vec::new());
            }
            if only_tests && !concerned.tests.is_empty() {
                record.values.insert("sources".to_owned(), concerned.tests.clone());
            }
            record
        })
        .collect();
    filled.values.records.insert("requirement".to_owned(), records);
}

/// Files for a title: the first two by name, the rest by number.
fn in_words(files: &[String]) -> String {
    let shown: Vec<String> = files.iter().take(2).map(|path| format!("`{path}`")).collect();
    match files.len() {
        0 => String::new(),
        1 | 2 => shown.join(" and "),
        3 => format!("{} and 1 more file", shown.join(", ")),
        more => format!("{} and {} more files", shown.join(", "), more - 2),
    }
}

fn for_work(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut concerned = concerned::files(intake, context);
    let documents = intake.kind == TaskType::Documentation;
    let named_document = !concerned.documents.is_empty();
    if documents && !named_document {
        let readme = context.paths.iter().find(|path| {
            let name = path.to_lowercase();
            name == "readme.md" || name == "readme.rst" || name == "readme" || name == "readme.txt"
        });
        concerned.documents.extend(readme.cloned());
    }
    filled.reasons.extend(concerned.reason.clone());
    let files = concerned.all();
    // A change of prose, or of something that is no file here, is not judged by the test suite.
    let judged = match intake.kind {
        TaskType::Find => false,
        TaskType::Documentation => !concerned.sources.is_empty(),
        TaskType::General => {
            !files.is_empty() || intake.requirements.iter().any(|wish| wish.aim == Aim::Test)
        }
        _ => true,
    };
    if judged {
        tests_of(&files, context, filled);
    } else {
        filled.values.one("untested", "by hand");
    }
    requirement_steps(intake, &concerned, filled);
    let nothing = if documents { concerned.documents.is_empty() } else { files.is_empty() };
    if nothing {
        let words = match intake.kind {
            TaskType::Documentation => "as the goal names none that is here",
            _ => "the workspace",
        };
        filled.values.one("manual", words);
        if intake.kind != TaskType::General {
            let looked_for: Vec<String> = intake
                .search_terms
                .iter()
                .chain(&intake.named_paths)
                .map(|term| format!("`{term}`"))
                .collect();
            filled.assumptions.push(if looked_for.is_empty() {
                "the goal names no file and no name in code, so no step names a file".to_owned()
            } else {
                format!("nothing in the workspace holds {}; no file is named", looked_for.join(", "))
            });
        }
    }
    for path in &concerned.absent {
        filled.assumptions.push(format!("`{path}` is not in the workspace yet"));
    }
    let values = &mut filled.values;
    values.one("start", &in_words(&files));
    values.many("files", files);
    // A new file that the goal names is written by the step that makes it.
    let mut sources = concerned.sources;
    let mut written = concerned.documents;
    for path in concerned.absent {
        let creates = matches!(intake.kind, TaskType::Feature | TaskType::Documentation)
            && !path.contains('*') && !path.ends_with('/');
        if creates && crate::text::is_document(&path) {
            written.push(path);
        } else if creates {
            sources.push(path);
        }
    }
    if sources.is_empty() && !documents {
        sources.extend(concerned.tests.iter().cloned());
        if sources.is_empty() {
            sources.extend(written.iter().cloned());
        }
    }
    values.many("sources", sources);
    values.many("tests", concerned.tests);
    values.many("documents", written);
}

fn for_rename(names: &Rename, intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut places = rename::sort(names, context);
    let mut edits: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let meant = std::mem::take(&mut places.meant);
    let mut affected: BTreeSet<String> = BTreeSet::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (path, occurrences) in meant {
        affected.insert(path.clone());
        let replacements: Vec<_> = occurrences
            .iter()
            .map(|place| (place.offset..place.offset + names.from.len(), names.to.clone()))
            .collect();
        let calls = context.texts.get(&path).and_then(|text| edits::exact(&path, text, &replacements));
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
            let calls = paths.iter().filter_map(|path| edits.get(path)).flatten().cloned().collect();
            let mut record = record("file", &label, paths);
            record.values.insert("edits".to_owned(), calls);
            record.values.insert("places".to_owned(), vec![counted(count)]);
            record
        })
        .collect();
    filled.values.records.insert("file".to_owned(), records);

    let doubtful: Vec<String> = places.unsure.keys().cloned().collect();
    let records = grouped(&doubtful)
        .into_iter()
        .map(|(label, paths)| {
            let lines: Vec<&Occurrence> =
                paths.iter().filter_map(|path| places.unsure.get(path)).flatten().collect();
            let several = paths.len() > 1;
            let mut record = record("unsure", &label, paths);
            record.values.insert("places".to_owned(), vec![counted(lines.len())]);
            record.values.insert("lines".to_owned(), vec![listing(&lines, several)]);
            record
        })
        .collect();
    filled.values.records.insert("unsure".to_owned(), records);

    let values = &mut filled.values;
    values.one("from", &names.from);
    values.one("to", &names.to);
    values.many("files", affected.clone());
    let asks_for_test = intake.requirements.iter().any(|requirement| requirement.aim == Aim::Test);
    let mentioned_by_test = affected.iter().any(|path| {
        is_test(path) || context.texts.get(path).is_some_and(|text| text.contains("#[cfg(test)]"))
    });
    if asks_for_test && !mentioned_by_test {
        values.one("new_test", &format!("no test mentions `{}`", names.from));
    }
    let taken: Vec<String> = context
        .found(&names.to)
        .iter()
        .filter(|place| matches!(place.shape, Shape::Definition | Shape::Member | Shape::Constant))
        .map(|place| format!("`{}` line {} defines it", place.path, place.line))
        .take(3)
        .collect();
    if affected.is_empty() {
        values.one(
            "manual",
            &format!("`{}` was not found in the workspace as a whole word", names.from),
        );
        let already = if taken.is_empty() { "" } else { "; it may be renamed already" };
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
                format!("`{path}` ({})", what.iter().copied().collect::<Vec<_>>().join(", "))
            })
            .collect();
        let shown = all.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
        let more = if all.len() > 8 { format!(" and {} more", all.len() - 8) } else { String::new() };
        filled.notes.push(format!(
            "Left alone, because `{}` is something else there: {shown}{more}.",
            names.from
        ));
    }
    filled.reasons.push(format!("files: {} hold the name itself", affected.len()));
}

fn counted(count: usize) -> String {
    if count == 1 { "1 place".to_owned() } else { format!("{count} places") }
}

fn ticked(paths: &[String]) -> String {
    paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
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
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
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

/// Files one by one, or by folder when there are many: a label for a title, and the paths.
fn grouped(paths: &[String]) -> Vec<(String, Vec<String>)> {
    if paths.len() <= MOST_STEPS {
        return paths.iter().map(|path| (format!("`{path}`"), vec![path.clone()])).collect();
    }
    let deepest = paths.iter().map(|path| path.split('/').count() - 1).max().unwrap_or(0);
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for depth in (0..=deepest).rev() {
        groups.clear();
        for path in paths {
            let parts: Vec<&str> = path.split('/').collect();
            let folder = parts[..depth.min(parts.len() - 1)].join("/");
            groups.entry(folder).or_default().push(path.clone());
        }
        if groups.len() <= MOST_STEPS {
            break;
        }
    }
    groups
        .into_iter()
        .map(|(folder, paths)| {
            let place = if folder.is_empty() { "the top folder".to_owned() } else { format!("`{folder}`") };
            let label = match paths.as_slice() {
                [only] => format!("`{only}`"),
                _ => format!("{} files of {place}", paths.len()),
            };
            (label, paths)
        })
        .collect()
}

fn for_dependency(intake: &Intake, context: &Context, filled: &mut Filled) {
    let Some(wanted) = &intake.dependency else {
        for_work(intake, context, filled);
        filled.values.one("manual", "in the manifest that lists the library");
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
        filled.assumptions.push(format!("no manifest in the workspace names `{}`", wanted.name));
    } else if !found.unsettled.is_empty() {
        values.one("manual", &format!("in {}", in_words(&found.unsettled)));
        values.many("files", found.unsettled.clone());
    }
    if wanted.version.is_none() {
        filled
            .assumptions
            .push("the goal names no version; who does the step chooses the newest fitting one".to_owned());
    }
    if !found.manifests.is_empty() {
        let values = &mut filled.values;
        values.many("lock", found.locks.clone());
    }
    filled.values.one("start", &in_words(&uses));
    filled.values.many("uses", uses);
    filled.reasons.push(format!("files: {} manifest(s) name the library", found.manifests.len()));
}

fn for_removal(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut going: BTreeSet<String> = BTreeSet::new();
    for path in &intake.named_paths {
        let found = concerned::resolve(path, context);
        if found.is_empty() {
            filled.assumptions.push(format!("`{path}` is not in the workspace"));
        }
        going.extend(found);
    }
    let going: Vec<String> = going.into_iter().collect();
    tests_of(&going, context, filled);
    let values = &mut filled.values;
    if going.is_empty() {
        values.one("manual", "since the goal names none that is here");
        if intake.named_paths.is_empty() {
            filled.assumptions.push("the goal does not say which files; nothing is deleted before a person lists them".to_owned());
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
        let stem = name.split('.').next().filter(|stem| stem.len() > 2).unwrap_or(name);
        let pattern = regex::escape(stem);
        if !stems.contains(&pattern) && stems.len() < MOST_STEPS {
            stems.push(pattern);
        }
    }
    values.one("places", &in_words(&going));
    values.many("stems", stems);
    values.many("files", going);
    filled.reasons.push("files: those the goal names, and no other".to_owned());
}
