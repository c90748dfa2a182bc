//! Finds files that a goal mentions in any form: as a full path, as the end of one, or in a line of
//! a traceback.
//!
//! A traceback contains paths from another machine (`/srv/app/src/rows.py`) or bare names
//! (`Rows.java:12`). Each is resolved to its longest suffix that is a file in the workspace.

const MAX_MENTIONS: usize = 40;
/// Maximum length of a mention, in bytes.
const MAX_LEN: usize = 300;

/// The files that a goal may mention, in its order: for each mention, the candidates, which are the
/// path and its suffixes, longest first. A bare name is its own only candidate.
pub fn mentions(goal: &str) -> Vec<Vec<String>> {
    let is_between = |c: char| c.is_whitespace() || "\"'`()[]<>{},;|=".contains(c);
    let mut found: Vec<Vec<String>> = Vec::new();
    for word in goal.split(is_between) {
        // Cut off line numbers, as in `rows.py:12:5`, but keep the path after the drive in
        // `C:\app\rows.cs`.
        let place = word.match_indices(':').map(|(at, _)| at).find(|at| *at > 1);
        let path = &word[..place.unwrap_or(word.len())];
        let path = path
            .trim_end_matches(['.', '!', '?', ':'])
            .replace('\\', "/");
        if path.len() > MAX_LEN || !is_file_name(&path) {
            continue;
        }
        let parts: Vec<&str> = path
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."))
            .collect();
        let ends: Vec<String> = (0..parts.len()).map(|at| parts[at..].join("/")).collect();
        if !ends.is_empty() && !found.contains(&ends) && found.len() < MAX_MENTIONS {
            found.push(ends);
        }
    }
    found
}

/// Whether the last component is a name with an alphanumeric extension that starts with a letter.
fn is_file_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        stem.chars().any(char::is_alphanumeric)
            && (1..=8).contains(&ending.len())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_a_traceback_are_mentions() {
        let goal = "Fix this: Traceback (most recent call last): File \"/srv/app/shop/rows.py\", line 12, in \
                    read_rows ValueError: 3.5 is no row. at Shop.run(Shop.java:33) at ./src/main.rs:12:5";
        let longest: Vec<String> = mentions(goal)
            .into_iter()
            .map(|ends| ends[0].clone())
            .collect();
        assert_eq!(
            longest,
            [
                "srv/app/shop/rows.py",
                "Shop.run",
                "Shop.java",
                "src/main.rs"
            ]
        );
        assert_eq!(
            mentions("in C:\\app\\rows.cs:line 3")[0]
                .last()
                .map(String::as_str),
            Some("rows.cs")
        );
        assert!(mentions("Use version 1.2.3 of it. Then stop...").is_empty());
        assert_eq!(mentions("see /a/b/c.py")[0], ["a/b/c.py", "b/c.py", "c.py"]);
    }
}
