//! Finds the source of a fact among the files that a step has read.

use std::collections::BTreeSet;

use super::keywords::terms;

/// The index of the file that a fact names, by path or by file name. If the fact names no file and
/// only one file was read, the index of that file. `None` if it is ambiguous.
pub fn named_source(fact: &str, read: &[(String, String)]) -> Option<usize> {
    let by_path = read.iter().position(|(path, _)| is_named(fact, path));
    let by_name = || {
        let mut named = read.iter().enumerate().filter(|(_, (path, _))| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.contains('.') && is_named(fact, name)
        });
        // A name that several files share is ambiguous.
        match (named.next(), named.next()) {
            (Some((index, _)), None) => Some(index),
            _ => None,
        }
    };
    by_path.or_else(by_name).or((read.len() == 1).then_some(0))
}

/// The index of the file that contains the most words and numbers of a fact; of several such files,
/// the one read last. `contents` holds the texts of the files that were read. `None` if no file
/// contains any.
pub fn likely_source(fact: &str, contents: &[String]) -> Option<usize> {
    let wanted: BTreeSet<String> = terms(fact).into_iter().chain(numbers(fact)).collect();
    let held = contents.iter().map(|content| {
        let there: BTreeSet<String> = terms(content).into_iter().chain(numbers(content)).collect();
        wanted.intersection(&there).count()
    });
    held.enumerate()
        .filter(|(_, held)| *held > 0)
        .max_by_key(|(index, held)| (*held, *index))
        .map(|(index, _)| index)
}

fn numbers(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|run| run.len() > 1)
        .map(str::to_owned)
}

/// Whether a text contains a path, not just as part of a longer path.
fn is_named(text: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let mut after = text[at + path.len()..].chars();
        let ends = match after.next() {
            // The period after the path may end a sentence.
            Some('.') => !after.next().is_some_and(is_part),
            Some(c) => !is_part(c),
            None => true,
        };
        ends && !before.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(paths: &[&str]) -> Vec<(String, String)> {
        paths
            .iter()
            .map(|path| ((*path).to_owned(), "hash".to_owned()))
            .collect()
    }

    #[test]
    fn a_named_file_is_the_source() {
        let files = read(&["src/a.rs", "src/deep/mod.rs", "lib/mod.rs"]);
        for (fact, source) in [
            ("The limit is set in src/a.rs.", Some(0)),
            ("a.rs holds the limit", Some(0)),
            ("mod.rs holds the limit", None),
            ("src/deep/mod.rs: the limit", Some(1)),
            ("data.rs holds the limit", None),
            ("src/a.rs.bak holds the limit", None),
        ] {
            assert_eq!(named_source(fact, &files), source, "{fact}");
        }
        assert_eq!(named_source("the limit is 5", &read(&["x.py"])), Some(0));
        assert_eq!(named_source("the limit is 5", &[]), None);
    }

    #[test]
    fn else_the_one_that_holds_its_words() {
        let contents = ["fn render_rows() {}", "port = 8080", ""].map(str::to_owned);
        assert_eq!(
            likely_source("rows come from render_rows", &contents),
            Some(0)
        );
        assert_eq!(likely_source("it listens on 8080", &contents), Some(1));
        assert_eq!(likely_source("nobody knows", &contents), None);
    }
}
