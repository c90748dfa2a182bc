//! Determines the template values for each kind of goal.

mod files;
mod listing;
mod moves;
mod rename;
mod requirements;

use std::collections::BTreeMap;

use super::{companions, draft, relevant};
use crate::context::Context;
use crate::intake::{Aim, Intake, TaskType};
use crate::template::{Record, Values};

/// Maximum number of files that each get a step; if there are more, they are grouped by folder.
const MAX_STEPS: usize = 12;
const MAX_SEARCHES: usize = 2;

/// The values that fill a template, and the plan's notes, assumptions and reasons.
#[derive(Debug, Default)]
pub(super) struct Filled {
    pub(super) values: Values,
    pub(super) notes: Vec<String>,
    pub(super) assumptions: Vec<String>,
    pub(super) reasons: Vec<String>,
}

use listing::grouped;
pub(super) use rename::is_defined;

/// Why rules can't complete a goal; `None` if they can.
pub(super) fn obstacle(intake: &Intake, context: &Context) -> Option<String> {
    rename::obstacle(intake, context)
        .or_else(|| super::moves::obstacle(&intake.moves, context))
        .or_else(|| files::obstacle(intake, context))
}

pub(super) fn of(intake: &Intake, context: &Context) -> Filled {
    let mut filled = Filled::default();
    common(intake, context, &mut filled);
    match intake.kind {
        TaskType::Rename => rename::fill(intake, context, &mut filled),
        TaskType::Dependency => files::for_dependency(intake, context, &mut filled),
        TaskType::Move => moves::fill(intake, context, &mut filled),
        TaskType::Removal => files::for_removal(intake, context, &mut filled),
        _ => for_work(intake, context, &mut filled),
    }
    filled.notes.extend(context.limits.iter().cloned());
    filled
}

fn common(intake: &Intake, context: &Context, filled: &mut Filled) {
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
    // If a goal is entirely about tests, the tests are the change.
    let only_tests = change.is_empty();
    values.many("change", if only_tests { testing.clone() } else { change });
    // If the plan only runs tests, drop the requirements that ask for a new one.
    let is_run = |id: &String| {
        let mut all = intake.requirements.iter();
        !all.any(|one| one.id == *id && one.wants_new_test())
    };
    let runs_only = intake.kind == TaskType::General || only_tests;
    let testing = testing.into_iter().filter(|id| !runs_only || is_run(id));
    values.many("testing", testing.collect());
    let is_own_version = |term: &String| {
        let wanted = intake.dependency.as_ref();
        wanted.is_some_and(|wanted| wanted.is_own && wanted.name == *term)
    };
    let searched = |term: &&String| {
        intake.renames.is_empty()
            && !intake.named_paths.contains(term)
            && term.len() > 1
            && !is_own_version(term)
    };
    let exact: Vec<String> = intake
        .search_terms
        .iter()
        .filter(searched)
        .cloned()
        .collect();
    // Searching for plain words is only worthwhile for a question without identifiers.
    let is_question = intake.kind == TaskType::Find;
    let terms = if is_question && exact.is_empty() && intake.named_paths.is_empty() {
        relevant::distinctive_words(intake, context)
    } else {
        exact
    };
    let terms = terms.into_iter().take(MAX_SEARCHES);
    let records = terms
        .map(|term| {
            let pattern = if term
                .chars()
                .all(|c| c.is_alphanumeric() || "_- ".contains(c))
            {
                term.clone()
            } else {
                regex::escape(&term)
            };
            record("term", &term, vec![pattern])
        })
        .collect();
    values.records.insert("term".to_owned(), records);
    for name in ["file", "unsure", "folder"] {
        values.records.insert(name.to_owned(), Vec::new());
    }
}

fn record(name: &str, label: &str, own: Vec<String>) -> Record {
    Record {
        label: label.to_owned(),
        values: BTreeMap::from([(name.to_owned(), own)]),
    }
}

/// Adds the project's test commands for these files, and a reason that lists them or says that
/// there are none.
fn tests_of(files: &[String], context: &Context, filled: &mut Filled) {
    let commands = context.test_commands(files);
    if commands.is_empty() {
        filled
            .reasons
            .push("tests: no test command found".to_owned());
    } else {
        let shown: Vec<String> = commands
            .iter()
            .map(|command| format!("`{command}`"))
            .collect();
        filled.reasons.push(format!(
            "tests: {}, detected in the project",
            shown.join(", ")
        ));
    }
    filled.values.many("test", commands);
}

/// Files as a title mentions them: up to two by name, more as a number.
fn in_words(files: &[String]) -> String {
    let shown: Vec<String> = files
        .iter()
        .take(2)
        .map(|path| format!("`{path}`"))
        .collect();
    match files.len() {
        0 => String::new(),
        1 | 2 => shown.join(" and "),
        3 => format!("{} and 1 more file", shown.join(", ")),
        more => format!("{} and {} more files", shown.join(", "), more - 2),
    }
}

/// Whether a goal asks for a change that preserves behavior.
fn preserves_behavior(goal: &str) -> bool {
    let clause = crate::intake::imperative(goal).to_lowercase();
    let verb = clause.split(|c: char| !c.is_alphabetic()).next();
    let verb = verb.unwrap_or_default();
    // Unlike splitting code, splitting pages changes the output.
    let splits_code = verb == "split" && (clause.contains("module") || clause.contains(" file"));
    splits_code
        || crate::among(
            verb,
            "rename move refactor extract inline simplify reorder clean",
        )
}

/// Whether a goal is about time or memory use, which is checked by a measurement rather than a
/// test.
fn is_about_cost(goal: &str) -> bool {
    const COST: &str = "faster quicker speed performance slow slower latency throughput optimize optimise memory schneller";
    let plain = goal.to_lowercase();
    let mut words = plain.split(|c: char| !c.is_alphanumeric());
    words.any(|word| crate::among(word, COST))
}

fn for_work(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut relevant = relevant::files(intake, context);
    let documents = intake.kind == TaskType::Documentation;
    let wants_text = documents || intake.requirements.iter().any(|wish| wish.aim == Aim::Docs);
    let absent_document = |path: &&String| {
        crate::text::is_document(path) && !path.contains('*') && !path.ends_with('/')
    };
    let mut made: Vec<String> = relevant
        .absent
        .iter()
        .filter(absent_document)
        .cloned()
        .collect();
    let verb = adequacy::goal::first_word(crate::intake::imperative(&intake.goal));
    let is_correction = crate::among(&verb, "fix correct improve polish proofread clean");
    if wants_text && !is_correction && relevant.documents.is_empty() && made.is_empty() {
        let known = companions::known_document(&intake.goal);
        let known = known.filter(|path| !context.paths.contains(*path));
        match companions::document(intake, context).filter(|_| known.is_none()) {
            Some(path) => relevant.documents.push(path),
            None if known.is_none() && relevant.meant().is_empty() => {}
            None => {
                let path =
                    known.map_or_else(|| companions::new_document(intake, context), str::to_owned);
                filled.assumptions.push(format!(
                    "no matching document exists, so `{path}` will be created"
                ));
                made.push(path);
            }
        }
    }
    let tests_wanted = intake.requirements.iter().any(|wish| wish.aim == Aim::Test);
    let keeps =
        intake.kind == TaskType::Modify && !tests_wanted && preserves_behavior(&intake.goal);
    let is_source = |path: &String| crate::text::is_code(path) || crate::text::is_test(path);
    let named = &intake.named_paths;
    let is_about_texts =
        !named.is_empty() && named.iter().all(|path| crate::text::is_document(path));
    let has_code =
        relevant.meant().iter().any(is_source) || relevant.meant().is_empty() && !is_about_texts;
    let asks_for_test =
        !keeps && has_code && !matches!(intake.kind, TaskType::Documentation | TaskType::Find);
    let commands_in_goal =
        crate::project::commands::commands_in_goal(&intake.goal, &context.paths, &context.texts);
    let is_measured = is_about_cost(&intake.goal);
    if is_measured {
        filled.values.one("cost", "time or memory use");
    }
    // Ask for a test unless the change can be checked otherwise: performance by a measurement,
    // linter fixes by the linter. Settings and texts have no tests.
    let is_shown_otherwise = is_measured || !commands_in_goal.is_empty();
    if asks_for_test && !is_shown_otherwise || tests_wanted {
        let novelty = match intake.kind {
            TaskType::BugFix => "the fix",
            _ => "the change",
        };
        filled.values.one("novelty", novelty);
    }
    let mut new_tests = Vec::new();
    if asks_for_test
        && relevant.tests.is_empty()
        && let Some(path) = companions::new_test(relevant.meant(), context)
    {
        filled.assumptions.push(format!(
            "no test found for `{}`, so `{path}` will be created",
            relevant.meant()[0]
        ));
        new_tests.push(path);
    }
    filled.reasons.extend(relevant.reason.clone());
    let files = relevant.all(&intake.named_paths);
    // Don't run the test suite for changes to prose, or if there is no relevant code.
    let judged = match intake.kind {
        TaskType::Find => false,
        _ if is_about_texts && relevant.meant().is_empty() => false,
        TaskType::Documentation => !relevant.meant().is_empty(),
        TaskType::General => {
            files.iter().any(|path| !crate::text::is_document(path))
                || intake.requirements.iter().any(|wish| wish.aim == Aim::Test)
        }
        _ => true,
    };
    if !commands_in_goal.is_empty() {
        filled.values.many("test", commands_in_goal);
    } else if judged {
        tests_of(&files, context, filled);
    }
    let written: Vec<String> = relevant.documents.iter().chain(&made).cloned().collect();
    let of_sources = relevant.tests_of_sources(&intake.named_paths, context);
    let tests: Vec<String> = of_sources.into_iter().chain(new_tests).collect();
    requirements::requirement_steps(intake, context, &tests, &written, filled);
    let nothing = if documents {
        written.is_empty()
    } else {
        files.is_empty()
    };
    if nothing {
        let words = match intake.kind {
            TaskType::Documentation => "since the goal names none that exist",
            _ => "the workspace",
        };
        filled.values.one("manual", words);
        let is_found = |term: &String| !context.found(term).is_empty();
        if !intake.search_terms.iter().any(is_found) && intake.kind != TaskType::Find {
            filled
                .values
                .one("vague", &format!("“{}”", draft::shortened(&intake.goal)));
        }
        if intake.kind != TaskType::General {
            let looked_for: Vec<String> = intake
                .search_terms
                .iter()
                .map(|term| format!("`{term}`"))
                .collect();
            filled.assumptions.push(if looked_for.is_empty() {
                "no file matches the goal, so no step lists one".to_owned()
            } else {
                format!(
                    "nothing in the workspace contains {}, so no step lists a file",
                    looked_for.join(", ")
                )
            });
        }
    }
    // If the goal also names an existing file in a folder, a new file with a bare name might belong
    // in any folder.
    let in_folder = |path: &String| path.contains('/') && context.paths.contains(path);
    let is_placed = |path: &String| path.contains('/') || !intake.named_paths.iter().any(in_folder);
    for path in &relevant.absent {
        filled.assumptions.push(match is_placed(path) {
            true => format!("`{path}` doesn't exist yet"),
            false => {
                format!("`{path}` is new, and the goal doesn't say which folder it belongs in")
            }
        });
    }
    let values = &mut filled.values;
    values.one("start", &in_words(&files));
    values.many("files", files);
    let is_guessed = relevant.sources.is_empty() && !relevant.likely.is_empty();
    let mut sources = relevant.sources;
    // Without sources, the files to change are the tests or documents that the goal names, or else
    // the only one found.
    if sources.is_empty() && !documents && !is_guessed {
        let is_named =
            |path: &&String| intake.named_paths.contains(path) || relevant.tests.len() == 1;
        sources.extend(relevant.tests.iter().filter(is_named).cloned());
        if sources.is_empty() {
            let is_named =
                |path: &&String| intake.named_paths.contains(path) || relevant.documents.len() == 1;
            sources.extend(relevant.documents.iter().filter(is_named).cloned());
        }
    }
    // The step creates a named file that doesn't exist yet.
    let makes = intake.kind != TaskType::Find && intake.kind != TaskType::BugFix;
    for path in relevant
        .absent
        .iter()
        .filter(|path| makes && is_placed(path) && !path.contains('*'))
    {
        if !path.ends_with('/') && !crate::text::is_document(path) {
            sources.push(path.clone());
        }
    }
    values.many("sources", sources);
    // If a file is only likely, so are its tests.
    values.many("tests", if is_guessed { Vec::new() } else { tests });
    values.many("documents", written);
}
