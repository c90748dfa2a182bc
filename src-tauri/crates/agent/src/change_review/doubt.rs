//! Judges whether a step changed what its title asks for: it should change the named places, lose
//! no lines if it only adds, not be tailored to the values in its check, and leave no parameters
//! unused.
//!
//! A doubt is not proof: it is reported to the model first, then to a person.

use std::collections::BTreeSet;

use gate::destructive::{Doubt, Written};

use super::line_diff::{
    ChangedLine, MAX_ADDED, MAX_REMOVED, changed_lines, is_long, is_similar, names,
};
use super::literal::literal_doubt;
use super::narrowed_condition::narrowed;
use super::placement::missed_place;
use super::places;
use super::syntax::broken;
use super::unused_parameter::unused;
use super::weakened_test::weakened;
use super::wrong_place::{is_other_of_two, set_elsewhere, sets};
use crate::envelope::one_line;
use crate::model_step::step_tools;

/// Why the changed files don't seem to match the title; `None` if nothing is doubtful.
pub fn review(files: &[Written], title: &str, checks: &[String]) -> Option<Doubt> {
    let lost = step_tools::only_adds(title)
        .then(|| removed_line(files, title))
        .flatten();
    let certain = lost
        .or_else(|| tailored_to_check(files, title, checks))
        .or_else(|| weakened(files, title, checks))
        .or_else(|| broken(files))
        .or_else(|| narrowed(files, title));
    if let Some(why) = certain {
        let is_certain = true;
        return Some(Doubt { why, is_certain });
    }
    let doubts = [
        literal_doubt(files, title),
        missed_place(files, title),
        unused(files, is_long),
        not_as_named(files, title),
    ];
    doubts
        .into_iter()
        .flatten()
        .min_by_key(|doubt| !doubt.is_certain)
}

/// Why the changes aren't at the places named in the title.
fn not_as_named(files: &[Written], title: &str) -> Option<Doubt> {
    let names = names(title, files);
    if names.is_empty() || files.is_empty() || files.iter().any(is_long) {
        return None;
    }
    let is_in = |text: &str, name: &str| !places(text, name).is_empty();
    let is_there = |name: &str| {
        let mut files = files.iter();
        files.any(|(_, before, after)| is_in(before, name) || is_in(after, name))
    };
    let there: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| is_there(name))
        .collect();
    if there.is_empty() {
        // A name of several words may be a command.
        let words = names.into_iter().filter(|name| !name.contains(' '));
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            return None;
        }
        let names = words.join("`, `");
        return Some(Doubt {
            why: format!("none of the changes contain what the step names: `{names}`"),
            // The name may be that of a program, except in a new file, where it more likely names
            // the expected content.
            is_certain: files.iter().all(|(_, before, _)| before.trim().is_empty()),
        });
    }
    let touched: Option<Vec<Vec<String>>> = files.iter().map(touched_lines).collect();
    let touched: Vec<String> = touched?.concat();
    let is_missed = |name: &&&str| !touched.iter().any(|line| is_in(line, name));
    if let Some(why) = sets(title).then(|| set_elsewhere(files, &there)).flatten() {
        let is_certain = true;
        return Some(Doubt { why, is_certain });
    }
    match there.iter().find(is_missed) {
        Some(missed) => Some(Doubt {
            why: format!("the step names `{missed}`, but nothing was changed there"),
            is_certain: is_other_of_two(files, missed),
        }),
        None => similar_line(files, &there).map(|why| Doubt {
            why,
            is_certain: false,
        }),
    }
}

/// A line that was removed without being replaced by a similar one, although the step should only
/// add. Added content counts as a replacement only if it contains all words of the line.
fn removed_line(files: &[Written], title: &str) -> Option<String> {
    let added = names(title, files);
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(path, before, after)| {
        let (gone, came) = changed_lines(before, after)?;
        let is_gone = |head: &str| gone.iter().any(|other| other.line == head);
        let is_kept = |line: &ChangedLine<'_>| {
            came.iter().take(MAX_ADDED).any(|other| {
                // The replacement may be under another head only if the line's own head changed
                // too.
                let is_there = match (line.heads.first(), other.heads.first()) {
                    (Some(head), of) => Some(head) == of || is_gone(head),
                    (None, _) => true,
                };
                let is_added =
                    |text: &&str| added.iter().any(|name| !places(text, name).is_empty());
                let is_added = is_added(&other.line) || other.heads.iter().any(is_added);
                let is_kept = !is_added || holds_words(other.line, line.line);
                is_there && is_kept && is_similar(line.line, other.line)
            })
        };
        let has_words = |line: &&ChangedLine<'_>| line.line.chars().any(char::is_alphanumeric);
        let mut gone = gone.iter().filter(has_words).take(MAX_REMOVED);
        let line = gone.find(|line| !is_kept(line))?;
        let line = one_line(line.line.trim(), 80);
        Some(format!(
            "the step adds something, but `{line}` was removed from {path}"
        ))
    })
}

/// Whether a line contains all words of another line.
fn holds_words(line: &str, other: &str) -> bool {
    let words = |text: &'_ str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    words(other).is_subset(&words(line))
}

/// A changed line whose old or new content matches the names less well than a similar line does.
fn similar_line(files: &[Written], names: &[&str]) -> Option<String> {
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(_, before, after)| {
        let (gone, came) = changed_lines(before, after)?;
        // A file that was rewritten completely isn't compared.
        if gone.len() > MAX_REMOVED || came.len() > MAX_REMOVED {
            return None;
        }
        // If more lines were added than removed, some of them don't replace anything.
        let is_replaced = came.len() <= gone.len();
        let line = less_specific(&gone, names)
            .or_else(|| is_replaced.then(|| less_specific(&came, names)).flatten())?;
        let line = one_line(line.trim(), 80);
        Some(format!(
            "`{line}` was also changed, but the step does not name it"
        ))
    })
}

/// A line that contains some of the names although a similar line contains more of them.
fn less_specific<'t>(lines: &[ChangedLine<'t>], names: &[&str]) -> Option<&'t str> {
    let named = |line: &ChangedLine<'_>| -> BTreeSet<usize> {
        let all: Vec<&&str> = std::iter::once(&line.line).chain(&line.heads).collect();
        let is_in = |name: &str| all.iter().any(|line| !places(line, name).is_empty());
        let found = names.iter().enumerate().filter(|(_, name)| is_in(name));
        found.map(|(at, _)| at).collect()
    };
    let lines: Vec<(&ChangedLine<'t>, BTreeSet<usize>)> =
        lines.iter().map(|line| (line, named(line))).collect();
    lines.iter().find_map(|(one, own)| {
        let is_twin = |(other, theirs): &(&ChangedLine<'_>, BTreeSet<usize>)| {
            own.is_subset(theirs) && own != theirs && is_similar(one.line, other.line)
        };
        (!own.is_empty() && lines.iter().any(is_twin)).then_some(one.line)
    })
}

/// A line of code that branches on the values in the step's check and so may be tailored to that
/// check.
fn tailored_to_check(files: &[Written], title: &str, checks: &[String]) -> Option<String> {
    /// Values that are common in base cases.
    const COMMON_VALUES: [&str; 4] = ["0", "1", "-1", ""];
    const CONDITIONALS: [&str; 8] = ["if ", "if(", "==", "===", "? ", "case ", "match ", "when "];
    let asked = values(title);
    let of_checks: BTreeSet<&str> = checks.iter().flat_map(|check| values(check)).collect();
    files
        .iter()
        .filter(|file| !is_long(file))
        .find_map(|(path, before, after)| {
            let is_test = path.to_lowercase().contains("test");
            let old: BTreeSet<&str> = before.lines().collect();
            let lines: Vec<&str> = after.lines().collect();
            let mut came = (0..lines.len()).filter(|at| !old.contains(lines[*at]));
            let line = came.find(|at| {
                let line = lines[*at];
                // The value returned for a condition is often on the next line.
                let next = lines
                    .get(at + 1)
                    .filter(|_| line.trim_end().ends_with([':', '{']));
                let all = values(line)
                    .into_iter()
                    .chain(next.into_iter().flat_map(|line| values(line)));
                let all =
                    all.filter(|value| !asked.contains(value) && !COMMON_VALUES.contains(value));
                let all: BTreeSet<&str> = all.collect();
                // A single quoted text is enough if it occurs only in the check.
                let is_text = |value: &&str| {
                    let is_long = value.len() > 2 && value.parse::<f64>().is_err();
                    is_long && line.contains("==") && value.chars().all(char::is_alphanumeric)
                };
                let is_enough = all.len() > 1 || all.iter().any(is_text);
                let is_of_check = is_enough && all.iter().all(|value| of_checks.contains(value));
                is_of_check && CONDITIONALS.iter().any(|word| line.contains(word))
            });
            let line = line.filter(|_| !is_test).map(|at| lines[at])?;
            let line = one_line(line.trim(), 80);
            Some(format!(
                "`{line}` branches on values from the check, so it may only work for those"
            ))
        })
}

/// The numbers and quoted texts that occur in a text.
fn values(text: &str) -> BTreeSet<&str> {
    let quoted = ['\'', '"']
        .into_iter()
        .flat_map(|mark| text.split(mark).skip(1).step_by(2));
    // The text between two quoted texts is also enclosed in quotation marks, but isn't a value.
    let is_value = |value: &&str| {
        !value
            .trim_matches([' ', ',', '(', ')', '[', ']'])
            .is_empty()
    };
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    let numbers = words
        .map(|word| word.trim_matches('.'))
        .filter(|word| !word.is_empty() && word.parse::<f64>().is_ok());
    numbers.chain(quoted.filter(is_value)).collect()
}

/// The removed and added lines with their heads; if nothing was removed, also the lines next to the
/// added ones.
fn touched_lines((_, before, after): &Written) -> Option<Vec<String>> {
    let (gone, came) = changed_lines(before, after)?;
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let lines: Vec<&str> = after.lines().collect();
    for line in gone.iter().chain(&came) {
        found.insert(line.line);
        found.extend(&line.heads);
    }
    if gone.is_empty() {
        let is_new = |line: &str| came.iter().any(|other| other.line == line);
        let pairs = lines
            .windows(2)
            .filter(|pair| is_new(pair[0]) || is_new(pair[1]));
        found.extend(pairs.flatten());
    }
    Some(found.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests;
