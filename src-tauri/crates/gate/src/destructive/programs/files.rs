//! Files that come to be written over, taken away or rewritten, by the words of `mv`, `cp`, `sed -i` and
//! their like.

use super::options::value_of;
use super::starting::base;
use super::{Harm, Subject, harm};

/// Subjects that are paths. What the line itself has made for its own use is none.
pub(super) fn paths(names: &[String]) -> Vec<Subject> {
    let is_own = |name: &&String| name.starts_with("$(mktemp") || name.starts_with("`mktemp");
    names
        .iter()
        .filter(|name| !is_own(name))
        .cloned()
        .map(Subject::Path)
        .collect()
}

/// `sed -i` and `perl -pi` on files that nobody named one by one. An edit of named files is an edit like
/// any other.
pub(super) fn in_place(name: &str, words: &[String], is_listed: bool) -> Vec<Harm> {
    let (letters, valued): (&str, &[char]) = match name {
        "sed" => ("nErsuzi", &['e', 'f']),
        "perl" | "ruby" => ("pnliwa0", &['e', 'E']),
        _ => return Vec::new(),
    };
    let (mut is_in_place, mut has_script) = (false, false);
    let mut files: Vec<String> = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word.starts_with("--in-place") {
            is_in_place = true;
        } else if let Some(cluster) = word.strip_prefix('-').filter(|word| !word.is_empty()) {
            let mut flags = cluster.chars().take_while(|c| letters.contains(*c));
            is_in_place |= !cluster.starts_with('-') && flags.any(|flag| flag == 'i');
            let is_script = matches!(word.as_str(), "--expression" | "--file")
                || (!cluster.starts_with('-') && cluster.ends_with(valued));
            if is_script {
                has_script = true;
                rest.next();
            }
        } else {
            files.push(word.clone());
        }
    }
    // Without `-e` the first word is the script.
    let files = files.get(usize::from(!has_script)..).unwrap_or_default();
    let is_many =
        |file: &&String| file.contains(['*', '?', '[']) || file.contains("everything that");
    let many: Vec<String> = files.iter().filter(is_many).cloned().collect();
    match is_in_place && (is_listed || !many.is_empty()) {
        true => harm("rewrites files that are not named one by one", paths(&many)),
        false => Vec::new(),
    }
}

/// The sources of `mv` and `cp` and where they go: into the last name, or into that folder.
fn sources_and_target(words: &[String], named: &[String]) -> Option<(Vec<String>, String)> {
    match (
        value_of(words, 't', "--target-directory"),
        named.split_last(),
    ) {
        (Some(target), _) => {
            let sources = named.iter().filter(|name| **name != target);
            Some((sources.cloned().collect(), target))
        }
        (None, Some((target, sources))) if !sources.is_empty() => {
            Some((sources.to_vec(), target.clone()))
        }
        _ => None,
    }
}

/// What the sources of `mv` and `cp` come to stand on.
pub(super) fn moved_onto(words: &[String], named: &[String]) -> Vec<Subject> {
    let Some((sources, target)) = sources_and_target(words, named) else {
        return Vec::new();
    };
    sources
        .iter()
        .filter(|source| **source != target)
        .map(|source| Subject::Onto {
            target: target.clone(),
            name: base(source.trim_end_matches('/')).to_owned(),
            source: source.clone(),
        })
        .collect()
}

pub(super) fn moved_away(words: &[String], named: &[String]) -> Vec<Subject> {
    let Some((sources, target)) = sources_and_target(words, named) else {
        return Vec::new();
    };
    let sources = sources.into_iter();
    sources
        .map(|source| Subject::Away {
            source,
            target: target.clone(),
        })
        .collect()
}
