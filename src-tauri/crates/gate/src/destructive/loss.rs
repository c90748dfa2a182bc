//! What a write throws away of a file, counted in definitions and lines: functions and types of code,
//! headings of prose, keys of data.
//!
//! The rule knows no language. A line defines something by a keyword and a name, by a name and a list of
//! parameters before a brace, or by standing at the margin with a value. Renaming is no loss, since as much
//! comes as goes; neither is rewording, as long as the words stay, nor what other files gained meanwhile. What
//! stands in a comment or string defines nothing, nor does what is left without a body.

mod definitions;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub(super) use definitions::stub_in;
use definitions::{Kind, definitions, is_name};

/// Net definitions of code, whatever the size of the file, whose loss is worth a question.
const DEFINITIONS: usize = 3;
/// Lines that a file has at least for a loss of most of them to be worth a question.
const LINES: usize = 8;
/// The same in bytes, for files of few lines.
const BYTES: usize = 400;
/// Definitions that are named; the rest is counted.
const NAMED: usize = 5;

/// What goes when a file that holds `before` holds `after`, as the end of a phrase: "29 of its 30
/// definitions (a, b, …)". `None` where it is nothing worth a question.
///
/// `elsewhere` is what other files held and hold that were written meanwhile.
pub(super) fn loss(
    path: &str,
    before: &str,
    after: &str,
    elsewhere: &[(String, String)],
) -> Option<String> {
    if before.trim().is_empty() {
        return None;
    }
    let gained = |parts: &dyn Fn(&str) -> Vec<String>| {
        let gained = elsewhere.iter().flat_map(|(before, now)| {
            let (before, now) = (parts(before), parts(now));
            missing(&now, &before)
                .into_iter()
                .cloned()
                .collect::<Vec<_>>()
        });
        gained.collect::<Vec<_>>()
    };
    let (all, left) = (lines(before), lines(after));
    if left.is_empty() {
        return Some(match all.len() {
            1 => "its only line".to_owned(),
            count => format!("all of its {count} lines"),
        });
    }
    let kind = Kind::of(path);
    let (defined, remaining) = (definitions(kind, before), definitions(kind, after));
    let renamed = missing(&remaining, &defined).len();
    let kept = [remaining.clone(), gained(&|text| definitions(kind, text))].concat();
    let gone = missing(&defined, &kept);
    let net = gone.len().saturating_sub(renamed);
    let is_many = kind == Kind::Code && net >= DEFINITIONS;
    let is_most = net * 2 > defined.len();
    let lost_lines = missing(&all, &[left, gained(&lines)].concat()).len();
    let is_long = all.len() >= LINES || before.len() >= BYTES;
    let lost_words = || missing(&words(before), &[words(after), gained(&words)].concat()).len();
    let has_lost_lines =
        is_long && lost_lines * 2 > all.len() && lost_words() * 2 > words(before).len();
    if is_many || is_most {
        let named: Vec<&str> = gone.iter().take(NAMED).map(|name| name.as_str()).collect();
        let more = gone.len().saturating_sub(NAMED);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let of = counted(defined.len(), kind.noun());
        return Some(format!(
            "{} of its {of}: {}{more}",
            gone.len(),
            named.join(", ")
        ));
    }
    has_lost_lines.then(|| format!("{lost_lines} of its {}", counted(all.len(), "line")))
}

fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

/// Those of the first that the second does not have, each as often as it is missing.
fn missing<'a>(all: &'a [String], left: &[String]) -> Vec<&'a String> {
    let mut there: BTreeMap<&str, usize> = BTreeMap::new();
    for one in left {
        *there.entry(one).or_default() += 1;
    }
    all.iter()
        .filter(|one| match there.get_mut(one.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

/// Lines that only read otherwise keep these.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !is_name(letter));
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}
