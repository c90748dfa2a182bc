//! Determines the template values for a rename: exact edits for certain occurrences, lists of lines
//! for ambiguous ones.

use std::collections::{BTreeMap, BTreeSet};

use super::listing::{counted, listing};
use super::{Filled, grouped, record, tests_of};
use crate::context::{Context, Occurrence};
use crate::intake::{Aim, Intake, Rename};
use crate::solver::{edits, options, relevant, rename};
use crate::text::{Shape, is_code, is_test, stem};

/// One rename and the occurrences of its old name.
struct Matches<'a> {
    names: &'a Rename,
    places: rename::Places,
}

struct Edit<'a> {
    place: Occurrence,
    names: &'a Rename,
}

pub(super) fn fill(intake: &Intake, context: &Context, filled: &mut Filled) {
    let options = intake
        .renames
        .iter()
        .filter(|names| options::is_option(&names.from));
    let listed_options: Vec<_> = options
        .filter_map(|names| options::listed(names, context))
        .collect();
    let mut found: Vec<Matches<'_>> = intake
        .renames
        .iter()
        .map(|names| Matches {
            names,
            places: sorted(names, context),
        })
        .chain(listed_options.iter().map(|(names, places)| Matches {
            names,
            places: places.clone(),
        }))
        .collect();
    let mut meant: BTreeMap<String, Vec<Edit<'_>>> = BTreeMap::new();
    let mut unsure: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    for pair in &mut found {
        for (path, places) in std::mem::take(&mut pair.places.meant) {
            let names = pair.names;
            let edits = places.into_iter().map(|place| Edit { place, names });
            meant.entry(path).or_default().extend(edits);
        }
        for (path, places) in std::mem::take(&mut pair.places.unsure) {
            unsure.entry(path).or_default().extend(places);
        }
    }
    let affected: BTreeSet<String> = meant.keys().chain(unsure.keys()).cloned().collect();
    let affected: Vec<String> = affected.into_iter().collect();
    let mut clear: BTreeMap<String, (Vec<Edit<'_>>, Vec<String>)> = BTreeMap::new();
    for (path, mut edits) in meant {
        edits.sort_by_key(|edit| edit.place.offset);
        match calls(&path, &edits, context) {
            Some(calls) => {
                clear.insert(path, (edits, calls));
            }
            // If the text is unknown or occurrences can't be told apart, a person edits the file.
            None => {
                let places = unsure.entry(path).or_default();
                places.extend(edits.into_iter().map(|edit| edit.place));
            }
        }
    }
    for places in unsure.values_mut() {
        places.sort_by_key(|place| place.offset);
    }
    tests_of(&affected, context, filled);
    // A step covers the requirements that ask for the new names that it writes.
    let covered = |names: &[&Rename]| -> Vec<String> {
        let wishes = intake.requirements.iter();
        let changes = wishes.filter(|wish| wish.aim != Aim::Test);
        let asked = changes.filter(|wish| names.iter().any(|one| wish.text.contains(&one.from)));
        asked.map(|wish| wish.id.clone()).collect()
    };

    let paths: Vec<String> = clear.keys().cloned().collect();
    let records = grouped(&paths)
        .into_iter()
        .map(|(label, paths)| {
            let here = || paths.iter().filter_map(|path| clear.get(path));
            let edits = || here().flat_map(|(edits, _)| edits);
            let is_here = |names: &Rename| edits().any(|edit| edit.names == names);
            let written = found.iter().map(|pair| pair.names);
            let written: Vec<&Rename> = written.filter(|names| is_here(names)).collect();
            let pairs: Vec<String> = written
                .iter()
                .map(|names| format!("`{}` to `{}`", names.from, names.to))
                .collect();
            let count = counted(edits().count());
            let calls = here().flat_map(|(_, calls)| calls).cloned().collect();
            let mut record = record("file", &label, paths.clone());
            record.values.insert("edits".to_owned(), calls);
            record.values.insert("places".to_owned(), vec![count]);
            record
                .values
                .insert("pairs".to_owned(), vec![listed(&pairs)]);
            let covers = covered(&written);
            record.values.insert("change".to_owned(), covers);
            record
        })
        .collect();
    filled.values.records.insert("file".to_owned(), records);

    let doubtful: Vec<String> = unsure.keys().cloned().collect();
    let records = grouped(&doubtful)
        .into_iter()
        .map(|(label, paths)| {
            let lines: Vec<&Occurrence> = paths
                .iter()
                .filter_map(|path| unsure.get(path))
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
            let asked = found.iter().map(|pair| pair.names);
            let asked: Vec<&Rename> = asked
                .filter(|names| lines.iter().any(|line| is_in(names, line)))
                .collect();
            let covers = covered(&asked);
            record.values.insert("change".to_owned(), covers);
            record
        })
        .collect();
    filled.values.records.insert("unsure".to_owned(), records);

    let pairs = intake.renames.iter();
    let pairs = pairs.map(|names| (names.from.clone(), names.to.clone()));
    let (old, new): (Vec<String>, Vec<String>) = pairs.unzip();
    let values = &mut filled.values;
    values.one("old", &listed(&in_backticks(&old)));
    values.one("new", &listed(&in_backticks(&new)));
    values.many("patterns", old.iter().map(|name| pattern(name)).collect());
    values.many("from", old);
    values.many("to", new);
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
    if asks_for_test && !mentioned_by_test && !affected.is_empty() {
        let old: Vec<&str> = found.iter().map(|pair| &*pair.names.from).collect();
        values.one(
            "new_test",
            &format!("no test mentions `{}`", old.join("`, `")),
        );
    }
    for pair in &found {
        add_notes(pair, filled);
    }
    filled
        .reasons
        .push(format!("files that contain the name: {}", affected.len()));
}

/// Whether a line contains the name or, for an option, an identifier derived from it.
fn is_in(names: &Rename, line: &Occurrence) -> bool {
    let mut made = names.names_in_code().into_iter();
    line.text.contains(&names.from) || made.any(|name| line.text.contains(&name))
}

/// The occurrences of a name or option, classified.
fn sorted(names: &Rename, context: &Context) -> rename::Places {
    match options::is_option(&names.from) {
        true => options::sort(names, context),
        false => rename::sort(names, context),
    }
}

/// The search pattern: the name or option as a whole word.
fn pattern(name: &str) -> String {
    match options::is_option(name) {
        true => format!(r"{name}([^\w-]|$)"),
        false => format!(r"\b{name}\b"),
    }
}

/// Why rules can't do the goal's renames: for example, a name belongs to no pair, does not occur or
/// is ambiguous, or its new name is already taken in a file.
pub(in crate::solver) fn obstacle(intake: &Intake, context: &Context) -> Option<String> {
    if let Some(name) = intake.asides.iter().find(|name| is_defined(name, context)) {
        return Some(format!(
            "`{name}` is defined here, but the goal doesn't give its new name, so nothing is renamed yet"
        ));
    }
    intake.renames.iter().find_map(|names| {
        if options::is_option(&names.from) {
            return options::obstacle(names, context);
        }
        let places = rename::sort(names, context);
        // Reject a name that is also a module's, since renaming the module would mean moving its
        // file.
        let mut files = context.paths.iter();
        let is_file = |path: &&String| is_code(path) && stem(path) == names.from;
        if places.defined_in.is_empty()
            && let Some(file) = files.find(is_file)
        {
            return Some(format!("`{}` is the module in `{file}`, which would have to move too", names.from));
        }
        if let Some(place) = imports_as_module(&names.from, context) {
            return Some(format!(
                "`{}` is also a module, as in `{}` line {}, so a person decides which one is meant",
                names.from, place.path, place.line
            ));
        }
        let mut places_named = intake.named_paths.iter().filter(|path| {
            let mut wishes = intake.requirements.iter();
            wishes.any(|wish| wish.text.contains(&names.from) && wish.text.contains(*path))
        });
        // If the goal names the defining file, this only says which name is meant; any other file
        // would limit the rename to itself.
        let other = places_named.find(|named| {
            let named = relevant::resolve(named, context);
            places.defined_in.is_empty() || places.defined_in.iter().any(|path| !named.contains(path))
        });
        if let Some(path) = other {
            return Some(format!(
                "`{}` isn't defined only in `{path}`, so a person decides what to rename",
                names.from
            ));
        }
        // A variable or parameter with the new name would shadow the renamed one.
        let taken = context.found(&names.to).iter().find(|place| {
            (defines(place) || is_bound(place))
                && (places.meant.contains_key(&place.path)
                    || places.unsure.contains_key(&place.path))
        });
        match taken {
            Some(place) => Some(format!(
                "`{}` is already the name of something else in `{}` line {}, so nothing is renamed yet",
                names.to, place.path, place.line
            )),
            None if places.is_found && places.meant.is_empty() => Some(format!(
                "rules can't tell which `{}` is meant",
                names.from
            )),
            None if !places.is_found => Some(format!(
                "no file contains `{}` as a whole word{}",
                names.from,
                match context.found(&names.to).is_empty() {
                    true => "",
                    false => "; it may already be renamed",
                }
            )),
            None => None,
        }
    })
}

/// The line that imports a module with the same name as an identifier in the code, which makes the
/// name ambiguous.
fn imports_as_module<'a>(name: &str, context: &'a Context) -> Option<&'a Occurrence> {
    let forms = ["from ", "from .", "import ", "import .", "use ", "mod "]
        .map(|before| format!("{before}{name}"));
    let is_module = |place: &&Occurrence| {
        let line = place.text.trim_start();
        let begins = |form: &String| {
            let rest = line.strip_prefix(&**form);
            rest.is_some_and(|rest| {
                !rest.starts_with(|c: char| c.is_alphanumeric() || "_-,{".contains(c))
            })
        };
        // After a bare `import`, the name may stand for anything; after `from` or in a quoted path,
        // it is a module.
        let is_path = forms[..2].iter().any(begins)
            || forms[2..].iter().any(begins) && !line.contains(" from ");
        let is_quoted = |quote: char| {
            let path = format!("{quote}{name}{quote}");
            let is_loaded = ["require(", "import(", "import ", " from "]
                .iter()
                .any(|word| line.contains(word));
            is_loaded && line.contains(&path)
        };
        is_code(&place.path) && (is_path || is_quoted('"') || is_quoted('\''))
    };
    let mut places = context.found(name).iter();
    places.find(is_module)
}

/// Whether an occurrence is a variable binding or a use of one.
fn is_bound(place: &Occurrence) -> bool {
    let shapes = [
        Shape::Assignment,
        Shape::Parameter,
        Shape::Constant,
        Shape::Import,
        Shape::Call,
        Shape::Reference,
    ];
    is_code(&place.path) && shapes.contains(&place.shape)
}

/// Whether a name is defined in the workspace.
pub(in crate::solver) fn is_defined(name: &str, context: &Context) -> bool {
    context.found(name).iter().any(defines)
}

fn defines(place: &Occurrence) -> bool {
    matches!(
        place.shape,
        Shape::Definition | Shape::Member | Shape::Constant
    )
}

/// The tool calls that write the new names into one file.
fn calls(path: &str, edits: &[Edit<'_>], context: &Context) -> Option<Vec<String>> {
    let replacements: Vec<_> = edits
        .iter()
        .map(|Edit { place, names }| {
            let range = place.offset..place.offset + names.from.len();
            (range, names.to.clone())
        })
        .collect();
    edits::exact(path, context.texts.get(path)?, &replacements)
}

/// Adds notes about what one rename leaves alone and assumes.
fn add_notes(pair: &Matches<'_>, filled: &mut Filled) {
    let Matches { names, places } = pair;
    if !places.left_alone.is_empty() {
        let what = |(path, what): (&String, &BTreeSet<&str>)| {
            let what: Vec<&str> = what.iter().copied().collect();
            format!("`{path}` ({})", what.join(", "))
        };
        let all = first_few(places.left_alone.iter().map(what).collect());
        filled.notes.push(format!(
            "Not renamed, because `{}` is something else there: {all}.",
            names.from
        ));
    }
    if !places.kept.is_empty() {
        let all = places.kept.iter();
        let all = first_few(all.map(|(path, why)| format!("`{path}` ({why})")).collect());
        filled
            .notes
            .push(format!("`{}` is unchanged in {all}.", names.from));
    }
    if places.defined_in.is_empty() {
        filled.assumptions.push(format!(
            "no definition of `{}` was found, so a person decides each occurrence",
            names.from
        ));
    }
    if places.defined_in.len() > 1 {
        filled.assumptions.push(format!(
            "all definitions of `{}` are renamed: {}",
            names.from,
            in_backticks(&places.defined_in).join(", ")
        ));
    }
}

/// The first few items and how many more there are.
fn first_few(all: Vec<String>) -> String {
    const MAX_SHOWN: usize = 8;
    let few = all
        .iter()
        .take(MAX_SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match all.len() > MAX_SHOWN {
        true => format!("{few} and {} more", all.len() - MAX_SHOWN),
        false => few,
    }
}

/// Joins names into a phrase: `a`, `b` and `c`.
fn listed(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

fn in_backticks(paths: &[String]) -> Vec<String> {
    paths.iter().map(|path| format!("`{path}`")).collect()
}
