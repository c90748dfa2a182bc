//! Recognizes the files that a goal moves or renames, in English and German.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{group, pattern};

/// A file and its new path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The current path.
    pub from: String,
    /// The new path, or a target folder with a trailing `/`.
    pub to: String,
}

static MOVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)^(?:rename|move|git\s+mv|mv|benenne|verschiebe)\s+(?:the\s+|die\s+)?(?:files?\s+|dateien\s+|datei\s+)?(.+?)\s*(?:\s(?:to|into|as|in|nach|zu)\s|->|=>|→|\s)\s*(?:the\s+folder\s+|the\s+directory\s+)?(\S+?)(?:\s+um)?$"#,
    )
});
static JOINT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+"));

/// The moves in a clause, including lists: "a.py to b.py and c.py to d.py".
pub(super) fn read(clause: &str, named_paths: &[String]) -> Option<Vec<Move>> {
    one_place(clause, named_paths).or_else(|| several_places(clause, named_paths))
}

fn several_places(clause: &str, named_paths: &[String]) -> Option<Vec<Move>> {
    let clause = clause.trim().trim_end_matches(['.', '!', ' ']);
    let (verb, rest) = clause.split_once(' ')?;
    let pieces = JOINT.as_ref()?.split(rest);
    let moves = pieces.map(|piece| one_place(&format!("{verb} {}", piece.trim()), named_paths));
    let moves: Option<Vec<Vec<Move>>> = moves.collect();
    moves.map(|moves| moves.concat())
}

/// The moves in a clause with one target; `None` if the clause says anything else or a path can't
/// be recognized.
fn one_place(clause: &str, named_paths: &[String]) -> Option<Vec<Move>> {
    let signs = ['`', '"', '\'', '„', '“', '”'];
    let clause = clause.trim_end_matches(['.', '!', ' ']).replace(signs, "");
    let captures = MOVE.as_ref()?.captures(&clause)?;
    let path = |word: &str| {
        let word = word.trim().trim_start_matches("./").to_owned();
        named_paths.contains(&word).then_some(word)
    };
    let to = path(&group(&captures, 2))?;
    let sources = group(&captures, 1);
    let sources: Option<Vec<String>> = JOINT.as_ref()?.split(&sources).map(path).collect();
    let sources = sources?;
    let is_usable = sources
        .iter()
        .all(|from| *from != to && !from.contains('*'))
        && !to.contains('*');
    let moves = sources.into_iter().map(|from| Move {
        from,
        to: to.clone(),
    });
    is_usable.then(|| moves.collect())
}

impl Move {
    /// Represents a deleted file as a move to its own path, since references to it are found the
    /// same way.
    pub(crate) fn of_removed(path: &str) -> Self {
        Self {
            from: path.to_owned(),
            to: path.to_owned(),
        }
    }

    /// Search terms for references to the file: its path, its name, and its import name.
    pub(crate) fn terms(&self) -> Vec<String> {
        let name = self.from.rsplit('/').next().unwrap_or(&self.from);
        let stem = crate::text::stem(&self.from);
        let mut terms = vec![self.from.clone(), name.to_owned()];
        if crate::text::is_code(&self.from) {
            terms.push(stem.to_owned());
        }
        terms
    }
}
