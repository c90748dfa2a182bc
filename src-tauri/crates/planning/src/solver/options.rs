//! Renames a command-line option in every place where it occurs; a longer option with the same
//! beginning is a different option.
//!
//! Code that reads the option may use a derived name, such as `args.float_format`; such occurrences
//! are left to a person. A bare name in a list of long options, `"float="`, is the option itself.

use std::collections::BTreeMap;

use super::rename::Places;
use crate::context::{Context, Occurrence};
use crate::indexing::is_generated;
use crate::intake::Rename;
use crate::text::{Shape, is_code, is_history, is_test};

/// Whether a name is a long option, such as `--json`.
pub(super) fn is_option(name: &str) -> bool {
    name.starts_with("--")
}

/// The occurrences of an option, without those of longer options that contain it.
pub(super) fn places<'a>(name: &str, context: &'a Context) -> Vec<&'a Occurrence> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_whole = |place: &&Occurrence| {
        let Some(text) = context.texts.get(&place.path) else {
            return false;
        };
        let before = text[..place.offset].chars().next_back();
        let after = text[place.offset + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    context.found(name).iter().filter(is_whole).collect()
}

/// Classifies the occurrences of an option and of its derived names.
pub(super) fn sort(rename: &Rename, context: &Context) -> Places {
    let mut places_found = Places::default();
    for place in places(&rename.from, context) {
        if let Some(why) = why_kept(&place.path, context) {
            if !places_found
                .kept
                .iter()
                .any(|(path, _)| *path == place.path)
            {
                places_found.kept.push((place.path.clone(), why));
            }
            continue;
        }
        let is_source = is_code(&place.path) && !is_test(&place.path);
        if is_source && !places_found.defined_in.contains(&place.path) {
            places_found.defined_in.push(place.path.clone());
        }
        let meant = places_found.meant.entry(place.path.clone()).or_default();
        meant.push(place.clone());
    }
    for name in rename.names_in_code() {
        for place in context.found(&name) {
            if may_be_made_of_it(place, &name, context) && !is_listed(place, &name, context) {
                let unsure = places_found.unsure.entry(place.path.clone()).or_default();
                if !unsure.iter().any(|known| known.line == place.line) {
                    unsure.push(place.clone());
                }
            }
        }
    }
    places_found.is_found = !places_found.meant.is_empty();
    places_found
}

/// A rename of the option's bare name, as written in lists of long options, with the occurrences
/// there.
pub(super) fn listed(rename: &Rename, context: &Context) -> Option<(Rename, Places)> {
    let bare = |name: &str| name.trim_start_matches('-').to_owned();
    let own = Rename {
        from: bare(&rename.from),
        to: bare(&rename.to),
        noun: String::new(),
        spelled: bare(&rename.from),
    };
    let mut meant: BTreeMap<String, Vec<Occurrence>> = BTreeMap::new();
    for place in context.found(&own.from) {
        if why_kept(&place.path, context).is_none() && is_listed(place, &own.from, context) {
            meant
                .entry(place.path.clone())
                .or_default()
                .push(place.clone());
        }
    }
    let places = Places {
        is_found: true,
        defined_in: meant.keys().cloned().collect(),
        meant,
        ..Places::default()
    };
    (!places.meant.is_empty()).then_some((own, places))
}

/// Why an option can't be renamed: it doesn't occur, several source files may define it, or the new
/// one already exists.
pub(super) fn obstacle(rename: &Rename, context: &Context) -> Option<String> {
    let (from, to) = (&rename.from, &rename.to);
    if let Some(taken) = places(to, context).first() {
        return Some(format!(
            "`{to}` is already an option in `{}`, line {}",
            taken.path, taken.line
        ));
    }
    let found = sort(rename, context);
    match found.defined_in.as_slice() {
        [] => Some(format!("no source file contains the option `{from}`")),
        [_] => None,
        several => Some(format!(
            "`{from}` occurs in several source files and may be a separate option in each: `{}`",
            several.join("`, `")
        )),
    }
}

fn why_kept(path: &str, context: &Context) -> Option<&'static str> {
    let text = context.texts.get(path).map_or("", String::as_str);
    if is_history(path) {
        Some("history")
    } else if is_generated(path, Some(text)) {
        Some("generated")
    } else {
        None
    }
}

/// Whether an occurrence is a quoted bare name that ends with `=`, which marks an option that takes
/// a value: `"float="`.
fn is_listed(place: &Occurrence, name: &str, context: &Context) -> bool {
    let Some(text) = context.texts.get(&place.path) else {
        return false;
    };
    let before = text[..place.offset].chars().next_back();
    let mut after = text[place.offset + name.len()..].chars();
    is_code(&place.path)
        && before.is_some_and(|c| matches!(c, '"' | '\''))
        && after.next() == Some('=')
        && after.next() == before
}

/// Whether an occurrence of a derived name may refer to the option: as a member, a key, a parameter
/// or a separate string.
fn may_be_made_of_it(place: &Occurrence, name: &str, context: &Context) -> bool {
    let is_name = matches!(
        place.shape,
        Shape::Attribute | Shape::Key | Shape::Parameter | Shape::Text | Shape::Member
    );
    let text = context.texts.get(&place.path).map_or("", String::as_str);
    let is_of_option = text[..place.offset].ends_with("--") && !name.is_empty();
    is_code(&place.path) && is_name && !is_of_option && why_kept(&place.path, context).is_none()
}
