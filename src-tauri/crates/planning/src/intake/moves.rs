//! Files that a goal moves or gives another name, in English and German.

use std::sync::LazyLock;

use regex::Regex;

use super::names::{group, pattern};

/// A file and the path it gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// The path it has.
    pub from: String,
    /// The path it gets, or with a `/` at its end the folder that it goes into.
    pub to: String,
}

static MOVE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)^(?:rename|move|git\s+mv|mv|benenne|verschiebe)\s+(?:the\s+|die\s+)?(?:files?\s+|dateien\s+|datei\s+)?(.+?)\s*(?:\s(?:to|into|as|in|nach|zu)\s|->|=>|→|\s)\s*(?:the\s+folder\s+|the\s+directory\s+)?(\S+?)(?:\s+um)?$"#,
    )
});
static JOINT: LazyLock<Option<Regex>> =
    LazyLock::new(|| pattern(r"(?i)\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+"));

/// The moves of a clause, of one that names several with their places too: "a.py to b.py and c.py to d.py".
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

/// The moves of a clause that names one place; `None` where it says anything else, or a path is not told from a word.
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
    /// A file that goes, as one that moves nowhere: what names it is found in the same way.
    pub(crate) fn of_removed(path: &str) -> Self {
        Self {
            from: path.to_owned(),
            to: path.to_owned(),
        }
    }

    /// What names the file elsewhere: its path, its name, and what code that imports it calls it.
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
