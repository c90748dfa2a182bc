//! Determines the template values for goals about dependency manifests and files to delete.

use std::collections::{BTreeMap, BTreeSet};

use super::listing::{counted, listing};
use super::moves::at;
use super::{Filled, MAX_STEPS, for_work, grouped, in_words, record, tests_of};
use crate::context::{Context, Occurrence};
use crate::indexing::is_generated;
use crate::intake::{Change, Intake, Move};
use crate::solver::{dependency, moves, relevant};

/// Why rules can't make the goal's change to a dependency: for example, the goal names one
/// manifest, but another one also contains the library.
pub(super) fn obstacle(intake: &Intake, context: &Context) -> Option<String> {
    let wanted = intake.dependency.as_ref()?;
    if let Some(obstacle) = dependency::obstacle(wanted, context) {
        return Some(obstacle);
    }
    let found = dependency::find(wanted, context);
    let named: Vec<String> = intake
        .named_paths
        .iter()
        .flat_map(|path| relevant::resolve(path, context))
        .collect();
    let other = found.manifests.iter().find(|path| !named.contains(path));
    let other = other.filter(|_| !intake.named_paths.is_empty())?;
    Some(format!(
        "`{}` also occurs in `{other}`, which the goal doesn't name",
        wanted.name
    ))
}

pub(super) fn for_dependency(intake: &Intake, context: &Context, filled: &mut Filled) {
    let Some(wanted) = &intake.dependency else {
        for_work(intake, context, filled);
        filled
            .values
            .one("manual", "in the manifest that lists the library");
        return;
    };
    let found = dependency::find(wanted, context);
    // A mention of the library, as in a comment, is not a use.
    let code = context.found(&wanted.in_code()).iter();
    let code = code.filter(|place| place.shape.is_code());
    let in_code = code.map(|place| place.path.clone());
    let named = intake.named_paths.iter();
    let named = named.flat_map(|path| relevant::resolve(path, context));
    let mut seen = BTreeSet::new();
    let uses: Vec<String> = named
        .chain(in_code)
        .filter(|path| seen.insert(path.clone()))
        .filter(|path| !found.manifests.contains(path) && !found.locks.contains(path))
        .filter(|path| !is_generated(path, context.texts.get(path).map(String::as_str)))
        .filter(|path| crate::text::family_of(path) != crate::text::Family::Data)
        .collect();
    // A minor update is not expected to require changes to code.
    let uses = if wanted.is_own || wanted.change != Change::Set || !found.is_breaking {
        Vec::new()
    } else {
        uses
    };
    let mut touched = uses.clone();
    touched.extend(found.manifests.iter().cloned());
    tests_of(&touched, context, filled);
    let version = wanted.version.as_deref().unwrap_or_default();
    let doing = match wanted.change {
        Change::Set => format!("set `{}` to {version}", wanted.name),
        Change::Add { .. } => format!("add `{}` {version}", wanted.name),
        Change::Remove => format!("remove `{}`", wanted.name),
    };
    let records = found
        .edits
        .iter()
        .map(|(path, calls)| {
            let mut record = record("file", &format!("`{path}`"), vec![path.clone()]);
            record.values.insert("edits".to_owned(), calls.clone());
            record
                .values
                .insert("pairs".to_owned(), vec![doing.clone()]);
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
        values.one("manual", "where the project lists its dependencies");
        filled.assumptions.push(format!(
            "no manifest in the workspace {} `{}`",
            if wanted.is_own { "sets" } else { "lists" },
            wanted.name
        ));
    } else if !found.unsettled.is_empty() {
        values.one("manual", &format!("in {}", in_words(&found.unsettled)));
        values.many("files", found.unsettled.clone());
    }
    if let Some((found, needed)) = dependency::compiler(wanted, context) {
        let version = wanted.version.as_deref().unwrap_or_default();
        values.one(
            "manual",
            &format!("to `rust-version` too: it is {found}, but edition {version} needs {needed}"),
        );
    }
    if wanted.version.is_none() && wanted.change == Change::Set {
        filled
            .assumptions
            .push("the goal names no version; use the newest compatible one".to_owned());
    }
    if !found.manifests.is_empty() {
        let values = &mut filled.values;
        values.many("lock", found.locks.clone());
    }
    let is_major = found.is_breaking && wanted.change == Change::Set && !wanted.is_own;
    if let (true, true, Some(version)) = (is_major, uses.is_empty(), &wanted.version) {
        filled
            .values
            .one("major", &format!("{} {version}", wanted.name));
    }
    filled.values.one("start", &in_words(&uses));
    filled.values.many("uses", uses);
    filled.reasons.push(format!(
        "files: manifests that list the library: {}",
        found.manifests.len()
    ));
}

/// The lines in the remaining files that refer to deleted files, by the path of the file that
/// contains them.
fn users(
    going: &[String],
    folders: &[&str],
    context: &Context,
) -> BTreeMap<String, Vec<Occurrence>> {
    let mut users: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    for folder in folders {
        users.extend(moves::references_into(folder, context));
    }
    for path in going {
        let named = moves::references(&Move::of_removed(path), context);
        let exact = named.exact.into_iter().map(|(user, places)| {
            let text = context.texts.get(&user).map_or("", String::as_str);
            let places = places.iter().map(|(place, _)| at(&user, text, place.start));
            (user.clone(), places.collect::<Vec<_>>())
        });
        for (user, lines) in exact.chain(named.unsure) {
            let known = users.entry(user).or_default();
            for line in lines {
                if !known.iter().any(|known| known.line == line.line) {
                    known.push(line);
                }
            }
        }
    }
    users.retain(|user, _| !going.contains(user));
    for (user, lines) in &mut users {
        let text = context.texts.get(user).map_or("", String::as_str);
        let more = companions(user, text, lines);
        lines.extend(more);
        lines.sort_by_key(|line| line.line);
        lines.dedup_by_key(|line| line.line);
    }
    users
}

/// Additional lines to remove along with the imports from a deleted file: attributes directly above
/// them, and uses of the imported names.
fn companions(path: &str, text: &str, lines: &[Occurrence]) -> Vec<Occurrence> {
    /// Maximum number of lines with uses to list for one file.
    const MAX_LINES: usize = 40;
    const KEYWORDS: &str = "import from require use include mod load source const let var type as pub crate self super \
        default async await the and of in for with static";
    let all: Vec<&str> = text.lines().collect();
    let place = |at: usize| Occurrence {
        path: path.to_owned(),
        line: u32::try_from(at + 1).unwrap_or(u32::MAX),
        offset: at,
        text: all[at].trim().chars().take(200).collect(),
        shape: crate::text::Shape::Reference,
    };
    let mut found = Vec::new();
    let mut brought: BTreeSet<&str> = BTreeSet::new();
    for line in lines {
        let at = line.line as usize - 1;
        let mut above = (0..at.min(all.len())).rev();
        found.extend(
            above
                .by_ref()
                .take_while(|at| all[*at].trim_start().starts_with("#["))
                .map(place),
        );
        let Some(words) = all.get(at).filter(|line| is_import(line)) else {
            continue;
        };
        // Look at the imported names only: quoted parts name the file, and the part before `import`
        // names the module.
        let words = words.split(['"', '\'']).step_by(2);
        let words = words.flat_map(|part| part.rsplit(" import ").next());
        let words = words.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '_'));
        brought.extend(words.filter(|word| word.len() > 2 && !crate::among(word, KEYWORDS)));
    }
    let is_use = |line: &str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| brought.contains(word))
    };
    let uses = (0..all.len()).filter(|at| is_use(all[*at]));
    found.extend(uses.map(place).take(MAX_LINES));
    found.retain(|one| !lines.iter().any(|line| line.line == one.line));
    found
}

/// Whether a line imports names from another file.
fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    line.contains("require(")
        || ["import ", "from ", "use ", "export {"]
            .iter()
            .any(|word| line.starts_with(word))
}

pub(super) fn for_removal(intake: &Intake, context: &Context, filled: &mut Filled) {
    let mut going: BTreeSet<String> = BTreeSet::new();
    let mut whole: Vec<String> = Vec::new();
    for path in &intake.named_paths {
        let found = relevant::resolve(path, context);
        let folder = path.trim_end_matches('/');
        let complete = context.folders.get(folder).copied();
        if complete == Some(false) || complete == Some(true) && found.len() > MAX_STEPS {
            // A person removes a folder that can't be listed file by file.
            whole.push(format!("the folder `{folder}`"));
        } else if complete == Some(true) && found.is_empty() {
            whole.push(format!("the empty folder `{folder}`"));
        } else if found.is_empty() && path.contains('*') {
            filled.assumptions.push(format!(
                "no file matches `{path}`; ignored files weren't searched"
            ));
            whole.push(format!("files matching `{path}`"));
        } else if found.is_empty() {
            filled
                .assumptions
                .push(format!("`{path}` doesn't exist, so no step removes it"));
        } else {
            going.extend(found);
        }
    }
    let going: Vec<String> = going.into_iter().collect();
    tests_of(&going, context, filled);
    let is_folder = |path: &&str| context.folders.contains_key(*path);
    let named = intake
        .named_paths
        .iter()
        .map(|path| path.trim_end_matches('/'));
    let folders: Vec<&str> = named.filter(is_folder).collect();
    let users = users(&going, &folders, context);
    let records = users.iter().map(|(path, lines)| {
        let lines: Vec<&Occurrence> = lines.iter().collect();
        let mut record = record("unsure", &format!("`{path}`"), vec![path.clone()]);
        let of = |name: &str, value: String| (name.to_owned(), vec![value]);
        record.values.extend([
            of("places", counted(lines.len())),
            of("lines", listing(&lines, false)),
        ]);
        record
    });
    let records = records.collect();
    filled.values.records.insert("unsure".to_owned(), records);
    let values = &mut filled.values;
    if going.is_empty() && whole.is_empty() {
        values.one("manual", "since the goal names none that exist");
        if intake.named_paths.is_empty() {
            filled.assumptions.push(
                "the goal doesn't say which files; nothing is deleted until a person lists them"
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
    let folders = whole
        .iter()
        .map(|label| record("folder", label, vec![label.clone()]));
    let folders: Vec<_> = folders.collect();
    values.records.insert("folder".to_owned(), folders);
    let mut stems: Vec<String> = Vec::new();
    let ticked = whole.iter().filter(|label| !label.contains('*'));
    let ticked = ticked.filter_map(|label| label.split('`').nth(1));
    let gone: Vec<String> = going
        .iter()
        .cloned()
        .chain(ticked.map(str::to_owned))
        .collect();
    for path in &gone {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name
            .split('.')
            .next()
            .filter(|stem| stem.len() > 2)
            .unwrap_or(name);
        // If the name starts or ends with a word character, require a word boundary there: `other`
        // doesn't match in `another`.
        let edge = |c: Option<char>| {
            if c.is_some_and(|c| c.is_alphanumeric() || c == '_') {
                "\\b"
            } else {
                ""
            }
        };
        let (first, last) = (stem.chars().next(), stem.chars().next_back());
        let pattern = format!("{}{}{}", edge(first), regex::escape(stem), edge(last));
        if !stems.contains(&pattern) && stems.len() < MAX_STEPS {
            stems.push(pattern);
        }
    }
    values.one("places", &in_words(&gone));
    values.many("patterns", stems);
    values.many("files", going);
    filled
        .reasons
        .push("files: only those named in the goal".to_owned());
}
